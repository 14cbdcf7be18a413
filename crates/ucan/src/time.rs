//! Times in tokens: whole seconds since 1970, within ±(2⁵³ − 1), so that JavaScript keeps them exactly.

/// The latest time a token can name; the earliest is its negative.
pub const MAX_TIME: i64 = (1 << 53) - 1;

/// How far two clocks may differ by default, in seconds.
pub const DEFAULT_SKEW: u32 = 60;

/// The time of a check, and how far the issuer's clock may differ from ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Seconds since 1970.
    pub now: i64,
    /// Tolerance in seconds, at both ends.
    pub skew: u32,
}

impl Clock {
    /// Whether something that expires at `expires_at` has expired: `now > expires_at + skew`.
    pub fn is_after(self, expires_at: i64) -> bool {
        self.now > expires_at.saturating_add(i64::from(self.skew))
    }

    /// Whether something that starts at `not_before` has not started: `now < not_before − skew`.
    pub fn is_before(self, not_before: i64) -> bool {
        self.now < not_before.saturating_sub(i64::from(self.skew))
    }
}

/// Whether a token can name this time.
pub fn is_in_range(seconds: i64) -> bool {
    (-MAX_TIME..=MAX_TIME).contains(&seconds)
}

#[cfg(test)]
#[path = "time_test.rs"]
mod tests;
