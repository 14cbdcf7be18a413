use super::*;
use proptest::prelude::*;

/// On a fresh budget.
fn expand(bytes: &[u8], limit: usize) -> Option<Vec<u8>> {
    super::expand(bytes, limit, &Budget::new()).unwrap()
}

/// One member: a stored block for each part, then `empty` empty blocks with fixed codes.
fn in_blocks(parts: &[&[u8]], empty: usize) -> Vec<u8> {
    let mut out = HEADER.to_vec();
    for part in parts {
        let length = part.len() as u8;
        out.extend_from_slice(&[0, length, 0, !length, 0xff]);
        out.extend_from_slice(part);
        // Ten bits each: four of them are five bytes.
        out.extend([0x02, 0x08, 0x20, 0x80, 0x00].repeat(empty / 4));
    }
    out.extend_from_slice(&[0x03, 0x00]);
    let data = parts.concat();
    out.extend_from_slice(&crc32(&data).to_le_bytes());
    out.extend_from_slice(&(data.len() as u32).to_le_bytes());
    out
}

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
fn refuses_truncated_changed_and_trailing_bytes() {
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

#[test]
fn reads_many_blocks_and_charges_each() {
    let budget = Budget::new();
    let packed = in_blocks(&[b"one door", b"and another", b"and a third"], 40);
    let data = super::expand(&packed, 64, &budget).unwrap();
    assert_eq!(
        data.as_deref(),
        Some(&b"one doorand anotherand a third"[..])
    );
    let blocks = budget.spent().work / Cost::Block.work();
    assert_eq!(blocks, 3 + 3 * 40 + 1);
}

#[test]
fn refuses_more_blocks_than_a_call_may_take() {
    // A megabyte of them would take seconds and unpack to nothing.
    let packed = in_blocks(&[b"door"], 800_000);
    assert_eq!(super::expand(&packed, 64, &Budget::new()), Err(TooMuchWork));
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
