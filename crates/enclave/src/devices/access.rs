//! The account's access to a relay: its pseudonym gives each device a permission, and takes it back when the device is removed.
//!
//! Anyone who has the pseudonym's private key can give permissions, and it can't be replaced. So devices share it sealed to the account's
//! unlock methods, not under the data key: it is opened with a proof, used, and wiped.

use keyhole_sync::bytes::{AccountId, DeviceId};
use keyhole_sync::error::SyncError;
use keyhole_ucan::codec::base64::{Bytes, Fixed, Secret};
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key::{PublicKey, SecretKey};
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_ucan::policy::statement::Policy;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::container;
use keyhole_ucan::token::delegation::{self, Delegation, NONCE_LENGTH};
use keyhole_ucan::token::payload::Signed;
use keyhole_ucan::validation::revocation;
use keyhole_vault::methods::unlock_method::{SealedKeyFor, SealedTo};
use keyhole_vault::random::Random;
use keyhole_vault::seal::section::Section;
use keyhole_vault::vault::Vault;
use keyhole_vault::vault::method_keys::OpenMethod;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::refusals::{damaged, no_permission, refused};
use crate::refusal::Refusal;

/// What a permission is for. Each call is a command below it.
pub const COMMAND: &str = "/relay/records";
/// The multicodec prefix of an Ed25519 key.
const ED25519: [u8; 2] = [0xed, 0x01];
const NONCE_INFO: &[u8] = b"keyhole sync permission v1";
const PSEUDONYM_INFO: &[u8] = b"keyhole sync pseudonym v1";

/// The section that all full devices share.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    v: u64,
    /// The pseudonym's private key, sealed to each unlock method.
    pseudonym: Vec<PseudonymFor>,
    permissions: Vec<Permission>,
    /// Those of removed devices.
    revoked: Vec<RevokedPermission>,
    /// The devices of recovery codes. Whoever changes unlock methods has to know them, so a version that doesn't refuses the section.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    codes: Vec<CodeDevice>,
}

/// The device of a recovery code, and how its record is put to its place at the relay.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeDevice {
    pub device: Fixed<32>,
    /// The public half of the unlock method that the code is.
    pub method: Fixed<32>,
    pub record: Bytes,
    /// A call that the place's key has signed: it adds this record at one relay, and never expires.
    pub call: String,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PseudonymFor {
    /// The method's public half.
    method: Fixed<32>,
    key: SealedKeyFor,
}

/// A device's permission, as text.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Permission {
    device: Fixed<32>,
    token: String,
}

/// A permission that was taken back, with what a relay needs to know of it.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RevokedPermission {
    pub device: Fixed<32>,
    pub token: String,
    pub revocation: String,
}

/// An account's pseudonym, with its private key. Wiped on drop.
pub struct Pseudonym(SecretKey);

impl Pseudonym {
    /// Makes a new one.
    ///
    /// # Errors
    /// When randomness fails.
    pub fn make(random: &mut dyn Random) -> Result<Self, Refusal> {
        let mut seed = Secret(Zeroizing::new([0; 32]));
        random.fill(&mut seed.0[..])?;
        Self::from_bytes(&seed.0)
    }

    fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Refusal> {
        let key = SecretKey::from_bytes(KeyType::Ed25519, bytes);
        key.map(Self).map_err(|_| damaged())
    }

    /// Its public key.
    pub fn account(&self) -> Result<AccountId, Refusal> {
        match self.0.public_key() {
            PublicKey::Ed25519(public) => Ok(AccountId(public.to_bytes())),
            _ => Err(damaged()),
        }
    }

