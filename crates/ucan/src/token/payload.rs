//! What delegations and invocations share: strict reading of named fields, signing, and checking.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use ipld_core::ipld::Ipld;

use crate::codec::cid::Cid;
use crate::error::{TokenError, TokenErrorName, Why};
use crate::identity::did::Did;
use crate::identity::did_document::Documents;
use crate::identity::key::SecretKey;
use crate::time::is_in_range;
use crate::token::command::Command;
use crate::token::envelope::{Envelope, Fields, Kind};
use crate::token::signatures;
use crate::work_budget::{Budget, Cost};

/// The content of a kind of token.
pub trait Payload: Sized {
    /// The kind.
    const KIND: Kind;

    /// Reads the fields. Each must be known and of its type.
    ///
    /// # Errors
    /// `MalformedToken`; `TooMuchWork`.
    fn from_fields(fields: Fields, budget: &Budget) -> Result<Self, TokenError>;

    /// The fields as they are written, without absent optional ones.
    fn to_fields(&self) -> Fields;

    /// Who signs.
    fn issuer(&self) -> &Did;
}

/// A payload within its signed envelope.
#[derive(Clone, Debug, PartialEq)]
pub struct Signed<P> {
    payload: Arc<P>,
    envelope: Envelope,
}

impl<P: Payload> Signed<P> {
    /// Reads a payload from a decoded envelope. Doesn't check the signature.
    ///
    /// # Errors
    /// `MalformedToken`, `TooMuchWork`, about the token.
    pub(crate) fn from_parts(
        envelope: Envelope,
        fields: Fields,
        budget: &Budget,
    ) -> Result<Self, TokenError> {
        match P::from_fields(fields, budget) {
            Ok(payload) => Ok(Self {
                payload: Arc::new(payload),
                envelope,
            }),
            Err(error) => Err(error.about(envelope.cid())),
        }
    }

    /// Reads a token of this kind. Doesn't check the signature.
    ///
    /// # Errors
    /// `MalformedToken`, also for the other kind; `UnsupportedVersion`.
    pub fn decode(bytes: Vec<u8>) -> Result<Self, TokenError> {
        let budget = Budget::new();
        let (envelope, kind, fields) = Envelope::decode_within(bytes, &budget)?;
        if kind != P::KIND {
            let (found, wanted) = (kind.as_str(), P::KIND.as_str());
            let message = format!("This is a token of the kind {found}, not {wanted}.");
            return Err(TokenError::malformed(message).about(envelope.cid()));
        }
        Self::from_parts(envelope, fields, &budget)
    }

    /// Signs a payload with its issuer's key.
    ///
    /// # Errors
    /// `InvalidSignature` if the key is not the issuer's; `MalformedToken` if the result could not be read back.
    pub fn sign(payload: &P, key: &SecretKey) -> Result<Self, TokenError> {
        Self::sign_within(payload, key, &Budget::new())
    }

    /// [`Signed::sign`], on a budget.
    ///
    /// # Errors
    /// As [`Signed::sign`]; `TooMuchWork`.
    pub fn sign_within(payload: &P, key: &SecretKey, budget: &Budget) -> Result<Self, TokenError> {
        if Did::from_key(&key.public_key()) != *payload.issuer() {
            return Err(TokenError::new(
                TokenErrorName::InvalidSignature,
                Why::KeyNotIssuers,
            ));
        }
        // Don't hand out what can't be read back, such as a time out of range.
        let (envelope, fields) = Envelope::sign(P::KIND, payload.to_fields(), key, budget)?;
        Self::from_parts(envelope, fields, budget)
    }

    /// Checks the signature against the issuer's key, which is in its did:key.
    ///
    /// # Errors
    /// `InvalidSignature`, about the token.
    pub fn verify_signature(&self) -> Result<(), TokenError> {
        self.verify_signature_within(Documents::NONE, &Budget::new())
    }

    /// [`Signed::verify_signature`] on a budget, for an issuer that may have been looked up.
    ///
    /// # Errors
    /// As [`Signed::verify_signature`]; `TooMuchWork`.
    pub fn verify_signature_within(
        &self,
        documents: &Documents,
        budget: &Budget,
    ) -> Result<(), TokenError> {
        signatures::verify(&self.envelope, self.payload.issuer(), documents, budget)
    }

    /// What is needed to check the signature together with others.
    pub(crate) fn signed_by(&self) -> (&Envelope, &Did) {
        (&self.envelope, self.payload.issuer())
    }

    /// The same token for another call, which need not check its signature again.
    pub(crate) fn known(&self) -> Self {
        Self {
            payload: Arc::clone(&self.payload),
            envelope: self.envelope.known(),
        }
    }

