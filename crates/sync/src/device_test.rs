use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::change::{self, Change, Thing};
use crate::device::proposing::HeadChange;
use crate::record::{Arrived, Kind};
use crate::relay_view::{Digest, Page};
use crate::testing::Stream;

pub(super) const ACCOUNT: AccountId = AccountId([7; 32]);

pub(super) fn change(thing: Thing, id: &str, value: &str) -> Change {
    Change {
        thing,
        id: id.to_string(),
        value: Some(Raw(value.as_bytes().to_vec())),
    }
}

pub(super) fn member(keys: &DeviceKeys, role: Role) -> Member {
    Member {
        id: keys.id(),
        sealing: keys.sealing(),
        role,
    }
}

/// Gives every device all records.
pub(super) fn exchange(devices: &mut [&mut Device]) {
    let records: Vec<_> = devices
        .iter()
        .flat_map(|device| device.records.values().cloned())
        .collect();
    for device in devices {
        for record in &records {
            device.receive(record).unwrap();
        }
        device.settle().unwrap();
    }
}

/// An account with a first device and others that have read everything.
pub(super) fn account<const N: usize>(
    roles: [Role; N],
    random: &mut Stream,
) -> (Device, [Device; N]) {
    let keys = DeviceKeys::make(random).unwrap();
    let parts = (&b"shared"[..], Raw(b"sealed state".to_vec()));
    let mut first = Device::found(keys, ACCOUNT, parts, random).unwrap();
    let others = roles.map(|role| {
        let keys = DeviceKeys::make(random).unwrap();
        let add = HeadChange::Add(member(&keys, role));
        let head = first.propose(add, (None, None), random).unwrap();
        first.receive(&head).unwrap();
        first.settle().unwrap();
        Device::joining(keys, ACCOUNT, first.heads().root())
    });
    let mut others = others;
    let mut all: Vec<&mut Device> = others.iter_mut().collect();
    all.push(&mut first);
    exchange(&mut all);
    (first, others)
}

pub(super) fn record_of(device: &Device, id: RecordId) -> Vec<u8> {
    device.records[&id].to_vec()
}

pub(super) fn value(device: &Device, thing: Thing, id: &str) -> Option<Vec<u8>> {
    let entry = device.state().get(thing, id)?;
    entry.value().map(<[u8]>::to_vec)
}

#[test]
fn devices_that_write_apart_have_the_same_afterwards_and_lose_nothing() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    laptop
        .write(change(Thing::Label, "key", "work"), 9_999_999_999, random)
        .unwrap();
    phone
        .write(change(Thing::Label, "key", "Arbeit"), 1, random)
        .unwrap();
    phone
        .write(change(Thing::Token, "bafy", "token"), 1, random)
        .unwrap();
    exchange(&mut [&mut laptop, &mut phone]);
    assert_eq!(laptop.state().to_bytes(), phone.state().to_bytes());
    assert_eq!(
        value(&laptop, Thing::Token, "bafy"),
        Some(b"token".to_vec())
    );
    let label = laptop.state().get(Thing::Label, "key").unwrap();
    let mut both = [label.value().unwrap(), label.older().unwrap()];
    both.sort();
    assert_eq!(both, [&b"Arbeit"[..], b"work"]);
}

#[test]
fn a_revocation_is_never_taken_back() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    phone
        .write(change(Thing::Revocation, "bafy", "revocation"), 0, random)
        .unwrap();
    let deletion = Change {
        value: None,
        ..change(Thing::Revocation, "bafy", "")
    };
    assert_eq!(
        phone.write(deletion, 0, random),
        Err(SyncError::RecordMalformed)
    );
    laptop
        .write(change(Thing::Token, "bafy", "token"), 0, random)
        .unwrap();
    exchange(&mut [&mut laptop, &mut phone]);
    assert!(laptop.state().is_revoked("bafy"));
}