    /// The permission of a device. It is always the same one, so that a head that was refused leaves none behind that no one revokes.
    fn permission(&self, device: DeviceId, now: i64) -> Result<Signed<Delegation>, Refusal> {
        let issuer = Did::from_key(&self.0.public_key());
        let digest = Sha256::new()
            .chain_update(NONCE_INFO)
            .chain_update(self.account()?.0)
            .chain_update(device.0)
            .finalize();
        let delegation = Delegation {
            subject: Some(issuer.clone()),
            issuer,
            audience: did_of(device.0)?,
            command: Command::parse(COMMAND).map_err(|_| damaged())?,
            policy: Policy::default(),
            nonce: digest.iter().copied().take(NONCE_LENGTH).collect(),
            expires_at: None,
            not_before: None,
            meta: None,
        };
        Ok(delegation::issue(&delegation, &self.0, now)?)
    }

    fn revocation(&self, permission: &Signed<Delegation>) -> Result<String, Refusal> {
        let issuer = Did::from_key(&self.0.public_key());
        let subject = issuer.clone();
        let revocation = revocation::revoke(issuer, subject, permission.cid(), &[], Vec::new())?;
        let signed = Signed::sign(&revocation, &self.0)?;
        Ok(container::write([signed.bytes()]))
    }
}

/// The did:key of a device or a pseudonym.
pub fn did_of(key: [u8; 32]) -> Result<Did, Refusal> {
    let key = PublicKey::from_multicodec(&[&ED25519[..], &key].concat());
    let key = key.map_err(|_| refused(SyncError::DeviceUnknown))?;
    Ok(Did::from_key(&key))
}

impl Access {
    /// Of a new account.
    ///
    /// # Errors
    /// When randomness fails.
    pub fn begin(
        pseudonym: &Pseudonym,
        vault: &Vault,
        random: &mut dyn Random,
    ) -> Result<Self, Refusal> {
        let mut access = Self {
            v: 1,
            pseudonym: Vec::new(),
            permissions: Vec::new(),
            revoked: Vec::new(),
            codes: Vec::new(),
        };
        access.seal_for_methods(Some(pseudonym), vault, random)?;
        Ok(access)
    }

    /// That of an account.
    ///
    /// # Errors
    /// `SharedDamaged`.
    pub fn of(vault: &Vault) -> Result<Self, Refusal> {
        let section = vault.sections().0.ok_or_else(damaged)?;
        let access: Self = serde_json::from_str(&section.0).map_err(|_| damaged())?;
        if access.v != access.version() {
            return Err(damaged());
        }
        Ok(access)
    }

    /// As it is stored.
    ///
    /// # Errors
    /// Never in practice.
    pub fn section(&mut self) -> Result<Section, Refusal> {
        self.v = self.version();
        let text = serde_json::to_string(self).map_err(|_| damaged())?;
        Ok(Section(Zeroizing::new(text)))
    }

    /// 2 while a recovery code has a device. Without one, versions that know of none go on reading it.
    fn version(&self) -> u64 {
        if self.codes.is_empty() { 1 } else { 2 }
    }

    /// The pseudonym, opened by an unlock method.
    ///
    /// # Errors
    /// `NoPermission` if it wasn't sealed to this method.
    pub fn pseudonym(&self, account: AccountId, method: &OpenMethod) -> Result<Pseudonym, Refusal> {
        let public = method.public_key();
        let mut all = self.pseudonym.iter();
        let sealed = all.find(|one| one.method == *public);
        let sealed = sealed.ok_or_else(no_permission)?;
        let key = method.unseal(&sealed.key, PSEUDONYM_INFO, &account.0);
        let pseudonym = Pseudonym::from_bytes(&*key.ok_or_else(no_permission)?)?;
        let is_ours = pseudonym.account()? == account;
        is_ours.then_some(pseudonym).ok_or_else(no_permission)
    }

