//! From a passphrase to a key: Argon2id (RFC 9106), with limits on the parameters that are read, and reusable memory.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use hkdf::Hkdf;
use keyhole_argon2id::{Block, Derivation, Inputs};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use zeroize::{Zeroizing, optimization_barrier};

use crate::error::VaultError;
use crate::random::{self, Random};
use keyhole_ucan::codec::base64::Fixed;

/// Bytes of a salt.
pub const SALT_LENGTH: usize = 16;
/// Fewest characters (Unicode scalar values) of a new passphrase.
pub const MIN_PASSPHRASE_CHARACTERS: usize = 12;
/// Most bytes (UTF-8) of a passphrase.
pub const MAX_PASSPHRASE_BYTES: usize = 1_024;

/// The one function of format version 1.
const ARGON2ID: &str = "argon2id";
const MEMORY_LIMITS: core::ops::RangeInclusive<u32> = 19 * 1_024..=512 * 1_024;
const PASS_LIMITS: core::ops::RangeInclusive<u32> = 2..=10;
const LANE_LIMITS: core::ops::RangeInclusive<u32> = 1..=16;

/// How a passphrase becomes a key. Stored beside what the key opens, and bound into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kdf {
    /// `argon2id`.
    pub name: String,
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over the memory.
    pub passes: u32,
    /// Lanes; they are filled one after the other.
    pub lanes: u32,
    /// 16 random bytes.
    pub salt: Fixed<SALT_LENGTH>,
}

/// The cost of deriving a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over the memory.
    pub passes: u32,
    /// Lanes.
    pub lanes: u32,
}

impl Cost {
    /// Today's cost: 64 MiB, 3 passes, 1 lane (RFC 9106 §4, second recommendation, with one lane since a Worker has one
    /// thread).
    pub const TODAY: Self = Self {
        memory_kib: 64 * 1_024,
        passes: 3,
        lanes: 1,
    };

    /// This cost, with each part raised to at least today's; `None` if nothing was lower.
    pub fn raised(self) -> Option<Self> {
        let raised = Self {
            memory_kib: self.memory_kib.max(Self::TODAY.memory_kib),
            passes: self.passes.max(Self::TODAY.passes),
            lanes: self.lanes,
        };
        (raised != self).then_some(raised)
    }
}

impl Kdf {
    /// Argon2id at this cost under a new random salt.
    pub(crate) fn make(cost: Cost, random: &mut dyn Random) -> Result<Self, VaultError> {
        Ok(Self {
            name: ARGON2ID.into(),
            memory_kib: cost.memory_kib,
            passes: cost.passes,
            lanes: cost.lanes,
            salt: Fixed(random::public(random)?),
        })
    }

    /// The cost.
    pub fn cost(&self) -> Cost {
        Cost {
            memory_kib: self.memory_kib,
            passes: self.passes,
            lanes: self.lanes,
        }
    }

    /// Refuses a cost that is too low to protect or too high to run, before anything is allocated.
    ///
    /// # Errors
    /// OPERATION_FAILED for a function other than Argon2id, less than 19 MiB or 2 passes, or more than 512 MiB, 10
    /// passes or 16 lanes.
    pub fn check(&self) -> Result<(), VaultError> {
        let within = MEMORY_LIMITS.contains(&self.memory_kib)
            && PASS_LIMITS.contains(&self.passes)
            && LANE_LIMITS.contains(&self.lanes);
        if self.name != ARGON2ID {
            return Err(VaultError::KdfUnknown);
        }
        if !within {
            return Err(VaultError::KdfParameters);
        }
        Ok(())
    }
}

/// Argon2's memory, kept between two derivations since touching fresh pages costs more than the passes do. It is always
/// wiped after use, and memory beyond today's cost is given back.
///
/// It can be told to pause ([`KdfMemory::pause_after`]). A derivation that isn't done by then is refused. The caller
/// starts again once [`KdfMemory::go_on`] has finished it, and finds the key ready.
#[derive(Default)]
pub struct KdfMemory {
    blocks: Vec<Block>,
    pause_after: Option<usize>,
    paused: Option<Derivation>,
    /// Keys that were derived since [`KdfMemory::forget`], by the digest of their inputs.
    derived: Vec<Derived>,
}

struct Derived {
    from: Zeroizing<[u8; 64]>,
    key: Zeroizing<Vec<u8>>,
}

impl KdfMemory {
    /// Allocates and touches the memory of a derivation in advance.
    ///
    /// # Errors
    /// OPERATION_FAILED when there isn't enough memory.
    pub fn reserve(&mut self, memory_kib: u32) -> Result<(), VaultError> {
        let wanted = usize::try_from(memory_kib).unwrap_or(usize::MAX);
        let missing = wanted.saturating_sub(self.blocks.len());
        self.blocks
            .try_reserve_exact(missing)
            .map_err(|_| VaultError::NoMemory)?;
        if missing > 0 {
            self.blocks.resize(wanted, Block::ZERO);
        }
        Ok(())
    }

    /// From now on a derivation pauses after this many blocks of 1 KiB. `None`: never.
    pub fn pause_after(&mut self, blocks: Option<usize>) {
        self.forget();
        self.pause_after = blocks.map(|blocks| blocks.max(1));
    }

    /// Whether derivations pause.
    pub fn pauses(&self) -> bool {
        self.pause_after.is_some()
    }

