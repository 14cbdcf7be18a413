//! Opening an account with nothing but its recovery code and a relay (`docs/sync.md`, "The recovery code").

use ipld_core::ipld::Ipld;
use keyhole_sync::bytes::{AccountId, RecordId};
use keyhole_sync::device::Device;
use keyhole_sync::error::SyncError;
use keyhole_sync::head::{Member, Role};
use keyhole_sync::record::id_of;
use keyhole_sync::recovery::{CodeKeys, Entry};
use keyhole_ucan::codec::base64::{self, Bytes, Fixed};
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::delegation::NONCE_LENGTH;
use keyhole_ucan::token::invocation::Invocation;
use keyhole_ucan::work_budget::Budget;
use keyhole_vault::error::VaultError;
use keyhole_vault::methods::recovery_code::RecoveryCode;
use keyhole_vault::methods::unlock_proof::UnlockProof;
use keyhole_vault::random::Random;
use keyhole_vault::tools::Tools;
use keyhole_vault::vault::Vault;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::heads::{Proposed, propose_by};
use super::opened;
use super::relay_calls::LIFETIME;
use crate::devices::access::{Access, CodeDevice, Pseudonym};
use crate::devices::{
    OpenDevice, Recovery, Stored, StoredKeys, damaged, no_permission, read_back, refused,
};
use crate::enclave::{Account, Enclave};
use crate::exports::invocations::{TextForm, sign_and_check};
use crate::host::{self, Host};
use crate::inputs::{Nothing, read_did};
use crate::refusal::Refusal;
use crate::secret::SecretText;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Begin {
    code: SecretText,
    /// The relay's DID.
    relay: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Begun {
    /// A call that reads the code's place, for the `Authorization` header, after `Bearer `.
    token: String,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// What the relay has at the code's place.
    records: Vec<Bytes>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Opened {
    /// For `recover_account` and `join_devices`.
    account: Fixed<32>,
    root: Fixed<32>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// The account's heads.
    records: Vec<Bytes>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recovered {
    /// A head that names this device; none if one does already.
    records: Vec<Bytes>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecoveryRecords {
    codes: Vec<CodeRecord>,
}

/// What a relay has to have at the place of a recovery code.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CodeRecord {
    /// The code's device, which is one of the account's.
    device: Fixed<32>,
    record: Bytes,
    /// The call that adds it, for the `Authorization` header, after `Bearer `.
    token: String,
}

/// Who signs a call to a code's place, and with what.
struct Signing<'a> {
    keys: &'a CodeKeys,
    relay: &'a str,
    now: i64,
    expires_at: Option<i64>,
    budget: &'a Budget,
}

impl Signing<'_> {
    fn sign(
        &self,
        name: &str,
        (arg, value): (&str, Ipld),
        random: &mut dyn Random,
    ) -> Result<String, Refusal> {
        let key = self.keys.place();
        let place = Did::from_key(&key.public_key());
        let mut nonce = vec![0; NONCE_LENGTH];
        random.fill(&mut nonce)?;
        let command = Command::parse(&format!("{}/{name}", crate::devices::access::COMMAND));
        let invocation = Invocation {
            issuer: place.clone(),
            subject: place,
            audience: Some(read_did("relay", self.relay)?),
            command: command.map_err(|_| VaultError::internal("A relay has no such command."))?,
            args: [(arg.to_owned(), value)].into_iter().collect(),
            proofs: Vec::new(),
            nonce,
            expires_at: self.expires_at,
            issued_at: None,
            meta: None,
            cause: None,
        };
        let (now, budget) = (self.now, self.budget);
        let (made, _) = sign_and_check(&invocation, key, None, now, TextForm::Call, budget)?;
        Ok(made.token)
    }
}

/// Gives a recovery code its device, and what its place at a relay has to have. A head names the device.
pub(super) fn add_code(
    (code, relay): (&str, &str),
    (account, root): (AccountId, RecordId),
    (draft, access, pseudonym): (&Vault, &mut Access, &Pseudonym),
    tools: &mut Tools<'_>,
    budget: &Budget,
) -> Result<Member, Refusal> {
    let code = RecoveryCode::parse(code)?;
    let keys = CodeKeys::derive(code.bytes()).map_err(refused)?;
    let own = StoredKeys::of_code(&keys).get()?;
    let now = tools.now as i64;
    access.permit(pseudonym, own.id(), now)?;
    let permission = access.permission_of(own.id()).ok_or_else(no_permission)?;
    let entry = Entry {
        account,
        root,
        permission: Zeroizing::new(permission.as_bytes().to_vec()),
    };
    let record = keys.seal(&entry, tools.random).map_err(refused)?;
    let signing = Signing {
        keys: &keys,
        relay,
        now,
        // The relay may forget the record at any time.
        expires_at: None,
        budget,
    };
    let id = Ipld::String(base64::encode(&id_of(&record).0));
    let call = signing.sign("append", ("record", id), tools.random)?;
    let method = draft.open_method(UnlockProof::RecoveryCode(&code), tools.memory)?;
    access.add_code(CodeDevice {
        device: Fixed(own.id().0),
        method: *method.public_key(),
        record: Bytes(record),
        call,
    });
    Ok(Member {
        id: own.id(),
        sealing: own.sealing(),
        role: Role::Full,
    })
}

/// `begin_recovery`: on a new device without an account. Makes its keys, and a call that reads the code's place.
pub fn begin(enclave: &mut Enclave, host: &mut dyn Host, input: Begin) -> Result<Begun, Refusal> {
    if !matches!(enclave.account(), Account::Absent) {
        return Err(refused(SyncError::DeviceKnown));
    }
    let budget = &enclave.budget();
    let code = RecoveryCode::parse(input.code.expose())?;
    let keys = CodeKeys::derive(code.bytes()).map_err(refused)?;
    let now = host::now(host)? as i64;
    let signing = Signing {
        keys: &keys,
        relay: &input.relay,
        now,
        expires_at: Some(now + LIFETIME),
        budget,
    };
    let token = signing.sign("read", ("from", Ipld::Integer(1)), host)?;
    let new = StoredKeys::make(host)?;
    enclave.device = None;
    enclave.recovery = Some(Box::new(Recovery { code, keys, new }));
    Ok(Begun { token })
}

/// `open_recovery`: finds the account. From then on, `sign_relay_call` signs with the key of the code's device.
pub fn open(enclave: &mut Enclave, _: &mut dyn Host, input: Found) -> Result<Opened, Refusal> {
    let recovery = enclave.recovery.as_deref().ok_or_else(none_begun)?;
    let mut found = input.records.iter();
    let entry = found.find_map(|record| recovery.keys.open(&record.0));
    let entry = entry.ok_or_else(|| refused(SyncError::RecoveryNotFound))?;
    let permission = core::str::from_utf8(&entry.permission).map_err(|_| damaged())?;
    let keys = StoredKeys::of_code(&recovery.keys);
    let device = Device::joining(keys.get()?, entry.account, entry.root);
    let opened = Opened {
        account: Fixed(entry.account.0),
        root: Fixed(entry.root.0),
    };
    enclave.device = Some(Box::new(OpenDevice {
        keys,
        device,
        permission: Some(permission.to_owned()),
    }));
    Ok(opened)
}

/// `recover_account`: a head by the code's device that names this one. `join_devices` opens the account once the relay shows it.
pub fn recover(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Recover,
) -> Result<Recovered, Refusal> {
    let recovery = enclave.recovery.as_deref().ok_or_else(none_begun)?;
    let found = enclave.device.as_deref().ok_or_else(none_begun)?;
    let stored = Stored {
        v: 1,
        keys: found.keys.clone(),
        account: Fixed(found.device.account().0),
        root: Fixed(found.device.heads().root().0),
        permission: None,
    };
    let open = read_back(&stored, &input.records)?;
    let new = recovery.new.get()?;
    let devices = open.device.devices();
    let devices = devices.ok_or_else(|| refused(SyncError::NotMember))?;
    if devices.member(new.id()).is_some() {
        return Ok(Recovered {
            records: Vec::new(),
        });
    }
    if !devices.is_full(open.device.id()) {
        return Err(refused(SyncError::RecoveryCodeReplaced));
    }
    let add = Proposed::Add {
        device: Fixed(new.id().0),
        sealing: Fixed(new.sealing().0),
        role: None,
    };
    let code = recovery.code.clone();
    let proof = Some(UnlockProof::RecoveryCode(&code));
    let head = propose_by(&open, proof, (&add, None, false), (enclave, host))?;
    Ok(Recovered {
        records: head.records,
    })
}

/// `recovery_records`: what the relay has to have, as often as one likes: it may have forgotten it.
pub fn records(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    _: Nothing,
) -> Result<RecoveryRecords, Refusal> {
    opened(enclave)?;
    let access = Access::of(enclave.unlocked()?)?;
    let codes = access.codes().iter().map(|code| CodeRecord {
        device: code.device,
        record: code.record.clone(),
        token: code.call.clone(),
    });
    Ok(RecoveryRecords {
        codes: codes.collect(),
    })
}

fn none_begun() -> Refusal {
    refused(SyncError::RecoveryNotFound)
}
