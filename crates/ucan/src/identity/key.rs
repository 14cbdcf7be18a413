//! Key pairs of the three algorithms of UCAN 1.0.0: Ed25519, P-256 (ES256), secp256k1 (ES256K).
//!
//! A private key leaves this crate only sealed: its bytes are visible inside the crate only, and are wiped on drop.
//! Signatures are 64 bytes, `R ‖ s` for Ed25519 and `r ‖ s` for the curves. Ours are deterministic (RFC 8032, RFC 6979)
//! and low-S. A high-S signature is refused, since it would give a token a second CID.

use alloc::vec::Vec;
use core::fmt;

use k256::ecdsa as k256_ecdsa;
use p256::ecdsa as p256_ecdsa;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::identity::ed25519::{self, Claim};
use crate::identity::key_type::{KeyType, SECRET_KEY_LENGTH, SIGNATURE_LENGTH};

/// Bytes of a message that are hashed at a time.
const PIECE: usize = 64 * 1_024;

/// Why bytes are not a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// The multicodec prefix is not one of the three types.
    UnknownType,
    /// The bytes are not a canonical point of the curve, or the scalar is out of range.
    Invalid,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownType => "the key is neither Ed25519, P-256 nor secp256k1",
            Self::Invalid => "the bytes are not a valid key of their type",
        })
    }
}

impl core::error::Error for KeyError {}

/// A public key, checked to be a point of its curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublicKey {
    /// 32 bytes compressed.
    Ed25519(ed25519_dalek::VerifyingKey),
    /// 33 bytes compressed (SEC 1).
    P256(p256_ecdsa::VerifyingKey),
    /// 33 bytes compressed (SEC 1).
    Secp256k1(k256_ecdsa::VerifyingKey),
}

impl PublicKey {
    /// Reads a multicodec public key: two bytes of prefix, then 32 (Ed25519) or 33 compressed (SEC 1) bytes.
    ///
    /// # Errors
    /// [`KeyError::UnknownType`] for another prefix; [`KeyError::Invalid`] for a wrong length, an uncompressed or
    /// non-canonical encoding, bytes that aren't a point of the curve, or an Ed25519 point of small order.
    pub fn from_multicodec(bytes: &[u8]) -> Result<Self, KeyError> {
        let (prefix, key) = bytes
            .split_first_chunk::<2>()
            .ok_or(KeyError::UnknownType)?;
        match prefix {
            [0xed, 0x01] => {
                let key: &[u8; 32] = key.try_into().map_err(|_| KeyError::Invalid)?;
                let point =
                    ed25519_dalek::VerifyingKey::from_bytes(key).map_err(|_| KeyError::Invalid)?;
                if !ed25519::is_canonical(key) || point.is_weak() {
                    return Err(KeyError::Invalid);
                }
                Ok(Self::Ed25519(point))
            }
            [0x80, 0x24] => compressed(key)
                .and_then(|key| p256_ecdsa::VerifyingKey::from_sec1_bytes(key).ok())
                .map(Self::P256)
                .ok_or(KeyError::Invalid),
            [0xe7, 0x01] => compressed(key)
                .and_then(|key| k256_ecdsa::VerifyingKey::from_sec1_bytes(key).ok())
                .map(Self::Secp256k1)
                .ok_or(KeyError::Invalid),
            _ => Err(KeyError::UnknownType),
        }
    }

    /// The multicodec form: two bytes of prefix, then 32 or 33 bytes.
    pub fn to_multicodec(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(35);
        out.extend_from_slice(&self.key_type().multicodec());
        match self {
            Self::Ed25519(key) => out.extend_from_slice(key.as_bytes()),
            Self::P256(key) => out.extend_from_slice(key.to_sec1_point(true).as_bytes()),
            Self::Secp256k1(key) => out.extend_from_slice(key.to_sec1_point(true).as_bytes()),
        }
        out
    }

    /// The algorithm.
    pub fn key_type(&self) -> KeyType {
        match self {
            Self::Ed25519(_) => KeyType::Ed25519,
            Self::P256(_) => KeyType::P256,
            Self::Secp256k1(_) => KeyType::Secp256k1,
        }
    }

    /// Whether `signature` (64 bytes) is this key's signature of `message`. Ed25519 follows the rule in
    /// `identity/ed25519.rs`; the curves require low S.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        self.verify_parts(&[message], signature)
    }

    /// [`PublicKey::verify`] for a message in parts.
    pub fn verify_parts(&self, parts: &[&[u8]], signature: &[u8]) -> bool {
        let Ok(signature) = <&[u8; SIGNATURE_LENGTH]>::try_from(signature) else {
            return false;
        };
        let pieces = pieces(parts);
        match self {
            Self::Ed25519(key) => {
                Claim::of_parts(key, &pieces, signature).is_some_and(|claim| claim.holds())
            }
            Self::P256(key) => {
                use p256_ecdsa::signature::MultipartVerifier;
                p256_ecdsa::Signature::from_slice(signature).is_ok_and(|sig| {
                    sig.normalize_s() == sig && key.multipart_verify(&pieces, &sig).is_ok()
                })
            }
            Self::Secp256k1(key) => {
                use k256_ecdsa::signature::MultipartVerifier;
                k256_ecdsa::Signature::from_slice(signature).is_ok_and(|sig| {
                    sig.normalize_s() == sig && key.multipart_verify(&pieces, &sig).is_ok()
                })
            }
        }
    }
}

