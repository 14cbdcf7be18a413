//! An unlock method as it is stored: one of several ways to one data key. Each can be replaced without the others.
//!
//! A method has an X25519 key pair. Its private half is wrapped under the method's key (from a passphrase, say), and
//! the data key is sealed to its public half. So an open vault can replace the data key and seal the new one to every
//! method, without the other methods' secrets.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::methods::method_kdf::Parameters;
use crate::methods::unlock_proof::{NewMethod, PASSPHRASE, RECOVERY_CODE, UnlockProof};
use crate::random::{self, Random};
use crate::seal::aead::{self, SealedBytes, canonical};
use crate::seal::format::FORMAT;
use crate::seal::kdf::{KdfMemory, hkdf};
use crate::seal::primitive;
use crate::seal::strict;
use crate::tools::Tools;
use keyhole_ucan::codec::base64::{self, Bytes, Fixed};

const ID_LENGTH: usize = 12;
const DATA_KEY_INFO: &[u8] = b"keyhole seal-v1 data key";

/// One way to open the vault, as the sealed state has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// 12 random bytes, base64url.
    pub id: String,
    /// `passphrase`, `passkey` or `recovery_code`.
    pub kind: String,
    /// Seconds since 1970.
    pub created_at: u64,
    /// How the method's key is derived: see [`Method::parameters`].
    #[serde(deserialize_with = "strict::value")]
    pub kdf: Value,
    /// The public half, X25519.
    pub public_key: Fixed<32>,
    /// The private half, under the method's key.
    pub wrap: SealedBytes,
    /// The data key, for the private half.
    pub data_key: SealedKeyFor,
    /// The other fields of a kind: a passkey's `credential` and `relying_party`.
    #[serde(flatten, deserialize_with = "strict::fields")]
    pub rest: Map<String, Value>,
}

/// A key of 32 bytes, sealed to a method's public half.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedKeyFor {
    /// The public half of a key pair that was used once.
    pub ephemeral: Fixed<32>,
    /// 24 random bytes.
    pub nonce: Fixed<{ aead::NONCE_LENGTH }>,
    /// 32 bytes and a tag.
    pub sealed: Bytes,
}

impl Method {
    /// How the method's key is derived.
    ///
    /// # Errors
    /// OPERATION_FAILED if it is damaged: a field is missing, unknown or in the wrong form for the method's kind; and
    /// as [`Kdf::check`](crate::seal::kdf::Kdf::check).
    pub fn parameters(&self) -> Result<Parameters, VaultError> {
        Parameters::read(&self.kind, &self.kdf, &self.rest)
    }

    /// Whether an account has at most one of its kind.
    pub(crate) fn is_single(&self) -> bool {
        matches!(self.kind.as_str(), PASSPHRASE | RECOVERY_CODE)
    }

    /// Makes a method of an account, under this id or a new one, and seals the account's data key to it.
    pub(crate) fn make(
        new: &NewMethod<'_>,
        id: Option<String>,
        address: &str,
        data_key: &[u8; 32],
        tools: &mut Tools<'_>,
    ) -> Result<Self, VaultError> {
        let parameters = Parameters::make(new, tools.random)?;
        let own_key = parameters.derive(new.proof(), tools.memory)?;
        let own_key =
            own_key.ok_or_else(|| VaultError::internal("This unlock method has no key."))?;
        let private = StaticSecret::from(*random::secret(tools.random)?);
        let empty = SealedBytes {
            nonce: Fixed([0; aead::NONCE_LENGTH]),
            sealed: Bytes(Vec::new()),
        };
        let (kdf, rest) = parameters.to_json()?;
        let id = match id {
            Some(id) => id,
            None => base64::encode(&random::public::<ID_LENGTH>(tools.random)?),
        };
        let mut method = Self {
            id,
            kind: parameters.kind().to_string(),
            created_at: tools.now,
            kdf,
            public_key: Fixed(PublicKey::from(&private).to_bytes()),
            data_key: SealedKeyFor {
                ephemeral: Fixed([0; 32]),
                nonce: empty.nonce,
                sealed: empty.sealed.clone(),
            },
            wrap: empty,
            rest,
        };
        let plaintext = Zeroizing::new(private.as_bytes().to_vec());
        method.wrap = aead::seal(
            &own_key,
            &method.wrap_binding(address)?,
            plaintext,
            tools.random,
        )?;
        method.seal_data_key(address, data_key, tools.random)?;
        Ok(method)
    }

    /// The data key, if the proof is this method's and nothing that the wrap is bound to was altered; `None` otherwise.
    ///
    /// # Errors
    /// OPERATION_FAILED as [`KdfMemory::derive`].
    pub(crate) fn open(
        &self,
        address: &str,
        proof: UnlockProof<'_>,
        memory: &mut KdfMemory,
    ) -> Result<Option<Zeroizing<[u8; 32]>>, VaultError> {
        let private = self.open_private(address, proof, memory)?;
        Ok(private.and_then(|private| self.data_key_by(address, &private)))
    }

    /// The private half, if the proof is this method's.
    ///
    /// # Errors
    /// As [`Method::open`].
    pub(crate) fn open_private(
        &self,
        address: &str,
        proof: UnlockProof<'_>,
        memory: &mut KdfMemory,
    ) -> Result<Option<StaticSecret>, VaultError> {
        let own_key = self.parameters()?.derive(proof, memory)?;
        Ok(own_key.and_then(|own_key| self.unwrap(address, &own_key)))
    }

