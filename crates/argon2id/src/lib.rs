//! Argon2id (RFC 9106), version 0x13, in steps: a derivation fills as much of its memory as it is told to, and can then
//! go on or be abandoned. So it blocks a thread for a few milliseconds at a time instead of half a second.
//!
//! The caller allocates the memory's blocks, keeps them between two derivations, and wipes them. Lanes are filled one
//! after the other.
#![no_std]

extern crate alloc;

mod block;
mod hash;

use alloc::vec;

use blake2::{Blake2b512, Digest};
use zeroize::Zeroizing;

pub use block::Block;

/// Version of the function, the one of RFC 9106.
const VERSION: u32 = 0x13;
/// Number of the variant: Argon2id.
const ARGON2ID: u32 = 2;
/// Slices of a pass (RFC 9106 §3.4).
const SLICES: usize = 4;
/// Addresses in one address block.
const ADDRESSES: usize = 128;
/// Longest associated data, in bytes.
const LONGEST_ASSOCIATED: usize = 32;

/// All inputs of a key (RFC 9106 §3.1).
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// m: memory in KiB, at least 8 a lane.
    pub memory_kib: u32,
    /// t: passes over the memory, at least 1.
    pub passes: u32,
    /// p: lanes, at least 1.
    pub lanes: u32,
    /// P.
    pub password: &'a [u8],
    /// S, at least 8 bytes.
    pub salt: &'a [u8],
    /// K; can be empty.
    pub secret: &'a [u8],
    /// X; can be empty, and has at most 32 bytes.
    pub associated: &'a [u8],
    /// T: length of the key in bytes, at least 4.
    pub length: usize,
}

impl Inputs<'_> {
    /// Whether Argon2 allows these parameters.
    pub fn are_possible(&self) -> bool {
        let fits = |bytes: &[u8]| u32::try_from(bytes.len()).is_ok();
        let lanes = self.lanes;
        (1..1 << 24).contains(&lanes)
            && self.memory_kib >= 8 * lanes
            && self.passes >= 1
            && self.salt.len() >= 8
            && self.associated.len() <= LONGEST_ASSOCIATED
            && (4..=u32::MAX as usize).contains(&self.length)
            && fits(self.password)
            && fits(self.salt)
            && fits(self.secret)
    }

    /// H0: 64 bytes made from all the inputs. They are as secret as the password, since they are enough to derive the
    /// key.
    pub fn digest(&self) -> Zeroizing<[u8; 64]> {
        let mut hash = Blake2b512::new();
        let length = self.length as u32;
        for number in [
            self.lanes,
            length,
            self.memory_kib,
            self.passes,
            VERSION,
            ARGON2ID,
        ] {
            hash.update(number.to_le_bytes());
        }
        for bytes in [self.password, self.salt, self.secret, self.associated] {
            hash.update((bytes.len() as u32).to_le_bytes());
            hash.update(bytes);
        }
        Zeroizing::new(hash.finalize().into())
    }
}

/// The progress of a derivation. It wipes its state when it is dropped; the caller wipes the memory.
pub struct Derivation {
    digest: Zeroizing<[u8; 64]>,
    lanes: usize,
    lane_length: usize,
    passes: usize,
    length: usize,
    pass: usize,
    slice: usize,
    lane: usize,
    /// The next block to fill in the segment.
    at: usize,
    /// For the data-independent half: what the addresses are made from, and the current ones.
    counter: u64,
    addresses: Block,
}

impl Derivation {
    /// Starts: fills the first two blocks of each lane. `None` for parameters that Argon2 doesn't allow, and for a
    /// memory with fewer blocks than the inputs ask for in KiB.
    pub fn begin(inputs: &Inputs<'_>, memory: &mut [Block]) -> Option<Self> {
        if !inputs.are_possible() || memory.len() < inputs.memory_kib as usize {
            return None;
        }
        let digest = inputs.digest();
        let lanes = inputs.lanes as usize;
        let lane_length = inputs.memory_kib as usize / (SLICES * lanes) * SLICES;
        for (lane, blocks) in memory.chunks_exact_mut(lane_length).take(lanes).enumerate() {
            for (column, block) in blocks.iter_mut().take(2).enumerate() {
                let mut first = Zeroizing::new([0; Block::BYTES]);
                let place = [(column as u32).to_le_bytes(), (lane as u32).to_le_bytes()];
                hash::long(&[&digest[..], &place[0], &place[1]], &mut first[..]);
                *block = Block::from_bytes(&first);
            }
        }
        Some(Self {
            digest,
            lanes,
            lane_length,
            passes: inputs.passes as usize,
            length: inputs.length,
            pass: 0,
            slice: 0,
            lane: 0,
            at: 2,
            counter: 0,
            addresses: Block::ZERO,
        })
    }

    /// The [`Inputs::digest`] that it started with.
    pub fn digest(&self) -> &[u8; 64] {
        &self.digest
    }

