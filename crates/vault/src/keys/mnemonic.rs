//! Phrases of words that encode a seed (BIP-39, the English list).

use alloc::string::String;

use pbkdf2::pbkdf2_hmac;
use sha2::{Digest, Sha256, Sha512};
use zeroize::Zeroizing;

use crate::error::VaultError;

/// Bytes of a seed.
pub const SEED_LENGTH: usize = 64;
/// Most bytes (UTF-8) of a phrase's passphrase.
pub const MAX_PASSPHRASE_BYTES: usize = 1_024;

/// 2,048 words in alphabetical order, one a line.
const WORDS: &str = include_str!("mnemonic_english.txt");
const BITS_OF_A_WORD: usize = 11;
const ROUNDS: u32 = 2_048;
/// Bytes that 24 words encode: 32 of entropy, and one of checksum.
const LONGEST: usize = 33;

/// The seed of a phrase. Case and the amount of white space don't matter. `passphrase` is the one that a wallet may
/// have asked for in addition to the words (empty: none), already NFKD-normalised.
///
/// # Errors
/// OPERATION_FAILED for another number of words than 12, 15, 18, 21 or 24, a word that is not on the list (named by its
/// position, since the word itself is a part of a secret), a wrong checksum, and a passphrase that is too long.
pub fn derive_seed(
    phrase: &str,
    passphrase: &str,
) -> Result<Zeroizing<[u8; SEED_LENGTH]>, VaultError> {
    if passphrase.len() > MAX_PASSPHRASE_BYTES {
        return Err(VaultError::PhrasePassphraseTooLong);
    }
    let count = phrase.split_whitespace().count();
    if !matches!(count, 12 | 15 | 18 | 21 | 24) {
        return Err(VaultError::WordCount { count });
    }
    // Room for 24 words at once, since growing would leave the old place unwiped.
    let mut sentence = Zeroizing::new(String::with_capacity(24 * 9));
    let mut bits = Zeroizing::new([0u8; LONGEST]);
    for (at, typed) in phrase.split_whitespace().enumerate() {
        let (number, word) =
            look_up(typed).ok_or_else(|| VaultError::WordUnknown { place: at + 1 })?;
        if at > 0 {
            sentence.push(' ');
        }
        sentence.push_str(word);
        write_bits(&mut bits, at * BITS_OF_A_WORD, number);
    }
    check(&bits, count)?;
    let mut salt = Zeroizing::new(String::with_capacity(8 + passphrase.len()));
    salt.push_str("mnemonic");
    salt.push_str(passphrase);
    let mut seed = Zeroizing::new([0; SEED_LENGTH]);
    pbkdf2_hmac::<Sha512>(sentence.as_bytes(), salt.as_bytes(), ROUNDS, &mut seed[..]);
    Ok(seed)
}

/// A word's number, and the word as the list has it.
fn look_up(typed: &str) -> Option<(usize, &'static str)> {
    let mut words = WORDS.lines().enumerate();
    words.find(|(_, word)| word.eq_ignore_ascii_case(typed))
}

/// Writes a word's 11 bits after the first `from` bits.
fn write_bits(bits: &mut [u8; LONGEST], from: usize, number: usize) {
    for bit in 0..BITS_OF_A_WORD {
        let is_set = number >> (BITS_OF_A_WORD - 1 - bit) & 1 == 1;
        let at = from + bit;
        if let Some(byte) = bits.get_mut(at / 8) {
            *byte |= u8::from(is_set) << (7 - at % 8);
        }
    }
}

/// One of each 33 bits belongs to the checksum: the first bits of the entropy's SHA-256.
fn check(bits: &[u8; LONGEST], count: usize) -> Result<(), VaultError> {
    let (entropy, rest) = bits.split_at(count * 4 / 3);
    let mask = !(0xff_u8.checked_shr(count as u32 / 3).unwrap_or(0));
    let mut digest = Sha256::digest(entropy);
    let fits = match (rest.first(), digest.first()) {
        (Some(found), Some(expected)) => (found ^ expected) & mask == 0,
        _ => false,
    };
    zeroize::Zeroize::zeroize(digest.as_mut_slice());
    fits.then_some(()).ok_or(VaultError::WordsDoNotFit)
}

#[cfg(test)]
#[path = "mnemonic_test.rs"]
mod tests;
