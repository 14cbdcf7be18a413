//! What a hostile relay can do with a device of the account, removed or limited, or with keys that it makes itself.

extern crate std;

use alloc::vec;
use alloc::vec::Vec;
use std::time::{Duration, Instant};

use super::tests::{ACCOUNT, account, change, exchange, member, record_of, value};
use super::*;
use crate::change::{self, Change, Thing};
use crate::device::proposing::HeadChange;
use crate::device::receiving::MAX_AFTER_REMOVAL;
use crate::head::MAX_CUT;
use crate::operation::{MAX_SEEN, Operation};
use crate::record::{Arrived, MAX_RECORD_BYTES};
use crate::relay_view::{Digest, Page};
use crate::testing::Stream;
use keyhole_vault::seal::format::MAX_NUMBER;

/// A change in a record that is almost as long as one may be.
fn long_change(id: &str) -> Change {
    Change {
        value: Some(Raw(vec![0; 600_000])),
        ..change(Thing::Line, id, "")
    }
}

/// Operations by a key that the relay made.
fn strangers(count: usize, random: &mut Stream) -> Vec<Vec<u8>> {
    let keys = DeviceKeys::make(random).unwrap();
    let parts = (&b""[..], Raw(Vec::new()));
    let mut stranger = Device::found(keys, ACCOUNT, parts, random).unwrap();
    let ids = (0..count).map(|_| stranger.write(long_change("1"), 0, random).unwrap());
    let ids: Vec<_> = ids.collect();
    ids.iter().map(|id| record_of(&stranger, *id)).collect()
}

/// Fills the room that strangers have.
fn fill(device: &mut Device, random: &mut Stream) {
    let mut records = strangers(60, random).into_iter();
    let refused = records.find_map(|record| device.receive(&record).err());
    assert_eq!(refused, Some(SyncError::TooManyWaiting));
}

fn apply(device: &mut Device, change: HeadChange, random: &mut Stream) {
    let head = device.propose(change, (None, None), random).unwrap();
    device.receive(&head).unwrap();
    device.settle().unwrap();
}

#[test]
fn strangers_cannot_use_up_the_room_of_devices() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    fill(&mut laptop, random);
    let token = change(Thing::Token, "a", "t");
    let id = phone.write(token, 0, random).unwrap();
    assert_eq!(laptop.receive(&record_of(&phone, id)), Ok(true));
    laptop.settle().unwrap();
    assert_eq!(value(&laptop, Thing::Token, "a"), Some(b"t".to_vec()));
    laptop.write(long_change("mine"), 0, random).unwrap();
}

#[test]
fn what_there_was_no_room_for_is_read_again() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    fill(&mut laptop, random);
    // The relay shows operations of a new device before the head that adds it.
    let keys = DeviceKeys::make(random).unwrap();
    let mut tablet = Device::joining(keys.clone(), ACCOUNT, phone.heads().root());
    apply(
        &mut phone,
        HeadChange::Add(member(&keys, Role::Full)),
        random,
    );
    exchange(&mut [&mut phone, &mut tablet]);
    let id = tablet.write(long_change("new"), 0, random).unwrap();
    let (head, _) = phone.heads().tip().unwrap();
    let list = [record_of(&tablet, id), record_of(&phone, head)];
    let list: Vec<_> = list.iter().map(|record| Arrived::of(record)).collect();
    let none = Digest::default();
    assert_eq!(laptop.take_page(Some(none), &list), Ok(Page::GoesOn(2)));
    assert!(!laptop.counted().contains(&id));
    let ids = list.iter().map(|record| record.id);
    let all = ids.fold(none, Digest::and);
    assert_eq!(laptop.take_page(Some(all), &[]), Ok(Page::Again));
    assert_eq!(laptop.relay.next(), 1);
    assert_eq!(laptop.take_page(Some(none), &list), Ok(Page::GoesOn(2)));
    assert_eq!(laptop.take_page(Some(all), &[]), Ok(Page::GoesOn(0)));
    assert!(laptop.counted().contains(&id));
}

#[test]
fn a_limited_device_goes_on_although_it_cannot_read_most_of_what_it_gets() {
    let random = &mut Stream::new();
    let (mut laptop, [mut agent]) = account([Role::Limited], random);
    for _ in 0..60 {
        let id = laptop.write(long_change("1"), 0, random).unwrap();
        let _ = agent.receive(&record_of(&laptop, id));
    }
    agent.settle().unwrap();
    agent.write(long_change("2"), 0, random).unwrap();
}

