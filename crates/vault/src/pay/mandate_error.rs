//! Why nothing is authorised under a mandate, or none is made.

use alloc::string::{String, ToString};
use core::fmt;

use crate::error::VaultError;
use crate::pay::payment::PaymentError;
use keyhole_ucan::error::TokenError;

/// Why nothing is authorised.
#[derive(Clone, Debug, PartialEq)]
pub enum MandateError {
    /// By name, for programs: `BudgetExceeded`, `OutsideMandate`, `MandateSuspended`, `MandateEnded`, `UnknownMandate`,
    /// `InvalidMandate`, `InvalidPayment`. And a sentence for people.
    Refused(&'static str, String),
    /// A token that was asked with does not hold, or one that is to be made cannot be.
    Token(TokenError),
    /// The state cannot be changed.
    Vault(VaultError),
}

impl fmt::Display for MandateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(_, message) => f.write_str(message),
            Self::Token(error) => error.fmt(f),
            Self::Vault(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for MandateError {}

impl From<TokenError> for MandateError {
    fn from(error: TokenError) -> Self {
        Self::Token(error)
    }
}

impl From<VaultError> for MandateError {
    fn from(error: VaultError) -> Self {
        Self::Vault(error)
    }
}

impl From<PaymentError> for MandateError {
    fn from(error: PaymentError) -> Self {
        Self::Refused("InvalidPayment", error.to_string())
    }
}

/// Refuses by a name for programs and a sentence for people.
pub(crate) fn refused<T>(
    name: &'static str,
    message: impl Into<String>,
) -> Result<T, MandateError> {
    Err(MandateError::Refused(name, message.into()))
}
