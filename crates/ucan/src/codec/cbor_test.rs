use super::*;
use alloc::vec;
use proptest::prelude::*;

fn hex(text: &str) -> Vec<u8> {
    data_encoding::HEXLOWER.decode(text.as_bytes()).unwrap()
}

#[test]
fn refuses_every_second_encoding() {
    for (text, error) in [
        ("", CborError::Cut),
        ("18", CborError::Cut),
        ("f6f6", CborError::Trailing),
        ("1817", CborError::NotCanonical),
        ("1900ff", CborError::NotCanonical),
        ("1a0000ffff", CborError::NotCanonical),
        ("1b00000000ffffffff", CborError::NotCanonical),
        ("5801ff", CborError::NotCanonical),
        ("f7", CborError::NotCanonical),
        ("f814", CborError::NotCanonical),
        ("f93c00", CborError::NotCanonical),
        ("fa3f800000", CborError::NotCanonical),
        ("fb7ff8000000000000", CborError::NotCanonical),
        ("fb7ff0000000000000", CborError::NotCanonical),
        ("fb8000000000000000", CborError::NotCanonical),
        ("9fff", CborError::NotCanonical),
        ("5f40ff", CborError::NotCanonical),
        ("61ff", CborError::NotCanonical),
        ("a10000", CborError::NotCanonical),
        ("a2616100616101", CborError::KeyOrder),
        ("a2616200616101", CborError::KeyOrder),
        ("a262616100616200", CborError::KeyOrder),
        ("c001", CborError::NotCanonical),
        ("d82a4101", CborError::NotCanonical),
        ("9bffffffffffffffff", CborError::Cut),
        ("bbffffffffffffffff", CborError::Cut),
        ("7bffffffffffffffff", CborError::Cut),
    ] {
        assert_eq!(decode(&hex(text)), Err(error), "{text}");
    }
}

#[test]
fn refuses_nesting_past_the_limit_and_reads_up_to_it() {
    let nest = |depth: usize| {
        let mut bytes = vec![0x81; depth];
        bytes.push(0xf6);
        decode(&bytes)
    };
    assert!(nest(MAX_DEPTH).is_ok());
    assert_eq!(nest(MAX_DEPTH + 1), Err(CborError::TooDeep));
    assert_eq!(decode(&vec![0x81; 1 << 20]), Err(CborError::TooDeep));
}

#[test]
fn refuses_more_values_than_memory_is_meant_for() {
    let list = |count: usize| {
        let mut bytes = vec![0x9a];
        bytes.extend_from_slice(&(count as u32).to_be_bytes());
        bytes.resize(5 + count, 0xf6);
        decode(&bytes)
    };
    assert!(list(1 << 17).is_ok());
    assert_eq!(list(1 << 20), Err(CborError::TooMuchWork));
}

#[test]
fn keeps_integers_of_64_bits_exactly() {
    for integer in [
        0,
        -1,
        i128::from(u64::MAX),
        -1 - i128::from(u64::MAX),
        (1 << 53) + 1,
    ] {
        let value = Ipld::Integer(integer);
        assert_eq!(decode(&encode(&value).unwrap()), Ok(value));
    }
    assert!(encode(&Ipld::Integer(1 << 64)).is_err());
}

pub(crate) fn any_ipld() -> impl Strategy<Value = Ipld> {
    let leaf = prop_oneof![
        Just(Ipld::Null),
        any::<bool>().prop_map(Ipld::Bool),
        (-(1i128 << 64)..(1i128 << 64)).prop_map(Ipld::Integer),
        any::<f64>()
            .prop_filter("finite", |f| f.is_finite())
            .prop_map(Ipld::Float),
        ".{0,12}".prop_map(Ipld::String),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(Ipld::Bytes),
        any::<[u8; 8]>().prop_map(|seed| Ipld::Link(crate::codec::cid::Cid::of(&seed).to_raw())),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Ipld::List),
            prop::collection::btree_map(".{0,9}", inner, 0..6).prop_map(Ipld::Map),
        ]
    })
}

proptest! {
    #[test]
    fn round_trips(value in any_ipld()) {
        prop_assert_eq!(decode(&encode(&value).unwrap()), Ok(value));
    }

    #[test]
    fn reads_only_what_it_would_write(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(value) = decode(&bytes) {
            prop_assert_eq!(encode(&value).unwrap(), bytes);
        }
    }

    #[test]
    fn a_changed_byte_is_refused_or_another_value(value in any_ipld(), at in any::<prop::sample::Index>(), flip in 1u8..) {
        let mut bytes = encode(&value).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        if let Ok(other) = decode(&bytes) {
            prop_assert_eq!(encode(&other).unwrap(), bytes);
        }
    }
}
