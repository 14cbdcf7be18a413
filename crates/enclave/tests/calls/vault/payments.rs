use serde_json::{Value, json};

use crate::support::{NOW, Plugin, WORDS, by};

fn asked(value: &str) -> Value {
    json!({"origin": "https://shop.example", "value": value, "currency": "GBP", "order": "A-1001"})
}

fn mandate(audience: Option<&str>) -> Value {
    json!({
        "audience_did": audience,
        "payees": ["did:web:shop.example"],
        "max": 5_000,
        "currency": "GBP",
        "budget": {"period": "day", "amount": 10_000},
    })
}

fn request(agent: &mut Plugin, made: &Value, owner: &str, amount: u64) -> Value {
    let args = json!({"payee": "did:web:shop.example", "amount": amount, "currency": "GBP", "order": "A-1001"});
    let answer = agent.ok(
        "invoke",
        json!({"command": "/payment/request", "args": args, "subject_did": owner, "proof_token": made["token"]}),
    );
    answer["token"].clone()
}

fn did(plugin: &mut Plugin) -> String {
    let answer = plugin.ok("get_issuer_did", json!({}));
    answer["issuer_did"].as_str().unwrap().to_owned()
}

#[test]
fn the_shown_payment_is_signed_and_a_merchant_checks_it_offline() {
    let mut plugin = Plugin::unlocked();
    let shown = Plugin::empty().ok("check_payment", asked("25.00"));
    assert_eq!(
        shown,
        json!({"payee": "did:web:shop.example", "amount": 2_500, "currency": "GBP", "digits": 2, "order": "A-1001"})
    );
    let made = plugin.ok("authorize_payment", json!({"payment": asked("25.00")}));
    assert_eq!(made["payment"], shown);
    assert_eq!(made["expires_at"], NOW + 300);
    let verdict = Plugin::empty().ok(
        "validate_invocation",
        json!({"invocation": made["token"], "audience": "did:web:shop.example"}),
    );
    assert_eq!(verdict["valid"], true, "{verdict}");
    assert_eq!(verdict["command"], "/payment/authorize");
    assert_eq!(
        verdict["args"],
        json!({"payee": "did:web:shop.example", "amount": 2_500, "currency": "GBP", "order": "A-1001"})
    );
    let elsewhere = Plugin::empty().ok(
        "validate_invocation",
        json!({"invocation": made["token"], "audience": "did:web:evil.example"}),
    );
    assert_eq!(elsewhere["error"]["name"], "InvalidAudience");
}

#[test]
fn an_invalid_payment_is_refused_by_name_and_signs_nothing() {
    let mut plugin = Plugin::unlocked();
    for (field, value) in [
        ("value", "25.001"),
        ("value", "-1"),
        ("value", "NaN"),
        ("value", "0"),
        ("currency", "XXX"),
        ("currency", "gbp"),
        ("origin", "http://shop.example"),
        ("origin", "null"),
        ("order", ""),
        ("order", "A\u{202e}"),
    ] {
        let mut wrong = asked("25.00");
        wrong[field] = value.into();
        for (name, input) in [
            ("check_payment", wrong.clone()),
            ("authorize_payment", json!({"payment": wrong})),
        ] {
            let refusal = plugin.refused(name, input, "OPERATION_FAILED");
            assert_eq!(refusal["name"], "InvalidPayment", "{field} {value}");
        }
    }
    plugin.ok("lock_vault", json!({}));
    plugin.refused(
        "authorize_payment",
        json!({"payment": asked("1")}),
        "VAULT_LOCKED",
    );
}

