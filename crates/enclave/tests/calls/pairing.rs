//! Adding a device by a code: what passes between both, and what a relay or someone who saw the code can do.

use keyhole_sync::record;
use keyhole_sync::relay_view::Digest;
use keyhole_ucan::codec::base64;
use serde_json::{Value, json};

use crate::support::{Plugin, WORDS, by};

const RELAY: &str = "did:web:relay.example";

struct Old {
    plugin: Plugin,
    account: Value,
    root: Value,
    records: Vec<Value>,
    /// How many of them it has read from the relay.
    read: usize,
}

fn old() -> Old {
    let mut plugin = Plugin::unlocked();
    let started = plugin.ok("start_devices", json!({"proof": by(WORDS)}));
    Old {
        plugin,
        account: started["account"].clone(),
        root: started["root"].clone(),
        records: started["records"].as_array().unwrap().clone(),
        read: 0,
    }
}

fn new(number: u64) -> (Plugin, Value, Value) {
    let mut plugin = Plugin::elsewhere();
    plugin.skip(number);
    let made = plugin.ok("make_device", json!({}));
    let begun = plugin.ok("begin_pairing", json!({}));
    (plugin, made, begun)
}

impl Old {
    /// Appends what was proposed, at a relay that keeps no other list.
    fn append(&mut self, head: &Value) {
        self.records.push(head["records"][0].clone());
        let (before, new) = self.records.split_at(self.read);
        let ids = before
            .iter()
            .map(|one| record::id_of(&base64::decode(one.as_str().unwrap()).unwrap()));
        let before = ids.fold(Digest::default(), Digest::and);
        let input = json!({"before": base64::encode(&before.0), "records": new});
        let taken = self.plugin.ok("take_records", input);
        assert_eq!(taken["page"], "goes_on");
        assert_eq!(taken["stored"].as_array().unwrap().len(), new.len());
        self.read = self.records.len();
    }
}

fn digits_of(answer: &Value) -> &str {
    let digits = answer["digits"].as_str().unwrap();
    assert_eq!(digits.len(), 6);
    assert!(digits.bytes().all(|byte| byte.is_ascii_digit()));
    digits
}

#[test]
fn a_device_is_added_by_the_code_that_it_shows() {
    let mut old = old();
    let (mut new, made, begun) = new(1);
    let input = json!({"code": begun["pairing_code"], "message": begun["message"]});
    let offered = old.plugin.ok("answer_pairing", input);
    let revealed = new.ok("reveal_pairing", json!({"message": offered["message"]}));
    assert_eq!(revealed["account"], old.account);
    assert_eq!(revealed["root"], old.root);
    let input = json!({"message": revealed["message"]});
    let checked = old.plugin.ok("check_pairing", input);
    assert_eq!(digits_of(&checked), digits_of(&revealed));
    assert_eq!(checked["device"], made["device"]);
    assert_eq!(checked["sealing"], made["sealing"]);
    // No head names it yet.
    let early = old
        .plugin
        .refused("finish_pairing", json!({}), "OPERATION_FAILED");
    assert_eq!(early["name"], "NotMember");
    let add = json!({"device": checked["device"], "sealing": checked["sealing"]});
    let without = json!({"change": {"add": add}});
    old.plugin
        .refused("propose_head", without, "OPERATION_FAILED");
    let add = json!({"change": {"add": add}, "proof": by(WORDS)});
    let head = old.plugin.ok("propose_head", add);
    old.append(&head);
    let last = old.plugin.ok("finish_pairing", json!({}));
    let welcomed = new.ok("open_pairing", json!({"message": last["message"]}));
    assert_eq!(welcomed["permission"], head["permission"]);
    let call = json!({"call": {"read": {"from": 1}}, "relay": RELAY, "permission": welcomed["permission"]});
    new.ok("sign_relay_call", call);
    let input =
        json!({"account": revealed["account"], "root": revealed["root"], "records": old.records});
    new.ok("join_devices", input);
    let did = |plugin: &mut Plugin| plugin.ok("get_issuer_did", json!({}))["did"].clone();
    assert_eq!(did(&mut new), did(&mut old.plugin));
    // No secret is in what passed between them.
    for message in [&begun, &offered, &revealed, &last] {
        let bytes = base64::decode(message["message"].as_str().unwrap()).unwrap();
        let public = base64::decode(made["device"].as_str().unwrap()).unwrap();
        assert!(!bytes.windows(32).any(|part| part == public));
    }
}

#[test]
fn mailboxes_are_opened_and_read_by_who_has_the_code() {
    let mut old = old();
    let (mut new, _, begun) = new(1);
    let open = json!({"message": 2, "call": {"open": {}}, "relay": RELAY});
    let none = old
        .plugin
        .refused("sign_mailbox_call", open.clone(), "OPERATION_FAILED");
    assert_eq!(none["name"], "PairingOutOfStep");
    let signed = new.ok("sign_mailbox_call", open);
    let read = json!({"message": 2, "call": {"read": {"wait": 20}}, "relay": RELAY, "code": begun["pairing_code"]});
    let other = old.plugin.ok("sign_mailbox_call", read);
    assert_eq!(signed["mailbox"], other["mailbox"]);
    let mut checker = Plugin::elsewhere();
    for (call, command) in [(&signed, "open"), (&other, "read")] {
        let input = json!({"invocation": call["token"], "audience": RELAY});
        let checked = checker.ok("validate_invocation", input);
        assert_eq!(checked["valid"], true, "{checked}");
        assert_eq!(checked["command"], format!("/relay/mailbox/{command}"));
        assert_eq!(checked["subject"], signed["mailbox"]);
    }
    for message in [0, 5] {
        let wrong = json!({"message": message, "call": {"open": {}}, "relay": RELAY});
        let refused = new.refused("sign_mailbox_call", wrong, "OPERATION_FAILED");
        assert_eq!(refused["name"], "PairingOutOfStep");
    }
}

