//! A block of memory, and the function G that combines two into one (RFC 9106 §3.5 and §3.6).

use core::ops::BitXorAssign;

use zeroize::Zeroize;

const WORDS: usize = 128;

/// 1 KiB of Argon2's memory.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Block([u64; WORDS]);

impl Block {
    /// Its length in bytes.
    pub const BYTES: usize = WORDS * 8;
    /// All zeros.
    pub const ZERO: Self = Self([0; WORDS]);

    /// Overwrites it with zeros.
    pub fn wipe(&mut self) {
        self.0.zeroize();
    }

    /// Whether every bit of it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let mut block = Self::ZERO;
        for (word, bytes) in block.0.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        block
    }

    pub(crate) fn to_bytes(self) -> zeroize::Zeroizing<[u8; Self::BYTES]> {
        let mut bytes = zeroize::Zeroizing::new([0; Self::BYTES]);
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(self.0) {
            *bytes = word.to_le_bytes();
        }
        bytes
    }

    /// These words, followed by zeros.
    pub(crate) fn from_words(words: &[u64]) -> Self {
        let mut block = Self::ZERO;
        for (word, given) in block.0.iter_mut().zip(words) {
            *word = *given;
        }
        block
    }

    pub(crate) fn first_word(&self) -> u64 {
        self.0[0]
    }

    pub(crate) fn word(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or_default()
    }

    /// G.
    #[inline(always)]
    pub(crate) fn compress(one: &Self, other: &Self) -> Self {
        let mut mixed = *one;
        mixed ^= other;
        let both = mixed;
        for row in mixed.0.as_chunks_mut::<16>().0 {
            permute(row);
        }
        for column in 0..8 {
            mixed.permute_column(column * 2);
        }
        mixed ^= &both;
        mixed
    }

    // `at` is at most 14, and the last index 14 + 112 + 1.
    #[allow(clippy::indexing_slicing)]
    #[inline(always)]
    fn permute_column(&mut self, at: usize) {
        let words = &mut self.0;
        let mut column = [0; 16];
        for pair in 0..8 {
            column[pair * 2] = words[at + pair * 16];
            column[pair * 2 + 1] = words[at + pair * 16 + 1];
        }
        permute(&mut column);
        for pair in 0..8 {
            words[at + pair * 16] = column[pair * 2];
            words[at + pair * 16 + 1] = column[pair * 2 + 1];
        }
    }
}

impl BitXorAssign<&Self> for Block {
    fn bitxor_assign(&mut self, other: &Self) {
        for (word, with) in self.0.iter_mut().zip(other.0.iter()) {
            *word ^= with;
        }
    }
}

/// P: BLAKE2b's round, with multiplication.
#[inline(always)]
fn permute(words: &mut [u64; 16]) {
    mix(words, 0, 4, 8, 12);
    mix(words, 1, 5, 9, 13);
    mix(words, 2, 6, 10, 14);
    mix(words, 3, 7, 11, 15);
    mix(words, 0, 5, 10, 15);
    mix(words, 1, 6, 11, 12);
    mix(words, 2, 7, 8, 13);
    mix(words, 3, 4, 9, 14);
}

#[inline(always)]
fn mix(words: &mut [u64; 16], a: usize, b: usize, c: usize, d: usize) {
    half_mix(words, [a, b, c, d], 32, 24);
    half_mix(words, [a, b, c, d], 16, 63);
}

// `permute` only passes indices within the block.
#[allow(clippy::indexing_slicing)]
#[inline(always)]
fn half_mix(words: &mut [u64; 16], [a, b, c, d]: [usize; 4], first: u32, second: u32) {
    words[a] = add(words[a], words[b]);
    words[d] = (words[d] ^ words[a]).rotate_right(first);
    words[c] = add(words[c], words[d]);
    words[b] = (words[b] ^ words[c]).rotate_right(second);
}

/// x + y + 2 · (the lower half of x) · (the lower half of y).
#[inline(always)]
fn add(x: u64, y: u64) -> u64 {
    let low = u64::from(u32::MAX);
    let product = (x & low).wrapping_mul(y & low);
    x.wrapping_add(y).wrapping_add(product.wrapping_mul(2))
}
