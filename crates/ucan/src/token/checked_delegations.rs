//! Delegations that have been read and whose signatures were found to be their issuers', by their bytes. The same few proofs
//! come with every call of a client, and neither what they say nor whether they are signed can change: so both are kept.
//! Time, revocation, audience and policy are judged anew each time.
//!
//! How the enclave calls it: [`crate::token::read::text_with`] finds what is known, and [`CheckedDelegations::note`] is told of
//! each delegation of a path that held. An answer is the same with and without it.
//!
//! A stranger can make as many delegations of its own as it likes, and is not to push out those of others. What was seen once
//! is not kept: of it a number is noted. What comes a second time is kept on probation, and what is asked for there moves to
//! the regulars, which only others that were asked for as often can push out.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cmp::Ordering;

use crate::token::delegation::Delegation;
use crate::token::payload::Signed;

/// Most bytes of a delegation that is kept.
pub const MAX_STORED_LENGTH: usize = 16 * 1_024;
/// Most memory of those on probation, in bytes, by an estimate from above.
const MAX_PROBATION: usize = 1 << 20;
/// Most memory of the regulars, likewise.
const MAX_REGULARS: usize = 3 << 20;
/// Of how many delegations it is noted that they were seen; a power of two.
const NOTES: usize = 1 << 12;
/// Whoever was used within so many uses keeps its place among the regulars: that it is older by so few decides nothing.
const LATELY: u64 = 64;
/// What one delegation takes in memory, beside its bytes and its values: two of the tables' entries among it.
const ENTRY: usize = 768;
/// What one of its values takes in memory, read and as a part of its policy.
const VALUE: usize = 96;

/// The table. Bounded in memory; empty at first.
#[derive(Debug, Default)]
pub struct CheckedDelegations {
    entries: BTreeMap<ByBytes, Place>,
    probation: Segment,
    regulars: Segment,
    /// By its place, the number of a delegation that was seen last with that place. Made when it is needed.
    notes: Vec<u64>,
    /// Counts uses.
    time: u64,
}

/// Those of one kind, by when they were used last.
#[derive(Debug, Default)]
struct Segment {
    by_use: BTreeMap<u64, ByBytes>,
    weight: usize,
}

/// Where in its segment an entry stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    is_regular: bool,
    used: u64,
    weight: usize,
}

impl CheckedDelegations {
    /// How many delegations it holds.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// What it holds takes at most these bytes of memory.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.probation.weight + self.regulars.weight
    }

    /// The delegation of exactly these bytes, read and checked, where it is known.
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

    /// Is told of a delegation of a path that held. Keeps nothing whose verdict could be another one tomorrow: only what an
    /// issuer signed whose key is in its DID, and was found good.
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

    /// Whether it was not seen lately. It was from now on.
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
        // Who has to leave the regulars is on probation again; who has to leave that is forgotten.
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

/// A delegation, compared by its bytes: these differ within the signature, a few bytes from the start.
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
