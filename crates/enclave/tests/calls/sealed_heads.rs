//! What a relay sees of an account's state in its heads: nothing, from version 2 on.

use keyhole_ucan::codec::base64;
use serde_json::{Value, json};

use crate::devices::{Client, Relay, keys, meet, two};
use crate::support::{Plugin, WORDS, by};

/// Every text in a value that is long enough not to be found by accident.
fn texts_of(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) if text.len() >= 16 => texts.push(text.clone()),
        Value::Array(all) => all.iter().for_each(|one| texts_of(one, texts)),
        Value::Object(all) => all.values().for_each(|one| texts_of(one, texts)),
        _ => {}
    }
}

fn shows(record: &str, text: &[u8]) -> bool {
    let record = base64::decode(record).unwrap();
    record.windows(text.len()).any(|part| part == text)
}

/// An account of two devices, as they stored it whose heads are of version 1.
fn from_before() -> (Client, Client, Relay, Value) {
    let vector: Value =
        serde_json::from_str(include_str!("../../../../vectors/keyhole/devices-v1.json")).unwrap();
    let records = vector["records"].as_array().unwrap().iter();
    let records: Vec<_> = records
        .map(|one| one.as_str().unwrap().to_owned())
        .collect();
    let [laptop, phone] = ["laptop", "phone"].map(|device| {
        let mut client = Client {
            plugin: Plugin::elsewhere(),
            stored: records.clone(),
            state: vector[device].as_str().unwrap().to_owned(),
            proof: json!({"passphrase": vector["passphrase"]}),
            next: 1,
            account: vector["account"].as_str().unwrap().to_owned(),
        };
        client.restart();
        client
    });
    (laptop, phone, Relay(records), vector)
}

fn generate(may_seal: bool) -> Value {
    json!({"change": {"keys": {"generate_key": {}}}, "may_seal": may_seal})
}

#[test]
fn no_record_shows_a_relay_any_part_of_the_state() {
    let (mut laptop, mut phone, mut relay) = two();
    laptop.change("contact", "bob", "Bob");
    assert!(phone.propose(generate(false), &mut relay));
    let words = json!({"unlock_methods": {"new_recovery_code": {}}});
    let code = json!({"change": words, "proof": by(WORDS), "relay": "did:web:relay.example"});
    assert!(phone.propose(code, &mut relay));
    meet(&mut laptop, &mut phone, &mut relay);
    let state: Value = serde_json::from_str(&laptop.state).unwrap();
    let mut texts = Vec::new();
    texts_of(&state, &mut texts);
    assert!(texts.len() > 10);
    let did = laptop.plugin.ok("get_issuer_did", json!({}));
    texts_of(&did, &mut texts);
    assert_eq!(laptop.read(&relay)["state_was_shown"], false);
    for record in &relay.0 {
        for text in &texts {
            assert!(!shows(record, text.as_bytes()), "{text}");
            if let Some(bytes) = base64::decode(text) {
                assert!(!shows(record, &bytes), "{text}");
            }
        }
    }
}

#[test]
fn an_account_from_before_goes_on_and_seals_its_state_once_all_devices_read_that() {
    let (mut laptop, mut phone, mut relay, vector) = from_before();
    let address = vector["address"].as_str().unwrap().as_bytes();
    let did = laptop.plugin.ok("get_issuer_did", json!({}));
    assert_eq!(did["issuer_did"], vector["did"]);
    assert!(relay.0.iter().any(|record| shows(record, address)));
    assert_eq!(laptop.things("contact")[0]["value"], "Bob");
    // An older device hasn't said so.
    assert!(laptop.propose(generate(false), &mut relay));
    assert!(shows(relay.0.last().unwrap(), address));
    meet(&mut laptop, &mut phone, &mut relay);
    assert!(laptop.propose(generate(true), &mut relay));
    assert!(!shows(relay.0.last().unwrap(), address));
    meet(&mut laptop, &mut phone, &mut relay);
    // Whoever doesn't know stays with it.
    assert!(phone.propose(generate(false), &mut relay));
    assert!(!shows(relay.0.last().unwrap(), address));
    meet(&mut laptop, &mut phone, &mut relay);
    for client in [&mut laptop, &mut phone] {
        client.restart();
        let device = client.sync(&mut relay);
        assert_eq!(device["has_to_adopt"], false);
        assert_eq!(device["state_was_shown"], true);

        assert_eq!(keys(client).len(), 4);
    }
}
