//! The stored tokens, column by column: what lists and filters look at.

use core::cmp::Ordering;

use crate::columns::{Cells, Columns};

/// Up to this many new rows are inserted into an order one by one. With more, the order is sorted again.
const FEW: usize = 512;

/// What is known about a token besides its texts. Times are milliseconds since 1970; no expiry is infinity, no start
/// minus infinity.
#[derive(Clone, Copy)]
pub struct Row {
    /// When it was stored.
    pub created_at: f64,
    /// When it expires.
    pub expires_at: f64,
    /// When it starts.
    pub not_before: f64,
    /// Its command, by the number of its text.
    pub command: u32,
    /// Its policy, by the number of its text.
    pub policy: u32,
    /// Issuer, audience's address, audience's DID and subject, by the numbers of their texts.
    pub people: [u32; 4],
    /// Its type, by its number.
    pub kind: u8,
    /// Whether a revocation of it is stored.
    pub revoked: bool,
}

/// The state of a token at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It hasn't started.
    Early,
    /// It is active.
    Live,
    /// It is active, and expires soon.
    Soon,
    /// It has expired.
    Ended,
    /// It is active and never expires.
    Endless,
    /// It was revoked.
    Revoked,
}

/// Two days, in milliseconds: a grant expires soon from then on, or in the last tenth of a shorter lifetime.
const SOON: f64 = 172_800_000.0;

impl Row {
    const fn cells(&self) -> Cells {
        Cells {
            kind: self.kind,
            command: self.command,
            policy: self.policy,
            people: self.people,
        }
    }

    /// Its state at `now`, by the rule that the client's words follow (`standing.ts`).
    pub fn standing(&self, now: f64) -> Standing {
        if self.revoked {
            return Standing::Revoked;
        }
        if now > self.expires_at {
            return Standing::Ended;
        }
        if now < self.not_before {
            return Standing::Early;
        }
        if self.expires_at == f64::INFINITY {
            return Standing::Endless;
        }
        let life = self.expires_at - self.created_at;
        if self.expires_at - now <= SOON.min(life / 10.0) {
            Standing::Soon
        } else {
            Standing::Live
        }
    }

    /// Whether it is active, or will be.
    pub fn is_live(&self, now: f64) -> bool {
        !matches!(self.standing(now), Standing::Ended | Standing::Revoked)
    }
}

/// All rows, and the orders they are shown in.
#[derive(Default)]
pub struct Rows {
    rows: Vec<Row>,
    columns: Columns,
    newest: Order,
    ending: Order,
}

impl Rows {
    /// No rows.
    pub const fn new() -> Self {
        Self {
            rows: Vec::new(),
            columns: Columns::new(),
            newest: Order::new(),
            ending: Order::new(),
        }
    }

    /// All of them, as they came.
    pub fn all(&self) -> &[Row] {
        &self.rows
    }

    /// What every query looks at, column by column.
    pub const fn columns(&self) -> &Columns {
        &self.columns
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Puts a row at a place: replaces one, or adds the next.
    pub fn put(&mut self, place: usize, row: Row) {
        self.columns.put(place.min(self.rows.len()), row.cells());
        let Some(old) = self.rows.get_mut(place) else {
            self.newest.added();
            self.ending.added();
            return self.rows.push(row);
        };
        if old.created_at != row.created_at || old.expires_at != row.expires_at {
            self.newest.forget();
            self.ending.forget();
        }
        *old = row;
    }

    /// Says whether a row is revoked.
    pub fn revoke(&mut self, place: usize, revoked: bool) {
        if let Some(row) = self.rows.get_mut(place) {
            row.revoked = revoked;
        }
    }

    /// Drops the rows with flag 0.
    pub fn keep(&mut self, kept: &[u8]) {
        let mut flags = kept.iter();
        self.rows
            .retain(|_| flags.next().is_some_and(|flag| *flag != 0));
        self.columns = Columns::new();
        for (place, row) in self.rows.iter().enumerate() {
            self.columns.put(place, row.cells());
        }
        self.newest.forget();
        self.ending.forget();
    }

    /// The places of all rows, newest first, and the rows.
    pub fn newest_first(&mut self) -> (&[u32], &[Row]) {
        self.newest.of(&self.rows, |one, other| {
            compare(other.created_at, one.created_at)
        })
    }

    /// The places of all rows, the soonest to expire first, those without an expiry last, newest first; and the rows.
    pub fn ending_first(&mut self) -> (&[u32], &[Row]) {
        self.ending.of(&self.rows, |one, other| {
            let by_end = compare(one.expires_at, other.expires_at);
            let is_endless = one.expires_at == f64::INFINITY;
            if is_endless {
                by_end.then(compare(other.created_at, one.created_at))
            } else {
                by_end
            }
        })
    }
}

/// Compares two times. A total order whatever a damaged record says, since sorting must not panic.
fn compare(one: f64, other: f64) -> Ordering {
    one.total_cmp(&other)
}

/// The places of rows in some order. Equal rows stay in the order they were added.
#[derive(Default)]
struct Order {
    places: Vec<u32>,
    /// Rows that were added since, and are not among the places yet.
    added: usize,
    is_known: bool,
}

impl Order {
    const fn new() -> Self {
        Self {
            places: Vec::new(),
            added: 0,
            is_known: true,
        }
    }

    fn added(&mut self) {
        self.added += 1;
    }

    fn forget(&mut self) {
        self.is_known = false;
    }

    fn of<'a>(
        &'a mut self,
        rows: &'a [Row],
        compare: impl Fn(&Row, &Row) -> Ordering,
    ) -> (&'a [u32], &'a [Row]) {
        let known = rows.len().saturating_sub(self.added);
        if self.is_known && self.added <= FEW && self.places.len() == known {
            for (place, row) in rows.iter().enumerate().skip(known) {
                let is_before = |other: &u32| {
                    rows.get(*other as usize)
                        .is_some_and(|other| compare(other, row).is_le())
                };
                let at = self.places.partition_point(is_before);
                self.places.insert(at, place as u32);
            }
        } else {
            let mut sorted: Vec<(u32, &Row)> = rows
                .iter()
                .enumerate()
                .map(|(place, row)| (place as u32, row))
                .collect();
            sorted.sort_by(|(_, one), (_, other)| compare(one, other));
            self.places.clear();
            self.places.extend(sorted.iter().map(|(place, _)| place));
        }
        self.added = 0;
        self.is_known = true;
        (&self.places, rows)
    }
}
