//! Any token, and any text that holds tokens.
//!
//! The enclave calls [`text`] for every token text that comes in, then [`delegations`] and
//! [`crate::validation::chain::verify`] for a chain. To show a token it uses [`Token::kind`], [`Token::algorithm`],
//! [`Token::payload`] and [`Token::verify_signature`].

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use ipld_core::ipld::Ipld;
use keyhole_codec::base64::{STANDARD, URL};
use keyhole_codec::hex;

use crate::codec::cid::Cid;
use crate::error::{TokenError, TokenErrorName, Why};
use crate::identity::did::Did;
use crate::identity::did_document::Documents;
use crate::token::checked_delegations::CheckedDelegations;
use crate::token::container::{self, MAX_CONTAINER_LENGTH};
use crate::token::delegation::Delegation;
use crate::token::envelope::{Envelope, Kind, MAX_TOKEN_LENGTH};
use crate::token::invocation::Invocation;
use crate::token::payload::{Payload, Signed};
use crate::token::signatures;
use crate::work_budget::{Budget, Cost};

/// Longest token text that is read, in bytes: the largest container in base64.
pub const MAX_TEXT_LENGTH: usize = MAX_CONTAINER_LENGTH / 3 * 4 + 8;

/// A token of either kind. Its form was checked, its signature wasn't.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// It passes authority on.
    Delegation(Signed<Delegation>),
    /// It uses authority.
    Invocation(Signed<Invocation>),
}

impl Token {
    /// Reads one token.
    ///
    /// # Errors
    /// `MalformedToken`; `UnsupportedVersion` for a token of another version of UCAN.
    pub fn decode(bytes: Vec<u8>) -> Result<Self, TokenError> {
        Self::decode_within(bytes, &Budget::new())
    }

    /// [`Token::decode`], on a budget.
    ///
    /// # Errors
    /// As [`Token::decode`]; `TooMuchWork`.
    pub fn decode_within(bytes: Vec<u8>, budget: &Budget) -> Result<Self, TokenError> {
        let (envelope, kind, fields) = Envelope::decode_within(bytes, budget)?;
        match kind {
            Kind::Delegation => Signed::from_parts(envelope, fields, budget).map(Self::Delegation),
            Kind::Invocation => Signed::from_parts(envelope, fields, budget).map(Self::Invocation),
        }
    }

    /// The kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Delegation(_) => Kind::Delegation,
            Self::Invocation(_) => Kind::Invocation,
        }
    }

    /// The CID of the whole token.
    pub fn cid(&self) -> Cid {
        match self {
            Self::Delegation(token) => token.cid(),
            Self::Invocation(token) => token.cid(),
        }
    }

    /// The whole token.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Delegation(token) => token.bytes(),
            Self::Invocation(token) => token.bytes(),
        }
    }

    /// The algorithm that the token names: `Ed25519`, `ES256`, `ES256K`.
    pub fn algorithm(&self) -> &'static str {
        match self {
            Self::Delegation(token) => token.algorithm(),
            Self::Invocation(token) => token.algorithm(),
        }
    }

    /// How many values were read from it.
    pub fn values(&self) -> usize {
        match self {
            Self::Delegation(token) => token.values(),
            Self::Invocation(token) => token.values(),
        }
    }

    /// The payload as a value, with the field names of the specification.
    pub fn payload(&self) -> Ipld {
        Ipld::Map(match self {
            Self::Delegation(token) => token.payload().to_fields(),
            Self::Invocation(token) => token.payload().to_fields(),
        })
    }

    /// Who signed it, according to the token.
    pub fn issuer(&self) -> &Did {
        match self {
            Self::Delegation(token) => &token.payload().issuer,
            Self::Invocation(token) => &token.payload().issuer,
        }
    }

    /// Checks the signature against the issuer's key, which is in its did:key.
    ///
    /// # Errors
    /// `InvalidSignature`, about the token.
    pub fn verify_signature(&self) -> Result<(), TokenError> {
        self.verify_signature_within(Documents::NONE, &Budget::new())
    }

    /// The same for an issuer that may have been looked up, on a budget.
    ///
    /// # Errors
    /// As [`Token::verify_signature`]; `TooMuchWork`.
    pub fn verify_signature_within(
        &self,
        documents: &Documents,
        budget: &Budget,
    ) -> Result<(), TokenError> {
        match self {
            Self::Delegation(token) => token.verify_signature_within(documents, budget),
            Self::Invocation(token) => token.verify_signature_within(documents, budget),
        }
    }
}

/// Checks these tokens' signatures together, which costs about half as much as one by one. Each token keeps its answer:
/// [`Token::verify_signature_within`] then costs nothing.
///
/// # Errors
/// `TooMuchWork` if the budget doesn't cover all of them.
pub fn check_signatures_within<'a>(
    tokens: impl IntoIterator<Item = &'a Token>,
    documents: &Documents,
    budget: &Budget,
) -> Result<(), TokenError> {
    let signed = tokens.into_iter().map(|token| match token {
        Token::Delegation(token) => token.signed_by(),
        Token::Invocation(token) => token.signed_by(),
    });
    Ok(signatures::check(signed, documents, budget)?)
}

