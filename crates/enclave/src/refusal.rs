//! A refusal: what every export answers instead of a result.

use keyhole_ucan::budget::TooMuchWork;
use keyhole_ucan::error::TokenError;
use keyhole_vault::error::{VaultError, VaultErrorCode};
use serde::Serialize;

/// `{"error": text, "code": CODE}`, with a token's error name and CID where it is about a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refusal {
    /// A sentence a person can act on. Never a secret.
    pub error: String,
    /// One of the key-vault layer's nine codes.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "keyhole_vault::error::VaultErrorCode")
    )]
    pub code: &'static str,
    /// The name of the rule that a token broke, as UCAN's fixtures have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub name: Option<&'static str>,
    /// The token that broke it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cid: Option<String>,
}

impl Refusal {
    /// A refusal that is not about a token.
    pub fn new(code: VaultErrorCode, error: impl Into<String>) -> Self {
        Self {
            error: error.into(),
            code: code.as_str(),
            name: None,
            cid: None,
        }
    }

    /// About a token in this field of the input.
    pub fn about(field: &str, mut error: TokenError) -> Self {
        error.message = format!("In `{field}`: {}", error.message);
        error.into()
    }

    /// OPERATION_FAILED with these words.
    pub fn failed(error: impl Into<String>) -> Self {
        Self::new(VaultErrorCode::OperationFailed, error)
    }
}

impl From<VaultError> for Refusal {
    fn from(error: VaultError) -> Self {
        Self::new(error.code, error.message)
    }
}

impl From<TooMuchWork> for Refusal {
    fn from(error: TooMuchWork) -> Self {
        TokenError::from(error).into()
    }
}

impl From<TokenError> for Refusal {
    fn from(error: TokenError) -> Self {
        Self {
            name: Some(error.name.as_str()),
            cid: error.cid.map(|cid| cid.to_string()),
            ..Self::failed(error.message)
        }
    }
}