#[test]
fn a_mandate_is_counted_with_its_signature() {
    let mut plugin = Plugin::unlocked();
    let made = plugin.ok("make_mandate", mandate(None));
    assert_eq!(made["mandate"]["own"], true);
    assert_eq!(made["mandate"]["remaining"]["amount"], 10_000);
    let spend = |plugin: &mut Plugin, value: &str| {
        let input = json!({"cid": made["cid"], "payment": asked(value), "by_itself": true});
        plugin.call("spend_mandate", input)
    };
    let first = spend(&mut plugin, "40.00");
    assert_eq!(first["mandate"]["remaining"]["amount"], 6_000);
    let revision = first["status"]["revision"].as_u64().unwrap();
    assert_eq!(revision, made["status"]["revision"].as_u64().unwrap() + 1);
    let sealed = spend(&mut plugin, "50.00")["enclave"].clone();
    assert_eq!(spend(&mut plugin, "10.01")["name"], "BudgetExceeded");
    // What could not be stored is rolled back, including its count.
    let left = |plugin: &mut Plugin| {
        plugin.ok("list_mandates", json!({}))["mandates"][0]["remaining"]["amount"].clone()
    };
    plugin.ok("rollback_vault", json!({"revision": revision + 1}));
    assert_eq!(left(&mut plugin), 6_000);
    // What was stored is there again.
    let mut later = Plugin::empty();
    later.ok("open_vault", json!({"enclave": sealed}));
    later.refused("list_mandates", json!({}), "VAULT_LOCKED");
    later.ok("unlock_vault", json!({"proof": by(WORDS)}));
    let stored = later.ok("list_mandates", json!({}));
    assert_eq!(stored["mandates"][0]["remaining"]["amount"], 1_000);
}

#[test]
fn what_was_handed_out_is_never_rolled_back() {
    let mut plugin = Plugin::unlocked();
    plugin.refused("settle_payment", json!({}), "OPERATION_FAILED");
    let made = plugin.ok("make_mandate", mandate(None));
    let spend = json!({"cid": made["cid"], "payment": asked("50.00"), "by_itself": true});
    let spent = plugin.ok("spend_mandate", spend);
    let revision = spent["status"]["revision"].as_u64().unwrap();
    let left = |plugin: &mut Plugin| {
        plugin.ok("list_mandates", json!({}))["mandates"][0]["remaining"]["amount"].clone()
    };
    let refused = |plugin: &mut Plugin, revision: u64| {
        let input = json!({"revision": revision});
        plugin.refused("rollback_vault", input, "OPERATION_FAILED")["name"].clone()
    };
    plugin.ok("log_activity", json!({"entries": [{"act": "pay"}]}));
    assert_eq!(
        plugin.ok("vault_status", json!({}))["status"].get("settled"),
        None
    );
    plugin.ok("settle_payment", json!({"revision": revision}));
    assert_eq!(
        plugin.ok("vault_status", json!({}))["status"]["settled"],
        revision
    );
    // A later change is.
    plugin.ok("rollback_vault", json!({"revision": revision + 1}));
    for _ in 0..2 {
        assert_eq!(refused(&mut plugin, revision), "AuthorisationDelivered");
        assert_eq!(left(&mut plugin), 5_000);
    }
    // An earlier revision doesn't replace a later one, and a future one can't be settled.
    plugin.ok("settle_payment", json!({"revision": 1}));
    assert_eq!(refused(&mut plugin, revision), "AuthorisationDelivered");
    plugin.ok("settle_payment", json!({"revision": revision + 9}));
    plugin.ok("label_vault", json!({"label": "a"}));
    plugin.ok("rollback_vault", json!({"revision": revision + 1}));
    // It stays settled while locked, and after unlocking.
    plugin.ok("lock_vault", json!({}));
    assert_eq!(refused(&mut plugin, revision), "AuthorisationDelivered");
    plugin.ok("unlock_vault", json!({"proof": by(WORDS)}));
    assert_eq!(refused(&mut plugin, revision), "AuthorisationDelivered");
    assert_eq!(left(&mut plugin), 5_000);
    // It applies to this account only.
    plugin.ok("close_vault", json!({}));
    plugin.refused(
        "settle_payment",
        json!({"revision": 1}),
        "VAULT_NOT_INITIALIZED",
    );
    plugin.ok("create_vault", json!({"passphrase": WORDS}));
    plugin.ok("label_vault", json!({"label": "a"}));
    plugin.ok("rollback_vault", json!({"revision": 2}));
}

