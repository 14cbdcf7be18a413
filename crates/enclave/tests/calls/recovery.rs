//! Opening an account with nothing but its recovery code and the relay, and what a relay or a thief can do with an old code.

use keyhole_sync::record;
use keyhole_ucan::codec::base64;
use serde_json::{Value, json};

use crate::devices::{Client, RELAY, Relay, did_of, first, is_head, kinds, meet, two};
use crate::support::{NOW, OTHER_WORDS, Plugin, WORDS, by};

/// Makes a recovery code through a head.
fn make_code(client: &mut Client, relay: &mut Relay) -> String {
    let device = client.read(relay);
    let change = json!({"unlock_methods": {"new_recovery_code": {}}});
    let input = json!({"change": change, "proof": client.proof, "relay": RELAY});
    let made = client.plugin.ok("propose_head", input);
    assert!(relay.append(made["records"][0].as_str().unwrap(), &device["heads_read"]));
    client.sync(relay);
    made["recovery_code"].as_str().unwrap().to_owned()
}

/// What the relay has to have at the places of the account's codes.
fn records_of(client: &mut Client) -> Vec<Value> {
    let answer = client.plugin.ok("recovery_records", json!({}));
    answer["codes"].as_array().unwrap().clone()
}

/// A new browser, up to the account that the relay has for the code.
fn found(code: &str, record: &Value, number: u64) -> (Plugin, Value) {
    let mut plugin = Plugin::elsewhere();
    plugin.skip(number);
    plugin.ok("begin_recovery", json!({"code": code, "relay": RELAY}));
    let found = plugin.ok("open_recovery", json!({"records": [record]}));
    (plugin, found)
}

fn heads(relay: &Relay) -> Vec<String> {
    let heads = relay.0.iter().filter(|record| is_head(record));
    heads.cloned().collect()
}

/// The rest of it: the head, and joining.
fn recover(mut plugin: Plugin, found: &Value, code: &str, relay: &mut Relay) -> Client {
    let read = heads(relay);
    let made = plugin.ok("recover_account", json!({"records": read}));
    let head = made["records"][0].as_str().unwrap();
    assert!(relay.append(head, &json!(read.len())));
    let mut input = found.clone();
    input["records"] = json!(heads(relay));
    let joined = plugin.ok("join_devices", input);
    let mut client = Client {
        plugin,
        stored: heads(relay),
        state: String::new(),
        proof: json!({"recovery_code": code}),
        next: 1,
        account: found["account"].as_str().unwrap().to_owned(),
    };
    client.keep(&joined);
    client
}

fn members(client: &mut Client, relay: &Relay) -> Vec<Value> {
    client.read(relay)["members"].as_array().unwrap().clone()
}

