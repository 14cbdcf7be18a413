//! The envelope of a token (UCAN 1.0.0, "Envelope"): DAG-CBOR of
//! `[signature, {"h": varsig header, "ucan/dlg@1.0.0" or "ucan/inv@1.0.0": payload}]`.
//!
//! The signature covers the second element's bytes, and the CID the whole token. Both use the bytes that were read,
//! which are never encoded again.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

use ipld_core::ipld::Ipld;

use crate::codec::cbor::{self, CborError, Reader};
use crate::codec::cid::Cid;
use crate::error::{TokenError, TokenErrorName, Why};
use crate::identity::key::SecretKey;
use crate::identity::key_type::{KeyType, SIGNATURE_LENGTH};
use crate::identity::varsig;
use crate::work_budget::{Budget, Cost};

/// Most bytes of one token.
pub const MAX_TOKEN_LENGTH: usize = 1 << 20;

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It passes authority on.
    Delegation,
    /// It uses authority.
    Invocation,
}

impl Kind {
    /// The name in results: `delegation`, `invocation`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Delegation => "delegation",
            Self::Invocation => "invocation",
        }
    }

    const fn tag(self) -> &'static str {
        match self {
            Self::Delegation => "ucan/dlg@1.0.0",
            Self::Invocation => "ucan/inv@1.0.0",
        }
    }
}

/// The fields of a payload.
pub type Fields = BTreeMap<String, Ipld>;

/// A token's bytes, and the positions of its parts.
#[derive(Clone, Debug)]
pub struct Envelope {
    bytes: Arc<Vec<u8>>,
    cid: Cid,
    key_type: KeyType,
    signature: Range<usize>,
    signed_from: usize,
    /// How many values were read from it.
    values: usize,
    /// Whether its signature is its issuer's, once checked.
    verdict: Cell<Option<bool>>,
    /// Whether an earlier call found the signature valid.
    is_known: bool,
}

impl PartialEq for Envelope {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Envelope {
    /// Reads an envelope and the fields of its payload. Doesn't check the signature.
    ///
    /// # Errors
    /// `MalformedToken`, or `UnsupportedVersion` for a token of another version of UCAN. Names the token if its
    /// envelope could be read.
    pub fn decode(bytes: Vec<u8>) -> Result<(Self, Kind, Fields), TokenError> {
        Self::decode_within(bytes, &Budget::new())
    }

    /// [`Envelope::decode`], on a budget.
    ///
    /// # Errors
    /// As [`Envelope::decode`]; `TooMuchWork`.
    pub fn decode_within(
        bytes: Vec<u8>,
        budget: &Budget,
    ) -> Result<(Self, Kind, Fields), TokenError> {
        if bytes.len() > MAX_TOKEN_LENGTH {
            return Err(TokenError::malformed(Why::TokenTooLong));
        }
        budget.spend(Cost::Token(bytes.len()))?;
        let (signature, signed_from, signed) = parts(&bytes, budget).map_err(unreadable)?;
        let cid = Cid::of(&bytes);
        let before = budget.spent().values_built;
        let (key_type, kind, fields) =
            signed_part(signed, budget).map_err(|error| error.about(cid))?;
        let envelope = Self {
            bytes: Arc::new(bytes),
            cid,
            key_type,
            signature,
            signed_from,
            values: (budget.spent().values_built - before) as usize,
            verdict: Cell::new(None),
            is_known: false,
        };
        Ok((envelope, kind, fields))
    }

    /// Signs a payload, and gives its fields as a reader will find them. Writing it and reading it back are charged.
    ///
    /// # Errors
    /// `MalformedToken` if a value has no DAG-CBOR form, or the token would be too long or nested too deeply;
    /// `TooMuchWork`.
    pub fn sign(
        kind: Kind,
        fields: Fields,
        key: &SecretKey,
        budget: &Budget,
    ) -> Result<(Self, Fields), TokenError> {
        let key_type = key.key_type();
        let header = Ipld::Bytes(varsig::header(key_type).to_vec());
        let signed = cbor::encode(&Ipld::Map(BTreeMap::from([
            ("h".to_string(), header),
            (kind.tag().to_string(), Ipld::Map(fields)),
        ])))
        .map_err(unreadable)?;
        budget.spend(Cost::Token(signed.len()))?;
        // A list of two; 64 bytes of signature.
        let mut bytes = Vec::with_capacity(3 + SIGNATURE_LENGTH + signed.len());
        bytes.extend_from_slice(&[0x82, 0x58, 0x40]);
        bytes.extend_from_slice(&key.sign(&signed));
        bytes.extend_from_slice(&signed);
        // Reading the token back checks its limits and form, so we only hand out what we accept.
        Self::decode_within(bytes, budget).map(|(envelope, _, fields)| (envelope, fields))
    }

