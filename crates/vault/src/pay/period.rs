//! Periods of a budget: UTC days, ISO weeks (from Monday on), UTC months.

use serde::{Deserialize, Serialize};

const DAY: u64 = 24 * 60 * 60;
const WEEK: u64 = 7 * DAY;
/// 1970 began on a Thursday: the first Monday came four days later.
const FIRST_MONDAY: u64 = 4 * DAY;
/// The last second of the year 9999: far enough for a clock, near enough for its arithmetic.
const LATEST: u64 = 253_402_300_799;

/// The period of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Period {
    /// From midnight to midnight, UTC.
    Day,
    /// From Monday to Monday, UTC.
    Week,
    /// From the first of a month to the first of the next, UTC.
    Month,
}

impl Period {
    /// The first second of the period that includes `now` (seconds since 1970).
    pub fn start(self, now: u64) -> u64 {
        let now = now.min(LATEST);
        match self {
            Self::Day => now - now % DAY,
            // The week in which 1970 began started in 1969.
            Self::Week => now.saturating_sub(since_monday(now)),
            Self::Month => {
                let (year, month) = month_of(now / DAY);
                first_day(year, month) * DAY
            }
        }
    }

    /// The first second after the period that includes `now`.
    pub fn end(self, now: u64) -> u64 {
        let now = now.min(LATEST);
        match self {
            Self::Day => self.start(now) + DAY,
            Self::Week => now + WEEK - since_monday(now),
            Self::Month => {
                let (year, month) = month_of(now / DAY);
                let (year, month) = if month == 12 {
                    (year + 1, 1)
                } else {
                    (year, month + 1)
                };
                first_day(year, month) * DAY
            }
        }
    }
}

fn since_monday(now: u64) -> u64 {
    (now + WEEK - FIRST_MONDAY) % WEEK
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// The days from 1970 to the start of this year.
fn days_before(year: u64) -> u64 {
    let leaps = |year: u64| year / 4 - year / 100 + year / 400;
    (year - 1970) * 365 + leaps(year - 1) - leaps(1969)
}

fn days_in(year: u64, month: u64) -> u64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

/// The day (from 1970-01-01) that a month begins on.
fn first_day(year: u64, month: u64) -> u64 {
    days_before(year) + (1..month).map(|each| days_in(year, each)).sum::<u64>()
}

/// The year and the month that a day is in.
fn month_of(day: u64) -> (u64, u64) {
    let mut year = 1970 + day / 366;
    while days_before(year + 1) <= day {
        year += 1;
    }
    let mut month = 1;
    while month < 12 && first_day(year, month + 1) <= day {
        month += 1;
    }
    (year, month)
}

#[cfg(test)]
#[path = "period_test.rs"]
mod tests;
