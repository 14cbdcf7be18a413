//! Keys of the open account.

#[cfg(feature = "devices")]
use keyhole_vault::{tools::Tools, vault::Vault};
use serde::{Deserialize, Serialize};

use crate::enclave::Enclave;
#[cfg(feature = "devices")]
use crate::exports::foreign_keys::KeyText;
use crate::host::Host;
use crate::inputs::{Nothing, key_type};
use crate::refusal::Refusal;
use crate::status::{self, Changed, KeyStatus};

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Keys {
    keys: Vec<KeyStatus>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Generate {
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<keyhole_ucan::identity::key_type::KeyType>")
    )]
    key_type: Option<String>,
    label: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Generated {
    key: KeyStatus,
    #[serde(flatten)]
    changed: Changed,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "KeyChoice"))]
#[serde(deny_unknown_fields)]
pub struct OneKey {
    key_id: String,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LabelKey {
    key_id: String,
    label: String,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LabelVault {
    label: String,
}

/// The changes of keys that a head makes for all devices.
#[cfg(feature = "devices")]
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(
    clippy::enum_variant_names,
    reason = "they are the names of the exports"
)]
pub enum KeyChange {
    GenerateKey {
        #[cfg_attr(
            feature = "schema",
            schemars(with = "Option<keyhole_ucan::identity::key_type::KeyType>")
        )]
        key_type: Option<String>,
    },
    ImportKey {
        key: KeyText,
    },
    DeleteKey {
        key_id: String,
    },
    SetDefaultKey {
        key_id: String,
    },
}

#[cfg(feature = "devices")]
impl KeyChange {
    /// Makes the change in a draft; answers the id of a new key.
    pub fn make(
        &self,
        draft: &mut Vault,
        tools: &mut Tools<'_>,
    ) -> Result<Option<String>, Refusal> {
        match self {
            Self::GenerateKey { key_type: name } => {
                let key_type = key_type(name.as_deref())?;
                Ok(Some(draft.generate_key(key_type, None, tools)?))
            }
            Self::ImportKey { key } => Ok(Some(draft.import_key(key.read()?.key, None, tools)?)),
            Self::DeleteKey { key_id } => Ok(draft.delete_key(key_id, tools).map(|()| None)?),
            Self::SetDefaultKey { key_id } => {
                Ok(draft.set_default_key(key_id, tools).map(|()| None)?)
            }
        }
    }
}

/// `list_keys`
pub fn list(enclave: &mut Enclave, _: &mut dyn Host, _: Nothing) -> Result<Keys, Refusal> {
    Ok(Keys {
        keys: status::keys(enclave)?,
    })
}

/// `generate_key`
pub fn generate(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Generate,
) -> Result<Generated, Refusal> {
    let key_type = key_type(input.key_type.as_deref())?;
    let label = input.label.as_deref();
    let id = enclave.change(host, |vault, tools| {
        vault.generate_key(key_type, label, tools)
    })?;
    Ok(Generated {
        key: status::key(enclave, &id)?,
        changed: Changed::of(enclave)?,
    })
}

/// `label_key`
pub fn label(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: LabelKey,
) -> Result<Changed, Refusal> {
    enclave.change(host, |vault, tools| {
        vault.label_key(&input.key_id, &input.label, tools)
    })?;
    Changed::of(enclave)
}

/// `label_vault`
pub fn label_vault(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: LabelVault,
) -> Result<Changed, Refusal> {
    enclave.change(host, |vault, tools| vault.set_label(&input.label, tools))?;
    Changed::of(enclave)
}

/// `delete_key`
pub fn delete(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: OneKey,
) -> Result<Changed, Refusal> {
    enclave.change(host, |vault, tools| vault.delete_key(&input.key_id, tools))?;
    Changed::of(enclave)
}

/// `set_default_key`
pub fn set_default(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: OneKey,
) -> Result<Changed, Refusal> {
    enclave.change(host, |vault, tools| {
        vault.set_default_key(&input.key_id, tools)
    })?;
    Changed::of(enclave)
}
