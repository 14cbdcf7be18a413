//! An account on several devices, over a relay that is not trusted (`docs/sync.md`).
//!
//! A device's keys lie in its account's sealed state, and the keys of epochs are derived from records each time. None of them leaves the
//! enclave. The caller stores every record before it sends it, and every changed state as always.
//!
//! The artefact that ships doesn't have these exports: the feature `devices` adds them.

use keyhole_sync::bytes::{AccountId, DeviceId, Raw, RecordId, SealingKey};
use keyhole_sync::change::{Change, Thing};
use keyhole_sync::device::{Device, HeadChange};
use keyhole_sync::error::SyncError;
use keyhole_sync::head::{Member, Role};
use keyhole_sync::mend;
use keyhole_sync::relay_view::{Digest, Page};
use keyhole_ucan::codec::base64::{Bytes, Fixed};
use keyhole_vault::error::VaultError;
use serde::{Deserialize, Serialize, Serializer};
use zeroize::Zeroizing;

use crate::devices::{
    DeviceStatus, OpenDevice, Stored, StoredKeys, damaged, no_device, read_back, refused,
    shared_with,
};
use crate::enclave::{Account, Enclave};
use crate::export::exports;
use crate::host::{self, Host};
use crate::inputs::Nothing;
use crate::refusal::Refusal;
use crate::secret::{SecretText, write_secret};
use crate::status::Changed;
use crate::unlock_proof::UnlockProofInput;

exports! {
    up to SHORT {
        start_devices: changes_vault, holds_secrets => start [UNLOCKED, CHANGE, UNLOCK_PROOF, DEVICES],
        make_device => make [RANDOMNESS, DEVICES],
        join_devices: changes_vault => join [CHANGE, STATE, DEVICES],
        open_device => open [UNLOCKED, DEVICES],
        take_records => take [UNLOCKED, DEVICES],
        adopt_head: changes_vault => adopt [UNLOCKED, CHANGE, STATE, DEVICES],
        write_change: holds_secrets => write [UNLOCKED, CLOCK, RANDOMNESS, DEVICES],
        write_again => again [UNLOCKED, RANDOMNESS, DEVICES],
        records_to_send => to_send [UNLOCKED, DEVICES],
        propose_head: holds_secrets => propose [UNLOCKED, CHANGE, UNLOCK_PROOF, STATE, DEVICES],
        read_things => things [UNLOCKED, DEVICES],
    }
}

