//! Opening an account with nothing but its recovery code and a relay (`docs/sync.md`, "The recovery code").

use ipld_core::ipld::Ipld;
use keyhole_sync::device::Device;
use keyhole_sync::error::SyncError;
use keyhole_sync::recovery::CodeKeys;
use keyhole_ucan::codec::base64::{Bytes, Fixed};
use keyhole_vault::methods::recovery_code::RecoveryCode;
use keyhole_vault::methods::unlock_proof::UnlockProof;
use serde::{Deserialize, Serialize};

use super::code_device::Signing;
use super::heads::{Proposed, propose_by};
use super::opened::opened;
use super::relay_calls::LIFETIME;
use crate::devices::access::Access;
use crate::devices::refusals::{damaged, refused};
use crate::devices::{OpenDevice, Recovery, Stored, StoredKeys, read_back};
use crate::enclave::{Account, Enclave};
use crate::host::{self, Host};
use crate::inputs::Nothing;
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
