use serde_json::{Value, json};

use crate::support::{NOW, OTHER_WORDS, Plugin, WORDS, by, by_passkey, passkey};

const FILE_WORDS: &str = "words of the backup file";

fn export(plugin: &mut Plugin, contents: &str) -> String {
    let input = format!(
        r#"{{"proof":{{"passphrase":"{WORDS}"}},"export_passphrase":"{FILE_WORDS}","contents":{contents}}}"#
    );
    let answer: Value =
        serde_json::from_str(&plugin.raw("export_vault", input.as_bytes())).unwrap();
    answer["backup"].as_str().expect("a backup").to_owned()
}

#[test]
fn a_backup_restores_its_account_and_contents_exactly() {
    let mut plugin = Plugin::unlocked();
    plugin.ok("generate_key", json!({"label": "phone"}));
    let status = plugin.status();
    let contents = r#"{"tokens":[18446744073709551617, 1.0], "z":0,"a":"\u00e9"}"#;
    let backup = export(&mut plugin, contents);

    let header = plugin.ok("read_backup", json!({"backup": backup}));
    assert_eq!(
        header,
        json!({"format": "keyhole-backup-v2", "address": status["address"], "chain_id": "keyhole-1", "created_at": NOW})
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
        json!({"proof": by(OTHER_WORDS), "enclave": imported["enclave"]}),
    );
}

