//! A cache of delegations that were read and whose signatures are valid, by their bytes. A client sends the same few
//! proofs with every call, and neither their content nor their signatures can change, so both are kept. Time,
//! revocation, audience and policy are checked every time.
//!
//! [`crate::token::read::text_with`] looks up known delegations, and [`CheckedDelegations::note`] is called for each
//! delegation of a valid path. The answers are the same with and without the cache.
//!
//! A stranger can make any number of delegations, and must not evict those of others. So a delegation seen once isn't
//! kept, only a number for it. Seen again, it is kept on probation. If it is then found there, it joins the regulars,
//! which only delegations used as often can evict.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cmp::Ordering;

use crate::token::delegation::Delegation;
use crate::token::payload::Signed;

/// Longest delegation that is cached, in bytes.
pub const MAX_STORED_LENGTH: usize = 16 * 1_024;
/// Most memory for those on probation, in bytes, estimated from above.
const MAX_PROBATION: usize = 1 << 20;
/// Most memory for the regulars, estimated likewise.
const MAX_REGULARS: usize = 3 << 20;
/// How many delegations are noted as seen; a power of two.
const NOTES: usize = 1 << 12;
/// A regular that was used this recently keeps its position: so small a difference in age doesn't matter.
const LATELY: u64 = 64;
/// Memory of one delegation besides its bytes and values, including two table entries.
const ENTRY: usize = 768;
/// Memory of one of its values, as read and as a part of its policy.
const VALUE: usize = 96;

/// The cache. Bounded in memory; empty at first.
#[derive(Debug, Default)]
pub struct CheckedDelegations {
    entries: BTreeMap<ByBytes, Place>,
    probation: Segment,
    regulars: Segment,
    /// For each slot, the number of the delegation last seen there. Allocated when needed.
    notes: Vec<u64>,
    /// Counts uses.
    time: u64,
}

/// One segment's delegations, by last use.
#[derive(Debug, Default)]
struct Segment {
    by_use: BTreeMap<u64, ByBytes>,
    weight: usize,
}

/// Where an entry is in its segment.
#[derive(Clone, Copy, Debug)]
struct Place {
    is_regular: bool,
    used: u64,
    weight: usize,
}

impl CheckedDelegations {
    /// How many delegations are kept.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// An upper bound of the memory in use, in bytes.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.probation.weight + self.regulars.weight
    }

    /// The delegation with exactly these bytes, read and checked, if it is known.
    pub(crate) fn find(&mut self, bytes: &[u8]) -> Option<Signed<Delegation>> {
        let (ByBytes(token), place) = self.entries.get_key_value(bytes)?;
        let (found, place) = (token.known(), *place);
        self.time += 1;
        if !place.is_regular || self.time - place.used > LATELY {
            let token = token.clone();
            self.segment(place.is_regular).remove(place);
            self.put(ByBytes(token), place.weight, true);
        }
        Some(found)
    }

    /// Notes a delegation of a valid path. Keeps it only if its verdict can't change: its issuer's key is in the DID,
    /// and the signature is valid.
    pub fn note(&mut self, token: &Signed<Delegation>) {
        if token.is_known() {
            return;
        }
        let is_lasting = token.payload().issuer.method() == "key" && token.is_checked();
        let length = token.bytes().len();
        if !is_lasting || length > MAX_STORED_LENGTH || self.entries.contains_key(token.bytes()) {
            return;
        }
        if self.is_new(token.cid().number()) {
            return;
        }
        let weight = ENTRY + 2 * length + VALUE * token.values();
        if weight <= MAX_PROBATION {
            self.put(ByBytes(token.clone()), weight, false);
        }
    }

    /// Whether it wasn't seen recently. Notes it as seen.
    fn is_new(&mut self, number: u64) -> bool {
        if self.notes.is_empty() {
            self.notes = vec![0; NOTES];
        }
        let at = number as usize % NOTES;
        match self.notes.get_mut(at) {
            Some(note) => core::mem::replace(note, number) != number,
            None => true,
        }
    }

    fn put(&mut self, token: ByBytes, weight: usize, is_regular: bool) {
        self.time += 1;
        let place = Place {
            is_regular,
            used: self.time,
            weight,
        };
        self.segment(is_regular).insert(token.clone(), place);
        self.entries.insert(token, place);
        // What leaves the regulars goes back on probation; what leaves probation is forgotten.
        while self.regulars.weight > MAX_REGULARS
            && let Some((other, weight)) = self.take_oldest(true)
        {
            self.put(other, weight, false);
        }
        while self.probation.weight > MAX_PROBATION
            && let Some((other, _)) = self.take_oldest(false)
        {
            self.entries.remove(&other);
        }
    }

    fn take_oldest(&mut self, is_regular: bool) -> Option<(ByBytes, usize)> {
        let (_, token) = self.segment(is_regular).by_use.pop_first()?;
        let weight = self.entries.get(&token)?.weight;
        self.segment(is_regular).weight -= weight;
        Some((token, weight))
    }

    fn segment(&mut self, is_regular: bool) -> &mut Segment {
        match is_regular {
            true => &mut self.regulars,
            false => &mut self.probation,
        }
    }
}

impl Segment {
    fn insert(&mut self, token: ByBytes, place: Place) {
        self.by_use.insert(place.used, token);
        self.weight += place.weight;
    }

    fn remove(&mut self, place: Place) {
        self.by_use.remove(&place.used);
        self.weight -= place.weight;
    }
}

/// A delegation, compared by its bytes. They differ within the signature, a few bytes from the start.
#[derive(Clone, Debug)]
struct ByBytes(Signed<Delegation>);

impl Borrow<[u8]> for ByBytes {
    fn borrow(&self) -> &[u8] {
        self.0.bytes()
    }
}

impl PartialEq for ByBytes {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for ByBytes {}

impl PartialOrd for ByBytes {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByBytes {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.bytes().cmp(other.0.bytes())
    }
}

#[cfg(test)]
#[path = "checked_delegations_test.rs"]
mod tests;
