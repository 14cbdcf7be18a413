//! Format `keyhole-backup-v1`: an account in one file, under a passphrase of its own. Pinned for ever by
//! `vectors/keyhole/backup-v1.json`; described in `docs/formats.md`.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::address::derive_address;
use crate::aead::{self, SealedBytes, canonical};
use crate::base64::{self, Bytes, Fixed, Secret};
use crate::kdf::{Kdf, KdfMemory, check_new_passphrase};
use crate::key::{KeyType, SecretKey};
use crate::random::Random;
use crate::ring::Ring;
use crate::seal::{MAX_KEYS, MAX_NUMBER, are_ids};
use crate::vault::{Tools, Vault, check_label};
use crate::vault_error::VaultError;

/// The format's name.
pub const FORMAT: &str = "keyhole-backup-v1";
/// Longest backup that is written and read, in bytes.
pub const MAX_BACKUP_BYTES: usize = 64 * 1_024 * 1_024;

/// What a backup says without its passphrase; authentic only once it has been opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupHeader {
    /// [`FORMAT`].
    pub format: String,
    /// The account's address.
    pub address: String,
    /// The network that the address belongs to.
    pub chain_id: String,
    /// Seconds since 1970.
    pub created_at: u64,
    /// How the passphrase becomes the key.
    pub kdf: Kdf,
}

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BackupFile {
    format: String,
    address: String,
    chain_id: String,
    created_at: u64,
    kdf: Kdf,
    nonce: Fixed<{ aead::NONCE_LENGTH }>,
    checksum: Fixed<32>,
    sealed: Bytes,
}

/// What is sealed in it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content<'a> {
    revision: u64,
    default_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    keys: Vec<BackupKey>,
    ring: Ring,
    #[serde(borrow)]
    contents: &'a RawValue,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BackupKey {
    id: String,
    #[serde(rename = "type")]
    key_type: String,
    private_key: Secret<32>,
    created_at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

/// A backup that has been opened and verified, every key against the address, before any of it is used.
pub struct OpenBackup {
    header: BackupHeader,
    revision: u64,
    default_key: String,
    label: Option<String>,
    keys: Vec<OpenKey>,
    ring: Ring,
    /// The JSON text that was handed over for the export, as it was.
    pub contents: Box<RawValue>,
}

struct OpenKey {
    id: String,
    key: SecretKey,
    created_at: u64,
    label: Option<String>,
}

impl Vault {
    /// Seals the account, with `contents` (any JSON), under a passphrase of its own. The caller has checked the vault's.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE as [`check_new_passphrase`]; OPERATION_FAILED past [`MAX_BACKUP_BYTES`], and when randomness or
    /// memory fail.
    pub fn export(
        &self,
        export_passphrase: &str,
        contents: Box<RawValue>,
        tools: &mut Tools<'_>,
    ) -> Result<String, VaultError> {
        check_new_passphrase(export_passphrase)?;
        if contents.get().len() > MAX_BACKUP_BYTES / 4 * 3 {
            return Err(too_long());
        }
        let unwritable = |_| unwritable_text();
        let keys = self.state.keys.iter().zip(&self.keys);
        let content = Content {
            revision: self.state.revision,
            default_key: self.state.default_key.clone(),
            label: self.private.label.clone(),
            keys: keys
                .map(|(sealed, key)| BackupKey {
                    id: sealed.id.clone(),
                    key_type: sealed.key_type.clone(),
                    private_key: Secret(key.expose()),
                    created_at: sealed.created_at,
                    label: self.key_label(&sealed.id).map(ToString::to_string),
                })
                .collect(),
            ring: self.private.ring.clone(),
            contents: RawValue::NULL,
        };
        let head = serde_json::to_string(&content).map(Zeroizing::new);
        let head = head.map_err(unwritable)?;
        // The contents come last, in the place of the null: they are long, and are copied once into what is sealed in place.
        let head = head.strip_suffix("null}").ok_or_else(unwritable_text)?;
        let mut plaintext = Zeroizing::new(Vec::with_capacity(
            head.len() + contents.get().len() + 1 + aead::TAG_LENGTH,
        ));
        plaintext.extend_from_slice(head.as_bytes());
        plaintext.extend_from_slice(contents.get().as_bytes());
        plaintext.push(b'}');
        drop(contents);
        let header = BackupHeader {
            format: FORMAT.to_string(),
            address: self.state.address.clone(),
            chain_id: self.state.chain_id.clone(),
            created_at: tools.now,
            kdf: Kdf::make(tools.cost, tools.random)?,
        };
        let text = header.seal(export_passphrase, plaintext, tools.memory, tools.random)?;
        if text.len() > MAX_BACKUP_BYTES {
            return Err(too_long());
        }
        Ok(text)
    }