    /// Whether the signature is its issuer's, if that was checked before.
    pub(crate) fn verdict(&self) -> Option<bool> {
        self.verdict.get()
    }

    pub(crate) fn set_verdict(&self, is_signed: bool) {
        self.verdict.set(Some(is_signed));
    }

    /// The same envelope for another call, when an earlier one found the signature valid.
    pub(crate) fn known(&self) -> Self {
        Self {
            verdict: Cell::new(None),
            is_known: true,
            ..self.clone()
        }
    }

    /// Whether an earlier call found the signature valid.
    pub(crate) fn is_known(&self) -> bool {
        self.is_known
    }

    /// How many values were read from it.
    pub(crate) fn values(&self) -> usize {
        self.values
    }

    /// The signature's bytes.
    pub(crate) fn signature(&self) -> &[u8] {
        self.bytes.get(self.signature.clone()).unwrap_or_default()
    }

    /// What the signature covers.
    pub(crate) fn signed(&self) -> &[u8] {
        self.bytes.get(self.signed_from..).unwrap_or_default()
    }

    /// The type of key that the header names.
    pub(crate) fn key_type(&self) -> KeyType {
        self.key_type
    }

    /// The whole token.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The CID of the whole token.
    pub fn cid(&self) -> Cid {
        self.cid
    }

    /// The algorithm that the header names: `Ed25519`, `ES256`, `ES256K`.
    pub fn algorithm(&self) -> &'static str {
        varsig::algorithm(self.key_type)
    }
}

fn unreadable(error: CborError) -> TokenError {
    match error {
        CborError::TooMuchWork => TokenError::new(
            TokenErrorName::TooMuchWork,
            format!("This cannot be read: {error}."),
        ),
        _ => TokenError::malformed(format!("This isn't a token: {error}.")),
    }
}

/// The signature, and the signed element to the end.
fn parts<'a>(
    bytes: &'a [u8],
    budget: &'a Budget,
) -> Result<(Range<usize>, usize, &'a [u8]), CborError> {
    let mut reader = Reader::new(bytes, budget);
    let (major, _, count) = reader.head()?;
    if (major, count) != (4, 2) {
        return Err(CborError::NotCanonical);
    }
    let (major, _, length) = reader.head()?;
    if major != 2 {
        return Err(CborError::NotCanonical);
    }
    let start = bytes.len() - reader.rest.len();
    let length = usize::try_from(length).map_err(|_| CborError::Cut)?;
    reader.take(length)?;
    Ok((start..start + length, start + length, reader.rest))
}

fn signed_part(bytes: &[u8], budget: &Budget) -> Result<(KeyType, Kind, Fields), TokenError> {
    let mut reader = Reader::new(bytes, budget);
    // The list around it is one level.
    let value = reader.value(1).map_err(unreadable)?;
    if !reader.rest.is_empty() {
        return Err(unreadable(CborError::Trailing));
    }
    let wrong_form = || TokenError::malformed(Why::NoEnvelope);
    let Ipld::Map(mut signed) = value else {
        return Err(wrong_form());
    };
    let header = signed.remove("h");
    let Some((tag, payload)) = signed.pop_first().filter(|_| signed.is_empty()) else {
        return Err(wrong_form());
    };
    let kind = match tag.as_str() {
        "ucan/dlg@1.0.0" => Kind::Delegation,
        "ucan/inv@1.0.0" => Kind::Invocation,
        other => return Err(other_tag(other)),
    };
    let Some(Ipld::Bytes(header)) = header else {
        return Err(wrong_form());
    };
    let key_type =
        varsig::key_type(&header).ok_or_else(|| TokenError::malformed(Why::AlgorithmUnknown))?;
    match payload {
        Ipld::Map(fields) => Ok((key_type, kind, fields)),
        _ => Err(wrong_form()),
    }
}

fn other_tag(tag: &str) -> TokenError {
    let shortened: String = tag.chars().take(60).collect();
    match tag.strip_prefix("ucan/") {
        Some(_) => TokenError::new(
            TokenErrorName::UnsupportedVersion,
            format!(
                "This token is tagged “{shortened}”. Keyhole reads delegations and invocations of UCAN 1.0.0: ask its issuer for a new one."
            ),
        ),
        None => TokenError::malformed(format!("This isn't a UCAN: it is tagged “{shortened}”.")),
    }
}
