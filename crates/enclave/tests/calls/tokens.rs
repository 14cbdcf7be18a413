use serde_json::{Value, json};

use crate::support::{NOW, Plugin};

const BOB: &str = "did:web:bob.example";

/// A plugin, and a second key of it.
fn two_keys() -> (Plugin, Value) {
    let mut plugin = Plugin::unlocked();
    let key = plugin.ok("generate_key", json!({"key_type": "p256"}))["key"].clone();
    (plugin, key)
}

#[test]
fn a_root_says_what_was_asked_and_is_valid() {
    let (mut plugin, key) = two_keys();
    let issued = plugin.ok("new_origin_token", json!({
        "audience_did": key["did"], "command": "/msg/send", "policy": [["==", ".to", "bob"]],
        "not_before": NOW + 10, "expires_at": NOW + 100, "meta": {"note": {"/": {"bytes": "AQ"}}},
    }));
    let status = plugin.status();
    assert_eq!(issued["issuer"], status["issuer_did"]);
    assert_eq!(issued["expires_at"], NOW + 100);
    let address = issued["address"].as_str().unwrap();
    assert!(keyhole_vault::vault::address::is_address(address));
    assert_ne!(address, status["address"].as_str().unwrap());

    let inspected = plugin.ok("inspect_token", json!({"token": issued["token"]}));
    let token = &inspected["tokens"][0];
    assert_eq!(
        (&token["kind"], &token["algorithm"]),
        (&json!("delegation"), &json!("Ed25519"))
    );
    assert_eq!(
        (&token["cid"], &token["signature_valid"]),
        (&issued["cid"], &json!(true))
    );
    let mut payload = token["payload"].clone();
    let nonce = payload.as_object_mut().unwrap().remove("nonce").unwrap();
    assert_eq!(nonce["/"]["bytes"].as_str().unwrap().len(), 16);
    assert_eq!(
        payload,
        json!({
            "iss": status["issuer_did"], "sub": status["issuer_did"], "aud": key["did"], "cmd": "/msg/send",
            "pol": [["==", ".to", "bob"]], "nbf": NOW + 10, "exp": NOW + 100, "meta": {"note": {"/": {"bytes": "AQ"}}},
        })
    );

    // Without a vault, at a time and with a skew that the caller names.
    let mut anyone = Plugin::empty();
    let mut check = |now: i64, skew: u32| {
        anyone.ok(
            "verify_token",
            json!({"token": issued["token"], "now": now, "skew": skew}),
        )
    };
    assert_eq!(check(NOW + 9, 0)["error"]["name"], "TooEarly");
    assert_eq!(check(NOW + 101, 0)["error"]["name"], "Expired");
    let verdict = check(NOW + 101, 1);
    assert_eq!(verdict["valid"], true);
    assert_eq!(
        (&verdict["token"], &verdict["address"]),
        (&issued["token"], &issued["address"])
    );
    assert_eq!(
        verdict["chain"],
        json!([{
            "cid": issued["cid"], "issuer": status["issuer_did"], "audience": key["did"], "subject": status["issuer_did"],
            "command": "/msg/send", "policy": [["==", ".to", "bob"]], "not_before": NOW + 10, "expires_at": NOW + 100,
        }])
    );
    assert_eq!(
        verdict["effective"],
        json!({
            "command": "/msg/send", "policy": [["==", ".to", "bob"]], "not_before": NOW + 10, "expires_at": NOW + 100,
        })
    );
}

#[test]
fn a_root_is_valid_for_a_day_by_default_and_for_ever_on_request() {
    let mut plugin = Plugin::unlocked();
    let issued = plugin.ok(
        "new_origin_token",
        json!({"audience_did": BOB, "command": "/"}),
    );
    assert_eq!(issued["expires_at"], NOW + 86_400);
    assert_eq!(issued["address"], BOB);
    let endless = plugin.ok(
        "new_origin_token",
        json!({"audience_did": BOB, "command": "/", "expires_at": null}),
    );
    assert_eq!(endless["expires_at"], Value::Null);
    for (name, value) in [
        ("past", json!(NOW - 1)),
        ("out of range", json!(1_i64 << 53)),
    ] {
        let input = json!({"audience_did": BOB, "command": "/", "expires_at": value});
        let refusal = plugin.refused("new_origin_token", input, "OPERATION_FAILED");
        assert_ne!(refusal["error"], "", "{name}");
    }
}

