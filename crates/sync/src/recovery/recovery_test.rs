extern crate std;

use data_encoding::HEXLOWER;
use serde_json::{Value, json};

use super::{CODE_LENGTH, CodeKeys, Entry, MAX_RECORD};
use crate::bytes::{AccountId, Raw, RecordId};
use crate::device::Device;
use crate::device::proposing::{HeadChange, NewParts};
use crate::device_keys::DeviceKeys;
use crate::error::SyncError;
use crate::head::{Member, Role};
use crate::testing::Stream;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use zeroize::Zeroizing;

const PATH: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../vectors/keyhole/recovery-v1.json"
);

fn code(last: u8) -> [u8; CODE_LENGTH] {
    core::array::from_fn(|at| {
        if at + 1 == CODE_LENGTH {
            last
        } else {
            at as u8
        }
    })
}

fn keys(last: u8) -> CodeKeys {
    CodeKeys::derive(&code(last)).unwrap()
}

fn device(keys: &CodeKeys) -> DeviceKeys {
    DeviceKeys::from_seeds(&keys.signing, keys.opening.clone()).unwrap()
}

fn entry() -> Entry {
    Entry {
        account: AccountId([7; 32]),
        root: RecordId([8; 32]),
        permission: Zeroizing::new(b"permission".to_vec()),
    }
}

#[test]
fn a_record_is_read_with_its_code_alone() {
    let record = keys(15).seal(&entry(), &mut Stream::new()).unwrap();
    let read = keys(15).open(&record).unwrap();
    assert_eq!((read.account, read.root), (entry().account, entry().root));
    assert_eq!(read.permission, entry().permission);
    // One that differs in one bit is another place, with another key.
    assert!(keys(14).open(&record).is_none());
    let place = |keys: &CodeKeys| keys.place().public_key().to_multicodec();
    assert_ne!(place(&keys(14)), place(&keys(15)));
}

#[test]
fn whatever_else_a_relay_has_there_is_not_read() {
    let record = keys(15).seal(&entry(), &mut Stream::new()).unwrap();
    for at in 0..record.len() {
        let mut damaged = record.clone();
        damaged[at] ^= 1;
        assert!(keys(15).open(&damaged).is_none(), "{at}");
        assert!(keys(15).open(&record[..at]).is_none(), "{at}");
    }
    let longer = [&record[..], &[0]].concat();
    assert!(keys(15).open(&longer).is_none());
    assert!(keys(15).open(&std::vec![3; MAX_RECORD + 1]).is_none());
    // A relay takes it for no head.
    assert_ne!(record[0], 1);
    // Nothing of it can be read by others.
    for secret in [&entry().account.0[..], &entry().permission] {
        assert!(!record.windows(secret.len()).any(|part| part == secret));
    }
}

#[test]
fn no_two_keys_of_a_code_are_the_same() {
    let keys = keys(15);
    let mut all = std::vec![
        keys.signing.to_vec(),
        keys.opening.to_vec(),
        keys.place.expose().to_vec(),
        keys.record.to_vec(),
        code(15).to_vec(),
    ];
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 5);
}

fn member(keys: &DeviceKeys) -> Member {
    Member {
        id: keys.id(),
        sealing: keys.sealing(),
        role: Role::Full,
    }
}

fn read(device: &mut Device, records: &[Vec<u8>]) {
    for record in records {
        let _: Result<bool, SyncError> = device.receive(record);
    }
    device.settle().unwrap();
}

/// An account with a laptop and the device of a code, and its heads.
fn with_code(random: &mut Stream) -> (Device, Vec<Vec<u8>>) {
    let parts = (&b"shared"[..], Raw(b"state".to_vec()));
    let laptop = DeviceKeys::make(random).unwrap();
    let mut laptop = Device::found(laptop, AccountId([7; 32]), parts, random).unwrap();
    let mut heads: Vec<_> = laptop
        .to_send()
        .iter()
        .map(|(_, one)| one.to_vec())
        .collect();
    let add = [HeadChange::Add(member(&device(&keys(1))))];
    heads.push(
        laptop
            .propose_all(&add, NewParts::default(), &BTreeSet::new(), random)
            .unwrap(),
    );
    read(&mut laptop, &heads);
    (laptop, heads)
}

