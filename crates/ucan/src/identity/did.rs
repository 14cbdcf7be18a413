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

/// A DID, checked to be well formed; one of the method `key` is also checked to be base58btc, and to be of the right
/// length where its type is one of ours. Whether the key is a point of its curve is checked by [`Did::key`], when it is
/// needed: that costs as much as a fifth of a signature, and a token names two DIDs that sign nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Did(String);

impl Did {
    /// Reads a DID (W3C DID Core §3.1, without path, query or fragment).
    ///
    /// # Errors
    /// [`DidError::Malformed`]; [`DidError::Key`] for a `did:key` that is no base58btc, or cut off.
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
    /// [`DidError::NotKey`] for another method; [`DidError::Key`] for a type that is none of ours, or bytes that are no
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
    // Decoding takes the square of the length; 35 bytes are at most 48 digits, and no type of ours is longer.
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
