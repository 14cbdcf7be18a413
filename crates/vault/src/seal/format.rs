//! What everything in the format `seal-v1` has in common.

use alloc::format;

use crate::error::VaultError;

/// The format's name.
pub const FORMAT: &str = "seal-v1";
/// Largest number in a state: JavaScript's last exact integer.
pub const MAX_NUMBER: u64 = (1 << 53) - 1;

pub(crate) fn damaged(how: &str) -> VaultError {
    VaultError::failed(format!(
        "The sealed state is damaged: {how}. Restore it from a backup."
    ))
}