#[test]
fn records_that_can_never_count_are_not_stored() {
    let random = &mut Stream::new();
    let (mut laptop, [mut agent]) = account([Role::Limited], random);
    let before = laptop.records.len();
    let head = agent.forge_head(random).unwrap();
    assert_eq!(laptop.receive(&head), Err(SyncError::NotAllowed));
    // Sealed under a key that is not the epoch's.
    let (head, tip) = laptop.heads().tip().unwrap();
    let (epoch, wrong) = (tip.epoch, Epoch::make(random).unwrap());
    let operation = Operation {
        seq: 1,
        prev: Vec::new(),
        seen: Vec::new(),
        head,
        lamport: 1,
        at: 0,
        changes: vec![change(Thing::Line, "1", "x")],
    };
    let mut seal = |operation: &Operation, lane: &Key| {
        operation
            .seal(ACCOUNT, (epoch, lane), &agent.keys, random)
            .unwrap()
    };
    let unreadable = seal(&operation, &wrong.0);
    // In no place that there is.
    let misplaced = Operation {
        seq: 7,
        ..operation
    };
    let lane = agent.lanes.get(&epoch).unwrap().clone();
    let misplaced = seal(&misplaced, &lane);
    for record in [unreadable, misplaced] {
        assert_eq!(laptop.receive(&record), Ok(true));
    }
    laptop.settle().unwrap();
    assert_eq!(laptop.records.len(), before);
    assert_eq!(laptop.logs().sealed().count(), 0);
    agent.settle().unwrap();
}

#[test]
fn a_device_that_makes_its_log_fork_can_be_removed_and_stops_no_one_from_writing() {
    let random = &mut Stream::new();
    let (mut laptop, [agent]) = account([Role::Limited], random);
    for _ in 0..600 {
        let mut copy = agent.clone();
        let id = copy
            .write(change(Thing::Line, "1", "x"), 0, random)
            .unwrap();
        laptop.receive(&record_of(&copy, id)).unwrap();
    }
    laptop.settle().unwrap();
    assert_eq!(laptop.logs().ends(agent.id()).len(), 600);
    for _ in 0..4 {
        let id = laptop
            .write(change(Thing::Token, "a", "t"), 0, random)
            .unwrap();
        let seen = &laptop.logs().get(id).unwrap().operation.seen;
        assert!(seen.len() <= MAX_SEEN);
    }
    apply(&mut laptop, HeadChange::Remove(agent.id()), random);
    let removed = laptop.devices().unwrap().removed(agent.id()).unwrap();
    assert_eq!(removed.cut.len(), MAX_CUT);
}

#[test]
fn removals_of_a_device_whose_log_forks_can_be_joined() {
    let random = &mut Stream::new();
    let roles = [Role::Full, Role::Limited];
    let (mut laptop, [mut phone, agent]) = account(roles, random);
    for device in [&mut laptop, &mut phone] {
        for _ in 0..80 {
            let mut copy = agent.clone();
            let id = copy
                .write(change(Thing::Line, "1", "x"), 0, random)
                .unwrap();
            device.receive(&record_of(&copy, id)).unwrap();
        }
        device.settle().unwrap();
        apply(device, HeadChange::Remove(agent.id()), random);
    }
    exchange(&mut [&mut laptop, &mut phone]);
    assert!(phone.has_to_join(&BTreeSet::new()));
    apply(&mut phone, HeadChange::Join, random);
    let removed = phone.devices().unwrap().removed(agent.id()).unwrap();
    assert_eq!(removed.cut.len(), 2 * MAX_CUT);
    assert!(!phone.has_to_join(&BTreeSet::new()));
}

#[test]
fn a_device_that_writes_the_highest_number_stops_no_one_from_writing() {
    let random = &mut Stream::new();
    let (mut laptop, [mut stolen]) = account([Role::Full], random);
    stolen.lamport = MAX_NUMBER - 1;
    stolen
        .write(change(Thing::Token, "a", "t"), 0, random)
        .unwrap();
    exchange(&mut [&mut laptop, &mut stolen]);
    for id in ["b", "c"] {
        laptop
            .write(change(Thing::Token, id, "t"), 0, random)
            .unwrap();
        assert_eq!(value(&laptop, Thing::Token, id), Some(b"t".to_vec()));
    }
}

