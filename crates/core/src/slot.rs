//! Unlock methods: several ways to one data key, each replaceable without the others at hand.
//!
//! A method has an X25519 key pair. Its private half is wrapped under the method's own key (from a passphrase, say), and
//! the data key is sealed to its public half: so the data key can be replaced, and sealed to every method again, by whoever
//! has the vault open, without any other method's secret.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hkdf::Hkdf;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::Sha256;
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

use crate::aead::{self, SealedBytes, canonical};
use crate::base64::{self, Bytes, Fixed};
use crate::kdf::{Cost, Kdf, KdfMemory};
use crate::random::{self, Random};
use crate::seal::FORMAT;
use crate::vault_error::VaultError;

/// The kind of method that a passphrase is.
pub const PASSPHRASE: &str = "passphrase";
/// Every kind that the format has. Those that this version cannot use are kept and sealed to all the same.
pub const KINDS: [&str; 3] = [PASSPHRASE, "passkey", "recovery_code"];

const ID_LENGTH: usize = 12;
const DATA_KEY_INFO: &[u8] = b"keyhole seal-v1 data key";

/// One way to open the vault, as the sealed state has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// 12 random bytes, base64url.
    pub id: String,
    /// One of [`KINDS`].
    pub kind: String,
    /// Seconds since 1970.
    pub created_at: u64,
    /// How the method's own key is derived; for a passphrase a [`Kdf`].
    pub kdf: Value,
    /// The public half, X25519.
    pub public_key: Fixed<32>,
    /// The private half under the method's own key.
    pub wrap: SealedBytes,
    /// The data key for the private half.
    pub data_key: SealedDataKey,
    /// What other kinds have besides (a passkey's `credential` and `relying_party`), kept and bound as it is.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// The data key, sealed to a method's public half.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedDataKey {
    /// The public half of a key pair that was used once.
    pub ephemeral: Fixed<32>,
    /// 24 random bytes.
    pub nonce: Fixed<{ aead::NONCE_LENGTH }>,
    /// 32 bytes and a tag.
    pub sealed: Bytes,
}

impl Method {
    /// Makes a passphrase method. `address` is the account's, `now` in seconds.
    pub(crate) fn make_passphrase(
        address: &str,
        passphrase: &str,
        cost: Cost,
        now: u64,
        data_key: &[u8; 32],
        memory: &mut KdfMemory,
        random: &mut dyn Random,
    ) -> Result<Self, VaultError> {
        let kdf = Kdf::make(cost, random)?;
        let own_key = memory.derive(&kdf, passphrase)?;
        let private = StaticSecret::from(*random::secret(random)?);
        let empty = SealedBytes {
            nonce: Fixed([0; aead::NONCE_LENGTH]),
            sealed: Bytes(Vec::new()),
        };
        let mut method = Self {
            id: base64::encode(&random::public::<ID_LENGTH>(random)?),
            kind: PASSPHRASE.to_string(),
            created_at: now,
            kdf: aead::to_json(&kdf)?,
            public_key: Fixed(PublicKey::from(&private).to_bytes()),
            data_key: SealedDataKey {
                ephemeral: Fixed([0; 32]),
                nonce: empty.nonce,
                sealed: empty.sealed.clone(),
            },
            wrap: empty,
            rest: Map::new(),
        };
        let plaintext = Zeroizing::new(private.as_bytes().to_vec());
        method.wrap = aead::seal(&own_key, &method.wrap_binding(address)?, plaintext, random)?;
        method.seal_data_key(address, data_key, random)?;
        Ok(method)
    }

    /// The parameters of a passphrase method, within their limits.
    ///
    /// # Errors
    /// OPERATION_FAILED when they do not parse, and as [`Kdf::check`].
    pub fn passphrase_kdf(&self) -> Result<Kdf, VaultError> {
        let kdf: Kdf = Kdf::deserialize(&self.kdf).map_err(|_| {
            VaultError::failed(
                "The sealed state is damaged: a passphrase's parameters do not parse.",
            )
        })?;
        kdf.check()?;
        Ok(kdf)
    }