#[test]
fn a_token_is_narrowed_by_the_key_that_holds_it() {
    let (mut plugin, key) = two_keys();
    let root = plugin.ok("new_origin_token", json!({
        "audience_did": key["did"], "command": "/msg", "policy": [["==", ".to", "bob"]], "expires_at": NOW + 100,
    }));
    // No key is named: the one that the token is addressed to signs, though it isn't the default one.
    let narrowed = plugin.ok("new_attenuated_token", json!({
        "parent_token": root["token"], "audience_did": BOB, "command": "/msg/send", "policy": [["like", ".text", "Hi*"]],
        "leaf": root["cid"],
    }));
    assert_eq!(narrowed["issuer"], key["did"]);
    assert_eq!(narrowed["expires_at"], NOW + 100);
    assert_eq!(
        narrowed["effective"],
        json!({
            "command": "/msg/send", "policy": [["==", ".to", "bob"], ["like", ".text", "Hi*"]], "not_before": null,
            "expires_at": NOW + 100,
        })
    );
    let verdict = plugin.ok("verify_token", json!({"token": narrowed["token"]}));
    assert_eq!(verdict["effective"], narrowed["effective"]);
    let cids: Vec<_> = verdict["chain"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| link["cid"].clone())
        .collect();
    assert_eq!(cids, [root["cid"].clone(), narrowed["cid"].clone()]);

    // Revoked, according to the caller; and with only the root named as the leaf.
    let revoked = plugin.ok(
        "verify_token",
        json!({"token": narrowed["token"], "revoked": [root["cid"]]}),
    );
    assert_eq!(
        (&revoked["valid"], &revoked["error"]["name"]),
        (&json!(false), &json!("Revoked"))
    );
    assert_eq!(revoked["error"]["cid"], root["cid"]);
    let alone = plugin.ok(
        "verify_token",
        json!({"token": narrowed["token"], "leaf": root["cid"]}),
    );
    assert_eq!(alone["chain"].as_array().unwrap().len(), 1);
    let verdict = plugin.ok("verify_token", json!({"token": alone["token"]}));
    assert_eq!(verdict["effective"]["command"], "/msg");
}

#[test]
fn a_delegation_beyond_its_proof_is_not_signed() {
    let (mut plugin, key) = two_keys();
    let root = plugin.ok(
        "new_origin_token",
        json!({"audience_did": key["did"], "command": "/msg", "expires_at": NOW + 100}),
    );
    let mut narrow = |more: Value| {
        let mut input =
            json!({"parent_token": root["token"], "audience_did": BOB, "command": "/msg"});
        input
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        plugin.refused("new_attenuated_token", input, "OPERATION_FAILED")["name"].clone()
    };
    assert_eq!(narrow(json!({"command": "/msgs"})), "InvalidCommand");
    assert_eq!(narrow(json!({"command": "/"})), "InvalidCommand");
    assert_eq!(narrow(json!({"subject_did": BOB})), "InvalidSubject");
    assert_eq!(narrow(json!({"expires_at": NOW + 101})), "InvalidClaim");
    assert_eq!(narrow(json!({"expires_at": null})), "InvalidClaim");
    assert_eq!(
        narrow(json!({"policy": [["~", ".to", 1]]})),
        "MalformedToken"
    );
    assert_eq!(narrow(json!({"parent_token": "C"})), "MalformedToken");
    assert_eq!(narrow(json!({"leaf": "bafy"})), "MalformedToken");
    assert_eq!(
        narrow(json!({"leaf": "bafyreidbnq4o6ekgf6xjcuqgyr7qjwmj5cqjxpbzfmryhb5n3lzcqqmxxa"})),
        "UnavailableProof"
    );

    // Addressed to no key here, and to another key than the named one.
    let elsewhere = plugin.ok(
        "new_origin_token",
        json!({"audience_did": BOB, "command": "/msg"}),
    );
    let input = json!({"parent_token": elsewhere["token"], "audience_did": BOB, "command": "/msg"});
    assert_eq!(
        plugin.refused("new_attenuated_token", input, "OPERATION_FAILED")["name"],
        "InvalidAudience"
    );
    let first = plugin.status()["keys"][0]["key_id"].clone();
    let input = json!({"parent_token": root["token"], "audience_did": BOB, "command": "/msg", "key_id": first});
    assert_eq!(
        plugin.refused("new_attenuated_token", input, "OPERATION_FAILED")["name"],
        "InvalidAudience"
    );
    plugin.host.now_ms = (NOW + 101) * 1_000;
    let input = json!({"parent_token": root["token"], "audience_did": BOB, "command": "/msg"});
    assert_eq!(
        plugin.refused("new_attenuated_token", input, "OPERATION_FAILED")["name"],
        "Expired"
    );
}

