//! Base64 (RFC 4648 §4) and base64url (§5), without padding.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::values;

/// One of the two alphabets.
pub struct Alphabet {
    letters: &'static [u8; 64],
    values: [u8; 256],
}

const STANDARD_LETTERS: &[u8; 64] =
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Base64.
pub static STANDARD: Alphabet = Alphabet {
    letters: STANDARD_LETTERS,
    values: values(STANDARD_LETTERS),
};
/// Base64url.
pub static URL: Alphabet = Alphabet {
    letters: URL_LETTERS,
    values: values(URL_LETTERS),
};

impl Alphabet {
    /// The text of these bytes, without padding.
    pub fn encode(&self, bytes: &[u8]) -> String {
        let mut text = vec![0; bytes.len() / 3 * 4 + (bytes.len() % 3 * 4).div_ceil(3)];
        let letter = |bits: u32| self.letters[bits as usize & 63];
        let whole = bytes.chunks_exact(3);
        let tail = whole.remainder();
        let mut places = text.chunks_exact_mut(4);
        for (to, from) in places.by_ref().zip(whole) {
            let bits = u32::from(from[0]) << 16 | u32::from(from[1]) << 8 | u32::from(from[2]);
            to[0] = letter(bits >> 18);
            to[1] = letter(bits >> 12);
            to[2] = letter(bits >> 6);
            to[3] = letter(bits);
        }
        let bits = tail
            .iter()
            .zip([16, 8])
            .fold(0, |bits, (byte, shift)| bits | u32::from(*byte) << shift);
        for (to, shift) in places.into_remainder().iter_mut().zip([18, 12, 6]) {
            *to = letter(bits >> shift);
        }
        // Letters are ASCII.
        String::from_utf8(text).unwrap_or_default()
    }

    /// Appends the text of these bytes a little at a time, so the whole text is never in memory twice.
    pub fn encode_append(&self, bytes: &[u8], text: &mut String) {
        for part in bytes.chunks(3 * 1_024) {
            text.push_str(&self.encode(part));
        }
    }

    /// The bytes that an unpadded text encodes; `None` if it is invalid, or unused bits are not zero.
    pub fn decode(&self, text: &[u8]) -> Option<Vec<u8>> {
        if text.len() % 4 == 1 {
            return None;
        }
        let mut bytes = vec![0; text.len() / 4 * 3 + text.len() % 4 * 3 / 4];
        let whole = text.chunks_exact(4);
        let tail = whole.remainder();
        let value = |letter: u8| u32::from(self.values[letter as usize]);
        // A letter without a value has bits that no value has.
        let mut all = 0;
        let mut places = bytes.chunks_exact_mut(3);
        for (to, from) in places.by_ref().zip(whole) {
            let [a, b, c, d] = [from[0], from[1], from[2], from[3]].map(value);
            all |= a | b | c | d;
            let bits = a << 18 | b << 12 | c << 6 | d;
            to[0] = (bits >> 16) as u8;
            to[1] = (bits >> 8) as u8;
            to[2] = bits as u8;
        }
        let mut bits = 0;
        for (letter, shift) in tail.iter().zip([18, 12, 6]) {
            all |= value(*letter);
            bits |= value(*letter) << shift;
        }
        for to in places.into_remainder() {
            *to = (bits >> 16) as u8;
            bits = bits << 8 & 0xff_ffff;
        }
        (all < 64 && bits == 0).then_some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::{BASE64_NOPAD, BASE64URL_NOPAD};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_and_writes_as_another_library(bytes: Vec<u8>) {
            prop_assert_eq!(STANDARD.encode(&bytes), BASE64_NOPAD.encode(&bytes));
            let text = URL.encode(&bytes);
            prop_assert_eq!(&text, &BASE64URL_NOPAD.encode(&bytes));
            let mut appended = String::new();
            URL.encode_append(&bytes, &mut appended);
            prop_assert_eq!(&text, &appended);
            prop_assert_eq!(URL.decode(text.as_bytes()), Some(bytes));
        }

        #[test]
        fn reads_no_more_than_another_library(text in "[A-Za-z0-9+/_=\u{e9}-]{0,9}") {
            let text = text.as_bytes();
            prop_assert_eq!(STANDARD.decode(text), BASE64_NOPAD.decode(text).ok());
            prop_assert_eq!(URL.decode(text), BASE64URL_NOPAD.decode(text).ok());
        }
    }

    #[test]
    fn writes_long_ones_in_parts_that_fit_together() {
        let bytes: Vec<u8> = (0..10_000u32).map(|at| (at * at) as u8).collect();
        let mut text = String::new();
        STANDARD.encode_append(&bytes, &mut text);
        assert_eq!(text, BASE64_NOPAD.encode(&bytes));
    }

    #[test]
    fn reads_no_length_that_no_bytes_have_and_no_bits_left_over() {
        for text in ["A", "AAAAA", "AB", "AAB", "AA==", "AA A", "AAA+"] {
            assert_eq!(URL.decode(text.as_bytes()), None, "{text}");
        }
        assert_eq!(URL.decode(b""), Some(Vec::new()));
    }
}
