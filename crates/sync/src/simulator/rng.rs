//! Numbers that look random and follow from a seed (SplitMix64).

use keyhole_vault::error::VaultError;
use keyhole_vault::random::Random;

/// A source of numbers.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed ^ 0x5851_f42d_4c95_7f2d)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `end`; 0 where that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        match end {
            0 => 0,
            end => (self.next() % end as u64) as usize,
        }
    }
}

impl Random for Rng {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), VaultError> {
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&self.next().to_be_bytes()[..part.len()]);
        }
        Ok(())
    }
}
