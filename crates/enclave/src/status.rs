//! What the plugin says about the open account.

use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key::PublicKey;
use keyhole_vault::error::VaultError;
use keyhole_vault::vault::sealed_state::SealedState;
use serde::Serialize;

use crate::enclave::{Account, Enclave};
use crate::refusal::Refusal;

/// The state of the vault; public parts only while it is locked.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "EnclaveStatus"))]
pub struct Status {
    initialized: bool,
    locked: bool,
    #[serde(flatten)]
    account: Option<AccountStatus>,
    keys: Vec<KeyStatus>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AccountStatus {
    address: String,
    chain_id: String,
    revision: u64,
    default_key: String,
    issuer_did: String,
    /// The revision up to which nothing is rolled back: what was signed with it may have been handed out.
    #[serde(skip_serializing_if = "is_none")]
    settled: u64,
    /// Only while unlocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

/// A key, without its private half.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "EnclaveKey"))]
pub struct KeyStatus {
    key_id: String,
    #[cfg_attr(
        feature = "schema",
        schemars(with = "keyhole_ucan::identity::key_type::KeyType")
    )]
    key_type: String,
    did: String,
    /// Only while unlocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// Seconds since 1970.
    created_at: u64,
    is_default: bool,
    /// The key that gives the account its address; it cannot be deleted.
    is_first: bool,
}

/// The status, and the sealed state to store.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ChangedVault"))]
pub struct Changed {
    status: Status,
    enclave: String,
}

impl Status {
    /// The current one.
    ///
    /// # Errors
    /// OPERATION_FAILED when a public key does not parse, which reading the state refuses.
    pub fn of(enclave: &Enclave) -> Result<Self, Refusal> {
        let Ok(sealed) = enclave.sealed() else {
            return Ok(Self {
                initialized: false,
                locked: false,
                account: None,
                keys: Vec::new(),
            });
        };
        let vault = match enclave.account() {
            Account::Unlocked(vault) => Some(vault),
            _ => None,
        };
        Ok(Self {
            initialized: true,
            locked: vault.is_none(),
            account: Some(AccountStatus {
                address: sealed.address.clone(),
                chain_id: sealed.chain_id.clone(),
                revision: sealed.revision,
                default_key: sealed.default_key.clone(),
                issuer_did: did_text(&default_key(sealed)?),
                settled: enclave.settled(),
                label: vault.and_then(|vault| vault.label().map(str::to_owned)),
            }),
            keys: keys(enclave)?,
        })
    }
}

impl Changed {
    /// The current status and sealed state.
    ///
    /// # Errors
    /// VAULT_NOT_INITIALIZED; OPERATION_FAILED when the state cannot be written.
    pub fn of(enclave: &Enclave) -> Result<Self, Refusal> {
        Ok(Self {
            status: Status::of(enclave)?,
            enclave: enclave.sealed()?.to_text()?,
        })
    }
}

/// The open account's keys, the first one first; with labels only while it is unlocked.
///
/// # Errors
/// VAULT_NOT_INITIALIZED.
pub fn keys(enclave: &Enclave) -> Result<Vec<KeyStatus>, Refusal> {
    let sealed = enclave.sealed()?;
    let keys = sealed.keys.iter().enumerate().map(|(index, key)| {
        let label = match enclave.account() {
            Account::Unlocked(vault) => vault.key_label(&key.id).map(str::to_owned),
            _ => None,
        };
        Ok(KeyStatus {
            key_id: key.id.clone(),
            key_type: key.key_type.clone(),
            did: did_text(&key.public_key()?),
            label,
            created_at: key.created_at,
            is_default: key.id == sealed.default_key,
            is_first: index == 0,
        })
    });
    keys.collect()
}

fn is_none(revision: &u64) -> bool {
    *revision == 0
}

/// One key of the open account.
///
/// # Errors
/// VAULT_NOT_INITIALIZED; OPERATION_FAILED when it is not there.
pub fn key(enclave: &Enclave, id: &str) -> Result<KeyStatus, Refusal> {
    let key = keys(enclave)?.into_iter().find(|key| key.key_id == id);
    key.ok_or_else(|| Refusal::from(VaultError::internal("The key is not there.")))
}

/// The public half of the default key.
///
/// # Errors
/// OPERATION_FAILED when it is missing, which reading the state refuses.
pub fn default_key(sealed: &SealedState) -> Result<PublicKey, Refusal> {
    let mut keys = sealed.keys.iter();
    let key = keys.find(|key| key.id == sealed.default_key);
    let key =
        key.ok_or_else(|| Refusal::from(VaultError::internal("The default key is not there.")))?;
    Ok(key.public_key()?)
}

/// The did:key of a public key.
pub fn did_text(key: &PublicKey) -> String {
    Did::from_key(key).as_str().to_owned()
}
