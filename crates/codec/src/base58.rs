//! Base58btc, as did:key and CIDs of version 0 are written. Both ways take the square of the length: callers bound it.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{NONE, values};

const LETTERS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
static VALUES: [u8; 256] = values(LETTERS);

/// Letters that are read at a time.
const TOGETHER: usize = 5;
/// 58⁵, which fits into 32 bits.
const FIVE_LETTERS: u64 = 58 * 58 * 58 * 58 * 58;

/// The text of these bytes.
pub fn encode(bytes: &[u8]) -> String {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let mut places = Vec::with_capacity(bytes.len() / 3 + 1);
    for byte in bytes {
        add::<FIVE_LETTERS>(&mut places, 256, u64::from(*byte));
    }
    let mut letters = Vec::with_capacity(zeros + places.len() * TOGETHER);
    for mut place in places {
        for _ in 0..TOGETHER {
            letters.push(LETTERS[place as usize % 58]);
            place /= 58;
        }
    }
    while letters.last() == Some(&LETTERS[0]) {
        letters.pop();
    }
    letters.extend(core::iter::repeat_n(LETTERS[0], zeros));
    letters.reverse();
    // Letters are ASCII.
    String::from_utf8(letters).unwrap_or_default()
}

/// The bytes that a text encodes; `None` if it has an invalid letter.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let zeros = text
        .iter()
        .take_while(|letter| **letter == LETTERS[0])
        .count();
    let mut words = Vec::with_capacity(text.len() / TOGETHER + 1);
    for letters in text.chunks(TOGETHER) {
        let (mut number, mut size) = (0, 1);
        for letter in letters {
            let value = VALUES[*letter as usize];
            if value == NONE {
                return None;
            }
            number = number * 58 + u64::from(value);
            size *= 58;
        }
        add::<{ 1 << 32 }>(&mut words, size, number);
    }
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    bytes.extend(core::iter::repeat_n(0, zeros));
    bytes.reverse();
    Some(bytes)
}

/// Makes a number, lowest place first, that many times as large, and adds one to it. Neither is above 2³².
fn add<const RADIX: u64>(places: &mut Vec<u32>, times: u64, number: u64) {
    let mut carry = number;
    for place in places.iter_mut() {
        let sum = u64::from(*place) * times + carry;
        *place = (sum % RADIX) as u32;
        carry = sum / RADIX;
    }
    if carry > 0 {
        places.push(carry as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_and_writes_as_another_library(zeros in 0..4usize, rest: Vec<u8>) {
            let mut bytes = std::vec![0; zeros];
            bytes.extend(rest);
            let text = encode(&bytes);
            prop_assert_eq!(&text, &bs58::encode(&bytes).into_string());
            prop_assert_eq!(decode(text.as_bytes()), Some(bytes));
        }

        #[test]
        fn reads_no_more_than_another_library(text in "[0-9A-Za-z]{0,60}|1{0,3}[2-9a-km-z]{0,60}") {
            prop_assert_eq!(decode(text.as_bytes()), bs58::decode(&text).into_vec().ok());
        }
    }
}
