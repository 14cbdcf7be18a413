use serde_json::{Value, json};

use crate::support::{NOW, OTHER_WORDS, Plugin, WORDS, by, by_passkey, passkey};

/// An unlocked account that opens in all three ways, and its recovery code.
fn all() -> (Plugin, Value) {
    let mut plugin = Plugin::empty();
    let made = plugin.ok(
        "create_vault",
        json!({"passphrase": WORDS, "passkey": passkey(1), "recovery_code": true}),
    );
    let code = made["recovery_code"].clone();
    (plugin, code)
}

fn methods(plugin: &mut Plugin) -> Vec<Value> {
    let listed = plugin.ok("list_unlock_methods", json!({}))["methods"].clone();
    listed.as_array().unwrap().clone()
}

fn id_of(plugin: &mut Plugin, kind: &str) -> Value {
    let methods = methods(plugin);
    let method = methods.iter().find(|method| method["kind"] == kind);
    method.unwrap()["id"].clone()
}

/// Whether a proof opens the account as it was last answered.
fn opens(enclave: &Value, proof: Value) -> bool {
    let input = json!({"proof": proof, "enclave": enclave});
    let answer = Plugin::empty().call("unlock_vault", input);
    match answer.get("code") {
        None => true,
        Some(code) => {
            assert_eq!(code, "INVALID_PASSPHRASE", "{answer}");
            false
        }
    }
}

#[test]
fn an_account_opens_in_all_three_ways() {
    let (mut plugin, code) = all();
    let enclave = plugin.ok("lock_vault", json!({}))["enclave"].clone();
    for proof in [by(WORDS), by_passkey(1), json!({"recovery_code": code})] {
        assert!(opens(&enclave, proof.clone()), "{proof}");
        let unlocked = plugin.ok("unlock_vault", json!({"proof": proof}));
        assert_eq!(unlocked["status"]["locked"], false);
        assert_eq!(unlocked.get("enclave"), None);
        // An unlocked account still checks a proof.
        plugin.ok("unlock_vault", json!({"proof": proof}));
        plugin.ok("lock_vault", json!({}));
    }
    let typed = code.as_str().unwrap().to_lowercase().replace('-', " ");
    assert!(opens(&enclave, json!({"recovery_code": typed})));
    for wrong in [
        by(OTHER_WORDS),
        by_passkey(2),
        json!({"recovery_code": "0000-0000-0000-0000-0000-0000-000"}),
    ] {
        assert!(!opens(&enclave, wrong));
    }
}

#[test]
fn a_proof_is_exactly_one_and_a_mistyped_code_is_reported() {
    let (mut plugin, code) = all();
    for proof in [
        json!({}),
        json!({"passphrase": WORDS, "recovery_code": code}),
        json!({"passphrase": WORDS, "passkey": by_passkey(1)["passkey"]}),
    ] {
        let refusal = plugin.refused("unlock_vault", json!({"proof": proof}), "OPERATION_FAILED");
        assert_eq!(refusal["name"], "InvalidInput");
    }
    let text = code.as_str().unwrap();
    let other = if text.starts_with('0') { "1" } else { "0" };
    let mistyped = [other, &text[1..]].concat();
    let refusal = plugin.refused(
        "unlock_vault",
        json!({"proof": {"recovery_code": mistyped}}),
        "OPERATION_FAILED",
    );
    let error = refusal["error"].as_str().unwrap();
    assert!(error.contains("mistyped") && !error.contains(&mistyped));
    for prf in ["", "AAAA", "no base64url!"] {
        let proof = json!({"passkey": {"credential": "AAAA", "prf": prf}});
        plugin.refused("unlock_vault", json!({"proof": proof}), "OPERATION_FAILED");
    }
}

#[test]
fn methods_are_listed_with_what_a_page_needs_to_ask_for_them() {
    let (mut plugin, _) = all();
    let unlocked = methods(&mut plugin);
    assert_eq!(
        unlocked[0],
        json!({"id": unlocked[0]["id"], "kind": "passphrase", "created_at": NOW,
            "memory_kib": 65_536, "passes": 3, "lanes": 1})
    );
    let passkey = passkey(1);
    assert_eq!(
        unlocked[1],
        json!({"id": unlocked[1]["id"], "kind": "passkey", "created_at": NOW, "label": "laptop",
            "credential": passkey["credential"], "relying_party": "keyhole.example", "salt": passkey["salt"]})
    );
    assert_eq!(
        unlocked[2],
        json!({"id": unlocked[2]["id"], "kind": "recovery_code", "created_at": NOW})
    );
    // Labels are sealed.
    plugin.ok("lock_vault", json!({}));
    let locked = methods(&mut plugin);
    assert!(locked.iter().all(|method| method.get("label").is_none()));
    assert_eq!(locked[1]["credential"], unlocked[1]["credential"]);
}

