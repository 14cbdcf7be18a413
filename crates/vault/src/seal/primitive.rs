//! Direct access to the vault's primitives, so that published test vectors reach the code that seals and signs.
//! Keyless; the caller limits every length.

use alloc::vec::Vec;

use keyhole_argon2id::Inputs;
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::seal::aead::{self, KEY_LENGTH, NONCE_LENGTH, SealedBytes};
use crate::seal::kdf::{self, Cost, KdfMemory};
use keyhole_ucan::codec::base64::{Bytes, Fixed};

/// Most memory of Argon2id, in KiB: the most that a vault reads.
const MAX_MEMORY_KIB: u32 = 512 * 1_024;
/// Most passes and lanes of Argon2id, likewise.
const MAX_PASSES: u32 = 10;
const MAX_LANES: u32 = 16;

/// Seals with a nonce that the caller chooses, which is only for known answers. Gives the ciphertext followed by its
/// tag.
///
/// # Errors
/// OPERATION_FAILED for a plaintext past the cipher's 256 GiB.
pub fn seal(
    key: &[u8; KEY_LENGTH],
    nonce: &[u8; NONCE_LENGTH],
    associated: &[u8],
    plaintext: &[u8],
) -> Result<Vec<u8>, VaultError> {
    let mut chosen = |bytes: &mut [u8]| {
        bytes.copy_from_slice(nonce);
        Ok(())
    };
    let plaintext = Zeroizing::new(plaintext.to_vec());
    aead::seal(key, associated, plaintext, &mut chosen).map(|sealed| sealed.sealed.0)
}

/// Opens what [`seal`] made; `None` if a single bit differs.
pub fn open(
    key: &[u8; KEY_LENGTH],
    nonce: &[u8; NONCE_LENGTH],
    associated: &[u8],
    sealed: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    let sealed = SealedBytes {
        nonce: Fixed(*nonce),
        sealed: Bytes(sealed.to_vec()),
    };
    aead::open(key, associated, sealed)
}

/// HKDF-SHA256 (RFC 5869): fills `out`.
///
/// # Errors
/// OPERATION_FAILED past 8,160 bytes.
pub fn hkdf_sha256(
    salt: &[u8],
    secret: &[u8],
    info: &[u8],
    out: &mut [u8],
) -> Result<(), VaultError> {
    kdf::hkdf_into(salt, secret, info, out)
}

/// X25519 (RFC 7748); `None` for a public key of small order, whose shared secret is all zeros.
pub fn x25519(private: &[u8; 32], public: &[u8; 32]) -> Option<Zeroizing<[u8; 32]>> {
    let shared = StaticSecret::from(*private).diffie_hellman(&PublicKey::from(*public));
    shared
        .was_contributory()
        .then(|| Zeroizing::new(shared.to_bytes()))
}

/// The inputs of Argon2id (RFC 9106 §3.1).
pub struct Argon2id<'a> {
    /// Memory, passes and lanes.
    pub cost: Cost,
    /// P.
    pub password: &'a [u8],
    /// S, at least 8 bytes.
    pub salt: &'a [u8],
    /// K; can be empty.
    pub secret: &'a [u8],
    /// X; can be empty, and has at most 32 bytes.
    pub associated: &'a [u8],
}

impl Argon2id<'_> {
    /// Fills `out` with the same memory and code as a vault's passphrases. Also accepts costs below a vault's minimum,
    /// since published answers use them.
    ///
    /// # Errors
    /// OPERATION_FAILED past 512 MiB, 10 passes or 16 lanes, before anything is allocated; for parameters that Argon2
    /// doesn't allow; and when there isn't enough memory.
    pub fn derive(&self, memory: &mut KdfMemory, out: &mut [u8]) -> Result<(), VaultError> {
        let cost = self.cost;
        if cost.memory_kib > MAX_MEMORY_KIB || cost.passes > MAX_PASSES || cost.lanes > MAX_LANES {
            return Err(VaultError::input(
                "Argon2id takes at most 512 MiB, 10 passes and 16 lanes here.",
            ));
        }
        let inputs = Inputs {
            memory_kib: cost.memory_kib,
            passes: cost.passes,
            lanes: cost.lanes,
            password: self.password,
            salt: self.salt,
            secret: self.secret,
            associated: self.associated,
            length: out.len(),
        };
        memory.run(&inputs, out)
    }
}
