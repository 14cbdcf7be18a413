//! Private keys as OpenSSL and others write them: PKCS#8 (RFC 5958) of Ed25519 (RFC 8410), P-256 and secp256k1, and the bare
//! `ECPrivateKey` of the curves (RFC 5915). PEM, or DER in hexadecimal or base64.

use alloc::string::ToString;
use pkcs8::der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use pkcs8::der::{Decode, Reader, SliceReader, Tag, Tagged};
use pkcs8::{AlgorithmIdentifierRef, PrivateKeyInfoRef};
use sec1::EcPrivateKey;

use crate::error::VaultError;
use crate::keys::halves::{self, belongs};
use crate::keys::pem;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;

const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");
const EC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
const P256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7");
const SECP256K1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.132.0.10");
const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");

/// Reads a private key.
///
/// # Errors
/// INVALID_KEY_TYPE for an unsupported key type; OPERATION_FAILED if the key is encrypted, has no private half, does
/// not parse to its last byte, or has a public half of another key.
pub(crate) fn read(text: &str) -> Result<SecretKey, VaultError> {
    if !pem::is_pem(text) {
        let der = pem::decode(text).ok_or_else(malformed)?;
        return read_der(&der);
    }
    // OpenSSL writes a block with the curve's name before the key's.
    let mut blocks = pem::blocks(text).filter(|block| block.label != "EC PARAMETERS");
    let block = blocks.next().ok_or_else(malformed)?;
    if blocks.next().is_some() {
        return Err(VaultError::SeveralKeys);
    }
    if block.label.starts_with("ENCRYPTED") || block.body.contains("ENCRYPTED") {
        return Err(encrypted());
    }
    match block.label {
        "PRIVATE KEY" | "EC PRIVATE KEY" => {
            read_der(&pem::decode(block.body).ok_or_else(malformed)?)
        }
        "RSA PRIVATE KEY" => Err(rsa()),
        "OPENSSH PRIVATE KEY" => Err(VaultError::OpenSshKey),
        "PUBLIC KEY" | "CERTIFICATE" => Err(halves::public_only()),
        _ => Err(VaultError::NotPrivateKey),
    }
}

fn read_der(der: &[u8]) -> Result<SecretKey, VaultError> {
    if let Ok(info) = PrivateKeyInfoRef::from_der(der) {
        let key = read_info(&info)?;
        return match info.public_key {
            Some(public) if !public.as_bytes().is_some_and(|bytes| belongs(&key, bytes)) => {
                Err(halves::other_half())
            }
            _ => Ok(key),
        };
    }
    match EcPrivateKey::from_der(der) {
        Ok(bare) => read_ec(&bare, None),
        Err(_) => Err(diagnose(der).unwrap_or_else(malformed)),
    }
}

fn read_info(info: &PrivateKeyInfoRef<'_>) -> Result<SecretKey, VaultError> {
    let AlgorithmIdentifierRef { oid, parameters } = info.algorithm;
    let bytes = info.private_key.as_bytes();
    match oid {
        ED25519 if parameters.is_none() => <&OctetStringRef>::from_der(bytes)
            .ok()
            .and_then(|seed| <&[u8; 32]>::try_from(seed.as_bytes()).ok())
            .and_then(|seed| SecretKey::from_bytes(KeyType::Ed25519, seed).ok())
            .ok_or_else(malformed),
        ED25519 => Err(malformed()),
        EC => {
            let curve = parameters.and_then(|curve| ObjectIdentifier::try_from(curve).ok());
            let curve = curve.ok_or_else(other_curve)?;
            let bare = EcPrivateKey::from_der(bytes).map_err(|_| malformed())?;
            read_ec(&bare, Some(curve))
        }
        RSA => Err(rsa()),
        _ => Err(VaultError::KeyAlgorithm {
            found: oid.to_string(),
        }),
    }
}

/// `outer` is the curve named outside the key, if any. A curve named inside must be the same.
fn read_ec(
    key: &EcPrivateKey<'_>,
    outer: Option<ObjectIdentifier>,
) -> Result<SecretKey, VaultError> {
    let inner = key.parameters.and_then(|curve| curve.named_curve());
    let curve = outer.or(inner).ok_or(VaultError::KeyWithoutCurve)?;
    let key_type = match curve {
        P256 => KeyType::P256,
        SECP256K1 => KeyType::Secp256k1,
        _ => return Err(other_curve()),
    };
    if inner.is_some_and(|inner| inner != curve) {
        return Err(malformed());
    }
    let scalar = key.private_key.try_into().map_err(|_| malformed())?;
    let secret = SecretKey::from_bytes(key_type, scalar).map_err(|_| malformed())?;
    match key.public_key {
        Some(public) if !belongs(&secret, public) => Err(halves::other_half()),
        _ => Ok(secret),
    }
}

/// Why a DER is not a private key that can be read, by its first two elements.
fn diagnose(der: &[u8]) -> Option<VaultError> {
    let outer = AnyRef::from_der(der).ok()?;
    if outer.tag() != Tag::Sequence {
        return None;
    }
    let mut reader = SliceReader::new(outer.value()).ok()?;
    let first: AnyRef<'_> = reader.decode().ok()?;
    let second: AnyRef<'_> = reader.decode().ok()?;
    match (first.tag(), second.tag()) {
        (Tag::Sequence, Tag::OctetString) => Some(encrypted()),
        (Tag::Sequence, Tag::BitString | Tag::Sequence) => Some(halves::public_only()),
        (Tag::Integer, Tag::Integer) => Some(rsa()),
        // An ECPrivateKey with its curve spelled out.
        (Tag::Integer, Tag::OctetString) if first.value() == [1] => Some(other_curve()),
        _ => None,
    }
}

fn malformed() -> VaultError {
    VaultError::NotPkcs8
}

fn encrypted() -> VaultError {
    VaultError::KeyEncrypted
}

fn rsa() -> VaultError {
    VaultError::KeyRsa
}

fn other_curve() -> VaultError {
    VaultError::KeyCurve
}

#[cfg(test)]
#[path = "pkcs8_test.rs"]
mod tests;