/// Things in one answer, at most.
const MOST_THINGS: usize = 1_000;
/// Records in one answer end once they are together this long, in bytes.
const MOST_SENT: usize = 4 * 1_024 * 1_024;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Start {
    proof: UnlockProofInput,
    /// The account's pseudonym at relays.
    account: Fixed<32>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Join {
    account: Fixed<32>,
    /// The id of the first head. Both come from pairing, never from the relay.
    root: Fixed<32>,
    records: Vec<Bytes>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Open {
    records: Vec<Bytes>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Take {
    /// The relay's digest of every record before these; left out if it has fewer.
    before: Option<Fixed<32>>,
    records: Vec<Bytes>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Write {
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    thing: Thing,
    id: String,
    /// Left out to delete it.
    value: Option<SecretText>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Propose {
    change: Proposed,
    /// Not needed to join branches.
    proof: Option<UnlockProofInput>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Proposed {
    Add {
        device: Fixed<32>,
        sealing: Fixed<32>,
    },
    Remove {
        device: Fixed<32>,
    },
    Join {},
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReadThings {
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    thing: Thing,
    /// Only those after this id.
    after: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Public {
    device: Fixed<32>,
    sealing: Fixed<32>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Started {
    #[serde(flatten)]
    changed: Changed,
    device: Fixed<32>,
    root: Fixed<32>,
    records: Vec<Bytes>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Adopted {
    #[serde(flatten)]
    changed: Changed,
    device: DeviceStatus,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Taken {
    page: &'static str,
    /// The ids of those that were stored, or were here already: the others are not to be stored.
    stored: Vec<Fixed<32>>,
    device: DeviceStatus,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Records {
    records: Vec<Bytes>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToSend {
    records: Vec<Bytes>,
    /// Whether these are all.
    is_all: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Things {
    things: Vec<OneThing>,
    is_all: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OneThing {
    id: String,
    is_deleted: bool,
    value: Text,
    /// The last different value.
    older: Text,
}

/// A value; `None` if it was deleted, or another device didn't write it as a text.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
struct Text(
    #[serde(serialize_with = "write_text")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    Option<Zeroizing<String>>,
);

fn write_text<S: Serializer>(text: &Option<Zeroizing<String>>, to: S) -> Result<S::Ok, S::Error> {
    match text {
        Some(text) => write_secret(text, to),
        None => to.serialize_none(),
    }
}

impl Text {
    fn of(bytes: Option<&[u8]>) -> Self {
        let text = bytes.and_then(|bytes| core::str::from_utf8(bytes).ok());
        Self(text.map(|text| Zeroizing::new(text.to_owned())))
    }
}

/// `start_devices`: the account gets its first device. Its state becomes `seal-v2`.
pub fn start(enclave: &mut Enclave, host: &mut dyn Host, input: Start) -> Result<Started, Refusal> {
    let proof = input.proof.read()?;
    enclave.check_unlock_proof(proof.get())?;
    if enclave.unlocked()?.sections().1.is_some() {
        return Err(refused(SyncError::DeviceKnown));
    }
    let account = AccountId(input.account.0);
    let (keys, device) = enclave.change(host, |vault, tools| {
        vault.upgrade(tools)?;
        let keys = StoredKeys::make(tools.random)?;
        let own = keys.get()?;
        let member = Member {
            id: own.id(),
            sealing: own.sealing(),
            role: Role::Full,
        };
        let shared = shared_with(vault, account, &[member], tools.random)?;
        let state = vault.shared_state(1, tools.random)?.to_text()?;
        let parts = (shared.as_bytes(), Raw(state.into_bytes()));
        let device = Device::found(own, account, parts, tools.random).map_err(refused)?;
        let stored = Stored {
            v: 1,
            keys: keys.clone(),
            account: input.account,
            root: Fixed(device.heads().root().0),
        };
        let section = stored.section()?;
        let draft = vault.as_draft();
        vault.update(tools, |parts, _| {
            parts.adopt(&draft)?;
            parts.set_device(Some(section));
            Ok::<_, VaultError>(())
        })?;
        Ok::<_, Refusal>((keys, device))
    })?;
    let records = device.to_send().into_iter();
    let records = records.map(|(_, record)| Bytes(record.to_vec())).collect();
    let started = Started {
        changed: Changed::of(enclave)?,
        device: Fixed(device.id().0),
        root: Fixed(device.heads().root().0),
        records,
    };
    enclave.device = Some(Box::new(OpenDevice { keys, device }));
    Ok(started)
}

/// `make_device`: keys for a device that another one is to add. They are lost if it is closed before it joins.
pub fn make(enclave: &mut Enclave, host: &mut dyn Host, _: Nothing) -> Result<Public, Refusal> {
    if !matches!(enclave.account(), Account::Absent) {
        return Err(refused(SyncError::DeviceKnown));
    }
    let keys = StoredKeys::make(host)?;
    let own = keys.get()?;
    let public = Public {
        device: Fixed(own.id().0),
        sealing: Fixed(own.sealing().0),
    };
    let (account, root) = (AccountId([0; 32]), RecordId([0; 32]));
    let device = Device::joining(own, account, root);
    enclave.device = Some(Box::new(OpenDevice { keys, device }));
    Ok(public)
}

/// `join_devices`: opens the account on a new device, once a head names it. Can be tried again with more records.
pub fn join(enclave: &mut Enclave, host: &mut dyn Host, input: Join) -> Result<Adopted, Refusal> {
    if !matches!(enclave.account(), Account::Absent) {
        return Err(refused(SyncError::DeviceKnown));
    }
    let made = enclave.device.as_ref().ok_or_else(no_device)?;
    let stored = Stored {
        v: 1,
        keys: made.keys.clone(),
        account: input.account,
        root: input.root,
    };
    let open = read_back(&stored, &input.records)?;
    if !open.status(None).is_member {
        return Err(refused(SyncError::NotMember));
    }
    let shared = open.shared_vault()?;
    let name = keyhole_ucan::codec::base64::encode(&open.device.id().0);
    let section = stored.section()?;
    let mut vault = shared.clone();
    let mut tools = enclave.tools(host)?;
    vault.update(&mut tools, |parts, _| {
        parts.adopt(&shared)?;
        parts.count_as(&name);
        parts.set_device(Some(section));
        Ok::<_, VaultError>(())
    })?;
    let device = open.status(Some(&vault));
    enclave.begin(vault);
    enclave.device = Some(Box::new(open));
    Ok(Adopted {
        changed: Changed::of(enclave)?,
        device,
    })
}

/// `open_device`: after unlocking, from the records that are stored.
pub fn open(enclave: &mut Enclave, _: &mut dyn Host, input: Open) -> Result<DeviceStatus, Refusal> {
    let vault = enclave.unlocked()?;
    let section = vault.sections().1.ok_or_else(no_device)?;
    let stored: Stored = serde_json::from_str(&section.0).map_err(|_| damaged())?;
    let open = read_back(&stored, &input.records)?;
    let status = open.status(Some(vault));
    enclave.device = Some(Box::new(open));
    Ok(status)
}

/// `take_records`: a page of the relay's list.
pub fn take(enclave: &mut Enclave, _: &mut dyn Host, input: Take) -> Result<Taken, Refusal> {
    let open = opened(enclave)?;
    let records: Vec<&[u8]> = input.records.iter().map(|record| &record.0[..]).collect();
    let before = input.before.map(|before| Digest(before.0));
    let page = open.device.take_page(before, &records).map_err(refused)?;
    let ids = records
        .iter()
        .map(|record| keyhole_sync::record::id_of(record));
    let stored = ids.filter(|id| open.device.relay.has(*id));
    let stored = stored.map(|id| Fixed(id.0)).collect();
    Ok(Taken {
        page: match page {
            Page::GoesOn(_) => "goes_on",
            Page::WentBack => "went_back",
            Page::Again => "again",
        },
        stored,
        device: status(enclave)?,
    })
}

/// `adopt_head`: takes the account's shared parts from the last head.
pub fn adopt(enclave: &mut Enclave, host: &mut dyn Host, _: Nothing) -> Result<Adopted, Refusal> {
    let shared = opened(enclave)?.shared_vault()?;
    enclave.change(host, |vault, tools| {
        vault.update(tools, |parts, _| parts.adopt(&shared))
    })?;
    Ok(Adopted {
        changed: Changed::of(enclave)?,
        device: status(enclave)?,
    })
}

/// `write_change`: the record is to be stored before it is sent. If it can't be stored, open the device again.
pub fn write(enclave: &mut Enclave, host: &mut dyn Host, input: Write) -> Result<Records, Refusal> {
    let now = host::now(host)?;
    let value = input.value.as_ref();
    let change = Change {
        thing: input.thing,
        id: input.id,
        value: value.map(|value| Raw(value.expose().as_bytes().to_vec())),
    };
    let device = &mut opened(enclave)?.device;
    let id = device.write(change, now, host).map_err(refused)?;
    Ok(records_of(device, [id]))
}

/// `write_again`: what only a removed device could open. The records are to be stored before they are sent.
pub fn again(enclave: &mut Enclave, host: &mut dyn Host, _: Nothing) -> Result<Records, Refusal> {
    let device = &mut opened(enclave)?.device;
    let written = device.write_again(host).map_err(refused)?;
    Ok(records_of(device, written.into_iter().map(|(_, new)| new)))
}

fn records_of(device: &Device, ids: impl IntoIterator<Item = RecordId>) -> Records {
    let records = ids.into_iter().filter_map(|id| device.record(id));
    Records {
        records: records.map(|record| Bytes(record.to_vec())).collect(),
    }
}

/// `records_to_send`: in the order in which they are to be sent, up to the first one that the relay refuses.
pub fn to_send(enclave: &mut Enclave, _: &mut dyn Host, _: Nothing) -> Result<ToSend, Refusal> {
    let all = opened(enclave)?.device.to_send();
    let (mut length, mut records) = (0, Vec::new());
    for (_, record) in &all {
        if length > MOST_SENT {
            break;
        }
        length += record.len();
        records.push(Bytes(record.to_vec()));
    }
    Ok(ToSend {
        is_all: records.len() == all.len(),
        records,
    })
}

/// `propose_head`: a head to append. Nothing changes here until it comes back from the relay.
pub fn propose(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Propose,
) -> Result<Records, Refusal> {
    if !matches!(input.change, Proposed::Join {}) {
        let proof = input.proof.as_ref();
        let proof = proof.ok_or_else(|| {
            Refusal::from(VaultError::input(
                "Adding or removing a device needs a proof: missing field `proof`.",
            ))
        })?;
        let proof = proof.read()?;
        enclave.check_unlock_proof(proof.get())?;
    }
    let open = opened(enclave)?;
    let device = &open.device;
    let this = device.id();
    let (number, removed) = match device.heads().tip() {
        Some((_, tip)) => (tip.number, tip.devices.removed.len()),
        None => return Err(refused(SyncError::NotMember)),
    };
    let (mut devices, _) = mend::joined_devices(device.heads(), this).map_err(refused)?;
    let change = match input.change {
        Proposed::Add { device, sealing } => {
            let member = Member {
                id: DeviceId(device.0),
                sealing: SealingKey(sealing.0),
                role: Role::Full,
            };
            devices.members.push(member);
            HeadChange::Add(member)
        }
        Proposed::Remove { device } => {
            let id = DeviceId(device.0);
            devices.members.retain(|member| member.id != id);
            HeadChange::Remove(id)
        }
        Proposed::Join {} => HeadChange::Join,
    };
    let removes = matches!(change, HeadChange::Remove(_)) || devices.removed.len() != removed;
    let mut shared = open.shared_vault()?.as_draft();
    let (account, members) = (device.account(), devices.members);
    let mut tools = enclave.tools(host)?;
    if removes {
        // Who is removed has the old data key, and a head is no secret.
        shared.update(&mut tools, |parts, tools| parts.replace_data_key(tools))?;
    }
    let state = shared.shared_state(number + 1, tools.random)?.to_text()?;
    let text = shared_with(&shared, account, &members, tools.random)?;
    let parts = (Some(text.as_bytes()), Some(Raw(state.into_bytes())));
    let device = &opened(enclave)?.device;
    let head = device.propose(change, parts, host).map_err(refused)?;
    Ok(Records {
        records: vec![Bytes(head)],
    })
}

/// `read_things`: the account's things of one kind, by id.
pub fn things(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    input: ReadThings,
) -> Result<Things, Refusal> {
    let state = opened(enclave)?.device.state();
    let after = input.after.as_deref();
    let mut found = state
        .entries()
        .filter(|(thing, id, _)| *thing == input.thing && after.is_none_or(|after| *id > after));
    let things = found.by_ref().take(MOST_THINGS);
    let things = things.map(|(_, id, entry)| OneThing {
        id: id.to_owned(),
        is_deleted: entry.value().is_none(),
        value: Text::of(entry.value()),
        older: Text::of(entry.older()),
    });
    Ok(Things {
        things: things.collect(),
        is_all: found.next().is_none(),
    })
}

fn opened(enclave: &mut Enclave) -> Result<&mut OpenDevice, Refusal> {
    enclave.unlocked()?;
    enclave.device.as_deref_mut().ok_or_else(no_device)
}

fn status(enclave: &Enclave) -> Result<DeviceStatus, Refusal> {
    let open = enclave.device.as_ref().ok_or_else(no_device)?;
    Ok(open.status(enclave.unlocked().ok()))
}