#[test]
fn an_end_that_is_withheld_after_a_removal_is_named_and_counts_when_it_comes() {
    let random = &mut Stream::new();
    let roles = [Role::Full, Role::Full];
    let (mut laptop, [mut phone, mut lost]) = account(roles, random);
    let first = lost
        .write(change(Thing::Token, "1", "t"), 0, random)
        .unwrap();
    let last = lost
        .write(change(Thing::Token, "2", "t"), 0, random)
        .unwrap();
    exchange(&mut [&mut laptop, &mut lost]);
    apply(&mut laptop, HeadChange::Remove(lost.id()), random);
    let (head, _) = laptop.heads().tip().unwrap();
    for id in [first, head] {
        phone.receive(&record_of(&laptop, id)).unwrap();
    }
    phone.settle().unwrap();
    assert_eq!(phone.missing(), BTreeSet::from([last]));
    phone.receive(&record_of(&laptop, last)).unwrap();
    phone.settle().unwrap();
    assert!(phone.missing().is_empty());
    assert_eq!(phone.state().to_bytes(), laptop.state().to_bytes());
}

#[test]
fn what_a_removed_device_goes_on_writing_fills_no_storage() {
    let random = &mut Stream::new();
    let (mut laptop, [mut lost]) = account([Role::Full], random);
    apply(&mut laptop, HeadChange::Remove(lost.id()), random);
    let mut refused = Ok(true);
    for _ in 0..=MAX_AFTER_REMOVAL {
        let id = lost
            .write(change(Thing::Line, "1", "x"), 0, random)
            .unwrap();
        refused = laptop.receive(&record_of(&lost, id));
        laptop.settle().unwrap();
    }
    assert_eq!(refused, Err(SyncError::TooManyWaiting));
}

#[test]
fn a_record_of_a_removed_device_costs_the_same_however_many_there_are() {
    let random = &mut Stream::new();
    let (mut laptop, [mut lost]) = account([Role::Full], random);
    apply(&mut laptop, HeadChange::Remove(lost.id()), random);
    let mut steps_with = |others: usize| {
        for _ in 0..others {
            let line = change(Thing::Line, "1", "x");
            laptop.write(line, 0, random).unwrap();
        }
        let late = (0..20).map(|_| {
            let line = change(Thing::Line, "1", "x");
            let id = lost.write(line, 0, random).unwrap();
            record_of(&lost, id)
        });
        let late: Vec<_> = late.collect();
        laptop.logs.steps.set(0);
        for record in &late {
            laptop.receive(record).unwrap();
        }
        laptop.logs.steps.get()
    };
    assert_eq!([steps_with(5), steps_with(500)], [0, 0]);
}

#[test]
fn a_device_that_was_added_with_two_roles_gives_the_same_state_in_any_order() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    let keys = DeviceKeys::make(random).unwrap();
    let mut tablet = Device::joining(keys.clone(), ACCOUNT, laptop.heads().root());
    let root = laptop.heads().root();
    let blank = Device::joining(laptop.keys.clone(), ACCOUNT, root);
    apply(
        &mut laptop,
        HeadChange::Add(member(&keys, Role::Limited)),
        random,
    );
    apply(
        &mut phone,
        HeadChange::Add(member(&keys, Role::Full)),
        random,
    );
    exchange(&mut [&mut phone, &mut tablet]);
    phone
        .write(change(Thing::Line, "1", "phone's"), 0, random)
        .unwrap();
    exchange(&mut [&mut phone, &mut tablet]);
    tablet
        .write(change(Thing::Line, "1", "tablet's"), 0, random)
        .unwrap();
    exchange(&mut [&mut phone, &mut tablet]);
    // First the phone's branch, where the tablet is a full device, then the laptop's, which goes on.
    let mut first = blank.clone();
    for device in [&phone, &tablet, &laptop] {
        for record in device.records.values() {
            first.receive(record).unwrap();
        }
        first.settle().unwrap();
    }
    let mut last = blank;
    for device in [&laptop, &tablet, &phone] {
        for record in device.records.values() {
            last.receive(record).unwrap();
        }
    }
    last.settle().unwrap();
    let role = |device: &Device| device.devices().unwrap().role(keys.id());
    assert_eq!(role(&first), Some(Role::Limited));
    assert_eq!(first.state().to_bytes(), last.state().to_bytes());
}

