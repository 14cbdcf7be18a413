//! Keys from elsewhere: previewing them, and importing them into the open account.

use keyhole_vault::error::VaultError;
use keyhole_vault::keys::foreign_key::{ForeignKey, KeyFormat, ReadKey};
use keyhole_vault::vault::address::{DEFAULT_CHAIN_ID, derive_address};
use serde::{Deserialize, Serialize};

use crate::enclave::Enclave;
use crate::host::Host;
use crate::inputs::key_type;
use crate::refusal::Refusal;
use crate::secret::SecretText;
use crate::status::{self, Changed, KeyStatus, did_text};

/// A key as another program wrote it.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KeyText {
    text: SecretText,
    format: Option<String>,
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<keyhole_ucan::identity::key_type::KeyType>")
    )]
    key_type: Option<String>,
    path: Option<String>,
    mnemonic_passphrase: Option<SecretText>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PreviewKey {
    key: KeyText,
    chain_id: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Preview {
    #[cfg_attr(
        feature = "schema",
        schemars(with = "keyhole_ucan::identity::key_type::KeyType")
    )]
    key_type: &'static str,
    did: String,
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ImportKey {
    key: KeyText,
    label: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Imported {
    key: KeyStatus,
    #[serde(flatten)]
    changed: Changed,
}

impl KeyText {
    /// Reads the key.
    ///
    /// # Errors
    /// As [`ForeignKey::read`]; INVALID_KEY_TYPE for an unknown type, OPERATION_FAILED for an unknown format.
    pub fn read(&self) -> Result<ReadKey, Refusal> {
        let format = self.format.as_deref().map(|name| {
            KeyFormat::parse(name).ok_or_else(|| {
                Refusal::from(VaultError::input("A key's format is pkcs8, jwk or bip39."))
            })
        });
        let expected = self.key_type.as_deref().map(|name| key_type(Some(name)));
        let foreign = ForeignKey {
            text: self.text.expose(),
            format: format.transpose()?,
            key_type: expected.transpose()?,
            path: self.path.as_deref(),
            mnemonic_passphrase: self.mnemonic_passphrase.as_ref().map(SecretText::expose),
        };
        Ok(foreign.read()?)
    }
}

/// `preview_key`
pub fn preview(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    input: PreviewKey,
) -> Result<Preview, Refusal> {
    let read = input.key.read()?;
    let public = read.key.public_key();
    // The open account's network, if there is one: the key would have this address there.
    let network = enclave.sealed().map(|sealed| sealed.chain_id.clone());
    let network = input.chain_id.or(network.ok());
    Ok(Preview {
        key_type: public.key_type().as_str(),
        did: did_text(&public),
        address: derive_address(network.as_deref().unwrap_or(DEFAULT_CHAIN_ID), &public)?,
        path: read.path,
    })
}

/// `import_key`
pub fn import(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: ImportKey,
) -> Result<Imported, Refusal> {
    enclave.unlocked()?;
    let key = input.key.read()?.key;
    let label = input.label.as_deref();
    let id = enclave.change(host, |vault, tools| vault.import_key(key, label, tools))?;
    Ok(Imported {
        key: status::key(enclave, &id)?,
        changed: Changed::of(enclave)?,
    })
}
