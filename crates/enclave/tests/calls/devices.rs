//! An account on two devices, over a relay that has a list of records and no key.

use keyhole_sync::record;
use keyhole_sync::relay_view::Digest;
use keyhole_ucan::codec::base64;
use serde_json::{Value, json};

use crate::support::{OTHER_WORDS, Plugin, WORDS, by};

fn pseudonym() -> String {
    base64::encode(&[7; 32])
}

fn is_head(record: &str) -> bool {
    base64::decode(record).unwrap().first() == Some(&1)
}

/// As `packages/relay` does it: a head only after all heads.
#[derive(Default)]
struct Relay(Vec<String>);

impl Relay {
    fn append(&mut self, record: &str, heads_read: &Value) -> bool {
        let heads = self.0.iter().filter(|record| is_head(record)).count();
        if is_head(record) && json!(heads) != *heads_read {
            return false;
        }
        if !self.0.iter().any(|one| one == record) {
            self.0.push(record.to_owned());
        }
        true
    }

    fn before(&self, next: usize) -> Option<String> {
        let ids = self.0.get(..next - 1)?.iter();
        let ids = ids.map(|record| record::id_of(&base64::decode(record).unwrap()));
        let digest = ids.fold(Digest::default(), Digest::and);
        Some(base64::encode(&digest.0))
    }
}

/// A client: what it has stored, and an enclave.
struct Client {
    plugin: Plugin,
    stored: Vec<String>,
    state: String,
    proof: Value,
    next: usize,
}

impl Client {
    fn keep(&mut self, answer: &Value) {
        let records = answer["records"].as_array().into_iter().flatten();
        for record in records {
            let record = record.as_str().unwrap().to_owned();
            if !self.stored.contains(&record) {
                self.stored.push(record);
            }
        }
        if let Some(state) = answer["enclave"].as_str() {
            self.state = state.to_owned();
        }
    }

    fn read(&mut self, relay: &Relay) -> Value {
        let mut next = self.next;
        loop {
            let from = relay.0.get(next - 1..).unwrap_or_default();
            let page: Vec<_> = from.iter().take(3).collect();
            let input = json!({"before": relay.before(next), "records": page});
            let taken = self.plugin.ok("take_records", input);
            for record in &page {
                let id = record::id_of(&base64::decode(record).unwrap());
                let stored = taken["stored"].as_array().unwrap();
                if stored.contains(&json!(base64::encode(&id.0))) && !self.stored.contains(record) {
                    self.stored.push((*record).clone());
                }
            }
            let device = taken["device"].clone();
            next = device["next"].as_u64().unwrap() as usize;
            self.next = next;
            if page.is_empty() && taken["page"] == "goes_on" {
                return device;
            }
        }
    }

    fn sync(&mut self, relay: &mut Relay) -> Value {
        let device = self.read(relay);
        if device["has_to_adopt"] == true {
            let adopted = self.plugin.ok("adopt_head", json!({}));
            self.keep(&adopted);
        }
        if device["has_to_write_again"] == true {
            let written = self.plugin.ok("write_again", json!({}));
            self.keep(&written);
        }
        let mut heads = device["heads_read"].as_u64().unwrap();
        loop {
            let to_send = self.plugin.ok("records_to_send", json!({}));
            for record in to_send["records"].as_array().unwrap() {
                let record = record.as_str().unwrap();
                assert!(relay.append(record, &json!(heads)));
                heads += u64::from(is_head(record));
            }
            self.read(relay);
            if to_send["is_all"] == true {
                break;
            }
        }
        if device["has_to_join"] == true {
            self.propose(json!({"change": {"join": {}}}), relay);
        }
        self.read(relay)
    }

    fn propose(&mut self, input: Value, relay: &mut Relay) -> bool {
        let device = self.read(relay);
        let head = self.plugin.ok("propose_head", input);
        let is_taken = relay.append(head["records"][0].as_str().unwrap(), &device["heads_read"]);
        self.read(relay);
        is_taken
    }

    fn change(&mut self, thing: &str, id: &str, value: &str) {
        let input = json!({"thing": thing, "id": id, "value": value});
        let written = self.plugin.ok("write_change", input);
        self.keep(&written);
    }

    fn things(&mut self, thing: &str) -> Value {
        let read = self.plugin.ok("read_things", json!({"thing": thing}));
        assert_eq!(read["is_all"], true);
        read["things"].clone()
    }

