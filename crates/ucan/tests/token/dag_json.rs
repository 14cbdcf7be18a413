//! DAG-JSON, strictly.

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::dag_json::{DagJson, has_form, parse, to_string};
use serde::{Deserialize, Serialize};

#[test]
fn integers_are_kept_exactly_and_floats_stay_floats() {
    for (text, value) in [
        ("0", Ipld::Integer(0)),
        ("-0", Ipld::Integer(0)),
        ("9007199254740993", Ipld::Integer(9_007_199_254_740_993)),
        ("18446744073709551615", Ipld::Integer(u64::MAX.into())),
        ("-9223372036854775808", Ipld::Integer(i64::MIN.into())),
        ("-18446744073709551616", Ipld::Integer(-(1 << 64))),
        ("1.0", Ipld::Float(1.0)),
        ("1e2", Ipld::Float(100.0)),
        ("-2.5E-1", Ipld::Float(-0.25)),
        (
            "18446744073709551616.0",
            Ipld::Float(18_446_744_073_709_551_616.0),
        ),
    ] {
        assert_eq!(parse(text), Ok(value), "{text}");
    }
    let Ok(Ipld::Float(zero)) = parse("-0.0") else {
        panic!("no float");
    };
    assert!(zero.is_sign_positive());
}

#[test]
fn links_and_bytes_are_read_and_written() {
    for text in [
        r#"{"/":"bafyreigyftnzjf4rcu7glp5kfop53vqlopc3zcldauoqdxqlz7t4343gr4"}"#,
        r#"{"/":"QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG"}"#,
        r#"{"/":{"bytes":""}}"#,
        r#"{"/":{"bytes":"AQID/w"}}"#,
        r#"{"a":[null,true,false,-1,1.5,"x\n\"\\é\u0001"],"b":{}}"#,
    ] {
        assert_eq!(to_string(&parse(text).unwrap()).unwrap(), text);
    }
    let base58 = parse(r#"{"/":"zdpuAuV5xUgr6h68f7hSJ6bEshNnMLUaJTgxQK5dKmkHxXzKd"}"#);
    assert!(base58.is_err() || matches!(base58, Ok(Ipld::Link(_))));
}

#[test]
fn spaces_and_escapes_are_read() {
    assert_eq!(
        parse(" { \"a\" : [ 1 ,\t2 ] ,\r\n\"b\":\"\\u00e9\\ud83d\\ude00\\/\\b\\f\" } "),
        parse("{\"a\":[1,2],\"b\":\"é😀/\\u0008\\u000c\"}")
    );
}

#[test]
fn everything_else_is_refused() {
    for text in [
        "",
        " ",
        "nul",
        "nullx",
        "True",
        "undefined",
        "NaN",
        "Infinity",
        "1 2",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1",
        "]",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{a:1}",
        "{1:1}",
        "{\"a\":1",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"\\u0061\":2}",
        "'a'",
        "\"a",
        "\"\n\"",
        "\"\\x\"",
        "\"\\é\"",
        "\"\\u12\"",
        "\"\\u12é\"",
        "\"\\ud800\"",
        "\"\\ud800x\"",
        "\"\\ud800\\u0041\"",
        "\"\\udc00\"",
        "01",
        "-",
        "--1",
        "+1",
        "1.",
        ".5",
        "1e",
        "1e+",
        "1-1",
        "1.2.3",
        "0x10",
        "1e999",
        "18446744073709551616",
        "-18446744073709551617",
        "999999999999999999999999999999999999999999",
        "{\"/\":1}",
        "{\"/\":\"\"}",
        "{\"/\":\"bafy\"}",
        "{\"/\":\"BAFYREIGYFTNZJF4RCU7GLP5KFOP53VQLOPC3ZCLDAUOQDXQLZ7T4343GR4\"}",
        "{\"/\":\"/ipfs/bafyreigyftnzjf4rcu7glp5kfop53vqlopc3zcldauoqdxqlz7t4343gr4\"}",
        "{\"/\":{\"bytes\":\"AQ==\"}}",
        "{\"/\":{\"bytes\":\"A\"}}",
        "{\"/\":{\"bytes\":\"AR\"}}",
        "{\"/\":{\"bytes\":\"-_\"}}",
        "{\"/\":{\"bytes\":1}}",
        "{\"/\":{\"bytes\":\"AQ\",\"x\":1}}",
        "{\"/\":{\"other\":\"AQ\"}}",
        "{\"/\":{}}",
        "{\"/\":\"bafyreigyftnzjf4rcu7glp5kfop53vqlopc3zcldauoqdxqlz7t4343gr4\",\"x\":1}",
        "\u{feff}1",
        "1\u{0}",
        "// c\n1",
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.at <= text.len(), "{text}");
    }
}

#[test]
fn nesting_is_bounded() {
    let nest = |depth: usize| parse(&("[".repeat(depth) + &"]".repeat(depth)));
    assert!(nest(128).is_ok());
    assert!(nest(129).is_err());
    assert!(parse(&"[".repeat(1 << 20)).is_err());
    assert!(parse(&format!("[{}0]", "0,".repeat(1 << 20))).is_err());
    assert!(parse(&"{\"a\":".repeat(1 << 18)).is_err());
}

#[test]
fn a_map_that_would_be_read_as_something_else_is_not_written() {
    let map = Ipld::Map([("/".to_string(), Ipld::String("x".to_string()))].into());
    assert!(to_string(&Ipld::List(vec![map])).is_err());
    assert!(to_string(&Ipld::Float(f64::NAN)).is_err());
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Request {
    policy: DagJson,
    meta: Option<DagJson>,
}

#[test]
fn a_field_of_a_request_is_read_and_written_in_place() {
    let text = r#"{"policy":[["==",".n",18446744073709551615]],"meta":null}"#;
    let request: Request = serde_json::from_str(text).unwrap();
    assert_eq!(request.meta, None);
    assert_eq!(serde_json::to_string(&request).unwrap(), text);
    let doubled = r#"{"policy":{"a":1,"a":2},"meta":null}"#;
    assert!(serde_json::from_str::<Request>(doubled).is_err());
    let from_bytes: Request = serde_json::from_slice(text.as_bytes()).unwrap();
    assert_eq!(from_bytes, request);
}

#[test]
fn what_has_a_form_is_what_can_be_written() {
    let inner = |key: &str| Ipld::Map([(key.to_owned(), Ipld::Null)].into());
    for (value, wanted) in [
        (inner("a"), true),
        (inner("/"), false),
        (Ipld::List(vec![inner("a"), inner("/")]), false),
        (Ipld::Map([("a".to_owned(), inner("/"))].into()), false),
        (Ipld::Float(0.5), true),
        (Ipld::Float(f64::NAN), false),
    ] {
        assert_eq!(has_form(&value), wanted, "{value:?}");
        assert_eq!(to_string(&value).is_ok(), wanted, "{value:?}");
    }
}
