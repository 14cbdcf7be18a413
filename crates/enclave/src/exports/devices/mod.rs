//! An account on several devices, over a relay that is not trusted (`docs/sync.md`).
//!
//! A device's keys lie in its account's sealed state, and the keys of epochs are derived from records each time. None of them leaves the
//! enclave. The caller stores every record before it sends it, and every changed state as always.
//!
//! `enclave.wasm` doesn't have these exports: the feature `devices` adds them.

mod code_device;
mod heads;
mod opened;
mod pairing;
mod recovery;
mod relay_calls;

use std::collections::BTreeSet;

use keyhole_sync::bytes::{AccountId, Raw, RecordId};
use keyhole_sync::change::{Change, Thing};
use keyhole_sync::device::Device;
use keyhole_sync::device::stored::{Stored as StoredRecords, StoredPage};
use keyhole_sync::error::SyncError;
use keyhole_sync::head::{Member, Role};
use keyhole_sync::record::Arrived;
use keyhole_sync::relay_view::{Digest, Page};
use keyhole_ucan::codec::base64::{Bytes, Fixed};
use keyhole_vault::error::VaultError;
use keyhole_vault::vault::method_keys::OpenMethod;
use serde::{Deserialize, Serialize, Serializer};
use zeroize::Zeroizing;

use self::opened::{Adopted, opened, status};
use crate::devices::access::{Access, Pseudonym};
use crate::devices::refusals::{damaged, no_device, refused};
use crate::devices::{DeviceStatus, OpenDevice, Stored, StoredKeys, begin, read_back, shared_with};
use crate::enclave::{Account, Enclave};
use crate::export_macro::exports;
use crate::host::{self, Host};
use crate::inputs::Nothing;
use crate::refusal::Refusal;
use crate::secret::{SecretText, write_secret};
use crate::status::Changed;
use crate::unlock_proof::UnlockProofInput;