#[test]
fn unusable_requests_are_refused_by_field() {
    let mut plugin = Plugin::unlocked();
    for (field, value, name) in [
        ("audience_did", json!("bob"), "MalformedToken"),
        ("audience_did", json!(""), "MalformedToken"),
        ("subject_did", json!("bob"), "MalformedToken"),
        ("subject_did", json!(BOB), "InvalidSubject"),
        ("command", json!("msg"), "MalformedToken"),
        ("command", json!("/Msg"), "MalformedToken"),
        ("command", json!("/ucan/else"), "InvalidCommand"),
        ("policy", json!({}), "MalformedToken"),
        ("policy", json!([["==", "to", 1]]), "MalformedToken"),
        ("meta", json!([1]), "MalformedToken"),
    ] {
        let mut input = json!({"audience_did": BOB, "command": "/msg"});
        input[field] = value;
        let refusal = plugin.refused("new_origin_token", input.clone(), "OPERATION_FAILED");
        assert_eq!(refusal["name"], name, "{input}: {refusal}");
    }
}

#[test]
fn integers_past_64_bits_of_javascript_stay_exact() {
    let mut plugin = Plugin::unlocked();
    let input = br#"{"audience_did":"did:web:bob.example","command":"/pay","policy":[["<=",".amount",18446744073709551615]]}"#;
    let issued: Value = serde_json::from_str(&plugin.raw("new_origin_token", input)).unwrap();
    let text = plugin.raw(
        "inspect_token",
        json!({"token": issued["token"]}).to_string().as_bytes(),
    );
    assert!(text.contains("18446744073709551615"), "{text}");
    let text = plugin.raw(
        "verify_token",
        json!({"token": issued["token"]}).to_string().as_bytes(),
    );
    assert!(text.contains("18446744073709551615"), "{text}");
}

#[test]
fn many_tokens_are_checked_at_once_each_as_alone() {
    let (mut plugin, key) = two_keys();
    let mut issue = |command: &str, issuer: &Value| {
        plugin.ok(
            "new_origin_token",
            json!({"audience_did": BOB, "command": command, "key_id": issuer}),
        )["token"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let ed25519 = issue("/a", &Value::Null);
    let p256 = issue("/b", &key["key_id"]);
    let altered = |text: &str| {
        let at = text.len() - 40;
        let other = if text.as_bytes()[at] == b'A' {
            "B"
        } else {
            "A"
        };
        format!("{}{other}{}", &text[..at], &text[at + 1..])
    };
    let texts = [
        &ed25519,
        &altered(&ed25519),
        &p256,
        "hello",
        &ed25519,
        &altered(&p256),
        "",
        &p256,
    ]
    .map(str::to_owned);
    let mut anyone = Plugin::empty();
    let answer = anyone.ok("check_tokens", json!({"tokens": texts}));
    assert_eq!(
        answer,
        json!({"sound": [true, false, true, false, true, false, false, true]})
    );
    for (at, text) in texts.iter().enumerate() {
        let alone = anyone.ok("check_tokens", json!({"tokens": [text]}));
        assert_eq!(alone["sound"][0], answer["sound"][at], "{text}");
    }
    assert_eq!(
        anyone.ok("check_tokens", json!({"tokens": []})),
        json!({"sound": []})
    );
}

#[test]
fn an_invalid_token_is_refused_or_does_not_verify() {
    let mut plugin = Plugin::empty();
    for text in [
        "",
        "hello",
        "C",
        "P",
        "Ohh",
        "82",
        "eyJhbGciOiJFZERTQSJ9.e30.x",
        &"A".repeat(1_000_000),
    ] {
        plugin.refused("inspect_token", json!({"token": text}), "OPERATION_FAILED");
        assert_eq!(
            plugin.ok("check_tokens", json!({"tokens": [text]})),
            json!({"sound": [false]})
        );
        assert_eq!(
            plugin.ok("verify_token", json!({"token": text}))["valid"],
            false
        );
    }
}
