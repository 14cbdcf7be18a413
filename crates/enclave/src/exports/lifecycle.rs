//! Creating, opening, unlocking, locking and closing the vault.

use keyhole_vault::error::VaultError;
use keyhole_vault::methods::unlock_proof::{NewMethods, UnlockProof};
use keyhole_vault::seal::kdf::Cost;
use keyhole_vault::vault::address::DEFAULT_CHAIN_ID;
use keyhole_vault::vault::sealed_state::SealedState;
use keyhole_vault::vault::{FirstKey, NewAccount, Vault};
use serde::{Deserialize, Serialize, Serializer};
use zeroize::Zeroizing;

use crate::answers::Done;
use crate::enclave::{Account, Enclave, not_initialized};
use crate::exports::foreign_keys::KeyText;
use crate::host::Host;
use crate::inputs::{Nothing, key_type};
use crate::refusal::Refusal;
use crate::secret::SecretText;
use crate::status::{Changed, Status};
use crate::unlock_proof::{PasskeyInput, UnlockProofInput};

/// An answer with nothing but the status.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "VaultStatus"))]
pub struct StatusOnly {
    status: Status,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Create {
    passphrase: Option<SecretText>,
    passkey: Option<PasskeyInput>,
    recovery_code: Option<bool>,
    key: Option<KeyText>,
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<keyhole_ucan::identity::key_type::KeyType>")
    )]
    key_type: Option<String>,
    label: Option<String>,
    chain_id: Option<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Open {
    enclave: String,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Unlock {
    proof: UnlockProofInput,
    enclave: Option<String>,
    /// The state may be older than what was counted: suspends every mandate until it is confirmed.
    #[serde(default)]
    suspend_mandates: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Created {
    #[serde(flatten)]
    changed: Changed,
    #[serde(
        serialize_with = "write_option",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    recovery_code: Option<Zeroizing<String>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unlocked {
    status: Status,
    /// Only if there is a new state to store: the passphrase's cost was raised, or mandates were suspended.
    #[serde(skip_serializing_if = "Option::is_none")]
    enclave: Option<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PauseDerivations {
    blocks: Option<usize>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RevisionInput"))]
#[serde(deny_unknown_fields)]
pub struct RollBack {
    revision: u64,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Warm {
    memory_kib: Option<u32>,
    /// Also derives a throw-away key over a mebibyte: an engine optimises code that has run.
    #[serde(default)]
    derives: bool,
}

/// `create_vault`
pub fn create(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Create,
) -> Result<Created, Refusal> {
    if enclave.sealed().is_ok() {
        return Err(already_initialized());
    }
    let wanted = key_type(input.key_type.as_deref())?;
    let first = match &input.key {
        None => FirstKey::Made(wanted),
        // A key from elsewhere has a type already.
        Some(_) if input.key_type.is_some() => {
            return Err(Refusal::from(VaultError::input(
                "A key from elsewhere has its own `key_type`: name it within `key`.",
            )));
        }
        Some(key) => FirstKey::Given(key.read()?.key),
    };
    let new = NewAccount {
        key: first,
        methods: NewMethods {
            passphrase: input.passphrase.as_ref().map(SecretText::expose),
            passkey: input.passkey.as_ref().map(PasskeyInput::get),
            recovery_code: input.recovery_code.unwrap_or_default(),
        },
        label: input.label.as_deref(),
        chain_id: input.chain_id.as_deref().unwrap_or(DEFAULT_CHAIN_ID),
    };
    let (vault, code) = Vault::create(new, &mut enclave.tools(host)?)?;
    enclave.begin(vault);
    Ok(Created {
        changed: Changed::of(enclave)?,
        recovery_code: code.map(|code| code.to_text()),
    })
}

/// `open_vault`
pub fn open(enclave: &mut Enclave, _: &mut dyn Host, input: Open) -> Result<StatusOnly, Refusal> {
    open_text(enclave, &input.enclave)?;
    status(enclave)
}

/// The higher revision of two copies wins. An unlocked account follows a newer state that is authentic under its data
/// key, and opens any other newer one locked. The same revision changes nothing.
fn open_text(enclave: &mut Enclave, text: &str) -> Result<(), Refusal> {
    let state = SealedState::parse(text)?;
    let Ok(present) = enclave.sealed() else {
        enclave.replace(Account::Locked(Box::new(state)));
        return Ok(());
    };
    let is_newer = state.revision > present.revision;
    if present.address != state.address {
        return Err(already_initialized());
    }
    let account = match enclave.account() {
        Account::Unlocked(_) if present.revision > state.revision => {
            return Err(already_initialized());
        }
        Account::Unlocked(_) if !is_newer => return Ok(()),
        Account::Unlocked(vault) => match vault.follow(state.clone()) {
            Some(vault) => Account::Unlocked(Box::new(vault)),
            None => Account::Locked(Box::new(state)),
        },
        _ if present.revision > state.revision => return Ok(()),
        _ => Account::Locked(Box::new(state)),
    };
    enclave.replace(account);
    Ok(())
}

/// `unlock_vault`
pub fn unlock(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Unlock,
) -> Result<Unlocked, Refusal> {
    let proof = input.proof.read()?;
    if let Some(text) = &input.enclave {
        open_text(enclave, text)?;
    }
    let suspending = input.suspend_mandates;
    let mut vault = match enclave.account() {
        Account::Absent => return Err(not_initialized()),
        Account::Locked(state) => {
            let state = SealedState::clone(state);
            Vault::unlock(state, proof.get(), enclave.memory())?
        }
        Account::Unlocked(vault) => {
            let vault = Vault::clone(vault);
            enclave.check_unlock_proof(proof.get())?;
            if !suspending {
                return Ok(Unlocked {
                    status: Status::of(enclave)?,
                    enclave: None,
                });
            }
            vault
        }
    };
    if suspending {
        vault.suspend_mandates(&mut enclave.tools(host)?)?;
    }
    // A device without enough memory for today's cost can still unlock.
    let mut costlier = Vault::clone(&vault);
    let raised = match proof.get() {
        UnlockProof::Passphrase(passphrase) => {
            costlier.raise_cost(passphrase, &mut enclave.tools(host)?) == Ok(true)
        }
        _ => false,
    };
    if enclave.memory().is_paused() {
        // The call is made again once the stronger key is derived. Until then nothing is unlocked.
        return Err(Refusal::from(VaultError::internal(
            "The vault is still being unlocked.",
        )));
    }
    // Not as a change, since suspended mandates must not be rolled back.
    enclave.replace(Account::Unlocked(Box::new(vault)));
    if raised {
        enclave.begin(costlier);
    }
    Ok(Unlocked {
        status: Status::of(enclave)?,
        enclave: match raised || suspending {
            true => Some(enclave.sealed()?.to_text()?),
            false => None,
        },
    })
}

/// `lock_vault`
pub fn lock(enclave: &mut Enclave, _: &mut dyn Host, _: Nothing) -> Result<Changed, Refusal> {
    let state = enclave.sealed()?.clone();
    enclave.replace(Account::Locked(Box::new(state)));
    Changed::of(enclave)
}

/// `close_vault`
pub fn close(enclave: &mut Enclave, _: &mut dyn Host, _: Nothing) -> Result<Done, Refusal> {
    enclave.close();
    Ok(Done {})
}

/// `vault_status`
pub fn show_status(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    _: Nothing,
) -> Result<StatusOnly, Refusal> {
    status(enclave)
}

/// `rollback_vault`
pub fn roll_back(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    input: RollBack,
) -> Result<StatusOnly, Refusal> {
    enclave.roll_back(input.revision)?;
    status(enclave)
}

/// `leave_devices`: the account came from a copy of a device, so it must not go on as that device. Changes nothing if it is on none.
///
/// The build without devices has it too: it can drop a device's keys, and has nothing to sign with them.
pub fn leave_devices(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    _: Nothing,
) -> Result<Changed, Refusal> {
    if enclave.change(host, Vault::leave_devices)? {
        enclave.close_device();
    }
    Changed::of(enclave)
}

/// `settle_payment`
pub fn settle(enclave: &mut Enclave, _: &mut dyn Host, input: RollBack) -> Result<Done, Refusal> {
    enclave.settle(input.revision)?;
    Ok(Done {})
}

/// `warm`
pub fn warm(enclave: &mut Enclave, _: &mut dyn Host, input: Warm) -> Result<Done, Refusal> {
    let wanted = input.memory_kib.unwrap_or(Cost::TODAY.memory_kib);
    let most = Cost::TODAY.memory_kib;
    if input.derives {
        enclave.memory().exercise()?;
    }
    enclave.memory().reserve(wanted.min(most))?;
    Ok(Done {})
}

/// `pause_derivations`: from now on, deriving a key pauses after this many blocks of 1 KiB. Absent: never.
pub fn pause_derivations(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    input: PauseDerivations,
) -> Result<Done, Refusal> {
    enclave.memory().pause_after(input.blocks);
    Ok(Done {})
}

fn status(enclave: &Enclave) -> Result<StatusOnly, Refusal> {
    Ok(StatusOnly {
        status: Status::of(enclave)?,
    })
}

fn write_option<S: Serializer>(text: &Option<Zeroizing<String>>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_some(text.as_deref().unwrap_or(&String::new()))
}

fn already_initialized() -> Refusal {
    Refusal::from(VaultError::VaultOpen)
}