#[test]
fn a_new_account_needs_enough_ways_to_open_it() {
    for input in [
        json!({}),
        json!({"passkey": passkey(1)}),
        json!({"recovery_code": true}),
        json!({"recovery_code": false, "passkey": passkey(1)}),
    ] {
        let mut plugin = Plugin::empty();
        plugin.refused("create_vault", input, "OPERATION_FAILED");
        assert_eq!(plugin.status()["initialized"], false);
    }
    let made = Plugin::empty().ok("create_vault", json!({"passphrase": WORDS}));
    assert_eq!(made.get("recovery_code"), None);
}

#[test]
fn any_proof_can_replace_a_passphrase() {
    let (mut plugin, code) = all();
    let input = |proof: Value, passphrase: &str| json!({"proof": proof, "passphrase": passphrase});
    plugin.refused(
        "set_passphrase",
        input(by(OTHER_WORDS), OTHER_WORDS),
        "INVALID_PASSPHRASE",
    );
    plugin.refused(
        "set_passphrase",
        input(by(WORDS), "too short"),
        "INVALID_PASSPHRASE",
    );
    assert_eq!(plugin.status()["revision"], 1);
    let by_code = json!({"recovery_code": code});
    let changed = plugin.ok("set_passphrase", input(by_code.clone(), OTHER_WORDS));
    assert_eq!(changed["status"]["revision"], 2);
    let enclave = &changed["enclave"];
    assert!(!opens(enclave, by(WORDS)));
    assert!(opens(enclave, by(OTHER_WORDS)));
    assert!(opens(enclave, by_passkey(1)));
    assert!(opens(enclave, by_code));
    // What was not saved is rolled back.
    plugin.ok("rollback_vault", json!({"revision": 2}));
    plugin.ok("unlock_vault", json!({"proof": by(WORDS)}));
}

#[test]
fn passkeys_are_added_side_by_side_and_removed_one_by_one() {
    let (mut plugin, code) = all();
    let by_code = json!({"recovery_code": code});
    let input = json!({"proof": by_code, "passkey": passkey(2)});
    let added = plugin.ok("add_passkey", input.clone());
    plugin.refused("add_passkey", input, "OPERATION_FAILED");
    let id = added["method_id"].clone();
    plugin.ok(
        "label_unlock_method",
        json!({"method_id": id, "label": "phone"}),
    );
    assert_eq!(methods(&mut plugin)[3]["label"], "phone");
    assert!(opens(&added["enclave"], by_passkey(2)));

    let remove = |proof: Value| json!({"proof": proof, "method_id": id});
    plugin.refused("remove_unlock_method", remove(by_code), "OPERATION_FAILED");
    plugin.refused(
        "remove_unlock_method",
        remove(by_passkey(3)),
        "INVALID_PASSPHRASE",
    );
    let removed = plugin.ok("remove_unlock_method", remove(by_passkey(2)));
    assert!(!opens(&removed["enclave"], by_passkey(2)));
    assert!(opens(&removed["enclave"], by_passkey(1)));
    assert!(opens(&removed["enclave"], by(WORDS)));
    plugin.refused(
        "remove_unlock_method",
        remove(by(WORDS)),
        "OPERATION_FAILED",
    );
    plugin.refused(
        "label_unlock_method",
        json!({"method_id": id, "label": "x"}),
        "OPERATION_FAILED",
    );
}

#[test]
fn the_last_unlock_methods_cannot_be_removed() {
    let mut plugin = Plugin::unlocked();
    let passphrase = id_of(&mut plugin, "passphrase");
    let input = json!({"proof": by(WORDS), "method_id": passphrase});
    plugin.refused("remove_unlock_method", input.clone(), "OPERATION_FAILED");
    plugin.ok("new_recovery_code", json!({"proof": by(WORDS)}));
    let refusal = plugin.refused("remove_unlock_method", input.clone(), "OPERATION_FAILED");
    assert_eq!(refusal["name"], "RecoveryCodeAlone");
    let added = json!({"proof": by(WORDS), "passkey": passkey(1)});
    plugin.ok("add_passkey", added);
    let changed = plugin.ok("remove_unlock_method", input);
    assert!(!opens(&changed["enclave"], by(WORDS)));
    assert!(opens(&changed["enclave"], by_passkey(1)));
    let code = id_of(&mut plugin, "recovery_code");
    let input = json!({"proof": by_passkey(1), "method_id": code});
    let refusal = plugin.refused("remove_unlock_method", input, "OPERATION_FAILED");
    assert_eq!(refusal["name"], "PasskeyAlone");
}

#[test]
fn a_new_recovery_code_replaces_the_old_one() {
    let (mut plugin, old) = all();
    let refused = json!({"proof": {"recovery_code": old}});
    plugin.refused("new_recovery_code", refused, "OPERATION_FAILED");
    let made = plugin.ok("new_recovery_code", json!({"proof": by_passkey(1)}));
    assert!(!opens(&made["enclave"], json!({"recovery_code": old})));
    assert!(opens(
        &made["enclave"],
        json!({"recovery_code": made["recovery_code"]})
    ));
    assert_eq!(methods(&mut plugin).len(), 3);
}