    /// Length of the key in bytes.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Fills at most `most` more blocks, in the memory that it started in, which must not have changed since. Answers
    /// whether all are filled.
    pub fn go_on(&mut self, memory: &mut [Block], most: usize) -> bool {
        let segment = self.lane_length / SLICES;
        let mut left = most;
        while self.pass < self.passes {
            while self.at < segment {
                if left == 0 {
                    return false;
                }
                left -= 1;
                self.fill(memory, segment);
                self.at += 1;
            }
            self.next_segment();
        }
        true
    }

    /// The key, once all memory is filled; `out` is as long as the inputs said.
    pub fn finish(self, memory: &[Block], out: &mut [u8]) {
        let mut last = Block::ZERO;
        let lanes = memory.chunks_exact(self.lane_length).take(self.lanes);
        for block in lanes.filter_map(<[Block]>::last) {
            last ^= block;
        }
        hash::long(&[&last.to_bytes()[..]], out);
        last.wipe();
    }

    fn next_segment(&mut self) {
        self.at = 0;
        self.counter = 0;
        self.lane += 1;
        if self.lane == self.lanes {
            self.lane = 0;
            self.slice += 1;
        }
        if self.slice == SLICES {
            self.slice = 0;
            self.pass += 1;
        }
        // `begin` filled the first two blocks of each lane.
        if self.pass == 0 && self.slice == 0 {
            self.at = 2;
        }
    }

    /// Fills the block that is next (RFC 9106 §3.2, steps 5 and 6).
    // Every index is below `lanes * lane_length`, and `begin` made sure that the memory has as many blocks.
    #[allow(clippy::indexing_slicing)]
    fn fill(&mut self, memory: &mut [Block], segment: usize) {
        let start = self.lane * self.lane_length;
        let column = self.slice * segment + self.at;
        let previous = start
            + if column == 0 {
                self.lane_length
            } else {
                column
            }
            - 1;
        let random = match self.is_independent() {
            true => self.address(),
            false => memory[previous].first_word(),
        };
        let reference = self.reference(random, segment);
        let filled = Block::compress(&memory[previous], &memory[reference]);
        if self.pass == 0 {
            memory[start + column] = filled;
        } else {
            memory[start + column] ^= &filled;
        }
    }

    /// Argon2id is Argon2i in the first half of its first pass, and Argon2d after that.
    fn is_independent(&self) -> bool {
        self.pass == 0 && self.slice < SLICES / 2
    }

    /// J1 and J2 of a block whose position does not depend on the memory's content (RFC 9106 §3.4.1.2).
    fn address(&mut self) -> u64 {
        let wanted = (self.at / ADDRESSES) as u64 + 1;
        if self.counter != wanted {
            self.counter = wanted;
            let blocks = self.lanes * self.lane_length;
            let input = Block::from_words(&[
                self.pass as u64,
                self.lane as u64,
                self.slice as u64,
                blocks as u64,
                self.passes as u64,
                u64::from(ARGON2ID),
                wanted,
            ]);
            let once = Block::compress(&Block::ZERO, &input);
            self.addresses = Block::compress(&Block::ZERO, &once);
        }
        self.addresses.word(self.at % ADDRESSES)
    }

    /// Which block is mixed in (RFC 9106 §3.4.2).
    fn reference(&self, random: u64, segment: usize) -> usize {
        let (first_pass, at) = (self.pass == 0, self.at);
        let lane = match first_pass && self.slice == 0 {
            true => self.lane,
            false => (random >> 32) as usize % self.lanes,
        };
        let finished = match first_pass {
            true => self.slice * segment,
            false => self.lane_length - segment,
        };
        let area = match lane == self.lane {
            true => finished + at - 1,
            false => finished - usize::from(at == 0),
        } as u64;
        let low = random & u64::from(u32::MAX);
        let distance = (area * ((low * low) >> 32)) >> 32;
        let relative = (area - 1 - distance) as usize;
        let begin = match first_pass || self.slice == SLICES - 1 {
            true => 0,
            false => (self.slice + 1) * segment,
        };
        lane * self.lane_length + (begin + relative) % self.lane_length
    }
}

impl Drop for Derivation {
    fn drop(&mut self) {
        self.addresses.wipe();
    }
}

/// A key in one go, in memory that is allocated and wiped here; `None` for parameters that Argon2 doesn't allow.
pub fn derive(inputs: &Inputs<'_>) -> Option<Zeroizing<alloc::vec::Vec<u8>>> {
    if !inputs.are_possible() {
        return None;
    }
    let mut memory = vec![Block::ZERO; inputs.memory_kib as usize];
    let mut derivation = Derivation::begin(inputs, &mut memory)?;
    derivation.go_on(&mut memory, usize::MAX);
    let mut key = Zeroizing::new(vec![0; inputs.length]);
    derivation.finish(&memory, &mut key);
    memory.iter_mut().for_each(Block::wipe);
    Some(key)
}
