//! A device's two keys, made in its enclave: one signs its log, and other devices seal keys to the other.

use zeroize::Zeroizing;

use crate::bytes::{AccountId, DeviceId, RecordId, SealingKey};
use crate::error::SyncError;
use keyhole_ucan::codec::base64::Fixed;
use keyhole_ucan::identity::key::{PublicKey, SecretKey};
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_vault::error::VaultError;
use keyhole_vault::methods::unlock_method::{SealedKeyFor, SealedTo};
use keyhole_vault::random::Random;
use keyhole_vault::seal::primitive;

const INFO: &[u8] = b"keyhole sync device key v1";
const MARKING_INFO: &[u8] = b"keyhole sync marking v1";
const MARK_INFO: &[u8] = b"keyhole sync mark v1";

/// Says that this device has checked a record's signature, so that it doesn't check it again when it is opened. It is a MAC of the account
/// and the record's id, which is the hash of all its bytes. So no one else can make one, and it says the same at any time and in any place.
pub type Mark = [u8; 16];

/// X25519's base point (RFC 7748 §4.1).
const BASE: [u8; 32] = {
    let mut base = [0; 32];
    base[0] = 9;
    base
};

/// The private halves. They are wiped on drop, and `Debug` does not show them.
#[derive(Clone, Debug)]
pub struct DeviceKeys {
    signing: SecretKey,
    opening: Zeroizing<[u8; 32]>,
    marking: Zeroizing<[u8; 32]>,
    id: DeviceId,
    sealing: SealingKey,
}

impl DeviceKeys {
    /// Makes new ones.
    ///
    /// # Errors
    /// When randomness fails.
    pub fn make(random: &mut dyn Random) -> Result<Self, SyncError> {
        let mut seeds = [Zeroizing::new([0; 32]), Zeroizing::new([0; 32])];
        for seed in &mut seeds {
            random.fill(&mut seed[..])?;
        }
        let [signing, opening] = seeds;
        Self::from_seeds(&signing, opening)
    }

    /// Keys that were stored.
    ///
    /// # Errors
    /// OPERATION_FAILED for bytes that are not a key.
    pub fn from_seeds(signing: &[u8; 32], opening: Zeroizing<[u8; 32]>) -> Result<Self, SyncError> {
        let mut marking = Zeroizing::new([0; 32]);
        primitive::hkdf_sha256(&[], signing, MARKING_INFO, &mut marking[..])?;
        let no_key = || VaultError::internal("These aren't a device's keys.");
        let signing = SecretKey::from_bytes(KeyType::Ed25519, signing).map_err(|_| no_key())?;
        let PublicKey::Ed25519(public) = signing.public_key() else {
            return Err(no_key().into());
        };
        let sealing = primitive::x25519(&opening, &BASE).ok_or_else(no_key)?;
        Ok(Self {
            id: DeviceId(public.to_bytes()),
            sealing: SealingKey(*sealing),
            signing,
            opening,
            marking,
        })
    }

    /// The device's id.
    pub fn id(&self) -> DeviceId {
        self.id
    }

    /// The public key that others seal to.
    pub fn sealing(&self) -> SealingKey {
        self.sealing
    }

    /// Signs its records.
    pub fn signing(&self) -> &SecretKey {
        &self.signing
    }

    /// The mark of a record of an account.
    ///
    /// # Errors
    /// Never in practice.
    pub fn mark(&self, account: AccountId, record: RecordId) -> Result<Mark, SyncError> {
        let mut mark = [0; 16];
        let about = [account.0, record.0].concat();
        primitive::hkdf_sha256(&about, &self.marking[..], MARK_INFO, &mut mark)?;
        Ok(mark)
    }

    /// Opens a key that was sealed to it; `None` if anything differs.
    pub fn unseal(&self, sealed: &SealedKeyFor, binding: &[u8]) -> Option<Zeroizing<[u8; 32]>> {
        let public = Fixed(self.sealing.0);
        sealed.unseal(&self.opening, to(&public, binding))
    }
}

/// Seals a key to a device.
///
/// # Errors
/// OPERATION_FAILED for a public half of small order, and when randomness fails.
pub fn seal_to(
    sealing: SealingKey,
    key: &[u8; 32],
    binding: &[u8],
    random: &mut dyn Random,
) -> Result<SealedKeyFor, SyncError> {
    let public = Fixed(sealing.0);
    Ok(SealedKeyFor::seal(key, to(&public, binding), random)?)
}

fn to<'a>(public: &'a Fixed<32>, binding: &'a [u8]) -> SealedTo<'a> {
    SealedTo {
        public,
        info: INFO,
        binding,
    }
}
