//! Derives one private key from a seed's tree: SLIP-0010 for Ed25519, BIP-32 for secp256k1.

use alloc::vec::Vec;
use core::fmt;

use hmac::{Hmac, KeyInit, Mac};
use k256::NonZeroScalar;
use sha2::Sha512;
use zeroize::{Zeroize, Zeroizing};

use crate::error::VaultError;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;

/// Longest path, in steps.
pub const MAX_DEPTH: usize = 16;
const HARDENED: u32 = 1 << 31;

/// The path from the root to a key. `Display` writes it with `'` after each hardened step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HdPath(Vec<u32>);

impl HdPath {
    /// Reads `m`, then `/` and a number below 2^31 for each step. `'`, `h` or `H` after it makes the step hardened.
    ///
    /// # Errors
    /// OPERATION_FAILED for anything else, and for more than [`MAX_DEPTH`] steps.
    pub fn parse(text: &str) -> Result<Self, VaultError> {
        let mut parts = text.split('/');
        let steps = match parts.next() {
            Some("m") => parts.take(MAX_DEPTH + 1).map(step).collect(),
            _ => None,
        };
        steps
            .filter(|steps: &Vec<u32>| steps.len() <= MAX_DEPTH)
            .map(Self)
            .ok_or(VaultError::PathInvalid)
    }

    /// Refuses a path that keys of this type do not have.
    ///
    /// # Errors
    /// INVALID_KEY_TYPE for P-256, which has no tree here; OPERATION_FAILED for a step that is not hardened in an
    /// Ed25519 path.
    pub fn check(&self, key_type: KeyType) -> Result<(), VaultError> {
        match key_type {
            KeyType::Ed25519 if self.0.iter().any(|step| step & HARDENED == 0) => {
                Err(VaultError::PathNotHardened)
            }
            KeyType::P256 => Err(VaultError::KeyTypeOfPhrase),
            _ => Ok(()),
        }
    }

    /// The default path: `m/44'/0'/0'` for Ed25519, Ethereum's first account `m/44'/60'/0'/0/0` for secp256k1.
    pub fn default_of(key_type: KeyType) -> Self {
        let steps: &[u32] = match key_type {
            KeyType::Secp256k1 => &[HARDENED | 44, HARDENED | 60, HARDENED, 0, 0],
            KeyType::Ed25519 | KeyType::P256 => &[HARDENED | 44, HARDENED, HARDENED],
        };
        Self(steps.to_vec())
    }
}

impl fmt::Display for HdPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("m")?;
        self.0.iter().try_for_each(|step| {
            let mark = if step & HARDENED == 0 { "" } else { "'" };
            write!(f, "/{}{mark}", step & !HARDENED)
        })
    }
}

/// One step. Only the mark may be written in different ways.
fn step(text: &str) -> Option<u32> {
    let number = text.strip_suffix(['\'', 'h', 'H']);
    let mark = if number.is_some() { HARDENED } else { 0 };
    let digits = number.unwrap_or(text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    let number: u32 = digits.parse().ok().filter(|_| is_plain)?;
    (number < HARDENED).then_some(number | mark)
}

/// A private key and what derives its children.
struct Node {
    key: Zeroizing<[u8; 32]>,
    chain_code: Zeroizing<[u8; 32]>,
}

impl Node {
    fn of(secret: &[u8], parts: &[&[u8]]) -> Result<Self, VaultError> {
        let mut mac = Hmac::<Sha512>::new_from_slice(secret).map_err(|_| no_key())?;
        parts.iter().for_each(|part| mac.update(part));
        let mut digest = mac.finalize().into_bytes();
        let mut node = Self {
            key: Zeroizing::new([0; 32]),
            chain_code: Zeroizing::new([0; 32]),
        };
        let (left, right) = digest.split_at(32);
        node.key.copy_from_slice(left);
        node.chain_code.copy_from_slice(right);
        digest.zeroize();
        Ok(node)
    }

    fn child(&self, key_type: KeyType, step: u32) -> Result<Self, VaultError> {
        let index = step.to_be_bytes();
        if step & HARDENED != 0 {
            let child = Self::of(&self.chain_code[..], &[&[0], &self.key[..], &index])?;
            return child.tweaked(key_type, self);
        }
        let public = SecretKey::from_bytes(key_type, &self.key)
            .map_err(|_| no_key())?
            .public_key()
            .to_multicodec();
        let point = public.get(2..).unwrap_or_default();
        Self::of(&self.chain_code[..], &[point, &index])?.tweaked(key_type, self)
    }

    /// For secp256k1 a child's key is the sum of the derived number and its parent's key.
    fn tweaked(mut self, key_type: KeyType, parent: &Self) -> Result<Self, VaultError> {
        if key_type == KeyType::Secp256k1 {
            let ours = NonZeroScalar::try_from(&self.key[..]).map_err(|_| no_key())?;
            let theirs = NonZeroScalar::try_from(&parent.key[..]).map_err(|_| no_key())?;
            let mut sum = *ours + *theirs;
            let mut bytes = sum.to_bytes();
            self.key.copy_from_slice(&bytes);
            sum.zeroize();
            bytes.zeroize();
        }
        Ok(self)
    }
}

/// The private key at `path` under a seed.
///
/// # Errors
/// As [`HdPath::check`]; OPERATION_FAILED for the one path in 2^127 without a key.
pub fn derive(seed: &[u8], key_type: KeyType, path: &HdPath) -> Result<SecretKey, VaultError> {
    path.check(key_type)?;
    let domain: &[u8] = match key_type {
        KeyType::Ed25519 => b"ed25519 seed",
        _ => b"Bitcoin seed",
    };
    let mut node = Node::of(domain, &[seed])?;
    for step in &path.0 {
        node = node.child(key_type, *step)?;
    }
    SecretKey::from_bytes(key_type, &node.key).map_err(|_| no_key())
}

fn no_key() -> VaultError {
    VaultError::NoKeyAtPath
}

#[cfg(test)]
#[path = "hd_key_test.rs"]
mod tests;