#[test]
fn one_head_replaces_the_device_of_a_code() {
    let random = &mut Stream::new();
    let (mut laptop, mut heads) = with_code(random);
    let root = laptop.heads().root();
    let [old, new] = [device(&keys(1)), device(&keys(2))];
    let replace = [HeadChange::Remove(old.id()), HeadChange::Add(member(&new))];
    let head = laptop
        .propose_all(&replace, NewParts::default(), &BTreeSet::new(), random)
        .unwrap();
    read(&mut laptop, core::slice::from_ref(&head));
    heads.push(head);
    let devices = laptop.devices().unwrap();
    assert!(devices.is_full(new.id()) && devices.is_full(laptop.id()));
    assert!(devices.removed(old.id()).is_some());
    let mut by_old = Device::joining(old, AccountId([7; 32]), root);
    read(&mut by_old, &heads);
    assert!(by_old.shared().is_none());
    let add = HeadChange::Add(member(&DeviceKeys::make(random).unwrap()));
    let refused = by_old.propose(add, (None, None), random);
    assert_eq!(refused.err(), Some(SyncError::NotMember));
    let mut by_new = Device::joining(new, AccountId([7; 32]), root);
    read(&mut by_new, &heads);
    assert!(by_new.shared().is_some());
    let head = by_new.propose(add, (None, None), random).unwrap();
    read(&mut laptop, &[head]);
    assert_eq!(laptop.devices().unwrap().members.len(), 3);
    // Nothing is changed in part.
    let twice = laptop.propose_all(&[add, add], NewParts::default(), &BTreeSet::new(), random);
    assert_eq!(twice.err(), Some(SyncError::DeviceKnown));
    let none = [HeadChange::Remove(device(&keys(9)).id())];
    let refused = laptop.propose_all(&none, NewParts::default(), &BTreeSet::new(), random);
    assert_eq!(refused.err(), Some(SyncError::DeviceUnknown));
}

#[test]
fn what_a_replaced_code_adds_on_an_old_list_is_no_device() {
    let random = &mut Stream::new();
    let (mut laptop, heads) = with_code(random);
    let [old, new] = [device(&keys(1)), device(&keys(2))];
    // The relay shows the thief the list from before.
    let mut thief = Device::joining(old.clone(), AccountId([7; 32]), laptop.heads().root());
    read(&mut thief, &heads);
    let stolen = DeviceKeys::make(random).unwrap();
    let add = HeadChange::Add(member(&stolen));
    let forked = thief.propose(add, (None, None), random).unwrap();
    let replace = [HeadChange::Remove(old.id()), HeadChange::Add(member(&new))];
    let head = laptop
        .propose_all(&replace, NewParts::default(), &BTreeSet::new(), random)
        .unwrap();
    read(&mut laptop, &[forked, head]);
    let devices = laptop.devices().unwrap();
    assert!(devices.role(stolen.id()).is_none());
    assert!(devices.is_full(new.id()) && devices.removed(old.id()).is_some());
    assert!(!laptop.has_to_join(&BTreeSet::new()));
}

#[test]
fn the_derivation_is_the_same_to_the_byte() {
    let keys = keys(15);
    let device = device(&keys);
    let record = keys.seal(&entry(), &mut Stream::new()).unwrap();
    let actual = json!({
        "from": "crates/sync/src/recovery/recovery_test.rs, the record's nonce from its stream of bytes",
        "code": HEXLOWER.encode(&code(15)),
        "signing": HEXLOWER.encode(&keys.signing[..]),
        "opening": HEXLOWER.encode(&keys.opening[..]),
        "device": HEXLOWER.encode(&device.id().0),
        "sealing": HEXLOWER.encode(&device.sealing().0),
        "place": HEXLOWER.encode(&keys.place().public_key().to_multicodec()[2..]),
        "account": HEXLOWER.encode(&entry().account.0),
        "root": HEXLOWER.encode(&entry().root.0),
        "permission": "permission",
        "record": HEXLOWER.encode(&record),
    });
    if std::env::var_os("KEYHOLE_WRITE_VECTORS").is_some() {
        let text = serde_json::to_string_pretty(&actual).unwrap();
        std::fs::write(PATH, text + "\n").unwrap();
    }
    let vector: Value = serde_json::from_str(&std::fs::read_to_string(PATH).unwrap()).unwrap();
    assert_eq!(vector, actual);
    let bytes = HEXLOWER
        .decode(vector["record"].as_str().unwrap().as_bytes())
        .unwrap();
    assert_eq!(keys.open(&bytes).unwrap().root, entry().root);
}