#[test]
fn a_code_and_the_relay_alone_open_the_account() {
    let (mut laptop, _) = first();
    let mut relay = Relay::default();
    laptop.sync(&mut relay);
    laptop.change("contact", "bob", "Bob");
    let code = make_code(&mut laptop, &mut relay);
    let [one] = &records_of(&mut laptop)[..] else {
        panic!("one code");
    };
    let [this, paper] = &members(&mut laptop, &relay)[..] else {
        panic!("two devices");
    };
    assert_eq!(*paper, one["device"]);
    // The code's own key has signed that this record goes to this place at this relay, today and in ten years.
    let id = record::id_of(&base64::decode(one["record"].as_str().unwrap()).unwrap());
    let mut checker = Plugin::elsewhere();
    for now in [NOW, NOW + 315_360_000] {
        let call = json!({"invocation": one["token"], "audience": RELAY, "now": now});
        let checked = checker.ok("validate_invocation", call);
        assert_eq!(checked["valid"], true, "{checked}");
        assert_eq!(checked["command"], "/relay/records/append");
        assert_eq!(checked["args"], json!({"record": base64::encode(&id.0)}));
        assert_eq!(checked["subject"], checked["issuer"]);
        assert_ne!(checked["subject"], did_of(paper));
    }
    let elsewhere = json!({"invocation": one["token"], "audience": "did:web:other.example"});
    let checked = checker.ok("validate_invocation", elsewhere);
    assert_eq!(checked["error"]["name"], "InvalidAudience");
    // The laptop is lost. A new browser reads the place, and then the account.
    let mut plugin = Plugin::elsewhere();
    let begun = plugin.ok("begin_recovery", json!({"code": code, "relay": RELAY}));
    let call = json!({"invocation": begun["token"], "audience": RELAY});
    let checked = checker.ok("validate_invocation", call);
    assert_eq!(checked["command"], "/relay/records/read");
    assert_eq!(checked["args"], json!({"from": 1}));
    let found = plugin.ok("open_recovery", json!({"records": [one["record"]]}));
    assert_eq!(found["account"], laptop.account);
    let call = json!({"call": {"read": {"from": 1}}, "relay": RELAY});
    let token = plugin.ok("sign_relay_call", call.clone())["token"].clone();
    let checked = checker.ok(
        "validate_invocation",
        json!({"invocation": token, "audience": RELAY}),
    );
    assert_eq!(checked["valid"], true, "{checked}");
    assert_eq!(checked["issuer"], did_of(paper));
    // Before a head names it, it is no device.
    let mut early = found.clone();
    early["records"] = json!(heads(&relay));
    let refused = plugin.refused("join_devices", early, "OPERATION_FAILED");
    assert_eq!(refused["name"], "NotMember");
    let mut tablet = recover(plugin, &found, &code, &mut relay);
    let did = |client: &mut Client| client.plugin.ok("get_issuer_did", json!({}))["did"].clone();
    assert_eq!(did(&mut tablet), did(&mut laptop));
    meet(&mut laptop, &mut tablet, &mut relay);
    assert_eq!(tablet.things("contact")[0]["value"], "Bob");
    tablet.change("contact", "eve", "Eve");
    meet(&mut tablet, &mut laptop, &mut relay);
    assert_eq!(laptop.things("contact")[1]["value"], "Eve");
    // It has keys of its own, and the code's are gone.
    let status = tablet.read(&relay);
    assert!(![this, paper].contains(&&status["device"]));
    assert_eq!(status["members"].as_array().unwrap().len(), 3);
    let token = tablet.plugin.ok("sign_relay_call", call)["token"].clone();
    let checked = checker.ok(
        "validate_invocation",
        json!({"invocation": token, "audience": RELAY}),
    );
    assert_eq!(checked["issuer"], did_of(&status["device"]));
    for (export, input) in [
        ("open_recovery", json!({"records": [one["record"]]})),
        ("recover_account", json!({"records": relay.0})),
    ] {
        let over = tablet.plugin.refused(export, input, "OPERATION_FAILED");
        assert_eq!(over["name"], "RecoveryNotFound");
    }
    // It unlocks by the code after a restart, and can put the record back.
    tablet.restart();
    tablet.sync(&mut relay);
    assert_eq!(&records_of(&mut tablet)[..], core::slice::from_ref(one));
    // The lost device is removed with the code as proof. The code still opens the account, once more.
    let remove = json!({"change": {"remove": {"device": this}}, "proof": tablet.proof});
    assert!(tablet.propose(remove, &mut relay));
    tablet.sync(&mut relay);
    let (plugin, found) = self::found(&code, &one["record"], 3);
    let mut again = recover(plugin, &found, &code, &mut relay);
    meet(&mut tablet, &mut again, &mut relay);
    assert_eq!(again.things("contact"), tablet.things("contact"));
}

