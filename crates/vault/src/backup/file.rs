//! The file of a backup: who may open it, and what it says of itself without being opened. Formats `keyhole-backup-v2`, the
//! heads of `keyhole-backup-v3` and `keyhole-backup-v6`, whose records are in `backup_chunks`, and `keyhole-backup-v1`, which
//! is only read. Described in `docs/formats.md`.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::methods::method_kdf::Salted;
use crate::methods::recovery_code::RecoveryCode;
use crate::methods::unlock_method::{Method, SealedKeyFor, to_key};
use crate::methods::unlock_proof::RECOVERY_CODE;
use crate::methods::unlock_proof::UnlockProof;
use crate::random::{self, Random};
use crate::seal::aead::{self, SealedBytes, canonical};
use crate::seal::kdf::{Kdf, KdfMemory, SALT_LENGTH};
use crate::tools::Tools;
use keyhole_ucan::codec::base64::{self, Bytes, Fixed};

/// The format that is written as one text.
pub const FORMAT: &str = "keyhole-backup-v2";
/// The format that is written as a head and chunks.
pub const FORMAT_3: &str = "keyhole-backup-v3";
/// The one-text format for an account of `seal-v2`.
pub const FORMAT_4: &str = "keyhole-backup-v4";
/// The format of a head and chunks for an account of `seal-v2`.
pub const FORMAT_5: &str = "keyhole-backup-v5";
/// The name of [`FORMAT_3`] without a passphrase: only the recovery code opens it.
pub const FORMAT_6: &str = "keyhole-backup-v6";
/// The name of [`FORMAT_5`] without a passphrase.
pub const FORMAT_7: &str = "keyhole-backup-v7";
/// The name of the first format, which is read for ever.
pub const FORMAT_1: &str = "keyhole-backup-v1";
/// Longest backup that is written and read, in bytes.
pub const MAX_BACKUP_BYTES: usize = 64 * 1_024 * 1_024;

/// Longest text of a file without its sealed content, in bytes: many times what is ever written.
const MAX_HEAD_BYTES: usize = 64 * 1_024;

/// A key made for one file.
pub(crate) type FileKey = Zeroizing<[u8; 32]>;
/// An opened file's header, content and key.
pub(crate) type Opened = (BackupHeader, Zeroizing<Vec<u8>>, FileKey);

const FILE_KEY_INFO: &[u8] = b"keyhole-backup-v2 file key";

/// What a backup says without its passphrase. It is only authentic once the backup has been opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupHeader {
    /// [`FORMAT`], [`FORMAT_3`], [`FORMAT_6`] or [`FORMAT_1`]; of an account of `seal-v2` [`FORMAT_4`], [`FORMAT_5`] or [`FORMAT_7`].
    pub format: String,
    /// The account's address.
    pub address: String,
    /// The network that the address belongs to.
    pub chain_id: String,
    /// Seconds since 1970.
    pub created_at: u64,
}

/// A file of the first format: its passphrase's key seals the content.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File1 {
    format: String,
    address: String,
    chain_id: String,
    created_at: u64,
    kdf: Kdf,
    nonce: Fixed<{ aead::NONCE_LENGTH }>,
    checksum: Fixed<32>,
    sealed: Bytes,
}

/// A file: its key seals the content, and each slot seals that key.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File2 {
    format: String,
    address: String,
    chain_id: String,
    created_at: u64,
    slots: Slots,
    nonce: Fixed<{ aead::NONCE_LENGTH }>,
    checksum: Fixed<32>,
    sealed: Bytes,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Slots {
    #[serde(skip_serializing_if = "Option::is_none")]
    passphrase: Option<PassphraseSlot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery_code: Option<RecoveryCodeSlot>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PassphraseSlot {
    kdf: Kdf,
    nonce: Fixed<{ aead::NONCE_LENGTH }>,
    sealed: Bytes,
}

/// The account's method, with the file's key instead of the data key.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecoveryCodeSlot {
    id: String,
    created_at: u64,
    kdf: Salted<SALT_LENGTH>,
    public_key: Fixed<32>,
    wrap: SealedBytes,
    file_key: SealedKeyFor,
}

#[expect(
    clippy::large_enum_variant,
    reason = "there is one for each file that is read"
)]
enum Opening {
    Passphrase(Kdf),
    Slots(Slots),
}

