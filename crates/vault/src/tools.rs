//! What a change of a vault needs besides its arguments.

use crate::random::Random;
use crate::seal::kdf::{Cost, KdfMemory};

/// What a change needs besides its arguments: time in seconds, randomness, Argon2's memory.
pub struct Tools<'a> {
    /// Seconds since 1970.
    pub now: u64,
    /// Where new keys, nonces and salts come from.
    pub random: &'a mut dyn Random,
    /// Kept between two derivations.
    pub memory: &'a mut KdfMemory,
    /// What deriving a key from a new passphrase costs: [`Cost::TODAY`].
    pub cost: Cost,
}
