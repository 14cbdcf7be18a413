//! Decentralised identifiers: `did:key` (W3C CCG did:key) of the three key types, and any other method as text.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use keyhole_codec::base58;

use crate::identity::key::{KeyError, PublicKey};

/// Longest DID that is read, in bytes.
pub const MAX_DID_LENGTH: usize = 2_048;
/// Most base58 digits of a did:key that are decoded.
const MAX_BASE58_LENGTH: usize = 128;

/// Why text is not a DID, or a DID gives no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DidError {
    /// Not of the form `did:method:identifier`.
    Malformed,
    /// A DID, but of another method than `did:key`: its key is not in it.
    NotKey,
    /// A `did:key` that is not canonical base58btc of a multicodec public key.
    Key(KeyError),
}

impl fmt::Display for DidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("it is not a DID: a DID looks like did:key:z6Mk…"),
            Self::NotKey => f.write_str("only did:key carries its own key"),
            Self::Key(error) => write!(f, "the did:key does not hold a key we know: {error}"),
        }
    }
}

impl core::error::Error for DidError {}

/// A DID whose form was checked. For `did:key` that includes the base58btc and, for our key types, the length.
/// [`Did::key`] checks that the key is a point of its curve, and only when the key is needed: that costs up to a fifth
/// of a signature check, and a token names two DIDs that sign nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Did(String);

impl Did {
    /// Reads a DID (W3C DID Core §3.1, without path, query or fragment).
    ///
    /// # Errors
    /// [`DidError::Malformed`]; [`DidError::Key`] for a `did:key` that isn't base58btc, or is cut off.
    pub fn parse(text: &str) -> Result<Self, DidError> {
        let rest = text.strip_prefix("did:").ok_or(DidError::Malformed)?;
        let (method, identifier) = rest.split_once(':').ok_or(DidError::Malformed)?;
        let method_ok = !method.is_empty()
            && method
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        if !method_ok || text.len() > MAX_DID_LENGTH || !is_identifier(identifier) {
            return Err(DidError::Malformed);
        }
        if method == "key" {
            check_length(&decode_base58(identifier)?)?;
        }
        Ok(Self(text.to_string()))
    }

    /// The `did:key` of a public key: `did:key:z` and base58btc of its multicodec bytes.
    pub fn from_key(key: &PublicKey) -> Self {
        let mut text = String::from("did:key:z");
        text.push_str(&base58::encode(&key.to_multicodec()));
        Self(text)
    }

    /// The public key inside a `did:key`, its point checked.
    ///
    /// # Errors
    /// [`DidError::NotKey`] for another method; [`DidError::Key`] for an unsupported key type, or bytes that aren't a
    /// usable point of the curve.
    pub fn key(&self) -> Result<PublicKey, DidError> {
        let identifier = self.0.strip_prefix("did:key:").ok_or(DidError::NotKey)?;
        PublicKey::from_multicodec(&decode_base58(identifier)?).map_err(DidError::Key)
    }

    /// The method, such as `key` or `web`.
    pub fn method(&self) -> &str {
        self.0.split(':').nth(1).unwrap_or_default()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Did {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The multicodec bytes of a did:key's identifier.
fn decode_base58(identifier: &str) -> Result<Vec<u8>, DidError> {
    let encoded = identifier
        .strip_prefix('z')
        .ok_or(DidError::Key(KeyError::Invalid))?;
    // Decoding costs the square of the length. 35 bytes, the longest of our key types, take at most 48 digits.
    if encoded.len() > MAX_BASE58_LENGTH {
        return Err(DidError::Key(KeyError::UnknownType));
    }
    base58::decode(encoded.as_bytes()).ok_or(DidError::Key(KeyError::Invalid))
}

/// Refuses a key of one of our types that is cut off or too long.
fn check_length(multicodec: &[u8]) -> Result<(), DidError> {
    let (prefix, key) = multicodec
        .split_first_chunk::<2>()
        .ok_or(DidError::Key(KeyError::Invalid))?;
    let expected = match prefix {
        [0xed, 0x01] => 32,
        [0x80, 0x24] | [0xe7, 0x01] => 33,
        _ => return Ok(()),
    };
    if key.len() == expected {
        Ok(())
    } else {
        Err(DidError::Key(KeyError::Invalid))
    }
}

/// method-specific-id: colon-separated idchars, `%` followed by two hex digits, not ending in a colon.
fn is_identifier(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'%' {
            let hex = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_hexdigit);
            if !(hex(at + 1) && hex(at + 2)) {
                return false;
            }
            at += 3;
        } else if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':') {
            at += 1;
        } else {
            return false;
        }
    }
    !text.is_empty() && !text.ends_with(':')
}

#[cfg(test)]
#[path = "did_test.rs"]
mod tests;
