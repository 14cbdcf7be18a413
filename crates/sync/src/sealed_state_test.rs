//! What a relay sees of the state in a head, and who opens it (docs/sync.md, "Records").

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use super::tests::{ACCOUNT, account, exchange, member, record_of};
use super::*;
use crate::device::proposing::{HeadChange, NewParts};
use crate::testing::Stream;

const CLEAR: &[u8] = b"did:key:z6Mk, a passphrase's salt";
const LATER: &[u8] = b"did:key:z6Mk, another one";

fn shows(record: &[u8], text: &[u8]) -> bool {
    record.windows(text.len()).any(|part| part == text)
}

/// An account whose state shows parts, from before heads of version 2.
fn clear_account(random: &mut Stream) -> Device {
    let keys = DeviceKeys::make(random).unwrap();
    let parts = (&b"shared"[..], Raw(CLEAR.to_vec()));
    Device::found_as(false, keys, ACCOUNT, parts, random).unwrap()
}

fn with_state(state: &[u8], may_seal: bool) -> NewParts<'static> {
    NewParts {
        state: Some(Raw(state.to_vec())),
        may_seal,
        ..NewParts::default()
    }
}

/// Appends a head, and gives its record.
fn append(
    device: &mut Device,
    change: HeadChange,
    parts: NewParts<'_>,
    random: &mut Stream,
) -> Vec<u8> {
    let head = device.propose_all(&[change], parts, &BTreeSet::new(), random);
    let head = head.unwrap();
    assert_eq!(device.receive(&head), Ok(true));
    device.settle().unwrap();
    head
}

fn state_of(device: &Device) -> Option<Vec<u8>> {
    device.sealed_state().map(|state| state.to_vec())
}

fn add(keys: &DeviceKeys, role: Role) -> HeadChange {
    HeadChange::Add(member(keys, role))
}

#[test]
fn no_record_of_a_new_account_shows_anything_of_its_state() {
    let random = &mut Stream::new();
    let [laptop, phone] = [(); 2].map(|()| DeviceKeys::make(random).unwrap());
    let parts = (&b"shared"[..], Raw(CLEAR.to_vec()));
    let mut laptop = Device::found(laptop, ACCOUNT, parts, random).unwrap();
    // What is left as it is, and what is replaced.
    let none = NewParts::default();
    append(&mut laptop, add(&phone, Role::Full), none, random);
    assert_eq!(state_of(&laptop), Some(CLEAR.to_vec()));
    let later = with_state(LATER, false);
    append(&mut laptop, HeadChange::Join, later, random);
    assert_eq!(state_of(&laptop), Some(LATER.to_vec()));
    assert_eq!(laptop.records.len(), 3);
    for record in laptop.records.values() {
        for text in [CLEAR, LATER, b"did:key"] {
            assert!(!shows(record, text));
        }
    }
}

#[test]
fn heads_whose_states_differ_a_little_have_one_length() {
    let random = &mut Stream::new();
    let (laptop, []) = account([], random);
    let lengths = [1, 200].map(|length| {
        let parts = with_state(&vec![1; length], false);
        let changes = [HeadChange::Join];
        let head = laptop.propose_all(&changes, parts, &BTreeSet::new(), random);
        head.unwrap().len()
    });
    assert_eq!(lengths[0], lengths[1]);
}

#[test]
fn a_state_opens_on_a_branch_whose_epoch_is_unknown() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone, lost]) = account([Role::Full, Role::Full], random);
    let tablet = DeviceKeys::make(random).unwrap();
    // The relay keeps them apart: the phone's branch gets a new epoch that the tablet is never given.
    let parts = with_state(LATER, false);
    let removal = HeadChange::Remove(lost.id());
    append(&mut phone, removal, parts, random);
    let parts = NewParts::default();
    append(&mut laptop, add(&tablet, Role::Full), parts, random);
    let mut tablet = Device::joining(tablet, ACCOUNT, laptop.heads().root());
    exchange(&mut [&mut laptop, &mut phone, &mut tablet]);
    // The branch that removes a device goes on, and is the one that the tablet is not on.
    assert!(tablet.shared().is_none());
    assert_eq!(state_of(&tablet), Some(LATER.to_vec()));
    assert_eq!(state_of(&tablet), state_of(&phone));
}