exports! {
    up to SHORT {
        start_devices: changes_vault, holds_secrets => start [UNLOCKED, CHANGE, UNLOCK_PROOF, DEVICES],
        make_device => make [UNLOCKED, RANDOMNESS, DEVICES],
        join_devices: changes_vault => join [CHANGE, STATE, DEVICES],
        join_as_limited: changes_vault => join_limited [UNLOCKED, CHANGE, DEVICES],
        open_device => open [UNLOCKED, DEVICES],
        take_records => take [UNLOCKED, DEVICES],
        adopt_head: changes_vault => heads::adopt [UNLOCKED, CHANGE, STATE, DEVICES],
        write_changes: holds_secrets => write [UNLOCKED, CLOCK, RANDOMNESS, DEVICES],
        write_again => again [UNLOCKED, RANDOMNESS, DEVICES],
        records_to_send => to_send [UNLOCKED, DEVICES],
        propose_head: holds_secrets => heads::propose [UNLOCKED, CHANGE, UNLOCK_PROOF, STRONGER_UNLOCK_PROOF, STATE, TAKING_IN, KEY_COUNT, KEY_TYPE, KEY_TEXT, KEY_KNOWN, KEY, FIRST_KEY, LABEL, NEW_PASSPHRASE, NEW_PASSKEY, PASSKEY_KNOWN, METHOD, METHOD_COUNT, METHOD_RULE, METHOD_KEYS, ISSUED, DEVICES],
        sign_relay_call: strangers(permission) => relay_calls::sign [UNLOCKED, CLOCK, RANDOMNESS, FIELD, TOKEN, CHAIN, DEVICES],
        revoked_permissions => relay_calls::revoked [UNLOCKED, DEVICES],
        begin_pairing => pairing::begin [UNLOCKED, RANDOMNESS, DEVICES],
        answer_pairing: holds_secrets => pairing::answer [UNLOCKED, RANDOMNESS, DEVICES],
        reveal_pairing => pairing::reveal [RANDOMNESS, DEVICES],
        check_pairing => pairing::check [UNLOCKED, DEVICES],
        finish_pairing => pairing::finish [UNLOCKED, RANDOMNESS, STATE, DEVICES],
        open_pairing => pairing::open [DEVICES],
        sign_mailbox_call: holds_secrets => pairing::sign [CLOCK, RANDOMNESS, FIELD, ISSUED, DEVICES],
        begin_recovery: holds_secrets => recovery::begin [CLOCK, RANDOMNESS, FIELD, ISSUED, UNLOCK_PROOF, DEVICES],
        open_recovery => recovery::open [DEVICES],
        recover_account => recovery::recover [CHANGE, UNLOCK_PROOF, STATE, TAKING_IN, KEY_COUNT, METHOD_COUNT, METHOD_RULE, METHOD_KEYS, ISSUED, FIELD, DEVICES],
        recovery_records => recovery::records [UNLOCKED, DEVICES],
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
pub struct JoinAsLimited {
    account: Fixed<32>,
    root: Fixed<32>,
    records: Vec<Bytes>,
    /// Its permission at the relay. All but the records come from pairing.
    permission: String,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// Those whose place in the relay's list isn't known, in any order.
    records: Vec<Bytes>,
    /// The relay's list, as it was read, from the first place on or from where the last call ended. Default: none.
    #[serde(default)]
    pages: Vec<StoredPageInput>,
    /// What earlier answers gave for any of these records: they are not checked again. Default: none.
    #[serde(default)]
    marks: Vec<Fixed<16>>,
    /// They go on where the last call ended: the device is open with what it was given there. Default: it is opened anew.
    #[serde(default)]
    goes_on: bool,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct StoredPageInput {
    /// The relay's digest of every record before these.
    before: Fixed<32>,
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
    changes: Vec<OneChange>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct OneChange {
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    thing: Thing,
    id: String,
    /// Left out to delete it.
    value: Option<SecretText>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReadThings {
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    thing: Thing,
    /// Only those after this id.
    after: Option<String>,
    /// Only these.
    ids: Option<Vec<String>>,
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
    /// The account's pseudonym at relays, and the id of its first head. Pairing passes both on.
    account: Fixed<32>,
    root: Fixed<32>,
    records: Vec<Bytes>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Opened {
    /// Whether each page begins where the one before ends. If not, their records are here, and the relay is read from its first place.
    fits: bool,
    /// What says later that a record was checked, for those that came without it. Only this device can make or use them.
    marks: Vec<MarkedRecord>,
    #[serde(flatten)]
    device: DeviceStatus,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MarkedRecord {
    id: Fixed<32>,
    mark: Fixed<16>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Taken {
    page: &'static str,
    /// The ids of those that were stored, or were here already: the others are not to be stored.
    stored: Vec<Fixed<32>>,
    /// The things that were changed since the device was opened or this was last called; missing if any may have been.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Vec<ChangedThing>>,
    device: DeviceStatus,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ChangedThing {
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    thing: Thing,
    id: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WrittenChanges {
    records: Vec<Bytes>,
    /// The changes that no trying again will write.
    refused: Vec<RefusedChange>,
    device: DeviceStatus,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RefusedChange {
    /// Its place in the list, from 0.
    at: usize,
    why: &'static str,
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
    /// The device that wrote it, or deleted it.
    author: Fixed<32>,
    /// The last different value.
    older: Text,
    /// The device that wrote that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    older_author: Option<Fixed<32>>,
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

/// `start_devices`: the account gets its pseudonym and its first device. Its state becomes `seal-v2`.
pub fn start(enclave: &mut Enclave, host: &mut dyn Host, input: Start) -> Result<Started, Refusal> {
    let proof = input.proof.read()?;
    let vault = enclave.unlocked()?.clone();
    let _: OpenMethod = enclave.open_method(&vault, proof.get())?;
    if vault.sections().1.is_some() {
        return Err(refused(SyncError::DeviceKnown));
    }
    let (keys, device) = enclave.change(host, |vault, tools| {
        vault.upgrade(tools)?;
        let pseudonym = Pseudonym::make(tools.random)?;
        let account = pseudonym.account()?;
        let keys = StoredKeys::make(tools.random)?;
        let own = keys.get()?;
        let member = Member {
            id: own.id(),
            sealing: own.sealing(),
            role: Role::Full,
        };
        let mut access = Access::begin(&pseudonym, vault, tools.random)?;
        access.permit(&pseudonym, member.id, tools.now as i64)?;
        let section = access.section()?;
        let mut draft = vault.as_draft();
        draft.update(tools, |parts, _| {
            parts.set_shared(section);
            Ok::<_, VaultError>(())
        })?;
        let shared = shared_with(&draft, account, &[member], tools.random)?;
        let state = draft.shared_state(1, tools.random)?.to_text()?;
        let parts = (shared.as_bytes(), Raw(state.into_bytes()));
        let device = Device::found(own, account, parts, tools.random).map_err(refused)?;
        let stored = Stored {
            v: 1,
            keys: keys.clone(),
            account: Fixed(account.0),
            root: Fixed(device.heads().root().0),
            permission: None,
        };
        let section = stored.section()?;
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
        account: Fixed(device.account().0),
        root: Fixed(device.heads().root().0),
        records,
    };
    let open = OpenDevice {
        keys,
        device,
        permission: None,
    };
    enclave.device = Some(Box::new(open));
    Ok(started)
}

/// `make_device`: keys for a device that another one is to add. They are lost if it is closed before it joins. A full device gets its
/// account from the other one, and a limited one has an account of its own open.
pub fn make(enclave: &mut Enclave, host: &mut dyn Host, _: Nothing) -> Result<Public, Refusal> {
    match enclave.account() {
        Account::Absent => {}
        Account::Unlocked(vault) if vault.sections().1.is_none() => {}
        Account::Unlocked(_) => return Err(refused(SyncError::DeviceKnown)),
        Account::Locked(_) => enclave.unlocked().map(drop)?,
    }
    let keys = StoredKeys::make(host)?;
    let own = keys.get()?;
    let public = Public {
        device: Fixed(own.id().0),
        sealing: Fixed(own.sealing().0),
    };
    let (account, root) = (AccountId([0; 32]), RecordId([0; 32]));
    let device = Device::joining(own, account, root);
    let open = OpenDevice {
        keys,
        device,
        permission: None,
    };
    enclave.device = Some(Box::new(open));
    Ok(public)
}

/// `join_devices`: opens the account on a new device, once a head names it. Can be tried again with more records.
pub fn join(enclave: &mut Enclave, host: &mut dyn Host, input: Join) -> Result<Adopted, Refusal> {
    if !matches!(enclave.account(), Account::Absent) {
        return Err(refused(SyncError::DeviceKnown));
    }
    let keys = match (&enclave.recovery, &enclave.device) {
        (Some(recovery), _) => &recovery.new,
        (None, Some(made)) => &made.keys,
        (None, None) => return Err(no_device()),
    };
    let stored = Stored {
        v: 1,
        keys: keys.clone(),
        account: input.account,
        root: input.root,
        permission: None,
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
    // The code's keys have added this device, and do nothing else.
    enclave.recovery = None;
    Ok(Adopted {
        changed: Changed::of(enclave)?,
        device,
    })
}

/// `join_as_limited`: lets the account of a limited device report to another one. It keeps its own keys, and gets none.
pub fn join_limited(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: JoinAsLimited,
) -> Result<Adopted, Refusal> {
    if enclave.unlocked()?.sections().1.is_some() {
        return Err(refused(SyncError::DeviceKnown));
    }
    let made = enclave.device.as_ref().ok_or_else(no_device)?;
    let stored = Stored {
        v: 1,
        keys: made.keys.clone(),
        account: input.account,
        root: input.root,
        permission: Some(input.permission),
    };
    let open = read_back(&stored, &input.records)?;
    let role = open.device.devices();
    let role = role.and_then(|devices| devices.member(open.device.id()));
    if role.is_none_or(|member| member.role != Role::Limited) {
        return Err(refused(SyncError::NotMember));
    }
    let section = stored.section()?;
    enclave.change(host, |vault, tools| {
        vault.upgrade(tools)?;
        vault.update(tools, |parts, _| {
            parts.set_device(Some(section));
            Ok::<_, VaultError>(())
        })
    })?;
    enclave.device = Some(Box::new(open));
    Ok(Adopted {
        changed: Changed::of(enclave)?,
        device: status(enclave)?,
    })
}

/// `open_device`: after unlocking, from what is stored, in one call or several.
pub fn open(enclave: &mut Enclave, _: &mut dyn Host, input: Open) -> Result<Opened, Refusal> {
    if !input.goes_on {
        let section = enclave.unlocked()?.sections().1.ok_or_else(no_device)?;
        let stored: Stored = serde_json::from_str(&section.0).map_err(|_| damaged())?;
        enclave.device = Some(Box::new(begin(&stored)?));
    }
    let device = &mut opened(enclave)?.device;
    let pages = input.pages.iter().map(|page| StoredPage {
        before: Digest(page.before.0),
        records: arrived(&page.records),
    });
    let stored = StoredRecords {
        others: arrived(&input.records),
        pages: pages.collect(),
        marks: input.marks.iter().map(|mark| mark.0).collect(),
    };
    let fits = device.take_stored(&stored).map_err(refused)?;
    let marks = marks_of(device, &stored)?;
    // Whoever opens a device compares everything.
    device.take_changed();
    Ok(Opened {
        fits,
        marks,
        device: status(enclave)?,
    })
}

/// The marks that records came without.
fn marks_of(device: &Device, stored: &StoredRecords<'_>) -> Result<Vec<MarkedRecord>, Refusal> {
    let pages = stored.pages.iter().flat_map(|page| &page.records);
    let mut marked = Vec::new();
    for record in stored.others.iter().chain(pages) {
        let mark = device.mark_of(record.id).map_err(refused)?;
        if let Some(mark) = mark.filter(|mark| !stored.marks.contains(mark)) {
            marked.push(MarkedRecord {
                id: Fixed(record.id.0),
                mark: Fixed(mark),
            });
        }
    }
    Ok(marked)
}

fn arrived(records: &[Bytes]) -> Vec<Arrived<'_>> {
    let records = records.iter();
    records.map(|record| Arrived::of(&record.0)).collect()
}

/// `take_records`: a page of the relay's list.
pub fn take(enclave: &mut Enclave, _: &mut dyn Host, input: Take) -> Result<Taken, Refusal> {
    let open = opened(enclave)?;
    let records = arrived(&input.records);
    let before = input.before.map(|before| Digest(before.0));
    let page = open.device.take_page(before, &records).map_err(refused)?;
    let ids = records.iter().map(|record| record.id);
    let stored = ids.filter(|id| open.device.relay.has(*id));
    let stored = stored.map(|id| Fixed(id.0)).collect();
    let changed = open.device.take_changed().map(|changed| {
        let changed = changed.into_iter();
        changed
            .map(|(thing, id)| ChangedThing { thing, id })
            .collect()
    });
    Ok(Taken {
        changed,
        page: match page {
            Page::GoesOn(_) => "goes_on",
            Page::WentBack => "went_back",
            Page::Again => "again",
        },
        stored,
        device: status(enclave)?,
    })
}

/// `write_changes`: the records are to be stored before they are sent. If they can't be stored, open the device again.
pub fn write(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Write,
) -> Result<WrittenChanges, Refusal> {
    let now = host::now(host)?;
    let changes = input.changes.into_iter().map(|change| Change {
        thing: change.thing,
        id: change.id,
        value: change
            .value
            .map(|value| Raw(value.expose().as_bytes().to_vec())),
    });
    let device = &mut opened(enclave)?.device;
    let written = device
        .write_all(changes.collect(), now, host)
        .map_err(refused)?;
    let refused = written.refused.iter().map(|(at, error)| RefusedChange {
        at: *at,
        why: error.name(),
    });
    Ok(WrittenChanges {
        refused: refused.collect(),
        records: records_of(device, written.ids).records,
        device: status(enclave)?,
    })
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

/// `read_things`: the account's things of one kind, by id.
pub fn things(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    input: ReadThings,
) -> Result<Things, Refusal> {
    let state = opened(enclave)?.device.state();
    let (thing, after) = (input.thing, input.after.as_deref());
    let after = |id: &str| after.is_none_or(|after| id > after);
    let mut found: Box<dyn Iterator<Item = _>> = match &input.ids {
        Some(ids) => {
            let ids: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
            let found = ids.into_iter().filter(move |id| after(id));
            Box::new(found.filter_map(move |id| Some((id, state.get(thing, id)?))))
        }
        None => {
            let all = state.entries();
            let found = all.filter(move |(each, id, _)| *each == thing && after(id));
            Box::new(found.map(|(_, id, entry)| (id, entry)))
        }
    };
    let things = found.by_ref().take(MOST_THINGS);
    let things: Vec<_> = things
        .map(|(id, entry)| OneThing {
            id: id.to_owned(),
            is_deleted: entry.value().is_none(),
            value: Text::of(entry.value()),
            author: Fixed(entry.author().0),
            older: Text::of(entry.older()),
            older_author: entry.older_author().map(|author| Fixed(author.0)),
        })
        .collect();
    Ok(Things {
        things,
        is_all: found.next().is_none(),
    })
}
