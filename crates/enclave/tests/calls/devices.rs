//! An account on two devices, over a relay that has a list of records and no key.

use keyhole_enclave::{DEVICE_EXPORTS, EXPORTS};
use keyhole_sync::record;
use keyhole_sync::relay_view::Digest;
use keyhole_ucan::codec::base64;
use serde_json::{Value, json};

use crate::malformed::examples;
use crate::support::{OTHER_WORDS, Plugin, WORDS, by};

/// 32 bytes that are no one's key.
fn bytes() -> String {
    base64::encode(&[7; 32])
}

pub fn is_head(record: &str) -> bool {
    base64::decode(record).unwrap().first() == Some(&1)
}

/// As `packages/relay` does it: a head only after all heads.
#[derive(Default)]
pub struct Relay(pub Vec<String>);

impl Relay {
    pub fn append(&mut self, record: &str, heads_read: &Value) -> bool {
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
pub struct Client {
    pub plugin: Plugin,
    pub stored: Vec<String>,
    pub state: String,
    pub proof: Value,
    pub next: usize,
    pub account: String,
}

impl Client {
    pub fn keep(&mut self, answer: &Value) {
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

    pub fn read(&mut self, relay: &Relay) -> Value {
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

    pub fn sync(&mut self, relay: &mut Relay) -> Value {
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

    pub fn propose(&mut self, input: Value, relay: &mut Relay) -> bool {
        let device = self.read(relay);
        let head = self.plugin.ok("propose_head", input);
        let is_taken = relay.append(head["records"][0].as_str().unwrap(), &device["heads_read"]);
        self.read(relay);
        is_taken
    }

    pub fn change(&mut self, thing: &str, id: &str, value: &str) {
        let input = json!({"changes": [{"thing": thing, "id": id, "value": value}]});
        let written = self.plugin.ok("write_changes", input);
        self.keep(&written);
    }

    pub fn things(&mut self, thing: &str) -> Value {
        let read = self.plugin.ok("read_things", json!({"thing": thing}));
        assert_eq!(read["is_all"], true);
        read["things"].clone()
    }

    /// Kills it, and starts it from what it has stored.
    pub fn restart(&mut self) {
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

pub fn first() -> (Client, String) {
    let mut plugin = Plugin::unlocked();
    let input = json!({"proof": by(WORDS)});
    let started = plugin.ok("start_devices", input);
    let mut client = Client {
        plugin,
        stored: Vec::new(),
        state: String::new(),
        proof: by(WORDS),
        next: 1,
        account: started["account"].as_str().unwrap().to_owned(),
    };
    client.keep(&started);
    (client, started["root"].as_str().unwrap().to_owned())
}

/// A second device that a first one has added.
pub fn two() -> (Client, Client, Relay) {
    let (mut laptop, root) = first();
    let mut relay = Relay::default();
    laptop.sync(&mut relay);
    let mut plugin = Plugin::elsewhere();
    let made = plugin.ok("make_device", json!({}));
    let account = laptop.account.clone();
    let input = json!({"account": account, "root": root, "records": relay.0});
    let early = plugin.refused("join_devices", input, "OPERATION_FAILED");
    assert_eq!(early["name"], "NotMember");
    let add = json!({"change": {"add": made}, "proof": by(WORDS)});
    assert!(laptop.propose(add, &mut relay));
    let input = json!({"account": account, "root": root, "records": relay.0});
    let joined = plugin.ok("join_devices", input);
    assert_eq!(joined["device"]["members"].as_array().unwrap().len(), 2);
    let mut phone = Client {
        plugin,
        stored: relay.0.clone(),
        state: String::new(),
        proof: by(WORDS),
        next: 1,
        account,
    };
    phone.keep(&joined);
    (laptop, phone, relay)
}

pub fn meet(laptop: &mut Client, phone: &mut Client, relay: &mut Relay) {
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
    // Each is named with who wrote it.
    let (bob, laptop_id) = (bob.clone(), laptop.read(&relay)["device"].clone());
    let phone_id = phone.read(&relay)["device"].clone();
    let by = |value: &str| match value {
        "Bob" => &laptop_id,
        _ => &phone_id,
    };
    for (value, author) in [("value", "author"), ("older", "older_author")] {
        assert_eq!(&bob[author], by(bob[value].as_str().unwrap()));
    }
    // What a device deletes is deleted on the other.
    let deleted = json!({"changes": [{"thing": "contact", "id": "bob"}]});
    let deleted = phone.plugin.ok("write_changes", deleted);
    phone.keep(&deleted);
    meet(&mut laptop, &mut phone, &mut relay);
    assert_eq!(laptop.things("contact")[0]["is_deleted"], true);
    assert_eq!(laptop.things("contact")[0]["value"], Value::Null);
}

/// A copy of what a device has stored, opened somewhere else.
#[test]
fn a_copy_of_a_device_that_leaves_can_write_nothing_as_that_device() {
    let (mut laptop, mut phone, mut relay) = two();
    laptop.change("contact", "bob", "Bob");
    let before = laptop.state.clone();
    let mut copy = Plugin::another();
    copy.ok("close_vault", json!({}));
    copy.ok(
        "unlock_vault",
        json!({"proof": by(WORDS), "enclave": before}),
    );
    // Until it has left, its keys can't be changed either.
    copy.refused("generate_key", json!({}), "OPERATION_FAILED");
    let records = json!({"records": laptop.stored});
    copy.ok("open_device", records.clone());
    let left = copy.ok("leave_devices", json!({}));
    let write = json!({"changes": [{"thing": "contact", "id": "eve", "value": "Eve"}]});
    for (name, input) in [("write_changes", write), ("open_device", records)] {
        let refused = copy.refused(name, input, "OPERATION_FAILED");
        assert_eq!(refused["name"], "NoDevice", "{name}");
    }
    // Once is enough.
    assert_eq!(copy.ok("leave_devices", json!({})), left);
    copy.ok("generate_key", json!({}));
    // What is stored has no device either, and can become one of others.
    let mut again = Plugin::another();
    again.ok("close_vault", json!({}));
    again.ok(
        "unlock_vault",
        json!({"proof": by(WORDS), "enclave": left["enclave"]}),
    );
    let refused = again.refused("open_device", json!({"records": []}), "OPERATION_FAILED");
    assert_eq!(refused["name"], "NoDevice");
    again.ok("start_devices", json!({"proof": by(WORDS)}));
    // The device goes on as before.
    laptop.restart();
    laptop.change("contact", "carol", "Carol");
    meet(&mut laptop, &mut phone, &mut relay);
    assert_eq!(phone.things("contact").as_array().unwrap().len(), 2);
    assert_eq!(phone.read(&relay)["missing"], 0);
}

#[test]
fn adding_and_removing_a_device_needs_a_proof() {
    let (mut laptop, mut phone, relay) = two();
    laptop.read(&relay);
    let this = phone.read(&relay)["device"].clone();
    for change in [
        json!({"remove": {"device": this}}),
        json!({"add": {"device": bytes(), "sealing": bytes()}}),
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
    let wrong = json!({"proof": by(OTHER_WORDS)});
    Plugin::unlocked().refused("start_devices", wrong, "INVALID_PASSPHRASE");
    let again = json!({"proof": by(WORDS)});
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
    let write = json!({"changes": [{"thing": "token", "id": "x", "value": "x"}]});
    let refused = phone
        .plugin
        .refused("write_changes", write, "OPERATION_FAILED");
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
fn a_device_is_opened_from_its_records_in_any_order_and_number_of_calls() {
    let (mut laptop, _) = first();
    for id in ["a", "b", "c"] {
        laptop.change("contact", id, id);
    }
    let whole = {
        laptop.restart();
        laptop.things("contact")
    };
    laptop.plugin.ok("lock_vault", json!({}));
    let unlock = json!({"proof": by(WORDS)});
    laptop.plugin.ok("unlock_vault", unlock);
    let further = |record: &Value| json!({"records": [record], "goes_on": true});
    // Nothing is open that it could go on from.
    let first = laptop.stored[0].clone().into();
    let closed = laptop
        .plugin
        .refused("open_device", further(&first), "OPERATION_FAILED");
    assert_eq!(closed["name"], "NoDevice");
    laptop.plugin.ok("open_device", json!({"records": []}));
    let mut opened = Value::Null;
    for record in laptop.stored.iter().rev() {
        let record = record.clone().into();
        opened = laptop.plugin.ok("open_device", further(&record));
    }
    assert_eq!(opened["missing"], 0);
    assert_eq!(opened["unsent"], 3);
    assert_eq!(laptop.things("contact"), whole);
}

#[test]
fn a_device_opens_from_its_pages_in_one_call_and_checks_each_record_once() {
    let (mut laptop, _) = first();
    let mut relay = Relay::default();
    for at in 0..4 {
        laptop.change("contact", &format!("c{at}"), "Ada");
        laptop.sync(&mut relay);
    }
    laptop.change("contact", "unsent", "Ada");
    let unsent = laptop.stored.last().unwrap().clone();
    let whole = laptop.things("contact");
    let page =
        |at: usize, record: &String| json!({"before": relay.before(at + 1), "records": [record]});
    let pages = relay.0.iter().enumerate();
    let mut input = json!({"records": [unsent], "pages": pages.map(|(at, one)| page(at, one)).collect::<Vec<_>>()});
    let opened = laptop.plugin.ok("open_device", input.clone());
    let places = json!(relay.0.len() + 1);
    assert_eq!((&opened["fits"], &opened["next"]), (&json!(true), &places));
    assert_eq!(opened["unsent"], 1);
    let marks = opened["marks"].as_array().unwrap();
    assert_eq!(marks.len(), relay.0.len() + 1);
    assert_eq!(laptop.things("contact"), whole);

    let known: Vec<_> = marks.iter().map(|one| one["mark"].clone()).collect();
    input["marks"] = json!(known);
    let mut again = laptop.plugin.ok("open_device", input.clone());
    assert_eq!(again["marks"], json!([]));
    again["marks"] = opened["marks"].clone();
    assert_eq!(again, opened);
    assert_eq!(laptop.things("contact"), whole);

    // Someone else's, and a page that is out of its place.
    input["marks"] = json!([base64::encode(&[7; 16])]);
    input["pages"][2]["before"] = json!(bytes());
    let apart = laptop.plugin.ok("open_device", input);
    assert_eq!((&apart["fits"], &apart["next"]), (&json!(false), &json!(1)));
    assert_eq!(apart["marks"], opened["marks"]);
    assert_eq!(laptop.things("contact"), whole);
    laptop.next = 1;
    let read = laptop.read(&relay);
    assert_eq!((&read["next"], &read["went_back"]), (&places, &json!(0)));
}

#[test]
fn a_device_is_closed_with_its_account_and_by_taking_its_beginning_back() {
    let (mut laptop, _) = first();
    let mut other = Plugin::unlocked();
    let input = json!({"proof": by(WORDS)});
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

pub const RELAY: &str = "did:web:relay.example";

/// Signs a call, and answers what a relay would find in it.
fn signed(client: &mut Client, input: Value) -> Value {
    let signed = client.plugin.ok("sign_relay_call", input);
    let call = json!({"invocation": signed["token"], "audience": RELAY});
    Plugin::elsewhere().ok("validate_invocation", call)
}

pub fn did_of(key: &Value) -> String {
    let key = base64::decode(key.as_str().unwrap()).unwrap();
    let key = [&[0xed, 0x01], &key[..]].concat();
    let key = keyhole_ucan::identity::key::PublicKey::from_multicodec(&key).unwrap();
    keyhole_ucan::identity::did::Did::from_key(&key)
        .as_str()
        .to_owned()
}

#[test]
fn a_device_signs_calls_for_its_account_and_one_relay() {
    let (mut laptop, mut phone, relay) = two();
    let account = did_of(&json!(laptop.account));
    let calls = [
        json!({"read": {"from": 3}}),
        json!({"append": {"record": bytes()}}),
        json!({"watch": {}}),
    ];
    let args = [json!({"from": 3}), json!({"record": bytes()}), json!({})];
    for client in [&mut laptop, &mut phone] {
        let device = did_of(&client.read(&relay)["device"]);
        for (call, args) in calls.iter().zip(&args) {
            let checked = signed(client, json!({"call": call, "relay": RELAY}));
            assert_eq!(checked["valid"], true, "{checked}");
            assert_eq!(checked["subject"], account);
            assert_eq!(checked["issuer"], device);
            assert_eq!(checked["args"], *args);
            let name = call.as_object().unwrap().keys().next().unwrap();
            assert_eq!(checked["command"], format!("/relay/records/{name}"));
        }
        let call = json!({"call": {"watch": {}}, "relay": "did:web:other.example"});
        assert_eq!(signed(client, call)["error"]["name"], "InvalidAudience");
    }
    // Neither is the account's own key, which no relay learns.
    let own = laptop.plugin.ok("get_issuer_did", json!({}))["did"].clone();
    assert_ne!(own, account);
}

#[test]
fn a_device_that_has_not_joined_signs_with_the_permission_from_pairing_only() {
    let (mut laptop, root) = first();
    let mut relay = Relay::default();
    laptop.sync(&mut relay);
    let mut plugin = Plugin::elsewhere();
    let made = plugin.ok("make_device", json!({}));
    let add = json!({"change": {"add": made}, "proof": by(WORDS)});
    let head = laptop.plugin.ok("propose_head", add.clone());
    // A head that is proposed again gives the same permission: one that no one would revoke is never left behind.
    let again = laptop.plugin.ok("propose_head", add);
    assert_eq!(head["permission"], again["permission"]);
    let mut phone = Client {
        plugin,
        stored: Vec::new(),
        state: String::new(),
        proof: by(WORDS),
        next: 1,
        account: laptop.account.clone(),
    };
    let call = json!({"call": {"read": {"from": 1}}, "relay": RELAY});
    let closed = phone
        .plugin
        .refused("sign_relay_call", call.clone(), "VAULT_NOT_INITIALIZED");
    assert_eq!(closed["name"], "NoVault");
    let mut with = call;
    with["permission"] = head["permission"].clone();
    assert_eq!(signed(&mut phone, with.clone())["valid"], true);
    // Another device's permission is of no use.
    let mut other = Plugin::elsewhere();
    other.skip(5);
    other.ok("make_device", json!({}));
    let refused = other.refused("sign_relay_call", with, "OPERATION_FAILED");
    assert_eq!(refused["name"], "InvalidAudience");
    assert!(!root.is_empty());
}

#[test]
fn a_removed_devices_permission_is_revoked_by_any_device_as_often_as_needed() {
    let (mut laptop, mut phone, mut relay) = two();
    let lost = phone.read(&relay)["device"].clone();
    let call = json!({"call": {"watch": {}}, "relay": RELAY});
    let token = phone.plugin.ok("sign_relay_call", call)["token"].clone();
    let none = laptop.plugin.ok("revoked_permissions", json!({}));
    assert_eq!(none["permissions"], json!([]));
    let remove = json!({"change": {"remove": {"device": lost}}, "proof": by(WORDS)});
    assert!(laptop.propose(remove, &mut relay));
    laptop.sync(&mut relay);
    // Also after a restart: a client that was killed has perhaps not told the relay.
    laptop.restart();
    let revoked = laptop.plugin.ok("revoked_permissions", json!({}));
    let [one] = &revoked["permissions"].as_array().unwrap()[..] else {
        panic!("one permission is revoked");
    };
    assert_eq!(one["device"], lost);
    let mut checker = Plugin::elsewhere();
    let call = json!({"invocation": token, "audience": RELAY, "revocations": [one["revocation"]]});
    let checked = checker.ok("validate_invocation", call);
    assert_eq!(checked["error"]["name"], "Revoked", "{checked}");
    let read = json!({"token": one["token"], "revocations": [one["revocation"]]});
    let checked = checker.ok("verify_token", read);
    assert_eq!(checked["error"]["name"], "Revoked");
    // The laptop's is as it was.
    let call = json!({"call": {"watch": {}}, "relay": RELAY});
    assert_eq!(signed(&mut laptop, call)["valid"], true);
}

pub fn keys(client: &mut Client) -> Vec<String> {
    let keys = client.plugin.ok("list_keys", json!({}));
    let ids = keys["keys"].as_array().unwrap().iter();
    ids.map(|key| key["key_id"].as_str().unwrap().to_owned())
        .collect()
}

pub fn kinds(client: &mut Client) -> Vec<String> {
    let methods = client.plugin.ok("list_unlock_methods", json!({}));
    let kinds = methods["methods"].as_array().unwrap().iter();
    let kinds = kinds.map(|method| method["kind"].as_str().unwrap().to_owned());
    let mut kinds: Vec<_> = kinds.collect();
    kinds.sort();
    kinds
}

#[test]
fn keys_and_unlock_methods_change_on_every_device_through_a_head() {
    let (mut laptop, mut phone, mut relay) = two();
    let before = keys(&mut laptop);
    let refused = laptop
        .plugin
        .refused("generate_key", json!({}), "OPERATION_FAILED");
    assert_eq!(refused["name"], "Internal");
    // Refused by the relay: nothing has changed anywhere.
    let head = laptop.plugin.ok(
        "propose_head",
        json!({"change": {"keys": {"generate_key": {}}}}),
    );
    assert!(!relay.append(head["records"][0].as_str().unwrap(), &json!(0)));
    laptop.restart();
    assert_eq!(keys(&mut laptop), before);
    laptop.sync(&mut relay);
    // Appended, and killed before it was adopted.
    let change = json!({"change": {"keys": {"generate_key": {"key_type": "p256"}}}});
    assert!(laptop.propose(change, &mut relay));
    laptop.restart();
    let device = laptop.read(&relay);
    assert_eq!(device["has_to_adopt"], true);
    assert_eq!(keys(&mut laptop), before);
    meet(&mut laptop, &mut phone, &mut relay);
    assert_eq!(keys(&mut laptop).len(), 2);
    assert_eq!(keys(&mut laptop), keys(&mut phone));
    // Another device deletes it.
    let id = keys(&mut phone)[1].clone();
    let default = json!({"change": {"keys": {"set_default_key": {"key_id": id}}}});
    assert!(phone.propose(default, &mut relay));
    phone.sync(&mut relay);
    let delete = json!({"change": {"keys": {"delete_key": {"key_id": id}}}});
    assert!(phone.propose(delete, &mut relay));
    meet(&mut laptop, &mut phone, &mut relay);
    assert_eq!(keys(&mut laptop), before);
    // The passphrase.
    let change = json!({"unlock_methods": {"set_passphrase": {"passphrase": OTHER_WORDS}}});
    let without = json!({"change": change});
    laptop
        .plugin
        .refused("propose_head", without, "OPERATION_FAILED");
    let change = json!({"change": change, "proof": by(WORDS)});
    assert!(laptop.propose(change, &mut relay));
    // Until it is adopted, the old one still opens the account here, and is refused for the next head.
    laptop.restart();
    laptop.read(&relay);
    let code = json!({"change": {"unlock_methods": {"new_recovery_code": {}}}, "proof": by(WORDS)});
    laptop
        .plugin
        .refused("propose_head", code, "INVALID_PASSPHRASE");
    for client in [&mut laptop, &mut phone] {
        client.sync(&mut relay);
        client.proof = by(OTHER_WORDS);
        client.restart();
        assert_eq!(client.read(&relay)["has_to_adopt"], false);
    }
    // The new one gives permissions too.
    let head =
        json!({"change": {"unlock_methods": {"new_recovery_code": {}}}, "proof": by(OTHER_WORDS)});
    let device = phone.read(&relay);
    let made = phone.plugin.ok("propose_head", head);
    assert!(relay.append(made["records"][0].as_str().unwrap(), &device["heads_read"]));
    meet(&mut laptop, &mut phone, &mut relay);
    let code = made["recovery_code"].clone();
    assert_eq!(kinds(&mut laptop), ["passphrase", "recovery_code"]);
    laptop.proof = json!({"recovery_code": code});
    laptop.restart();
    let lost = phone.read(&relay)["device"].clone();
    laptop.read(&relay);
    let remove = json!({"change": {"remove": {"device": lost}}, "proof": laptop.proof});
    assert!(laptop.propose(remove, &mut relay));
    laptop.sync(&mut relay);
    let revoked = laptop.plugin.ok("revoked_permissions", json!({}));
    assert_eq!(revoked["permissions"][0]["device"], lost);
}

#[test]
fn branches_are_joined_with_the_keys_methods_and_permissions_of_both() {
    let (mut laptop, mut phone, mut relay) = two();
    meet(&mut laptop, &mut phone, &mut relay);
    // The relay shows each a list of its own.
    let mut other = Relay(relay.0.clone());
    assert!(laptop.propose(
        json!({"change": {"keys": {"generate_key": {}}}}),
        &mut relay
    ));
    laptop.sync(&mut relay);
    let passphrase = json!({"change": {"unlock_methods": {"set_passphrase": {"passphrase": OTHER_WORDS}}}, "proof": by(WORDS)});
    assert!(laptop.propose(passphrase, &mut relay));
    laptop.sync(&mut relay);
    let import = json!({"change": {"keys": {"generate_key": {"key_type": "p256"}}}});
    assert!(phone.propose(import, &mut other));
    phone.sync(&mut other);
    let code = json!({"change": {"unlock_methods": {"new_recovery_code": {}}}, "proof": by(WORDS)});
    assert!(phone.propose(code, &mut other));
    phone.sync(&mut other);
    let mut tablet = Plugin::elsewhere();
    tablet.skip(7);
    let tablet = tablet.ok("make_device", json!({}));
    let add = json!({"change": {"add": tablet}, "proof": by(WORDS)});
    assert!(phone.propose(add, &mut other));
    phone.sync(&mut other);
    let [ours, theirs] = [&mut laptop, &mut phone].map(keys);
    assert_eq!([ours.len(), theirs.len()], [2, 2]);
    assert_ne!(ours, theirs);
    for record in &other.0 {
        if !relay.0.contains(record) {
            relay.0.push(record.clone());
        }
    }
    for _ in 0..4 {
        meet(&mut laptop, &mut phone, &mut relay);
    }
    for client in [&mut laptop, &mut phone] {
        let device = client.read(&relay);
        assert_eq!(device["has_to_join"], false);
        assert_eq!(device["has_to_adopt"], false);
        assert_eq!(device["members"].as_array().unwrap().len(), 3);
        assert_eq!(kinds(client), ["passphrase", "recovery_code"]);
    }
    let all = keys(&mut laptop);
    assert_eq!(all, keys(&mut phone));
    assert!(ours.iter().chain(&theirs).all(|key| all.contains(key)));
    assert_eq!(all.len(), 3);
    // The passphrase that was replaced on one branch opens nothing that came later.
    laptop.proof = by(OTHER_WORDS);
    laptop.restart();
    let mut plugin = Plugin::elsewhere();
    let old = json!({"proof": by(WORDS), "enclave": phone.state});
    plugin.refused("unlock_vault", old, "INVALID_PASSPHRASE");
    // The device that only one branch added can be removed by the new passphrase, and its permission is revoked.
    laptop.read(&relay);
    let remove =
        json!({"change": {"remove": {"device": tablet["device"]}}, "proof": by(OTHER_WORDS)});
    assert!(laptop.propose(remove, &mut relay));
    laptop.sync(&mut relay);
    let revoked = laptop.plugin.ok("revoked_permissions", json!({}));
    assert_eq!(revoked["permissions"][0]["device"], tablet["device"]);
}

#[test]
fn every_export_for_devices_refuses_what_it_does_not_take_by_a_declared_name() {
    let mut locked = Plugin::unlocked();
    locked.ok("lock_vault", json!({}));
    let (started, _) = first();
    for mut plugin in [
        Plugin::elsewhere(),
        Plugin::unlocked(),
        locked,
        started.plugin,
    ] {
        for export in DEVICE_EXPORTS {
            let inputs = [
                String::new(),
                "null".to_owned(),
                "[]".to_owned(),
                "{\"".to_owned(),
                "{}".to_owned(),
                r#"{"unknown":1}"#.to_owned(),
                r#"{"message":""}"#.to_owned(),
                r#"{"message":[256]}"#.to_owned(),
                r#"{"records":["AA","",[1,2]]}"#.to_owned(),
                format!(r#"{{"message":"{}"}}"#, "A".repeat(100_000)),
                format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000)),
            ];
            for input in inputs {
                let answer = plugin.raw(export.name, input.as_bytes());
                let answer: Value = serde_json::from_str(&answer).unwrap();
                let Some(name) = answer.get("error").and(answer["name"].as_str()) else {
                    continue;
                };
                let mut groups = export.declaration.groups();
                let is_declared = groups.any(|group| group.names().any(|one| one == name));
                assert!(is_declared, "{} refused {name}", export.name);
            }
        }
    }
}

#[test]
fn a_head_makes_every_change_that_is_declared_for_all_devices() {
    let mut plugin = Plugin::unlocked();
    for (name, mut input) in examples() {
        let export = EXPORTS.iter().find(|export| export.name == name).unwrap();
        let fields = input.as_object_mut().unwrap();
        fields.remove("proof");
        fields.remove("label");
        let groups = export.declaration.for_all_devices;
        for group in ["keys", "unlock_methods"] {
            let asked =
                json!({"change": {group: {name: &input}}, "proof": {"passphrase": OTHER_WORDS}});
            let answer = plugin.refused("propose_head", asked, "OPERATION_FAILED");
            // Refused because there is no device, if it could be read.
            let is_read = answer["name"] == "NoDevice";
            assert_eq!(is_read, groups == [group], "{name} in {group}: {answer}");
        }
    }
}

/// An account on a laptop and a phone. On the laptop's branch it has a tablet as well; on the phone's another key. The relay then shows
/// everyone both.
fn tablet_and_key() -> ([Client; 3], Vec<String>, Relay) {
    let (mut laptop, mut phone, mut relay) = two();
    meet(&mut laptop, &mut phone, &mut relay);
    let mut other = Relay(relay.0.clone());
    let tablet = joined_by(&mut laptop, &mut relay);
    let key = json!({"change": {"keys": {"generate_key": {}}}});
    assert!(phone.propose(key, &mut other));
    phone.sync(&mut other);
    let all = keys(&mut phone);
    for record in &other.0 {
        if !relay.0.contains(record) {
            relay.0.push(record.clone());
        }
    }
    ([laptop, phone, tablet], all, relay)
}

/// A device that another one adds.
fn joined_by(laptop: &mut Client, relay: &mut Relay) -> Client {
    let mut plugin = Plugin::elsewhere();
    plugin.skip(7);
    let made = plugin.ok("make_device", json!({}));
    let add = json!({"change": {"add": made}, "proof": by(WORDS)});
    assert!(laptop.propose(add, relay));
    laptop.sync(relay);
    let account = laptop.account.clone();
    let root = base64::encode(&record::id_of(&base64::decode(&relay.0[0]).unwrap()).0);
    let input = json!({"account": account, "root": root, "records": relay.0});
    let joined = plugin.ok("join_devices", input);
    let mut tablet = Client {
        plugin,
        stored: relay.0.clone(),
        state: String::new(),
        proof: by(WORDS),
        next: 1,
        account,
    };
    tablet.keep(&joined);
    tablet
}

#[test]
fn a_device_that_cannot_read_a_branch_leaves_joining_it_to_one_that_can() {
    let ([mut laptop, mut phone, mut tablet], all, mut relay) = tablet_and_key();
    // It is there first, and makes a change of its own before anyone else is.
    let device = tablet.sync(&mut relay);
    assert_eq!(
        (&device["has_to_join"], &device["unread"]),
        (&json!(false), &json!(1))
    );
    let key = json!({"change": {"keys": {"generate_key": {}}}});
    assert!(tablet.propose(key, &mut relay));
    tablet.sync(&mut relay);
    assert_eq!(keys(&mut tablet).len(), 2);
    for client in [&mut phone, &mut laptop, &mut tablet] {
        client.sync(&mut relay);
    }
    for client in [&mut laptop, &mut phone, &mut tablet] {
        let device = client.sync(&mut relay);
        assert_eq!(device["unread"], 0);
        let now = keys(client);
        assert_eq!((now.len(), device["has_to_join"] == true), (3, false));
        assert!(all.iter().all(|key| now.contains(key)));
    }
}

#[test]
fn a_proof_reads_a_branch_that_no_device_is_left_to_read() {
    let ([laptop, phone, mut tablet], all, mut relay) = tablet_and_key();
    tablet.sync(&mut relay);
    for mut lost in [laptop, phone] {
        let lost = lost.plugin.ok("open_device", json!({"records": relay.0}))["device"].clone();
        let remove = json!({"change": {"remove": {"device": lost}}, "proof": by(WORDS)});
        assert!(tablet.propose(remove, &mut relay));
        tablet.sync(&mut relay);
    }
    let device = tablet.sync(&mut relay);
    assert_eq!(device["unread"], 0);
    assert_eq!(keys(&mut tablet), all);
}

#[test]
fn a_key_that_a_device_has_is_not_lost_with_the_branch_that_added_it() {
    let (mut laptop, mut phone, mut relay) = two();
    let mut tablet = joined_by(&mut laptop, &mut relay);
    for client in [&mut laptop, &mut phone, &mut tablet] {
        client.sync(&mut relay);
    }
    // The phone adds a key, which the tablet takes in. The laptop sees neither, and removes the phone.
    let mut other = Relay(relay.0.clone());
    let key = json!({"change": {"keys": {"generate_key": {}}}});
    assert!(phone.propose(key, &mut other));
    phone.sync(&mut other);
    tablet.sync(&mut other);
    let all = keys(&mut tablet);
    assert_eq!(all.len(), 2);
    let lost = phone.read(&other)["device"].clone();
    let remove = json!({"change": {"remove": {"device": lost}}, "proof": by(WORDS)});
    assert!(laptop.propose(remove, &mut relay));
    laptop.sync(&mut relay);
    for record in &other.0 {
        if !relay.0.contains(record) {
            relay.0.push(record.clone());
        }
    }
    for _ in 0..2 {
        laptop.sync(&mut relay);
        tablet.sync(&mut relay);
    }
    for client in [&mut laptop, &mut tablet] {
        assert_eq!(keys(client), all);
        let device = client.sync(&mut relay);
        assert_eq!(
            (&device["has_to_join"], &device["has_to_adopt"]),
            (&json!(false), &json!(false))
        );
    }
    // One that is deleted stays so.
    let delete = json!({"change": {"keys": {"delete_key": {"key_id": all[1]}}}});
    assert!(laptop.propose(delete, &mut relay));
    for client in [&mut laptop, &mut tablet] {
        client.sync(&mut relay);
        client.sync(&mut relay);
    }
    laptop.sync(&mut relay);
    assert_eq!([keys(&mut laptop).len(), keys(&mut tablet).len()], [1, 1]);
}
