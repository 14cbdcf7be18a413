//! Adding a device to an account (docs/sync.md, "Adding a device").
//!
//! The new device shows a code, and the old one gets it by camera or by hand. Both exchange four messages through mailboxes of a relay, all
//! sealed under the code. Someone who saw the code could stand between them. So the new device commits itself to its keys before it sees the
//! old one's, and both show six digits over everything that was said. Whoever stands between has to commit to both sides before they know
//! what the other's digits will be, and is right once in a million times.

use alloc::vec::Vec;

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::bytes::{AccountId, DeviceId, Raw, RecordId, SealingKey};
use crate::epoch::{Key, Sealed};
use crate::error::SyncError;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_vault::error::VaultError;
use keyhole_vault::random::Random;
use keyhole_vault::seal::primitive;

/// Bytes of the code.
pub const CODE_LENGTH: usize = 16;
/// How many messages there are, each in a mailbox of its own.
pub const MESSAGES: u8 = 4;
/// Longest message, in bytes: a mailbox takes 64 KiB.
pub const MAX_MESSAGE: usize = 16_384;

const MESSAGE_INFO: &[u8] = b"keyhole pairing message v1";
const MAILBOX_INFO: &[u8] = b"keyhole pairing mailbox v1";
const COMMITMENT_DOMAIN: &[u8] = b"keyhole pairing commitment v1";
const DIGITS_DOMAIN: &[u8] = b"keyhole pairing digits v1";
const NONCE_LENGTH: usize = 24;
const DIGITS: u64 = 1_000_000;

const COMMIT: u8 = 1;
const OFFER: u8 = 2;
const REVEAL: u8 = 3;
const WELCOME: u8 = 4;

/// The 128 bits that one device shows and the other one reads. Wiped on drop.
#[derive(Clone)]
pub struct Code(pub Zeroizing<[u8; CODE_LENGTH]>);

/// A device's public keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKeys {
    /// Its id, which is what it signs with.
    pub device: DeviceId,
    /// What keys are sealed to.
    pub sealing: SealingKey,
}

/// What the old device offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The account's pseudonym.
    pub account: AccountId,
    /// Its first head.
    pub root: RecordId,
    /// The old device.
    pub by: PublicKeys,
}

/// Six digits, for a person to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits(pub u32);

/// The device that is added.
pub struct NewSide {
    code: Code,
    keys: PublicKeys,
    nonce: [u8; 32],
    has_revealed: bool,
}

/// The device that adds it.
pub struct OldSide {
    code: Code,
    commitment: [u8; 32],
    offered: Vec<u8>,
    has_checked: bool,
}

impl Code {
    /// The key that names one of the mailboxes. Both sides have it: one opens and reads, the other one writes.
    ///
    /// # Errors
    /// [`SyncError::PairingOutOfStep`] for a number that no message has.
    pub fn mailbox(&self, message: u8) -> Result<SecretKey, SyncError> {
        if !(COMMIT..=MESSAGES).contains(&message) {
            return Err(SyncError::PairingOutOfStep);
        }
        let seed = self.derive(message, MAILBOX_INFO)?;
        let key = SecretKey::from_bytes(KeyType::Ed25519, &seed);
        key.map_err(|_| VaultError::internal("A mailbox has no key.").into())
    }

    fn derive(&self, message: u8, info: &[u8]) -> Result<Key, SyncError> {
        let mut key = Zeroizing::new([0; 32]);
        primitive::hkdf_sha256(&[message], &self.0[..], info, &mut key[..])?;
        Ok(key)
    }

    fn seal(
        &self,
        message: u8,
        text: &[u8],
        random: &mut dyn Random,
    ) -> Result<Vec<u8>, SyncError> {
        let key = self.derive(message, MESSAGE_INFO)?;
        let sealed = Sealed::seal(&key, text, &[message], random)?;
        Ok([sealed.nonce.0, sealed.sealed.0].concat())
    }

    fn open(&self, message: u8, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, SyncError> {
        if bytes.len() > MAX_MESSAGE {
            return Err(SyncError::PairingRefused);
        }
        let (nonce, sealed) = bytes
            .split_at_checked(NONCE_LENGTH)
            .ok_or(SyncError::PairingRefused)?;
        let sealed = Sealed {
            nonce: Raw(nonce.to_vec()),
            sealed: Raw(sealed.to_vec()),
        };
        let key = self.derive(message, MESSAGE_INFO)?;
        let text = sealed.open(&key, &[message]);
        text.ok_or(SyncError::PairingRefused)
    }
}

impl NewSide {
    /// Makes a code, and the first message: the commitment to this device's keys.
    ///
    /// # Errors
    /// When randomness fails.
    pub fn begin(keys: PublicKeys, random: &mut dyn Random) -> Result<(Self, Vec<u8>), SyncError> {
        let mut code = Zeroizing::new([0; CODE_LENGTH]);
        random.fill(&mut code[..])?;
        let mut nonce = [0; 32];
        random.fill(&mut nonce)?;
        let side = Self {
            code: Code(code),
            keys,
            nonce,
            has_revealed: false,
        };
        let commitment = commit(&side.revealed());
        let message = side.code.seal(COMMIT, &commitment, random)?;
        Ok((side, message))
    }

