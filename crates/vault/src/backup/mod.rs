//! The content of a backup: an account in one file, under the file's passphrase and, if the account has one, its
//! recovery code. `backup_file` seals the file.

pub mod chunks;
pub mod file;
mod merge;

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::backup::chunks::{ChunkOpener, ChunkSealer};
use crate::backup::file::{FileKey, Opened, SealedBackup, damaged, too_long, unwritable};
use crate::error::VaultError;
use crate::methods::recovery_code::RecoveryCode;
use crate::methods::unlock_method::Method;
use crate::methods::unlock_proof::NewMethods;
use crate::methods::unlock_proof::RECOVERY_CODE;
use crate::pay::mandates::Mandates;
use crate::random::Random;
use crate::seal::activity_log::ActivityLog;
use crate::seal::aead;
use crate::seal::format::{self as seal_format, FORMAT_2, MAX_NUMBER};
use crate::seal::kdf::{KdfMemory, check_new_passphrase};
use crate::seal::ring::Ring;
use crate::tools::Tools;
use crate::vault::address::derive_address;
use crate::vault::private::{self, Second};
use crate::vault::sealed_state::{MAX_KEYS, are_ids};
use crate::vault::{Vault, check_label};
use keyhole_ucan::codec::base64::Secret;
use keyhole_ucan::identity::key::{PublicKey, SecretKey};
use keyhole_ucan::identity::key_type::KeyType;

pub use crate::backup::file::{
    BackupHeader, FORMAT, FORMAT_1, FORMAT_3, FORMAT_4, FORMAT_5, FORMAT_6, FORMAT_7,
    MAX_BACKUP_BYTES,
};

/// The sealed content.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content<'a> {
    revision: u64,
    default_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    keys: Vec<BackupKey>,
    ring: Ring,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log: Option<ActivityLog>,
    #[serde(default, skip_serializing_if = "Mandates::is_empty")]
    mandates: Mandates,
    /// What an account of `seal-v2` adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second: Option<Second>,
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
    log: Option<ActivityLog>,
    mandates: Mandates,
    second: Option<Second>,
    file_key: FileKey,
    /// The JSON text that was passed to the export, unchanged.
    pub contents: Box<RawValue>,
}

struct OpenKey {
    id: String,
    key: SecretKey,
    created_at: u64,
    label: Option<String>,
}

impl Vault {
    /// Seals the account with `contents` (any JSON), under the file's passphrase and for the recovery code. Then opens
    /// the result and compares it. The caller has checked a proof.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE as [`check_new_passphrase`]; OPERATION_FAILED past [`MAX_BACKUP_BYTES`], when randomness or
    /// memory fail, and when the result doesn't match.
    pub fn export(
        &self,
        export_passphrase: &str,
        contents: Box<RawValue>,
        tools: &mut Tools<'_>,
    ) -> Result<String, VaultError> {
        let format = if self.is_second() { FORMAT_4 } else { FORMAT };
        let (text, _) = self.export_as(format, Some(export_passphrase), contents, tools)?;
        Ok(text)
    }

    /// The head of a backup whose records follow in chunks: keys and everything else that is the account's own, however many
    /// records there are. `about` (any JSON) says what will follow. Without a passphrase, only the account's recovery code opens it.
    /// Otherwise as [`Vault::export`].
    ///
    /// # Errors
    /// As [`Vault::export`]; INVALID_PASSPHRASE also where there is neither a passphrase nor a recovery code.
    pub fn begin_export(
        &self,
        export_passphrase: Option<&str>,
        about: Box<RawValue>,
        tools: &mut Tools<'_>,
    ) -> Result<(String, ChunkSealer), VaultError> {
        let format = match (export_passphrase, self.is_second()) {
            (Some(_), false) => FORMAT_3,
            (Some(_), true) => FORMAT_5,
            (None, false) => FORMAT_6,
            (None, true) => FORMAT_7,
        };
        let (text, file_key) = self.export_as(format, export_passphrase, about, tools)?;
        let sealer = ChunkSealer::new(BackupHeader::read(&text)?, file_key);
        Ok((text, sealer))
    }