    /// Seals the pseudonym's key to methods that it was not sealed to, and drops those that the account no longer has.
    ///
    /// # Errors
    /// When randomness fails.
    pub fn seal_for_methods(
        &mut self,
        pseudonym: Option<&Pseudonym>,
        vault: &Vault,
        random: &mut dyn Random,
    ) -> Result<(), Refusal> {
        let methods: Vec<_> = vault.method_keys().copied().collect();
        self.pseudonym.retain(|one| methods.contains(&one.method));
        let Some(pseudonym) = pseudonym else {
            return Ok(());
        };
        let binding = pseudonym.account()?.0;
        for method in methods {
            if self.pseudonym.iter().any(|one| one.method == method) {
                continue;
            }
            let to = SealedTo {
                public: &method,
                info: PSEUDONYM_INFO,
                binding: &binding,
            };
            let key = SealedKeyFor::seal(&pseudonym.0.expose(), to, random)?;
            self.pseudonym.push(PseudonymFor { method, key });
        }
        Ok(())
    }

    /// Gives a device its permission.
    ///
    /// # Errors
    /// `DeviceUnknown` for bytes that are no key.
    pub fn permit(
        &mut self,
        pseudonym: &Pseudonym,
        device: DeviceId,
        now: i64,
    ) -> Result<(), Refusal> {
        let permission = pseudonym.permission(device, now)?;
        self.permissions.retain(|one| one.device.0 != device.0);
        self.permissions.push(Permission {
            device: Fixed(device.0),
            token: container::write([permission.bytes()]),
        });
        Ok(())
    }

    /// Takes a device's permission back.
    ///
    /// # Errors
    /// Never in practice.
    pub fn revoke(
        &mut self,
        pseudonym: &Pseudonym,
        device: DeviceId,
        now: i64,
    ) -> Result<(), Refusal> {
        self.permissions.retain(|one| one.device.0 != device.0);
        if self.revoked.iter().any(|one| one.device.0 == device.0) {
            return Ok(());
        }
        let permission = pseudonym.permission(device, now)?;
        self.revoked.push(RevokedPermission {
            device: Fixed(device.0),
            token: container::write([permission.bytes()]),
            revocation: pseudonym.revocation(&permission)?,
        });
        Ok(())
    }

    /// Adds what another branch of heads has. What either has taken back stays so.
    pub fn merge(&mut self, other: &Self) {
        for one in &other.pseudonym {
            if self.pseudonym.iter().all(|ours| ours.method != one.method) {
                self.pseudonym.push(one.clone());
            }
        }
        for one in &other.revoked {
            if self.revoked.iter().all(|ours| ours.device != one.device) {
                self.revoked.push(one.clone());
            }
        }
        for one in &other.permissions {
            if self.permission_of(DeviceId(one.device.0)).is_none() {
                self.permissions.push(one.clone());
            }
        }
        let revoked = &self.revoked;
        self.permissions
            .retain(|one| revoked.iter().all(|revoked| revoked.device != one.device));
        for one in &other.codes {
            if self.codes.iter().all(|ours| ours.device != one.device) {
                self.codes.push(one.clone());
            }
        }
    }

    /// Adds the device of a recovery code.
    pub fn add_code(&mut self, code: CodeDevice) {
        self.codes.push(code);
    }

    /// The devices of recovery codes.
    pub fn codes(&self) -> &[CodeDevice] {
        &self.codes
    }

    /// Those of codes that no longer open the account.
    pub fn replaced_codes(&self, vault: &Vault) -> Vec<DeviceId> {
        let is_replaced = |code: &&CodeDevice| vault.method_keys().all(|key| *key != code.method);
        let replaced = self.codes.iter().filter(is_replaced);
        replaced.map(|code| DeviceId(code.device.0)).collect()
    }

    /// Forgets the codes of devices that the account no longer has.
    pub fn retain_codes(&mut self, is_member: impl Fn(DeviceId) -> bool) {
        self.codes.retain(|code| is_member(DeviceId(code.device.0)));
    }

    /// A device's permission.
    pub fn permission_of(&self, device: DeviceId) -> Option<&str> {
        let mut all = self.permissions.iter();
        let found = all.find(|one| one.device.0 == device.0)?;
        Some(&found.token)
    }

    /// The permissions that relays have to be told of.
    pub fn revoked(&self) -> &[RevokedPermission] {
        &self.revoked
    }
}
