//! Bytes in records: byte strings in DAG-CBOR, short hexadecimal in debug output.

use alloc::vec::Vec;
use core::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes of any length.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Raw(pub Vec<u8>);

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Raw, E> {
        Ok(Raw(bytes.to_vec()))
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Raw, E> {
        Ok(Raw(bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Raw, A::Error> {
        Err(A::Error::custom("a list where bytes belong"))
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(RawVisitor)
    }
}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

/// Declares a type of exactly 32 bytes.
macro_rules! thirty_two {
    ($(#[doc = $about:literal])+ $name:ident) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(pub [u8; 32]);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_bytes(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let bytes = Raw::deserialize(deserializer)?;
                let bytes = bytes.0.try_into();
                bytes.map(Self).map_err(|_| D::Error::custom("not 32 bytes"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let [a, b, c, ..] = self.0;
                write!(f, "{a:02x}{b:02x}{c:02x}")
            }
        }
    };
}

thirty_two! {
    /// An account's pseudonym: a public key that is used at relays alone.
    AccountId
}
thirty_two! {
    /// A device: its Ed25519 public key.
    DeviceId
}
thirty_two! {
    /// A record: SHA-256 of its bytes.
    RecordId
}
thirty_two! {
    /// An epoch: derived from its key.
    EpochId
}
thirty_two! {
    /// A device's X25519 public key, which keys are sealed to.
    SealingKey
}
