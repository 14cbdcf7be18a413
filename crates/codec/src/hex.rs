//! Hexadecimal, in letters of either case.

use alloc::vec::Vec;

/// The bytes of a text; `None` for an invalid letter, or half a byte.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |letter: u8| char::from(letter).to_digit(16);
    if text.len() % 2 == 1 {
        return None;
    }
    text.chunks_exact(2)
        .map(|pair| Some((digit(pair[0])? << 4 | digit(pair[1])?) as u8))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_either_case_and_nothing_else() {
        assert_eq!(decode(b"00fFA9"), Some(std::vec![0, 0xff, 0xa9]));
        assert_eq!(decode(b""), Some(Vec::new()));
        for text in ["0", "0g", "+1", "0x", " 1"] {
            assert_eq!(decode(text.as_bytes()), None, "{text}");
        }
    }
}
