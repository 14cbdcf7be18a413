//! What everything in the formats `seal-v1` and `seal-v2` has in common.

use crate::error::VaultError;

/// The name of the format that is written. What is sealed in a state of any version (keys, methods, data keys) is bound to this name:
/// a key pair of an unlock method is wrapped once, and outlives the version of the state that it is in.
pub const FORMAT: &str = "seal-v1";
/// The name of the format that is read, and written only where it was read.
pub const FORMAT_2: &str = "seal-v2";
/// Largest number in a state: JavaScript's last exact integer.
pub const MAX_NUMBER: u64 = (1 << 53) - 1;

/// Whether this is a format that is read.
pub(crate) fn is_format(format: &str) -> bool {
    format == FORMAT || format == FORMAT_2
}

pub(crate) fn damaged(how: &'static str) -> VaultError {
    VaultError::StateDamaged { how }
}