#[test]
fn a_record_with_any_byte_changed_is_refused_and_one_that_comes_twice_changes_nothing() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    let id = phone
        .write(change(Thing::Token, "bafy", "token"), 0, random)
        .unwrap();
    let record = record_of(&phone, id);
    for at in 0..record.len() {
        let mut changed = record.clone();
        changed[at] ^= 1;
        assert!(laptop.receive(&changed).is_err(), "byte {at}");
    }
    assert_eq!(laptop.receive(&record), Ok(true));
    laptop.settle().unwrap();
    let state = laptop.state().to_bytes();
    assert_eq!(laptop.receive(&record), Ok(false));
    laptop.settle().unwrap();
    assert_eq!(laptop.state().to_bytes(), state);
}

#[test]
fn a_record_of_another_account_or_of_a_stranger_changes_nothing() {
    let random = &mut Stream::new();
    let (mut laptop, []) = account([], random);
    let before = laptop.state().to_bytes();
    let keys = DeviceKeys::make(random).unwrap();
    let parts = (&b"shared"[..], Raw(Vec::new()));
    let other = AccountId([8; 32]);
    let mut other = Device::found(keys.clone(), other, parts.clone(), random).unwrap();
    other
        .write(change(Thing::Token, "bafy", "token"), 0, random)
        .unwrap();
    for record in other.records.values() {
        assert_eq!(laptop.receive(record), Err(SyncError::OtherAccount));
    }
    // A stranger's own first head of an account with the same pseudonym.
    let mut stranger = Device::found(keys, ACCOUNT, parts, random).unwrap();
    stranger
        .write(change(Thing::Token, "bafy", "token"), 0, random)
        .unwrap();
    let tip = laptop.heads().tip().map(|(id, _)| id);
    for record in stranger.records.values() {
        let expected = match record::parts(record).unwrap().kind {
            Kind::Head => Err(SyncError::NotAllowed),
            Kind::Operation => Ok(true),
        };
        assert_eq!(laptop.receive(record), expected);
    }
    laptop.settle().unwrap();
    assert_eq!(laptop.heads().tip().map(|(id, _)| id), tip);
    assert_eq!(laptop.state().to_bytes(), before);
}

#[test]
fn what_a_relay_withholds_is_named_by_who_has_read_it() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone, mut tablet]) = account([Role::Full, Role::Full], random);
    let withheld = tablet
        .write(change(Thing::Revocation, "a", "r"), 0, random)
        .unwrap();
    exchange(&mut [&mut phone, &mut tablet]);
    let later = phone
        .write(change(Thing::Token, "b", "t"), 0, random)
        .unwrap();
    laptop.receive(&record_of(&phone, later)).unwrap();
    laptop.settle().unwrap();
    assert_eq!(laptop.logs().missing(), BTreeSet::from([withheld]));
    exchange(&mut [&mut laptop, &mut phone]);
    assert!(laptop.logs().missing().is_empty());
}

#[test]
fn a_relay_that_goes_back_is_noticed_and_gets_everything_again() {
    let random = &mut Stream::new();
    let (mut laptop, []) = account([], random);
    laptop
        .write(change(Thing::Token, "a", "t"), 0, random)
        .unwrap();
    let records: Vec<_> = laptop.records.values().cloned().collect();
    let page: Vec<_> = records.iter().map(|record| Arrived::of(record)).collect();
    assert_eq!(
        laptop.take_page(Some(Digest::default()), &page),
        Ok(Page::GoesOn(2))
    );
    assert!(laptop.to_send().is_empty());
    // It has fewer records than before.
    assert_eq!(laptop.take_page(None, &[]), Ok(Page::WentBack));
    assert_eq!((laptop.relay.next(), laptop.relay.went_back()), (1, 1));
    assert_eq!(laptop.to_send().len(), 2);
}

