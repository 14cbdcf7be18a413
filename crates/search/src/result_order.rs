//! What a query found, in the order in which it is shown.

/// A row that matches.
const FITS: u8 = 1;
/// A matching row whose label has a word of the query.
const NAMED: u8 = 3;

/// The rows that match a query: those with a word in their label first, and newest first among equals.
pub struct Found {
    /// 0, `FITS` or `NAMED` for each row.
    flags: Vec<u8>,
    named: usize,
    others: usize,
}

impl Found {
    /// `fits` and `named` have a 1 for each row that matches, or whose label has a word.
    pub fn new(mut fits: Vec<u8>, named: &[u8]) -> Self {
        for (flag, named) in fits.iter_mut().zip(named) {
            *flag *= FITS + 2 * named;
        }
        let count = |wanted| fits.iter().filter(|flag| **flag == wanted).count();
        let (named, others) = (count(NAMED), count(FITS));
        Self {
            flags: fits,
            named,
            others,
        }
    }

    /// How many there are.
    pub const fn total(&self) -> usize {
        self.named + self.others
    }

    /// The places of those from `from` on, at most `count`. Looks no further than it must.
    pub fn places(&self, newest_first: &[u32], from: usize, count: usize) -> Vec<u32> {
        let with = |wanted: u8, from: usize, count: usize| {
            let is_one = move |place: &&u32| self.flags.get(**place as usize) == Some(&wanted);
            newest_first
                .iter()
                .filter(is_one)
                .skip(from)
                .take(count)
                .copied()
        };
        let named = self.named.saturating_sub(from).min(count);
        let others = (self.total().saturating_sub(from).min(count)).saturating_sub(named);
        with(NAMED, from, named)
            .chain(with(FITS, from.saturating_sub(self.named), others))
            .collect()
    }
}
