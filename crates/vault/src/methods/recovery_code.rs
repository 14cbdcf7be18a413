//! The recovery code: 128 random bits to write down, as Crockford's base32 with its check character.
//!
//! 26 digits of five bits hold the number, after two zero bits. The 27th is the number modulo 37, which detects every
//! mistyped digit and every two that were swapped. It is shown in groups of four.

use alloc::string::String;

use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::random::Random;

/// Bytes of the secret.
pub const LENGTH: usize = 16;

/// Five bits each; those after the first 32 only appear as the check character.
const DIGITS: &[u8; 37] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U";
const DIGIT_COUNT: usize = 26;
const GROUP: usize = 4;

/// A recovery code. Wiped when dropped; it has no `Debug`.
#[derive(Clone)]
pub struct RecoveryCode(pub(crate) Zeroizing<[u8; LENGTH]>);

impl RecoveryCode {
    /// A new one.
    pub(crate) fn make(random: &mut dyn Random) -> Result<Self, VaultError> {
        let mut bytes = Zeroizing::new([0; LENGTH]);
        random.fill(&mut bytes[..])?;
        Ok(Self(bytes))
    }

    /// The 128 bits.
    pub fn bytes(&self) -> &Zeroizing<[u8; LENGTH]> {
        &self.0
    }

    /// A code with these bits, for another secret that a person copies.
    pub const fn from_bytes(bytes: Zeroizing<[u8; LENGTH]>) -> Self {
        Self(bytes)
    }

    /// Reads a code as a person types it: case, spaces and hyphens don't matter, O is 0, I and L are 1.
    ///
    /// # Errors
    /// OPERATION_FAILED if it doesn't have 27 characters, or one of them is mistyped.
    pub fn parse(text: &str) -> Result<Self, VaultError> {
        let mistyped = || VaultError::RecoveryCodeMistyped;
        let mut number = Zeroizing::new(0_u128);
        let mut rest = 0;
        let mut count = 0;
        for letter in text.chars() {
            if letter == '-' || letter.is_whitespace() {
                continue;
            }
            let digit = value(letter).ok_or_else(mistyped)?;
            count += 1;
            if count <= DIGIT_COUNT {
                if digit >= 32 || *number >> 123 != 0 {
                    return Err(mistyped());
                }
                *number = *number << 5 | u128::from(digit);
                rest = (rest * 32 + digit) % 37;
            } else if count == DIGIT_COUNT + 1 && digit != rest {
                return Err(mistyped());
            }
        }
        if count != DIGIT_COUNT + 1 {
            return Err(VaultError::RecoveryCodeLength);
        }
        Ok(Self(Zeroizing::new(number.to_be_bytes())))
    }

    /// The code as it is shown: groups of four, with hyphens between them.
    pub fn to_text(&self) -> Zeroizing<String> {
        let number = Zeroizing::new(u128::from_be_bytes(*self.0));
        // Allocated at once, since growing would leave parts behind.
        let mut text = Zeroizing::new(String::with_capacity(DIGIT_COUNT + DIGIT_COUNT / GROUP + 1));
        let mut rest = 0;
        for at in 0..DIGIT_COUNT {
            if at > 0 && at % GROUP == 0 {
                text.push('-');
            }
            let digit = (*number >> (5 * (DIGIT_COUNT - 1 - at))) as u32 & 31;
            rest = (rest * 32 + digit) % 37;
            text.push(letter(digit));
        }
        text.push(letter(rest));
        text
    }
}

fn letter(digit: u32) -> char {
    DIGITS
        .get(digit as usize)
        .map_or('0', |byte| char::from(*byte))
}

fn value(letter: char) -> Option<u32> {
    let letter = match letter.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        letter => letter,
    };
    (0..)
        .zip(DIGITS)
        .find_map(|(at, digit)| (char::from(*digit) == letter).then_some(at))
}

#[cfg(test)]
#[path = "recovery_code_test.rs"]
mod tests;
