//! Bytes in JSON: unpadded base64url (RFC 4648 §5). Any other encoding of the same bytes is refused.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use keyhole_codec::base64::URL;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zeroize::{Zeroize, Zeroizing};

/// Public bytes of any length.
#[derive(Clone, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

/// `N` public bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fixed<const N: usize>(pub [u8; N]);

/// `N` secret bytes, wiped when dropped; `Debug` prints nothing.
#[derive(Clone)]
pub struct Secret<const N: usize>(pub Zeroizing<[u8; N]>);

/// The bytes of an unpadded base64url text, or `None`.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    URL.decode(text.as_bytes())
}

/// Base64url without padding.
pub fn encode(bytes: &[u8]) -> String {
    URL.encode(bytes)
}

/// Appends unpadded base64url to a text.
pub fn encode_append(bytes: &[u8], text: &mut String) {
    URL.encode_append(bytes, text);
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cow<'de, str>, D::Error> {
    // Serde borrows a `Cow` field only where told to. Then a text without escapes isn't copied.
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    Ok(Text::deserialize(deserializer)?.0)
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        decode(&text(deserializer)?)
            .map(Self)
            .ok_or_else(|| D::Error::custom("no base64url text"))
    }
}

impl<const N: usize> Serialize for Fixed<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&encode(&self.0))
    }
}

impl<'de, const N: usize> Deserialize<'de> for Fixed<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        decode(&text(deserializer)?)
            .and_then(|bytes| bytes.try_into().ok())
            .map(Self)
            .ok_or_else(|| D::Error::custom("no base64url text of the right length"))
    }
}

impl<const N: usize> Serialize for Secret<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&Zeroizing::new(encode(&self.0[..])))
    }
}

impl<'de, const N: usize> Deserialize<'de> for Secret<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut text = text(deserializer)?;
        let bytes = decode(&text).map(Zeroizing::new);
        if let Cow::Owned(text) = &mut text {
            text.zeroize();
        }
        let mut out = Zeroizing::new([0; N]);
        match bytes {
            Some(bytes) if bytes.len() == N => out.copy_from_slice(&bytes),
            _ => return Err(D::Error::custom("no base64url text of the right length")),
        }
        Ok(Self(out))
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({})", encode(&self.0))
    }
}

impl<const N: usize> fmt::Debug for Fixed<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fixed({})", encode(&self.0))
    }
}

impl<const N: usize> fmt::Debug for Secret<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