/// Reads the tokens in a text: a container in base64 or base64url, or one bare token in base64, base64url or hex. White
/// space around and within it is skipped, since texts get wrapped in transit.
///
/// # Errors
/// `MalformedToken`; `UnsupportedVersion`, also for the JWTs of UCAN up to 0.10.
pub fn text(text: &str) -> Result<Vec<Token>, TokenError> {
    text_within(text, &Budget::new())
}

/// [`text`], on a budget.
///
/// # Errors
/// As [`text`]; `TooMuchWork`.
pub fn text_within(text: &str, budget: &Budget) -> Result<Vec<Token>, TokenError> {
    decode_all(unpack_text_within(text, budget)?, budget)
}

/// [`text_within`], but doesn't read known delegations again.
///
/// # Errors
/// As [`text_within`].
pub fn text_with(
    text: &str,
    checked: &mut CheckedDelegations,
    budget: &Budget,
) -> Result<Vec<Token>, TokenError> {
    unpack_text_within(text, budget)?
        .into_iter()
        .map(|bytes| {
            // Found by its first bytes, then compared in full.
            budget.spend(Cost::Compared(2_000 + bytes.len()))?;
            match checked.find(&bytes) {
                Some(token) => Ok(Token::Delegation(token)),
                None => Token::decode_within(bytes, budget),
            }
        })
        .collect()
}

/// Reads the tokens in a file: a text as [`text`], or a container or a bare token as bytes.
///
/// # Errors
/// As [`text`].
pub fn bytes(bytes: &[u8]) -> Result<Vec<Token>, TokenError> {
    let budget = &Budget::new();
    match core::str::from_utf8(bytes) {
        Ok(text) => text_within(text, budget),
        Err(_) if container::is_container(bytes) => {
            decode_all(container::read_within(bytes, budget)?, budget)
        }
        Err(_) => Ok(alloc::vec![Token::decode_within(bytes.to_vec(), budget)?]),
    }
}

/// The bytes of each token in a text, without duplicates, unread.
///
/// # Errors
/// As [`text`].
pub fn unpack_text(text: &str) -> Result<Vec<Vec<u8>>, TokenError> {
    unpack_text_within(text, &Budget::new())
}

fn unpack_text_within(text: &str, budget: &Budget) -> Result<Vec<Vec<u8>>, TokenError> {
    if text.len() > MAX_TEXT_LENGTH {
        return Err(TokenError::malformed(Why::TextTooLong));
    }
    budget.spend(Cost::Text(text.len()))?;
    let text = without_space(text);
    match text.as_bytes() {
        [] => Err(TokenError::malformed(Why::NoToken)),
        [b'e', b'y', b'J', ..] => Err(TokenError::new(
            TokenErrorName::UnsupportedVersion,
            Why::Jwt,
        )),
        bytes if container::is_container(bytes) => container::read_within(bytes, budget),
        bytes => bare(bytes).map(|token| alloc::vec![token]),
    }
}

/// The delegations among tokens, for [`crate::validation::chain::verify`].
///
/// # Errors
/// `MalformedToken` for an invocation: it uses authority and doesn't pass it on.
pub fn delegations(tokens: Vec<Token>) -> Result<Vec<Signed<Delegation>>, TokenError> {
    tokens
        .into_iter()
        .map(|token| match token {
            Token::Delegation(delegation) => Ok(delegation),
            Token::Invocation(invocation) => {
                Err(TokenError::malformed(Why::AsksForSomething).about(invocation.cid()))
            }
        })
        .collect()
}

fn decode_all(tokens: Vec<Vec<u8>>, budget: &Budget) -> Result<Vec<Token>, TokenError> {
    tokens
        .into_iter()
        .map(|bytes| Token::decode_within(bytes, budget))
        .collect()
}

/// A token starts with a list of two (0x82), which is 8 in hex and g in base64.
fn bare(text: &[u8]) -> Result<Vec<u8>, TokenError> {
    if text.len() > 2 * MAX_TOKEN_LENGTH {
        return Err(TokenError::malformed(Why::TextTooLong));
    }
    let unpadded = text.iter().rev().take(2).take_while(|byte| **byte == b'=');
    let unpadded = text
        .get(..text.len() - unpadded.count())
        .unwrap_or_default();
    let is_standard = || unpadded.iter().any(|byte| matches!(byte, b'+' | b'/'));
    let decoded = match text.first() {
        Some(b'8') => hex::decode(text),
        _ if is_standard() => STANDARD.decode(unpadded),
        _ => URL.decode(unpadded),
    };
    decoded.ok_or_else(|| TokenError::malformed(Why::NotToken))
}

/// A text without the white space that mail and terminals add. Most have none, and then this only scans bytes.
fn without_space(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Cow::Borrowed(text);
    }
    let stripped: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    Cow::Owned(stripped)
}