    /// Kills it, and starts it from what it has stored.
    fn restart(&mut self) {
        let mut plugin = Plugin::elsewhere();
        plugin.skip(self.stored.len() as u64 + 1);
        let input = json!({"proof": self.proof, "enclave": self.state});
        plugin.ok("unlock_vault", input);
        let records = json!({"records": self.stored});
        plugin.ok("open_device", records);
        self.plugin = plugin;
        self.next = 1;
    }
}

fn first() -> (Client, String) {
    let mut plugin = Plugin::unlocked();
    let input = json!({"proof": by(WORDS), "account": pseudonym()});
    let started = plugin.ok("start_devices", input);
    let mut client = Client {
        plugin,
        stored: Vec::new(),
        state: String::new(),
        proof: by(WORDS),
        next: 1,
    };
    client.keep(&started);
    (client, started["root"].as_str().unwrap().to_owned())
}

/// A second device that a first one has added.
fn two() -> (Client, Client, Relay) {
    let (mut laptop, root) = first();
    let mut relay = Relay::default();
    laptop.sync(&mut relay);
    let mut plugin = Plugin::elsewhere();
    let made = plugin.ok("make_device", json!({}));
    let input = json!({"account": pseudonym(), "root": root, "records": relay.0});
    let early = plugin.refused("join_devices", input, "OPERATION_FAILED");
    assert_eq!(early["name"], "NotMember");
    let add = json!({"change": {"add": made}, "proof": by(WORDS)});
    assert!(laptop.propose(add, &mut relay));
    let input = json!({"account": pseudonym(), "root": root, "records": relay.0});
    let joined = plugin.ok("join_devices", input);
    assert_eq!(joined["device"]["members"].as_array().unwrap().len(), 2);
    let mut phone = Client {
        plugin,
        stored: relay.0.clone(),
        state: String::new(),
        proof: by(WORDS),
        next: 1,
    };
    phone.keep(&joined);
    (laptop, phone, relay)
}

fn meet(laptop: &mut Client, phone: &mut Client, relay: &mut Relay) {
    laptop.sync(relay);
    phone.sync(relay);
    laptop.sync(relay);
}

#[test]
fn a_second_device_opens_the_account_and_signs_with_its_keys() {
    let (mut laptop, mut phone, _) = two();
    let did = |client: &mut Client| client.plugin.ok("get_issuer_did", json!({}));
    assert_eq!(did(&mut laptop), did(&mut phone));
    // The account's passphrase unlocks it there too.
    phone.restart();
    assert_eq!(did(&mut laptop), did(&mut phone));
}

#[test]
fn devices_that_change_things_apart_have_the_same_after_they_meet() {
    let (mut laptop, mut phone, mut relay) = two();
    laptop.change("token", "bafy1", "a token");
    laptop.change("contact", "bob", "Bob");
    phone.change("contact", "bob", "Robert");
    phone.change("revocation", "bafy1", "revoked");
    // Both are killed before they send anything.
    laptop.restart();
    phone.restart();
    meet(&mut laptop, &mut phone, &mut relay);
    for thing in ["token", "contact", "revocation"] {
        assert_eq!(laptop.things(thing), phone.things(thing), "{thing}");
    }
    assert_eq!(laptop.things("token")[0]["value"], "a token");
    assert_eq!(laptop.things("revocation")[0]["id"], "bafy1");
    let bob = &laptop.things("contact")[0];
    let mut both = [bob["value"].as_str(), bob["older"].as_str()];
    both.sort();
    assert_eq!(both, [Some("Bob"), Some("Robert")]);
    // What a device deletes is deleted on the other.
    let deleted = json!({"thing": "contact", "id": "bob"});
    let deleted = phone.plugin.ok("write_change", deleted);
    phone.keep(&deleted);
    meet(&mut laptop, &mut phone, &mut relay);
    assert_eq!(laptop.things("contact")[0]["is_deleted"], true);
    assert_eq!(laptop.things("contact")[0]["value"], Value::Null);
}

#[test]
fn adding_and_removing_a_device_needs_a_proof() {
    let (mut laptop, mut phone, relay) = two();
    laptop.read(&relay);
    let this = phone.read(&relay)["device"].clone();
    for change in [
        json!({"remove": {"device": this}}),
        json!({"add": {"device": pseudonym(), "sealing": pseudonym()}}),
    ] {
        let without = json!({"change": change});
        laptop
            .plugin
            .refused("propose_head", without, "OPERATION_FAILED");
        let wrong = json!({"change": change, "proof": by(OTHER_WORDS)});
        laptop
            .plugin
            .refused("propose_head", wrong, "INVALID_PASSPHRASE");
    }
    let wrong = json!({"proof": by(OTHER_WORDS), "account": pseudonym()});
    Plugin::unlocked().refused("start_devices", wrong, "INVALID_PASSPHRASE");
    let again = json!({"proof": by(WORDS), "account": pseudonym()});
    laptop
        .plugin
        .refused("start_devices", again, "OPERATION_FAILED");
}

