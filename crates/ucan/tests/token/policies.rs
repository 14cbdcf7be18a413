//! Policies beyond the official vectors.

use ipld_core::ipld::Ipld;
use keyhole_ucan::policy::evaluate::Mismatch;
use keyhole_ucan::policy::statement::{Policy, PolicyError};

use crate::support::{json, policy};

fn holds(statement: &str, args: &str) -> bool {
    policy(&format!("[{statement}]")).check(&json(args)).is_ok()
}

fn parse_error(text: &str) -> PolicyError {
    Policy::parse(&json(text)).expect_err(text)
}

#[test]
fn numbers_compare_by_value_and_exactly() {
    for (statement, args) in [
        (r#"["==",".",1.0]"#, "1"),
        (r#"["==",".",1]"#, "1.0"),
        (r#"["==",".",[1,{"a":2.0}]]"#, r#"[1.0,{"a":2}]"#),
        (r#"["!=",".",9007199254740993]"#, "9007199254740992"),
        (r#"["!=",".",9007199254740993]"#, "9007199254740992.0"),
        (r#"["<",".",9007199254740993]"#, "9007199254740992.0"),
        (r#"[">",".",9007199254740992.0]"#, "9007199254740993"),
        (r#"["<=",".",18446744073709551615]"#, "18446744073709551615"),
        (
            r#"["<",".",18446744073709551616.0]"#,
            "18446744073709551615",
        ),
        (
            r#"[">",".",-18446744073709551616]"#,
            "-18446744073709551615",
        ),
        (r#"["<",".",1e300]"#, "18446744073709551615"),
        (r#"[">",".",-1e300]"#, "-18446744073709551616"),
        (r#"["<",".",0.5]"#, "0"),
        (r#"[">",".",0.5]"#, "1"),
        (r#"[">",".",-0.5]"#, "0"),
        (r#"["<",".",-0.5]"#, "-1"),
        (r#"[">=",".",2]"#, "2.0"),
        (r#"["<=",".",2.5]"#, "2"),
        (r#"["==",".",0]"#, "-0.0"),
    ] {
        assert!(holds(statement, args), "{statement} {args}");
    }
    for (statement, args) in [
        (r#"["<",".",2]"#, "2.0"),
        (r#"[">",".",2.0]"#, "2"),
        (r#"["==",".",9007199254740993]"#, "9007199254740992.0"),
        (r#"["<",".",9007199254740992.0]"#, "9007199254740993"),
    ] {
        assert!(!holds(statement, args), "{statement} {args}");
    }
}

#[test]
fn anything_but_a_number_fails_every_comparison() {
    for operator in ["<", "<=", ">", ">="] {
        for args in [
            "\"1\"",
            "null",
            "true",
            "[1]",
            "{}",
            r#"{"/":{"bytes":"AQ"}}"#,
        ] {
            assert!(!holds(&format!("[\"{operator}\",\".\",1]"), args));
        }
    }
}

#[test]
fn equality_is_deep_and_of_the_same_kind() {
    let link = r#"{"/":"bafyreigyftnzjf4rcu7glp5kfop53vqlopc3zcldauoqdxqlz7t4343gr4"}"#;
    let bytes = r#"{"/":{"bytes":"AQI"}}"#;
    for value in [
        "null", "true", "\"text\"", "[]", "{}", "[[],{}]", bytes, link, "1",
    ] {
        assert!(holds(&format!("[\"==\",\".\",{value}]"), value), "{value}");
        for other in ["false", "\"\"", "[null]", "{\"a\":1}", "[1,2]", "2"] {
            assert!(!holds(&format!("[\"==\",\".\",{value}]"), other));
            assert!(holds(&format!("[\"!=\",\".\",{value}]"), other));
        }
    }
    assert!(!holds("[\"==\",\".\",[1,2]]", bytes));
    assert!(!holds(r#"["==",".",{"a":1}]"#, r#"{"a":1,"b":2}"#));
    assert!(!holds(r#"["==",".",{"a":1}]"#, r#"{"b":1}"#));
    assert!(!holds(r#"["==",".",true]"#, "1"));
    assert!(!holds(r#"["==",".",[1,2]]"#, "[2,1]"));
}

#[test]
fn like_matches_texts_alone() {
    assert!(holds(r#"["like",".","*"]"#, "\"\""));
    assert!(holds(r#"["like",".","a*c"]"#, "\"a\\nb\\nc\""));
    for args in ["1", "null", "[\"a\"]", "{}", r#"{"/":{"bytes":"YQ"}}"#] {
        assert!(!holds(r#"["like",".","*"]"#, args), "{args}");
    }
}

#[test]
fn empty_connectives_are_true_and_not_inverts() {
    assert!(holds(r#"["and",[]]"#, "{}"));
    assert!(holds(r#"["or",[]]"#, "{}"));
    assert!(!holds(r#"["not",["or",[]]]"#, "{}"));
    assert!(!holds(r#"["or",[["==",".",1],["==",".",2]]]"#, "3"));
    assert!(!holds(r#"["and",[["==",".",3],["==",".",2]]]"#, "3"));
    // The specification says so, and the editor warns about it.
    assert!(holds(r#"["not",["==",".a.b",1]]"#, "{}"));
    assert!(holds(r#"["not",["!=",".a.b",1]]"#, "{}"));
}

#[test]
fn quantifiers_go_over_lists_and_values_and_nothing_else() {
    assert!(holds(r#"["all",".",[">",".",0]]"#, "[1,2]"));
    assert!(holds(r#"["all",".",[">",".",0]]"#, r#"{"a":1,"b":2}"#));
    assert!(holds(r#"["all",".",[">",".",0]]"#, "[]"));
    assert!(!holds(r#"["any",".",[">",".",0]]"#, "[]"));
    assert!(!holds(r#"["all",".",[">",".",0]]"#, "[1,0]"));
    assert!(holds(r#"["any",".[]",["==",".",1]]"#, r#"{"a":1}"#));
    assert!(holds(r#"["any",".[1:]",["==",".",1]]"#, "[0,1]"));
    for args in ["1", "null", "\"ab\"", "true", r#"{"/":{"bytes":"AQ"}}"#] {
        assert!(!holds(r#"["all",".",["and",[]]]"#, args), "{args}");
        assert!(!holds(r#"["any",".",["and",[]]]"#, args), "{args}");
    }
}

#[test]
fn the_first_statement_that_fails_is_named() {
    let policy = policy(r#"[["==",".a",1],["==",".b",2]]"#);
    assert_eq!(policy.check(&json(r#"{"a":1,"b":2}"#)), Ok(()));
    assert_eq!(
        policy.check(&json(r#"{"a":1,"b":3}"#)),
        Err(Mismatch::Statement(1))
    );
}

#[test]
fn what_does_not_parse_is_refused_with_its_place() {
    for (text, path) in [
        ("{}", &[][..]),
        ("\"==\"", &[]),
        ("[1]", &[0]),
        ("[[]]", &[0]),
        (r#"[["and",[]],["nope",".",1]]"#, &[1]),
        (r#"[["not",["nope",".",1]]]"#, &[0, 1]),
        (r#"[["and",[["or",[["==",".a"]]]]]]"#, &[0, 1, 0, 1, 0]),
        (r#"[["all",".a",["==","a",1]]]"#, &[0, 2, 1]),
        (r#"[["==",".a[",1]]"#, &[0, 1]),
        (r#"[["==",1,1]]"#, &[0, 1]),
    ] {
        let error = parse_error(text);
        assert_eq!(error.path, path, "{text}");
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn each_operator_takes_its_operands_and_no_others() {
    for statement in [
        r#"["==",".a"]"#,
        r#"["==",".a",1,2]"#,
        r#"["!=",".a"]"#,
        r#"["<",".a","1"]"#,
        r#"["<",".a",null]"#,
        r#"[">=",".a"]"#,
        r#"["like",".a",1]"#,
        r#"["like",".a"]"#,
        r#"["like",".a","*","x"]"#,
        r#"["and",["==",".a",1]]"#,
        r#"["and"]"#,
        r#"["and",[],[]]"#,
        r#"["or",["or"]]"#,
        r#"["not"]"#,
        r#"["not",[]]"#,
        r#"["not",[["==",".a",1]]]"#,
        r#"["not",["==",".a",1],["==",".b",1]]"#,
        r#"["all",".a"]"#,
        r#"["all",".a",[]]"#,
        r#"["any",".a",["==",".a",1],1]"#,
        r#"["=",".a",1]"#,
        r#"["===",".a",1]"#,
        r#"["AND",[]]"#,
        r#"["",".a",1]"#,
        r#"[["=="],".a",1]"#,
    ] {
        assert_eq!(parse_error(&format!("[{statement}]")).path[0], 0);
    }
}

#[test]
fn work_beyond_the_limit_is_refused_and_not_done() {
    let text = "x".repeat(1 << 20);
    let args = Ipld::String(text);
    let many = vec![r#"["like",".","*y*"]"#; 1 << 12].join(",");
    let either = policy(&format!(r#"[["or",[{many}]]]"#));
    assert_eq!(either.check(&args), Err(Mismatch::TooMuchWork));

    let steps = "[:]".repeat(1_000);
    let over_all = policy(&format!(r#"[["any",".",["==",".{steps}",1]]]"#));
    let items = Ipld::List(vec![Ipld::List(vec![]); 1 << 15]);
    assert_eq!(over_all.check(&items), Err(Mismatch::TooMuchWork));

    let wide = (0..1 << 14).map(|at| (at.to_string(), Ipld::Null));
    let args = Ipld::Map([("a".to_string(), Ipld::Map(wide.collect()))].into());
    let many = vec![r#"["==",".a[]",1]"#; 1 << 12].join(",");
    let either = policy(&format!(r#"[["or",[{many}]]]"#));
    assert_eq!(either.check(&args), Err(Mismatch::TooMuchWork));
}

#[test]
fn a_union_has_each_statement_once() {
    let first = policy(r#"[["==",".a",1],["==",".b",2],["==",".a",1]]"#);
    let second = policy(r#"[["==",".b",2],["==",".c",3]]"#);
    assert_eq!(
        Policy::union([&first, &second]).to_ipld(),
        json(r#"[["==",".a",1],["==",".b",2],["==",".c",3]]"#)
    );
}
