//! The count of a mandate: what each copy of the account has spent under it, and how copies are joined.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::pay::budget::{Remaining, Used};
use crate::pay::mandate::{Count, MAX_RECENT, Mandate, Recent};
use crate::pay::mandate_error::{MandateError, refused};
use crate::pay::mandate_why::MandateWhy;
use crate::pay::payment::Payment;
use crate::pay::share::Shares;
use keyhole_ucan::codec::base64::Fixed;
use keyhole_ucan::codec::cid::Cid;

/// The names that two copies of an account count under.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'a> {
    /// This one's.
    pub ours: &'a str,
    /// The other one's.
    pub theirs: &'a str,
}

impl Mandate {
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
}