#[test]
fn heads_that_a_relay_kept_apart_become_one_and_both_removals_hold() {
    let random = &mut Stream::new();
    let roles = [Role::Full, Role::Full, Role::Full];
    let (mut laptop, [mut phone, lost, stolen]) = account(roles, random);
    let remove = |device: &mut Device, id, random: &mut Stream| {
        let head = device
            .propose(HeadChange::Remove(id), (None, None), random)
            .unwrap();
        device.receive(&head).unwrap();
        device.settle().unwrap();
    };
    remove(&mut laptop, lost.id(), random);
    remove(&mut phone, stolen.id(), random);
    exchange(&mut [&mut laptop, &mut phone]);
    let tip = |device: &Device| device.heads().tip().map(|(id, _)| id);
    assert_eq!(tip(&laptop), tip(&phone));
    // Until they are joined, nothing is sealed to a device that one of them has removed.
    let refused = phone.write(change(Thing::Token, "a", "t"), 0, random);
    assert_eq!(refused, Err(SyncError::HeadsDiffer));
    assert!(phone.has_to_join(&BTreeSet::new()));
    let head = phone
        .propose(HeadChange::Join, (None, None), random)
        .unwrap();
    phone.receive(&head).unwrap();
    phone.settle().unwrap();
    exchange(&mut [&mut laptop, &mut phone]);
    assert!(!laptop.has_to_join(&BTreeSet::new()) && !phone.has_to_join(&BTreeSet::new()));
    let devices = laptop.devices().unwrap();
    assert!(devices.removed(lost.id()).is_some() && devices.removed(stolen.id()).is_some());
    assert_eq!(devices.members.len(), 2);
}

#[test]
fn a_limited_device_writes_again_what_only_a_removed_device_can_open() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone, mut agent]) = account([Role::Full, Role::Limited], random);
    let remove = |device: &mut Device, id, random: &mut Stream| {
        let removal = HeadChange::Remove(id);
        let head = device.propose(removal, (None, None), random).unwrap();
        device.receive(&head).unwrap();
        device.settle().unwrap();
    };
    let write = |device: &mut Device, id: &str, random: &mut Stream| {
        let payment = change(Thing::Payment, id, id);
        device.write(payment, 5, random).unwrap()
    };
    write(&mut agent, "before", random);
    exchange(&mut [&mut laptop, &mut phone, &mut agent]);
    remove(&mut phone, laptop.id(), random);
    exchange(&mut [&mut phone, &mut agent]);
    // More than are put in their place at once.
    let names: Vec<_> = (0..40).map(|at| alloc::format!("{at}")).collect();
    let old: Vec<_> = names
        .iter()
        .map(|name| write(&mut agent, name, random))
        .collect();
    // The laptop was added earlier, so its branch goes on.
    remove(&mut laptop, phone.id(), random);
    exchange(&mut [&mut laptop, &mut agent]);
    assert!(!laptop.opens(old[0]));
    // What is written before that doesn't follow what was left out.
    write(&mut agent, "between", random);
    assert!(agent.has_to_write_again());
    let written = agent.write_again(random).unwrap();
    assert_eq!(written.iter().map(|one| one.0).collect::<Vec<_>>(), old);
    assert!(!agent.has_to_write_again());
    assert_eq!(agent.write_again(random), Ok(Vec::new()));
    write(&mut agent, "after", random);
    exchange(&mut [&mut laptop, &mut phone, &mut agent]);
    for name in names
        .iter()
        .map(|name| &name[..])
        .chain(["before", "between", "after"])
    {
        let value = value(&laptop, Thing::Payment, name);
        assert_eq!(value, Some(name.as_bytes().to_vec()), "{name}");
    }
    assert!(!phone.opens(written[0].1));
    assert_eq!(laptop.missing(), BTreeSet::new());
    // The full device has nothing to write again.
    assert_eq!(laptop.write_again(random), Ok(Vec::new()));
}

#[test]
fn a_removed_device_reads_nothing_more_and_what_it_writes_does_not_count() {
    let random = &mut Stream::new();
    let (mut laptop, [mut lost]) = account([Role::Full], random);
    lost.write(change(Thing::Token, "before", "t"), 0, random)
        .unwrap();
    exchange(&mut [&mut laptop, &mut lost]);
    let removal = HeadChange::Remove(lost.id());
    let head = laptop.propose(removal, (None, None), random).unwrap();
    laptop.receive(&head).unwrap();
    laptop.settle().unwrap();
    let secret = laptop
        .write(change(Thing::Token, "after", "t"), 0, random)
        .unwrap();
    lost.write(change(Thing::Token, "late", "t"), 0, random)
        .unwrap();
    exchange(&mut [&mut laptop, &mut lost]);
    assert!(!lost.opens(secret));
    assert_eq!(value(&lost, Thing::Token, "after"), None);
    assert_eq!(value(&laptop, Thing::Token, "late"), None);
    assert_eq!(value(&laptop, Thing::Token, "before"), Some(b"t".to_vec()));
    // Neither does what it claims to have written before.
    let forged = lost
        .forge(vec![change(Thing::Token, "forged", "t")], random)
        .unwrap();
    laptop.receive(&forged).unwrap();
    laptop.settle().unwrap();
    assert_eq!(value(&laptop, Thing::Token, "forged"), None);
    let refused = lost.write(change(Thing::Token, "a", "t"), 0, random);
    assert_eq!(refused, Err(SyncError::NotMember));
}