#[test]
fn no_secret_of_the_code_is_in_what_the_relay_has() {
    let (mut laptop, _) = first();
    let mut relay = Relay::default();
    laptop.sync(&mut relay);
    let code = make_code(&mut laptop, &mut relay);
    let [one] = &records_of(&mut laptop)[..] else {
        panic!("one code");
    };
    let record = base64::decode(one["record"].as_str().unwrap()).unwrap();
    for secret in [laptop.account.as_str(), one["device"].as_str().unwrap()] {
        let secret = base64::decode(secret).unwrap();
        assert!(!record.windows(32).any(|part| part == secret));
        assert!(!one["token"].as_str().unwrap().contains(&code));
    }
}

#[test]
fn a_code_that_is_not_the_accounts_opens_nothing() {
    let (mut laptop, _) = first();
    let mut relay = Relay::default();
    laptop.sync(&mut relay);
    let code = make_code(&mut laptop, &mut relay);
    let record = records_of(&mut laptop)[0]["record"].clone();
    let begin = |plugin: &mut Plugin, code: &str| {
        plugin.call("begin_recovery", json!({"code": code, "relay": RELAY}))
    };
    let mut plugin = Plugin::elsewhere();
    assert_eq!(begin(&mut plugin, "hello")["name"], "RecoveryCodeLength");
    let mut typed = code.clone();
    let last = typed.pop().unwrap();
    typed.push(if last == '0' { '1' } else { '0' });
    assert_eq!(begin(&mut plugin, &typed)["name"], "RecoveryCodeMistyped");
    assert_eq!(begin(&mut plugin, &code[..9])["name"], "RecoveryCodeLength");
    // Nothing was begun.
    let input = json!({"records": [record]});
    let none = plugin.refused("open_recovery", input.clone(), "OPERATION_FAILED");
    assert_eq!(none["name"], "RecoveryNotFound");
    // Another code, that no one has made.
    begin(&mut plugin, "0000-0000-0000-0000-0000-0000-000");
    let none = plugin.refused("open_recovery", input, "OPERATION_FAILED");
    assert_eq!(none["name"], "RecoveryNotFound");
    let none = plugin.refused("open_recovery", json!({"records": []}), "OPERATION_FAILED");
    assert_eq!(none["name"], "RecoveryNotFound");
    // The right one is found among whatever else the relay has put there.
    begin(&mut plugin, &code.to_lowercase().replace('-', " "));
    let many = json!({"records": ["", "AA", base64::encode(&[3; 900]), record]});
    plugin.ok("open_recovery", many);
    // An account that is open here is left alone.
    assert_eq!(begin(&mut laptop.plugin, &code)["name"], "DeviceKnown");
}

#[test]
fn a_code_without_a_relay_has_no_device() {
    let (mut laptop, _) = first();
    let mut relay = Relay::default();
    laptop.sync(&mut relay);
    let change =
        json!({"change": {"unlock_methods": {"new_recovery_code": {}}}, "proof": by(WORDS)});
    assert!(laptop.propose(change, &mut relay));
    laptop.sync(&mut relay);
    assert_eq!(kinds(&mut laptop), ["passphrase", "recovery_code"]);
    assert_eq!(members(&mut laptop, &relay).len(), 1);
    assert_eq!(records_of(&mut laptop), Vec::<Value>::new());
    // The next one has.
    make_code(&mut laptop, &mut relay);
    assert_eq!(members(&mut laptop, &relay).len(), 2);
}

