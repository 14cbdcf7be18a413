use super::*;
use proptest::prelude::*;

#[test]
fn knows_the_check_value_of_its_checksum() {
    assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    assert_eq!(crc32(b""), 0);
}

#[test]
fn refuses_to_grow_past_the_limit() {
    let bomb = compress(&vec![0; 1 << 20]);
    assert!(bomb.len() < 4096);
    assert_eq!(expand(&bomb, (1 << 20) - 1), None);
    assert_eq!(expand(&bomb, 1 << 20).map(|data| data.len()), Some(1 << 20));
    assert_eq!(expand(&compress(b""), 0), Some(vec![]));
}

#[test]
fn refuses_what_is_cut_changed_or_followed() {
    let whole = compress(b"door door door door");
    for length in 0..whole.len() {
        assert_eq!(expand(&whole[..length], 64), None, "{length}");
    }
    for at in (0..whole.len()).filter(|at| !(4..10).contains(at)) {
        let mut changed = whole.clone();
        changed[at] ^= 0x20;
        assert_ne!(expand(&changed, 64).as_deref(), Some(&b"door"[..]), "{at}");
    }
    let mut followed = whole.clone();
    followed.push(0);
    assert_eq!(expand(&followed, 64), None);
    let mut changed = whole;
    let checksum_at = changed.len() - 8;
    changed[checksum_at] ^= 1;
    assert_eq!(expand(&changed, 64), None);
}

#[test]
fn skips_the_optional_parts_of_a_header() {
    let plain = compress(b"door");
    let mut named = plain[..10].to_vec();
    named[3] = 4 | 8 | 16 | 2;
    named.extend_from_slice(b"\x03\0abcname\0comment\0\x12\x34");
    named.extend_from_slice(&plain[10..]);
    assert_eq!(expand(&named, 64).as_deref(), Some(&b"door"[..]));
    named[3] |= 0x20;
    assert_eq!(expand(&named, 64), None);
}

proptest! {
    #[test]
    fn round_trips(data in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert_eq!(expand(&compress(&data), 2000), Some(data));
    }

    #[test]
    fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = expand(&bytes, 1000);
        let headed = [&HEADER[..], &bytes].concat();
        let _ = expand(&headed, 1000);
    }
}
