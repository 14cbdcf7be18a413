//! An export makes every refusal that it declares. Every call of these tests also checks that it makes no other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use keyhole_enclave::EXPORTS;
use keyhole_enclave::export_macro::Export;
use keyhole_enclave::refusal_groups::{GROUPS, LOCKED, TAKING_IN, UNLOCKED};
use serde_json::{Value, json};

use crate::support::{Plugin, by_passkey, passkey};

const EXPORT_PASSPHRASE: &str = "an export passphrase";

fn did(plugin: &mut Plugin) -> Value {
    plugin.ok("get_issuer_did", json!({}))["issuer_did"].clone()
}

/// An account that opens without a derivation. It is the same each time, since clock and randomness are.
fn account() -> Plugin {
    let mut plugin = Plugin::empty();
    let methods = json!({"passkey": passkey(1), "recovery_code": true});
    plugin.ok("create_vault", methods);
    plugin
}

fn payment() -> Value {
    json!({"origin": "https://shop.example", "value": "1.00", "currency": "GBP", "order": "A-1"})
}

fn terms(audience: Option<Value>) -> Value {
    json!({"audience_did": audience, "payees": ["did:web:shop.example"], "max": 5_000, "currency": "GBP",
        "budget": {"period": "day", "amount": 10_000}})
}

fn backup(plugin: &mut Plugin) -> Value {
    let input =
        json!({"proof": by_passkey(1), "export_passphrase": EXPORT_PASSPHRASE, "contents": 1});
    plugin.ok("export_vault", input)["backup"].clone()
}

/// Makes another account request a payment under a mandate of this one.
fn request(plugin: &mut Plugin) -> Value {
    let mut agent = Plugin::another();
    let audience = did(&mut agent);
    let made = plugin.ok("make_mandate", terms(Some(audience)));
    let args =
        json!({"payee": "did:web:shop.example", "amount": 100, "currency": "GBP", "order": "A-1"});
    let asked = json!({"command": "/payment/request", "args": args, "subject_did": made["issuer"],
        "proof_token": made["token"]});
    agent.ok("invoke", asked)["token"].clone()
}

