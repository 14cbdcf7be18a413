use serde_json::{Value, json};

use crate::support::{NOW, OTHER_WORDS, Plugin, WORDS, by, passkey};

#[test]
fn none_then_unlocked_then_locked_then_none() {
    let mut plugin = Plugin::empty();
    assert_eq!(
        plugin.status(),
        json!({"initialized": false, "locked": false, "keys": []})
    );

    let created = plugin.ok(
        "create_vault",
        json!({"passphrase": WORDS, "label": "Ada", "key_type": "p256"}),
    );
    let status = &created["status"];
    assert_eq!(status["initialized"], true);
    assert_eq!(status["locked"], false);
    assert_eq!(status["chain_id"], "keyhole-1");
    assert_eq!(status["revision"], 1);
    assert_eq!(status["label"], "Ada");
    let key = &status["keys"][0];
    assert_eq!(key["key_type"], "p256");
    assert_eq!(key["did"], status["issuer_did"]);
    assert_eq!(key["key_id"], status["default_key"]);
    assert_eq!(key["created_at"], NOW);
    assert_eq!(
        (&key["is_first"], &key["is_default"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(*status, plugin.status());

    let locked = plugin.ok("lock_vault", json!({}));
    assert_eq!(locked["enclave"], created["enclave"]);
    assert_eq!(locked["status"]["locked"], true);
    assert_eq!(locked["status"]["label"], Value::Null);
    assert_eq!(locked["status"]["issuer_did"], status["issuer_did"]);
    plugin.refused(
        "unlock_vault",
        json!({"proof": {"passphrase": OTHER_WORDS}}),
        "INVALID_PASSPHRASE",
    );
    assert_eq!(plugin.status()["locked"], true);
    let unlocked = plugin.ok("unlock_vault", json!({"proof": {"passphrase": WORDS}}));
    assert_eq!(unlocked["status"], *status);
    assert_eq!(unlocked.get("enclave"), None);

    assert_eq!(plugin.ok("close_vault", json!({})), json!({}));
    assert_eq!(plugin.status()["initialized"], false);
    plugin.refused(
        "unlock_vault",
        json!({"proof": {"passphrase": WORDS}}),
        "VAULT_NOT_INITIALIZED",
    );
    let unlocked = plugin.ok(
        "unlock_vault",
        json!({"proof": {"passphrase": WORDS}, "enclave": created["enclave"]}),
    );
    assert_eq!(unlocked["status"], *status);
}

#[test]
fn without_a_vault_and_locked_each_call_says_so() {
    let calls = [
        ("lock_vault", json!({}), false),
        ("list_keys", json!({}), false),
        ("list_unlock_methods", json!({}), false),
        ("get_issuer_did", json!({}), false),
        ("rollback_vault", json!({"revision": 1}), false),
        ("verify_data", json!({"data": [1], "signature": [2]}), false),
        ("sign_data", json!({"data": [1]}), true),
        ("generate_key", json!({}), true),
        ("label_key", json!({"key_id": "a", "label": "b"}), true),
        ("label_vault", json!({"label": "b"}), true),
        ("delete_key", json!({"key_id": "a"}), true),
        ("set_default_key", json!({"key_id": "a"}), true),
        (
            "set_passphrase",
            json!({"proof": by(WORDS), "passphrase": OTHER_WORDS}),
            true,
        ),
        (
            "add_passkey",
            json!({"proof": by(WORDS), "passkey": passkey(1)}),
            true,
        ),
        ("new_recovery_code", json!({"proof": by(WORDS)}), true),
        (
            "remove_unlock_method",
            json!({"proof": by(WORDS), "method_id": "a"}),
            true,
        ),
        (
            "label_unlock_method",
            json!({"method_id": "a", "label": "b"}),
            true,
        ),
        ("log_activity", json!({"entries": [{}]}), true),
        ("read_activity", json!({"records": []}), true),
        (
            "export_vault",
            json!({"proof": by(WORDS), "export_passphrase": OTHER_WORDS, "contents": {}}),
            true,
        ),
        ("seal_records", json!({"records": []}), true),
        ("open_records", json!({"records": []}), true),
        (
            "new_origin_token",
            json!({"audience_did": "did:web:a.example", "command": "/a"}),
            true,
        ),
        (
            "new_attenuated_token",
            json!({"audience_did": "did:web:a.example", "command": "/a", "parent_token": "C"}),
            true,
        ),
    ];
    for (name, input, needs_unlocked) in calls {
        Plugin::empty().refused(name, input.clone(), "VAULT_NOT_INITIALIZED");
        if needs_unlocked {
            let mut plugin = Plugin::unlocked();
            plugin.ok("lock_vault", json!({}));
            plugin.refused(name, input, "VAULT_LOCKED");
        }
    }
}

#[test]
fn a_second_vault_is_refused_and_changes_nothing() {
    let mut plugin = Plugin::unlocked();
    let status = plugin.status();
    plugin.refused(
        "create_vault",
        json!({"passphrase": WORDS}),
        "VAULT_ALREADY_INITIALIZED",
    );
    let other = Plugin::empty().ok(
        "create_vault",
        json!({"passphrase": WORDS, "chain_id": "other-1"}),
    );
    plugin.refused(
        "open_vault",
        json!({"enclave": other["enclave"]}),
        "VAULT_ALREADY_INITIALIZED",
    );
    assert_eq!(plugin.status(), status);
    let locked = plugin.ok("lock_vault", json!({}));
    plugin.refused(
        "create_vault",
        json!({"passphrase": WORDS}),
        "VAULT_ALREADY_INITIALIZED",
    );
    plugin.refused(
        "open_vault",
        json!({"enclave": other["enclave"]}),
        "VAULT_ALREADY_INITIALIZED",
    );
    assert_eq!(plugin.status(), locked["status"]);
}

#[test]
fn of_two_copies_the_higher_revision_wins() {
    let mut plugin = Plugin::unlocked();
    let old = plugin.ok("lock_vault", json!({}))["enclave"].clone();
    plugin.ok("unlock_vault", json!({"proof": {"passphrase": WORDS}}));
    let new = plugin.ok("generate_key", json!({}))["enclave"].clone();

    // Unlocked at a higher revision: the lower one is refused, the same one changes nothing.
    plugin.refused(
        "open_vault",
        json!({"enclave": old}),
        "VAULT_ALREADY_INITIALIZED",
    );
    assert_eq!(
        plugin.ok("open_vault", json!({"enclave": new}))["status"]["locked"],
        false
    );

    // Locked: the lower one is ignored, a higher one is opened.
    plugin.ok("lock_vault", json!({}));
    assert_eq!(
        plugin.ok("open_vault", json!({"enclave": old}))["status"]["revision"],
        2
    );
    let mut behind = Plugin::empty();
    behind.ok("open_vault", json!({"enclave": old}));
    assert_eq!(
        behind.ok("open_vault", json!({"enclave": new}))["status"]["revision"],
        2
    );

    // Unlocked at a lower one: a higher one under the same data key is followed, and stays unlocked.
    let mut behind = Plugin::empty();
    behind.ok("unlock_vault", json!({"proof": by(WORDS), "enclave": old}));
    let status = behind.ok("open_vault", json!({"enclave": new}))["status"].clone();
    assert_eq!(
        (&status["revision"], &status["locked"]),
        (&json!(2), &json!(false))
    );
    assert_eq!(status["keys"].as_array().unwrap().len(), 2);
    let key_id = status["keys"][1]["key_id"].clone();
    behind.ok("sign_data", json!({"data": [1], "key_id": key_id}));
    behind.refused("rollback_vault", json!({"revision": 2}), "OPERATION_FAILED");
}

#[test]
fn a_newer_state_under_another_data_key_is_opened_locked() {
    let mut plugin = Plugin::unlocked();
    let old = plugin.ok("lock_vault", json!({}))["enclave"].clone();
    let mut other_tab = Plugin::empty();
    other_tab.ok("unlock_vault", json!({"proof": by(WORDS), "enclave": old}));
    let input = json!({"proof": by(WORDS), "passphrase": OTHER_WORDS});
    let new = other_tab.ok("set_passphrase", input)["enclave"].clone();
    plugin.ok("unlock_vault", json!({"proof": by(WORDS)}));
    let status = plugin.ok("open_vault", json!({"enclave": new}))["status"].clone();
    assert_eq!(
        (&status["revision"], &status["locked"]),
        (&json!(2), &json!(true))
    );
    plugin.refused(
        "unlock_vault",
        json!({"proof": by(WORDS)}),
        "INVALID_PASSPHRASE",
    );
    plugin.ok("unlock_vault", json!({"proof": by(OTHER_WORDS)}));
}

#[test]
fn an_unlocked_vault_still_checks_the_passphrase() {
    let mut plugin = Plugin::unlocked();
    plugin.refused(
        "unlock_vault",
        json!({"proof": {"passphrase": OTHER_WORDS}}),
        "INVALID_PASSPHRASE",
    );
    assert_eq!(
        plugin.ok("unlock_vault", json!({"proof": {"passphrase": WORDS}}))["status"]["locked"],
        false
    );
}

#[test]
fn damage_is_told_from_a_wrong_passphrase() {
    let mut plugin = Plugin::unlocked();
    let enclave = plugin.ok("lock_vault", json!({}))["enclave"]
        .as_str()
        .unwrap()
        .to_owned();
    let damaged = enclave.replacen("\"revision\":1", "\"revision\":2", 1);
    assert_ne!(damaged, enclave);
    let refusal = Plugin::empty().refused(
        "open_vault",
        json!({"enclave": damaged}),
        "OPERATION_FAILED",
    );
    assert_eq!(refusal["name"], "StateDamaged");
}

#[test]
fn a_state_of_lower_cost_opens_and_is_raised() {
    let vector: Value =
        serde_json::from_str(include_str!("../../../../../vectors/keyhole/seal-v1.json")).unwrap();
    let mut plugin = Plugin::empty();
    plugin.ok("open_vault", json!({"enclave": vector["state"]}));
    let methods = plugin.ok("list_unlock_methods", json!({}))["methods"].clone();
    assert_eq!(
        (&methods[0]["memory_kib"], &methods[0]["passes"]),
        (&json!(19_456), &json!(2))
    );
    let unlocked = plugin.ok(
        "unlock_vault",
        json!({"proof": {"passphrase": vector["passphrase"]}}),
    );
    assert!(unlocked["enclave"].is_string());
    assert_eq!(unlocked["status"]["address"], vector["address"]);
    assert_eq!(unlocked["status"]["label"], vector["label"]);
    for (key, expected) in unlocked["status"]["keys"]
        .as_array()
        .unwrap()
        .iter()
        .zip(vector["keys"].as_array().unwrap())
    {
        assert_eq!(
            (&key["key_id"], &key["did"]),
            (&expected["id"], &expected["did"])
        );
        assert_eq!(key.get("label").unwrap_or(&Value::Null), &expected["label"]);
    }
    let record =
        json!({"context": vector["record"]["context"], "sealed": vector["record"]["sealed"]});
    let opened = plugin.ok("open_records", json!({"records": [record]}));
    assert_eq!(
        opened["records"][0]["plaintext"],
        vector["record"]["plaintext"]
    );
    let methods = plugin.ok("list_unlock_methods", json!({}))["methods"].clone();
    assert_eq!(
        (&methods[0]["memory_kib"], &methods[0]["passes"]),
        (&json!(65_536), &json!(3))
    );
    // The new state could not be saved: the vault stays unlocked, as it was.
    let back = plugin.ok(
        "rollback_vault",
        json!({"revision": unlocked["status"]["revision"]}),
    );
    assert_eq!(
        (&back["status"]["locked"], &back["status"]["revision"]),
        (&json!(false), &json!(3))
    );
}

#[test]
fn memory_can_be_warmed_and_no_more_than_is_needed() {
    let mut plugin = Plugin::empty();
    assert_eq!(plugin.ok("warm", json!({})), json!({}));
    assert_eq!(
        plugin.ok("warm", json!({"memory_kib": 4_294_967_295_u32})),
        json!({})
    );
}

#[test]
fn a_host_without_randomness_or_with_a_wrong_clock_is_refused() {
    let mut plugin = Plugin::empty();
    plugin.host.is_broken = true;
    plugin.refused(
        "create_vault",
        json!({"passphrase": WORDS}),
        "OPERATION_FAILED",
    );
    plugin.host.is_broken = false;
    for now_ms in [-1, i64::MIN, i64::MAX] {
        plugin.host.now_ms = now_ms;
        plugin.refused(
            "create_vault",
            json!({"passphrase": WORDS}),
            "OPERATION_FAILED",
        );
    }
    assert_eq!(plugin.status()["initialized"], false);
}
