//! An account's address: short, checksummed, and easy to compare by eye.
//!
//! bech32m (BIP 350) with the prefix `kh`, of the first 20 bytes of SHA-256("keyhole address v1" ‖ 0x00 ‖ chain id ‖
//! 0x00 ‖ multicodec public key). Pinned by `vectors/keyhole/address.json`.

use alloc::string::String;

use bech32::{Bech32m, Hrp};
use sha2::{Digest, Sha256};

use crate::error::VaultError;
use keyhole_ucan::identity::key::PublicKey;

/// The default network of addresses.
pub const DEFAULT_CHAIN_ID: &str = "keyhole-1";
/// The longest chain id, in bytes.
pub const MAX_CHAIN_ID_LENGTH: usize = 64;
/// What an address starts with, before the separator `1`.
pub const PREFIX: &str = "kh";

const DOMAIN: &[u8] = b"keyhole address v1\0";
const HASH_LENGTH: usize = 20;

/// The address of a key on a network: 41 characters, lower case.
///
/// # Errors
/// OPERATION_FAILED for a chain id that is empty, longer than [`MAX_CHAIN_ID_LENGTH`], or has characters other than
/// ASCII letters, digits, `-`, `_` and `.`.
pub fn derive_address(chain_id: &str, key: &PublicKey) -> Result<String, VaultError> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if chain_id.is_empty() || chain_id.len() > MAX_CHAIN_ID_LENGTH || !chain_id.bytes().all(fits) {
        return Err(VaultError::ChainIdInvalid);
    }
    let digest = Sha256::new()
        .chain_update(DOMAIN)
        .chain_update(chain_id)
        .chain_update([0])
        .chain_update(key.to_multicodec())
        .finalize();
    let hash = digest.get(..HASH_LENGTH).unwrap_or_default();
    bech32::encode::<Bech32m>(Hrp::parse_unchecked(PREFIX), hash)
        .map_err(|_| VaultError::internal("The address could not be written."))
}

/// Whether a text is an address: prefix, length, checksum; lower case only.
pub fn is_address(text: &str) -> bool {
    bech32::primitives::decode::CheckedHrpstring::new::<Bech32m>(text).is_ok_and(|parsed| {
        parsed.hrp() == Hrp::parse_unchecked(PREFIX)
            && parsed.byte_iter().count() == HASH_LENGTH
            && !text.bytes().any(|byte| byte.is_ascii_uppercase())
    })
}

#[cfg(test)]
#[path = "address_test.rs"]
mod tests;