/// An account, and an input that this export takes.
fn example(name: &str) -> (Plugin, Value) {
    let mut plugin = account();
    let proof = by_passkey(1);
    let input = match name {
        "create_vault" => {
            plugin.ok("close_vault", json!({}));
            json!({"passkey": passkey(1), "recovery_code": true, "label": "l", "chain_id": "c", "key_type": "p256"})
        }
        "open_vault" => json!({"enclave": plugin.ok("lock_vault", json!({}))["enclave"]}),
        "unlock_vault" => json!({"proof": proof, "suspend_mandates": true}),
        "settle_payment" | "rollback_vault" => json!({"revision": plugin.status()["revision"]}),
        "generate_key" => json!({"key_type": "p256", "label": "l"}),
        "preview_key" | "import_key" => {
            let text = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n-----END PRIVATE KEY-----";
            let key = json!({"text": text, "key_type": "ed25519"});
            match name {
                "preview_key" => json!({"key": key, "chain_id": "c"}),
                _ => json!({"key": key, "label": "l"}),
            }
        }
        "label_key" | "set_default_key" | "delete_key" | "sign_data" => {
            let made = plugin.ok("generate_key", json!({}));
            let id = made["key"]["key_id"].clone();
            match name {
                "label_key" => json!({"key_id": id, "label": "l"}),
                "sign_data" => json!({"data": [1], "key_id": id}),
                _ => json!({"key_id": id}),
            }
        }
        "leave_devices" => {
            plugin.ok("start_devices", json!({"proof": proof}));
            json!({})
        }
        "label_vault" => json!({"label": "l"}),
        "set_passphrase" => json!({"proof": proof, "passphrase": EXPORT_PASSPHRASE}),
        "add_passkey" => json!({"proof": proof, "passkey": passkey(2)}),
        "new_recovery_code" => json!({"proof": proof}),
        "label_unlock_method" | "remove_unlock_method" => {
            plugin.ok(
                "add_passkey",
                json!({"proof": proof, "passkey": passkey(2)}),
            );
            let methods = plugin.ok("list_unlock_methods", json!({}));
            let id = methods["methods"][2]["id"].clone();
            match name {
                "label_unlock_method" => json!({"method_id": id, "label": "l"}),
                _ => json!({"method_id": id, "proof": proof}),
            }
        }
        "log_activity" => json!({"entries": [{"kind": "a"}]}),
        "read_activity" | "open_records" => json!({"records": []}),
        "seal_records" => json!({"records": [{"context": "c", "plaintext": "p"}]}),
        "new_origin_token" => {
            json!({"audience_did": "did:web:a.example", "command": "/a", "key_id": plugin.status()["default_key"]})
        }
        "seal_answer" => {
            json!({"answer": "{}", "request": "A".repeat(43), "mailbox": "did:key:z6Mk", "key": format!("CQ{}", "A".repeat(41))})
        }
        "evaluate_policy" => json!({"command": "/a", "call": {"command": "/a", "args": {}}}),
        "new_attenuated_token"
        | "inspect_token"
        | "check_tokens"
        | "verify_token"
        | "invoke"
        | "revoke" => {
            let subject = did(&mut plugin);
            let holder = plugin.ok("generate_key", json!({}))["key"].clone();
            let granted = json!({"audience_did": holder["did"], "command": "/a"});
            let made = plugin.ok("new_origin_token", granted);
            let (token, key) = (&made["token"], &holder["key_id"]);
            match name {
                "inspect_token" => json!({"token": token}),
                "check_tokens" => json!({"tokens": [token]}),
                "revoke" => {
                    json!({"cid": made["cid"], "token": token, "key_id": plugin.status()["default_key"]})
                }
                "verify_token" => json!({"token": token, "chain_id": "c", "revocations": []}),
                "invoke" => {
                    json!({"command": "/a", "args": {}, "subject_did": subject, "proof_token": token, "key_id": key})
                }
                _ => {
                    json!({"parent_token": token, "audience_did": "did:web:a.example", "command": "/a", "key_id": key})
                }
            }
        }
        "issue_receipt" | "validate_invocation" | "validate_batch" => {
            let subject = did(&mut plugin);
            let made = plugin.ok(
                "invoke",
                json!({"command": "/a", "args": {}, "subject_did": subject}),
            );
            let key = &plugin.status()["default_key"];
            match name {
                "issue_receipt" => json!({"task": made["task"], "ok": 1, "key_id": key}),
                "validate_invocation" => json!({"invocation": made["token"], "revocations": []}),
                _ => json!({"invocations": [made["token"]], "revocations": []}),
            }
        }
        "verify_data" => json!({"data": [1], "signature": [2]}),
        "check_payment" => payment(),
        "authorize_payment" => {
            json!({"payment": payment(), "key_id": plugin.status()["default_key"]})
        }
        "make_mandate" => {
            let mut terms = terms(None);
            terms["key_id"] = plugin.status()["default_key"].clone();
            terms
        }
        "spend_mandate" | "suspend_mandate" | "end_mandate" => {
            let cid = plugin.ok("make_mandate", terms(None))["cid"].clone();
            match name {
                "spend_mandate" => json!({"cid": cid, "payment": payment()}),
                "suspend_mandate" => json!({"cid": cid, "suspended": true}),
                _ => json!({"cid": cid}),
            }
        }
        "countersign_payment" => json!({"request": request(&mut plugin), "revocations": []}),
        "begin_export" | "export_vault" => {
            json!({"proof": proof, "export_passphrase": EXPORT_PASSPHRASE, "contents": 1})
        }
        "seal_backup_chunk" => {
            let head =
                json!({"proof": proof, "export_passphrase": EXPORT_PASSPHRASE, "contents": 1});
            plugin.ok("begin_export", head);
            json!({"contents": 1, "last": true})
        }
        "open_backup_chunk" => json!({"chunk": "{}"}),
        "finish_import" => {
            let backup = backup(&mut plugin);
            plugin.ok(
                "begin_import",
                json!({"backup": backup, "export_passphrase": EXPORT_PASSPHRASE}),
            );
            json!({"passphrase": EXPORT_PASSPHRASE})
        }
        "import_vault" | "begin_import" | "check_backup" => {
            json!({"backup": backup(&mut plugin), "export_passphrase": EXPORT_PASSPHRASE})
        }
        "read_backup" => json!({"backup": backup(&mut plugin)}),
        _ => json!({}),
    };
    (plugin, input)
}

/// The exports that refuse by this name after a change to the account and the input.
fn refusing(name: &str, spoil: impl Fn(&mut Plugin, &mut Value)) -> BTreeSet<&'static str> {
    let refuses = |export: &&str| {
        let (mut plugin, mut input) = example(export);
        spoil(&mut plugin, &mut input);
        plugin.call(export, input)["name"] == name
    };
    EXPORTS
        .iter()
        .map(|export| export.name)
        .filter(refuses)
        .collect()
}