    /// Whether its signature was checked and is its issuer's.
    pub(crate) fn is_checked(&self) -> bool {
        self.envelope.verdict() == Some(true)
    }

    /// Whether an earlier call found the signature valid.
    pub(crate) fn is_known(&self) -> bool {
        self.envelope.is_known()
    }

    /// How many values were read from it.
    pub fn values(&self) -> usize {
        self.envelope.values()
    }

    /// The content.
    pub fn payload(&self) -> &P {
        &self.payload
    }

    /// The whole token.
    pub fn bytes(&self) -> &[u8] {
        self.envelope.bytes()
    }

    /// The CID of the whole token.
    pub fn cid(&self) -> Cid {
        self.envelope.cid()
    }

    /// The algorithm that the token names: `Ed25519`, `ES256`, `ES256K`.
    pub fn algorithm(&self) -> &'static str {
        self.envelope.algorithm()
    }
}

/// Fields being read, one by one.
pub(crate) struct FieldReader {
    fields: Fields,
}

impl FieldReader {
    pub(crate) fn new(fields: Fields) -> Self {
        Self { fields }
    }

    /// Takes an optional field.
    pub(crate) fn optional(&mut self, name: &str) -> Option<Ipld> {
        self.fields.remove(name)
    }

    /// Takes a field that must be there.
    pub(crate) fn required(&mut self, name: &str) -> Result<Ipld, TokenError> {
        self.optional(name)
            .ok_or_else(|| TokenError::malformed(format!("The token has no field “{name}”.")))
    }

    pub(crate) fn did(&mut self, name: &str) -> Result<Did, TokenError> {
        did(name, self.required(name)?)
    }

    pub(crate) fn command(&mut self, budget: &Budget) -> Result<Command, TokenError> {
        let Ipld::String(text) = self.required("cmd")? else {
            return Err(wrong_type("cmd", "a text"));
        };
        budget.spend(Cost::Text(2 * text.len()))?;
        Command::parse(&text).map_err(|error| {
            TokenError::malformed(format!("The token's command does not parse: {error}."))
        })
    }

    pub(crate) fn nonce(&mut self) -> Result<Vec<u8>, TokenError> {
        match self.required("nonce")? {
            Ipld::Bytes(nonce) => Ok(nonce),
            _ => Err(wrong_type("nonce", "bytes")),
        }
    }

    /// The expiry: a time, or null for never. Required.
    pub(crate) fn expiry(&mut self) -> Result<Option<i64>, TokenError> {
        match self.required("exp")? {
            Ipld::Null => Ok(None),
            value => moment("exp", &value).map(Some),
        }
    }

    pub(crate) fn optional_moment(&mut self, name: &str) -> Result<Option<i64>, TokenError> {
        self.optional(name)
            .map(|value| moment(name, &value))
            .transpose()
    }

    pub(crate) fn optional_map(&mut self, name: &str) -> Result<Option<Fields>, TokenError> {
        match self.optional(name) {
            None => Ok(None),
            Some(Ipld::Map(entries)) => Ok(Some(entries)),
            Some(_) => Err(wrong_type(name, "a map")),
        }
    }

    /// Refuses fields that are left: an unknown one could be a limit.
    pub(crate) fn finish(self) -> Result<(), TokenError> {
        match self.fields.first_key_value() {
            None => Ok(()),
            Some((name, _)) => {
                let name: String = name.chars().take(60).collect();
                Err(TokenError::malformed(format!(
                    "The token has a field “{name}”, which tokens of its kind do not have."
                )))
            }
        }
    }
}

pub(crate) fn wrong_type(name: &str, wanted: &str) -> TokenError {
    TokenError::malformed(format!("The token's field “{name}” is not {wanted}."))
}

pub(crate) fn did(name: &str, value: Ipld) -> Result<Did, TokenError> {
    let Ipld::String(text) = value else {
        return Err(wrong_type(name, "a DID"));
    };
    Did::parse(&text).map_err(|error| {
        TokenError::malformed(format!("The token's field “{name}” is not a DID: {error}."))
    })
}

pub(crate) fn moment(name: &str, value: &Ipld) -> Result<i64, TokenError> {
    let Ipld::Integer(seconds) = value else {
        return Err(wrong_type(name, "a whole number of seconds"));
    };
    i64::try_from(*seconds)
        .ok()
        .filter(|seconds| is_in_range(*seconds))
        .ok_or_else(|| wrong_type(name, "a time within 53 bits"))
}

/// A DID as a value.
pub(crate) fn did_value(did: &Did) -> Ipld {
    Ipld::String(did.as_str().to_string())
}

/// A time as a value; null for never.
pub(crate) fn moment_value(moment: Option<i64>) -> Ipld {
    moment.map_or(Ipld::Null, |seconds| Ipld::Integer(seconds.into()))
}
