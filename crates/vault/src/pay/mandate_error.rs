//! Why nothing is authorised under a mandate, or no mandate is made.

use alloc::string::{String, ToString};
use core::fmt;

use crate::error::VaultError;
use crate::pay::mandate_why::MandateWhy;
use crate::pay::payment::PaymentError;
use keyhole_ucan::error::TokenError;

/// Why nothing is authorised or no mandate is made: a name for programs, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MandateReason {
    /// Never a secret.
    pub message: String,
    /// For programs.
    pub why: MandateWhy,
}

impl MandateReason {
    /// The same reason with a more detailed sentence.
    #[must_use]
    pub const fn of(why: MandateWhy, message: String) -> Self {
        Self { message, why }
    }
}

impl From<MandateWhy> for MandateReason {
    fn from(why: MandateWhy) -> Self {
        Self::of(why, why.sentence().into())
    }
}

/// Why nothing is authorised.
#[derive(Clone, Debug, PartialEq)]
pub enum MandateError {
    /// A name for programs: `BudgetExceeded`, `OutsideMandate`, `MandateSuspended`, `MandateEnded`, `UnknownMandate`,
    /// `InvalidMandate`, `InvalidPayment`. And a sentence, with the particular reason.
    Refused(&'static str, MandateReason),
    /// The token in the request is invalid, or the new one can't be made.
    Token(TokenError),
    /// The state can't be changed.
    Vault(VaultError),
}

impl fmt::Display for MandateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(_, reason) => f.write_str(&reason.message),
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
        Self::Refused(
            "InvalidPayment",
            MandateReason::of(error.why(), error.to_string()),
        )
    }
}

/// Refuses by a name and a reason.
pub(crate) fn refused<T>(
    name: &'static str,
    reason: impl Into<MandateReason>,
) -> Result<T, MandateError> {
    Err(MandateError::Refused(name, reason.into()))
}