    /// The code to show.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Takes the second message, once. Gives the third one, what is offered, and the digits.
    ///
    /// # Errors
    /// [`SyncError::PairingRefused`] for a message that isn't of this pairing; [`SyncError::PairingOutOfStep`] for a second one: then the
    /// digits would say nothing.
    pub fn reveal(
        &mut self,
        message: &[u8],
        random: &mut dyn Random,
    ) -> Result<(Vec<u8>, Offer, Digits), SyncError> {
        if self.has_revealed {
            return Err(SyncError::PairingOutOfStep);
        }
        let offered = self.code.open(OFFER, message)?;
        let offer = Offer::read(&offered)?;
        self.has_revealed = true;
        let revealed = self.revealed();
        let digits = digits_of(&commit(&revealed), &offered, &revealed);
        let message = self.code.seal(REVEAL, &revealed, random)?;
        Ok((message, offer, digits))
    }

    /// Takes the last message: what this device needs to read the account's records.
    ///
    /// # Errors
    /// As [`NewSide::reveal`].
    pub fn welcomed(&self, message: &[u8]) -> Result<Zeroizing<Vec<u8>>, SyncError> {
        if !self.has_revealed {
            return Err(SyncError::PairingOutOfStep);
        }
        self.code.open(WELCOME, message)
    }

    fn revealed(&self) -> Vec<u8> {
        [self.keys.device.0, self.keys.sealing.0, self.nonce].concat()
    }
}

impl OldSide {
    /// Takes the first message, and gives the second one: this device's keys, and what account it is.
    ///
    /// # Errors
    /// [`SyncError::PairingRefused`] for a message that isn't of this pairing; when randomness fails.
    pub fn answer(
        code: Code,
        offer: Offer,
        message: &[u8],
        random: &mut dyn Random,
    ) -> Result<(Self, Vec<u8>), SyncError> {
        let commitment = code.open(COMMIT, message)?;
        let [commitment] = parts(&commitment)?;
        let mut nonce = [0; 32];
        random.fill(&mut nonce)?;
        let Offer { account, root, by } = offer;
        let offered = [account.0, root.0, by.device.0, by.sealing.0, nonce].concat();
        let message = code.seal(OFFER, &offered, random)?;
        let side = Self {
            code,
            commitment,
            offered,
            has_checked: false,
        };
        Ok((side, message))
    }

    /// The code.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Takes the third message, once. Gives the new device's keys, and the digits.
    ///
    /// # Errors
    /// [`SyncError::PairingRefused`] for keys that the new device did not commit itself to; [`SyncError::PairingOutOfStep`] for a second
    /// message, also if the first one was refused.
    pub fn check(&mut self, message: &[u8]) -> Result<(PublicKeys, Digits), SyncError> {
        if self.has_checked {
            return Err(SyncError::PairingOutOfStep);
        }
        let revealed = self.code.open(REVEAL, message)?;
        self.has_checked = true;
        let [device, sealing, _] = parts(&revealed)?;
        if commit(&revealed) != self.commitment {
            return Err(SyncError::PairingRefused);
        }
        let digits = digits_of(&self.commitment, &self.offered, &revealed);
        let keys = PublicKeys {
            device: DeviceId(device),
            sealing: SealingKey(sealing),
        };
        Ok((keys, digits))
    }

    /// The last message.
    ///
    /// # Errors
    /// [`SyncError::PairingOutOfStep`] before the keys were checked; when randomness fails.
    pub fn welcome(&self, text: &[u8], random: &mut dyn Random) -> Result<Vec<u8>, SyncError> {
        if !self.has_checked {
            return Err(SyncError::PairingOutOfStep);
        }
        self.code.seal(WELCOME, text, random)
    }
}

impl Offer {
    fn read(offered: &[u8]) -> Result<Self, SyncError> {
        let [account, root, device, sealing, _] = parts(offered)?;
        Ok(Self {
            account: AccountId(account),
            root: RecordId(root),
            by: PublicKeys {
                device: DeviceId(device),
                sealing: SealingKey(sealing),
            },
        })
    }
}

/// A text of exactly `N` times 32 bytes.
fn parts<const N: usize>(text: &[u8]) -> Result<[[u8; 32]; N], SyncError> {
    let (parts, rest) = text.as_chunks::<32>();
    let parts = parts.try_into().ok().filter(|_| rest.is_empty());
    parts.ok_or(SyncError::PairingRefused)
}

fn commit(revealed: &[u8]) -> [u8; 32] {
    let digest = Sha256::new()
        .chain_update(COMMITMENT_DOMAIN)
        .chain_update(revealed);
    digest.finalize().into()
}

/// All parts have fixed lengths, so no two conversations give the same bytes.
fn digits_of(commitment: &[u8; 32], offered: &[u8], revealed: &[u8]) -> Digits {
    let digest = Sha256::new()
        .chain_update(DIGITS_DOMAIN)
        .chain_update(commitment)
        .chain_update(offered)
        .chain_update(revealed)
        .finalize();
    let number = digest
        .iter()
        .take(8)
        .fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
    Digits((number % DIGITS) as u32)
}

#[cfg(test)]
mod pairing_test;
