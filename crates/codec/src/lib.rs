//! Bytes as text. Each encoding is read in one form only. Every token, DID and CID comes through here, so this crate is
//! compiled for speed while its callers are compiled for size.
#![no_std]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

extern crate alloc;

#[cfg(test)]
extern crate std;

pub mod base32;
pub mod base58;
pub mod base64;
pub mod hex;

/// What a table says of a letter that has no value.
const NONE: u8 = 0xff;

/// The value of each byte in an alphabet.
const fn values<const N: usize>(alphabet: &[u8; N]) -> [u8; 256] {
    let mut values = [NONE; 256];
    let (mut rest, mut value): (&[u8], u8) = (alphabet, 0);
    while let [letter, after @ ..] = rest {
        values[*letter as usize] = value;
        (rest, value) = (after, value + 1);
    }
    values
}
