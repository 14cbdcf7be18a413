//! `evaluate_policy`: the outcome of a call, without a key and without a token.

use serde_json::{Value, json};

use crate::support::Plugin;

fn evaluate(policy: Value, args: Value) -> Value {
    let call = json!({"command": "/mail/send", "args": args});
    Plugin::empty().ok(
        "evaluate_policy",
        json!({"command": "/mail", "policy": policy, "call": call}),
    )
}

/// The checks of the policy, without the link's command.
fn reasons(answer: &Value) -> Vec<Value> {
    let checks = answer["checks"].as_array().unwrap().iter();
    checks
        .filter(|check| check["rule"] == "statement")
        .cloned()
        .collect()
}

#[test]
fn says_what_each_statement_found() {
    let policy = json!([
        ["<=", ".size", 10],
        ["like", ".to", "*@a.example"],
        ["==", ".a.b", 1]
    ]);
    let answer = evaluate(policy, json!({"size": 11, "to": "x@a.example", "a": 1}));
    assert_eq!(answer["allowed"], false);
    assert_eq!(answer["complete"], true);
    assert_eq!(
        answer["checks"],
        json!([
            {"link": 0, "rule": "command", "holds": true},
            {"link": 0, "rule": "statement", "statement": [0], "holds": false, "resolved": true, "found": 11},
            {"link": 0, "rule": "statement", "statement": [1], "holds": true, "resolved": true, "found": "x@a.example"},
            {"link": 0, "rule": "statement", "statement": [2], "holds": false, "resolved": false},
        ])
    );
}

#[test]
fn goes_into_connectives_and_to_the_item_that_decides() {
    let policy = json!([
        ["or", [["==", ".a", 1], ["not", ["==", ".a", 2]]]],
        ["all", ".list", [">", ".n", 1]],
        ["any", ".list", [">", ".n", 1]],
        ["any", ".list", [">", ".n", 9]],
    ]);
    let answer = evaluate(policy, json!({"a": 2, "list": [{"n": 5}, {"n": 1}]}));
    let told: Vec<_> = reasons(&answer)
        .into_iter()
        .map(|check| {
            (
                check["statement"].clone(),
                check["holds"].clone(),
                check["item"].clone(),
            )
        })
        .collect();
    let expected = [
        (json!([0]), false, json!(null)),
        (json!([0, 1, 0]), false, json!(null)),
        (json!([0, 1, 1]), false, json!(null)),
        (json!([0, 1, 1, 1]), true, json!(null)),
        (json!([1]), false, json!(1)),
        (json!([1, 2]), false, json!(null)),
        (json!([2]), true, json!(0)),
        (json!([2, 2]), true, json!(null)),
        (json!([3]), false, json!(null)),
    ];
    assert_eq!(
        told,
        expected.map(|(path, holds, item)| (path, json!(holds), item))
    );
}

#[test]
fn a_missing_field_is_null_and_a_not_over_it_holds() {
    let answer = evaluate(json!([["not", ["==", ".to", "x"]]]), json!({}));
    assert_eq!(answer["allowed"], true);
    assert_eq!(reasons(&answer)[1]["found"], json!(null));
    assert_eq!(reasons(&answer)[1]["resolved"], true);
}

#[test]
fn each_link_covers_the_next_and_the_last_the_call() {
    let ask = |links: Value, command: &str| {
        let input = json!({"links": links, "call": {"command": command, "args": {"n": 1}}});
        let answer = Plugin::empty().ok("evaluate_policy", input);
        let checks = answer["checks"].as_array().unwrap().clone();
        let broken: Vec<_> = checks
            .iter()
            .filter(|check| check["holds"] == false)
            .collect();
        let broken: Vec<_> = broken
            .iter()
            .map(|check| (check["link"].clone(), check["rule"].clone()))
            .collect();
        assert_eq!(answer["allowed"], broken.is_empty());
        broken
    };
    let chain = json!([{"command": "/a"}, {"command": "/a/b", "policy": [["==", ".n", 1]]}]);
    assert_eq!(ask(chain.clone(), "/a/b/c"), []);
    assert_eq!(ask(chain, "/a"), [(json!(1), json!("command"))]);
    let widened = json!([{"command": "/a", "policy": [["==", ".n", 2]]}, {"command": "/ab"}]);
    assert_eq!(
        ask(widened, "/ab"),
        [(json!(0), json!("command")), (json!(0), json!("statement"))]
    );
}

#[test]
fn answers_the_same_while_locked() {
    let mut plugin = Plugin::unlocked();
    plugin.ok("lock_vault", json!({}));
    let input = json!({"command": "/", "call": {"command": "/a", "args": {}}});
    assert_eq!(plugin.ok("evaluate_policy", input)["allowed"], true);
}

#[test]
fn what_does_not_parse_is_refused_and_never_ignored() {
    let mut plugin = Plugin::empty();
    let call = json!({"command": "/a", "args": {}});
    for input in [
        json!({"command": "/a", "policy": [["~", ".a", 1]], "call": call}),
        json!({"command": "/a", "policy": [["==", "a", 1]], "call": call}),
        json!({"command": "/A", "call": call}),
        json!({"links": [], "call": call}),
        json!({"links": vec![json!({"command": "/"}); 65], "call": call}),
        json!({"command": "/a", "call": {"command": "/a/", "args": {}}}),
        json!({"command": "/a", "call": {"command": "/a", "args": []}}),
    ] {
        let refusal = plugin.refused("evaluate_policy", input, "OPERATION_FAILED");
        assert_eq!(refusal["name"], "MalformedToken", "{refusal}");
    }
    for input in [
        json!({"call": call}),
        json!({"policy": [], "call": call}),
        json!({"command": "/a", "links": [{"command": "/a"}], "call": call}),
        json!({"command": "/a"}),
        json!({"links": [{"command": "/a", "more": 1}], "call": call}),
    ] {
        let refusal = plugin.refused("evaluate_policy", input, "OPERATION_FAILED");
        assert_eq!(refusal["name"], "InvalidInput", "{refusal}");
    }
}

#[test]
fn neither_work_nor_answer_grows_without_bound() {
    let long = vec![json!("x"); 2_000];
    let many = vec![json!(["==", ".", 1]); 20_000];
    let answer = evaluate(json!(many), json!({"long": long}));
    assert_eq!(answer["complete"], false);
    assert_eq!(answer["checks"].as_array().unwrap().len(), 4_096);
    assert!(answer["checks"][1].get("found").is_none());

    // One of these is allowed, but so many together take more work than any answer may.
    let inner = json!(["all", ".", ["all", ".", ["!=", ".", 1]]]);
    let nested = json!({"list": vec![json!(vec![json!(vec![2; 48]); 48]); 48]});
    let policy = json!(vec![json!(["all", ".list", inner]); 100]);
    let input =
        json!({"command": "/msg", "policy": policy, "call": {"command": "/msg", "args": nested}});
    let refused = Plugin::empty().refused("evaluate_policy", input, "OPERATION_FAILED");
    assert_eq!(refused["name"], "TooMuchWork");
}