#[test]
fn a_log_that_comes_backwards_is_read_quickly() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    for _ in 0..4_000 {
        phone
            .write(change(Thing::Line, "1", "x"), 0, random)
            .unwrap();
    }
    let placed = phone.logs().placed();
    let mut log: Vec<_> = placed.map(|(id, one)| (one.operation.seq, id)).collect();
    log.sort();
    for (_, id) in log.iter().rev() {
        laptop.receive(&record_of(&phone, *id)).unwrap();
    }
    let start = Instant::now();
    laptop.settle().unwrap();
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(laptop.counted().len(), 4_000);
}

#[test]
fn the_longest_record_costs_little_and_a_longer_one_is_refused() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    // As many values as fit: each takes one byte here, and much more in memory.
    let mut record = vec![2; 65];
    record.extend([0x9a, 0, 0x0b, 0xff, 0xba]);
    record.resize(MAX_RECORD_BYTES, 0);
    let start = Instant::now();
    assert_eq!(laptop.receive(&record), Err(SyncError::RecordMalformed));
    let refused = start.elapsed();
    record.push(0);
    assert_eq!(laptop.receive(&record), Err(SyncError::RecordMalformed));
    let id = phone.write(long_change("1"), 0, random).unwrap();
    let record = record_of(&phone, id);
    let start = Instant::now();
    assert_eq!(laptop.receive(&record), Ok(true));
    laptop.settle().unwrap();
    let taken = start.elapsed();
    std::println!(
        "a list of {MAX_RECORD_BYTES} bytes: {refused:?}; {} bytes: {taken:?}",
        record.len()
    );
    assert!(refused + taken < Duration::from_secs(2));
}

/// An operation by a device of the account with these changes, whatever they are.
fn operation_with(device: &Device, changes: Vec<Change>, random: &mut Stream) -> Vec<u8> {
    device.forge(changes, random).unwrap()
}

fn lines(count: usize) -> Vec<Change> {
    let ids = 0..count;
    ids.map(|at| change(Thing::Line, &std::format!("{at:05}"), ""))
        .collect()
}

#[test]
fn only_what_a_device_would_write_in_one_operation_is_read() {
    let random = &mut Stream::new();
    let (mut laptop, [phone]) = account([Role::Full], random);
    let [a, b] = ["a", "b"].map(|id| change(Thing::Line, id, "x"));
    let deletion = Change {
        value: None,
        ..b.clone()
    };
    let before = laptop.records.len();
    for wrong in [
        vec![],
        vec![b.clone(), a.clone()],
        vec![a.clone(), a.clone()],
        vec![a.clone(), deletion],
        lines(change::MAX_CHANGES + 1),
    ] {
        let record = operation_with(&phone, wrong, random);
        laptop.receive(&record).unwrap();
        laptop.settle().unwrap();
        assert_eq!(laptop.records.len(), before);
    }
    let record = operation_with(&phone, vec![a, b], random);
    laptop.receive(&record).unwrap();
    laptop.settle().unwrap();
    assert_eq!(value(&laptop, Thing::Line, "b"), Some(b"x".to_vec()));
}

/// An operation, as every version has written one change.
#[derive(serde::Serialize)]
struct Older {
    seq: u64,
    prev: Vec<RecordId>,
    seen: Vec<RecordId>,
    head: RecordId,
    lamport: u64,
    at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<Change>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<Change>>,
}

#[test]
fn one_change_has_the_form_that_it_always_had_and_no_other() {
    let head = RecordId([1; 32]);
    let one = change(Thing::Line, "a", "x");
    let operation = Operation {
        seq: 1,
        prev: Vec::new(),
        seen: Vec::new(),
        head,
        lamport: 1,
        at: 0,
        changes: vec![one.clone()],
    };
    let form = |change, changes| {
        let (prev, seen) = (Vec::new(), Vec::new());
        let form = Older {
            seq: 1,
            prev,
            seen,
            head,
            lamport: 1,
            at: 0,
            change,
            changes,
        };
        record::encode(&form).unwrap()
    };
    let older = form(Some(one.clone()), None);
    assert_eq!(record::encode(&operation).unwrap(), older);
    assert_eq!(record::decode::<Operation>(&older), Ok(operation));
    let two = vec![one.clone(), change(Thing::Line, "b", "x")];
    for (change, changes, is_read) in [
        (None, None, false),
        (None, Some(Vec::new()), false),
        (None, Some(vec![one.clone()]), false),
        (Some(one), Some(two.clone()), false),
        (None, Some(two), true),
    ] {
        let read = record::decode::<Operation>(&form(change, changes));
        assert_eq!(read.is_ok(), is_read);
    }
}

