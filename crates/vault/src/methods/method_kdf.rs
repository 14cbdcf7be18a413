//! How an unlock method's key is derived: strict reading of what the state says about it, and the derivation.

use alloc::string::{String, ToString};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::methods::unlock_proof::{
    NewMethod, NewPasskey, PASSKEY, PASSPHRASE, PRF_LENGTH, RECOVERY_CODE, UnlockProof,
};
use crate::random::{self, Random};
use crate::seal::aead;
use crate::seal::format::damaged;
use crate::seal::kdf::{Kdf, KdfMemory, SALT_LENGTH, hkdf};
use keyhole_ucan::codec::base64::{self, Fixed};

const PRF: &str = "webauthn-prf";
const HKDF: &str = "hkdf-sha256";
const PASSKEY_INFO: &[u8] = b"keyhole seal-v1 passkey";
const RECOVERY_CODE_INFO: &[u8] = b"keyhole seal-v1 recovery code";

/// WebAuthn's limit for a credential's id, in bytes.
const MAX_CREDENTIAL_BYTES: usize = 1_023;
/// The longest domain.
const MAX_RELYING_PARTY_BYTES: usize = 253;

/// What derives a method's key.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameters {
    /// Argon2id of a passphrase.
    Passphrase(Kdf),
    /// HKDF-SHA256 of a passkey's two outputs.
    Passkey(Passkey),
    /// HKDF-SHA256 of a recovery code, with this salt.
    RecoveryCode(Fixed<SALT_LENGTH>),
}

/// What is public about a passkey.
#[derive(Clone, Debug, PartialEq)]
pub struct Passkey {
    /// The credential's id, base64url.
    pub credential: String,
    /// The domain it belongs to.
    pub relying_party: String,
    /// The two inputs of its pseudo-random function, first ‖ second.
    pub salt: Fixed<PRF_LENGTH>,
}

/// A function of HKDF's kind: its name, and its salt.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Salted<const N: usize> {
    name: String,
    salt: Fixed<N>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PasskeyFields {
    credential: String,
    relying_party: String,
}

impl Parameters {
    /// Reads what a method of this kind says about its derivation.
    ///
    /// # Errors
    /// OPERATION_FAILED if it is damaged: a field is missing, unknown or in the wrong form for the kind; and as
    /// [`Kdf::check`].
    pub(crate) fn read(
        kind: &str,
        kdf: &Value,
        rest: &Map<String, Value>,
    ) -> Result<Self, VaultError> {
        let broken = || damaged("an unlock method does not parse");
        if kind == PASSKEY {
            let fields = PasskeyFields::deserialize(Value::Object(rest.clone()));
            let PasskeyFields {
                credential,
                relying_party,
            } = fields.map_err(|_| broken())?;
            let salt = salt(kdf, PRF).ok_or_else(broken)?;
            // Keyhole writes a domain in lower case. The wrap is bound to whatever is read.
            let is_short = (1..=MAX_RELYING_PARTY_BYTES).contains(&relying_party.len());
            if !is_credential(&credential) || !is_short {
                return Err(broken());
            }
            return Ok(Self::Passkey(Passkey {
                credential,
                relying_party,
                salt,
            }));
        }
        if !rest.is_empty() {
            return Err(broken());
        }
        match kind {
            PASSPHRASE => {
                let kdf = Kdf::deserialize(kdf).map_err(|_| broken())?;
                kdf.check()?;
                Ok(Self::Passphrase(kdf))
            }
            RECOVERY_CODE => salt(kdf, HKDF).map(Self::RecoveryCode).ok_or_else(broken),
            _ => Err(broken()),
        }
    }

    /// The parameters of a new method, with a new random salt unless the method has one.
    pub(crate) fn make(new: &NewMethod<'_>, random: &mut dyn Random) -> Result<Self, VaultError> {
        match new {
            NewMethod::Passphrase(_, cost) => Kdf::make(*cost, random).map(Self::Passphrase),
            NewMethod::Passkey(passkey) => Passkey::of(passkey).map(Self::Passkey),
            NewMethod::RecoveryCode(_) => Ok(Self::RecoveryCode(Fixed(random::public(random)?))),
        }
    }

