//! Unlock methods of the open account.

use keyhole_vault::methods::method_kdf::Parameters;
use keyhole_vault::methods::unlock_method::Method;
#[cfg(feature = "devices")]
use keyhole_vault::{methods::unlock_proof::UnlockProof, tools::Tools, vault::Vault};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::enclave::{Account, Enclave};
use crate::host::Host;
use crate::inputs::Nothing;
use crate::refusal::Refusal;
use crate::secret::{SecretText, write_secret};
use crate::status::Changed;
use crate::unlock_proof::{PasskeyInput, UnlockProofInput};

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Methods {
    methods: Vec<MethodStatus>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "UnlockMethod"))]
struct MethodStatus {
    id: String,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::UnlockMethodKind"))]
    kind: String,
    /// Seconds since 1970.
    created_at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_kib: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    passes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lanes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    credential: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relying_party: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    salt: Option<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SetPassphrase {
    proof: UnlockProofInput,
    passphrase: SecretText,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AddPasskey {
    proof: UnlockProofInput,
    passkey: PasskeyInput,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Added {
    method_id: String,
    #[serde(flatten)]
    changed: Changed,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OnlyUnlockProof {
    proof: UnlockProofInput,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewCode {
    #[serde(serialize_with = "write_secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    recovery_code: Zeroizing<String>,
    #[serde(flatten)]
    changed: Changed,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Remove {
    proof: UnlockProofInput,
    method_id: String,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Label {
    method_id: String,
    label: String,
}

/// The changes here that a head makes for all devices.
#[cfg(feature = "devices")]
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum MethodChange {
    SetPassphrase { passphrase: SecretText },
    AddPasskey { passkey: PasskeyInput },
    NewRecoveryCode {},
    RemoveUnlockMethod { method_id: String },
}

/// What a change of unlock methods makes besides a new state.
#[cfg(feature = "devices")]
#[derive(Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MadeMethod {
    #[serde(skip_serializing_if = "Option::is_none")]
    method_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_code")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    recovery_code: Option<Zeroizing<String>>,
}

#[cfg(feature = "devices")]
impl MadeMethod {
    /// The recovery code that was made.
    pub fn recovery_code(&self) -> Option<&str> {
        self.recovery_code.as_ref().map(|code| code.as_str())
    }
}

#[cfg(feature = "devices")]
fn write_code<S: serde::Serializer>(
    code: &Option<Zeroizing<String>>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match code {
        Some(code) => write_secret(code, to),
        None => to.serialize_none(),
    }
}

#[cfg(feature = "devices")]
impl MethodChange {
    /// Makes the change in a draft.
    pub fn make(
        &self,
        draft: &mut Vault,
        proof: UnlockProof<'_>,
        tools: &mut Tools<'_>,
    ) -> Result<MadeMethod, Refusal> {
        let mut made = MadeMethod::default();
        match self {
            Self::SetPassphrase { passphrase } => {
                draft.set_passphrase(proof, passphrase.expose(), tools)?;
            }
            Self::AddPasskey { passkey } => {
                made.method_id = Some(draft.add_passkey(proof, &passkey.get(), tools)?);
            }
            Self::NewRecoveryCode {} => {
                made.recovery_code = Some(draft.new_recovery_code(proof, tools)?.to_text());
            }
            Self::RemoveUnlockMethod { method_id } => {
                draft.remove_method(proof, method_id, tools)?;
            }
        }
        Ok(made)
    }
}

/// `list_unlock_methods`
pub fn list(enclave: &mut Enclave, _: &mut dyn Host, _: Nothing) -> Result<Methods, Refusal> {
    let vault = match enclave.account() {
        Account::Unlocked(vault) => Some(vault),
        _ => None,
    };
    let methods = enclave.sealed()?.methods.iter().map(|method| {
        let label = vault.and_then(|vault| vault.method_label(&method.id));
        MethodStatus::of(method, label)
    });
    Ok(Methods {
        methods: methods.collect::<Result<_, _>>()?,
    })
}

impl MethodStatus {
    fn of(method: &Method, label: Option<&str>) -> Result<Self, Refusal> {
        let mut status = Self {
            id: method.id.clone(),
            kind: method.kind.clone(),
            created_at: method.created_at,
            label: label.map(str::to_owned),
            memory_kib: None,
            passes: None,
            lanes: None,
            credential: None,
            relying_party: None,
            salt: None,
        };
        match method.parameters()? {
            Parameters::Passphrase(kdf) => {
                status.memory_kib = Some(kdf.memory_kib);
                status.passes = Some(kdf.passes);
                status.lanes = Some(kdf.lanes);
            }
            Parameters::Passkey(passkey) => {
                status.salt = Some(keyhole_ucan::codec::base64::encode(&passkey.salt.0));
                status.credential = Some(passkey.credential);
                status.relying_party = Some(passkey.relying_party);
            }
            Parameters::RecoveryCode(_) => {}
        }
        Ok(status)
    }
}

/// `set_passphrase`
pub fn set_passphrase(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: SetPassphrase,
) -> Result<Changed, Refusal> {
    let proof = input.proof.read()?;
    enclave.change(host, |vault, tools| {
        vault.set_passphrase(proof.get(), input.passphrase.expose(), tools)
    })?;
    Changed::of(enclave)
}

/// `add_passkey`
pub fn add_passkey(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: AddPasskey,
) -> Result<Added, Refusal> {
    let proof = input.proof.read()?;
    let method_id = enclave.change(host, |vault, tools| {
        vault.add_passkey(proof.get(), &input.passkey.get(), tools)
    })?;
    Ok(Added {
        method_id,
        changed: Changed::of(enclave)?,
    })
}

/// `new_recovery_code`
pub fn new_recovery_code(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: OnlyUnlockProof,
) -> Result<NewCode, Refusal> {
    let proof = input.proof.read()?;
    let code = enclave.change(host, |vault, tools| {
        vault.new_recovery_code(proof.get(), tools)
    })?;
    Ok(NewCode {
        recovery_code: code.to_text(),
        changed: Changed::of(enclave)?,
    })
}

/// `remove_unlock_method`
pub fn remove(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Remove,
) -> Result<Changed, Refusal> {
    let proof = input.proof.read()?;
    enclave.change(host, |vault, tools| {
        vault.remove_method(proof.get(), &input.method_id, tools)
    })?;
    Changed::of(enclave)
}

/// `label_unlock_method`
pub fn label(enclave: &mut Enclave, host: &mut dyn Host, input: Label) -> Result<Changed, Refusal> {
    enclave.change(host, |vault, tools| {
        vault.label_method(&input.method_id, &input.label, tools)
    })?;
    Changed::of(enclave)
}