#[test]
fn a_limited_device_writes_one_change_at_a_time() {
    let random = &mut Stream::new();
    let (mut laptop, [agent]) = account([Role::Limited], random);
    let record = operation_with(&agent, lines(2), random);
    laptop.receive(&record).unwrap();
    laptop.settle().unwrap();
    assert!(laptop.counted().is_empty());
}

#[test]
fn as_many_changes_as_fit_in_records_cost_little() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    let written = phone.write_all(lines(100 * 1_024), 0, random).unwrap();
    assert_eq!(written.ids.len(), 100);
    let records: Vec<_> = written
        .ids
        .iter()
        .map(|id| record_of(&phone, *id))
        .collect();
    let start = Instant::now();
    for record in &records {
        laptop.receive(record).unwrap();
    }
    laptop.settle().unwrap();
    let taken = start.elapsed();
    let length: usize = records.iter().map(Vec::len).sum();
    std::println!("102,400 changes in {length} bytes: {taken:?}");
    assert_eq!(laptop.state().entries().count(), 102_400);
    assert!(taken < Duration::from_secs(5));
}

/// On one branch the phone adds a tablet, which then removes all others. The relay shows the laptop nothing of it.
fn phones_branch(laptop: &Device, phone: &mut Device, random: &mut Stream) -> Device {
    let keys = DeviceKeys::make(random).unwrap();
    let mut tablet = Device::joining(keys.clone(), ACCOUNT, laptop.heads().root());
    apply(phone, HeadChange::Add(member(&keys, Role::Full)), random);
    exchange(&mut [phone, &mut tablet]);
    for removed in [laptop.id(), phone.id()] {
        apply(&mut tablet, HeadChange::Remove(removed), random);
    }
    tablet
}

/// All of them read all heads, also one that reads them backwards, and none has another last one.
fn agree(devices: &mut [&mut Device]) {
    exchange(devices);
    let (last, reader) = (devices[0].heads().tip().unwrap().0, &devices[0]);
    let mut backwards = Device::joining(reader.keys.clone(), ACCOUNT, reader.heads().root());
    let mut heads: Vec<_> = reader.heads().valid().collect();
    heads.sort_by_key(|(id, head)| core::cmp::Reverse((head.number, *id)));
    for (id, _) in heads {
        backwards.receive(&record_of(reader, id)).unwrap();
    }
    for device in devices.iter().map(|device| &**device).chain([&backwards]) {
        assert_eq!(device.heads().tip().unwrap().0, last);
    }
}

#[test]
fn the_branch_goes_on_that_leaves_the_other_one_no_device_to_join_it() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    let mut tablet = phones_branch(&laptop, &mut phone, random);
    // The laptop was added earlier, so its head would go on.
    let agent = DeviceKeys::make(random).unwrap();
    apply(
        &mut laptop,
        HeadChange::Add(member(&agent, Role::Limited)),
        random,
    );
    agree(&mut [&mut laptop, &mut phone, &mut tablet]);
    let devices = laptop.devices().unwrap();
    assert!(devices.removed(laptop.id()).is_some() && devices.is_full(tablet.id()));
    tablet
        .write(change(Thing::Token, "a", "t"), 0, random)
        .unwrap();
}

#[test]
fn a_device_that_was_removed_takes_over_nothing_by_adding_another_one() {
    let random = &mut Stream::new();
    let (mut laptop, [mut phone]) = account([Role::Full], random);
    let mut tablet = phones_branch(&laptop, &mut phone, random);
    let removal = HeadChange::Remove(phone.id());
    apply(&mut laptop, removal, random);
    agree(&mut [&mut laptop, &mut phone, &mut tablet]);
    let devices = laptop.devices().unwrap();
    assert!(devices.is_full(laptop.id()) && devices.role(tablet.id()).is_none());
    assert!(devices.removed(phone.id()).is_some());
}
