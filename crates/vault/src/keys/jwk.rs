//! Private keys as JSON Web Keys (RFC 7517; RFC 8037 for Ed25519, RFC 7518 and RFC 8812 for the curves).

use alloc::string::String;

use serde::Deserialize;

use crate::error::VaultError;
use crate::keys::halves::{self, belongs};
use keyhole_ucan::codec::base64::{Fixed, Secret};
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;

/// The key type of a JWK. Read before the other members, whose lengths depend on it.
#[derive(Deserialize)]
struct Kind {
    kty: String,
    crv: Option<String>,
}

/// The members that make a key. Others (`kid`, `use`, `alg`, …) say what it is for, and are ignored.
#[derive(Deserialize)]
struct Halves {
    d: Option<Secret<32>>,
    x: Fixed<32>,
    y: Option<Fixed<32>>,
}

/// Reads a private key.
///
/// # Errors
/// INVALID_KEY_TYPE for an unsupported key type; OPERATION_FAILED if the private or public half is missing, the text
/// does not parse or names a member twice, or the halves are of two keys.
pub(crate) fn read(text: &str) -> Result<SecretKey, VaultError> {
    let kind: Kind = serde_json::from_str(text).map_err(|_| malformed())?;
    let key_type = match (kind.kty.as_str(), kind.crv.as_deref()) {
        ("OKP", Some("Ed25519")) => KeyType::Ed25519,
        ("EC", Some("P-256")) => KeyType::P256,
        ("EC", Some("secp256k1")) => KeyType::Secp256k1,
        _ => {
            return Err(VaultError::KeyTypeOfJwk);
        }
    };
    let halves: Halves = serde_json::from_str(text).map_err(|_| malformed())?;
    let private = halves.d.ok_or_else(halves::public_only)?;
    let key = SecretKey::from_bytes(key_type, &private.0).map_err(|_| malformed())?;
    let is_ours = match (key_type, &halves.y) {
        (KeyType::Ed25519, None) => belongs(&key, &halves.x.0),
        (KeyType::P256 | KeyType::Secp256k1, Some(y)) => {
            belongs(&key, &[&[4], &halves.x.0[..], &y.0].concat())
        }
        _ => return Err(malformed()),
    };
    is_ours.then_some(key).ok_or_else(halves::other_half)
}

fn malformed() -> VaultError {
    VaultError::NotJwk
}

#[cfg(test)]
#[path = "jwk_test.rs"]
mod tests;
