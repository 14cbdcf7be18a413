use serde_json::json;

use crate::support::{Plugin, WORDS};

#[test]
fn keys_are_made_named_chosen_and_deleted() {
    let mut plugin = Plugin::unlocked();
    let first = plugin.status()["default_key"].clone();
    let made = plugin.ok(
        "generate_key",
        json!({"key_type": "secp256k1", "label": "phone"}),
    );
    let id = made["key"]["key_id"].clone();
    assert_eq!(made["key"]["label"], "phone");
    assert_eq!(made["status"]["revision"], 2);
    plugin.ok("label_key", json!({"key_id": id, "label": "old phone"}));
    plugin.ok("label_vault", json!({"label": "Ada L."}));
    let changed = plugin.ok("set_default_key", json!({"key_id": id}));
    assert_eq!(changed["status"]["issuer_did"], made["key"]["did"]);
    assert_eq!(changed["status"]["label"], "Ada L.");
    assert_eq!(
        plugin.ok("get_issuer_did", json!({}))["issuer_did"],
        made["key"]["did"]
    );
    let keys = plugin.ok("list_keys", json!({}))["keys"].clone();
    assert_eq!(keys, changed["status"]["keys"]);
    assert_eq!(keys[1]["label"], "old phone");

    let deleted = plugin.ok("delete_key", json!({"key_id": id}));
    assert_eq!(deleted["status"]["keys"].as_array().unwrap().len(), 1);
    assert_eq!(deleted["status"]["default_key"], first);
    plugin.refused("delete_key", json!({"key_id": first}), "OPERATION_FAILED");
    plugin.refused("delete_key", json!({"key_id": id}), "KEY_NOT_FOUND");
    plugin.refused("set_default_key", json!({"key_id": id}), "KEY_NOT_FOUND");
    plugin.refused(
        "label_key",
        json!({"key_id": id, "label": "x"}),
        "KEY_NOT_FOUND",
    );
    plugin.refused(
        "sign_data",
        json!({"data": [], "key_id": id}),
        "KEY_NOT_FOUND",
    );
    plugin.refused(
        "generate_key",
        json!({"key_type": "rsa"}),
        "INVALID_KEY_TYPE",
    );
    plugin.refused(
        "label_vault",
        json!({"label": "l".repeat(201)}),
        "OPERATION_FAILED",
    );
    assert_eq!(plugin.status()["revision"], 6);
}

#[test]
fn the_last_two_changes_that_could_not_be_saved_are_rolled_back() {
    let mut plugin = Plugin::unlocked();
    plugin.ok("label_vault", json!({"label": "Ada"}));
    plugin.ok("label_vault", json!({"label": "first"}));
    plugin.ok("label_vault", json!({"label": "second"}));
    plugin.ok("rollback_vault", json!({"revision": 4}));
    let back = plugin.ok("rollback_vault", json!({"revision": 3}));
    assert_eq!(back["status"]["label"], "Ada");
    plugin.refused("rollback_vault", json!({"revision": 2}), "OPERATION_FAILED");

    let before = plugin.status();
    let made = plugin.ok("generate_key", json!({}));
    plugin.refused("rollback_vault", json!({"revision": 1}), "OPERATION_FAILED");
    let back = plugin.ok(
        "rollback_vault",
        json!({"revision": made["status"]["revision"]}),
    );
    assert_eq!(back["status"], before);
    plugin.refused("rollback_vault", json!({"revision": 2}), "OPERATION_FAILED");

    // A deletion is rolled back too: the key signs again.
    let id = plugin.ok("generate_key", json!({}))["key"]["key_id"].clone();
    plugin.ok("delete_key", json!({"key_id": id}));
    plugin.ok("rollback_vault", json!({"revision": 4}));
    plugin.ok("sign_data", json!({"data": [1], "key_id": id}));

    // A refused call is not a change, and locking ends what can be rolled back.
    plugin.ok("label_vault", json!({"label": "x"}));
    plugin.refused("delete_key", json!({"key_id": "nothing"}), "KEY_NOT_FOUND");
    assert_eq!(
        plugin.ok("rollback_vault", json!({"revision": 4}))["status"]["label"],
        "Ada"
    );
    plugin.ok("label_vault", json!({"label": "x"}));
    plugin.ok("lock_vault", json!({}));
    plugin.refused("rollback_vault", json!({"revision": 4}), "OPERATION_FAILED");
    // Unlocking is not a change either, unless it raises the cost.
    plugin.ok("unlock_vault", json!({"proof": {"passphrase": WORDS}}));
    plugin.refused("rollback_vault", json!({"revision": 4}), "OPERATION_FAILED");
}

#[test]
fn a_vault_that_could_not_be_saved_is_gone() {
    let mut plugin = Plugin::unlocked();
    assert_eq!(
        plugin.ok("rollback_vault", json!({"revision": 1}))["status"]["initialized"],
        false
    );
    plugin.ok("create_vault", json!({"passphrase": WORDS}));
}
