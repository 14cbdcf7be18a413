//! What goes wrong with a token, a key or an identifier: a literal name for machines, a sentence for people.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;

use ipld_core::ipld::Ipld;

use crate::codec::cid::Cid;
use crate::codec::view::View;
use crate::work_budget::TooMuchWork;

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
    /// Its start is in the future.
    TooEarly,
    /// It is addressed to someone else.
    InvalidAudience,
    /// It is about another subject, or the root's issuer is not the subject.
    InvalidSubject,
    /// Its command is not covered by the one above it.
    InvalidCommand,
    /// A claim is missing or not allowed there.
    InvalidClaim,
    /// A proof that it names is missing.
    UnavailableProof,
    /// The arguments break a policy.
    MatchError,
    /// It has been revoked.
    Revoked,
    /// Someone entitled to revoke it may have done so, but that can't be checked.
    RevocationUnknown,
    /// It has been used before.
    Replayed,
    /// Checking it takes more work than one call may do: it may be valid or not.
    TooMuchWork,
}

impl TokenErrorName {
    /// Every rule.
    #[cfg(feature = "schema")]
    pub const ALL: [Self; 15] = [
        Self::MalformedToken,
        Self::UnsupportedVersion,
        Self::InvalidSignature,
        Self::Expired,
        Self::TooEarly,
        Self::InvalidAudience,
        Self::InvalidSubject,
        Self::InvalidCommand,
        Self::InvalidClaim,
        Self::UnavailableProof,
        Self::MatchError,
        Self::Revoked,
        Self::RevocationUnknown,
        Self::Replayed,
        Self::TooMuchWork,
    ];

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

/// What a rule expected and what it found: a DID, a command, a time in seconds, a statement of a policy.
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

/// The start of a stranger's text, to quote in a sentence.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    capped(text, MAX_REPEATED)
}

fn capped(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
    }
}

/// A value as a refusal repeats it: the start of a text, or anything else that is short.
fn repeated(value: Ipld) -> Ipld {
    match value {
        Ipld::String(text) => Ipld::String(shortened(&text).into_owned()),
        value if View::of(&value).fits(8 * MAX_REPEATED) => value,
        _ => Ipld::Null,
    }
}

/// Declares the reasons: each with its sentence.
#[macro_export]
macro_rules! reasons {
    ($(#[$about:meta])* $reasons:ident $($name:ident = $sentence:literal,)+) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $reasons { $(#[doc = $sentence] $name,)+ }

        impl $reasons {
            /// For programs.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ }
            }

            /// For developers.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence,)+ }
            }
        }
    };
}

reasons! {
    /// The particular reason why a token is refused, beside the rule: a name for programs, and a sentence.
    Why
    NoDelegationHere = "There is no delegation here.",
    EmptyContainer = "This container is empty.",
    NoContainer = "This isn't a container of tokens.",
    ContainerDamaged = "This container of tokens is damaged, cut off, or too large when unpacked.",
    ContainerTooLarge = "This container of tokens is too large.",
    LetterAmiss = "This token has an invalid character, or was cut off.",
    TextTooLong = "This text is too long to be a token.",
    NoToken = "There is no token here.",
    Jwt = "This is a JWT, as UCAN used before version 1.0. Keyhole reads UCAN 1.0.0: ask its issuer for a new one.",
    AsksForSomething = "This is an invocation: it asks for something to be done, and passes no authority on.",
    NotToken = "This isn't a token: it is neither a container nor a token in base64, base64url or hex, or it was cut off.",
    TokenTooLong = "This token is longer than a megabyte, which is the limit.",
    NoEnvelope = "This isn't a token: its second part is not a header and one payload with its tag.",
    AlgorithmUnknown = "The token's signature algorithm is unknown: Keyhole supports Ed25519, ES256 and ES256K.",
    NoInvocation = "There is no invocation here: a delegation allows something, and asks for nothing.",
    SeveralInvocations = "There is more than one invocation here. Pass exactly one.",
    SeveralLeaves = "There is more than one last delegation here. Say which one is meant, by its CID.",
    SeveralChains = "There is more than one chain to the last delegation here, so its limits are ambiguous.",
    Circle = "These delegations go in a circle: none of them is the last. Say which one is meant, by its CID.",
    NotAmongThese = "The requested token is not among these.",
    NoProof = "There is no proof of the authority.",
    Powerline = "The first delegation names no subject: a chain cannot start with a powerline.",
    CarriedOutBefore = "This invocation was carried out before: each one can be used once.",
    EndsBeforeStart = "The token would expire before the whole chain has started.",
    KeyNotIssuers = "This key is not the issuer's.",
    AnsweredBefore = "This request was answered before: each one allows one payment.",
    MayBeAnswered = "This request may have been answered before the clock was set back: ask with a new one, or for longer.",
    NoPaymentRequest = "This isn't a payment request: its command is not /payment/request.",
    RequestTooLong = "A payment request is valid for an hour at most.",
    RevokeNotNamed = "The first proof of a permission to revoke must name the token that may be revoked.",
}

/// Why something is refused: a sentence for developers, and the reason's name if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Never a secret.
    pub message: String,
    /// For programs.
    pub why: Option<Why>,
}

impl Reason {
    /// The same reason with a more detailed sentence.
    #[must_use]
    pub const fn of(why: Why, message: String) -> Self {
        Self {
            message,
            why: Some(why),
        }
    }
}

impl From<Why> for Reason {
    fn from(why: Why) -> Self {
        Self::of(why, why.sentence().into())
    }
}

impl From<String> for Reason {
    fn from(message: String) -> Self {
        Self { message, why: None }
    }
}

impl From<&str> for Reason {
    fn from(message: &str) -> Self {
        Self::from(String::from(message))
    }
}

/// A refused token: the rule, the reason in words, and the token's CID if it is about one.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenError {
    /// The rule that was broken.
    pub name: TokenErrorName,
    /// A sentence for developers. Never a secret.
    pub message: String,
    /// The particular reason, for programs.
    pub why: Option<Why>,
    /// The token that broke it.
    pub cid: Option<Cid>,
    /// The same as data, if the rule compares two values.
    pub finding: Option<Box<Finding>>,
}

impl TokenError {
    /// A refusal that isn't about a particular token.
    pub fn new(name: TokenErrorName, reason: impl Into<Reason>) -> Self {
        let Reason { message, why } = reason.into();
        Self {
            name,
            message: capped(&message, MAX_MESSAGE).into_owned(),
            why,
            cid: None,
            finding: None,
        }
    }

    /// `MalformedToken` with this reason.
    pub fn malformed(reason: impl Into<Reason>) -> Self {
        Self::new(TokenErrorName::MalformedToken, reason)
    }

    /// The same refusal with what the rule expected and found. Long texts are shortened, other long values left out.
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
            format!("Whether this is valid is unknown: {error}."),
        )
    }
}
