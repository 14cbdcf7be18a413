//! A call that derives a key, in steps: it gives the same answer, or is abandoned and changes nothing.

use serde_json::{Value, json};

use crate::support::{OTHER_WORDS, Plugin, WORDS, by, passkey};

/// Makes a call and continues it until it is done. Also answers how often it paused.
fn in_steps(plugin: &mut Plugin, name: &str, input: &Value) -> (Value, usize) {
    let mut answer = plugin.call(name, input.clone());
    let mut pauses = 0;
    while answer == json!({"paused": true}) {
        pauses += 1;
        answer = serde_json::from_str(&plugin.raw(name, b"")).unwrap();
    }
    (answer, pauses)
}

fn pausing(mut plugin: Plugin) -> Plugin {
    plugin.ok("pause_derivations", json!({"blocks": 20_000}));
    plugin
}

#[test]
fn every_call_that_derives_a_key_answers_the_same_in_steps() {
    let (mut whole, mut stepped) = (Plugin::empty(), pausing(Plugin::empty()));
    let export =
        json!({"proof": by(OTHER_WORDS), "export_passphrase": WORDS, "contents": {"a": 1}});
    let calls = [
        (
            "create_vault",
            json!({"passphrase": WORDS, "label": "Ada"}),
            1,
        ),
        (
            "add_passkey",
            json!({"proof": by(WORDS), "passkey": passkey(1)}),
            1,
        ),
        ("new_recovery_code", json!({"proof": by(WORDS)}), 1),
        (
            "set_passphrase",
            json!({"proof": by(WORDS), "passphrase": OTHER_WORDS}),
            2,
        ),
        (
            "set_passphrase",
            json!({"proof": by(WORDS), "passphrase": WORDS}),
            1,
        ),
        ("export_vault", export, 2),
        ("lock_vault", json!({}), 0),
        ("unlock_vault", json!({"proof": by(WORDS)}), 1),
        ("unlock_vault", json!({"proof": by(OTHER_WORDS)}), 1),
        ("sign_data", json!({"data": [1, 2, 3]}), 0),
    ];
    let mut backup = Value::Null;
    for (name, input, derivations) in calls {
        let expected = whole.call(name, input.clone());
        let (answer, pauses) = in_steps(&mut stepped, name, &input);
        assert_eq!(answer, expected, "{name}");
        assert!(pauses >= derivations * 9, "{name} paused {pauses} times");
        if name == "export_vault" {
            backup = answer["backup"].clone();
        }
    }
    let import = json!({"backup": backup, "export_passphrase": WORDS, "passphrase": OTHER_WORDS});
    let (mut whole, mut stepped) = (Plugin::empty(), pausing(Plugin::empty()));
    for name in ["check_backup", "import_vault"] {
        let mut input = import.clone();
        if name == "check_backup" {
            input.as_object_mut().unwrap().remove("passphrase");
        }
        let (answer, pauses) = in_steps(&mut stepped, name, &input);
        assert_eq!(answer, whole.call(name, input), "{name}");
        assert!(pauses >= 9, "{name}");
    }
}

#[test]
fn a_lock_between_two_steps_abandons_the_call_and_leaves_nothing_of_it() {
    let mut plugin = pausing(Plugin::unlocked());
    let before = plugin.status();
    let change = json!({"proof": by(WORDS), "passphrase": OTHER_WORDS});
    assert_eq!(
        plugin.call("set_passphrase", change),
        json!({"paused": true})
    );
    let locked = plugin.ok("lock_vault", json!({}));
    assert_eq!(locked["status"]["revision"], before["revision"]);
    // The earlier call doesn't go on: this is a new call with an empty input.
    let answer: Value = serde_json::from_str(&plugin.raw("set_passphrase", b"")).unwrap();
    assert_eq!(answer["code"], "OPERATION_FAILED");
    let (refused, _) = in_steps(
        &mut plugin,
        "unlock_vault",
        &json!({"proof": by(OTHER_WORDS)}),
    );
    assert_eq!(refused["code"], "INVALID_PASSPHRASE");

    assert_eq!(
        plugin.call("unlock_vault", json!({"proof": by(WORDS)})),
        json!({"paused": true})
    );
    assert_eq!(
        plugin.ok("vault_status", json!({}))["status"]["locked"],
        true
    );
    let answer: Value = serde_json::from_str(&plugin.raw("unlock_vault", b"")).unwrap();
    assert_eq!(answer["code"], "OPERATION_FAILED");
    assert_eq!(plugin.status()["locked"], true);
    let (unlocked, _) = in_steps(&mut plugin, "unlock_vault", &json!({"proof": by(WORDS)}));
    assert_eq!(unlocked["status"]["locked"], false);
}

#[test]
fn a_backup_in_chunks_is_written_and_read_in_steps_as_it_is_in_one() {
    let (mut whole, mut stepped) = (Plugin::unlocked(), pausing(Plugin::unlocked()));
    let begin = json!({"proof": by(WORDS), "export_passphrase": OTHER_WORDS, "contents": {"a": 1}});
    let seal = json!({"contents": {"tokens": [1]}, "last": true});
    let mut written = Vec::new();
    for (name, input, derivations) in [("begin_export", begin, 2), ("seal_backup_chunk", seal, 0)] {
        let expected = whole.call(name, input.clone());
        let (answer, pauses) = in_steps(&mut stepped, name, &input);
        assert_eq!(answer, expected, "{name}");
        assert!(pauses >= derivations * 9, "{name} paused {pauses} times");
        written.push(answer);
    }

    let (mut whole, mut stepped) = (Plugin::empty(), pausing(Plugin::empty()));
    let begin = json!({"backup": written[0]["backup"], "export_passphrase": OTHER_WORDS});
    let calls = [
        ("begin_import", begin, 1),
        (
            "open_backup_chunk",
            json!({"chunk": written[1]["chunk"]}),
            0,
        ),
        ("finish_import", json!({"passphrase": WORDS}), 1),
        // Only once: it was put back only while it waited for its key.
        ("finish_import", json!({"passphrase": WORDS}), 0),
        ("lock_vault", json!({}), 0),
        ("unlock_vault", json!({"proof": by(WORDS)}), 1),
    ];
    for (name, input, derivations) in calls {
        let expected = whole.call(name, input.clone());
        let (answer, pauses) = in_steps(&mut stepped, name, &input);
        assert_eq!(answer, expected, "{name}");
        assert!(pauses >= derivations * 9, "{name} paused {pauses} times");
    }
    assert_eq!(stepped.status()["locked"], false);
}

#[test]
fn a_backup_being_read_survives_an_abandoned_call() {
    let mut plugin = Plugin::unlocked();
    let begin = json!({"proof": by(WORDS), "export_passphrase": OTHER_WORDS, "contents": {"a": 1}});
    let head = plugin.ok("begin_export", begin);
    let seal = json!({"contents": {"tokens": [1]}, "last": true});
    let sealed = plugin.ok("seal_backup_chunk", seal);

    let mut fresh = pausing(Plugin::empty());
    let begin = json!({"backup": head["backup"], "export_passphrase": OTHER_WORDS});
    in_steps(&mut fresh, "begin_import", &begin);
    fresh.ok("open_backup_chunk", json!({"chunk": sealed["chunk"]}));
    let finish = json!({"passphrase": WORDS});
    assert_eq!(
        fresh.call("finish_import", finish.clone()),
        json!({"paused": true})
    );
    assert_eq!(fresh.status()["initialized"], false);
    let (imported, _) = in_steps(&mut fresh, "finish_import", &finish);
    assert_eq!(imported["status"]["address"], plugin.status()["address"]);
}