    fn export_as(
        &self,
        format: &str,
        export_passphrase: Option<&str>,
        contents: Box<RawValue>,
        tools: &mut Tools<'_>,
    ) -> Result<(String, FileKey), VaultError> {
        if export_passphrase.is_some() || self.recovery_code().is_none() {
            check_new_passphrase(export_passphrase.unwrap_or_default())?;
        }
        let (text, file_key, digest) =
            self.write_backup(format, export_passphrase, contents, tools)?;
        let broken = |_| VaultError::BackupNotVerified;
        let written = SealedBackup::read(&text).map_err(broken)?;
        let opened = match export_passphrase {
            Some(passphrase) => written.open(passphrase, tools.memory),
            None => written.open_with_key(file_key.clone()),
        };
        let (header, content, _) = opened.map_err(broken)?;
        let (keys, _) = verify(&header, &content).map_err(broken)?;
        let are_ours = keys.len() == self.keys.len()
            && keys
                .iter()
                .zip(&self.keys)
                .all(|(written, key)| written.key.public_key() == key.public_key());
        if !are_ours || Sha256::digest(&content) != digest {
            return Err(broken(damaged("it is another one")));
        }
        Ok((text, file_key))
    }

    /// The file's text, its key, and the SHA-256 of its content.
    fn write_backup(
        &self,
        format: &str,
        export_passphrase: Option<&str>,
        contents: Box<RawValue>,
        tools: &mut Tools<'_>,
    ) -> Result<(String, FileKey, sha2::digest::Output<Sha256>), VaultError> {
        if contents.get().len() > MAX_BACKUP_BYTES / 4 * 3 {
            return Err(too_long());
        }
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
            log: self.private.log.clone(),
            mandates: self.private.mandates.clone(),
            second: self.is_second().then(|| self.private.second.for_backup()),
            contents: RawValue::NULL,
        };
        let head = serde_json::to_string(&content).map(Zeroizing::new);
        let head = head.map_err(|_| unwritable())?;
        // The contents replace the null at the end: they are long, and are copied once into the buffer that is sealed
        // in place.
        let head = head.strip_suffix("null}").ok_or_else(unwritable)?;
        let mut plaintext = Zeroizing::new(Vec::with_capacity(
            head.len() + contents.get().len() + 1 + aead::TAG_LENGTH,
        ));
        plaintext.extend_from_slice(head.as_bytes());
        plaintext.extend_from_slice(contents.get().as_bytes());
        plaintext.push(b'}');
        drop(contents);
        let digest = Sha256::digest(&plaintext);
        let header = BackupHeader {
            format: format.to_string(),
            address: self.state.address.clone(),
            chain_id: self.state.chain_id.clone(),
            created_at: tools.now,
        };
        let (text, file_key) =
            header.seal(plaintext, export_passphrase, self.recovery_code(), tools)?;
        Ok((text, file_key, digest))
    }

    fn recovery_code(&self) -> Option<&Method> {
        let mut methods = self.state.methods.iter();
        methods.find(|method| method.kind == RECOVERY_CODE)
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
        let methods = NewMethods {
            passphrase: Some(passphrase),
            ..NewMethods::default()
        };
        methods.check()?;
        let mut vault = Self::with_first_key(
            first.key.clone(),
            first.created_at,
            &backup.header.chain_id,
            tools.random,
        )?;
        vault.add_methods(&methods, tools)?;
        vault.state.revision = backup.revision;
        if let Some(second) = &backup.second {
            vault.state.format = FORMAT_2.to_string();
            // It gets its own counter, since the copy that was backed up may still be in use.
            vault.private.second = second.as_other_copy(tools.random)?;
        }
        vault.take_over(backup, tools)?;
        vault.state.default_key = backup.default_key.clone();
        if vault.private.ring.keys().is_empty() {
            vault.private.ring.advance(tools.random)?;
        }
        vault.commit(tools.random)?;
        Ok(vault)
    }
}

impl OpenBackup {
    /// Opens a backup by its passphrase and verifies all of it.
    ///
    /// # Errors
    /// As [`BackupHeader::read`]; INVALID_PASSPHRASE when the passphrase is wrong or anything was altered; OPERATION_FAILED
    /// when what is in it is not consistent, or there is not enough memory.
    pub fn open(text: &str, passphrase: &str, memory: &mut KdfMemory) -> Result<Self, VaultError> {
        Self::of(SealedBackup::read(text)?.open(passphrase, memory)?)
    }

    /// Opens a backup with the recovery code that the account had when it was written, and verifies all of it.
    ///
    /// # Errors
    /// As [`OpenBackup::open`]; INVALID_PASSPHRASE also if it was written without one.
    pub fn open_with_code(text: &str, code: &RecoveryCode) -> Result<Self, VaultError> {
        Self::of(SealedBackup::read(text)?.open_with_code(code)?)
    }

    fn of((header, content, file_key): Opened) -> Result<Self, VaultError> {
        let (keys, content) = verify(&header, &content)?;
        Ok(Self {
            revision: content.revision,
            default_key: content.default_key,
            label: label_of(content.label.as_deref())?,
            keys,
            ring: content.ring,
            log: content.log,
            mandates: content.mandates,
            second: content.second,
            contents: content.contents.to_owned(),
            file_key,
            header,
        })
    }