    /// Makes an account of a backup, opened by `passphrase`, at the revision after the backup's.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE as [`check_new_passphrase`]; OPERATION_FAILED when randomness or memory fail.
    pub fn restore(
        backup: &OpenBackup,
        passphrase: &str,
        tools: &mut Tools<'_>,
    ) -> Result<Self, VaultError> {
        let first = backup
            .keys
            .first()
            .ok_or_else(|| damaged("it has no keys"))?;
        let mut vault = Self::with_first_key(
            passphrase,
            first.key.clone(),
            first.created_at,
            &backup.header.chain_id,
            tools,
        )?;
        vault.state.revision = backup.revision;
        vault.take_over(backup, tools.random)?;
        vault.state.default_key = backup.default_key.clone();
        if vault.private.ring.keys().is_empty() {
            vault.private.ring.advance(tools.random)?;
        }
        vault.commit(tools.random)?;
        Ok(vault)
    }

    /// Adds the keys, labels and metadata keys of a backup that are not here; what is here stays. Answers the ids of the
    /// keys that were added.
    ///
    /// # Errors
    /// OPERATION_FAILED for the backup of another account, past the limit of keys, and when randomness fails.
    pub fn merge(
        &mut self,
        backup: &OpenBackup,
        tools: &mut Tools<'_>,
    ) -> Result<Vec<String>, VaultError> {
        if backup.header.address != self.state.address {
            return Err(VaultError::failed(
                "This is the backup of another account. Lock this one first, then restore the backup beside it.",
            ));
        }
        self.change(tools, |vault, tools| vault.take_over(backup, tools.random))
    }

    fn take_over(
        &mut self,
        backup: &OpenBackup,
        random: &mut dyn Random,
    ) -> Result<Vec<String>, VaultError> {
        let mut added = Vec::new();
        for entry in &backup.keys {
            let public = entry.key.public_key();
            let ours = self
                .keys
                .iter()
                .zip(&self.state.keys)
                .find(|(key, _)| key.public_key() == public)
                .map(|(_, sealed)| sealed.id.clone());
            match (ours, &entry.label) {
                (Some(id), Some(label)) => {
                    let labels = &mut self.private.key_labels;
                    labels.entry(id).or_insert_with(|| label.clone());
                }
                (Some(_), None) => {}
                (None, label) => {
                    added.push(self.add_key(
                        entry.key.clone(),
                        entry.created_at,
                        label.clone(),
                        random,
                    )?);
                }
            }
        }
        self.private.ring.merge(&backup.ring);
        if self.private.label.is_none() {
            self.private.label = backup.label.clone();
        }
        Ok(added)
    }
}

impl BackupHeader {
    /// What a backup says of itself. Needs no secret.
    ///
    /// # Errors
    /// OPERATION_FAILED when it is too long, damaged, of another format, or asks for a cost past the limits.
    pub fn read(text: &str) -> Result<Self, VaultError> {
        read(text).map(|(header, _)| header)
    }

    fn seal(
        self,
        passphrase: &str,
        plaintext: Zeroizing<Vec<u8>>,
        memory: &mut KdfMemory,
        random: &mut dyn Random,
    ) -> Result<String, VaultError> {
        let key = memory.derive(&self.kdf, passphrase)?;
        let SealedBytes { nonce, sealed } = aead::seal(&key, &self.binding()?, plaintext, random)?;
        let file = BackupFile {
            checksum: self.checksum(&nonce, &sealed)?,
            format: self.format,
            address: self.address,
            chain_id: self.chain_id,
            created_at: self.created_at,
            kdf: self.kdf,
            nonce,
            sealed: Bytes(Vec::new()),
        };
        // The sealed bytes come last, in the place of the empty text, for the same reason.
        let head = serde_json::to_string(&file).map_err(|_| unwritable_text())?;
        let head = head.strip_suffix("\"}").ok_or_else(unwritable_text)?;
        let mut text = String::with_capacity(head.len() + sealed.0.len() / 3 * 4 + 8);
        text.push_str(head);
        base64::encode_append(&sealed.0, &mut text);
        text.push_str("\"}");
        Ok(text)
    }

    fn binding(&self) -> Result<Vec<u8>, VaultError> {
        canonical(&aead::to_json(self)?)
    }

