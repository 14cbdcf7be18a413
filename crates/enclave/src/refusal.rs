//! A refusal: what every export answers instead of a result.

use ipld_core::ipld::Ipld;
use keyhole_ucan::error::{Finding, TokenError, Why};
use keyhole_ucan::work_budget::TooMuchWork;
use keyhole_vault::error::VaultError;
use serde::Serialize;

/// `{"error": text, "code": CODE, "name": NAME}`, with the values and the token's CID that it is about, if any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refusal {
    /// A sentence for developers. Never a secret.
    pub error: String,
    /// One of the key-vault layer's nine codes.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "keyhole_vault::error::VaultErrorCode")
    )]
    pub code: &'static str,
    /// What was refused, for programs. For a token it is the rule that it broke, as UCAN's fixtures name it.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::RefusalName"))]
    pub name: &'static str,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args: Option<Box<RefusalArgs>>,
    /// The token that broke it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cid: Option<String>,
}

/// The values in a refusal's sentence that a person may see.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefusalArgs {
    /// The particular reason, if the name is that of a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::schema::RefusalReason>")
    )]
    why: Option<&'static str>,
    /// What would have been right: a DID, a command, a type of key; a time in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<Value>,
    /// What was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<Value>,
    /// How many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    /// Which of them, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<usize>,
    /// The fewest allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<usize>,
    /// The most allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<usize>,
}

/// A text or a whole number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline))]
#[serde(untagged)]
pub enum Value {
    /// At most 200 characters.
    Text(String),
    /// A time in seconds since 1970.
    Number(i64),
}

impl Value {
    fn of(value: Ipld) -> Option<Self> {
        match value {
            Ipld::String(text) => Some(Self::Text(text)),
            Ipld::Integer(number) => i64::try_from(number).ok().map(Self::Number),
            _ => None,
        }
    }
}

impl RefusalArgs {
    fn of_vault(error: &VaultError) -> Option<Box<Self>> {
        let told = error.args();
        let args = Self {
            why: None,
            expected: told.expected.map(Value::Text),
            found: told.found.map(Value::Text),
            count: told.count,
            place: told.place,
            least: told.least,
            most: told.most,
        };
        args.if_any()
    }

    /// `None` if there is nothing to say.
    fn if_any(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }
}

impl Refusal {
    /// OPERATION_FAILED with this name.
    pub fn of(
        name: &'static str,
        error: String,
        why: Option<&'static str>,
        finding: Option<Finding>,
    ) -> Self {
        let (expected, found) = match finding {
            Some(Finding { expected, found }) => (Value::of(expected), Value::of(found)),
            None => (None, None),
        };
        let args = RefusalArgs {
            why,
            expected,
            found,
            ..RefusalArgs::default()
        };
        Self {
            error,
            code: "OPERATION_FAILED",
            name,
            args: args.if_any(),
            cid: None,
        }
    }

    /// A refusal about a token in this field of the input.
    pub fn about(field: &str, mut error: TokenError) -> Self {
        error.message = format!("In `{field}`: {}", error.message);
        error.into()
    }
}

impl From<VaultError> for Refusal {
    fn from(error: VaultError) -> Self {
        Self {
            error: error.to_string(),
            code: error.code().as_str(),
            name: error.name(),
            args: RefusalArgs::of_vault(&error),
            cid: None,
        }
    }
}

impl From<TooMuchWork> for Refusal {
    fn from(error: TooMuchWork) -> Self {
        TokenError::from(error).into()
    }
}

impl From<TokenError> for Refusal {
    fn from(error: TokenError) -> Self {
        let name = error.name.as_str();
        Self {
            cid: error.cid.map(|cid| cid.to_string()),
            ..Self::of(
                name,
                error.message,
                error.why.map(Why::as_str),
                error.finding.map(|finding| *finding),
            )
        }
    }
}