/// Splits a message into short pieces: a wasm engine switches to optimised code only when the hash function is called
/// again.
fn pieces<'a>(parts: &[&'a [u8]]) -> Vec<&'a [u8]> {
    parts.iter().flat_map(|part| part.chunks(PIECE)).collect()
}

/// A SEC 1 compressed point: 33 bytes, first 2 or 3.
fn compressed(key: &[u8]) -> Option<&[u8]> {
    (key.len() == 33 && matches!(key.first(), Some(2 | 3))).then_some(key)
}

/// A private key. Wiped on drop; `Debug` prints nothing.
#[derive(Clone)]
pub enum SecretKey {
    /// The 32-byte seed (RFC 8032).
    Ed25519(ed25519_dalek::SigningKey),
    /// A scalar, 1 ≤ d < n.
    P256(p256_ecdsa::SigningKey),
    /// A scalar, 1 ≤ d < n.
    Secp256k1(k256_ecdsa::SigningKey),
}

// Each variant wipes itself on drop.
impl ZeroizeOnDrop for SecretKey {}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey({}, …)", self.key_type().as_str())
    }
}

impl SecretKey {
    /// Makes a private key from 32 bytes: an Ed25519 seed or a big-endian scalar.
    ///
    /// Random bytes give a new key. For the curves, about one draw in 2³² (P-256) is out of range and must be repeated.
    ///
    /// # Errors
    /// [`KeyError::Invalid`] for a scalar of zero, or not below the curve's order.
    pub fn from_bytes(
        key_type: KeyType,
        bytes: &[u8; SECRET_KEY_LENGTH],
    ) -> Result<Self, KeyError> {
        match key_type {
            KeyType::Ed25519 => Ok(Self::Ed25519(ed25519_dalek::SigningKey::from_bytes(bytes))),
            KeyType::P256 => p256_ecdsa::SigningKey::from_slice(bytes)
                .map(Self::P256)
                .map_err(|_| KeyError::Invalid),
            KeyType::Secp256k1 => k256_ecdsa::SigningKey::from_slice(bytes)
                .map(Self::Secp256k1)
                .map_err(|_| KeyError::Invalid),
        }
    }

    /// Makes a new key from `random`, which fills the buffer it is given with random bytes.
    ///
    /// # Errors
    /// Whatever `random` answers. After [`KeyError::Invalid`] it draws again, at most 16 times: a source that gives
    /// only invalid scalars is broken, and the answer is `exhausted`.
    pub fn make<E>(
        key_type: KeyType,
        exhausted: E,
        mut random: impl FnMut(&mut [u8]) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut bytes = Zeroizing::new([0u8; SECRET_KEY_LENGTH]);
        for _ in 0..16 {
            random(bytes.as_mut_slice())?;
            if let Ok(key) = Self::from_bytes(key_type, &bytes) {
                return Ok(key);
            }
        }
        Err(exhausted)
    }

    /// The private bytes, for sealing only.
    pub fn expose(&self) -> Zeroizing<[u8; SECRET_KEY_LENGTH]> {
        let mut out = Zeroizing::new([0u8; SECRET_KEY_LENGTH]);
        match self {
            Self::Ed25519(key) => out.copy_from_slice(key.as_bytes()),
            Self::P256(key) => {
                let mut bytes = key.to_bytes();
                out.copy_from_slice(&bytes);
                bytes.as_mut_slice().zeroize();
            }
            Self::Secp256k1(key) => {
                let mut bytes = key.to_bytes();
                out.copy_from_slice(&bytes);
                bytes.as_mut_slice().zeroize();
            }
        }
        out
    }

    /// The algorithm.
    pub fn key_type(&self) -> KeyType {
        match self {
            Self::Ed25519(_) => KeyType::Ed25519,
            Self::P256(_) => KeyType::P256,
            Self::Secp256k1(_) => KeyType::Secp256k1,
        }
    }

    /// The public half.
    pub fn public_key(&self) -> PublicKey {
        match self {
            Self::Ed25519(key) => PublicKey::Ed25519(key.verifying_key()),
            Self::P256(key) => PublicKey::P256(*key.verifying_key()),
            Self::Secp256k1(key) => PublicKey::Secp256k1(*key.verifying_key()),
        }
    }

    /// Signs `message`: deterministic, 64 bytes, low-S.
    pub fn sign(&self, message: &[u8]) -> [u8; SIGNATURE_LENGTH] {
        self.sign_parts(&[message])
    }

    /// [`SecretKey::sign`] for a message in parts.
    pub fn sign_parts(&self, parts: &[&[u8]]) -> [u8; SIGNATURE_LENGTH] {
        let pieces = pieces(parts);
        match self {
            Self::Ed25519(key) => {
                use p256_ecdsa::signature::MultipartSigner;
                key.multipart_sign(&pieces).to_bytes()
            }
            Self::P256(key) => {
                use p256_ecdsa::signature::MultipartSigner;
                let signature: p256_ecdsa::Signature = key.multipart_sign(&pieces);
                signature.normalize_s().to_bytes().into()
            }
            Self::Secp256k1(key) => {
                use k256_ecdsa::signature::MultipartSigner;
                let signature: k256_ecdsa::Signature = key.multipart_sign(&pieces);
                signature.normalize_s().to_bytes().into()
            }
        }
    }
}

#[cfg(test)]
#[path = "key_test.rs"]
mod tests;