    /// SHA-256 over the header's canonical DAG-CBOR, the nonce and the sealed bytes.
    fn checksum(
        &self,
        nonce: &Fixed<{ aead::NONCE_LENGTH }>,
        sealed: &Bytes,
    ) -> Result<Fixed<32>, VaultError> {
        let digest = Sha256::new()
            .chain_update(self.binding()?)
            .chain_update(nonce.0)
            .chain_update(&sealed.0)
            .finalize();
        Ok(Fixed(digest.into()))
    }
}

impl OpenBackup {
    /// Opens a backup and verifies all of it.
    ///
    /// # Errors
    /// As [`BackupHeader::read`]; INVALID_PASSPHRASE when the passphrase is wrong or anything was altered; OPERATION_FAILED
    /// when what is in it is not consistent, or there is not enough memory.
    pub fn open(text: &str, passphrase: &str, memory: &mut KdfMemory) -> Result<Self, VaultError> {
        let (header, sealed) = read(text)?;
        let key = memory.derive(&header.kdf, passphrase)?;
        let plaintext = aead::open(&key, &header.binding()?, sealed)
            .ok_or_else(VaultError::wrong_passphrase)?;
        let content: Content<'_> =
            serde_json::from_slice(&plaintext).map_err(|_| damaged("it does not parse"))?;
        let keys = content.keys.into_iter().map(open_key);
        let keys = keys.collect::<Result<Vec<_>, _>>()?;
        let first = keys.first().ok_or_else(|| damaged("it has no keys"))?;
        if keys.len() > MAX_KEYS || content.revision >= MAX_NUMBER {
            return Err(damaged("it is past the limits of an account"));
        }
        if derive_address(&header.chain_id, &first.key.public_key())? != header.address {
            return Err(damaged("its address is not its first key's"));
        }
        if !are_ids(keys.iter().map(|key| &key.id))
            || !keys.iter().any(|key| key.id == content.default_key)
        {
            return Err(damaged("its keys' ids are not consistent"));
        }
        Ok(Self {
            revision: content.revision,
            default_key: content.default_key,
            label: check_label(content.label.as_deref())?,
            keys,
            ring: content.ring,
            contents: content.contents.to_owned(),
            header,
        })
    }

    /// The account's address.
    pub fn address(&self) -> &str {
        &self.header.address
    }

    /// The ids of its keys, the first one first.
    pub fn key_ids(&self) -> Vec<String> {
        self.keys.iter().map(|key| key.id.clone()).collect()
    }
}

fn open_key(key: BackupKey) -> Result<OpenKey, VaultError> {
    let secret = KeyType::parse(&key.key_type)
        .and_then(|key_type| SecretKey::from_bytes(key_type, &key.private_key.0).ok())
        .ok_or_else(|| damaged("a key in it is none"))?;
    if key.id != crate::vault::derive_key_id(&secret.public_key()) || key.created_at > MAX_NUMBER {
        return Err(damaged("a key in it is not the one it says"));
    }
    Ok(OpenKey {
        id: key.id,
        key: secret,
        created_at: key.created_at,
        label: check_label(key.label.as_deref())?,
    })
}

fn read(text: &str) -> Result<(BackupHeader, SealedBytes), VaultError> {
    #[derive(Deserialize)]
    struct Format {
        format: String,
    }
    if text.len() > MAX_BACKUP_BYTES {
        return Err(too_long());
    }
    let format: Format = serde_json::from_str(text)
        .map_err(|_| VaultError::failed("This is no Keyhole backup, or it is cut off."))?;
    if format.format != FORMAT {
        return Err(VaultError::failed(
            "This is no Keyhole backup, or one of a version that needs a newer Keyhole.",
        ));
    }
    let file: BackupFile = serde_json::from_str(text).map_err(|_| damaged("it does not parse"))?;
    let header = BackupHeader {
        format: file.format,
        address: file.address,
        chain_id: file.chain_id,
        created_at: file.created_at,
        kdf: file.kdf,
    };
    if header.checksum(&file.nonce, &file.sealed)? != file.checksum {
        return Err(damaged("its checksum is wrong"));
    }
    header.kdf.check()?;
    Ok((
        header,
        SealedBytes {
            nonce: file.nonce,
            sealed: file.sealed,
        },
    ))
}

fn damaged(how: &str) -> VaultError {
    VaultError::failed(alloc::format!(
        "This backup is damaged: {how}. Try another copy of the file."
    ))
}

fn unwritable_text() -> VaultError {
    VaultError::failed("The backup cannot be written as JSON.")
}

fn too_long() -> VaultError {
    VaultError::failed("A backup is at most 64 MiB long.")
}

#[cfg(test)]
#[path = "backup_test.rs"]
mod tests;