    /// The kind of method that they belong to.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Passphrase(_) => PASSPHRASE,
            Self::Passkey(_) => PASSKEY,
            Self::RecoveryCode(_) => RECOVERY_CODE,
        }
    }

    /// What distinguishes methods of this kind; `None` if an account has only one.
    pub(crate) fn told_apart_by(&self) -> Option<&str> {
        match self {
            Self::Passkey(passkey) => Some(&passkey.credential),
            Self::Passphrase(_) | Self::RecoveryCode(_) => None,
        }
    }

    /// Whether the proof belongs to this method, without trying it.
    pub(crate) fn is_for(&self, proof: &UnlockProof<'_>) -> bool {
        match (self, proof) {
            (Self::Passkey(passkey), UnlockProof::Passkey { credential, .. }) => {
                passkey.credential == *credential
            }
            _ => self.kind() == proof.kind(),
        }
    }

    /// The method's key; `None` if the proof doesn't belong to this method.
    ///
    /// # Errors
    /// As [`KdfMemory::derive`].
    pub(crate) fn derive(
        &self,
        proof: UnlockProof<'_>,
        memory: &mut KdfMemory,
    ) -> Result<Option<Zeroizing<[u8; 32]>>, VaultError> {
        if !self.is_for(&proof) {
            return Ok(None);
        }
        let key = match (self, proof) {
            (Self::Passphrase(kdf), UnlockProof::Passphrase(words)) => memory.derive(kdf, words)?,
            (Self::Passkey(passkey), UnlockProof::Passkey { prf, .. }) => {
                hkdf(&passkey.salt.0, &prf.0[..], PASSKEY_INFO)?
            }
            (Self::RecoveryCode(salt), UnlockProof::RecoveryCode(code)) => {
                hkdf(&salt.0, &code.0[..], RECOVERY_CODE_INFO)?
            }
            _ => return Ok(None),
        };
        Ok(Some(key))
    }

    /// `kdf`, and the other fields of the method.
    pub(crate) fn to_json(&self) -> Result<(Value, Map<String, Value>), VaultError> {
        let kdf = match self {
            Self::Passphrase(kdf) => aead::to_json(kdf),
            Self::Passkey(passkey) => aead::to_json(&Salted {
                name: PRF.to_string(),
                salt: passkey.salt,
            }),
            Self::RecoveryCode(salt) => aead::to_json(&Salted {
                name: HKDF.to_string(),
                salt: *salt,
            }),
        }?;
        let mut rest = Map::new();
        if let Self::Passkey(passkey) = self {
            rest.insert("credential".to_string(), passkey.credential.clone().into());
            rest.insert(
                "relying_party".to_string(),
                passkey.relying_party.clone().into(),
            );
        }
        Ok((kdf, rest))
    }
}

impl Passkey {
    fn of(new: &NewPasskey<'_>) -> Result<Self, VaultError> {
        if !is_credential(new.credential) {
            return Err(VaultError::input(
                "A passkey's `credential` is base64url without padding, of 1 to 1,023 bytes.",
            ));
        }
        if !is_relying_party(new.relying_party) {
            return Err(VaultError::input(
                "A passkey's `relying_party` is a domain, in lower case.",
            ));
        }
        // A passkey's answer that was overwritten after use and then passed again would make a key that everyone knows.
        let (first, second) = new.prf.0.split_at(PRF_LENGTH / 2);
        if [first, second]
            .iter()
            .any(|half| half.iter().all(|byte| *byte == 0))
        {
            return Err(VaultError::PasskeyAnswerUsed);
        }
        Ok(Self {
            credential: new.credential.to_string(),
            relying_party: new.relying_party.to_string(),
            salt: new.salt,
        })
    }
}

fn salt<const N: usize>(kdf: &Value, name: &str) -> Option<Fixed<N>> {
    let salted = Salted::<N>::deserialize(kdf).ok()?;
    (salted.name == name).then_some(salted.salt)
}

fn is_credential(text: &str) -> bool {
    // Check the length first: four characters encode three bytes.
    text.len() <= MAX_CREDENTIAL_BYTES * 4 / 3
        && base64::decode(text).is_some_and(|bytes| !bytes.is_empty())
}

fn is_relying_party(text: &str) -> bool {
    let fits =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte);
    (1..=MAX_RELYING_PARTY_BYTES).contains(&text.len()) && text.bytes().all(fits)
}
