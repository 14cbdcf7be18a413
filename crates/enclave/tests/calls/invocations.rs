use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{NOW, Plugin};

/// An account, and someone else's.
fn two_accounts() -> (Plugin, Plugin, String, String) {
    let (mut alice, mut bob) = (Plugin::unlocked(), Plugin::another());
    let did = |plugin: &mut Plugin| text(&plugin.ok("get_issuer_did", json!({}))["issuer_did"]);
    let (alices, bobs) = (did(&mut alice), did(&mut bob));
    assert_ne!(alices, bobs);
    (alice, bob, alices, bobs)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// From alice to bob: mails of at most ten bytes, until NOW + 1,000.
fn granted(alice: &mut Plugin, to: &str) -> Value {
    alice.ok(
        "new_origin_token",
        json!({"audience_did": to, "command": "/msg", "policy": [["<=", ".size", 10]], "expires_at": NOW + 1_000}),
    )
}

fn invocation(subject: &str, proof: &Value) -> Value {
    json!({"command": "/msg/send", "args": {"size": 9}, "subject_did": subject, "proof_token": proof["token"]})
}

#[test]
fn the_recipient_of_a_grant_invokes_and_anyone_validates() {
    let (mut alice, mut bob, alices, bobs) = two_accounts();
    let grant = granted(&mut alice, &bobs);
    let made = bob.ok("invoke", invocation(&alices, &grant));
    assert_eq!(made["issuer"], bobs);
    assert_eq!(made["expires_at"], NOW + 300);
    let answer = Plugin::empty().ok(
        "validate_invocation",
        json!({"invocation": made["token"], "audience": alices}),
    );
    assert_eq!(answer["valid"], true, "{answer}");
    for field in ["cid", "task", "issuer", "expires_at"] {
        assert_eq!(answer[field], made[field], "{field}");
    }
    assert_eq!(answer["command"], "/msg/send");
    assert_eq!(answer["args"], json!({"size": 9}));
    assert_eq!(answer["subject"], alices);
    assert_eq!(answer["chain"][0]["cid"], grant["cid"]);
    let again = json!({"invocation": made["token"], "seen": [made["cid"]]});
    let replayed = Plugin::empty().ok("validate_invocation", again);
    assert_eq!(replayed["error"]["name"], "Replayed");
    assert_eq!(replayed["error"]["cid"], made["cid"]);
}

#[test]
fn an_invocation_ends_with_its_chain_where_that_is_sooner() {
    let (mut alice, mut bob, alices, bobs) = two_accounts();
    let grant = alice.ok(
        "new_origin_token",
        json!({"audience_did": bobs, "command": "/msg", "expires_at": NOW + 20}),
    );
    let made = bob.ok("invoke", invocation(&alices, &grant));
    assert_eq!(made["expires_at"], NOW + 20);
    let mut for_ever = invocation(&alices, &grant);
    for_ever["expires_at"] = Value::Null;
    assert_eq!(bob.ok("invoke", for_ever)["expires_at"], Value::Null);
}

#[test]
fn an_owner_needs_no_proof() {
    let (mut alice, _, alices, bobs) = two_accounts();
    let own = json!({"command": "/msg/send", "args": {}, "subject_did": alices, "audience_did": "did:web:shop.example"});
    let made = alice.ok("invoke", own);
    let check = |audience: &str| {
        Plugin::empty().ok(
            "validate_invocation",
            json!({"invocation": made["token"], "audience": audience}),
        )
    };
    assert_eq!(check("did:web:shop.example")["chain"], json!([]));
    // A delegation to someone else isn't needed, and isn't included.
    let grant = granted(&mut alice, &bobs);
    let made_with_one = alice.ok("invoke", invocation(&alices, &grant));
    let shown = alice.ok("inspect_token", json!({"token": made_with_one["token"]}));
    assert_eq!(shown["tokens"].as_array().unwrap().len(), 1);
    let refused = check(&alices);
    assert_eq!(refused["error"]["name"], "InvalidAudience");
    assert_eq!(refused["error"]["expected"], alices);
    assert_eq!(refused["error"]["found"], "did:web:shop.example");
}

#[test]
fn an_invocation_that_its_executor_would_refuse_is_not_handed_out() {
    let (mut alice, mut bob, alices, bobs) = two_accounts();
    let grant = granted(&mut alice, &bobs);
    let good = invocation(&alices, &grant);
    for (field, value, name) in [
        ("command", json!("/other"), "InvalidCommand"),
        ("command", json!("/ucan/assert"), "InvalidCommand"),
        ("command", json!("/MSG"), "MalformedToken"),
        ("args", json!({"size": 11}), "MatchError"),
        ("args", json!({}), "MatchError"),
        ("args", json!([]), "MalformedToken"),
        (
            "subject_did",
            json!("did:web:other.example"),
            "InvalidSubject",
        ),
        ("proof_token", Value::Null, "InvalidClaim"),
        ("expires_at", json!(NOW - 1), "Expired"),
        ("audience_did", json!("bob"), "MalformedToken"),
        ("leaf", json!("bob"), "MalformedToken"),
    ] {
        let mut input = good.clone();
        input[field] = value.clone();
        let refused = bob.refused("invoke", input, "OPERATION_FAILED");
        assert_eq!(refused["name"], name, "{field}: {value} {refused}");
    }
    let mut by_another_key = good.clone();
    let key = bob.ok("generate_key", json!({"key_type": "p256"}))["key"].clone();
    by_another_key["key_id"] = key["key_id"].clone();
    let refused = bob.refused("invoke", by_another_key, "OPERATION_FAILED");
    assert_eq!(refused["name"], "InvalidAudience");
    bob.ok("lock_vault", json!({}));
    bob.refused("invoke", good, "VAULT_LOCKED");
}

#[test]
fn an_issuer_revokes_what_it_passed_on() {
    let (mut alice, mut bob, alices, bobs) = two_accounts();
    let grant = granted(&mut alice, &bobs);
    let made = bob.ok("invoke", invocation(&alices, &grant));
    let input = json!({"cid": grant["cid"], "token": grant["token"]});
    let revocation = alice.ok("revoke", input.clone());
    // Revoking twice gives the same revocation.
    assert_eq!(alice.ok("revoke", input.clone()), revocation);
    let check = |revocations: Value| {
        Plugin::empty().ok(
            "validate_invocation",
            json!({"invocation": made["token"], "revocations": revocations}),
        )
    };
    let revoked = check(json!([revocation["token"]]));
    assert_eq!(revoked["error"]["name"], "Revoked");
    assert_eq!(revoked["error"]["cid"], grant["cid"]);
    let chain = json!({"token": grant["token"], "revocations": [revocation["token"]]});
    let answer = Plugin::empty().ok("verify_token", chain);
    assert_eq!(answer["error"]["name"], "Revoked");

    // A recipient who passed nothing on can't revoke.
    let refused = bob.refused("revoke", input, "OPERATION_FAILED");
    assert_eq!(refused["name"], "InvalidSubject");
    let unchecked = bob.ok("revoke", json!({"cid": grant["cid"]}));
    assert_eq!(check(json!([unchecked["token"]]))["valid"], true);
}

#[test]
fn a_revocation_that_names_no_token_is_refused() {
    let (mut alice, mut bob, alices, bobs) = two_accounts();
    let grant = granted(&mut alice, &bobs);
    let made = bob.ok("invoke", invocation(&alices, &grant));
    let mut said = |command: &str, args: Value| {
        let input = json!({"subject_did": alices, "command": command, "args": args});
        alice.ok("invoke", input)["token"].clone()
    };
    let unreadable = [
        said("/ucan/revoke", json!({"revoke": "zzz"})),
        said("/ucan/revoke", json!({})),
        said("/ucan/revoke", json!({"ucan": {"/": grant["cid"]}})),
    ];
    for revocation in unreadable {
        let calls = [
            (
                "validate_invocation",
                json!({"invocation": made["token"], "revocations": [revocation]}),
            ),
            (
                "validate_batch",
                json!({"invocations": [made["token"]], "revocations": [revocation]}),
            ),
            (
                "verify_token",
                json!({"token": grant["token"], "revocations": [revocation]}),
            ),
        ];
        for (call, input) in calls {
            let refused = Plugin::empty().refused(call, input, "OPERATION_FAILED");
            assert_eq!(refused["name"], "MalformedToken", "{call}");
        }
    }
    // What revokes nothing at all has no effect.
    let other = said("/msg/send", json!({}));
    let input = json!({"invocation": made["token"], "revocations": [other]});
    assert_eq!(
        Plugin::empty().ok("validate_invocation", input)["valid"],
        true
    );
}

#[test]
fn a_permission_to_revoke_names_what_may_be_revoked() {
    let (mut alice, mut bob, alices, bobs) = two_accounts();
    let grant = granted(&mut alice, "did:web:lost.example");
    let permission = |alice: &mut Plugin, command: &str, policy: Value| {
        let input = json!({"audience_did": bobs, "command": command, "policy": policy});
        alice.ok("new_origin_token", input)
    };
    let link = json!({"/": grant["cid"]});
    let named = permission(&mut alice, "/ucan/revoke", json!([["==", ".revoke", link]]));
    let input =
        json!({"cid": grant["cid"], "token": grant["token"], "proof_token": named["token"]});
    let revocation = bob.ok("revoke", input);
    let verdict = Plugin::empty().ok(
        "verify_token",
        json!({"token": grant["token"], "revocations": [revocation["token"]]}),
    );
    assert_eq!(verdict["error"]["name"], "Revoked");
    let shown = bob.ok("inspect_token", json!({"token": revocation["token"]}));
    let tokens = shown["tokens"].as_array().unwrap();
    let token = tokens.iter().find(|token| token["kind"] == "invocation");
    assert_eq!(token.unwrap()["payload"]["sub"], alices);

    let anything = permission(&mut alice, "/", json!([]));
    let input = json!({"cid": grant["cid"], "proof_token": anything["token"]});
    let refused = bob.refused("revoke", input, "OPERATION_FAILED");
    assert_eq!(refused["name"], "InvalidClaim");
    assert_eq!(refused["args"]["why"], "RevokeNotNamed");
    assert_eq!(refused["cid"], anything["cid"]);
    let another = json!({"cid": anything["cid"], "proof_token": named["token"]});
    let refused = bob.refused("revoke", another, "OPERATION_FAILED");
    assert_eq!(refused["name"], "MatchError");
}

#[test]
fn a_permission_to_revoke_is_named_by_the_subject_itself() {
    let (mut alice, mut bob, _, bobs) = two_accounts();
    let grant = granted(&mut alice, "did:web:lost.example");
    let names_it = json!([["==", ".revoke", {"/": grant["cid"]}]]);
    for (command, policy, expected) in [
        ("/", json!([]), "valid"),
        ("/ucan/revoke", json!([]), "valid"),
        ("/ucan/revoke", names_it.clone(), "Revoked"),
    ] {
        let input = json!({"audience_did": bobs, "command": command, "policy": policy});
        let given = alice.ok("new_origin_token", input);
        let second = bob.ok("generate_key", json!({"key_type": "p256"}))["key"].clone();
        let input = json!({
            "parent_token": given["token"], "audience_did": second["did"],
            "command": "/ucan/revoke", "policy": names_it,
        });
        let own = bob.ok("new_attenuated_token", input);
        let input = json!({"cid": grant["cid"], "proof_token": own["token"]});
        let revocation = match expected {
            "Revoked" => bob.ok("revoke", input)["token"].clone(),
            _ => {
                // What its holder added isn't what the owner has to change: the refusal names the first proof.
                let refused = bob.refused("revoke", input, "OPERATION_FAILED");
                assert_eq!(refused["name"], "InvalidClaim", "{command}");
                assert_eq!(refused["args"]["why"], "RevokeNotNamed");
                assert_eq!(refused["cid"], given["cid"]);
                continue;
            }
        };
        let input = json!({"token": grant["token"], "revocations": [revocation]});
        let verdict = Plugin::empty().ok("verify_token", input);
        assert_eq!(verdict["error"]["name"], expected);
    }
}

#[test]
fn a_receipt_gives_the_result_of_a_task() {
    let (mut alice, _, alices, _) = two_accounts();
    let own = json!({"command": "/msg/send", "args": {}, "subject_did": alices});
    let task = alice.ok("invoke", own)["task"].clone();
    for (outcome, value) in [("ok", Value::Null), ("error", json!({"reason": "full"}))] {
        let receipt = alice.ok("issue_receipt", json!({"task": task, outcome: value}));
        let answer = Plugin::empty().ok(
            "validate_invocation",
            json!({"invocation": receipt["token"]}),
        );
        assert_eq!(answer["command"], "/ucan/assert");
        assert_eq!(answer["expires_at"], Value::Null);
        assert_eq!(
            answer["args"],
            json!({"about": {"/": task}, "facts": {"out": {outcome: value}, "run": []}})
        );
    }
    for outcomes in [json!({}), json!({"ok": 1, "error": 2})] {
        let mut input = outcomes;
        input["task"] = task.clone();
        alice.refused("issue_receipt", input, "OPERATION_FAILED");
    }
}

#[test]
fn a_batch_is_answered_one_by_one() {
    let (mut alice, mut bob, alices, bobs) = two_accounts();
    let grant = granted(&mut alice, &bobs);
    let made: Vec<Value> = (0..3)
        .map(|_| bob.ok("invoke", invocation(&alices, &grant)))
        .collect();
    let texts: Vec<&Value> = made.iter().map(|made| &made["token"]).collect();
    let forged = {
        let token = text(texts[2]);
        let last = if token.ends_with('A') { 'B' } else { 'A' };
        format!("{}{last}", &token[..token.len() - 1])
    };
    let input = json!({"invocations": [texts[0], forged, texts[1], texts[0], "nonsense"]});
    let answer = Plugin::empty().ok("validate_batch", input);
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results[0]["cid"], made[0]["cid"]);
    assert_eq!(results[1]["valid"], false);
    assert_eq!(results[2]["valid"], true);
    assert_eq!(results[3]["error"]["name"], "Replayed");
    assert_eq!(results[4]["error"]["name"], "MalformedToken");
    let empty = Plugin::empty().ok("validate_batch", json!({"invocations": []}));
    assert_eq!(empty, json!({"results": []}));
}

