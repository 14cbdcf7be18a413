//! Everything that is known about one account's stored tokens.

use crate::haystack::{APART, Hay};
use crate::input::Input;
use crate::lexicon::Lexicon;
use crate::rows::{Row, Rows, Standing};

/// Flag of a page: only tokens that are active or will be.
const LIVE: u32 = 1;
/// People are matched as issuers, not as audiences.
const BY_ISSUER: u32 = 2;
/// Only tokens that involve certain people.
const AMONG: u32 = 4;
/// Any command.
const ANY: u32 = u32::MAX;

/// The tokens, laid out for lists and search.
#[derive(Default)]
pub struct Index {
    /// Column by column.
    pub rows: Rows,
    /// Each token's label, once it was opened.
    pub labels: Hay,
    /// Each token's CID.
    pub cids: Hay,
    /// Distinct commands.
    pub commands: Lexicon,
    /// Distinct policies, each on one line.
    pub policies: Lexicon,
    /// Distinct DIDs and addresses.
    pub people: Lexicon,
    /// What else can be found besides tokens.
    pub entries: Hay,
}

/// How many grants there are of each kind.
#[derive(Default)]
pub struct Totals {
    /// Given, and active or about to start.
    pub live: u32,
    /// Of those, how many expire soon.
    pub soon: u32,
    /// Given.
    pub given: u32,
    /// Received.
    pub received: u32,
}

impl Index {
    /// An empty index.
    pub const fn new() -> Self {
        Self {
            rows: Rows::new(),
            labels: Hay::new(),
            cids: Hay::new(),
            commands: Lexicon::new(),
            policies: Lexicon::new(),
            people: Lexicon::new(),
            entries: Hay::new(),
        }
    }

    /// Puts rows at places: for each its place, three times, six text numbers, its type, and whether it was revoked.
    pub fn put_rows(&mut self, input: &mut Input<'_>) -> Option<()> {
        for _ in 0..input.u32()? {
            let place = input.u32()?;
            let (created_at, expires_at, not_before) = (input.f64()?, input.f64()?, input.f64()?);
            let (command, policy) = (input.u32()?, input.u32()?);
            let people = [input.u32()?, input.u32()?, input.u32()?, input.u32()?];
            let (kind, revoked) = (input.u32()?, input.u32()?);
            let kind = u8::try_from(kind).ok().filter(|kind| *kind < 32)?;
            let revoked = revoked != 0;
            self.rows.put(
                place as usize,
                Row {
                    created_at,
                    expires_at,
                    not_before,
                    command,
                    policy,
                    people,
                    kind,
                    revoked,
                },
            );
        }
        Some(())
    }

    /// Says whether rows are revoked: for each its place, and a 1 or a 0.
    pub fn revoke(&mut self, input: &mut Input<'_>) -> Option<()> {
        for _ in 0..input.u32()? {
            let (place, revoked) = (input.u32()?, input.u32()?);
            self.rows.revoke(place as usize, revoked != 0);
        }
        Some(())
    }

    /// Drops the rows with flag 0, and their texts.
    pub fn keep(&mut self, kept: &[u8]) {
        self.rows.keep(kept);
        self.labels.keep(kept);
        self.cids.keep(kept);
    }

    /// The texts of a number that the worker and this module agree on (`index-memory.ts`).
    pub fn hay(&mut self, number: u32) -> Option<&mut Hay> {
        Some(match number {
            0 => &mut self.labels,
            1 => &mut self.cids,
            2 => &mut self.commands.texts,
            3 => &mut self.commands.notes,
            4 => &mut self.policies.texts,
            5 => &mut self.policies.notes,
            6 => &mut self.people.texts,
            7 => &mut self.people.notes,
            8 => &mut self.entries,
            _ => return None,
        })
    }

    /// A list of tokens: the soonest to expire first, then those without an expiry, then the expired ones, the last to
    /// expire first.
    ///
    /// Gives the places from `offset` on, at most `limit`, and the length of the whole list.
    pub fn page(&mut self, input: &mut Input<'_>) -> Option<(Vec<u32>, u32)> {
        let now = input.f64()?;
        let (kinds, command, flags) = (input.u32()?, input.u32()?, input.u32()?);
        let (offset, limit) = (input.u32()?, input.u32()?);
        let people = input.text()?;
        let (order, rows) = self.rows.ending_first();
        let is_of = |row: &Row| {
            let [issuer, _, did, _] = row.people;
            let number = if flags & BY_ISSUER == 0 { did } else { issuer };
            people.get(number as usize).is_some_and(|flag| *flag != 0)
        };
        let row = |place: &u32| rows.get(*place as usize);
        let ended =
            order.partition_point(|place| row(place).is_some_and(|row| row.expires_at < now));
        let (over, coming) = order.split_at_checked(ended)?;
        let mut places = Vec::new();
        let mut total = 0;
        for place in coming.iter().chain(over.iter().rev()) {
            let Some(row) = row(place) else { continue };
            let is_listed = kinds & (1 << row.kind) != 0
                && (command == ANY || command == row.command)
                && (flags & LIVE == 0 || row.is_live(now))
                && (flags & AMONG == 0 || is_of(row));
            if !is_listed {
                continue;
            }
            if total >= offset && places.len() < limit as usize {
                places.push(*place);
            }
            total += 1;
        }
        Some((places, total))
    }

    /// Counts given and received tokens, by the bits of their types.
    pub fn totals(&self, now: f64, given: u32, received: u32) -> Totals {
        let mut totals = Totals::default();
        for row in self.rows.all() {
            totals.received += u32::from(received & (1 << row.kind) != 0);
            if given & (1 << row.kind) == 0 {
                continue;
            }
            totals.given += 1;
            totals.live += u32::from(row.is_live(now));
            totals.soon += u32::from(row.standing(now) == Standing::Soon);
        }
        totals
    }
}

/// The texts of a run, each with `APART` after it.
pub fn texts_of(run: &[u8]) -> impl Iterator<Item = &[u8]> {
    run.strip_suffix(&[APART])
        .into_iter()
        .flat_map(|run| run.split(|byte| *byte == APART))
}
