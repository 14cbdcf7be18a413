//! Opening an account with nothing but its recovery code and a relay (docs/sync.md, "The recovery code").
//!
//! Everything follows from the code: the two keys of a device that a head names, the key of a place at the relay, and the key of the one
//! record there. The record says which account it is, and has the device's permission at the relay. The device only adds another one.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::bytes::{AccountId, RecordId};
use crate::epoch::{Key, Sealed};
use crate::error::SyncError;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_vault::error::VaultError;
use keyhole_vault::random::Random;
use keyhole_vault::seal::primitive;

/// Bytes of the code.
pub const CODE_LENGTH: usize = 16;
/// Longest record, in bytes. It is some 550 bytes long.
pub const MAX_RECORD: usize = 16_384;

const SIGNING_INFO: &[u8] = b"keyhole recovery signing v1";
const OPENING_INFO: &[u8] = b"keyhole recovery opening v1";
const PLACE_INFO: &[u8] = b"keyhole recovery place v1";
const RECORD_INFO: &[u8] = b"keyhole recovery record v1";
/// The record's first byte. A relay takes a record that begins with 1 for a head.
const KIND: u8 = 3;

/// The keys that follow from a recovery code. They are wiped on drop.
pub struct CodeKeys {
    /// What the code's device signs with.
    pub signing: Key,
    /// What keys are sealed to it with.
    pub opening: Key,
    place: SecretKey,
    record: Key,
}

/// What the record at the relay says.
pub struct Entry {
    /// The account's pseudonym.
    pub account: AccountId,
    /// Its first head.
    pub root: RecordId,
    /// The permission of the code's device at the relay.
    pub permission: Zeroizing<Vec<u8>>,
}

impl CodeKeys {
    /// Derives them from the code.
    ///
    /// # Errors
    /// Never in practice.
    pub fn derive(code: &[u8; CODE_LENGTH]) -> Result<Self, SyncError> {
        let key = |info| {
            let mut key = Zeroizing::new([0; 32]);
            primitive::hkdf_sha256(&[], &code[..], info, &mut key[..])?;
            Ok::<Key, SyncError>(key)
        };
        let place = SecretKey::from_bytes(KeyType::Ed25519, &*key(PLACE_INFO)?);
        Ok(Self {
            signing: key(SIGNING_INFO)?,
            opening: key(OPENING_INFO)?,
            place: place.map_err(|_| VaultError::internal("A place has no key."))?,
            record: key(RECORD_INFO)?,
        })
    }

    /// The key that names the place, and signs calls to it.
    pub fn place(&self) -> &SecretKey {
        &self.place
    }

    /// The record for the place.
    ///
    /// # Errors
    /// When randomness fails.
    pub fn seal(&self, entry: &Entry, random: &mut dyn Random) -> Result<Vec<u8>, SyncError> {
        let text = [&entry.account.0[..], &entry.root.0, &entry.permission];
        let text = Zeroizing::new(text.concat());
        let sealed = Sealed::seal(&self.record, &text, &[KIND], random)?;
        Ok([&[KIND], &sealed.nonce.0[..], &sealed.sealed.0].concat())
    }

    /// Reads what a relay has at the place; `None` if it isn't what this code's owner has put there.
    pub fn open(&self, record: &[u8]) -> Option<Entry> {
        if record.len() > MAX_RECORD {
            return None;
        }
        let (kind, rest) = record.split_first()?;
        let text = Sealed::of(rest)?.open(&self.record, &[*kind])?;
        let (account, rest) = text.split_first_chunk::<32>()?;
        let (root, permission) = rest.split_first_chunk::<32>()?;
        (*kind == KIND).then(|| Entry {
            account: AccountId(*account),
            root: RecordId(*root),
            permission: Zeroizing::new(permission.to_vec()),
        })
    }
}

#[cfg(test)]
mod recovery_test;
