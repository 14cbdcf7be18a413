//! A device's share of a budget: what it may spend without asking the account's other devices.
//!
//! A share is for one period. Without a share for a period, a device spends nothing in it. So a lost device that keeps
//! going spends its share and no more.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::pay::budget::{Budget, Used};
use crate::seal::format::MAX_NUMBER;

/// Most periods of one mandate that a device has shares for.
pub const MAX_SHARES: usize = 64;

/// What this device may spend in one period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// The period's first second.
    pub since: u64,
    /// The most to spend, in minor units, if the budget limits the amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<u64>,
    /// The most payments, if the budget limits their number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payments: Option<u64>,
    /// Whether this device, and no other, answers requests that expire in this period.
    #[serde(default)]
    pub answers: bool,
}

/// The shares of one mandate that this device has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Shares(pub Vec<Share>);

impl Shares {
    /// The share of the period that starts at `since`.
    pub fn of(&self, since: u64) -> Option<&Share> {
        self.0.iter().find(|share| share.since == since)
    }

    /// Whether this use is within the share of its period.
    pub(crate) fn hold(&self, used: &Used) -> bool {
        let is_within = |most: Option<u64>, used: u64| most.is_none_or(|most| used <= most);
        self.of(used.since).is_some_and(|share| {
            is_within(share.amount, used.amount) && is_within(share.payments, used.payments)
        })
    }

    /// Whether this device answers a request that is valid until then (seconds).
    pub(crate) fn answer(&self, budget: &Budget, until: i64) -> bool {
        let since = u64::try_from(until).map(|until| budget.period.start(until));
        since.is_ok_and(|since| self.of(since).is_some_and(|share| share.answers))
    }

    pub(crate) fn are_valid(&self) -> bool {
        self.0.len() <= MAX_SHARES
            && self.0.iter().all(|share| {
                let numbers = [Some(share.since), share.amount, share.payments];
                numbers.into_iter().flatten().all(|n| n <= MAX_NUMBER)
            })
    }
}
