//! Reads proofs that open an account, and new ways to open one.

use keyhole_ucan::codec::base64::{Fixed, Secret};
use keyhole_vault::error::VaultError;
use keyhole_vault::methods::recovery_code::RecoveryCode;
use keyhole_vault::methods::unlock_proof::{NewPasskey, PRF_LENGTH, UnlockProof};
use serde::Deserialize;

use crate::refusal::Refusal;
use crate::secret::{SecretText, read_secret};

/// `proof`: exactly one of these.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UnlockProofInput {
    passphrase: Option<SecretText>,
    passkey: Option<PasskeyAnswer>,
    recovery_code: Option<SecretText>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct PasskeyAnswer {
    credential: String,
    #[serde(deserialize_with = "read_secret")]
    prf: Secret<PRF_LENGTH>,
}

/// A passkey to add.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PasskeyInput {
    credential: String,
    relying_party: String,
    salt: Fixed<PRF_LENGTH>,
    #[serde(deserialize_with = "read_secret")]
    prf: Secret<PRF_LENGTH>,
    label: Option<String>,
}

/// A proof after its texts were read.
pub enum ReadUnlockProof<'a> {
    Ready(UnlockProof<'a>),
    Code(RecoveryCode),
}

impl UnlockProofInput {
    /// Reads the recovery code, if that is the proof.
    ///
    /// # Errors
    /// OPERATION_FAILED for none or several of the three, and for a mistyped recovery code.
    pub fn read(&self) -> Result<ReadUnlockProof<'_>, Refusal> {
        match (&self.passphrase, &self.passkey, &self.recovery_code) {
            (Some(passphrase), None, None) => Ok(ReadUnlockProof::Ready(UnlockProof::Passphrase(
                passphrase.expose(),
            ))),
            (None, Some(PasskeyAnswer { credential, prf }), None) => {
                Ok(ReadUnlockProof::Ready(UnlockProof::Passkey {
                    credential,
                    prf,
                }))
            }
            (None, None, Some(code)) => {
                Ok(ReadUnlockProof::Code(RecoveryCode::parse(code.expose())?))
            }
            _ => Err(Refusal::from(VaultError::input(
                "A proof is exactly one of `passphrase`, `passkey` and `recovery_code`.",
            ))),
        }
    }
}

impl ReadUnlockProof<'_> {
    /// The proof.
    pub fn get(&self) -> UnlockProof<'_> {
        match self {
            Self::Ready(proof) => *proof,
            Self::Code(code) => UnlockProof::RecoveryCode(code),
        }
    }
}

impl PasskeyInput {
    /// The passkey, as the core takes it.
    pub fn get(&self) -> NewPasskey<'_> {
        NewPasskey {
            credential: &self.credential,
            relying_party: &self.relying_party,
            salt: self.salt,
            prf: &self.prf,
            label: self.label.as_deref(),
        }
    }
}
