//! A mandate's budget and its count: how much of which period is used, and what is left.

use core::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::pay::payment::Payment;
use crate::pay::period::Period;
use crate::seal::format::MAX_NUMBER;

/// What may be spent in each period. At least one of the two limits is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MandateBudget"))]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// The period that it is counted over.
    pub period: Period,
    /// The most to spend in all, in minor units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<u64>,
    /// The most payments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payments: Option<u64>,
}

/// What was spent within one period.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MandateUse"))]
#[serde(deny_unknown_fields)]
pub struct Used {
    /// The period's first second.
    pub since: u64,
    /// In minor units.
    pub amount: u64,
    /// How many payments.
    pub payments: u64,
}

/// What is left of a budget at a given time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MandateRemaining"))]
pub struct Remaining {
    /// In minor units, if the budget limits the amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<u64>,
    /// Payments, if the budget limits their number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payments: Option<u64>,
    /// When the period ends and the whole budget is available again, in seconds.
    pub until: u64,
}

impl Budget {
    /// What is left of a period after `used`.
    pub(crate) fn remaining(&self, used: &Used) -> Remaining {
        let left = |most: Option<u64>, used: u64| most.map(|most| most.saturating_sub(used));
        Remaining {
            amount: left(self.amount, used.amount),
            payments: left(self.payments, used.payments),
            until: self.period.end(used.since),
        }
    }

    /// Whether this use of one period is within the budget.
    pub(crate) fn holds(&self, used: &Used) -> bool {
        let is_within = |most: Option<u64>, used: u64| most.is_none_or(|most| used <= most);
        is_within(self.amount, used.amount) && is_within(self.payments, used.payments)
    }

    /// What was used in the period of `now`. A clock that was set back is still in the period that was counted last.
    pub(crate) fn used_at(&self, used: &Used, now: u64) -> Used {
        let since = self.period.start(now);
        if since > used.since {
            Used {
                since,
                ..Used::default()
            }
        } else {
            used.clone()
        }
    }
}

impl Used {
    /// This count with one more payment.
    pub(crate) fn plus(&self, payment: &Payment) -> Self {
        let one = Self {
            since: self.since,
            amount: payment.amount,
            payments: 1,
        };
        self.and(&one)
    }

    /// The sum of two counts of one period.
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self {
            since: self.since,
            amount: self.amount.saturating_add(other.amount),
            payments: self.payments.saturating_add(other.payments),
        }
    }

    /// This count minus another.
    pub(crate) fn less(&self, other: &Self) -> Self {
        Self {
            since: self.since,
            amount: self.amount.saturating_sub(other.amount),
            payments: self.payments.saturating_sub(other.payments),
        }
    }

    /// Limited to what JavaScript reads exactly. A budget is never larger, so the limit lets no one spend more.
    pub(crate) fn within_numbers(self) -> Self {
        Self {
            since: self.since,
            amount: self.amount.min(MAX_NUMBER),
            payments: self.payments.min(MAX_NUMBER),
        }
    }

    /// The one of two copies of a count that leaves less: the later one, or the higher one of the same period.
    pub(crate) fn merged(&self, other: &Self) -> Self {
        match self.since.cmp(&other.since) {
            Ordering::Equal => self.higher(other),
            Ordering::Less => other.clone(),
            Ordering::Greater => self.clone(),
        }
    }

    /// The higher of each of its numbers.
    pub(crate) fn higher(&self, other: &Self) -> Self {
        Self {
            since: self.since.max(other.since),
            amount: self.amount.max(other.amount),
            payments: self.payments.max(other.payments),
        }
    }

    pub(crate) fn numbers(&self) -> [u64; 3] {
        [self.since, self.amount, self.payments]
    }
}