    /// The data key, by the passphrase.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE for a wrong one, and when anything that the wrap is bound to was altered; OPERATION_FAILED as
    /// [`KdfMemory::derive`].
    pub(crate) fn open_with_passphrase(
        &self,
        address: &str,
        passphrase: &str,
        memory: &mut KdfMemory,
    ) -> Result<Zeroizing<[u8; 32]>, VaultError> {
        let own_key = memory.derive(&self.passphrase_kdf()?, passphrase)?;
        self.unwrap(address, &own_key)
            .ok_or_else(VaultError::wrong_passphrase)
    }

    fn unwrap(&self, address: &str, own_key: &[u8; 32]) -> Option<Zeroizing<[u8; 32]>> {
        let binding = self.wrap_binding(address).ok()?;
        let private = to_key(aead::open(own_key, &binding, self.wrap.clone())?)?;
        let private = StaticSecret::from(*private);
        if PublicKey::from(&private).to_bytes() != self.public_key.0 {
            return None;
        }
        let ephemeral = PublicKey::from(self.data_key.ephemeral.0);
        let key = self.data_key_key(&private, &ephemeral, &ephemeral)?;
        let sealed = SealedBytes {
            nonce: self.data_key.nonce,
            sealed: self.data_key.sealed.clone(),
        };
        let binding = self.data_key_binding(address, &ephemeral).ok()?;
        to_key(aead::open(&key, &binding, sealed)?)
    }

    /// Seals a data key to the public half, under a key pair that is used this once.
    pub(crate) fn seal_data_key(
        &mut self,
        address: &str,
        data_key: &[u8; 32],
        random: &mut dyn Random,
    ) -> Result<(), VaultError> {
        let once = StaticSecret::from(*random::secret(random)?);
        let ephemeral = PublicKey::from(&once);
        let public = PublicKey::from(self.public_key.0);
        let key = self
            .data_key_key(&once, &public, &ephemeral)
            .ok_or_else(|| {
                VaultError::failed(
                    "The sealed state is damaged: an unlock method has no usable key.",
                )
            })?;
        let plaintext = Zeroizing::new(data_key.to_vec());
        let binding = self.data_key_binding(address, &ephemeral)?;
        let sealed = aead::seal(&key, &binding, plaintext, random)?;
        self.data_key = SealedDataKey {
            ephemeral: Fixed(ephemeral.to_bytes()),
            nonce: sealed.nonce,
            sealed: sealed.sealed,
        };
        Ok(())
    }

    /// HKDF-SHA256 over the shared secret, salted with both public halves; `None` for a point of small order.
    fn data_key_key(
        &self,
        ours: &StaticSecret,
        theirs: &PublicKey,
        ephemeral: &PublicKey,
    ) -> Option<Zeroizing<[u8; 32]>> {
        let shared = ours.diffie_hellman(theirs);
        if !shared.was_contributory() {
            return None;
        }
        let salt = [&ephemeral.to_bytes()[..], &self.public_key.0].concat();
        let mut key = Zeroizing::new([0; 32]);
        Hkdf::<Sha256>::new(Some(&salt), shared.as_bytes())
            .expand(DATA_KEY_INFO, &mut key[..])
            .ok()?;
        Some(key)
    }

    /// Everything of the method but what is sealed in it: kind, salt, parameters, credential, relying party.
    fn wrap_binding(&self, address: &str) -> Result<Vec<u8>, VaultError> {
        let mut method = aead::to_json(self)?;
        if let Value::Object(fields) = &mut method {
            fields.remove("wrap");
            fields.remove("data_key");
        }
        canonical(&json!({"format": FORMAT, "part": "wrap", "address": address, "method": method}))
    }

    fn data_key_binding(
        &self,
        address: &str,
        ephemeral: &PublicKey,
    ) -> Result<Vec<u8>, VaultError> {
        canonical(&json!({
            "format": FORMAT,
            "part": "data key",
            "address": address,
            "method": self.id,
            "kind": self.kind,
            "public_key": self.public_key,
            "ephemeral": Fixed(ephemeral.to_bytes()),
        }))
    }
}

fn to_key(bytes: Zeroizing<Vec<u8>>) -> Option<Zeroizing<[u8; 32]>> {
    let bytes: &[u8; 32] = bytes.as_slice().try_into().ok()?;
    Some(Zeroizing::new(*bytes))
}

#[cfg(test)]
#[path = "slot_test.rs"]
mod tests;
