use serde_json::{Value, json};

use crate::support::{OTHER_WORDS, Plugin, WORDS, by};

#[test]
fn acts_are_logged_with_the_state_and_read_back() {
    let mut plugin = Plugin::unlocked();
    let first = json!({"at": 1_790_000_000_000_u64, "act": "unlock", "outcome": "done"});
    let logged = plugin.ok("log_activity", json!({"entries": [first, {"act": "lock"}]}));
    assert_eq!(logged["status"]["revision"], 2);
    assert_eq!(logged["records"][1]["seq"], 2);
    let read = plugin.ok("read_activity", json!({"records": logged["records"]}));
    assert_eq!(
        read,
        json!({
            "lines": [
                {"seq": 1, "entry": first, "sound": true},
                {"seq": 2, "entry": {"act": "lock"}, "sound": true},
            ],
            "missing": [],
            "count": 2,
        })
    );
    // It goes on after the data key was replaced, and after a reload.
    let changed = json!({"proof": by(WORDS), "passphrase": OTHER_WORDS});
    plugin.ok("set_passphrase", changed);
    let more = plugin.ok("log_activity", json!({"entries": [{"act": "grant"}]}));
    let mut back = Plugin::empty();
    back.ok(
        "unlock_vault",
        json!({"proof": by(OTHER_WORDS), "enclave": more["enclave"]}),
    );
    let records = json!([more["records"][0], logged["records"][0]]);
    let read = back.ok("read_activity", json!({"records": records}));
    assert_eq!(read["missing"], json!([[2, 2]]));
    assert_eq!(read["count"], 3);
    let sound: Vec<&Value> = read["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| &line["sound"])
        .collect();
    assert_eq!(sound, [true, true]);
}

#[test]
fn a_change_that_could_not_be_saved_takes_its_line_back() {
    let mut plugin = Plugin::unlocked();
    let lost = plugin.ok("log_activity", json!({"entries": [{"act": "lost"}]}));
    plugin.ok("rollback_vault", json!({"revision": 2}));
    let stored = plugin.ok("log_activity", json!({"entries": [{"act": "stored"}]}));
    assert_eq!(stored["records"][0]["seq"], 1);
    let read = plugin.ok("read_activity", json!({"records": lost["records"]}));
    assert_eq!(read["lines"][0]["sound"], false);
    let read = plugin.ok("read_activity", json!({"records": stored["records"]}));
    assert_eq!(read["lines"][0]["sound"], true);
}

#[test]
fn an_invalid_entry_is_refused() {
    let mut plugin = Plugin::unlocked();
    for entries in [
        json!([]),
        json!([1]),
        json!([[]]),
        json!([{"a": 1.5}]),
        json!([{"a": "x".repeat(2_048)}]),
        json!([{"a": "x".repeat(20_000)}]),
        json!([{"a": vec![json!({"": 0}); 100_000]}]),
        json!(vec![json!({}); 1_001]),
        json!(vec![0; 1_000_000]),
    ] {
        plugin.refused(
            "log_activity",
            json!({"entries": entries}),
            "OPERATION_FAILED",
        );
    }
    assert_eq!(plugin.status()["revision"], 1);
}
