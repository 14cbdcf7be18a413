use super::*;
use crate::cases::{bytes_of, cases};
use crate::keys::hd_key::{self, HdPath};
use alloc::vec::Vec;
use keyhole_ucan::identity::key_type::KeyType;

const PHRASE: &str = "legal winner thank year wave sausage worth useful legal winner thank yellow";

#[test]
fn derives_the_seeds_of_the_official_vectors() {
    for case in cases("keys/bip39.json") {
        let text = |name: &str| case[name].as_str().unwrap();
        let seed = derive_seed(text("words"), "TREZOR").unwrap();
        assert_eq!(seed.to_vec(), bytes_of(text("seed")), "{case}");
        let root = HdPath::parse("m").unwrap();
        let key = hd_key::derive(&seed[..], KeyType::Secp256k1, &root).unwrap();
        assert_eq!(key.expose().to_vec(), bytes_of(text("root")), "{case}");
    }
}

#[test]
fn has_the_official_list() {
    let digest = Sha256::digest(WORDS.as_bytes());
    let official = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda";
    assert_eq!(digest.to_vec(), bytes_of(official));
    assert_eq!(WORDS.lines().count(), 2_048);
}

#[test]
fn reads_words_in_any_case_and_space() {
    let seed = derive_seed(PHRASE, "").unwrap();
    let spaced = PHRASE.replace(' ', "\n \t").to_uppercase();
    assert_eq!(seed, derive_seed(&spaced, "").unwrap());
    assert_ne!(seed, derive_seed(PHRASE, "a").unwrap());
}

#[test]
fn takes_a_passphrase_as_it_comes() {
    // The same letter composed and decomposed. Normalising is the host's task, so these are two.
    assert_ne!(
        derive_seed(PHRASE, "\u{e9}").unwrap(),
        derive_seed(PHRASE, "e\u{301}").unwrap()
    );
    assert!(derive_seed(PHRASE, &"a".repeat(MAX_PASSPHRASE_BYTES)).is_ok());
    assert!(derive_seed(PHRASE, &"a".repeat(MAX_PASSPHRASE_BYTES + 1)).is_err());
}

#[test]
fn says_which_word_is_unknown_and_not_what_it_is() {
    for at in 0..12 {
        let mut words: Vec<&str> = PHRASE.split(' ').collect();
        words[at] = "winer";
        let refused = derive_seed(&words.join(" "), "").unwrap_err();
        assert_eq!(refused, VaultError::WordUnknown { place: at + 1 });
        assert!(!alloc::format!("{refused}").contains("winer"));
    }
}

#[test]
fn refuses_every_other_last_word_but_those_whose_checksum_fits() {
    let start: Vec<&str> = PHRASE.split(' ').take(11).collect();
    let fitting = WORDS.lines().filter(|last| {
        let phrase = [&start[..], &[last]].concat().join(" ");
        // Without the rounds that a whole phrase costs.
        let mut bits = [0; LONGEST];
        for (at, word) in phrase.split(' ').enumerate() {
            write_bits(&mut bits, at * BITS_OF_A_WORD, look_up(word).unwrap().0);
        }
        check(&bits, 12).is_ok()
    });
    // Four bits of checksum: one in sixteen.
    let fitting = fitting.count();
    assert_eq!(fitting, 128);
    assert!(derive_seed(&PHRASE.replace("yellow", "zoo"), "").is_err());
    assert!(derive_seed(&PHRASE.replace("legal winner", "winner legal"), "").is_err());
}

#[test]
fn refuses_other_numbers_of_words() {
    for count in (0..30).filter(|count| ![12, 15, 18, 21, 24].contains(count)) {
        let phrase = alloc::vec!["abandon"; count].join(" ");
        assert!(derive_seed(&phrase, "").is_err(), "{count}");
    }
}
