//! The currencies of ISO 4217 and their decimal places ("minor unit"), as listed in 2026. Units of account and metals
//! are left out: they have no minor unit, so no exact amount can be paid in them.

use alloc::string::{String, ToString};
use core::fmt;

use serde::{Deserialize, Serialize};

/// The most an amount can be, in minor units: JavaScript keeps it exactly.
pub const MAX_AMOUNT: u64 = (1 << 53) - 1;

const WITHOUT: &str = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
const TWO: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY \
    COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES \
    KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB \
    PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS \
    UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG";
const THREE: &str = "BHD IQD JOD KWD LYD OMR TND";
const FOUR: &str = "CLF UYW";

/// A currency by its three capital letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct Currency {
    code: String,
    digits: u32,
}

/// Why a text is not an amount or a currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoneyError {
    /// The code is not on the list. Holds its printable start.
    NoCurrency(String),
    /// Digits, and a point with more digits; nothing else.
    NotAnAmount,
    /// More decimal places than the currency has.
    TooFine(Currency),
    /// Nothing, or more than [`MAX_AMOUNT`].
    OutOfRange,
}

impl fmt::Display for MoneyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCurrency(code) => write!(f, "“{code}” is not an ISO 4217 currency."),
            Self::NotAnAmount => write!(f, "This isn't an amount: write it like 25 or 25.00."),
            Self::TooFine(currency) => write!(
                f,
                "{} has {} decimal places, and this amount has more.",
                currency.code, currency.digits
            ),
            Self::OutOfRange => write!(
                f,
                "An amount is above zero, and at most {MAX_AMOUNT} of the smallest unit."
            ),
        }
    }
}

impl core::error::Error for MoneyError {}

impl Currency {
    /// A currency by its code.
    ///
    /// # Errors
    /// [`MoneyError::NoCurrency`].
    pub fn parse(code: &str) -> Result<Self, MoneyError> {
        let among = |list: &str| list.split(' ').any(|each| each == code);
        let lists = [(WITHOUT, 0), (TWO, 2), (THREE, 3), (FOUR, 4)];
        let found = lists.into_iter().find(|(list, _)| among(list));
        match found {
            Some((_, digits)) => Ok(Self {
                code: code.to_string(),
                digits,
            }),
            None => {
                let printable = code.chars().filter(char::is_ascii_alphanumeric);
                Err(MoneyError::NoCurrency(printable.take(12).collect()))
            }
        }
    }

    /// Its three letters.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// How many decimal places it has: 2 for GBP, 0 for JPY.
    pub fn digits(&self) -> u32 {
        self.digits
    }

    /// A decimal amount, such as "25.00", in minor units.
    ///
    /// # Errors
    /// [`MoneyError`] for what isn't an amount, is finer than the currency, or is out of range.
    pub fn minor(&self, amount: &str) -> Result<u64, MoneyError> {
        let (whole, fraction) = match amount.split_once('.') {
            Some((_, "")) => return Err(MoneyError::NotAnAmount),
            Some(parts) => parts,
            None => (amount, ""),
        };
        let digits = whole.bytes().chain(fraction.bytes());
        if whole.is_empty() || !digits.clone().all(|byte| byte.is_ascii_digit()) {
            return Err(MoneyError::NotAnAmount);
        }
        let fine = fraction.len();
        if fine > self.digits as usize {
            return Err(MoneyError::TooFine(self.clone()));
        }
        let filled = core::iter::repeat_n(b'0', self.digits as usize - fine);
        let mut minor: u64 = 0;
        for digit in digits.chain(filled) {
            minor = minor
                .checked_mul(10)
                .and_then(|minor| minor.checked_add(u64::from(digit - b'0')))
                .ok_or(MoneyError::OutOfRange)?;
        }
        check_amount(minor)
    }
}

/// Checks the range of an amount in minor units.
///
/// # Errors
/// [`MoneyError::OutOfRange`].
pub fn check_amount(minor: u64) -> Result<u64, MoneyError> {
    if (1..=MAX_AMOUNT).contains(&minor) {
        Ok(minor)
    } else {
        Err(MoneyError::OutOfRange)
    }
}

impl TryFrom<String> for Currency {
    type Error = MoneyError;

    fn try_from(code: String) -> Result<Self, MoneyError> {
        Self::parse(&code)
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.code
    }
}

#[cfg(test)]
#[path = "currency_test.rs"]
mod tests;
