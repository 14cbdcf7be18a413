use alloc::string::ToString;

use super::*;

#[test]
fn prints_base32_and_reads_both_bases() {
    let cid = Cid::of(b"token");
    assert!(cid.to_string().starts_with("bafyrei"));
    assert_eq!(Cid::parse(&cid.to_string()), Ok(cid));
    let base58 = cid
        .to_raw()
        .to_string_of_base(ipld_core::cid::multibase::Base::Base58Btc)
        .unwrap();
    assert!(base58.starts_with("zdpu"));
    assert_eq!(Cid::parse(&base58), Ok(cid));
}

#[test]
fn refuses_other_codecs_hashes_and_text() {
    let raw = RawCid::new_v1(0x55, *Cid::of(b"").to_raw().hash());
    assert_eq!(Cid::from_raw(&raw), Err(CidError));
    for text in [
        "",
        "b",
        "bafy",
        "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG",
        "f01711220",
    ] {
        assert_eq!(Cid::parse(text), Err(CidError), "{text}");
    }
}