#[test]
fn proofs_may_come_beside_the_invocation() {
    let (mut alice, mut bob, alices, bobs) = two_accounts();
    let grant = granted(&mut alice, &bobs);
    let made = bob.ok("invoke", invocation(&alices, &grant));
    let shown = bob.ok("inspect_token", json!({"token": made["token"]}));
    assert_eq!(shown["tokens"].as_array().unwrap().len(), 2);
    let tokens = keyhole_ucan::token::read::unpack_text(&text(&made["token"])).unwrap();
    let alone = tokens
        .iter()
        .find(|bytes| keyhole_ucan::codec::cid::Cid::of(bytes).to_string() == text(&made["cid"]));
    let alone = keyhole_ucan::token::container::write([alone.unwrap().as_slice()]);
    let check = |proofs: Value| {
        Plugin::empty().ok(
            "validate_invocation",
            json!({"invocation": alone, "proofs": proofs}),
        )
    };
    let missing = check(json!([]));
    assert_eq!(missing["error"]["name"], "UnavailableProof");
    assert_eq!(missing["error"]["cid"], grant["cid"]);
    assert_eq!(check(json!([grant["token"]]))["valid"], true);
    assert_eq!(check(json!(["C"]))["error"]["name"], "MalformedToken");
}

/// A token by a did:web, signed with alice's key.
fn token_of(did: &str) -> (String, String) {
    use keyhole_ucan::identity::did::Did;
    use keyhole_ucan::identity::key::SecretKey;
    use keyhole_ucan::identity::key_type::KeyType;
    use keyhole_ucan::token::envelope::{Envelope, Kind};
    let key = SecretKey::from_bytes(KeyType::P256, &[9; 32]).unwrap();
    let fields = keyhole_ucan::codec::dag_json::parse(&format!(
        r#"{{"iss":"{did}","sub":"{did}","cmd":"/msg","args":{{}},"prf":[],"nonce":{{"/":{{"bytes":""}}}},"exp":null}}"#
    ));
    let Ok(ipld_core::ipld::Ipld::Map(fields)) = fields else {
        panic!("no payload")
    };
    let (envelope, _) = Envelope::sign(
        Kind::Invocation,
        fields,
        &key,
        &keyhole_ucan::work_budget::Budget::new(),
    )
    .unwrap();
    let multibase = Did::from_key(&key.public_key()).as_str()["did:key:".len()..].to_owned();
    (
        keyhole_ucan::token::container::write([envelope.bytes()]),
        multibase,
    )
}