#[test]
fn a_limited_device_reads_its_own_log_writes_what_it_did_and_cannot_make_itself_more() {
    let random = &mut Stream::new();
    let (mut laptop, [mut agent]) = account([Role::Limited], random);
    let secret = laptop
        .write(change(Thing::Token, "a", "t"), 0, random)
        .unwrap();
    agent
        .write(change(Thing::Line, "1", "did it"), 0, random)
        .unwrap();
    let token = change(Thing::Token, "b", "t");
    assert_eq!(
        agent.write(token.clone(), 0, random),
        Err(SyncError::Limited)
    );
    let forged = agent.forge(vec![token], random).unwrap();
    let head = agent.forge_head(random).unwrap();
    agent.receive(&forged).unwrap();
    for device in [&mut agent, &mut laptop] {
        assert_eq!(device.receive(&head), Err(SyncError::NotAllowed));
    }
    exchange(&mut [&mut laptop, &mut agent]);
    assert!(!agent.opens(secret) && agent.shared().is_none());
    assert_eq!(value(&laptop, Thing::Line, "1"), Some(b"did it".to_vec()));
    assert_eq!(value(&laptop, Thing::Token, "b"), None);
    assert_eq!(
        laptop.devices().unwrap().role(agent.id()),
        Some(Role::Limited)
    );
    let add = HeadChange::Remove(laptop.id());
    let refused = agent.propose(add, (None, None), random);
    assert_eq!(refused.err(), Some(SyncError::NotMember));
}

#[test]
fn a_log_that_forks_keeps_both_sides() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    let mut put_back = phone.clone();
    phone
        .write(change(Thing::Line, "1", "one"), 0, random)
        .unwrap();
    put_back
        .write(change(Thing::Line, "2", "other"), 0, random)
        .unwrap();
    exchange(&mut [&mut laptop, &mut phone, &mut put_back]);
    assert_eq!(value(&laptop, Thing::Line, "1"), Some(b"one".to_vec()));
    assert_eq!(value(&laptop, Thing::Line, "2"), Some(b"other".to_vec()));
    put_back
        .write(change(Thing::Line, "3", "on"), 0, random)
        .unwrap();
    assert_eq!(put_back.logs().ends(phone.id()).len(), 1);
}

#[test]
fn a_relay_sees_no_text_and_few_lengths() {
    let random = &mut Stream::new();
    let (mut laptop, []) = account([], random);
    let mut lengths = vec![];
    for text in ["Berlin", "Berlin office, third floor"] {
        let id = laptop
            .write(change(Thing::Contact, "did:key:z6Mk", text), 0, random)
            .unwrap();
        let record = record_of(&laptop, id);
        let shows = |text: &str| {
            record
                .windows(text.len())
                .any(|part| part == text.as_bytes())
        };
        assert!(!shows("Berlin") && !shows("z6Mk") && !shows("contact"));
        lengths.push(record.len());
    }
    assert_eq!(lengths[0], lengths[1]);
}

fn apply(device: &mut Device, change: HeadChange, random: &mut Stream) {
    let head = device.propose(change, (None, None), random).unwrap();
    device.receive(&head).unwrap();
    device.settle().unwrap();
}

/// As many tokens as these, of one length.
fn tokens(count: usize, length: usize) -> Vec<Change> {
    let text = "t".repeat(length);
    let ids = 0..count;
    ids.map(|at| change(Thing::Token, &alloc::format!("{at:05}"), &text))
        .collect()
}