#[test]
fn a_holder_cannot_spend_alone_and_the_vault_countersigns() {
    let (mut vault, mut agent) = (Plugin::unlocked(), Plugin::another());
    let (owner, holder) = (did(&mut vault), did(&mut agent));
    let made = vault.ok("make_mandate", mandate(Some(&holder)));
    // The mandate can't authorise, so an offline check doesn't accept it for that.
    let alone = json!({"command": "/payment/authorize", "args": {}, "subject_did": owner, "proof_token": made["token"]});
    let refusal = agent.refused("invoke", alone, "OPERATION_FAILED");
    assert_eq!(refusal["name"], "InvalidCommand");

    let token = request(&mut agent, &made, &owner, 4_000);
    let counted = vault.ok("countersign_payment", json!({"request": token}));
    assert_eq!(counted["payment"]["amount"], 4_000);
    assert_eq!(counted["mandate"]["remaining"]["amount"], 6_000);
    let verdict = Plugin::empty().ok(
        "validate_invocation",
        json!({"invocation": counted["token"], "audience": "did:web:shop.example"}),
    );
    assert_eq!(verdict["valid"], true);
    assert_eq!(verdict["issuer"], owner);
    assert_eq!(verdict["args"]["mandate"], json!({"/": made["cid"]}));

    let again = vault.refused(
        "countersign_payment",
        json!({"request": token}),
        "OPERATION_FAILED",
    );
    assert_eq!(again["name"], "Replayed");
    let revoked = request(&mut agent, &made, &owner, 1);
    let refusal = vault.refused(
        "countersign_payment",
        json!({"request": revoked, "revoked": [made["cid"]]}),
        "OPERATION_FAILED",
    );
    assert_eq!(refusal["name"], "Revoked");
    // A request to another vault.
    let mut other = Plugin::another();
    let refusal = other.refused(
        "countersign_payment",
        json!({"request": revoked}),
        "OPERATION_FAILED",
    );
    assert_eq!(refusal["name"], "InvalidAudience");
    vault.ok("end_mandate", json!({"cid": made["cid"]}));
    let refusal = vault.refused(
        "countersign_payment",
        json!({"request": revoked}),
        "OPERATION_FAILED",
    );
    assert_eq!(refusal["name"], "MandateEnded");
}

#[test]
fn fifty_payments_against_a_budget_of_ten() {
    let mut plugin = Plugin::unlocked();
    let mut terms = mandate(None);
    terms["budget"] = json!({"period": "month", "payments": 10});
    let made = plugin.ok("make_mandate", terms);
    let spend = json!({"cid": made["cid"], "payment": asked("1.00"), "by_itself": true});
    let answers = (0..50).map(|_| plugin.call("spend_mandate", spend.clone()));
    let signed = answers.filter(|answer| answer["token"].is_string()).count();
    assert_eq!(signed, 10);
}

#[test]
fn mandates_are_suspended_and_confirmed() {
    let mut plugin = Plugin::unlocked();
    let made = plugin.ok("make_mandate", mandate(None));
    let spend = json!({"cid": made["cid"], "payment": asked("1.00"), "by_itself": true});
    let set = |suspended: bool| json!({"cid": made["cid"], "suspended": suspended});
    plugin.ok("suspend_mandate", set(true));
    let refusal = plugin.refused("spend_mandate", spend.clone(), "OPERATION_FAILED");
    assert_eq!(refusal["name"], "MandateSuspended");
    let confirmed = plugin.ok("suspend_mandate", set(false));
    assert_eq!(confirmed["mandate"]["suspended"], false);
    plugin.ok("spend_mandate", spend);
}