#[test]
fn importing_without_what_it_needs_changes_nothing() {
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

    // Merged into the same account while it is unlocked. Refused for a locked or another one.
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
    let input = |passphrase: &str, export_passphrase: &str| json!({"proof": by(passphrase), "export_passphrase": export_passphrase, "contents": null});
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

#[test]
fn a_recovery_code_opens_a_backup_but_cannot_export_one() {
    let mut plugin = Plugin::empty();
    let made = plugin.ok(
        "create_vault",
        json!({"passkey": passkey(1), "recovery_code": true}),
    );
    let code = &made["recovery_code"];
    let input = |proof: Value| json!({"proof": proof, "export_passphrase": FILE_WORDS, "contents": {"a": [1]}});
    plugin.refused(
        "export_vault",
        input(json!({"recovery_code": code})),
        "OPERATION_FAILED",
    );
    let backup = plugin.ok("export_vault", input(by_passkey(1)))["backup"].clone();

    // Either one checks it without an account, and changes nothing.
    let mut fresh = Plugin::empty();
    for opening in [
        json!({"backup": backup, "export_passphrase": FILE_WORDS}),
        json!({"backup": backup, "recovery_code": code}),
    ] {
        let checked = fresh.ok("check_backup", opening);
        let key = &made["status"]["keys"][0];
        assert_eq!(
            checked,
            json!({
                "address": made["status"]["address"],
                "chain_id": "keyhole-1",
                "created_at": NOW,
                "keys": [{"key_id": key["key_id"], "key_type": "ed25519", "did": key["did"]}],
                "contents": {"a": [1]},
            })
        );
        assert_eq!(fresh.status()["initialized"], false);
    }
    let wrong = "0000-0000-0000-0000-0000-0000-000";
    fresh.refused(
        "check_backup",
        json!({"backup": backup, "recovery_code": wrong}),
        "INVALID_PASSPHRASE",
    );
    let refusal = fresh.refused(
        "check_backup",
        json!({"backup": backup, "recovery_code": "0000-0000-0000-0000-0000-0000-001"}),
        "OPERATION_FAILED",
    );
    assert_eq!(refusal["name"], "RecoveryCodeMistyped");
    for neither in [
        json!({"backup": backup}),
        json!({"backup": backup, "recovery_code": code, "export_passphrase": FILE_WORDS}),
    ] {
        fresh.refused("check_backup", neither.clone(), "OPERATION_FAILED");
        fresh.refused("import_vault", neither, "OPERATION_FAILED");
    }

    // Restored by the code, under a new passphrase.
    let restored = fresh.ok(
        "import_vault",
        json!({"backup": backup, "recovery_code": code, "passphrase": OTHER_WORDS}),
    );
    assert_eq!(restored["status"]["address"], made["status"]["address"]);
    // Merged into the open account.
    let merged = plugin.ok(
        "import_vault",
        json!({"backup": backup, "recovery_code": code}),
    );
    assert_eq!(merged["added_keys"], json!([]));
}

#[test]
fn the_first_format_is_still_read() {
    let vector: Value = serde_json::from_str(include_str!(
        "../../../../../vectors/keyhole/backup-v1.json"
    ))
    .unwrap();
    let (backup, words) = (&vector["backup"], &vector["export_passphrase"]);
    let mut plugin = Plugin::empty();
    let checked = plugin.ok(
        "check_backup",
        json!({"backup": backup, "export_passphrase": words}),
    );
    assert_eq!(checked["address"], vector["address"]);
    let imported = plugin.ok(
        "import_vault",
        json!({"backup": backup, "export_passphrase": words, "passphrase": OTHER_WORDS}),
    );
    assert_eq!(imported["status"]["address"], vector["address"]);
    assert_eq!(imported["added_keys"], vector["key_ids"]);
}

/// A backup as a head and chunks: what was sealed, in order.
fn export_in_chunks(plugin: &mut Plugin, contents: &[&str]) -> (String, Vec<String>) {
    let begun = plugin.ok(
        "begin_export",
        json!({"proof": by(WORDS), "export_passphrase": FILE_WORDS, "contents": {"version": 2}}),
    );
    let last = contents.len() - 1;
    let chunks = contents.iter().enumerate().map(|(index, text)| {
        let input = format!(r#"{{"contents":{text},"last":{}}}"#, index == last);
        let sealed: Value =
            serde_json::from_str(&plugin.raw("seal_backup_chunk", input.as_bytes())).unwrap();
        sealed["chunk"].as_str().unwrap().to_owned()
    });
    let chunks = chunks.collect();
    (begun["backup"].as_str().unwrap().to_owned(), chunks)
}

#[test]
fn a_backup_in_chunks_is_read_to_its_end_before_it_is_used() {
    let mut plugin = Plugin::unlocked();
    plugin.ok("generate_key", json!({"label": "phone"}));
    let status = plugin.status();
    let (head, chunks) = export_in_chunks(&mut plugin, &["{\"tokens\":[1.0]}", "{\"tokens\":[2]}"]);
    // The last chunk closed it.
    plugin.refused(
        "seal_backup_chunk",
        json!({"contents": 1, "last": true}),
        "OPERATION_FAILED",
    );
    let header = plugin.ok("read_backup", json!({"backup": head}));
    assert_eq!(header["format"], "keyhole-backup-v3");

    let mut fresh = Plugin::empty();
    let begun = fresh.ok(
        "begin_import",
        json!({"backup": head, "export_passphrase": FILE_WORDS}),
    );
    assert_eq!(begun["address"], status["address"]);
    assert_eq!(begun["contents"], json!({"version": 2}));
    let finish = json!({"passphrase": OTHER_WORDS});
    fresh.refused("finish_import", finish.clone(), "OPERATION_FAILED");
    fresh.ok("open_backup_chunk", json!({"chunk": chunks[0]}));
    fresh.refused("finish_import", finish.clone(), "OPERATION_FAILED");
    let last = fresh.ok("open_backup_chunk", json!({"chunk": chunks[1]}));
    assert_eq!(last, json!({"contents": {"tokens": [2]}, "last": true}));
    let imported = fresh.ok("finish_import", finish.clone());
    assert_eq!(imported["status"]["keys"], status["keys"]);
    // Only once, but its chunks can be read again.
    fresh.refused("finish_import", finish, "OPERATION_FAILED");
    fresh.ok("open_backup_chunk", json!({"chunk": chunks[0]}));
    fresh.ok("end_backup", json!({}));
    fresh.refused(
        "open_backup_chunk",
        json!({"chunk": chunks[1]}),
        "OPERATION_FAILED",
    );
}

#[test]
fn what_is_sealed_while_a_backup_is_read_opens_in_its_account() {
    let mut plugin = Plugin::unlocked();
    let (head, chunks) = export_in_chunks(&mut plugin, &["1"]);
    let text = json!({"records": [{"context": "token-label:1", "plaintext": "The plumber"}]});
    let opening = json!({"backup": head, "export_passphrase": FILE_WORDS});
    let mut fresh = Plugin::empty();
    let none = "VAULT_NOT_INITIALIZED";
    fresh.refused("seal_records", text.clone(), none);
    // A backup that is only checked makes no account.
    let mut checking = opening.clone();
    checking["check"] = json!(true);
    fresh.ok("begin_import", checking);
    fresh.refused("seal_records", text.clone(), none);

    fresh.ok("begin_import", opening);
    let sealed = fresh.ok("seal_records", text.clone())["records"][0]["sealed"].clone();
    let record = json!({"records": [{"context": "token-label:1", "sealed": sealed}]});
    fresh.refused("open_records", record.clone(), none);
    fresh.ok("open_backup_chunk", json!({"chunk": chunks[0]}));
    fresh.ok("finish_import", json!({"passphrase": OTHER_WORDS}));
    // The account it came from has that metadata key too.
    for plugin in [&mut fresh, &mut plugin] {
        let opened = plugin.ok("open_records", record.clone());
        assert_eq!(opened["records"][0]["plaintext"], json!("The plumber"));
    }
    let later = fresh.ok("seal_records", text.clone())["records"][0]["sealed"].clone();
    let key = |sealed: &Value| {
        sealed
            .as_str()
            .unwrap()
            .split('.')
            .nth(1)
            .map(str::to_owned)
    };
    assert_eq!(key(&later), key(&sealed));
    fresh.ok("close_vault", json!({}));
    fresh.refused("seal_records", text, none);
}

#[test]
fn a_backup_without_a_passphrase_is_opened_by_the_recovery_code_alone() {
    let mut plugin = Plugin::unlocked();
    let writing = json!({"proof": by(WORDS), "contents": {}});
    // No code, so nothing would open it.
    plugin.refused("begin_export", writing.clone(), "INVALID_PASSPHRASE");
    let code = plugin.ok("new_recovery_code", json!({"proof": by(WORDS)}))["recovery_code"].clone();
    let head = plugin.ok("begin_export", writing)["backup"].clone();
    let header = plugin.ok("read_backup", json!({"backup": head}));
    assert_eq!(header["format"], "keyhole-backup-v6");
    plugin.ok("end_backup", json!({}));
    let mut fresh = Plugin::empty();
    let by_words = json!({"backup": head, "export_passphrase": WORDS});
    let refused = fresh.refused("begin_import", by_words, "INVALID_PASSPHRASE");
    assert_eq!(refused["name"], "BackupWithoutPassphrase");
    let begun = fresh.ok(
        "begin_import",
        json!({"backup": head, "recovery_code": code}),
    );
    assert_eq!(begun["address"], plugin.status()["address"]);
}

#[test]
fn a_lock_lets_go_of_the_backups_that_are_written_and_read() {
    let mut plugin = Plugin::unlocked();
    let (head, chunks) = export_in_chunks(&mut plugin, &["1"]);
    let opening = json!({"backup": head, "export_passphrase": FILE_WORDS});
    let writing = json!({"proof": by(WORDS), "export_passphrase": FILE_WORDS, "contents": {}});
    plugin.ok("begin_import", opening.clone());
    plugin.ok("begin_export", writing.clone());
    plugin.ok("lock_vault", json!({}));
    let chunk = json!({"chunk": chunks[0]});
    plugin.refused("open_backup_chunk", chunk.clone(), "OPERATION_FAILED");
    let sealing = json!({"contents": 1, "last": true});
    plugin.refused("seal_backup_chunk", sealing.clone(), "VAULT_LOCKED");
    plugin.refused("begin_import", opening.clone(), "VAULT_LOCKED");
    // A locked account may read a backup to compare with; its keys are dropped at once.
    let mut checking = opening;
    checking["check"] = json!(true);
    plugin.ok("begin_import", checking);
    plugin.ok("open_backup_chunk", chunk);
    plugin.refused("finish_import", json!({}), "VAULT_LOCKED");
    plugin.ok("unlock_vault", json!({"proof": by(WORDS)}));
    plugin.refused("seal_backup_chunk", sealing, "OPERATION_FAILED");
    plugin.refused("finish_import", json!({}), "OPERATION_FAILED");
}

#[test]
fn a_merge_leaves_out_the_named_keys() {
    let mut plugin = Plugin::unlocked();
    let phone = plugin.ok("generate_key", json!({"label": "phone"}))["key"]["key_id"].clone();
    let (head, chunks) = export_in_chunks(&mut plugin, &["1"]);
    plugin.ok("delete_key", json!({"key_id": phone}));
    let left = plugin.status()["keys"].clone();
    let first = left[0]["key_id"].clone();
    let opening = json!({"backup": head, "export_passphrase": FILE_WORDS});
    let chunk = json!({"chunk": chunks[0]});

    plugin.ok("begin_import", opening.clone());
    plugin.ok("open_backup_chunk", chunk.clone());
    let merged = plugin.ok("finish_import", json!({"without": [phone, first, "none"]}));
    assert_eq!(merged["added_keys"], json!([]));
    assert_eq!(merged["status"]["keys"], left);

    plugin.ok("begin_import", opening.clone());
    plugin.ok("open_backup_chunk", chunk.clone());
    let merged = plugin.ok("finish_import", json!({}));
    assert_eq!(merged["added_keys"], json!([phone]));

    // A new account takes all of its backup.
    let mut fresh = Plugin::empty();
    fresh.ok("begin_import", opening);
    fresh.ok("open_backup_chunk", chunk);
    let restored = fresh.ok(
        "finish_import",
        json!({"passphrase": OTHER_WORDS, "without": [phone]}),
    );
    assert_eq!(restored["status"]["keys"].as_array().unwrap().len(), 2);
}

#[test]
fn a_restored_account_is_above_the_revision_that_it_replaces() {
    let mut plugin = Plugin::unlocked();
    let (head, chunks) = export_in_chunks(&mut plugin, &["1"]);
    let written = plugin.status()["revision"].as_u64().unwrap();
    for (above, revision) in [(0, written + 1), (written + 40, written + 41)] {
        let mut fresh = Plugin::empty();
        fresh.ok(
            "begin_import",
            json!({"backup": head, "export_passphrase": FILE_WORDS}),
        );
        fresh.ok("open_backup_chunk", json!({"chunk": chunks[0]}));
        let finish = json!({"passphrase": OTHER_WORDS, "above": above});
        let restored = fresh.ok("finish_import", finish);
        assert_eq!(restored["status"]["revision"], json!(revision));
    }
}

#[test]
fn older_formats_are_imported_the_same_way() {
    let mut plugin = Plugin::unlocked();
    let backup = export(&mut plugin, "{\"tokens\":[]}");
    let mut fresh = Plugin::empty();
    let opening = json!({"backup": backup, "export_passphrase": FILE_WORDS});
    let begun = fresh.ok("begin_import", opening);
    assert_eq!(begun["format"], "keyhole-backup-v2");
    assert_eq!(begun["contents"], json!({"tokens": []}));
    fresh.ok("finish_import", json!({"passphrase": OTHER_WORDS}));
    assert_eq!(fresh.status()["address"], plugin.status()["address"]);
}
