//! An account's mandates and the requests answered under them, as the private section and a backup keep them.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::pay::mandate::Mandate;
use crate::pay::mandate_count::Names;
use crate::pay::mandate_error::MandateError;
use crate::pay::mandate_why::MandateWhy;
use keyhole_ucan::codec::cid::Cid;

/// Most mandates with a budget. Past it, the oldest that has ended is forgotten except for its CID, and never comes
/// back.
pub const MAX_MANDATES: usize = 256;
/// Most ended mandates whose CIDs are kept after they were forgotten. Past it, the first that was forgotten goes.
pub const MAX_OVER: usize = 4_096;
/// Most requests that are remembered at a time.
pub const MAX_REQUESTS: usize = 4_096;

/// An account's mandates and the requests that were answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mandates {
    /// Oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    mandates: Vec<Mandate>,
    /// CIDs of ended mandates that were forgotten, the first one first. An older copy can't bring them back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    over: Vec<String>,
    /// By CID, until when each could be asked again, in seconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    requests: BTreeMap<String, i64>,
    /// The latest of these times among forgotten requests: a clock that ran ahead and was set back may have forgotten
    /// one too early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    requests_until: Option<i64>,
}

impl Mandates {
    /// Whether there is nothing to store.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether everything is within its limits. Requests have none here: two joined copies may have more.
    pub(crate) fn is_valid(&self) -> bool {
        self.mandates.len() <= MAX_MANDATES
            && self.mandates.iter().all(Mandate::is_valid)
            && self.over.len() <= MAX_OVER
            && self.over.iter().all(|cid| Cid::parse(cid).is_ok())
    }

    /// Oldest first.
    pub(crate) fn all(&self) -> &[Mandate] {
        &self.mandates
    }

    /// Suspends every mandate that has not ended.
    pub(crate) fn suspend_all(&mut self) {
        for mandate in &mut self.mandates {
            mandate.suspended |= !mandate.ended;
        }
    }

    /// Counts as another copy than the one that has counted so far, which goes on. Nothing is spent until a person confirms it.
    pub(crate) fn go_on_apart(&mut self, names: Names<'_>) {
        for mandate in &mut self.mandates {
            *mandate = mandate.as_of(names);
        }
        self.suspend_all();
    }

    /// Whether it has parts that only `seal-v2` stores.
    pub(crate) fn have_counters(&self) -> bool {
        let mut all = self.mandates.iter();
        all.any(|mandate| {
            let others = !mandate.others.is_empty() || !mandate.recent.is_empty();
            others || mandate.shares.is_some()
        })
    }

    /// Counts under another name from now on. What was counted stays under the old one.
    pub(crate) fn count_as(&mut self, before: &str) {
        for mandate in &mut self.mandates {
            mandate.count_as(before);
        }
    }

    /// Joins a backup of another copy. Each copy has its own counter name, so what both have counted is known exactly.
    /// For this copy's own backups the higher count applies, which is ours. `now` is in seconds.
    pub(crate) fn merge_copy(&mut self, names: Names<'_>, other: &Self, now: u64) {
        self.merge_each(names, other, now, |ours, theirs| {
            ours.merge_counts(names.ours, theirs, names.theirs);
        });
    }

    /// Joins another state of the account. If it counts under the same name, both were one state before. `now` is in
    /// seconds.
    pub(crate) fn join(&mut self, names: Names<'_>, other: &Self, now: u64) {
        self.merge_each(names, other, now, |ours, theirs| {
            if names.ours == names.theirs {
                ours.join_fork(theirs);
            } else {
                ours.merge_counts(names.ours, theirs, names.theirs);
            }
        });
    }

    /// What has ended in one has ended in both. A mandate that was missing here comes with its counts.
    fn merge_each(
        &mut self,
        names: Names<'_>,
        other: &Self,
        now: u64,
        merge: impl Fn(&mut Mandate, &Mandate),
    ) {
        let now = now as i64;
        self.merge_over(other);
        for theirs in &other.mandates {
            let mut all = self.mandates.iter_mut();
            if let Some(ours) = all.find(|ours| ours.cid == theirs.cid) {
                merge(ours, theirs);
                ours.suspended |= theirs.suspended;
            } else if self.over.contains(&theirs.cid) {
                // It had ended in one of the two.
            } else if self.make_space(now) {
                self.mandates.push(theirs.as_of(names));
            } else if theirs.ended {
                self.note_over(&theirs.cid);
            }
        }
        self.merge_requests(other, now);
    }

    /// As `seal-v1` stores it: all copies' counts become one, in the latest period of any.
    pub(crate) fn as_one_count(&self) -> Self {
        let mut all = self.clone();
        for mandate in &mut all.mandates {
            mandate.count_as_one();
        }
        all
    }

    /// Suspends those that `before` did not have.
    pub(crate) fn suspend_new(&mut self, before: &Self) {
        for mandate in &mut self.mandates {
            let was_there = before.mandates.iter().any(|one| one.cid == mandate.cid);
            mandate.suspended |= !was_there;
        }
    }

    /// What has ended in another copy has ended here.
    fn merge_over(&mut self, other: &Self) {
        for cid in &other.over {
            self.note_over(cid);
        }
        for ours in &mut self.mandates {
            ours.ended |= other.over.contains(&ours.cid);
        }
    }

