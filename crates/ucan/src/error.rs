//! What goes wrong with a token, a key or an identifier: a literal name for machines, a sentence for people.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;

use ipld_core::ipld::Ipld;

use crate::budget::TooMuchWork;
use crate::codec::cid::Cid;
use crate::codec::view::View;

/// Why a token is refused: the names of the UCAN 1.0.0 fixtures, and seven of Keyhole's own (`MalformedToken`,
/// `UnsupportedVersion`, `InvalidCommand`, `Revoked`, `RevocationUnknown`, `Replayed`, `TooMuchWork`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum TokenErrorName {
    /// It cannot be read: wrong encoding, wrong structure, past a limit.
    MalformedToken,
    /// It is a token of another version of UCAN, such as `1.0.0-rc.1`.
    UnsupportedVersion,
    /// The signature is not its issuer's.
    InvalidSignature,
    /// Its expiry has passed.
    Expired,
    /// Its start has not come yet.
    TooEarly,
    /// It is not addressed to whoever comes next.
    InvalidAudience,
    /// It is about another subject, or the root's issuer is not the subject.
    InvalidSubject,
    /// Its command is not covered by the one above it.
    InvalidCommand,
    /// A claim is missing or may not stand where it does.
    InvalidClaim,
    /// A proof that was asked for is not there.
    UnavailableProof,
    /// A policy does not hold on the arguments.
    MatchError,
    /// It has been revoked.
    Revoked,
    /// Somebody who may revoke it seems to have, and whether they did cannot be told.
    RevocationUnknown,
    /// It has been used before.
    Replayed,
    /// To tell whether it holds takes more than one call may take: neither yes nor no.
    TooMuchWork,
}

impl TokenErrorName {
    /// The name as text, exactly as the fixtures write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MalformedToken => "MalformedToken",
            Self::UnsupportedVersion => "UnsupportedVersion",
            Self::InvalidSignature => "InvalidSignature",
            Self::Expired => "Expired",
            Self::TooEarly => "TooEarly",
            Self::InvalidAudience => "InvalidAudience",
            Self::InvalidSubject => "InvalidSubject",
            Self::InvalidCommand => "InvalidCommand",
            Self::InvalidClaim => "InvalidClaim",
            Self::UnavailableProof => "UnavailableProof",
            Self::MatchError => "MatchError",
            Self::Revoked => "Revoked",
            Self::RevocationUnknown => "RevocationUnknown",
            Self::Replayed => "Replayed",
            Self::TooMuchWork => "TooMuchWork",
        }
    }
}

impl fmt::Display for TokenErrorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a rule wanted and what it met: a DID, a command, a moment in seconds, a statement of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What would have been right.
    pub expected: Ipld,
    /// What was there.
    pub found: Ipld,
}

/// Most characters of a value that a refusal repeats.
const MAX_REPEATED: usize = 200;
/// Most characters of a refusal's sentence.
const MAX_MESSAGE: usize = 600;

/// The start of a text that a stranger wrote, for a sentence.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    capped(text, MAX_REPEATED)
}

fn capped(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
    }
}

/// A value as far as a refusal repeats it: a text its start, anything else where it is short.
fn repeated(value: Ipld) -> Ipld {
    match value {
        Ipld::String(text) => Ipld::String(shortened(&text).into_owned()),
        value if View::of(&value).fits(8 * MAX_REPEATED) => value,
        _ => Ipld::Null,
    }
}

/// A refused token: which rule, in words which part, and the CID of the token it is about where there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenError {
    /// The rule that was broken.
    pub name: TokenErrorName,
    /// A sentence a person can act on. Never a secret.
    pub message: String,
    /// The token that broke it.
    pub cid: Option<Cid>,
    /// The same as data, where the rule compares two things.
    pub finding: Option<Box<Finding>>,
}

impl TokenError {
    /// A refusal that is not about one token in particular.
    pub fn new(name: TokenErrorName, message: impl Into<String>) -> Self {
        Self {
            name,
            message: capped(&message.into(), MAX_MESSAGE).into_owned(),
            cid: None,
            finding: None,
        }
    }

    /// `MalformedToken` with these words.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(TokenErrorName::MalformedToken, message)
    }

    /// The same refusal, with what the rule wanted and what it met: long texts shortened, other long values left out.
    #[must_use]
    pub fn with(mut self, expected: impl Into<Ipld>, found: impl Into<Ipld>) -> Self {
        self.finding = Some(Box::new(Finding {
            expected: repeated(expected.into()),
            found: repeated(found.into()),
        }));
        self
    }

    /// The same refusal, about this token, unless it already names one.
    #[must_use]
    pub fn about(mut self, cid: Cid) -> Self {
        self.cid.get_or_insert(cid);
        self
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.message)
    }
}

impl core::error::Error for TokenError {}

impl From<TooMuchWork> for TokenError {
    fn from(error: TooMuchWork) -> Self {
        Self::new(
            TokenErrorName::TooMuchWork,
            format!("Whether this holds is not known: {error}."),
        )
    }
}