#[test]
fn an_issuer_on_the_web_is_looked_up() {
    let did = "did:web:shop.example:till";
    let (token, multibase) = token_of(did);
    let mut plugin = Plugin::empty();
    let refused = plugin.ok("validate_invocation", json!({"invocation": token}));
    assert_eq!(refused["error"]["name"], "InvalidSignature");
    let words = text(&refused["error"]["message"]);
    assert!(
        words.contains("not one that this enclave may ask"),
        "{words}"
    );

    let document = |key: &str| {
        let document = json!({"id": did, "assertionMethod": [
            {"id": "#1", "type": "Multikey", "controller": did, "publicKeyMultibase": key}]});
        document.to_string().into_bytes()
    };
    let url = "https://shop.example/till/did.json".to_owned();
    plugin
        .host
        .documents
        .insert(url.clone(), document(&multibase));
    let answer = plugin.ok("validate_invocation", json!({"invocation": token}));
    assert_eq!(
        (&answer["valid"], &answer["issuer"]),
        (&json!(true), &json!(did))
    );
    // The answer says which document it used. Another one gives another answer, and a caller that keeps the digest can
    // tell.
    let digest = |bytes: &[u8]| {
        keyhole_ucan::codec::base64::encode(&<[u8; 32]>::from(Sha256::digest(bytes)))
    };
    let used = |bytes: &[u8]| json!([{"did": did, "digest": digest(bytes)}]);
    assert_eq!(answer["documents"], used(&document(&multibase)));
    let shown = plugin.ok("inspect_token", json!({"token": token}));
    assert_eq!(shown["tokens"][0]["signature_valid"], true);

    let others = "zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169";
    plugin.host.documents.insert(url, document(others));
    let refused = plugin.ok("validate_invocation", json!({"invocation": token}));
    assert_eq!(refused["error"]["name"], "InvalidSignature");
    assert_eq!(refused["documents"], used(&document(others)));
}
