//! Changes to inputs, the same in each run.

/// A generator (xorshift) and its changes to inputs.
pub struct Mutator {
    state: u64,
}

const TELLING: [u8; 16] = [
    0, 1, 0x17, 0x18, 0x1b, 0x1f, 0x40, 0x5f, 0x80, 0x82, 0xa0, 0xd8, 0xf6, 0xfb, 0xff, b'"',
];

impl Mutator {
    /// Each target has a separate sequence, so that a new target doesn't change the others'.
    pub fn new(name: &str) -> Self {
        let state = name
            .bytes()
            .fold(0x9e37_79b9_7f4a_7c15, |state: u64, byte| {
                (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
        Self { state: state | 1 }
    }

    /// One seed, with one to four changes.
    pub fn change(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut input = self.pick(seeds).clone();
        for _ in 0..=self.below(4) {
            self.change_once(&mut input, seeds);
        }
        input
    }

    fn change_once(&mut self, input: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let at = self.below(input.len() + 1);
        let end = (at + 1 + self.below(8)).min(input.len());
        match self.below(8) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = *self.pick(&TELLING),
            2 if at < input.len() => input[at] = self.next() as u8,
            3 => drop(input.drain(at.min(end)..end)),
            4 => {
                let part = input[at.min(end)..end].to_vec();
                drop(input.splice(at..at, part));
            }
            5 => input.truncate(at),
            6 => {
                let other = self.pick(seeds);
                let from = self.below(other.len() + 1);
                let part = other[from..(from + self.below(64)).min(other.len())].to_vec();
                drop(input.splice(at..at, part));
            }
            _ => {
                let bytes: Vec<u8> = (0..self.below(24)).map(|_| self.next() as u8).collect();
                drop(input.splice(at..at, bytes));
            }
        }
    }

    fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }
}
