//! Keys from elsewhere: which format a text has, and the one private key in it.

use alloc::string::{String, ToString};

use crate::error::VaultError;
use crate::keys::hd_key::{self, HdPath};
use crate::keys::{jwk, mnemonic, pem, pkcs8};
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;

/// Longest text of a key, in bytes: an RSA key of 8,192 bits fits, so that we can say what it is.
pub const MAX_TEXT_BYTES: usize = 8 * 1_024;
/// Longest path, in bytes.
const MAX_PATH_BYTES: usize = 256;
/// Fewest words that look like a phrase.
const FEWEST_WORDS: usize = 3;

/// How a key is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFormat {
    /// PKCS#8 or a bare `ECPrivateKey`: PEM, or DER in hexadecimal or base64.
    Pkcs8,
    /// A JSON Web Key.
    Jwk,
    /// A phrase of words.
    Bip39,
}

impl KeyFormat {
    /// The format of that name (`pkcs8`, `jwk`, `bip39`), or `None`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "pkcs8" => Some(Self::Pkcs8),
            "jwk" => Some(Self::Jwk),
            "bip39" => Some(Self::Bip39),
            _ => None,
        }
    }

    /// The format that a text looks like: an object, only words, or else bytes.
    pub fn recognise(text: &str) -> Self {
        let is_words = || {
            let is_word = |word: &str| word.chars().all(char::is_alphabetic);
            text.split_whitespace().count() >= FEWEST_WORDS && text.split_whitespace().all(is_word)
        };
        if text.trim_start().starts_with('{') {
            Self::Jwk
        } else if !pem::is_pem(text) && is_words() {
            Self::Bip39
        } else {
            Self::Pkcs8
        }
    }
}

/// A key as another program wrote it, and what must be known besides its text.
#[derive(Clone, Copy, Default)]
pub struct ForeignKey<'a> {
    /// PEM, base64 or hexadecimal of DER, a JWK's JSON or words.
    pub text: &'a str,
    /// Absent: recognised.
    pub format: Option<KeyFormat>,
    /// The expected type. For a phrase it is the type to derive, Ed25519 by default.
    pub key_type: Option<KeyType>,
    /// For a phrase: the path in the tree of its seed. Absent: [`HdPath::default_of`].
    pub path: Option<&'a str>,
    /// For a phrase: the passphrase that its wallet asked for, NFKD-normalised. Absent: none.
    pub mnemonic_passphrase: Option<&'a str>,
}

/// A private key that was read, and its path if it came from a phrase.
pub struct ReadKey {
    /// The key.
    pub key: SecretKey,
    /// As [`HdPath`] writes it.
    pub path: Option<String>,
}

impl ForeignKey<'_> {
    /// Reads the key.
    ///
    /// # Errors
    /// INVALID_KEY_TYPE if the key has another type than expected, or an unsupported one; OPERATION_FAILED if the text
    /// is too long, does not parse, has no private half or an encrypted one, or if `path` or `mnemonic_passphrase` is
    /// given for anything but a phrase. The words say which, and nothing of the key.
    pub fn read(&self) -> Result<ReadKey, VaultError> {
        if self.text.len() > MAX_TEXT_BYTES {
            return Err(VaultError::KeyTextTooLong);
        }
        let format = self.format;
        match format.unwrap_or_else(|| KeyFormat::recognise(self.text)) {
            KeyFormat::Bip39 => self.read_phrase(),
            _ if self.path.is_some() || self.mnemonic_passphrase.is_some() => {
                Err(VaultError::PathWithoutPhrase)
            }
            KeyFormat::Pkcs8 => self.check_type(pkcs8::read(self.text)?),
            KeyFormat::Jwk => self.check_type(jwk::read(self.text)?),
        }
    }

    fn read_phrase(&self) -> Result<ReadKey, VaultError> {
        let key_type = self.key_type.unwrap_or(KeyType::Ed25519);
        let path = match self.path {
            Some(path) if path.len() > MAX_PATH_BYTES => {
                return Err(VaultError::PathTooLong);
            }
            Some(path) => HdPath::parse(path)?,
            None => HdPath::default_of(key_type),
        };
        // Before the two thousand rounds of a derivation that can't succeed.
        path.check(key_type)?;
        let passphrase = self.mnemonic_passphrase.unwrap_or_default();
        let seed = mnemonic::derive_seed(self.text, passphrase)?;
        Ok(ReadKey {
            key: hd_key::derive(&seed[..], key_type, &path)?,
            path: Some(path.to_string()),
        })
    }

    fn check_type(&self, key: SecretKey) -> Result<ReadKey, VaultError> {
        let found = key.key_type();
        match self.key_type {
            Some(expected) if expected != found => Err(VaultError::KeyTypeOther {
                expected: expected.as_str(),
                found: found.as_str(),
            }),
            _ => Ok(ReadKey { key, path: None }),
        }
    }
}

#[cfg(test)]
#[path = "foreign_key_test.rs"]
mod tests;
