//! A query, and what matches it.

use crate::index::Index;
use crate::input::Input;
use crate::result_order::Found;
use crate::rows::{Row, Standing};

/// What a row must be besides having the words. NaN: any time.
struct Filters<'a> {
    now: f64,
    before: f64,
    after: f64,
    ends_by: f64,
    /// A bit for each allowed type.
    kinds: u32,
    status: Option<Status>,
    /// A 1 for each allowed command; empty: any.
    commands: &'a [u8],
    to: Option<&'a [u8]>,
    from: Option<&'a [u8]>,
}

#[derive(Clone, Copy)]
enum Status {
    Live,
    Soon,
    Ended,
    Revoked,
}

/// A word to look for, in lower case.
struct Word<'a> {
    text: &'a [u8],
    /// Whether it is long enough to look for in DIDs and addresses too: nearly all of them contain short ones by
    /// chance.
    in_people: bool,
    /// The same for CIDs, if it has only characters that CIDs use.
    in_cids: bool,
}

/// Bits of the query's flags.
const HAS_TO: u32 = 1;
const HAS_FROM: u32 = 2;
/// Bits of a word's flags.
const IN_PEOPLE: u32 = 1;
const IN_CIDS: u32 = 2;

/// If fewer than one in this many rows are left, each is checked individually.
const FEW: usize = 4;

/// A query as the worker writes it (`index-memory.ts`).
pub struct Query<'a> {
    filters: Filters<'a>,
    words: Vec<Word<'a>>,
    is_narrowed: bool,
}

impl<'a> Query<'a> {
    /// Reads a query; `None` if it is cut off.
    pub fn read(input: &mut Input<'a>) -> Option<Self> {
        let (now, before, after, ends_by) =
            (input.f64()?, input.f64()?, input.f64()?, input.f64()?);
        let (kinds, status, flags) = (input.u32()?, input.u32()?, input.u32()?);
        let commands = input.text()?;
        let (to, from) = (input.text()?, input.text()?);
        let words = (0..input.u32()?)
            .map(|_| {
                let flags = input.u32()?;
                let text = input.text()?;
                Some(Word {
                    text,
                    in_people: flags & IN_PEOPLE != 0,
                    in_cids: flags & IN_CIDS != 0,
                })
            })
            .collect::<Option<Vec<_>>>()?;
        let status = match status {
            1 => Some(Status::Live),
            2 => Some(Status::Soon),
            3 => Some(Status::Ended),
            4 => Some(Status::Revoked),
            _ => None,
        };
        let to = (flags & HAS_TO != 0).then_some(to);
        let from = (flags & HAS_FROM != 0).then_some(from);
        let is_narrowed = kinds != u32::MAX
            || status.is_some()
            || !commands.is_empty()
            || to.is_some()
            || from.is_some()
            || [before, after, ends_by].iter().any(|time| !time.is_nan());
        let filters = Filters {
            now,
            before,
            after,
            ends_by,
            kinds,
            status,
            commands,
            to,
            from,
        };
        Some(Self {
            filters,
            words,
            is_narrowed,
        })
    }

    /// The rows that match.
    pub fn run(&self, index: &Index) -> Found {
        let count = index.rows.len();
        let mut fits = vec![1; count];
        let mut named = vec![0; count];
        let mut left = count;
        for word in &self.words {
            if left == 0 {
                break;
            }
            left = narrow_by_word(word, index, &mut fits, &mut named, left);
        }
        if self.is_narrowed {
            self.filters.narrow(index, &mut fits);
        }
        Found::new(fits, &named)
    }
}

/// Keeps the matching rows that contain this word as well, and says how many there are.
fn narrow_by_word(
    word: &Word<'_>,
    index: &Index,
    fits: &mut [u8],
    named: &mut [u8],
    left: usize,
) -> usize {
    let mut hits = vec![0; fits.len()];
    let is_few = left * FEW < fits.len();
    let mark = |hay: &crate::haystack::Hay, hits: &mut [u8]| {
        if is_few {
            hay.mark_among(word.text, hits, fits)
        } else {
            hay.mark(word.text, hits)
        }
    };
    mark(&index.labels, &mut hits);
    for (named, hit) in named.iter_mut().zip(&hits) {
        *named |= hit;
    }
    if word.in_cids {
        mark(&index.cids, &mut hits);
    }
    let commands = index.commands.hits(word.text, true);
    let policies = index.policies.hits(word.text, true);
    let people = index.people.hits(word.text, word.in_people);
    let columns = index.rows.columns();
    join(&mut hits, &columns.commands, &commands);
    join(&mut hits, &columns.policies, &policies);
    if people.contains(&1) {
        let groups = columns.groups_with(&people, |group| *group);
        join(&mut hits, &columns.groups_of, &groups);
    }
    let mut count = 0;
    for (fit, hit) in fits.iter_mut().zip(&hits) {
        *fit &= hit;
        count += usize::from(*fit);
    }
    count
}

/// Sets `hits` to 1 for each row whose text in a column is marked.
fn join(hits: &mut [u8], column: &[u32], texts: &[u8]) {
    // Most words are not in any text of most columns.
    if !texts.contains(&1) {
        return;
    }
    for (hit, number) in hits.iter_mut().zip(column) {
        *hit |= texts.get(*number as usize).copied().unwrap_or_default();
    }
}

/// Keeps the rows whose text in a column is marked.
fn keep(fits: &mut [u8], column: &[u32], texts: &[u8]) {
    for (fit, number) in fits.iter_mut().zip(column) {
        *fit &= texts.get(*number as usize).copied().unwrap_or_default();
    }
}

impl Filters<'_> {
    fn narrow(&self, index: &Index, fits: &mut [u8]) {
        let columns = index.rows.columns();
        if self.kinds != u32::MAX {
            for (fit, kind) in fits.iter_mut().zip(&columns.kinds) {
                *fit &= u8::from(self.kinds & (1 << kind) != 0);
            }
        }
        if !self.commands.is_empty() {
            keep(fits, &columns.commands, self.commands);
        }
        if let Some(word) = self.to {
            let people = index.people.hits(word, true);
            let groups = columns.groups_with(&people, |[_, address, did, _]| [*address, *did]);
            keep(fits, &columns.groups_of, &groups);
        }
        if let Some(word) = self.from {
            let people = index.people.hits(word, true);
            let groups = columns.groups_with(&people, |[issuer, ..]| [*issuer]);
            keep(fits, &columns.groups_of, &groups);
        }
        if !self.has_times() {
            return;
        }
        let fitting = fits.iter_mut().zip(index.rows.all());
        for (fit, row) in fitting.filter(|(fit, _)| **fit != 0) {
            *fit = u8::from(self.is_then(row));
        }
    }

    /// Whether it looks at any time of a row.
    fn has_times(&self) -> bool {
        let times = [self.before, self.after, self.ends_by];
        self.status.is_some() || times.iter().any(|time| !time.is_nan())
    }

    fn is_then(&self, row: &Row) -> bool {
        (self.before.is_nan() || row.created_at < self.before)
            && (self.after.is_nan() || row.created_at >= self.after)
            && (self.ends_by.is_nan() || row.expires_at < self.ends_by)
            && self.status.is_none_or(|status| status.holds(row, self.now))
    }
}

impl Status {
    fn holds(self, row: &Row, now: f64) -> bool {
        match self {
            Self::Live => row.is_live(now),
            Self::Soon => row.standing(now) == Standing::Soon,
            Self::Ended => row.standing(now) == Standing::Ended,
            Self::Revoked => row.standing(now) == Standing::Revoked,
        }
    }
}