#[test]
fn a_pairing_is_refused_with_another_code_in_another_order_and_twice() {
    let mut old = old();
    let (mut new, _, begun) = new(1);
    let (mut other, _, stranger) = self::new(2);
    for code in [
        "",
        "no code",
        "0000-0000-0000-0000-0000-0000-001",
        "é",
        begun["message"].as_str().unwrap(),
    ] {
        let input = json!({"code": code, "message": begun["message"]});
        let refused = old
            .plugin
            .refused("answer_pairing", input, "OPERATION_FAILED");
        assert_eq!(refused["name"], "PairingCode", "{code}");
    }
    let input = json!({"code": stranger["pairing_code"], "message": begun["message"]});
    let refused = old
        .plugin
        .refused("answer_pairing", input, "OPERATION_FAILED");
    assert_eq!(refused["name"], "PairingRefused");
    let input = json!({"message": begun["message"]});
    let early = old
        .plugin
        .refused("check_pairing", input.clone(), "OPERATION_FAILED");
    assert_eq!(early["name"], "PairingOutOfStep");
    let early = new.refused("open_pairing", input, "OPERATION_FAILED");
    assert_eq!(early["name"], "PairingOutOfStep");
    let input = json!({"code": begun["pairing_code"], "message": begun["message"]});
    let offered = old.plugin.ok("answer_pairing", input);
    let input = json!({"message": offered["message"]});
    let refused = other.refused("reveal_pairing", input.clone(), "OPERATION_FAILED");
    assert_eq!(refused["name"], "PairingRefused");
    let revealed = new.ok("reveal_pairing", input.clone());
    let again = new.refused("reveal_pairing", input, "OPERATION_FAILED");
    assert_eq!(again["name"], "PairingOutOfStep");
    let input = json!({"message": revealed["message"]});
    old.plugin.ok("check_pairing", input.clone());
    let again = old
        .plugin
        .refused("check_pairing", input.clone(), "OPERATION_FAILED");
    assert_eq!(again["name"], "PairingOutOfStep");
    // Locking ends it.
    old.plugin.ok("lock_vault", json!({}));
    old.plugin.refused("check_pairing", input, "VAULT_LOCKED");
    // A device of an account isn't added to another one.
    let mut second = self::old();
    let known = second
        .plugin
        .refused("begin_pairing", json!({}), "OPERATION_FAILED");
    assert_eq!(known["name"], "DeviceKnown");
}

#[test]
fn a_limited_device_has_its_own_keys_and_reports() {
    let mut old = old();
    let mut agent = Plugin::elsewhere();
    agent.ok("create_vault", json!({"passphrase": WORDS}));
    let own = agent.ok("get_issuer_did", json!({}))["did"].clone();
    let made = agent.ok("make_device", json!({}));
    let add = json!({"device": made["device"], "sealing": made["sealing"], "role": "limited"});
    let head = old.plugin.ok(
        "propose_head",
        json!({"change": {"add": add}, "proof": by(WORDS)}),
    );
    let mut input = json!({
        "account": old.account,
        "root": old.root,
        "records": old.records,
        "permission": head["permission"],
    });
    let early = agent.refused("join_as_limited", input.clone(), "OPERATION_FAILED");
    assert_eq!(early["name"], "NotMember");
    old.append(&head);
    input["records"] = json!(old.records);
    let joined = agent.ok("join_as_limited", input.clone());
    assert_eq!(joined["device"]["limited"], json!([made["device"]]));
    let again = agent.refused("join_as_limited", input, "OPERATION_FAILED");
    assert_eq!(again["name"], "DeviceKnown");
    // It has its own key, can change it alone, and none of the account's.
    assert_eq!(agent.ok("get_issuer_did", json!({}))["did"], own);
    let changed = agent.ok("generate_key", json!({}));
    for (name, input) in [
        ("adopt_head", json!({})),
        (
            "propose_head",
            json!({"change": {"keys": {"generate_key": {}}}}),
        ),
        (
            "answer_pairing",
            json!({"code": "0000-0000-0000-0000-0000-0000-000", "message": ""}),
        ),
    ] {
        agent.refused(name, input, "OPERATION_FAILED");
    }
    let write = |thing| json!({"changes": [{"thing": thing, "id": "one", "value": "report"}]});
    let refused = agent.ok("write_changes", write("contact"));
    assert_eq!(refused["refused"], json!([{"at": 0, "why": "Limited"}]));
    assert_eq!(refused["records"], json!([]));
    let written = agent.ok("write_changes", write("payment"));
    let report = written["records"][0].clone();
    agent.ok(
        "sign_relay_call",
        json!({"call": {"read": {"from": 1}}, "relay": RELAY}),
    );
    // Also after a restart.
    let mut again = Plugin::elsewhere();
    again.skip(9);
    let unlock = json!({"proof": by(WORDS), "enclave": changed["enclave"]});
    again.ok("unlock_vault", unlock);
    let mut stored = old.records.clone();
    stored.push(report.clone());
    let opened = again.ok("open_device", json!({"records": stored}));
    assert_eq!(opened["is_member"], true);
    assert_eq!(opened["has_to_adopt"], false);
    again.ok(
        "sign_relay_call",
        json!({"call": {"watch": {}}, "relay": RELAY}),
    );
    // The account reads what it reports.
    old.append(&json!({"records": [report]}));
    let things = old.plugin.ok("read_things", json!({"thing": "payment"}));
    assert_eq!(things["things"][0]["value"], "report");
}