    /// What either has answered counts as answered.
    fn merge_requests(&mut self, other: &Self, now: i64) {
        for (cid, until) in &other.requests {
            let stored = self.requests.entry(cid.clone()).or_insert(*until);
            *stored = (*stored).max(*until);
        }
        self.requests_until = self.requests_until.max(other.requests_until);
        self.forget_requests(now);
    }

    /// Joins a backup: the higher count of each applies. A mandate whose latest count is not from here is suspended
    /// until a person confirms it, since what was spent after the backup is unknown. `now` is in seconds.
    pub(crate) fn merge_backup(&mut self, backup: &Self, now: u64) {
        let now = now as i64;
        self.merge_over(backup);
        for theirs in &backup.mandates {
            let mut all = self.mandates.iter_mut();
            if let Some(ours) = all.find(|ours| ours.cid == theirs.cid) {
                let before = ours.clone();
                ours.merge(theirs);
                ours.suspended |= *ours != before;
            } else if self.over.contains(&theirs.cid) {
                // It had already ended here when the copy was made, or has since.
            } else if self.make_space(now) {
                self.mandates.push(Mandate {
                    suspended: true,
                    ..theirs.clone()
                });
            } else if theirs.ended {
                self.note_over(&theirs.cid);
            }
            // Without room it is unknown here, and nothing can be spent under it.
        }
        self.merge_requests(backup, now);
    }

    /// Forgets the requests that can't be asked again at `now` (seconds).
    pub(crate) fn forget_requests(&mut self, now: i64) {
        let over = self.requests.values().filter(|until| **until < now);
        self.requests_until = self.requests_until.max(over.max().copied());
        self.requests.retain(|_, until| *until >= now);
    }

    /// Whether a request was answered and is remembered.
    pub(crate) fn was_answered(&self, request: &Cid) -> bool {
        self.requests.contains_key(&request.to_string())
    }

    /// Remembers until when (seconds) an answered request could be asked again; `false` if there is no room.
    pub(crate) fn remember(&mut self, request: &Cid, until: i64) -> bool {
        let has_space = self.requests.len() < MAX_REQUESTS;
        if has_space {
            self.requests.insert(request.to_string(), until);
        }
        has_space
    }

    /// Whether a request that must be remembered until then may have been answered and forgotten.
    pub(crate) fn may_have_forgotten(&self, until: i64) -> bool {
        self.requests_until.is_some_and(|latest| until <= latest)
    }

    /// Makes room for one more mandate by forgetting the oldest that has ended. Says whether there is room.
    fn make_space(&mut self, now: i64) -> bool {
        if self.mandates.len() < MAX_MANDATES {
            return true;
        }
        let mut all = self.mandates.iter();
        let Some(at) = all.position(|each| each.is_over(now)) else {
            return false;
        };
        let over = self.mandates.remove(at);
        self.note_over(&over.cid);
        true
    }

    fn note_over(&mut self, cid: &str) {
        if self.over.iter().any(|known| known == cid) {
            return;
        }
        if self.over.len() >= MAX_OVER {
            self.over.remove(0);
        }
        self.over.push(cid.to_string());
    }

    /// The mandate with this CID.
    pub(crate) fn find(&self, cid: &str) -> Result<&Mandate, MandateError> {
        let mut all = self.mandates.iter();
        all.find(|mandate| mandate.cid == cid)
            .ok_or_else(|| MandateError::Refused("UnknownMandate", MandateWhy::NoCount.into()))
    }

    /// The mandate with this CID.
    pub(crate) fn find_mut(&mut self, cid: &str) -> Option<&mut Mandate> {
        self.mandates.iter_mut().find(|mandate| mandate.cid == cid)
    }

    /// Adds a mandate that is missing, unless it has ended; `false` if there is no room.
    pub(crate) fn put_new(&mut self, mandate: Mandate, now: i64) -> bool {
        let is_there = self.mandates.iter().any(|each| each.cid == mandate.cid);
        if is_there || self.over.contains(&mandate.cid) {
            return true;
        }
        let has_space = self.make_space(now);
        if has_space {
            self.mandates.push(mandate);
        }
        has_space
    }

    /// The answered requests, and until when each is remembered.
    pub(crate) fn answered(&self) -> &BTreeMap<String, i64> {
        &self.requests
    }

    /// Remembers a request that was answered elsewhere.
    pub(crate) fn note_answered(&mut self, request: &str, until: i64) {
        let stored = self.requests.entry(request.to_string()).or_insert(until);
        *stored = (*stored).max(until);
    }

    /// Replaces a mandate or adds it; `false` if there is no room.
    pub(crate) fn put(&mut self, mandate: Mandate, now: i64) -> bool {
        let mut all = self.mandates.iter_mut();
        if let Some(place) = all.find(|each| each.cid == mandate.cid) {
            *place = mandate;
            return true;
        }
        let has_space = self.make_space(now);
        if has_space {
            self.mandates.push(mandate);
        }
        has_space
    }
}

#[cfg(test)]
#[path = "mandates_test.rs"]
mod tests;
