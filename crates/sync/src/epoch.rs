//! Epochs: the keys that operations are sealed under. There is a new one whenever a device is removed.
//!
//! In each epoch, every device has its own lane, with a key that is derived from the epoch's key. A full device has the epoch's key, and so
//! every lane's. A limited device has only the key of its lane.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::bytes::{DeviceId, EpochId, Raw};
use crate::error::SyncError;
use keyhole_vault::error::VaultError;
use keyhole_vault::random::Random;
use keyhole_vault::seal::primitive;
use serde::{Deserialize, Serialize};

const ID_INFO: &[u8] = b"keyhole sync epoch v1";
const LANE_INFO: &[u8] = b"keyhole sync lane v1";
const CONTENTS_INFO: &[u8] = b"keyhole sync contents v1";
const STATE_INFO: &[u8] = b"keyhole sync state v1";
const NONCE_LENGTH: usize = 24;
const SMALLEST_PADDED: usize = 256;

/// A key of 32 bytes.
pub type Key = Zeroizing<[u8; 32]>;

/// An epoch's key. Wiped on drop.
#[derive(Clone)]
pub struct Epoch(pub Key);

impl Epoch {
    /// Makes a new one.
    ///
    /// # Errors
    /// When randomness fails.
    pub fn make(random: &mut dyn Random) -> Result<Self, SyncError> {
        let mut key = Zeroizing::new([0; 32]);
        random.fill(&mut key[..])?;
        Ok(Self(key))
    }

    /// Its id. It does not reveal the key.
    ///
    /// # Errors
    /// Never in practice.
    pub fn id(&self) -> Result<EpochId, SyncError> {
        Ok(EpochId(*derive(&self.0, &[], ID_INFO)?))
    }

    /// The key that a device's operations are sealed under.
    ///
    /// # Errors
    /// Never in practice.
    pub fn lane(&self, device: DeviceId) -> Result<Key, SyncError> {
        derive(&self.0, &device.0, LANE_INFO)
    }

    /// The key for the part of a head that only full devices can read.
    ///
    /// # Errors
    /// Never in practice.
    pub fn contents(&self) -> Result<Key, SyncError> {
        derive(&self.0, &[], CONTENTS_INFO)
    }

    /// The key for the states in all heads of an account, from the epoch of its first head.
    ///
    /// # Errors
    /// Never in practice.
    pub fn states(&self) -> Result<Key, SyncError> {
        derive(&self.0, &[], STATE_INFO)
    }
}

fn derive(key: &Key, salt: &[u8], info: &[u8]) -> Result<Key, SyncError> {
    let mut out = Zeroizing::new([0; 32]);
    primitive::hkdf_sha256(salt, &key[..], info, &mut out[..])?;
    Ok(out)
}

/// A padded text under a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// 24 random bytes.
    pub nonce: Raw,
    /// Ciphertext and tag.
    pub sealed: Raw,
}

impl Sealed {
    /// Pads and seals a text, bound to `binding`.
    ///
    /// # Errors
    /// When randomness fails.
    pub fn seal(
        key: &Key,
        text: &[u8],
        binding: &[u8],
        random: &mut dyn Random,
    ) -> Result<Self, SyncError> {
        let mut nonce = [0; NONCE_LENGTH];
        random.fill(&mut nonce)?;
        let sealed = primitive::seal(key, &nonce, binding, &pad(text)?)?;
        Ok(Self {
            nonce: Raw(nonce.to_vec()),
            sealed: Raw(sealed),
        })
    }

    /// From its nonce and what follows it.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let (nonce, sealed) = bytes.split_at_checked(NONCE_LENGTH)?;
        Some(Self {
            nonce: Raw(nonce.to_vec()),
            sealed: Raw(sealed.to_vec()),
        })
    }

    /// Opens it; `None` if anything differs.
    pub fn open(&self, key: &Key, binding: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let nonce = self.nonce.0.as_slice().try_into().ok()?;
        let padded = primitive::open(key, nonce, binding, &self.sealed.0)?;
        let (length, rest) = padded.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (text, padding) = rest.split_at_checked(length)?;
        let is_padded =
            padding.iter().all(|byte| *byte == 0) && padded.len() == padded_length(length);
        is_padded.then(|| Zeroizing::new(text.to_vec()))
    }
}

/// The length in 4 bytes, the text, and zeros up to one of few lengths: at most an eighth of it, or 256 bytes.
fn pad(text: &[u8]) -> Result<Zeroizing<Vec<u8>>, SyncError> {
    let length =
        u32::try_from(text.len()).map_err(|_| VaultError::internal("This is too long."))?;
    let mut padded = Zeroizing::new(Vec::with_capacity(padded_length(text.len())));
    padded.extend_from_slice(&length.to_be_bytes());
    padded.extend_from_slice(text);
    padded.resize(padded_length(text.len()), 0);
    Ok(padded)
}

/// The length of a text with its padding.
pub fn padded_length(length: usize) -> usize {
    let length = length + 4;
    let step = (length.next_power_of_two() / 8).max(SMALLEST_PADDED);
    length.div_ceil(step) * step
}
