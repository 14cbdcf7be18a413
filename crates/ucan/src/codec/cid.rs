//! Content identifiers of tokens: CID version 1, DAG-CBOR (0x71), SHA-256, over a token's whole envelope.

use alloc::string::String;
use core::fmt;

use ipld_core::cid::{Cid as RawCid, multihash::Multihash};
use keyhole_codec::{base32, base58};
use sha2::{Digest, Sha256};

/// The multicodec of DAG-CBOR.
const DAG_CBOR: u64 = 0x71;
/// The multihash code of SHA-256.
const SHA2_256: u64 = 0x12;

/// What comes before the digest in a CID's bytes: version, codec, hash and its length.
const HEAD: [u8; 4] = [1, DAG_CBOR as u8, SHA2_256 as u8, 32];

/// Why text or bytes are not a token's CID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CidError;

impl fmt::Display for CidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is not the CID of a token: those are version 1, DAG-CBOR and SHA-256, and start with bafyrei or zdpu")
    }
}

impl core::error::Error for CidError {}

/// The CID of a DAG-CBOR block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cid([u8; 32]);

impl Cid {
    /// The CID of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// A number that few CIDs share.
    pub(crate) fn number(&self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    /// Reads base32 (`bafyrei…`, as it is printed) or base58btc (`zdpu…`).
    ///
    /// # Errors
    /// [`CidError`] for anything else, another version, codec or hash included.
    pub fn parse(text: &str) -> Result<Self, CidError> {
        // 36 bytes have at most 59 characters with their prefix. The limit matters because reading base58 costs the
        // square of the length.
        let bytes = match text.as_bytes() {
            _ if text.len() > 64 => None,
            [b'b', rest @ ..] => base32::decode(rest),
            [b'z', rest @ ..] => base58::decode(rest),
            _ => None,
        };
        let digest = bytes.as_deref().and_then(|bytes| bytes.strip_prefix(&HEAD));
        digest
            .and_then(|digest| digest.try_into().ok())
            .map(Self)
            .ok_or(CidError)
    }

    /// The CID inside an IPLD link.
    ///
    /// # Errors
    /// [`CidError`] for another version, codec or hash.
    pub fn from_raw(raw: &RawCid) -> Result<Self, CidError> {
        let fits = raw.version() == ipld_core::cid::Version::V1
            && raw.codec() == DAG_CBOR
            && raw.hash().code() == SHA2_256;
        if !fits {
            return Err(CidError);
        }
        raw.hash()
            .digest()
            .try_into()
            .map(Self)
            .map_err(|_| CidError)
    }

    /// As an IPLD link.
    pub fn to_raw(self) -> RawCid {
        let hash = Multihash::wrap(SHA2_256, &self.0).unwrap_or_default();
        RawCid::new_v1(DAG_CBOR, hash)
    }
}

impl fmt::Display for Cid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Base32 lower case without padding is the default text of version 1.
        let mut text = String::with_capacity(59);
        text.push('b');
        base32::encode_append(&[&HEAD, &self.0[..]].concat(), &mut text);
        f.write_str(&text)
    }
}

#[cfg(test)]
#[path = "cid_test.rs"]
mod tests;
