//! Backups: out, in, and what one says without its passphrase.

use keyhole_core::backup::{BackupHeader, OpenBackup};
use keyhole_core::vault::Vault;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::host::Host;
use crate::refusal::Refusal;
use crate::secret::SecretText;
use crate::status::Changed;
use crate::vault::{Account, Enclave};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Export {
    passphrase: SecretText,
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
    export_passphrase: SecretText,
    passphrase: Option<SecretText>,
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
    enclave.check_passphrase(input.passphrase.expose())?;
    let (vault, mut tools) = enclave.unlocked_with_tools(host)?;
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
    let passphrase = input.export_passphrase.expose();
    let backup = OpenBackup::open(&input.backup, passphrase, enclave.memory())?;
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
