//! Backups: out, in, checked, and what one says without being opened.

use keyhole_core::backup::{BackupHeader, OpenBackup};
use keyhole_core::recovery_code::RecoveryCode;
use keyhole_core::vault::Vault;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::host::Host;
use crate::proof::ProofInput;
use crate::refusal::Refusal;
use crate::secret::SecretText;
use crate::status::{Changed, did_text};
use crate::vault::{Account, Enclave};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Export {
    proof: ProofInput,
    export_passphrase: SecretText,
    contents: Box<RawValue>,
}

#[derive(Serialize)]
pub struct Exported {
    backup: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Import {
    backup: String,
    export_passphrase: Option<SecretText>,
    recovery_code: Option<SecretText>,
    passphrase: Option<SecretText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    backup: String,
    export_passphrase: Option<SecretText>,
    recovery_code: Option<SecretText>,
}

#[derive(Serialize)]
pub struct Checked {
    address: String,
    chain_id: String,
    created_at: u64,
    keys: Vec<CheckedKey>,
    contents: Box<RawValue>,
}

#[derive(Serialize)]
struct CheckedKey {
    key_id: String,
    key_type: &'static str,
    did: String,
}

#[derive(Serialize)]
pub struct Imported {
    #[serde(flatten)]
    changed: Changed,
    contents: Box<RawValue>,
    added_keys: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Read {
    backup: String,
}

#[derive(Serialize)]
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
    vault.check_strong_proof(proof.get(), tools.memory)?;
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
    let added_keys = match enclave.account() {
        Account::Absent => {
            let passphrase = input.passphrase.as_ref().ok_or_else(|| {
                Refusal::failed("A restored vault needs a passphrase: missing field `passphrase`.")
            })?;
            let vault = Vault::restore(&backup, passphrase.expose(), &mut enclave.tools(host)?)?;
            enclave.begin(vault);
            backup.key_ids()
        }
        _ => enclave.change(host, |vault, tools| vault.merge(&backup, tools))?,
    };
    Ok(Imported {
        changed: Changed::of(enclave)?,
        contents: backup.contents,
        added_keys,
    })
}

/// `check_backup`: as importing, up to where something would be made of it.
pub fn check(enclave: &mut Enclave, _: &mut dyn Host, input: Check) -> Result<Checked, Refusal> {
    let (passphrase, code) = (&input.export_passphrase, &input.recovery_code);
    let backup = open(enclave, &input.backup, passphrase.as_ref(), code.as_ref())?;
    drop(input.backup);
    let header = backup.header();
    let keys = backup.keys().map(|(id, key)| CheckedKey {
        key_id: id.to_owned(),
        key_type: key.key_type().as_str(),
        did: did_text(&key),
    });
    Ok(Checked {
        address: header.address.clone(),
        chain_id: header.chain_id.clone(),
        created_at: header.created_at,
        keys: keys.collect(),
        contents: backup.contents,
    })
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
            return Err(Refusal::failed(
                "A backup is opened by exactly one of `export_passphrase` and `recovery_code`.",
            ));
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