/// A file that was read, with a correct checksum.
pub(crate) struct SealedBackup {
    pub header: BackupHeader,
    opening: Opening,
    binding: Vec<u8>,
    content: SealedBytes,
}

impl BackupHeader {
    /// Whether its records follow in chunks.
    pub fn has_chunks(&self) -> bool {
        matches!(
            self.format.as_str(),
            FORMAT_3 | FORMAT_5 | FORMAT_6 | FORMAT_7
        )
    }

    /// Whether it is from an account of `seal-v2`.
    pub fn is_second(&self) -> bool {
        matches!(self.format.as_str(), FORMAT_4 | FORMAT_5 | FORMAT_7)
    }

    /// Whether only the recovery code opens it.
    fn is_by_code_alone(&self) -> bool {
        matches!(self.format.as_str(), FORMAT_6 | FORMAT_7)
    }

    /// Reads the header of a backup. Needs no secret.
    ///
    /// # Errors
    /// OPERATION_FAILED when it is too long, damaged, of another format, or asks for a cost past the limits.
    pub fn read(text: &str) -> Result<Self, VaultError> {
        SealedBackup::read(text).map(|backup| backup.header)
    }

    /// The file's text: the content under a new key, and that key for the passphrase, if there is one, and for the recovery code where
    /// the account has one. And the key.
    pub(crate) fn seal(
        self,
        content: Zeroizing<Vec<u8>>,
        passphrase: Option<&str>,
        recovery_code: Option<&Method>,
        tools: &mut Tools<'_>,
    ) -> Result<(String, FileKey), VaultError> {
        let file_key = random::secret(tools.random)?;
        let slots = Slots {
            passphrase: passphrase
                .map(|passphrase| PassphraseSlot::make(&self, &file_key, passphrase, tools))
                .transpose()?,
            recovery_code: recovery_code
                .map(|method| RecoveryCodeSlot::make(&self, method, &file_key, tools.random))
                .transpose()?,
        };
        let binding = bind(&self, "slots", &slots)?;
        let SealedBytes { nonce, sealed } = aead::seal(&file_key, &binding, content, tools.random)?;
        let file = File2 {
            checksum: checksum(&binding, &nonce, &sealed),
            format: self.format,
            address: self.address,
            chain_id: self.chain_id,
            created_at: self.created_at,
            slots,
            nonce,
            sealed: Bytes(Vec::new()),
        };
        // The sealed bytes replace the empty text at the end: they are long, and are only written once.
        let head = serde_json::to_string(&file).map_err(|_| unwritable())?;
        let head = head.strip_suffix("\"}").ok_or_else(unwritable)?;
        let mut text = String::with_capacity(head.len() + sealed.0.len() / 3 * 4 + 8);
        text.push_str(head);
        base64::encode_append(&sealed.0, &mut text);
        text.push_str("\"}");
        if text.len() > MAX_BACKUP_BYTES {
            return Err(too_long());
        }
        Ok((text, file_key))
    }

    /// What a slot's sealed file key is bound to; `own` is the slot's part.
    fn slot_binding(&self, own: Value) -> Result<Vec<u8>, VaultError> {
        canonical(&json!({
            "format": self.format,
            "part": "file key",
            "address": self.address,
            "chain_id": self.chain_id,
            "created_at": self.created_at,
            "slot": own,
        }))
    }
}

impl PassphraseSlot {
    fn make(
        header: &BackupHeader,
        file_key: &[u8; 32],
        passphrase: &str,
        tools: &mut Tools<'_>,
    ) -> Result<Self, VaultError> {
        let kdf = Kdf::make(tools.cost, tools.random)?;
        let key = tools.memory.derive(&kdf, passphrase)?;
        let binding = header.slot_binding(json!({"kdf": aead::to_json(&kdf)?}))?;
        let plaintext = Zeroizing::new(file_key.to_vec());
        let SealedBytes { nonce, sealed } = aead::seal(&key, &binding, plaintext, tools.random)?;
        Ok(Self { kdf, nonce, sealed })
    }

    fn open(
        &self,
        header: &BackupHeader,
        passphrase: &str,
        memory: &mut KdfMemory,
    ) -> Result<Option<Zeroizing<[u8; 32]>>, VaultError> {
        let key = memory.derive(&self.kdf, passphrase)?;
        let binding = header.slot_binding(json!({"kdf": aead::to_json(&self.kdf)?}))?;
        let sealed = SealedBytes {
            nonce: self.nonce,
            sealed: self.sealed.clone(),
        };
        Ok(aead::open(&key, &binding, sealed).and_then(to_key))
    }
}

