//! Metadata keys: they seal labels, contacts and the log outside the sealed state.
//!
//! The ring's newest key seals records, and any of its keys opens them. So replacing the data key leaves old records as
//! they are, and someone who had the old one can't read new records.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::json;
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::random::{self, Random};
use crate::seal::aead::{self, NONCE_LENGTH, SealedBytes, canonical};
use keyhole_ucan::codec::base64::{self, Bytes, Fixed, Secret};

/// Version and first part of a sealed record's text.
pub const RECORD_PREFIX: &str = "m1";
/// Longest context of a record, in bytes.
pub const MAX_CONTEXT_BYTES: usize = 1_024;

const ID_LENGTH: usize = 9;

/// A metadata key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RingKey {
    /// 9 random bytes, base64url.
    pub id: String,
    /// The key.
    pub key: Secret<32>,
}

/// An account's metadata keys, newest last; never empty in a vault.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ring(Vec<RingKey>);

impl Ring {
    /// The keys, newest last.
    pub fn keys(&self) -> &[RingKey] {
        &self.0
    }

    /// Adds a new key, which seals records from now on.
    pub(crate) fn advance(&mut self, random: &mut dyn Random) -> Result<(), VaultError> {
        self.0.push(RingKey {
            id: base64::encode(&random::public::<ID_LENGTH>(random)?),
            key: Secret(random::secret(random)?),
        });
        Ok(())
    }

    /// Adds the keys of another copy that are missing here, as older ones. The newest key here stays the newest.
    pub(crate) fn merge(&mut self, other: &Self) {
        let missing = other
            .0
            .iter()
            .filter(|key| !self.0.iter().any(|ours| ours.id == key.id));
        let missing: Vec<_> = missing.cloned().collect();
        self.0.splice(0..0, missing);
    }

    /// Seals a record for an account. `context` names the record's place, so that two records can't be swapped. Answers
    /// `m1.<key id>.<nonce ‖ ciphertext ‖ tag, base64url>`.
    pub(crate) fn seal(
        &self,
        address: &str,
        context: &str,
        plaintext: &str,
        random: &mut dyn Random,
    ) -> Result<String, VaultError> {
        let newest = self
            .0
            .last()
            .ok_or_else(|| VaultError::internal("This account has no metadata key."))?;
        let binding = binding(address, &newest.id, context)?;
        let plaintext = Zeroizing::new(plaintext.as_bytes().to_vec());
        let sealed = aead::seal(&newest.key.0, &binding, plaintext, random)?;
        let bytes = [&sealed.nonce.0[..], &sealed.sealed.0].concat();
        Ok([RECORD_PREFIX, &newest.id, &base64::encode(&bytes)].join("."))
    }

    /// Opens what [`Ring::seal`] made for the same account and context.
    pub(crate) fn open(
        &self,
        address: &str,
        context: &str,
        sealed: &str,
    ) -> Result<Zeroizing<String>, VaultError> {
        let refused = || VaultError::RecordInvalid;
        let mut parts = sealed.splitn(3, '.');
        let (Some(RECORD_PREFIX), Some(id), Some(bytes)) =
            (parts.next(), parts.next(), parts.next())
        else {
            return Err(VaultError::internal("This isn't a sealed record."));
        };
        let key = self.0.iter().find(|key| key.id == id).ok_or_else(refused)?;
        let bytes = base64::decode(bytes).ok_or_else(refused)?;
        let (nonce, bytes) = bytes
            .split_first_chunk::<NONCE_LENGTH>()
            .ok_or_else(refused)?;
        let sealed = SealedBytes {
            nonce: Fixed(*nonce),
            sealed: Bytes(bytes.to_vec()),
        };
        let binding = binding(address, id, context)?;
        let plaintext = aead::open(&key.key.0, &binding, sealed).ok_or_else(refused)?;
        let text = core::str::from_utf8(&plaintext).map_err(|_| refused())?;
        Ok(Zeroizing::new(text.to_string()))
    }
}

fn binding(address: &str, key_id: &str, context: &str) -> Result<Vec<u8>, VaultError> {
    if context.len() > MAX_CONTEXT_BYTES {
        return Err(VaultError::input("A record's context is too long."));
    }
    canonical(&json!({
        "format": "keyhole record v1",
        "address": address,
        "key": key_id,
        "context": context,
    }))
}
