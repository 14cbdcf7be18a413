//! A mandate with a budget: spending authority that only this vault can make use of, since somebody has to count.
//!
//! It is a delegation of `/payment/request`, whose limits for one payment are its policy, and a count in the private section. Whoever
//! holds it asks; the vault counts and authorises in one change of the state. `docs/payment.md` is the profile. A mandate without a
//! budget is a plain delegation of `/payment/authorize`, and none of these.

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
    /// What other copies of the account have counted, by the names that they count under. In `seal-v2` alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub others: BTreeMap<String, Count>,
    /// The last payments that were counted under this copy's own name, in the period that was counted last: two states that were one
    /// are told apart by them. In `seal-v2` alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub recent: Vec<Recent>,
    /// What of the budget is this device's, where the account has several; none: all of it. In `seal-v2` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub shares: Option<Shares>,
}

/// A payment that was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recent {
    /// Of its authorisation: the last bytes of its CID's digest.
    pub tag: Fixed<8>,
    /// In minor units.
    pub amount: u64,
}

/// Most payments that are known one by one.
pub const MAX_RECENT: usize = 16;

/// What one copy of an account has counted of a mandate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// In the period that it counted last.
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

/// Most copies of an account whose counts are kept.
pub const MAX_COUNTERS: usize = 256;

impl Mandate {
    /// Whether nobody but the vault itself makes use of it.
    pub fn is_own(&self) -> bool {
        self.audience == self.issuer
    }

    /// Whether it can never be used again.
    pub(crate) fn is_over(&self, now: i64) -> bool {
        self.ended || self.expires_at.is_some_and(|until| now > until)
    }

    /// What is left of its budget at `now` (seconds), whoever may spend it.
    pub fn remaining(&self, now: u64) -> Remaining {
        let used = self.budget.used_at(&self.used, now);
        self.budget
            .remaining(&used.and(&self.others_in(used.since)))
    }

    /// What all other copies have counted of the period that begins then.
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

    /// Remembers a payment that was counted, by its authorisation.
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

    /// The same mandate with one payment more.
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

    /// Whether this device is the one that answers a request that holds until then (seconds).
    pub(crate) fn answers(&self, until: i64) -> bool {
        let shares = self.shares.as_ref();
        shares.is_none_or(|shares| shares.answer(&self.budget, until))
    }

    /// Joins a copy that counts under no name of its own, as `seal-v1` has it: what both have counted together is not known, so that
    /// the later count holds, the higher one of the same period. That may be too little; whoever calls suspends it.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.used = self.used.merged(&other.used);
        self.total = self.total.higher(&other.total);
        self.ended |= other.ended;
    }

    /// Joins a copy that counts under a name, as this one does: each name's count is its own copy's, so that all of them together are
    /// what was spent.
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

    /// Joins another state of this very copy, which has counted under the same name since the two were one. Counted is what both have in
    /// common, once, and what each has besides. Where nothing common is known any more the sum of both holds: it may be more than was
    /// spent, and never less.
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

    /// Adds what another state of this copy has counted of the same period, and this one has not.
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
            // Only of a state that has gone one way is it known what came before what.
            self.recent = if has_more || was_counting {
                Vec::new()
            } else {
                other.recent.clone()
            };
        }
        self.used = self.used.and(&extra).within_numbers();
        self.total = self.total.and(&extra).within_numbers();
    }

    /// Takes note of what a copy has counted. Of two counts under one name the later one holds, the higher one of the same period.
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

    /// Another copy's mandate as this copy has it. What a device has a share of, another has none of until it is given one.
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

    /// Takes back what was counted under the own name.
    pub(crate) fn take_back_spent(&mut self, spent: &Used) {
        if self.used.since == spent.since {
            self.used = self.used.less(spent);
        }
        self.total = self.total.less(spent);
    }

    /// Makes one count of all that copies have counted: of the latest period of any of them.
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

    /// Counts under another name from now on: what was counted stays under the old one.
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

    /// Whether it is one that Keyhole writes.
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