impl RecoveryCodeSlot {
    fn make(
        header: &BackupHeader,
        method: &Method,
        file_key: &[u8; 32],
        random: &mut dyn Random,
    ) -> Result<Self, VaultError> {
        let public = &method.public_key;
        let binding = |ephemeral: &_| Self::binding(header, &method.id, public, ephemeral);
        Ok(Self {
            id: method.id.clone(),
            created_at: method.created_at,
            kdf: Salted::deserialize(&method.kdf).map_err(|_| unwritable())?,
            public_key: *public,
            wrap: method.wrap.clone(),
            file_key: SealedKeyFor::make(file_key, public, FILE_KEY_INFO, binding, random)?,
        })
    }

    fn open(&self, header: &BackupHeader, code: &RecoveryCode) -> Option<Zeroizing<[u8; 32]>> {
        // Deriving a recovery code's key needs no memory.
        let mut memory = KdfMemory::default();
        let method = self.to_method().ok()?;
        let parameters = method.parameters().ok()?;
        let own_key = parameters
            .derive(UnlockProof::RecoveryCode(code), &mut memory)
            .ok()??;
        let private = method.unwrap(&header.address, &own_key)?;
        let binding = |ephemeral: &_| Self::binding(header, &self.id, &self.public_key, ephemeral);
        self.file_key
            .open(&private, &self.public_key, FILE_KEY_INFO, binding)
    }

    /// The method as in the account's state: its wrap is bound to all of it.
    fn to_method(&self) -> Result<Method, VaultError> {
        Ok(Method {
            id: self.id.clone(),
            kind: RECOVERY_CODE.to_string(),
            created_at: self.created_at,
            kdf: aead::to_json(&self.kdf)?,
            public_key: self.public_key,
            wrap: self.wrap.clone(),
            data_key: self.file_key.clone(),
            rest: Map::new(),
        })
    }

    fn binding(
        header: &BackupHeader,
        id: &str,
        public: &Fixed<32>,
        ephemeral: &Fixed<32>,
    ) -> Result<Vec<u8>, VaultError> {
        header.slot_binding(json!({"method": id, "public_key": public, "ephemeral": ephemeral}))
    }
}

impl SealedBackup {
    /// Reads a file of any format.
    ///
    /// # Errors
    /// As [`BackupHeader::read`].
    pub(crate) fn read(text: &str) -> Result<Self, VaultError> {
        #[derive(Deserialize)]
        struct Format {
            format: String,
        }
        if text.len() > MAX_BACKUP_BYTES {
            return Err(too_long());
        }
        let format: Format = serde_json::from_str(text).map_err(|_| VaultError::NotBackup)?;
        match format.format.as_str() {
            FORMAT | FORMAT_3 | FORMAT_4 | FORMAT_5 | FORMAT_6 | FORMAT_7 => Self::read_2(text),
            FORMAT_1 => Self::read_1(text),
            _ => Err(VaultError::BackupVersion),
        }
    }

    fn read_1(text: &str) -> Result<Self, VaultError> {
        let file: File1 = serde_json::from_str(text).map_err(|_| damaged("it does not parse"))?;
        check_head(text, &file.sealed)?;
        let header = BackupHeader {
            format: file.format,
            address: file.address,
            chain_id: file.chain_id,
            created_at: file.created_at,
        };
        let binding = bind(&header, "kdf", &file.kdf)?;
        let opening = Opening::Passphrase(file.kdf);
        Self::check(
            header,
            opening,
            binding,
            file.checksum,
            file.nonce,
            file.sealed,
        )
    }

    fn read_2(text: &str) -> Result<Self, VaultError> {
        let file: File2 = serde_json::from_str(text).map_err(|_| damaged("it does not parse"))?;
        check_head(text, &file.sealed)?;
        let header = BackupHeader {
            format: file.format,
            address: file.address,
            chain_id: file.chain_id,
            created_at: file.created_at,
        };
        let binding = bind(&header, "slots", &file.slots)?;
        let opening = Opening::Slots(file.slots);
        Self::check(
            header,
            opening,
            binding,
            file.checksum,
            file.nonce,
            file.sealed,
        )
    }