/// The same after a change to the input alone. Exports whose input it does not change are not called.
fn refusing_input(name: &str, spoil: impl Fn(&mut Value)) -> BTreeSet<&'static str> {
    static INPUTS: LazyLock<BTreeMap<&str, Value>> = LazyLock::new(|| {
        let names = EXPORTS.iter().map(|export| export.name);
        names.map(|name| (name, example(name).1)).collect()
    });
    let refuses = |(export, input): (&&'static str, &Value)| {
        let mut spoiled = input.clone();
        spoil(&mut spoiled);
        let is_refused =
            spoiled != *input && example(export).0.call(export, spoiled)["name"] == name;
        is_refused.then_some(*export)
    };
    INPUTS.iter().filter_map(refuses).collect()
}

fn declared(name: &str) -> BTreeSet<&'static str> {
    let refuses = EXPORTS
        .iter()
        .filter(|export| export.declaration.may_refuse(name));
    refuses.map(|export| export.name).collect()
}

/// Replaces the value of a field that is there.
fn set(input: &mut Value, field: &str, value: impl Into<Value>) {
    if let Some(place) = input.get_mut(field) {
        *place = value.into();
    }
}

#[test]
fn every_example_is_accepted() {
    for export in EXPORTS {
        let (mut plugin, input) = example(export.name);
        if export.name != "open_backup_chunk" {
            plugin.ok(export.name, input);
        }
    }
}

#[test]
fn the_declared_refusals_for_accounts_are_made() {
    let without = refusing("NoVault", |plugin, _| *plugin = Plugin::empty());
    assert_eq!(without, declared("NoVault"));
    let locked = refusing("VaultLocked", |plugin, _| {
        plugin.call("lock_vault", json!({}));
    });
    // For a derivation, the host gives this answer.
    let said = [UNLOCKED, LOCKED, TAKING_IN];
    let says = |export: &&Export| {
        export
            .declaration
            .groups()
            .any(|group| said.contains(&group))
    };
    let declared: BTreeSet<_> = EXPORTS
        .iter()
        .filter(says)
        .map(|export| export.name)
        .collect();
    assert_eq!(locked, declared);
}

#[test]
fn the_declared_refusals_for_hosts_are_made() {
    let clock = refusing("ClockWrong", |plugin, _| plugin.host.now_ms = -1);
    assert_eq!(clock, declared("ClockWrong"));
    let random = refusing("NoRandomness", |plugin, _| plugin.host.is_broken = true);
    assert_eq!(random, declared("NoRandomness"));
}

#[test]
fn the_declared_refusals_for_inputs_are_made() {
    let unknown = refusing_input("InvalidInput", |input| input["unknown"] = 1.into());
    assert_eq!(unknown, declared("InvalidInput"));
    let cases = [
        ("KeyNotFound", "key_id", json!("none")),
        ("KeyTypeUnknown", "key_type", json!("rsa")),
        ("LabelTooLong", "label", json!("l".repeat(201))),
        ("ChainIdInvalid", "chain_id", json!("no id")),
        ("MethodNotFound", "method_id", json!("none")),
        (
            "StrongerProofNeeded",
            "proof",
            json!({"recovery_code": "0000-0000-0000-0000-0000-0000-000"}),
        ),
        ("WrongPasskey", "proof", by_passkey(9)),
        ("NotBackup", "backup", json!("{}")),
    ];
    for (name, field, value) in cases {
        let given = refusing_input(name, |input| {
            set(input, field, value.clone());
            if let Some(key) = input.get_mut("key") {
                set(key, field, value.clone());
            }
            if let Some(passkey) = input.get_mut("passkey") {
                set(passkey, field, value.clone());
            }
        });
        assert_eq!(given, declared(name), "{name}");
    }
}

#[test]
fn the_declared_refusals_for_strangers_texts_are_made() {
    let jwt = "eyJhbGciOiJFZERTQSJ9";
    let strange = refusing_input("UnsupportedVersion", |input| {
        for field in ["token", "parent_token", "proof_token", "request"] {
            set(input, field, jwt);
        }
        set(input, "revocations", json!([jwt]));
    });
    assert_eq!(strange, declared("UnsupportedVersion"));
}

#[test]
fn every_group_is_used() {
    for group in GROUPS {
        let used = |export: &Export| export.declaration.groups().any(|one| one == *group);
        assert!(
            EXPORTS.iter().any(used),
            "{} is declared of no export",
            group.name
        );
    }
}

#[test]
fn every_refusal_of_the_vault_is_declared_of_an_export() {
    for name in keyhole_vault::error::groups::ALL.iter().copied().flatten() {
        assert!(!declared(name).is_empty(), "{name}");
    }
}
