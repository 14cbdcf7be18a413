//! What the formats `seal-v1` and `seal-v2` have in common.

use crate::error::VaultError;

/// The format that is written. Everything sealed in a state of any version (keys, methods, data keys) is bound to this
/// name: an unlock method's key pair is wrapped once, and outlives the version of its state.
pub const FORMAT: &str = "seal-v1";
/// The format that is read, and only written for accounts that have it already.
pub const FORMAT_2: &str = "seal-v2";
/// Largest number in a state: JavaScript's last exact integer.
pub const MAX_NUMBER: u64 = (1 << 53) - 1;

/// Whether this format can be read.
pub(crate) fn is_format(format: &str) -> bool {
    format == FORMAT || format == FORMAT_2
}

pub(crate) fn damaged(how: &'static str) -> VaultError {
    VaultError::StateDamaged { how }
}