    /// Whether a derivation has started and isn't done.
    pub fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Continues the paused derivation. Answers whether none is paused any more.
    pub fn go_on(&mut self) -> bool {
        let Some(mut derivation) = self.paused.take() else {
            return true;
        };
        let most = self.pause_after.unwrap_or(usize::MAX);
        if !derivation.go_on(&mut self.blocks, most) {
            self.paused = Some(derivation);
            return false;
        }
        let from = Zeroizing::new(*derivation.digest());
        let mut key = Zeroizing::new(vec![0; derivation.length()]);
        derivation.finish(&self.blocks, &mut key);
        self.wipe();
        self.derived.push(Derived { from, key });
        true
    }

    /// Abandons a paused derivation, and forgets the derived keys.
    pub fn forget(&mut self) {
        self.derived.clear();
        if self.paused.take().is_some() {
            self.wipe();
        }
    }

    /// The key of a passphrase.
    ///
    /// # Errors
    /// As [`Kdf::check`]; OPERATION_FAILED when there isn't enough memory, and when it pauses; INVALID_PASSPHRASE for
    /// one that is too long, without trying it.
    pub fn derive(
        &mut self,
        kdf: &Kdf,
        passphrase: &str,
    ) -> Result<Zeroizing<[u8; 32]>, VaultError> {
        kdf.check()?;
        if passphrase.len() > MAX_PASSPHRASE_BYTES {
            return Err(VaultError::WrongPassphrase);
        }
        let mut key = Zeroizing::new([0; 32]);
        let inputs = Inputs {
            memory_kib: kdf.memory_kib,
            passes: kdf.passes,
            lanes: kdf.lanes,
            password: passphrase.as_bytes(),
            salt: &kdf.salt.0,
            secret: &[],
            associated: &[],
            length: key.len(),
        };
        self.run(&inputs, &mut key[..])?;
        Ok(key)
    }

    /// Derives a throw-away key, so that the engine has run this code. Takes a few milliseconds.
    ///
    /// # Errors
    /// OPERATION_FAILED when there isn't enough memory, and when it pauses.
    pub fn exercise(&mut self) -> Result<(), VaultError> {
        let inputs = Inputs {
            memory_kib: 1_024,
            passes: 2,
            lanes: 1,
            password: &[],
            salt: &[0; 16],
            secret: &[],
            associated: &[],
            length: 32,
        };
        self.run(&inputs, &mut [0; 32])
    }

    /// Argon2id within limits that the caller has checked. Fills `out`, whose length is in the inputs, and wipes the
    /// memory.
    pub(crate) fn run(&mut self, inputs: &Inputs<'_>, out: &mut [u8]) -> Result<(), VaultError> {
        if !inputs.are_possible() {
            return Err(VaultError::internal("Argon2id has no such parameters."));
        }
        let from = inputs.digest();
        if !self.derived.iter().any(|derived| derived.from == from) {
            if self.is_paused() {
                return Err(paused());
            }
            self.reserve(inputs.memory_kib)?;
            self.paused = Derivation::begin(inputs, &mut self.blocks);
            if !self.go_on() {
                return Err(paused());
            }
        }
        let derived = self.derived.iter().find(|derived| derived.from == from);
        let key = derived.filter(|derived| derived.key.len() == out.len());
        out.copy_from_slice(&key.ok_or_else(paused)?.key);
        if !self.pauses() {
            self.derived.clear();
        }
        Ok(())
    }

    fn wipe(&mut self) {
        self.blocks.fill(Block::ZERO);
        optimization_barrier(&self.blocks[..]);
        if self.blocks.len() > Cost::TODAY.memory_kib as usize {
            self.blocks = Vec::new();
        }
    }
}

fn paused() -> VaultError {
    VaultError::Deriving
}

/// HKDF-SHA256 (RFC 5869), 32 bytes: the key from a secret that can't be guessed, for one purpose.
///
/// # Errors
/// OPERATION_FAILED if the output is too long, which 32 bytes never are.
pub(crate) fn hkdf(
    salt: &[u8],
    secret: &[u8],
    info: &[u8],
) -> Result<Zeroizing<[u8; 32]>, VaultError> {
    let mut key = Zeroizing::new([0; 32]);
    hkdf_into(salt, secret, info, &mut key[..])?;
    Ok(key)
}

/// HKDF-SHA256 (RFC 5869): fills `out`.
///
/// # Errors
/// OPERATION_FAILED past 8,160 bytes.
pub(crate) fn hkdf_into(
    salt: &[u8],
    secret: &[u8],
    info: &[u8],
    out: &mut [u8],
) -> Result<(), VaultError> {
    Hkdf::<Sha256>::new(Some(salt), secret)
        .expand(info, out)
        .map_err(|_| VaultError::internal("HKDF refused its parameters."))
}

/// Checks a new passphrase.
///
/// # Errors
/// INVALID_PASSPHRASE for fewer than 12 characters or more than 1,024 bytes.
pub fn check_new_passphrase(passphrase: &str) -> Result<(), VaultError> {
    if passphrase.len() > MAX_PASSPHRASE_BYTES {
        return Err(VaultError::PassphraseTooLong {
            most: MAX_PASSPHRASE_BYTES,
        });
    }
    if passphrase.chars().count() < MIN_PASSPHRASE_CHARACTERS {
        return Err(VaultError::PassphraseTooShort {
            least: MIN_PASSPHRASE_CHARACTERS,
        });
    }
    Ok(())
}

#[cfg(test)]
#[path = "kdf_test.rs"]
mod tests;
