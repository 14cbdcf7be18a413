//! The three algorithms of UCAN 1.0.0, and the sizes that their keys and signatures share.

use crate::work_budget::Cost;

/// Bytes of a private key, of every type.
pub const SECRET_KEY_LENGTH: usize = 32;
/// Bytes of a signature, of every type.
pub const SIGNATURE_LENGTH: usize = 64;

/// The algorithm of a key pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename_all = "lowercase"))]
pub enum KeyType {
    /// Ed25519 (RFC 8032), the default.
    Ed25519,
    /// NIST P-256, signing as ES256.
    P256,
    /// secp256k1, signing as ES256K.
    Secp256k1,
}

impl KeyType {
    /// The name in JSON: `ed25519`, `p256`, `secp256k1`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ed25519 => "ed25519",
            Self::P256 => "p256",
            Self::Secp256k1 => "secp256k1",
        }
    }

    /// The type of that name, or `None`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "ed25519" => Some(Self::Ed25519),
            "p256" => Some(Self::P256),
            "secp256k1" => Some(Self::Secp256k1),
            _ => None,
        }
    }

    /// The multicodec prefix of a public key, as the varint's bytes.
    pub fn multicodec(self) -> [u8; 2] {
        match self {
            Self::Ed25519 => [0xed, 0x01],
            Self::P256 => [0x80, 0x24],
            Self::Secp256k1 => [0xe7, 0x01],
        }
    }

    /// What checking one signature over `bytes` bytes costs.
    pub(crate) fn verification(self, bytes: usize) -> Cost {
        match self {
            Self::Ed25519 => Cost::Signature(bytes),
            Self::P256 | Self::Secp256k1 => Cost::CostlySignature(bytes),
        }
    }
}