    /// What the file says, now authentic.
    pub fn header(&self) -> &BackupHeader {
        &self.header
    }

    /// What opens the chunks after this head; `None` for a format that has none.
    pub fn chunks(&self) -> Option<ChunkOpener> {
        let header = self.header.clone();
        header
            .has_chunks()
            .then(|| ChunkOpener::new(header, self.file_key.clone()))
    }

    /// The account's address.
    pub fn address(&self) -> &str {
        &self.header.address
    }

    /// The ids of its keys, the first one first.
    pub fn key_ids(&self) -> Vec<String> {
        self.keys.iter().map(|key| key.id.clone()).collect()
    }

    /// Seals a personal text for the account that is made of this backup: its newest metadata key becomes that
    /// account's. Otherwise as [`Vault::seal_record`].
    ///
    /// # Errors
    /// OPERATION_FAILED for a backup without a metadata key, a context that is too long, and when randomness fails.
    pub fn seal_record(
        &self,
        context: &str,
        plaintext: &str,
        random: &mut dyn Random,
    ) -> Result<String, VaultError> {
        let address = &self.header.address;
        self.ring.seal(address, context, plaintext, random)
    }

    /// Drops keys, so that they are not imported. The first key stays, since an account can't exist without it.
    pub fn leave_out(&mut self, ids: &[String]) {
        let first = self.keys.first().map(|key| key.id.clone());
        self.keys
            .retain(|key| first.as_ref() == Some(&key.id) || !ids.contains(&key.id));
    }

    /// Raises its revision to at least this one, so that what is made from it counts as newer.
    pub fn raise_to(&mut self, revision: u64) {
        self.revision = self.revision.max(revision.min(MAX_NUMBER - 1));
    }

    /// Its keys' ids and public halves, the first one first.
    pub fn keys(&self) -> impl Iterator<Item = (&str, PublicKey)> {
        let keys = self.keys.iter();
        keys.map(|key| (key.id.as_str(), key.key.public_key()))
    }
}

/// Checks that everything in a backup fits together before any of it is used.
fn verify<'a>(
    header: &BackupHeader,
    content: &'a [u8],
) -> Result<(Vec<OpenKey>, Content<'a>), VaultError> {
    let mut content: Content<'_> =
        serde_json::from_slice(content).map_err(|_| damaged("it does not parse"))?;
    let keys = core::mem::take(&mut content.keys);
    let keys = keys.into_iter().map(open_key);
    let keys = keys.collect::<Result<Vec<_>, _>>()?;
    let first = keys.first().ok_or_else(|| damaged("it has no keys"))?;
    if keys.len() > MAX_KEYS || content.revision >= MAX_NUMBER {
        return Err(damaged("it is past the limits of an account"));
    }
    if !derive_address(&header.chain_id, &first.key.public_key())
        .is_ok_and(|address| address == header.address)
    {
        return Err(damaged("its address is not its first key's"));
    }
    if !are_ids(keys.iter().map(|key| &key.id))
        || !keys.iter().any(|key| key.id == content.default_key)
    {
        return Err(damaged("its keys' ids are not consistent"));
    }
    if !are_ids(content.ring.keys().iter().map(|key| &key.id)) {
        return Err(damaged("its metadata keys' ids are not consistent"));
    }
    if content.log.as_ref().is_some_and(|log| !log.is_valid()) {
        return Err(damaged("its log is past its limits"));
    }
    if !content.mandates.is_valid() {
        return Err(damaged("its mandates are past their limits"));
    }
    let format = if header.is_second() {
        FORMAT_2
    } else {
        seal_format::FORMAT
    };
    let is_whole = private::check(
        format,
        content.second.as_ref(),
        content.log.as_ref(),
        &content.mandates,
    )?;
    if !is_whole {
        return Err(damaged("it has parts of another format"));
    }
    Ok((keys, content))
}

fn label_of(label: Option<&str>) -> Result<Option<String>, VaultError> {
    check_label(label).map_err(|_| damaged("a name in it is too long"))
}

fn open_key(key: BackupKey) -> Result<OpenKey, VaultError> {
    let secret = KeyType::parse(&key.key_type)
        .and_then(|key_type| SecretKey::from_bytes(key_type, &key.private_key.0).ok())
        .ok_or_else(|| damaged("a key in it is invalid"))?;
    if key.id != crate::vault::derive_key_id(&secret.public_key()) || key.created_at > MAX_NUMBER {
        return Err(damaged("a key in it has another public half"));
    }
    Ok(OpenKey {
        id: key.id,
        key: secret,
        created_at: key.created_at,
        label: label_of(key.label.as_deref())?,
    })
}

#[cfg(test)]
#[path = "backup_test.rs"]
mod tests;
