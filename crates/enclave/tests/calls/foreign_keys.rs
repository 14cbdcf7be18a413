//! Keys from elsewhere: previewed, imported, and as an account's first key.

use serde_json::{Value, json};

use crate::support::{Plugin, WORDS};

/// RFC 8410 §10.3.
const PEM: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
    -----END PRIVATE KEY-----\n";
const DID: &str = "did:key:z6MkgBmPpouQ9ecfde8g8oyJyhdgxfuTB2mqsd7A8QnEu3ZA";
const PHRASE: &str = "test test test test test test test test test test test junk";
/// Not on the list; never repeated.
const MISTYPED: &str = "jnuk";

fn phrase(key_type: &str) -> Value {
    json!({"text": PHRASE, "key_type": key_type})
}

#[test]
fn previews_the_same_key_that_it_imports() {
    let mut plugin = Plugin::empty();
    let preview = plugin.ok("preview_key", json!({"key": {"text": PEM}}));
    assert_eq!(preview["key_type"], "ed25519");
    assert_eq!(preview["did"], DID);
    assert!(preview["address"].as_str().unwrap().starts_with("kh1"));
    assert_eq!(preview.get("path"), None);

    let mut plugin = Plugin::unlocked();
    let before = plugin.status();
    let imported = plugin.ok("import_key", json!({"key": {"text": PEM}, "label": "old"}));
    assert_eq!(imported["key"]["did"], DID);
    assert_eq!(imported["key"]["label"], "old");
    assert_eq!(imported["key"]["is_default"], false);
    assert_eq!(
        imported["status"]["revision"].as_u64(),
        before["revision"].as_u64().map(|revision| revision + 1)
    );
    // It signs, and is still there after a lock.
    let key_id = imported["key"]["key_id"].clone();
    let unlock = json!({"proof": {"passphrase": WORDS}, "enclave": imported["enclave"]});
    plugin.ok("lock_vault", json!({}));
    plugin.ok("unlock_vault", unlock);
    let signed = plugin.ok("sign_data", json!({"data": [1, 2], "key_id": key_id}));
    let verify = json!({"data": [1, 2], "signature": signed["signature"], "did": DID});
    assert_eq!(plugin.ok("verify_data", verify)["valid"], true);
}

#[test]
fn derives_from_a_phrase_by_type_and_path() {
    let mut plugin = Plugin::empty();
    let ed25519 = plugin.ok("preview_key", json!({"key": {"text": PHRASE}}));
    assert_eq!(
        (&ed25519["key_type"], &ed25519["path"]),
        (&json!("ed25519"), &json!("m/44'/0'/0'"))
    );
    let secp256k1 = plugin.ok("preview_key", json!({"key": phrase("secp256k1")}));
    assert_eq!(secp256k1["path"], "m/44'/60'/0'/0/0");
    let mut other = phrase("secp256k1");
    other["path"] = json!("m/44h/60h/0h/0/1");
    let other = plugin.ok("preview_key", json!({"key": other}));
    assert_eq!(other["path"], "m/44'/60'/0'/0/1");
    let mut guarded = phrase("secp256k1");
    guarded["mnemonic_passphrase"] = json!("TREZOR");
    let guarded = plugin.ok("preview_key", json!({"key": guarded}));
    let dids = [&ed25519, &secp256k1, &other, &guarded].map(|preview| preview["did"].clone());
    assert!((1..4).all(|at| !dids[..at].contains(&dids[at])), "{dids:?}");
}

#[test]
fn shows_the_address_of_the_network_that_is_meant() {
    let mut plugin = Plugin::empty();
    let preview =
        |plugin: &mut Plugin, input: Value| plugin.ok("preview_key", input)["address"].clone();
    let default = preview(&mut plugin, json!({"key": {"text": PEM}}));
    let named = preview(
        &mut plugin,
        json!({"key": {"text": PEM}, "chain_id": "other-1"}),
    );
    assert_ne!(default, named);
    let create = json!({"passphrase": WORDS, "chain_id": "other-1", "key": {"text": PEM}});
    let created = plugin.ok("create_vault", create);
    assert_eq!(created["status"]["address"], named);
    // With an open account, the account's own.
    assert_eq!(preview(&mut plugin, json!({"key": {"text": PEM}})), named);
}

