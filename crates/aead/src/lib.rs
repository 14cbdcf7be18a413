//! XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03). The cipher's code is generic, so it is compiled where it is used.
//! Everything that is sealed comes through here: this crate is compiled for speed, while its caller is compiled for size.
#![no_std]

extern crate alloc;

use alloc::vec::Vec;

use chacha20poly1305::{AeadInOut, KeyInit, XChaCha20Poly1305, XNonce};

/// Bytes of a key.
pub const KEY_LENGTH: usize = 32;
/// Bytes of a nonce.
pub const NONCE_LENGTH: usize = 24;
/// Bytes that sealing adds after the text.
pub const TAG_LENGTH: usize = 16;

/// The text is longer than one key and nonce can seal: 256 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

/// The key, the nonce, the associated data or the sealed text is not the one that was sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAuthentic;

/// Seals `text` in place, and appends its tag. Room for the tag keeps the text from being moved.
///
/// # Errors
/// [`TooLong`].
pub fn seal(
    key: &[u8; KEY_LENGTH],
    nonce: [u8; NONCE_LENGTH],
    associated: &[u8],
    text: &mut Vec<u8>,
) -> Result<(), TooLong> {
    XChaCha20Poly1305::new(key.into())
        .encrypt_in_place(&XNonce::from(nonce), associated, text)
        .map_err(|_| TooLong)
}

/// Opens `sealed` in place, and removes its tag. Nothing is decrypted unless all of it is authentic.
///
/// # Errors
/// [`NotAuthentic`].
pub fn open(
    key: &[u8; KEY_LENGTH],
    nonce: [u8; NONCE_LENGTH],
    associated: &[u8],
    sealed: &mut Vec<u8>,
) -> Result<(), NotAuthentic> {
    XChaCha20Poly1305::new(key.into())
        .decrypt_in_place(&XNonce::from(nonce), associated, sealed)
        .map_err(|_| NotAuthentic)
}