#[test]
fn a_relay_that_shows_another_account_gives_none() {
    let (mut laptop, _) = first();
    let mut relay = Relay::default();
    laptop.sync(&mut relay);
    let code = make_code(&mut laptop, &mut relay);
    let record = records_of(&mut laptop)[0]["record"].clone();
    let mut other = Client {
        plugin: Plugin::another(),
        stored: Vec::new(),
        state: String::new(),
        proof: by(OTHER_WORDS),
        next: 1,
        account: String::new(),
    };
    let mut theirs = Relay::default();
    let started = other
        .plugin
        .ok("start_devices", json!({"proof": other.proof}));
    other.keep(&started);
    other.sync(&mut theirs);
    make_code(&mut other, &mut theirs);
    let swapped = records_of(&mut other)[0]["record"].clone();
    // The record of another account's code.
    let mut plugin = Plugin::elsewhere();
    plugin.ok("begin_recovery", json!({"code": code, "relay": RELAY}));
    let none = plugin.refused(
        "open_recovery",
        json!({"records": [swapped]}),
        "OPERATION_FAILED",
    );
    assert_eq!(none["name"], "RecoveryNotFound");
    // The right record, and the heads of another account.
    plugin.ok("open_recovery", json!({"records": [record]}));
    for records in [json!(theirs.0), json!([]), json!(["AA"])] {
        let none = plugin.refused(
            "recover_account",
            json!({"records": records}),
            "OPERATION_FAILED",
        );
        assert_eq!(none["name"], "NotMember");
    }
}

#[test]
fn a_replaced_code_opens_nothing_and_its_device_is_removed_in_the_same_head() {
    let (mut laptop, mut phone, mut relay) = two();
    meet(&mut laptop, &mut phone, &mut relay);
    let code = make_code(&mut laptop, &mut relay);
    let old = records_of(&mut laptop)[0].clone();
    let before = Relay(relay.0.clone());
    let count = heads(&relay).len();
    let new_code = make_code(&mut laptop, &mut relay);
    assert_eq!(heads(&relay).len(), count + 1);
    let [new] = &records_of(&mut laptop)[..] else {
        panic!("one code");
    };
    assert_ne!(new["device"], old["device"]);
    let all = members(&mut laptop, &relay);
    assert!(all.contains(&new["device"]) && !all.contains(&old["device"]));
    let revoked = laptop.plugin.ok("revoked_permissions", json!({}));
    assert_eq!(revoked["permissions"][0]["device"], old["device"]);
    let (mut thief, found) = self::found(&code, &old["record"], 4);
    let read = json!({"records": heads(&relay)});
    let refused = thief.refused("recover_account", read, "OPERATION_FAILED");
    assert_eq!(refused["name"], "RecoveryCodeReplaced");
    // A relay that shows the thief the list from before.
    let mut forked = Relay(before.0.clone());
    let mut thief = recover(thief, &found, &code, &mut forked);
    let stolen = thief.read(&forked)["device"].clone();
    thief.change("contact", "eve", "Eve");
    thief.sync(&mut forked);
    for record in &forked.0 {
        if !relay.0.contains(record) {
            relay.0.push(record.clone());
        }
    }
    laptop.change("token", "later", "secret");
    for _ in 0..3 {
        meet(&mut laptop, &mut phone, &mut relay);
    }
    for client in [&mut laptop, &mut phone] {
        let all = members(client, &relay);
        assert!(!all.contains(&stolen) && !all.contains(&old["device"]));
        assert_eq!(all.len(), 3);
        assert_eq!(client.things("contact"), json!([]));
    }
    thief.read(&relay);
    assert_eq!(thief.things("token"), json!([]));
    // The new one opens the account.
    let (plugin, found) = self::found(&new_code, &new["record"], 5);
    let mut tablet = recover(plugin, &found, &new_code, &mut relay);
    tablet.sync(&mut relay);
    assert_eq!(tablet.things("token")[0]["value"], "secret");
    // Removing the recovery code removes its device too.
    laptop.sync(&mut relay);
    let methods = laptop.plugin.ok("list_unlock_methods", json!({}));
    let all = methods["methods"].as_array().unwrap().iter();
    let id = all
        .filter(|method| method["kind"] == "recovery_code")
        .map(|method| method["id"].clone())
        .next();
    let change = json!({"unlock_methods": {"remove_unlock_method": {"method_id": id}}});
    let remove = json!({"change": change, "proof": by(WORDS)});
    assert!(laptop.propose(remove, &mut relay));
    laptop.sync(&mut relay);
    assert_eq!(records_of(&mut laptop), Vec::<Value>::new());
    assert!(!members(&mut laptop, &relay).contains(&new["device"]));
}