#[test]
fn creates_an_account_with_a_key_from_elsewhere() {
    let mut plugin = Plugin::empty();
    let both = json!({"passphrase": WORDS, "key_type": "ed25519", "key": {"text": PEM}});
    plugin.refused("create_vault", both, "OPERATION_FAILED");
    assert_eq!(plugin.status()["initialized"], false);
    let created = plugin.ok(
        "create_vault",
        json!({"passphrase": WORDS, "key": {"text": PEM}}),
    );
    assert_eq!(created["status"]["issuer_did"], DID);
    assert_eq!(created["status"]["keys"][0]["is_first"], true);
    // An account doesn't import a key twice.
    let revision = plugin.status()["revision"].clone();
    let again = plugin.refused(
        "import_key",
        json!({"key": {"text": PEM}}),
        "OPERATION_FAILED",
    );
    assert_eq!(again["name"], "KeyKnown");
    assert_eq!(plugin.status()["revision"], revision);
}

#[test]
fn refuses_in_words_changes_nothing_and_repeats_no_secret() {
    let mistyped = PHRASE.replace("junk", MISTYPED);
    let wrong = PHRASE.replace("junk", "abandon");
    let refused = [
        (json!({"text": mistyped}), "OPERATION_FAILED", "Word 12"),
        (json!({"text": wrong}), "OPERATION_FAILED", "do not fit"),
        (
            json!({"text": PHRASE, "key_type": "p256"}),
            "INVALID_KEY_TYPE",
            "phrase",
        ),
        (
            json!({"text": PHRASE, "key_type": "rsa"}),
            "INVALID_KEY_TYPE",
            "ed25519",
        ),
        (
            json!({"text": PHRASE, "path": "m/44'/0"}),
            "OPERATION_FAILED",
            "hardened",
        ),
        (
            json!({"text": PHRASE, "path": "44"}),
            "OPERATION_FAILED",
            "path",
        ),
        (
            json!({"text": PHRASE, "format": "pem"}),
            "OPERATION_FAILED",
            "pkcs8, jwk or bip39",
        ),
        (
            json!({"text": PEM, "key_type": "p256"}),
            "INVALID_KEY_TYPE",
            "ed25519",
        ),
        (
            json!({"text": PEM, "path": "m"}),
            "OPERATION_FAILED",
            "Only a phrase",
        ),
        (json!({"text": ""}), "OPERATION_FAILED", "PKCS#8"),
    ];
    let mut plugin = Plugin::unlocked();
    let before = plugin.status();
    for (key, code, word) in refused {
        for name in ["preview_key", "import_key"] {
            let refusal = plugin.refused(name, json!({"key": key}), code);
            let error = refusal["error"].as_str().unwrap();
            assert!(error.contains(word), "{key}: {error}");
            assert!(
                !error.contains(MISTYPED) && !error.contains("abandon"),
                "{error}"
            );
        }
    }
    let too_long = json!({"key": {"text": PEM}, "label": "l".repeat(201)});
    plugin.refused("import_key", too_long, "OPERATION_FAILED");
    assert_eq!(plugin.status(), before);
}

#[test]
fn imports_only_into_an_account_that_is_unlocked() {
    let import = || json!({"key": {"text": PEM}});
    Plugin::empty().refused("import_key", import(), "VAULT_NOT_INITIALIZED");
    let mut locked = Plugin::unlocked();
    locked.ok("lock_vault", json!({}));
    locked.refused("import_key", import(), "VAULT_LOCKED");
    locked.ok("preview_key", import());
}

#[test]
fn rolls_an_import_back() {
    let mut plugin = Plugin::unlocked();
    let before = plugin.status();
    let imported = plugin.ok("import_key", json!({"key": {"text": PEM}}));
    let revision = imported["status"]["revision"].clone();
    plugin.ok("rollback_vault", json!({"revision": revision}));
    assert_eq!(plugin.status(), before);
}
