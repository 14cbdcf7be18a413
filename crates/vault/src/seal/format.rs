//! What everything in the format `seal-v1` has in common.

use crate::error::VaultError;

/// The format's name.
pub const FORMAT: &str = "seal-v1";
/// Largest number in a state: JavaScript's last exact integer.
pub const MAX_NUMBER: u64 = (1 << 53) - 1;

pub(crate) fn damaged(how: &'static str) -> VaultError {
    VaultError::StateDamaged { how }
}