#[test]
fn a_code_stays_through_other_changes_and_is_gone_if_its_device_is_removed() {
    let (mut laptop, mut phone, mut relay) = two();
    let code = make_code(&mut laptop, &mut relay);
    let codes = records_of(&mut laptop);
    meet(&mut laptop, &mut phone, &mut relay);
    assert_eq!(records_of(&mut phone), codes);
    let key = json!({"change": {"keys": {"generate_key": {}}}});
    assert!(phone.propose(key, &mut relay));
    meet(&mut laptop, &mut phone, &mut relay);
    let words = json!({"unlock_methods": {"set_passphrase": {"passphrase": OTHER_WORDS}}});
    assert!(laptop.propose(json!({"change": words, "proof": by(WORDS)}), &mut relay));
    meet(&mut laptop, &mut phone, &mut relay);
    let lost = phone.read(&relay)["device"].clone();
    let remove = json!({"change": {"remove": {"device": lost}}, "proof": by(OTHER_WORDS)});
    laptop.read(&relay);
    assert!(laptop.propose(remove, &mut relay));
    laptop.sync(&mut relay);
    assert_eq!(records_of(&mut laptop), codes);
    let (plugin, found) = found(&code, &codes[0]["record"], 6);
    let mut tablet = recover(plugin, &found, &code, &mut relay);
    tablet.sync(&mut relay);
    assert_eq!(members(&mut tablet, &relay).len(), 3);
    let remove =
        json!({"change": {"remove": {"device": codes[0]["device"]}}, "proof": by(OTHER_WORDS)});
    laptop.sync(&mut relay);
    assert!(laptop.propose(remove, &mut relay));
    laptop.sync(&mut relay);
    assert_eq!(records_of(&mut laptop), Vec::<Value>::new());
}

/// Both lists become one.
fn join(laptop: &mut Client, phone: &mut Client, relay: &mut Relay, other: &Relay) {
    for record in &other.0 {
        if !relay.0.contains(record) {
            relay.0.push(record.clone());
        }
    }
    for _ in 0..4 {
        meet(laptop, phone, relay);
    }
}

#[test]
fn a_code_that_was_replaced_while_a_branch_was_away_stays_replaced() {
    let (mut laptop, mut phone, mut relay) = two();
    let code = make_code(&mut laptop, &mut relay);
    let old = records_of(&mut laptop)[0].clone();
    meet(&mut laptop, &mut phone, &mut relay);
    let mut other = Relay(relay.0.clone());
    // The phone, and someone with the old code, go on where the relay shows them another list.
    let key = json!({"change": {"keys": {"generate_key": {}}}});
    assert!(phone.propose(key, &mut other));
    phone.sync(&mut other);
    let (plugin, found) = found(&code, &old["record"], 7);
    let mut thief = recover(plugin, &found, &code, &mut other);
    let stolen = thief.read(&other)["device"].clone();
    make_code(&mut laptop, &mut relay);
    let new = records_of(&mut laptop);
    join(&mut laptop, &mut phone, &mut relay, &other);
    for client in [&mut laptop, &mut phone] {
        let all = members(client, &relay);
        assert!(!all.contains(&old["device"]) && !all.contains(&stolen));
        assert!(all.contains(&new[0]["device"]));
        assert_eq!(records_of(client), new);
    }
    assert_eq!(crate::devices::keys(&mut laptop).len(), 2);
    // Nothing that is written from now on can be read with what the thief has.
    laptop.change("token", "later", "secret");
    laptop.sync(&mut relay);
    thief.read(&relay);
    assert_eq!(thief.things("token"), json!([]));
}

