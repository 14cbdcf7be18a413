//! The two halves of a key: whether they belong together, and the refusals if they don't or the private one is missing.

use k256::ecdsa as k256_ecdsa;
use p256::ecdsa as p256_ecdsa;

use keyhole_ucan::identity::key::{PublicKey, SecretKey};

use crate::error::VaultError;

/// Whether a public key, 32 bytes or a SEC 1 point (compressed or not), belongs to a private one.
pub(crate) fn belongs(key: &SecretKey, public: &[u8]) -> bool {
    match key.public_key() {
        PublicKey::Ed25519(ours) => ours.as_bytes() == public,
        PublicKey::P256(ours) => {
            p256_ecdsa::VerifyingKey::from_sec1_bytes(public).is_ok_and(|theirs| theirs == ours)
        }
        PublicKey::Secp256k1(ours) => {
            k256_ecdsa::VerifyingKey::from_sec1_bytes(public).is_ok_and(|theirs| theirs == ours)
        }
    }
}

pub(crate) fn public_only() -> VaultError {
    VaultError::PublicKeyOnly
}

pub(crate) fn other_half() -> VaultError {
    VaultError::KeyHalvesDiffer
}