#[test]
fn a_limited_device_opens_no_state_and_reads_heads() {
    let random = &mut Stream::new();
    let (laptop, [agent]) = account([Role::Limited], random);
    assert!(laptop.sealed_state().is_some());
    assert!(agent.sealed_state().is_none());
    assert!(agent.devices().is_some());
}

#[test]
fn an_account_goes_over_once_it_may_and_never_back() {
    let random = &mut Stream::new();
    let mut laptop = clear_account(random);
    let phone = DeviceKeys::make(random).unwrap();
    // An older device has not said that it reads the new version.
    let none = NewParts::default();
    let head = append(&mut laptop, add(&phone, Role::Full), none, random);
    assert!(shows(&head, CLEAR));
    let parts = with_state(LATER, true);
    let head = append(&mut laptop, HeadChange::Join, parts, random);
    assert!(!shows(&head, LATER));
    // From then on, also where no one says it again.
    let tablet = DeviceKeys::make(random).unwrap();
    let none = NewParts::default();
    let head = append(&mut laptop, add(&tablet, Role::Full), none, random);
    assert!(!shows(&head, LATER));
    // One that was there before reads it, and one that was added later.
    for keys in [phone, tablet] {
        let mut other = Device::joining(keys, ACCOUNT, laptop.heads().root());
        exchange(&mut [&mut laptop, &mut other]);
        assert_eq!(state_of(&other), Some(LATER.to_vec()));
    }
}

/// A head by a full device, made by hand.
fn by_hand(device: &Device, root: Option<&Epoch>, state: &[u8], random: &mut Stream) -> Vec<u8> {
    let (id, tip) = device.heads().tip().unwrap();
    let epoch = Epoch(device.epochs[&tip.epoch].clone());
    let head = NewHead {
        account: ACCOUNT,
        prev: Some((id, tip)),
        devices: tip.devices.clone(),
        joined: Vec::new(),
        epoch: &epoch,
        contents: &device.contents_of(tip).unwrap(),
        state: Raw(state.to_vec()),
        root,
    };
    head.seal(&device.keys, random).unwrap()
}

#[test]
fn a_head_that_shows_its_state_again_is_refused() {
    let random = &mut Stream::new();
    let (mut laptop, []) = account([], random);
    let tip = laptop.heads().tip().map(|(id, _)| id);
    let head = by_hand(&laptop, None, LATER, random);
    assert_eq!(laptop.receive(&head), Err(SyncError::NotAllowed));
    laptop.settle().unwrap();
    assert_eq!(laptop.heads().tip().map(|(id, _)| id), tip);
}

#[test]
fn a_state_that_does_not_open_stops_nothing_but_itself() {
    let random = &mut Stream::new();
    let (mut laptop, [mut stolen]) = account([Role::Full], random);
    let wrong = Epoch::make(random).unwrap();
    let head = by_hand(&stolen, Some(&wrong), LATER, random);
    for device in [&mut laptop, &mut stolen] {
        assert_eq!(device.receive(&head), Ok(true));
        device.settle().unwrap();
    }
    assert_eq!(state_of(&laptop), None);
    // Others still write, and a head with another state goes on from there.
    let token = super::tests::change(crate::change::Thing::Token, "a", "t");
    laptop.write(token, 0, random).unwrap();
    let join = [HeadChange::Join];
    let refused = laptop.propose_all(&join, NewParts::default(), &BTreeSet::new(), random);
    assert_eq!(refused.err(), Some(SyncError::NoEpochKey));
    let parts = with_state(CLEAR, false);
    append(&mut laptop, HeadChange::Remove(stolen.id()), parts, random);
    assert_eq!(state_of(&laptop), Some(CLEAR.to_vec()));
}

#[test]
fn a_state_is_bound_to_its_head() {
    let random = &mut Stream::new();
    let (mut laptop, []) = account([], random);
    let (tip, _) = laptop.heads().tip().unwrap();
    let old = record_of(&laptop, tip);
    let parts = with_state(LATER, false);
    let new = append(&mut laptop, HeadChange::Join, parts, random);
    let read = |record: &[u8]| Head::read(&record::parts(record).unwrap()).unwrap();
    let root = Epoch(laptop.epochs[&read(&old).epoch].clone());
    let [old, new] = [read(&old), read(&new)];
    assert!(old.with_state_of(&new).state(Some(&root)).is_none());
    assert!(new.state(Some(&root)).is_some());
}