    /// The data key, by the private half.
    pub(crate) fn data_key_by(
        &self,
        address: &str,
        private: &StaticSecret,
    ) -> Option<Zeroizing<[u8; 32]>> {
        let binding = |ephemeral: &_| self.data_key_binding(address, ephemeral);
        let public = &self.public_key;
        self.data_key.open(private, public, DATA_KEY_INFO, binding)
    }

    /// The private half, which must match the public half.
    pub(crate) fn unwrap(&self, address: &str, own_key: &[u8; 32]) -> Option<StaticSecret> {
        let binding = self.wrap_binding(address).ok()?;
        let private = to_key(aead::open(own_key, &binding, self.wrap.clone())?)?;
        let private = StaticSecret::from(*private);
        (PublicKey::from(&private).to_bytes() == self.public_key.0).then_some(private)
    }

    /// Seals a data key to the public half, with a key pair that is only used once.
    pub(crate) fn seal_data_key(
        &mut self,
        address: &str,
        data_key: &[u8; 32],
        random: &mut dyn Random,
    ) -> Result<(), VaultError> {
        let binding = |ephemeral: &_| self.data_key_binding(address, ephemeral);
        self.data_key =
            SealedKeyFor::make(data_key, &self.public_key, DATA_KEY_INFO, binding, random)?;
        Ok(())
    }

    /// Everything of the method except what is sealed in it: kind, salt, parameters, credential, relying party.
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
        ephemeral: &Fixed<32>,
    ) -> Result<Vec<u8>, VaultError> {
        canonical(&json!({
            "format": FORMAT,
            "part": "data key",
            "address": address,
            "method": self.id,
            "kind": self.kind,
            "public_key": self.public_key,
            "ephemeral": ephemeral,
        }))
    }
}

/// The receiver of a sealed key: their public half, and what the seal is bound to.
#[derive(Clone, Copy, Debug)]
pub struct SealedTo<'a> {
    /// X25519.
    pub public: &'a Fixed<32>,
    /// Tells this use of the key from others.
    pub info: &'a [u8],
    /// What the seal is bound to, followed by the ephemeral public half.
    pub binding: &'a [u8],
}

impl SealedKeyFor {
    /// Seals a key of 32 bytes to a receiver.
    ///
    /// # Errors
    /// OPERATION_FAILED for a public half of small order, and when randomness fails.
    pub fn seal(
        key: &[u8; 32],
        to: SealedTo<'_>,
        random: &mut dyn Random,
    ) -> Result<Self, VaultError> {
        let binding = |ephemeral: &Fixed<32>| Ok([to.binding, &ephemeral.0].concat());
        Self::make(key, to.public, to.info, binding, random)
    }

    /// Opens what [`SealedKeyFor::seal`] made, with the private half; `None` if anything differs.
    pub fn unseal(&self, private: &[u8; 32], to: SealedTo<'_>) -> Option<Zeroizing<[u8; 32]>> {
        let binding = |ephemeral: &Fixed<32>| Ok([to.binding, &ephemeral.0].concat());
        let private = StaticSecret::from(*private);
        self.open(&private, to.public, to.info, binding)
    }

    /// Seals a key to a public half. `binding` says what it is bound to, given the ephemeral public half.
    pub(crate) fn make(
        key: &[u8; 32],
        public: &Fixed<32>,
        info: &[u8],
        binding: impl FnOnce(&Fixed<32>) -> Result<Vec<u8>, VaultError>,
        random: &mut dyn Random,
    ) -> Result<Self, VaultError> {
        let once = StaticSecret::from(*random::secret(random)?);
        let ephemeral = Fixed(PublicKey::from(&once).to_bytes());
        let sealing = shared_key(&once, public, &ephemeral, public, info)
            .ok_or(VaultError::MethodUnusable)?;
        let plaintext = Zeroizing::new(key.to_vec());
        let sealed = aead::seal(&sealing, &binding(&ephemeral)?, plaintext, random)?;
        Ok(Self {
            ephemeral,
            nonce: sealed.nonce,
            sealed: sealed.sealed,
        })
    }

    /// Opens it with the private half.
    pub(crate) fn open(
        &self,
        private: &StaticSecret,
        public: &Fixed<32>,
        info: &[u8],
        binding: impl FnOnce(&Fixed<32>) -> Result<Vec<u8>, VaultError>,
    ) -> Option<Zeroizing<[u8; 32]>> {
        let key = shared_key(private, &self.ephemeral, &self.ephemeral, public, info)?;
        let sealed = SealedBytes {
            nonce: self.nonce,
            sealed: self.sealed.clone(),
        };
        to_key(aead::open(&key, &binding(&self.ephemeral).ok()?, sealed)?)
    }
}

/// HKDF-SHA256 over the shared secret, salted with both public halves; `None` for a point of small order.
fn shared_key(
    ours: &StaticSecret,
    theirs: &Fixed<32>,
    ephemeral: &Fixed<32>,
    public: &Fixed<32>,
    info: &[u8],
) -> Option<Zeroizing<[u8; 32]>> {
    let shared = primitive::x25519(ours.as_bytes(), &theirs.0)?;
    let salt = [&ephemeral.0[..], &public.0].concat();
    hkdf(&salt, &shared[..], info).ok()
}

pub(crate) fn to_key(bytes: Zeroizing<Vec<u8>>) -> Option<Zeroizing<[u8; 32]>> {
    let bytes: &[u8; 32] = bytes.as_slice().try_into().ok()?;
    Some(Zeroizing::new(*bytes))
}

#[cfg(test)]
#[path = "unlock_method_test.rs"]
mod tests;
