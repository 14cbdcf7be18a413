//! Signing and verifying data, and the issuer's DID.

use std::fmt;

use keyhole_ucan::codec::base64;
use keyhole_ucan::identity::did::Did;
use keyhole_vault::error::VaultError;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::enclave::Enclave;
use crate::host::Host;
use crate::inputs::Nothing;
use crate::refusal::Refusal;
use crate::status::{default_key, did_text};

/// The prefix of what is signed, so that no data can be crafted into a token.
const DOMAIN: &[u8] = b"keyhole data v1\0";

/// Most numbers in a list to sign.
const LONGEST_LIST: usize = 4 * 1_024 * 1_024;

/// Most numbers in a list that is read as a signature. Signatures have 64.
const LONGEST_SIGNATURE: usize = 1_024;

/// Bytes as a list of at most this many numbers.
struct Numbers(usize);

impl<'de> Visitor<'de> for Numbers {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of bytes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Vec<u8>, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = numbers.next_element()? {
            if bytes.len() == self.0 {
                return Err(A::Error::custom("a list of too many numbers"));
            }
            bytes.push(byte);
        }
        Ok(bytes)
    }
}

fn read_signature<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    from.deserialize_seq(Numbers(LONGEST_SIGNATURE))
}

/// What to sign: base64url without padding, or a list of numbers, which takes ten times as long to read.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Data(#[cfg_attr(feature = "schema", schemars(with = "crate::schema::Bytes"))] Vec<u8>);

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl<'de> Visitor<'de> for Bytes {
            type Value = Data;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Data, E> {
                let bytes = base64::decode(text).map(Data);
                bytes.ok_or_else(|| E::custom("no base64url text"))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, numbers: A) -> Result<Data, A::Error> {
                Numbers(LONGEST_LIST).visit_seq(numbers).map(Data)
            }
        }
        deserializer.deserialize_any(Bytes)
    }
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sign {
    data: Data,
    key_id: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Signature {
    signature: Vec<u8>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Verify {
    data: Data,
    #[serde(deserialize_with = "read_signature")]
    signature: Vec<u8>,
    did: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdict {
    valid: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Issuer {
    issuer_did: String,
    address: String,
    chain_id: String,
}

/// `sign_data`
pub fn sign(enclave: &mut Enclave, _: &mut dyn Host, input: Sign) -> Result<Signature, Refusal> {
    let key = enclave.unlocked()?.key(input.key_id.as_deref())?;
    Ok(Signature {
        signature: key.sign_parts(&[DOMAIN, &input.data.0]).to_vec(),
    })
}

/// `verify_data`
pub fn verify(enclave: &mut Enclave, _: &mut dyn Host, input: Verify) -> Result<Verdict, Refusal> {
    let key = match &input.did {
        Some(did) => Did::parse(did).and_then(|did| did.key()).map_err(|error| {
            Refusal::from(VaultError::DidWithoutKey {
                problem: error.to_string(),
            })
        })?,
        None => default_key(enclave.sealed()?)?,
    };
    Ok(Verdict {
        valid: key.verify_parts(&[DOMAIN, &input.data.0], &input.signature),
    })
}

/// `get_issuer_did`
pub fn issuer(enclave: &mut Enclave, _: &mut dyn Host, _: Nothing) -> Result<Issuer, Refusal> {
    let sealed = enclave.sealed()?;
    Ok(Issuer {
        issuer_did: did_text(&default_key(sealed)?),
        address: sealed.address.clone(),
        chain_id: sealed.chain_id.clone(),
    })
}
