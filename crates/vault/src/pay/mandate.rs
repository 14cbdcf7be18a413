//! A mandate with a budget: spending authority that only this vault can use, since someone must count.
//!
//! It is a delegation of `/payment/request`, with the limits of one payment as its policy, and a count in the private
//! section. The holder asks, and the vault counts and authorises in one change of its state. `docs/payment.md` is the
//! profile. A mandate without a budget is a plain delegation of `/payment/authorize`, and is not handled here.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::pay::budget::{Budget, Used};
use crate::pay::currency::Currency;
use crate::pay::mandate_error::{MandateError, MandateReason, refused};
use crate::pay::mandate_terms::MAX_PAYEES;
use crate::pay::mandate_why::MandateWhy;
use crate::pay::payment::Payment;
use crate::pay::share::Shares;
use crate::seal::format::MAX_NUMBER;
use keyhole_ucan::codec::base64::Fixed;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::identity::did::Did;

/// A mandate with its count, as the private section stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mandate {
    /// CID of the delegation.
    pub cid: String,
    /// DID of the account's key that signed it, and signs the authorisations under it.
    pub issuer: String,
    /// Who may ask. If this is the issuer, no one else.
    pub audience: String,
    /// Who may be paid. Empty: anyone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub payees: Vec<String>,
    /// The smallest payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u64>,
    /// The largest payment.
    pub max: u64,
    /// The currency of every payment.
    pub currency: Currency,
    /// Start in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<i64>,
    /// Expiry in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// The budget of each period.
    pub budget: Budget,
    /// When it was made, in seconds.
    pub created_at: u64,
    /// Used in the period that was counted last.
    pub used: Used,
    /// Used in all periods together.
    pub total: Used,
    /// Nothing is authorised until a person confirms it.
    #[serde(default)]
    pub suspended: bool,
    /// It has ended for good.
    #[serde(default)]
    pub ended: bool,
    /// What other copies of the account have counted, by the names of their counters. Only in `seal-v2`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub others: BTreeMap<String, Count>,
    /// The last payments that were counted under this copy's name, in the period that was counted last. They tell apart
    /// two states that were one before. Only in `seal-v2`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub recent: Vec<Recent>,
    /// This device's share of the budget, if the account has several devices; none: all of it. Only in `seal-v2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub shares: Option<Shares>,
}

/// A payment that was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recent {
    /// The end of its authorisation's CID digest.
    pub tag: Fixed<8>,
    /// In minor units.
    pub amount: u64,
}

/// Most payments that are remembered one by one.
pub const MAX_RECENT: usize = 16;

/// What one copy of an account has counted for a mandate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// In the period it counted last.
    pub used: Used,
    /// In all periods together.
    pub total: Used,
}

/// Most copies of an account whose counts are stored.
pub const MAX_COUNTERS: usize = 256;

impl Mandate {
    /// Whether only the vault itself uses it.
    pub fn is_own(&self) -> bool {
        self.audience == self.issuer
    }

    /// Whether it can never be used again.
    pub(crate) fn is_over(&self, now: i64) -> bool {
        self.ended || self.expires_at.is_some_and(|until| now > until)
    }

    /// Whether it allows a payment at `now` (seconds), apart from its budget.
    pub(crate) fn check(&self, payment: &Payment, now: i64) -> Result<(), MandateError> {
        let outside = |reason: MandateReason| refused("OutsideMandate", reason);
        if self.ended {
            return refused("MandateEnded", MandateWhy::MandateEnded);
        }
        if self.suspended {
            return refused("MandateSuspended", MandateWhy::MandateSuspended);
        }
        // New terms refuse this, but an earlier version may have allowed it. Any page that is merely visited would be
        // paid.
        if self.is_own() && self.payees.is_empty() {
            return outside(MandateWhy::MandateWithoutPayee.into());
        }
        if self.not_before.is_some_and(|from| now < from) {
            return outside(MandateWhy::MandateNotYet.into());
        }
        if self.expires_at.is_some_and(|until| now > until) {
            return refused("MandateEnded", MandateWhy::MandateExpired);
        }
        if payment.currency != self.currency {
            return outside(MandateReason::of(
                MandateWhy::OtherCurrency,
                format!(
                    "This mandate is for {}, not for {}.",
                    self.currency.code(),
                    payment.currency.code()
                ),
            ));
        }
        if payment.amount > self.max || self.min.is_some_and(|min| payment.amount < min) {
            return outside(MandateWhy::PaymentSize.into());
        }
        let payee = payment.payee.as_str();
        if !self.payees.is_empty() && !self.payees.iter().any(|each| each == payee) {
            return outside(MandateReason::of(
                MandateWhy::OtherPayee,
                format!("This mandate does not allow paying {payee}."),
            ));
        }
        Ok(())
    }

    /// Whether this device answers a request that is valid until then (seconds).
    pub(crate) fn answers(&self, until: i64) -> bool {
        let shares = self.shares.as_ref();
        shares.is_none_or(|shares| shares.answer(&self.budget, until))
    }

    /// Whether Keyhole could have written it.
    pub fn is_valid(&self) -> bool {
        let limits = [
            self.min,
            Some(self.max),
            self.budget.amount,
            self.budget.payments,
        ];
        let counts = [self.used.numbers(), self.total.numbers()];
        let others = self.others.values();
        let others = others.flat_map(|count| [count.used.numbers(), count.total.numbers()]);
        let mut numbers = limits
            .into_iter()
            .flatten()
            .chain(counts.into_iter().chain(others).flatten());
        Cid::parse(&self.cid).is_ok()
            && Did::parse(&self.issuer).is_ok()
            && Did::parse(&self.audience).is_ok()
            && self.payees.len() <= MAX_PAYEES
            && numbers.all(|number| number <= MAX_NUMBER)
            && self.created_at <= MAX_NUMBER
            && self.others.len() <= MAX_COUNTERS
            && self.recent.len() <= MAX_RECENT
            && self.shares.as_ref().is_none_or(Shares::are_valid)
    }
}