    fn check(
        header: BackupHeader,
        opening: Opening,
        binding: Vec<u8>,
        expected: Fixed<32>,
        nonce: Fixed<{ aead::NONCE_LENGTH }>,
        sealed: Bytes,
    ) -> Result<Self, VaultError> {
        if checksum(&binding, &nonce, &sealed) != expected {
            return Err(damaged("its checksum is wrong"));
        }
        match &opening {
            Opening::Passphrase(kdf) => kdf.check()?,
            Opening::Slots(slots) => {
                match (&slots.passphrase, header.is_by_code_alone()) {
                    (Some(slot), false) => slot.kdf.check()?,
                    (None, true) if slots.recovery_code.is_some() => {}
                    _ => return Err(damaged("what opens it is not what its format says")),
                }
                if let Some(slot) = &slots.recovery_code {
                    let parameters = slot.to_method()?.parameters();
                    parameters.map_err(|_| damaged("the recovery code's slot does not parse"))?;
                }
            }
        }
        Ok(Self {
            header,
            opening,
            binding,
            content: SealedBytes { nonce, sealed },
        })
    }

    /// The content, opened by the file's passphrase.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE when it is wrong, anything was altered, or the file has no slot for one; OPERATION_FAILED when there is not
    /// enough memory.
    pub(crate) fn open(
        self,
        passphrase: &str,
        memory: &mut KdfMemory,
    ) -> Result<Opened, VaultError> {
        let key = match &self.opening {
            Opening::Passphrase(kdf) => Some(memory.derive(kdf, passphrase)?),
            Opening::Slots(slots) => slots
                .passphrase
                .as_ref()
                .ok_or(VaultError::BackupWithoutPassphrase)?
                .open(&self.header, passphrase, memory)?,
        };
        self.open_content(key).ok_or(VaultError::WrongPassphrase)
    }

    /// The content, opened by the account's recovery code.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE when it is wrong, anything was altered, or the file has no slot for a code.
    pub(crate) fn open_with_code(self, code: &RecoveryCode) -> Result<Opened, VaultError> {
        let slot = match &self.opening {
            Opening::Slots(slots) => slots.recovery_code.as_ref(),
            Opening::Passphrase(_) => None,
        };
        let slot = slot.ok_or(VaultError::BackupWithoutRecoveryCode)?;
        let key = slot.open(&self.header, code);
        self.open_content(key)
            .ok_or_else(|| UnlockProof::RecoveryCode(code).refusal())
    }

    /// The content, by the key that it was just sealed under.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE when that is not its key.
    pub(crate) fn open_with_key(self, key: FileKey) -> Result<Opened, VaultError> {
        self.open_content(Some(key))
            .ok_or(VaultError::WrongRecoveryCode)
    }

    fn open_content(self, key: Option<FileKey>) -> Option<Opened> {
        let key = key?;
        let content = aead::open(&key, &self.binding, self.content)?;
        Some((self.header, content, key))
    }
}

/// Refuses a file that is long for another reason than its content, before copying what the content is bound to: with
/// Argon2's memory at its limit, the copies would not fit.
fn check_head(text: &str, sealed: &Bytes) -> Result<(), VaultError> {
    let content = sealed.0.len().div_ceil(3) * 4;
    if text.len().saturating_sub(content) > MAX_HEAD_BYTES {
        return Err(damaged("it is too long for its content"));
    }
    Ok(())
}

/// What the content is bound to: all of the file except the content itself.
fn bind(
    header: &BackupHeader,
    name: &str,
    opening: &impl Serialize,
) -> Result<Vec<u8>, VaultError> {
    let mut all = aead::to_json(header)?;
    if let Value::Object(fields) = &mut all {
        fields.insert(name.to_string(), aead::to_json(opening)?);
    }
    canonical(&all)
}

/// SHA-256 over what the content is bound to, the nonce and the sealed content.
fn checksum(binding: &[u8], nonce: &Fixed<{ aead::NONCE_LENGTH }>, sealed: &Bytes) -> Fixed<32> {
    let digest = Sha256::new()
        .chain_update(binding)
        .chain_update(nonce.0)
        .chain_update(&sealed.0)
        .finalize();
    Fixed(digest.into())
}

pub(crate) fn damaged(how: &'static str) -> VaultError {
    VaultError::BackupDamaged { how }
}

pub(crate) fn unwritable() -> VaultError {
    VaultError::internal("The backup cannot be written as JSON.")
}

pub(crate) fn too_long() -> VaultError {
    VaultError::BackupTooLong
}