#[test]
fn of_two_codes_that_were_made_at_once_the_next_proof_leaves_one() {
    let (mut laptop, mut phone, mut relay) = two();
    meet(&mut laptop, &mut phone, &mut relay);
    let mut other = Relay(relay.0.clone());
    let codes = [
        make_code(&mut laptop, &mut relay),
        make_code(&mut phone, &mut other),
    ];
    let records = [&mut laptop, &mut phone].map(|client| records_of(client)[0].clone());
    join(&mut laptop, &mut phone, &mut relay, &other);
    // Joining needs no proof, so both are devices. One of the codes is the unlock method.
    let all = members(&mut laptop, &relay);
    assert!(records.iter().all(|one| all.contains(&one["device"])));
    assert_eq!(records_of(&mut laptop).len(), 2);
    assert_eq!(records_of(&mut laptop), records_of(&mut phone));
    assert_eq!(kinds(&mut laptop), ["passphrase", "recovery_code"]);
    let opens = |at: usize, relay: &Relay| {
        let (mut plugin, _) = found(&codes[at], &records[at]["record"], 8);
        plugin.call("recover_account", json!({"records": heads(relay)}))
    };
    let answers = [opens(0, &relay), opens(1, &relay)];
    let names = answers.each_ref().map(|answer| answer["name"].clone());
    let wrong = names.iter().filter(|name| *name == "WrongRecoveryCode");
    assert_eq!(wrong.count(), 1, "{names:?}");
    let right = usize::from(names[0] == "WrongRecoveryCode");
    assert_eq!(answers[right]["records"].as_array().unwrap().len(), 1);
    // The next head with a proof removes the device of the other one.
    let words = json!({"unlock_methods": {"set_passphrase": {"passphrase": OTHER_WORDS}}});
    assert!(laptop.propose(json!({"change": words, "proof": by(WORDS)}), &mut relay));
    meet(&mut laptop, &mut phone, &mut relay);
    let all = members(&mut phone, &relay);
    assert!(all.contains(&records[right]["device"]));
    assert!(!all.contains(&records[1 - right]["device"]));
    assert_eq!(
        &records_of(&mut phone)[..],
        core::slice::from_ref(&records[right])
    );
    let revoked = phone.plugin.ok("revoked_permissions", json!({}));
    assert_eq!(
        revoked["permissions"][0]["device"],
        records[1 - right]["device"]
    );
    assert_eq!(opens(1 - right, &relay)["name"], "RecoveryCodeReplaced");
    assert_eq!(opens(right, &relay)["records"].as_array().unwrap().len(), 1);
}

#[test]
fn a_new_browser_that_lost_the_answer_asks_again_and_is_added_once() {
    let (mut laptop, _) = first();
    let mut relay = Relay::default();
    laptop.sync(&mut relay);
    let code = make_code(&mut laptop, &mut relay);
    let record = records_of(&mut laptop)[0]["record"].clone();
    let (mut plugin, found) = found(&code, &record, 9);
    let read = heads(&relay);
    let made = plugin.ok("recover_account", json!({"records": read}));
    // Another device was faster.
    let key = json!({"change": {"keys": {"generate_key": {}}}});
    assert!(laptop.propose(key, &mut relay));
    laptop.sync(&mut relay);
    assert!(!relay.append(made["records"][0].as_str().unwrap(), &json!(read.len())));
    let read = heads(&relay);
    let made = plugin.ok("recover_account", json!({"records": read}));
    assert!(relay.append(made["records"][0].as_str().unwrap(), &json!(read.len())));
    // The head arrived, and its answer didn't.
    let again = plugin.ok("recover_account", json!({"records": heads(&relay)}));
    assert_eq!(again["records"], json!([]));
    let mut input = found.clone();
    input["records"] = json!(heads(&relay));
    plugin.ok("join_devices", input);
    laptop.sync(&mut relay);
    assert_eq!(members(&mut laptop, &relay).len(), 3);
    assert_eq!(crate::devices::keys(&mut laptop).len(), 2);
}
