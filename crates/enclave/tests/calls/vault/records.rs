use serde_json::json;

use crate::support::{OTHER_WORDS, Plugin, WORDS, by};

#[test]
fn records_are_sealed_and_opened_each_in_its_place() {
    let mut plugin = Plugin::unlocked();
    let sealed = plugin.ok(
        "seal_records",
        json!({"records": [
            {"context": "contact/1", "plaintext": "{\"name\":\"Bo\"}"},
            {"context": "contact/2", "plaintext": ""},
        ]}),
    );
    let text = |at: usize| sealed["records"][at]["sealed"].clone();
    assert!(text(0).as_str().unwrap().starts_with("m1."));
    plugin.ok(
        "set_passphrase",
        json!({"proof": by(WORDS), "passphrase": OTHER_WORDS}),
    );
    let opened = plugin.ok(
        "open_records",
        json!({"records": [
            {"context": "contact/1", "sealed": text(0)},
            {"context": "contact/1", "sealed": text(1)},
            {"context": "contact/2", "sealed": text(1)},
            {"context": "contact/2", "sealed": "nothing"},
        ]}),
    );
    assert_eq!(
        opened["records"][0],
        json!({"plaintext": "{\"name\":\"Bo\"}"})
    );
    assert_eq!(opened["records"][1]["code"], "OPERATION_FAILED");
    assert_eq!(opened["records"][2], json!({"plaintext": ""}));
    assert_eq!(opened["records"][3]["code"], "OPERATION_FAILED");
}
