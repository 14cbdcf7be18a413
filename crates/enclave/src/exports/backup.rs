//! Backups: exporting, importing, checking, and reading the header without opening.

use keyhole_vault::backup::{BackupHeader, OpenBackup};
use keyhole_vault::error::VaultError;
use keyhole_vault::methods::recovery_code::RecoveryCode;
use keyhole_vault::vault::Vault;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::answers::Done;
use crate::enclave::{Account, Enclave, Importing};
use crate::host::Host;
use crate::inputs::Nothing;
use crate::refusal::Refusal;
use crate::secret::SecretText;
use crate::status::{Changed, did_text};
use crate::unlock_proof::UnlockProofInput;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ExportInput"))]
#[serde(deny_unknown_fields)]
pub struct Export {
    proof: UnlockProofInput,
    export_passphrase: SecretText,
    contents: Box<RawValue>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BeginExport {
    proof: UnlockProofInput,
    /// Left out where only the account's recovery code opens the file.
    export_passphrase: Option<SecretText>,
    contents: Box<RawValue>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ExportedBackup"))]
pub struct Exported {
    backup: String,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Import {
    backup: String,
    export_passphrase: Option<SecretText>,
    recovery_code: Option<SecretText>,
    passphrase: Option<SecretText>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Check {
    backup: String,
    export_passphrase: Option<SecretText>,
    recovery_code: Option<SecretText>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checked {
    address: String,
    chain_id: String,
    created_at: u64,
    keys: Vec<CheckedKey>,
    contents: Box<RawValue>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CheckedKey {
    key_id: String,
    #[cfg_attr(
        feature = "schema",
        schemars(with = "keyhole_ucan::identity::key_type::KeyType")
    )]
    key_type: &'static str,
    did: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ImportedBackup"))]
pub struct Imported {
    #[serde(flatten)]
    changed: Changed,
    contents: Box<RawValue>,
    added_keys: Vec<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BeginImport {
    backup: String,
    export_passphrase: Option<SecretText>,
    recovery_code: Option<SecretText>,
    /// The backup is only checked: its keys are dropped at once.
    #[serde(default)]
    check: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Begun {
    format: String,
    #[serde(flatten)]
    checked: Checked,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SealChunk {
    contents: Box<RawValue>,
    last: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SealedChunk {
    chunk: String,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OpenChunk {
    chunk: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenedChunk {
    contents: Box<RawValue>,
    last: bool,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FinishImport {
    passphrase: Option<SecretText>,
    /// Ids of keys that a merge leaves out.
    #[serde(default)]
    without: Vec<String>,
    /// A new account gets a revision above this one.
    #[serde(default)]
    above: u64,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Read {
    backup: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Header {
    format: String,
    address: String,
    chain_id: String,
    created_at: u64,
}

/// `export_vault`
pub fn export(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Export,
) -> Result<Exported, Refusal> {
    let proof = input.proof.read()?;
    let (vault, mut tools) = enclave.unlocked_with_tools(host)?;
    vault.check_strong_unlock_proof(proof.get(), tools.memory)?;
    let passphrase = input.export_passphrase.expose();
    Ok(Exported {
        backup: vault.export(passphrase, input.contents, &mut tools)?,
    })
}

/// `import_vault`
pub fn import(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Import,
) -> Result<Imported, Refusal> {
    if matches!(enclave.account(), Account::Locked(_)) {
        enclave.unlocked()?;
    }
    let (passphrase, code) = (&input.export_passphrase, &input.recovery_code);
    let backup = open(enclave, &input.backup, passphrase.as_ref(), code.as_ref())?;
    drop(input.backup);
    let added_keys = take_in(enclave, host, &backup, input.passphrase.as_ref())?;
    Ok(Imported {
        changed: Changed::of(enclave)?,
        contents: backup.contents,
        added_keys,
    })
}

/// Makes an account from a backup if none is open, and merges it into the open one otherwise. Answers the ids of the
/// keys that were added.
fn take_in(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    backup: &OpenBackup,
    passphrase: Option<&SecretText>,
) -> Result<Vec<String>, Refusal> {
    match enclave.account() {
        Account::Absent => {
            let passphrase = passphrase.ok_or_else(|| {
                Refusal::from(VaultError::input(
                    "A restored vault needs a passphrase: missing field `passphrase`.",
                ))
            })?;
            let vault = Vault::restore(backup, passphrase.expose(), &mut enclave.tools(host)?)?;
            enclave.begin(vault);
            Ok(backup.key_ids())
        }
        _ => enclave.change(host, |vault, tools| vault.merge(backup, tools)),
    }
}

/// `begin_export`: the head of a backup; its records go through `seal_backup_chunk`.
pub fn begin_export(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: BeginExport,
) -> Result<Exported, Refusal> {
    let proof = input.proof.read()?;
    let (vault, mut tools) = enclave.unlocked_with_tools(host)?;
    vault.check_strong_unlock_proof(proof.get(), tools.memory)?;
    let passphrase = input.export_passphrase.as_ref().map(SecretText::expose);
    let (backup, sealer) = vault.begin_export(passphrase, input.contents, &mut tools)?;
    enclave.exporting = Some(sealer);
    Ok(Exported { backup })
}

/// `seal_backup_chunk`: in order, up to the last.
pub fn seal_chunk(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: SealChunk,
) -> Result<SealedChunk, Refusal> {
    enclave.unlocked()?;
    let sealer = enclave.exporting.as_mut().ok_or_else(|| {
        Refusal::from(VaultError::BackupOutOfStep {
            what: "No backup is being written: begin it again.",
        })
    })?;
    let chunk = sealer.seal(&input.contents, input.last, host)?;
    if input.last {
        enclave.exporting = None;
    }
    Ok(SealedChunk { chunk })
}

/// `begin_import`: opens a backup's head. `open_backup_chunk` then reads it to its end.
pub fn begin_import(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    input: BeginImport,
) -> Result<Begun, Refusal> {
    if !input.check && matches!(enclave.account(), Account::Locked(_)) {
        enclave.unlocked()?;
    }
    let (passphrase, code) = (&input.export_passphrase, &input.recovery_code);
    let mut backup = open(enclave, &input.backup, passphrase.as_ref(), code.as_ref())?;
    drop(input.backup);
    let contents = std::mem::replace(&mut backup.contents, RawValue::NULL.to_owned());
    let begun = Begun {
        format: backup.header().format.clone(),
        checked: Checked::of(&backup, contents),
    };
    enclave.importing = Some(Importing {
        chunks: backup.chunks(),
        backup: (!input.check).then_some(backup),
    });
    Ok(begun)
}

/// `open_backup_chunk`: in order. The first one again starts over.
pub fn open_chunk(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    input: OpenChunk,
) -> Result<OpenedChunk, Refusal> {
    let importing = enclave.importing.as_mut();
    let chunks = importing.and_then(|importing| importing.chunks.as_mut());
    let chunks = chunks.ok_or_else(no_import)?;
    let (contents, last) = chunks.open(&input.chunk)?;
    Ok(OpenedChunk { contents, last })
}

/// `finish_import`: imports a backup that was read to its end. Its chunks can be read again after that.
pub fn finish_import(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: FinishImport,
) -> Result<Imported, Refusal> {
    if matches!(enclave.account(), Account::Locked(_)) {
        enclave.unlocked()?;
    }
    let importing = enclave.importing.as_mut().ok_or_else(no_import)?;
    let chunks = importing.chunks.as_ref();
    if chunks.is_some_and(|chunks| !chunks.was_read()) {
        return Err(Refusal::from(VaultError::BackupOutOfStep {
            what: "Read this backup to its end before it is imported.",
        }));
    }
    let mut backup = importing.backup.take().ok_or_else(no_import)?;
    if matches!(enclave.account(), Account::Absent) {
        backup.raise_to(input.above);
    } else {
        backup.leave_out(&input.without);
    }
    let taken = take_in(enclave, host, &backup, input.passphrase.as_ref());
    if enclave.memory().is_paused() {
        // The call is made again once its key is derived, and needs the backup again.
        if let Some(importing) = enclave.importing.as_mut() {
            importing.backup = Some(backup);
        }
        return Err(Refusal::from(VaultError::BackupOutOfStep {
            what: "The backup is still being imported.",
        }));
    }
    let added_keys = taken?;
    Ok(Imported {
        changed: Changed::of(enclave)?,
        contents: backup.contents,
        added_keys,
    })
}

/// `end_backup`: drops the backups being written and read.
pub fn end(enclave: &mut Enclave, _: &mut dyn Host, _: Nothing) -> Result<Done, Refusal> {
    enclave.exporting = None;
    enclave.importing = None;
    Ok(Done {})
}

fn no_import() -> Refusal {
    Refusal::from(VaultError::BackupOutOfStep {
        what: "No backup is being read: begin it again.",
    })
}

/// `check_backup`: an import that stops before it changes anything.
pub fn check(enclave: &mut Enclave, _: &mut dyn Host, input: Check) -> Result<Checked, Refusal> {
    let (passphrase, code) = (&input.export_passphrase, &input.recovery_code);
    let mut backup = open(enclave, &input.backup, passphrase.as_ref(), code.as_ref())?;
    drop(input.backup);
    let contents = std::mem::replace(&mut backup.contents, RawValue::NULL.to_owned());
    Ok(Checked::of(&backup, contents))
}

impl Checked {
    fn of(backup: &OpenBackup, contents: Box<RawValue>) -> Self {
        let header = backup.header();
        let keys = backup.keys().map(|(id, key)| CheckedKey {
            key_id: id.to_owned(),
            key_type: key.key_type().as_str(),
            did: did_text(&key),
        });
        Self {
            address: header.address.clone(),
            chain_id: header.chain_id.clone(),
            created_at: header.created_at,
            keys: keys.collect(),
            contents,
        }
    }
}

fn open(
    enclave: &mut Enclave,
    backup: &str,
    passphrase: Option<&SecretText>,
    code: Option<&SecretText>,
) -> Result<OpenBackup, Refusal> {
    Ok(match (passphrase, code) {
        (Some(passphrase), None) => {
            OpenBackup::open(backup, passphrase.expose(), enclave.memory())?
        }
        (None, Some(code)) => {
            OpenBackup::open_with_code(backup, &RecoveryCode::parse(code.expose())?)?
        }
        _ => {
            return Err(Refusal::from(VaultError::input(
                "A backup is opened by exactly one of `export_passphrase` and `recovery_code`.",
            )));
        }
    })
}

/// `read_backup`
pub fn read(_: &mut Enclave, _: &mut dyn Host, input: Read) -> Result<Header, Refusal> {
    let header = BackupHeader::read(&input.backup)?;
    Ok(Header {
        format: header.format,
        address: header.address,
        chain_id: header.chain_id,
        created_at: header.created_at,
    })
}
