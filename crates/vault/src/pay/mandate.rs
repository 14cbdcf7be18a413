//! A mandate with a budget: spending authority that only this vault can make use of, since somebody has to count.
//!
//! It is a delegation of `/payment/request`, whose limits for one payment are its policy, and a count in the private section. Whoever
//! holds it asks; the vault counts and authorises in one change of the state. `docs/payment.md` is the profile. A mandate without a
//! budget is a plain delegation of `/payment/authorize`, and none of these.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::pay::budget::{Budget, Remaining, Used};
use crate::pay::currency::Currency;
use crate::pay::mandate_error::{MandateError, MandateReason, refused};
use crate::pay::mandate_terms::MAX_PAYEES;
use crate::pay::mandate_why::MandateWhy;
use crate::pay::payment::Payment;
use crate::seal::format::MAX_NUMBER;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::identity::did::Did;

/// A mandate with its count, as the private section keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mandate {
    /// Of the delegation.
    pub cid: String,
    /// The DID of the account's key that signed it, and that signs what is authorised under it.
    pub issuer: String,
    /// Who may ask. The issuer itself: nobody else.
    pub audience: String,
    /// Who may be paid; empty: anyone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub payees: Vec<String>,
    /// The least of one payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u64>,
    /// The most of one payment.
    pub max: u64,
    /// Of every payment.
    pub currency: Currency,
    /// From when on, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<i64>,
    /// Until when, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// In each period.
    pub budget: Budget,
    /// When it was made, in seconds.
    pub created_at: u64,
    /// In the period that was counted last.
    pub used: Used,
    /// In all periods together.
    pub total: Used,
    /// Nothing is authorised under it until it is confirmed.
    #[serde(default)]
    pub suspended: bool,
    /// It is over for good.
    #[serde(default)]
    pub ended: bool,
}

impl Mandate {
    /// Whether nobody but the vault itself makes use of it.
    pub fn is_own(&self) -> bool {
        self.audience == self.issuer
    }

    /// Whether it can never be used again.
    pub(crate) fn is_over(&self, now: i64) -> bool {
        self.ended || self.expires_at.is_some_and(|until| now > until)
    }

    /// What is left of its budget at `now` (seconds).
    pub fn remaining(&self, now: u64) -> Remaining {
        self.budget.remaining(&self.used, now)
    }

    /// Whether it allows a payment at `now` (seconds), its budget aside.
    pub(crate) fn check(&self, payment: &Payment, now: i64) -> Result<(), MandateError> {
        let outside = |reason: MandateReason| refused("OutsideMandate", reason);
        if self.ended {
            return refused("MandateEnded", MandateWhy::MandateEnded);
        }
        if self.suspended {
            return refused("MandateSuspended", MandateWhy::MandateSuspended);
        }
        // Terms refuse it; one of an earlier version may be there. Any page that is merely visited would be paid.
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
                    "This mandate is for {}, and not for {}.",
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

    /// The same mandate with one payment more.
    pub(crate) fn counting(&self, payment: &Payment, now: u64) -> Result<Self, MandateError> {
        let Some(used) = self.budget.counting(&self.used, payment, now) else {
            return refused("BudgetExceeded", MandateWhy::BudgetTooSmall);
        };
        Ok(Self {
            used,
            total: self.total.plus(payment),
            ..self.clone()
        })
    }

    /// Of two copies of one mandate whatever allows less: the later count, the higher one of the same period.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.used = self.used.merged(&other.used);
        self.total = self.total.higher(&other.total);
        self.ended |= other.ended;
    }

    /// Whether it is one that Keyhole writes.
    pub(crate) fn is_valid(&self) -> bool {
        let limits = [
            self.min,
            Some(self.max),
            self.budget.amount,
            self.budget.payments,
        ];
        let counts = [self.used.numbers(), self.total.numbers()];
        let mut numbers = limits
            .into_iter()
            .flatten()
            .chain(counts.into_iter().flatten());
        Cid::parse(&self.cid).is_ok()
            && Did::parse(&self.issuer).is_ok()
            && Did::parse(&self.audience).is_ok()
            && self.payees.len() <= MAX_PAYEES
            && numbers.all(|number| number <= MAX_NUMBER)
            && self.created_at <= MAX_NUMBER
    }
}
