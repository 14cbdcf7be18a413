//! What a relay stores: one byte for the kind, a signature of 64 bytes, and canonical DAG-CBOR.

use alloc::vec::Vec;

use ipld_core::serde::{from_ipld, to_ipld};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::bytes::{DeviceId, RecordId};
use crate::error::SyncError;
use keyhole_ucan::codec::cbor;
use keyhole_ucan::identity::key::{PublicKey, SecretKey};
use keyhole_vault::error::VaultError;

/// Longest record. The relay has the same limit.
pub const MAX_RECORD_BYTES: usize = 768 * 1_024;
/// The version of operations.
pub const VERSION: u64 = 1;

const SIGNATURE_LENGTH: usize = 64;
const CONTEXT: &[u8] = b"keyhole sync record v1";
const ED25519: [u8; 2] = [0xed, 0x01];

/// The kinds of record. A relay sees the kind, because it appends a head only after all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Which devices there are.
    Head = 1,
    /// A change that a device made.
    Operation = 2,
}

/// A record in its parts.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// Its kind.
    pub kind: Kind,
    /// Of [`Parts::body`].
    pub signature: &'a [u8; SIGNATURE_LENGTH],
    /// Canonical DAG-CBOR.
    pub body: &'a [u8],
}

/// A record's id.
pub fn id_of(record: &[u8]) -> RecordId {
    RecordId(Sha256::digest(record).into())
}

/// A record as it arrived, and its id: a long one is hashed once.
#[derive(Clone, Copy, Debug)]
pub struct Arrived<'a> {
    /// SHA-256 of its bytes.
    pub id: RecordId,
    /// It may be anything.
    pub bytes: &'a [u8],
}

impl<'a> Arrived<'a> {
    /// Hashes it.
    pub fn of(bytes: &'a [u8]) -> Self {
        Self {
            id: id_of(bytes),
            bytes,
        }
    }
}

/// Writes and signs a record.
///
/// # Errors
/// [`SyncError::TooMany`] past the longest.
pub fn sign(kind: Kind, body: &impl Serialize, key: &SecretKey) -> Result<Vec<u8>, SyncError> {
    let body = encode(body)?;
    let signature = key.sign_parts(&[CONTEXT, &[kind as u8], &body]);
    let record = [&[kind as u8], &signature[..], &body].concat();
    if record.len() > MAX_RECORD_BYTES {
        return Err(SyncError::TooMany);
    }
    Ok(record)
}

/// Takes a record apart. This does not check its signature.
///
/// # Errors
/// [`SyncError::RecordMalformed`].
pub fn parts(record: &[u8]) -> Result<Parts<'_>, SyncError> {
    let (kind, rest) = record.split_first().ok_or(SyncError::RecordMalformed)?;
    let kind = match kind {
        1 => Kind::Head,
        2 => Kind::Operation,
        _ => return Err(SyncError::RecordMalformed),
    };
    let (signature, body) = rest
        .split_first_chunk::<SIGNATURE_LENGTH>()
        .filter(|_| record.len() <= MAX_RECORD_BYTES)
        .ok_or(SyncError::RecordMalformed)?;
    Ok(Parts {
        kind,
        signature,
        body,
    })
}

impl Parts<'_> {
    /// Checks the signature.
    ///
    /// # Errors
    /// [`SyncError::RecordSignature`].
    pub fn check(&self, author: DeviceId) -> Result<(), SyncError> {
        let key = PublicKey::from_multicodec(&[&ED25519[..], &author.0].concat());
        let message = [CONTEXT, &[self.kind as u8], self.body];
        let holds = key.is_ok_and(|key| key.verify_parts(&message, self.signature));
        holds.then_some(()).ok_or(SyncError::RecordSignature)
    }
}

/// Canonical DAG-CBOR.
///
/// # Errors
/// OPERATION_FAILED if there is no such form.
pub fn encode(value: &impl Serialize) -> Result<Vec<u8>, SyncError> {
    let value = to_ipld(value).ok();
    let bytes = value.and_then(|value| cbor::encode(&value).ok());
    bytes.ok_or(SyncError::Vault(VaultError::internal(
        "This cannot be written as DAG-CBOR.",
    )))
}

/// Reads canonical DAG-CBOR of exactly this form.
///
/// # Errors
/// [`SyncError::RecordMalformed`].
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, SyncError> {
    let value = cbor::decode(bytes).map_err(|_| SyncError::RecordMalformed)?;
    from_ipld(value).map_err(|_| SyncError::RecordMalformed)
}
