//! Paths, tested through statements about what they lead to.

use keyhole_ucan::policy::selector::Selector;

use crate::support::{json, policy};

/// Whether the path leads to this value.
fn leads_to(path: &str, args: &str, value: &str) -> bool {
    let path = serde_json::to_string(path).unwrap();
    policy(&format!("[[\"==\",{path},{value}]]"))
        .check(&json(args))
        .is_ok()
}

/// Whether the path can't be followed: then a statement and its opposite are both false.
fn leads_nowhere(path: &str, args: &str) -> bool {
    let path = serde_json::to_string(path).unwrap();
    ["==", "!="].iter().all(|operator| {
        policy(&format!("[[\"{operator}\",{path},\"no such value\"]]"))
            .check(&json(args))
            .is_err()
    })
}

#[test]
fn each_kind_of_part_leads_where_it_says() {
    let args = r#"{"a":{"b":[10,20,30,40]},"_x1":true,"with space":"s","é":1,"q\"":2,"n":null,"bb":5,"":6}"#;
    for (path, value) in [
        (".a.b[0]", "10"),
        (".a.b[-1]", "40"),
        (".a[\"b\"][1]", "20"),
        (".a.[\"b\"].[1]", "20"),
        (".[\"a\"].b[2]", "30"),
        ("._x1", "true"),
        (".[\"with space\"]", "\"s\""),
        (".[\"\\u00e9\"]", "1"),
        (".[\"é\"]", "1"),
        (".[\"q\\\"\"]", "2"),
        (".[\"\"]", "6"),
        (".bb", "5"),
        (".n", "null"),
        (".missing", "null"),
        (".a.b[1:3]", "[20,30]"),
        (".a.b[2:]", "[30,40]"),
        (".a.b[:2]", "[10,20]"),
        (".a.b[:]", "[10,20,30,40]"),
        (".a.b[0:-2]", "[10,20]"),
        (".a.b[-2:]", "[30,40]"),
        (".a.b[3:1]", "[]"),
        (".a.b[-99:99]", "[10,20,30,40]"),
        (".a.b[9:]", "[]"),
        (".a.b[1:][1:][0]", "30"),
        (".a.b[]", "[10,20,30,40]"),
        (".a[]", "[[10,20,30,40]]"),
        (".a[][0][3]", "40"),
        (".missing?", "null"),
        (".a.b[99]?", "null"),
        (".a.b[99]???", "null"),
        (".bb.c?", "null"),
        (".missing.deeper?", "null"),
    ] {
        assert!(leads_to(path, args, value), "{path} {value}");
    }
}

#[test]
fn a_lone_dot_is_the_whole() {
    assert!(leads_to(".", "{\"a\":1}", "{\"a\":1}"));
    assert!(leads_to(".?", "{\"a\":1}", "{\"a\":1}"));
}

#[test]
fn a_path_that_cannot_be_followed_makes_every_statement_false() {
    let args = r#"{"a":[1],"s":"text","n":null,"i":7,"m":{}}"#;
    for path in [
        ".a[1]",
        ".a[-2]",
        ".a.b",
        ".s[0]",
        ".s.x",
        ".s[]",
        ".s[0:1]",
        ".i[]",
        ".n.x",
        ".n[0]",
        ".m[0]",
        ".m[0:1]",
        ".missing.x",
        ".missing[0]",
        ".missing.x.y?",
        ".a[9]?.x",
        ".a[9][0]?[0]",
    ] {
        assert!(leads_nowhere(path, args), "{path}");
    }
}

#[test]
fn a_maps_values_come_in_the_order_of_its_encoding() {
    assert!(leads_to(
        ".[]",
        "{\"bb\":1,\"c\":2,\"a\":3,\"aaa\":4}",
        "[3,2,1,4]"
    ));
    assert!(leads_to(
        ".[][1:3]",
        "{\"bb\":1,\"c\":2,\"a\":3,\"aaa\":4}",
        "[2,1]"
    ));
    assert!(leads_to(".[][-1]", "{\"bb\":1,\"a\":3}", "1"));
}

#[test]
fn bytes_are_numbers_by_index() {
    let args = r#"{"/":{"bytes":"1qnBjPjE"}}"#;
    assert!(leads_to(".[3]", args, "140"));
    assert!(leads_to(".[-1]", args, "196"));
    assert!(leads_to(".[0:2]", args, r#"{"/":{"bytes":"1qk"}}"#));
    assert!(leads_to(".[]", args, args));
    assert!(leads_nowhere(".[6]", args));
    assert!(leads_nowhere(".[\"bytes\"]", args));
}

#[test]
fn a_path_must_be_understood_to_its_end() {
    for path in [
        "",
        "a",
        "a.b",
        "[0]",
        "[\"a\"]",
        "?",
        "..",
        "..a",
        ".a..b",
        ".a.",
        ".a.?",
        ". a",
        ".a b",
        ".0",
        ".-a",
        ".é",
        ".$a",
        ".a[",
        ".a[]]",
        ".a[*]",
        ".a[?]",
        ".a[x]",
        ".a[1.5]",
        ".a[+1]",
        ".a[--1]",
        ".a[-]",
        ".a[1-2]",
        ".a[ 1]",
        ".a[1 ]",
        ".a[1:2:3]",
        ".a[1,2]",
        ".a['b']",
        ".a[\"b]",
        ".a[\"b\"",
        ".a[\"b\"x]",
        ".a[\"\\x\"]",
        ".a[\"\\ud800\"]",
        ".a[\"\n\"]",
        ".a[9223372036854775808]",
        ".a|.b",
        ".a\u{0}",
        "?.a",
        ".a?b",
    ] {
        let error = Selector::parse(path).expect_err(path);
        assert!(error.at <= path.len() && path.is_char_boundary(error.at));
    }
}

#[test]
fn a_path_has_a_limit() {
    let path = |parts: usize| ".a".repeat(parts);
    assert!(Selector::parse(&path(1_024)).is_ok());
    assert!(Selector::parse(&path(1_025)).is_err());
}

#[test]
fn the_text_is_kept_as_it_was_written() {
    for path in [".", ".a", ".[\"\\u0061\"]??", ".a[01]"] {
        assert_eq!(Selector::parse(path).unwrap().as_str(), path);
    }
}
