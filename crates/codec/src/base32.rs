//! Base32 in lower case without padding (RFC 4648 §6), as CIDs of version 1 are printed.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{NONE, values};

const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
static VALUES: [u8; 256] = values(LETTERS);

/// Appends the text of these bytes.
pub fn encode_append(bytes: &[u8], text: &mut String) {
    text.reserve(bytes.len().div_ceil(5) * 8);
    for group in bytes.chunks(5) {
        let mut bits = [0; 8];
        bits[3..3 + group.len()].copy_from_slice(group);
        let bits = u64::from_be_bytes(bits);
        let letters: [u8; 8] =
            core::array::from_fn(|at| LETTERS[(bits >> (35 - 5 * at)) as usize & 31]);
        let count = (group.len() * 8).div_ceil(5);
        // Letters are ASCII.
        text.push_str(core::str::from_utf8(&letters[..count]).unwrap_or_default());
    }
}

/// The bytes that a text encodes; `None` if it is invalid, or unused bits are not zero.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 5 / 8);
    let (mut bits, mut count) = (0u32, 0);
    for letter in text {
        let value = VALUES[*letter as usize];
        if value == NONE {
            return None;
        }
        bits = bits << 5 | u32::from(value);
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    // As many letters as the bytes need, and no more.
    let is_whole = count < 5 && bits & ((1 << count) - 1) == 0;
    is_whole.then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE32_NOPAD;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_and_writes_as_another_library(bytes: Vec<u8>) {
            let mut text = String::from("b");
            encode_append(&bytes, &mut text);
            prop_assert_eq!(text[1..].to_uppercase(), BASE32_NOPAD.encode(&bytes));
            prop_assert_eq!(decode(&text.as_bytes()[1..]), Some(bytes));
        }

        #[test]
        fn reads_no_more_than_another_library(text in "[a-z1-8]{0,17}") {
            let upper = text.to_uppercase();
            prop_assert_eq!(decode(text.as_bytes()), BASE32_NOPAD.decode(upper.as_bytes()).ok());
        }
    }

    #[test]
    fn reads_no_capitals() {
        assert_eq!(decode(b"MY"), None);
        assert_eq!(decode(b"my"), Some(b"f".to_vec()));
    }
}
