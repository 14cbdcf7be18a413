#![allow(clippy::unwrap_used)]

use data_encoding::HEXLOWER;
use serde_json::json;

use super::*;
use crate::testing::Stream;

/// draft-irtf-cfrg-xchacha-03, A.3.1.
#[test]
fn gives_the_drafts_known_answer() {
    let key: [u8; 32] = core::array::from_fn(|index| 0x80 + index as u8);
    let nonce: [u8; 24] = core::array::from_fn(|index| 0x40 + index as u8);
    let associated = HEXLOWER.decode(b"50515253c0c1c2c3c4c5c6c7").unwrap();
    let plaintext = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
        sunscreen would be it.";
    let expected = "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39\
        ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9\
        768812f615c68b13b52ec0875924c1c7987947deafd8780acf49";
    let mut draw = |bytes: &mut [u8]| {
        bytes.copy_from_slice(&nonce);
        Ok(())
    };
    let sealed = seal(&key, &associated, plaintext.to_vec().into(), &mut draw).unwrap();
    assert_eq!(sealed.nonce.0, nonce);
    assert_eq!(HEXLOWER.encode(&sealed.sealed.0), expected);
    assert_eq!(
        open(&key, &associated, sealed).unwrap().as_slice(),
        plaintext
    );
}

#[test]
fn opens_only_with_the_same_key_binding_nonce_and_bytes() {
    let sealed = seal(
        &[1; 32],
        b"here",
        b"secret".to_vec().into(),
        &mut Stream::new(),
    )
    .unwrap();
    assert!(open(&[1; 32], b"here", sealed.clone()).is_some());
    assert!(open(&[2; 32], b"here", sealed.clone()).is_none());
    assert!(open(&[1; 32], b"there", sealed.clone()).is_none());
    let mut other = sealed.clone();
    other.nonce.0[0] ^= 1;
    assert!(open(&[1; 32], b"here", other).is_none());
    for index in 0..sealed.sealed.0.len() {
        let mut other = sealed.clone();
        other.sealed.0[index] ^= 1;
        assert!(open(&[1; 32], b"here", other).is_none());
    }
    let mut cut = sealed;
    cut.sealed.0.truncate(TAG_LENGTH - 1);
    assert!(open(&[1; 32], b"here", cut).is_none());
}

#[test]
fn a_binding_has_one_encoding_and_no_floats() {
    let value: Value =
        serde_json::from_str(r#"{ "bb": [true, null], "a": 18446744073709551615 }"#).unwrap();
    let bytes = canonical(&value).unwrap();
    assert_eq!(
        HEXLOWER.encode(&bytes),
        "a261611bffffffffffffffff62626282f5f6"
    );
    assert!(canonical(&json!({"a": 1.5})).is_err());
}
