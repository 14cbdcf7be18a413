use serde_json::{Value, json};

use crate::support::{NOW, OTHER_WORDS, Plugin, WORDS};

const FILE_WORDS: &str = "words of the backup file";

fn export(plugin: &mut Plugin, contents: &str) -> String {
    let input = format!(
        r#"{{"passphrase":"{WORDS}","export_passphrase":"{FILE_WORDS}","contents":{contents}}}"#
    );
    let answer: Value =
        serde_json::from_str(&plugin.raw("export_vault", input.as_bytes())).unwrap();
    answer["backup"].as_str().expect("a backup").to_owned()
}

#[test]
fn an_account_goes_out_and_comes_back_with_its_contents_to_the_letter() {
    let mut plugin = Plugin::unlocked();
    plugin.ok("generate_key", json!({"label": "phone"}));
    let status = plugin.status();
    let contents = r#"{"tokens":[18446744073709551617, 1.0], "z":0,"a":"\u00e9"}"#;
    let backup = export(&mut plugin, contents);

    let header = plugin.ok("read_backup", json!({"backup": backup}));
    assert_eq!(
        header,
        json!({"format": "keyhole-backup-v1", "address": status["address"], "chain_id": "keyhole-1", "created_at": NOW})
    );

    let mut fresh = Plugin::empty();
    let input =
        json!({"backup": backup, "export_passphrase": FILE_WORDS, "passphrase": OTHER_WORDS});
    let text = fresh.raw("import_vault", input.to_string().as_bytes());
    assert!(text.contains(contents), "{text}");
    let imported: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(imported["status"]["keys"], status["keys"]);
    assert_eq!(imported["status"]["revision"], 3);
    assert_eq!(imported["added_keys"].as_array().unwrap().len(), 2);
    fresh.ok("lock_vault", json!({}));
    fresh.ok(
        "unlock_vault",
        json!({"passphrase": OTHER_WORDS, "enclave": imported["enclave"]}),
    );
}

#[test]
fn importing_needs_what_it_needs_and_changes_nothing_without() {
    let mut plugin = Plugin::unlocked();
    let backup = export(&mut plugin, "{}");
    let import = |passphrase: &str| json!({"backup": backup, "export_passphrase": passphrase, "passphrase": OTHER_WORDS});
    let mut fresh = Plugin::empty();
    fresh.refused("import_vault", import(WORDS), "INVALID_PASSPHRASE");
    let without = json!({"backup": backup, "export_passphrase": FILE_WORDS});
    fresh.refused("import_vault", without, "OPERATION_FAILED");
    let cut = json!({"backup": backup[..100], "export_passphrase": FILE_WORDS, "passphrase": OTHER_WORDS});
    fresh.refused("import_vault", cut, "OPERATION_FAILED");
    let short =
        json!({"backup": backup, "export_passphrase": FILE_WORDS, "passphrase": "too short"});
    fresh.refused("import_vault", short, "INVALID_PASSPHRASE");
    assert_eq!(fresh.status()["initialized"], false);

    // Into the same account, unlocked: merged. Into a locked or another one: refused.
    let merged = plugin.ok(
        "import_vault",
        json!({"backup": backup, "export_passphrase": FILE_WORDS}),
    );
    assert_eq!(merged["added_keys"], json!([]));
    plugin.ok(
        "rollback_vault",
        json!({"revision": merged["status"]["revision"]}),
    );
    plugin.ok("lock_vault", json!({}));
    plugin.refused("import_vault", import(FILE_WORDS), "VAULT_LOCKED");
    let mut other = Plugin::empty();
    other.ok(
        "create_vault",
        json!({"passphrase": WORDS, "key_type": "p256"}),
    );
    other.refused("import_vault", import(FILE_WORDS), "OPERATION_FAILED");
}

#[test]
fn exporting_needs_a_fresh_proof() {
    let mut plugin = Plugin::unlocked();
    let input = |passphrase: &str, export_passphrase: &str| json!({"passphrase": passphrase, "export_passphrase": export_passphrase, "contents": null});
    plugin.refused(
        "export_vault",
        input(OTHER_WORDS, FILE_WORDS),
        "INVALID_PASSPHRASE",
    );
    plugin.refused(
        "export_vault",
        input(WORDS, "too short"),
        "INVALID_PASSPHRASE",
    );
    plugin.ok("export_vault", input(WORDS, FILE_WORDS));
}
