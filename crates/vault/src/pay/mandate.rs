//! A mandate with a budget: spending authority that only this vault can use, since someone must count.
//!
//! It is a delegation of `/payment/request`, with the limits of one payment as its policy, and a count in the private
//! section. The holder asks, and the vault counts and authorises in one change of its state. `docs/payment.md` is the
//! profile. A mandate without a budget is a plain delegation of `/payment/authorize`, and is not handled here.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::pay::budget::{Budget, Remaining, Used};
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

/// The names that two copies of an account count under.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'a> {
    /// This one's.
    pub ours: &'a str,
    /// The other one's.
    pub theirs: &'a str,
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

    /// What is left of its budget at `now` (seconds), for all who may spend it.
    pub fn remaining(&self, now: u64) -> Remaining {
        let used = self.budget.used_at(&self.used, now);
        self.budget
            .remaining(&used.and(&self.others_in(used.since)))
    }

    /// What all other copies have counted in the period that starts at `since`.
    fn others_in(&self, since: u64) -> Used {
        let counts = self.others.values().map(|count| &count.used);
        let none = Used {
            since,
            ..Used::default()
        };
        counts
            .filter(|used| used.since == since)
            .fold(none, |sum, used| sum.and(used))
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

    /// Remembers a counted payment by its authorisation.
    pub(crate) fn remember(&mut self, authorisation: &Cid, payment: &Payment) {
        let cid = authorisation.to_raw();
        let digest = cid.hash().digest();
        let tag = digest.last_chunk::<8>().copied().unwrap_or_default();
        if self.used.payments <= 1 {
            self.recent.clear();
        }
        if self.recent.len() >= MAX_RECENT {
            self.recent.remove(0);
        }
        self.recent.push(Recent {
            tag: Fixed(tag),
            amount: payment.amount,
        });
    }

    /// The same mandate with one more payment.
    pub(crate) fn counting(&self, payment: &Payment, now: u64) -> Result<Self, MandateError> {
        let used = self.budget.used_at(&self.used, now).plus(payment);
        let all = used.and(&self.others_in(used.since));
        let is_ours = self.shares.as_ref().is_none_or(|shares| shares.hold(&used));
        if !is_ours || !self.budget.holds(&all) {
            return refused("BudgetExceeded", MandateWhy::BudgetTooSmall);
        }
        Ok(Self {
            used: used.within_numbers(),
            total: self.total.plus(payment).within_numbers(),
            ..self.clone()
        })
    }

    /// Whether this device answers a request that is valid until then (seconds).
    pub(crate) fn answers(&self, until: i64) -> bool {
        let shares = self.shares.as_ref();
        shares.is_none_or(|shares| shares.answer(&self.budget, until))
    }

    /// Joins a copy that has no counter name, as in `seal-v1`. What both have counted together is unknown, so the later
    /// count applies, or the higher one of the same period. That may be too low, so the caller suspends it.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.used = self.used.merged(&other.used);
        self.total = self.total.higher(&other.total);
        self.ended |= other.ended;
    }

    /// Joins a copy with another counter name. Each name's count belongs to one copy, so their sum is what was spent.
    pub(crate) fn merge_counts(&mut self, ours: &str, other: &Self, theirs: &str) {
        let counted = Count {
            used: other.used.clone(),
            total: other.total.clone(),
        };
        let counts = other
            .others
            .iter()
            .map(|(name, count)| (name.as_str(), count));
        for (name, count) in counts.chain([(theirs, &counted)]) {
            self.note_count(ours, name, count);
        }
        self.ended |= other.ended;
    }

    /// Joins another state of this same copy, which has counted under the same name since the two were one. The result
    /// is what both have in common, once, plus what each has besides. If nothing in common is known any more, it is the
    /// sum of both: perhaps more than was spent, and never less.
    pub(crate) fn join_fork(&mut self, other: &Self) {
        for (name, count) in &other.others {
            self.note_count("", name, count);
        }
        self.ended |= other.ended;
        let total = self.total.higher(&other.total);
        match self.used.since.cmp(&other.used.since) {
            Ordering::Less => {
                self.used = other.used.clone();
                self.recent.clone_from(&other.recent);
            }
            Ordering::Equal => self.count_besides(other),
            Ordering::Greater => {}
        }
        self.total = self.total.higher(&total);
    }

    /// Adds what another state of this copy has counted in the same period and this one has not.
    fn count_besides(&mut self, other: &Self) {
        let ours = &self.recent;
        let is_common = |one: &Recent| ours.contains(one);
        let extra = match other.recent.iter().rposition(is_common) {
            Some(at) => {
                let after = other.recent.iter().skip(at + 1);
                after.fold(Used::default(), |sum, one| Used {
                    since: sum.since,
                    amount: sum.amount.saturating_add(one.amount),
                    payments: sum.payments + 1,
                })
            }
            None => other.used.clone(),
        };
        if extra.payments > 0 {
            let last = ours.last();
            let has_more = last.is_some_and(|last| !other.recent.contains(last));
            let was_counting = last.is_none() && self.used.payments > 0;
            // The order of payments is only known if just one of the states has gone on.
            self.recent = if has_more || was_counting {
                Vec::new()
            } else {
                other.recent.clone()
            };
        }
        self.used = self.used.and(&extra).within_numbers();
        self.total = self.total.and(&extra).within_numbers();
    }

    /// Notes what a copy has counted. Of two counts under one name, the later one applies, or the higher one of the
    /// same period.
    pub(crate) fn note_count(&mut self, ours: &str, name: &str, count: &Count) {
        if name == ours {
            self.used = self.used.merged(&count.used);
            self.total = self.total.higher(&count.total);
            return;
        }
        let noted = self.others.entry(name.into()).or_default();
        noted.used = noted.used.merged(&count.used);
        noted.total = noted.total.higher(&count.total);
    }

    /// Another copy's mandate as this copy stores it. Another device's share is not ours: we have none until we are
    /// given one.
    pub(crate) fn as_of(&self, names: Names<'_>) -> Self {
        let mut mandate = self.clone();
        if names.ours != names.theirs {
            mandate.shares = self.shares.as_ref().map(|_| Shares::default());
            mandate.count_as(names.theirs);
            if let Some(count) = mandate.others.remove(names.ours) {
                mandate.note_count(names.ours, names.ours, &count);
            }
        }
        mandate
    }

    /// Adds what a copy has spent, under its name.
    pub(crate) fn add_spent(&mut self, is_ours: bool, name: &str, spent: &Used) {
        let mut count = if is_ours {
            Count {
                used: self.used.clone(),
                total: self.total.clone(),
            }
        } else {
            self.others.get(name).cloned().unwrap_or_default()
        };
        match count.used.since.cmp(&spent.since) {
            Ordering::Less => count.used = spent.clone(),
            Ordering::Equal => count.used = count.used.and(spent).within_numbers(),
            Ordering::Greater => {}
        }
        count.total = count.total.and(spent).within_numbers();
        if is_ours {
            (self.used, self.total) = (count.used, count.total);
        } else {
            self.others.insert(name.into(), count);
        }
    }

    /// Removes what was counted under this copy's name.
    pub(crate) fn take_back_spent(&mut self, spent: &Used) {
        if self.used.since == spent.since {
            self.used = self.used.less(spent);
        }
        self.total = self.total.less(spent);
    }

    /// Merges all copies' counts into one, for the latest period of any of them.
    pub(crate) fn count_as_one(&mut self) {
        let others = self.others.values();
        let since = others
            .map(|count| count.used.since)
            .fold(self.used.since, u64::max);
        let mut used = self.others_in(since);
        if self.used.since == since {
            used = used.and(&self.used);
        }
        let totals = self.others.values().map(|count| &count.total);
        self.total = totals
            .fold(self.total.clone(), |sum, total| sum.and(total))
            .within_numbers();
        self.used = used.within_numbers();
        self.others.clear();
        self.recent.clear();
        self.shares = None;
    }

    /// Counts under another name from now on. What was counted stays under the old one.
    pub(crate) fn count_as(&mut self, before: &str) {
        let count = Count {
            used: self.used.clone(),
            total: self.total.clone(),
        };
        let none = Used {
            since: self.used.since,
            ..Used::default()
        };
        (self.used, self.total) = (none.clone(), none);
        self.recent.clear();
        self.note_count("", before, &count);
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
