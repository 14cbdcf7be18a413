use super::*;
use crate::cases::{bytes_of, cases};
use crate::error::VaultErrorCode;
use alloc::borrow::ToOwned;
use data_encoding::HEXLOWER;

/// RFC 8410 §10.3.
const V2: &str = "3072020101300506032b657004220420d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842a01f301d\
    060a2a864886f70d01090914310f0c0d437572646c652043686169727381210019bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad\
    703166e1";

fn pkcs8_cases() -> impl Iterator<Item = serde_json::Value> {
    let all = cases("keys/openssl.json")
        .into_iter()
        .chain(cases("keys/rfc.json"));
    all.filter(|case| case["format"] == "pkcs8")
}

#[test]
fn reads_what_openssl_writes_and_what_the_rfc_shows() {
    for case in pkcs8_cases() {
        let key = read(case["text"].as_str().unwrap()).unwrap();
        assert_eq!(key.key_type().as_str(), case["type"], "{case}");
        let public = bytes_of(case["public"].as_str().unwrap());
        assert_eq!(key.public_key().to_multicodec(), public, "{case}");
    }
}

#[test]
fn says_why_a_text_is_not_a_supported_private_key() {
    for case in cases("keys/refused.json") {
        let refused = read(case["text"].as_str().unwrap()).unwrap_err();
        assert_eq!(refused.code().as_str(), case["code"], "{case}: {refused}");
        if let Some(name) = case["refused"].as_str() {
            assert_eq!(refused.name(), name, "{case}: {refused}");
        }
    }
}

#[test]
fn refuses_a_public_half_of_another_key() {
    let changed = V2.replace("19bf44", "19bf45");
    assert!(read(V2).is_ok());
    assert_eq!(read(&changed).unwrap_err(), halves::other_half());
    for case in pkcs8_cases().filter(|case| case["type"] != "ed25519") {
        // The public point is last; its last byte is changed.
        let text = case["text"].as_str().unwrap();
        if case["name"] != "PKCS#8 DER in hex" {
            continue;
        }
        let mut der = bytes_of(text);
        *der.last_mut().unwrap() ^= 1;
        assert_eq!(read_der(&der).unwrap_err(), halves::other_half());
    }
}

#[test]
fn refuses_every_shorter_and_longer_der() {
    for case in pkcs8_cases().filter(|case| case["name"] == "PKCS#8 DER in hex") {
        let der = bytes_of(case["text"].as_str().unwrap());
        for length in 0..der.len() {
            assert!(read_der(&der[..length]).is_err(), "{length}");
        }
        assert!(read_der(&[&der[..], &[0]].concat()).is_err());
        assert!(read(&HEXLOWER.encode(&der)[1..]).is_err());
    }
}

#[test]
fn refuses_scalars_out_of_range_and_of_another_length() {
    let with = |key: &str| {
        let length = key.len() / 2;
        let inner = alloc::format!("{:02x}020101{:02x}{:02x}{key}", 0x30, 4, length);
        let inner = inner.replacen("30", &alloc::format!("30{:02x}", length + 5), 1);
        let outer = alloc::format!(
            "020100301306072a8648ce3d020106082a8648ce3d03010704{:02x}{inner}",
            inner.len() / 2
        );
        read(&alloc::format!("30{:02x}{outer}", outer.len() / 2))
    };
    assert!(with(&"07".repeat(32)).is_ok());
    for key in [
        "00".repeat(32),
        "ff".repeat(32),
        "07".repeat(31),
        "07".repeat(33),
    ] {
        assert_eq!(with(&key).unwrap_err(), malformed(), "{key}");
    }
}

#[test]
fn refuses_texts_without_bytes_and_incomplete_pems() {
    let pem = cases("keys/rfc.json")[0]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(read(&pem).is_ok());
    for text in [
        "",
        "=",
        "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy_HU++CXqI9EdVhC",
        &pem.replace("-----END PRIVATE KEY-----", ""),
        &pem.replace("END PRIVATE", "END EC PRIVATE"),
        &pem.replace("MC4C", "MC4"),
        &pem.replace("PRIVATE KEY", "PARAMETERS"),
        &alloc::format!("{pem}{pem}"),
    ] {
        assert_eq!(
            read(text).unwrap_err().code(),
            VaultErrorCode::OperationFailed,
            "{text}"
        );
    }
}