#[test]
fn many_changes_are_few_records_and_all_of_them_arrive() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    let written = laptop.write_all(tokens(3_000, 1_200), 0, random).unwrap();
    assert_eq!(written.refused, vec![]);
    assert!(written.ids.len() <= 8, "{}", written.ids.len());
    assert_eq!(laptop.unsent(), 3_000);
    exchange(&mut [&mut laptop, &mut phone]);
    let tokens = phone.state().entries();
    assert_eq!(
        tokens.filter(|(thing, ..)| *thing == Thing::Token).count(),
        3_000
    );
    assert_eq!(laptop.state().to_bytes(), phone.state().to_bytes());
}

#[test]
fn the_last_of_two_changes_to_one_thing_holds() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    let changes = ["one", "two", "three"].map(|name| change(Thing::Contact, "c", name));
    let others = tokens(2, 1);
    let changes: Vec<_> = changes.into_iter().chain(others).collect();
    let written = laptop.write_all(changes, 0, random).unwrap();
    assert_eq!(written.ids.len(), 3);
    exchange(&mut [&mut laptop, &mut phone]);
    let name = value(&phone, Thing::Contact, "c");
    assert_eq!(name, Some(b"three".to_vec()));
}

#[test]
fn a_change_that_cannot_be_written_stops_no_other() {
    let random = &mut Stream::new();
    let (mut laptop, [mut agent]) = account([Role::Limited], random);
    let long = |id: &str| Change {
        value: Some(Raw(vec![0; 700_000])),
        ..change(Thing::Token, id, "")
    };
    let id = "x".repeat(change::MAX_ID_BYTES + 1);
    let changes = vec![
        change(Thing::Token, "a", "t"),
        long("b"),
        change(Thing::Token, &id, "t"),
        change(Thing::Token, "c", "t"),
    ];
    let written = laptop.write_all(changes, 0, random).unwrap();
    let refused = [(1, SyncError::TooMany), (2, SyncError::RecordMalformed)];
    assert_eq!(written.refused, refused);
    assert_eq!(value(&laptop, Thing::Token, "c"), Some(b"t".to_vec()));
    assert_eq!(value(&laptop, Thing::Token, "b"), None);
    let lines = ["1", "2"].map(|id| change(Thing::Line, id, "l"));
    let token = change(Thing::Token, "d", "t");
    let changes = lines.into_iter().chain([token]).collect();
    let written = agent.write_all(changes, 0, random).unwrap();
    assert_eq!(written.refused, [(2, SyncError::Limited)]);
    assert_eq!(written.ids.len(), 2);
}

#[test]
fn a_device_says_what_was_changed_and_only_that() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    // After a start, anything may have been.
    assert_eq!(laptop.take_changed(), None);
    assert_eq!(phone.take_changed(), None);
    laptop.write_all(tokens(2, 1), 0, random).unwrap();
    phone
        .write(change(Thing::Contact, "c", "Mia"), 0, random)
        .unwrap();
    assert_eq!(laptop.take_changed(), Some(BTreeSet::new()));
    exchange(&mut [&mut laptop, &mut phone]);
    let contact = (Thing::Contact, "c".to_string());
    assert_eq!(laptop.take_changed(), Some(BTreeSet::from([contact])));
    let token = |id: &str| (Thing::Token, id.to_string());
    let both = BTreeSet::from([token("00000"), token("00001")]);
    assert_eq!(phone.take_changed(), Some(both));
    assert_eq!(phone.take_changed(), Some(BTreeSet::new()));
    // A removal may take back what counted.
    apply(&mut laptop, HeadChange::Remove(phone.id()), random);
    phone
        .write(change(Thing::Contact, "c", "Eve"), 0, random)
        .unwrap();
    exchange(&mut [&mut laptop]);
    assert_eq!(laptop.take_changed(), Some(BTreeSet::new()));
    let last = phone.clone();
    let mut other = Device::joining(laptop.keys.clone(), ACCOUNT, laptop.heads().root());
    for record in last.records.values() {
        other.receive(record).unwrap();
    }
    other.settle().unwrap();
    assert_eq!(other.take_changed(), None);
    exchange(&mut [&mut laptop, &mut other]);
    assert_eq!(value(&other, Thing::Contact, "c"), Some(b"Mia".to_vec()));
    assert_eq!(other.take_changed(), None);
}
