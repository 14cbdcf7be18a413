//! `vectors/keyhole/sync-v1.json` and `sync-v2.json`: every form of record, from a fixed stream of bytes. In the first one, heads are of
//! version 1.

extern crate std;

use alloc::string::ToString;
use alloc::vec::Vec;

use data_encoding::HEXLOWER;
use serde_json::{Value, json};

use crate::bytes::{AccountId, Raw};
use crate::change::{Change, Thing};
use crate::device::Device;
use crate::device::proposing::HeadChange;
use crate::device_keys::DeviceKeys;
use crate::head::{Member, Role};
use crate::record;
use crate::testing::Stream;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/keyhole");

/// The versions of heads.
#[derive(Clone, Copy, Debug)]
enum Heads {
    V1,
    V2,
}

fn added(keys: &DeviceKeys, role: Role) -> HeadChange {
    HeadChange::Add(Member {
        id: keys.id(),
        sealing: keys.sealing(),
        role,
    })
}

/// The records, in their order, and the state that they give.
fn make(heads: Heads) -> Value {
    let random = &mut Stream::new();
    let account = AccountId([7; 32]);
    let [laptop, phone, agent] = [(); 3].map(|()| DeviceKeys::make(random).unwrap());
    let parts = (
        &b"what all devices share"[..],
        Raw(b"a sealed state".to_vec()),
    );
    let is_sealed = matches!(heads, Heads::V2);
    let mut device = Device::found_as(is_sealed, laptop, account, parts, random).unwrap();
    let mut records: Vec<_> = device
        .to_send()
        .iter()
        .map(|(_, one)| one.to_vec())
        .collect();
    let mut other = Device::joining(phone.clone(), account, device.heads().root());
    for change in [
        added(&phone, Role::Full),
        added(&agent, Role::Limited),
        HeadChange::Remove(agent.id()),
    ] {
        let head = device.propose(change, (None, None), random).unwrap();
        device.receive(&head).unwrap();
        device.settle().unwrap();
        records.push(head);
    }
    for record in &records {
        other.receive(record).unwrap();
    }
    other.settle().unwrap();
    for (thing, id, value) in [
        (Thing::Token, "bafy", Some("token")),
        (Thing::Contact, "c1", Some("Mia")),
        (Thing::Contact, "c1", Some("Mia Berg")),
        (Thing::Token, "bafy", None),
        (Thing::Revocation, "bafy", Some("revocation")),
    ] {
        let change = Change {
            thing,
            id: id.to_string(),
            value: value.map(|text| Raw(text.as_bytes().to_vec())),
        };
        let before = other.to_send();
        let id = other.write(change, 1_790_000_000, random).unwrap();
        let sent = other.to_send();
        assert_eq!(sent.len(), before.len() + 1);
        let (_, record) = sent.iter().find(|(one, _)| *one == id).unwrap();
        records.push(record.to_vec());
    }
    // Several changes in one operation.
    let several = [
        (Thing::Setting, "s", Some("on")),
        (Thing::Contact, "c2", Some("Ben")),
        (Thing::Contact, "c1", None),
    ];
    let several = several.map(|(thing, id, value)| Change {
        thing,
        id: id.to_string(),
        value: value.map(|text| Raw(text.as_bytes().to_vec())),
    });
    let written = other
        .write_all(several.to_vec(), 1_790_000_000, random)
        .unwrap();
    assert_eq!(written.ids.len(), 1);
    for id in written.ids {
        records.push(other.record(id).unwrap().to_vec());
    }
    let all = records.iter().map(
        |one| json!({"id": HEXLOWER.encode(&record::id_of(one).0), "record": HEXLOWER.encode(one)}),
    );
    json!({
        "from": "crates/sync/src/vector_test.rs, from its stream of bytes: the keys of laptop, phone and agent are its first six draws",
        "account": HEXLOWER.encode(&account.0),
        "records": all.collect::<Vec<_>>(),
        "state": HEXLOWER.encode(&other.state().to_bytes().unwrap()),
    })
}

fn expect(heads: Heads, name: &str) {
    let actual = make(heads);
    let path = std::format!("{PATH}/{name}");
    if std::env::var_os("KEYHOLE_WRITE_VECTORS").is_some() {
        let text = serde_json::to_string_pretty(&actual).unwrap();
        std::fs::write(&path, text + "\n").unwrap();
    }
    let vector: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(vector, actual);
    let random = &mut Stream::new();
    let [_, phone, _] = [(); 3].map(|()| DeviceKeys::make(random).unwrap());
    let records = vector["records"].as_array().unwrap();
    let bytes = |value: &Value| HEXLOWER.decode(value.as_str().unwrap().as_bytes()).unwrap();
    let root = record::id_of(&bytes(&records[0]["record"]));
    let mut reader = Device::joining(phone, AccountId([7; 32]), root);
    for one in records.iter().rev() {
        reader.receive(&bytes(&one["record"])).unwrap();
    }
    reader.settle().unwrap();
    assert_eq!(reader.state().to_bytes().unwrap(), bytes(&vector["state"]));
    assert_eq!(&*reader.sealed_state().unwrap(), b"a sealed state");
}

#[test]
fn records_are_the_same_to_the_byte_and_are_read() {
    expect(Heads::V2, "sync-v2.json");
}

#[test]
fn records_with_heads_of_version_1_are_read() {
    expect(Heads::V1, "sync-v1.json");
}
