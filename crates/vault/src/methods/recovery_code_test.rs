#![allow(clippy::unwrap_used)]

use alloc::string::ToString;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::*;

fn code(bytes: [u8; LENGTH]) -> RecoveryCode {
    RecoveryCode(Zeroizing::new(bytes))
}

fn read(text: &str) -> Option<[u8; LENGTH]> {
    RecoveryCode::parse(text).ok().map(|code| *code.0)
}

#[test]
fn known_codes_are_written_and_read() {
    // Worked out by hand: the number's digits to the base of 32, and the number modulo 37.
    for (bytes, text) in [
        ([0; 16], "0000-0000-0000-0000-0000-0000-000"),
        (1_u128.to_be_bytes(), "0000-0000-0000-0000-0000-0000-011"),
        (36_u128.to_be_bytes(), "0000-0000-0000-0000-0000-0000-14U"),
        (32_u128.to_be_bytes(), "0000-0000-0000-0000-0000-0000-10*"),
        (u128::MAX.to_be_bytes(), "7ZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZ*"),
    ] {
        assert_eq!(code(bytes).to_text().as_str(), text);
        assert_eq!(read(text), Some(bytes), "{text}");
    }
}

#[test]
fn says_why_a_text_is_not_a_code() {
    for text in [
        "",
        "-",
        "0",
        "0000-0000-0000-0000-0000-0000-00",
        "0000-0000-0000-0000-0000-0000-0000",
        // past 128 bits
        "8000-0000-0000-0000-0000-0000-00T",
        "ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZ0",
        // a check character in the place of a digit
        "U000-0000-0000-0000-0000-0000-000",
        "0000-0000-0000-0000-0000-0000-00ø",
        "0000_0000_0000_0000_0000_0000_000",
        &"0".repeat(100_000),
    ] {
        let refused = RecoveryCode::parse(text).err().unwrap();
        assert!(
            matches!(
                refused.name(),
                "RecoveryCodeMistyped" | "RecoveryCodeLength"
            ),
            "{text}"
        );
    }
}

proptest! {
    #[test]
    fn a_code_is_read_however_it_is_typed(bytes: [u8; 16], typed in proptest::collection::vec(0_u8..6, 34)) {
        let text = code(bytes).to_text();
        prop_assert_eq!(text.len(), 33);
        prop_assert_eq!(read(&text), Some(bytes));
        let typed: String = text.chars().zip(typed).flat_map(|(letter, way)| {
            let alike = match (letter, way) {
                ('0', 1) => 'o',
                ('1', 1) => 'i',
                ('1', 2) => 'L',
                ('-', 0 | 1) => ' ',
                (letter, 3) => letter.to_ascii_lowercase(),
                (letter, _) => letter,
            };
            let space = if way == 4 { " " } else { "" };
            [alike.to_string(), space.to_string()]
        }).collect();
        prop_assert_eq!(read(&typed), Some(bytes));
    }

    #[test]
    fn one_mistyped_character_is_always_found(bytes: [u8; 16], at in 0_usize..27, other in 0_usize..36) {
        let text = code(bytes).to_text().replace('-', "");
        let mut letters: Vec<char> = text.chars().collect();
        let others: Vec<char> = DIGITS.iter().map(|byte| char::from(*byte)).filter(|letter| *letter != letters[at]).collect();
        letters[at] = others[other];
        let typed: String = letters.into_iter().collect();
        prop_assert_eq!(read(&typed), None);
    }

    #[test]
    fn two_swapped_characters_are_found(bytes: [u8; 16], at in 0_usize..26) {
        let text = code(bytes).to_text().replace('-', "");
        let mut letters: Vec<char> = text.chars().collect();
        prop_assume!(letters[at] != letters[at + 1]);
        letters.swap(at, at + 1);
        let typed: String = letters.into_iter().collect();
        prop_assert_eq!(read(&typed), None);
    }
}