#[test]
fn a_removed_device_can_open_nothing_that_came_later() {
    let (mut laptop, mut phone, mut relay) = two();
    let this = phone.read(&relay)["device"].clone();
    let remove = json!({"change": {"remove": {"device": this}}, "proof": by(WORDS)});
    assert!(laptop.propose(remove, &mut relay));
    let device = laptop.sync(&mut relay);
    assert_eq!(device["members"].as_array().unwrap().len(), 1);
    // The account's state has a new key.
    assert_eq!(device["has_to_adopt"], false);
    laptop.change("token", "later", "secret");
    laptop.sync(&mut relay);
    let device = phone.read(&relay);
    assert_eq!(device["is_member"], false);
    assert_eq!(phone.things("token"), json!([]));
    let write = json!({"thing": "token", "id": "x", "value": "x"});
    let refused = phone
        .plugin
        .refused("write_change", write, "OPERATION_FAILED");
    assert_eq!(refused["name"], "NotMember");
    let adopt = phone
        .plugin
        .refused("adopt_head", json!({}), "OPERATION_FAILED");
    assert_eq!(adopt["name"], "NoEpochKey");
    // The laptop goes on after a restart, with the same passphrase.
    laptop.restart();
    assert_eq!(laptop.things("token")[0]["value"], "secret");
}

#[test]
fn a_hostile_relay_changes_nothing_and_sees_no_text() {
    let (mut laptop, mut phone, mut relay) = two();
    laptop.change("contact", "bob-hidden-id", "Bob, hidden");
    laptop.sync(&mut relay);
    for record in &relay.0 {
        let bytes = base64::decode(record).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        for secret in ["hidden", "contact", "Ada"] {
            assert!(!text.contains(secret), "{secret}");
        }
    }
    // Damaged, cut off, and not records at all.
    let mut hostile = Relay::default();
    for record in relay.0.iter().rev() {
        let mut bytes = base64::decode(record).unwrap();
        hostile.0.push(base64::encode(&bytes[..bytes.len() - 1]));
        let at = bytes.len() / 2;
        bytes[at] ^= 1;
        hostile.0.push(base64::encode(&bytes));
    }
    hostile.0.push(base64::encode(b"no record"));
    hostile.0.push(String::new());
    let before = phone.read(&relay);
    let device = phone.read(&hostile);
    assert_eq!(device["members"], before["members"]);
    assert!(device["went_back"].as_u64() > before["went_back"].as_u64());
    assert_eq!(phone.things("contact")[0]["value"], "Bob, hidden");
    // What the relay forgot is sent again.
    phone.sync(&mut hostile);
    for record in &phone.stored {
        assert!(hostile.0.contains(record));
    }
}

#[test]
fn a_device_is_closed_with_its_account_and_by_taking_its_beginning_back() {
    let (mut laptop, _) = first();
    let mut other = Plugin::unlocked();
    let input = json!({"proof": by(WORDS), "account": pseudonym()});
    let started = other.ok("start_devices", input);
    let revision = started["status"]["account"]["revision"].clone();
    let revision = match revision {
        Value::Null => started["status"]["revision"].clone(),
        other => other,
    };
    other.ok("rollback_vault", json!({"revision": revision}));
    let closed = other.refused("records_to_send", json!({}), "OPERATION_FAILED");
    assert_eq!(closed["name"], "NoDevice");
    laptop.plugin.ok("lock_vault", json!({}));
    laptop
        .plugin
        .refused("records_to_send", json!({}), "VAULT_LOCKED");
    let unlock = json!({"proof": by(WORDS)});
    laptop.plugin.ok("unlock_vault", unlock);
    let closed = laptop
        .plugin
        .refused("records_to_send", json!({}), "OPERATION_FAILED");
    assert_eq!(closed["name"], "NoDevice");
    laptop.restart();
    // An account without devices has none to open.
    let none = Plugin::unlocked().refused(
        "open_device",
        json!({"records": laptop.stored}),
        "OPERATION_FAILED",
    );
    assert_eq!(none["name"], "NoDevice");
}
