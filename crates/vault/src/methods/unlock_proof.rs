//! What an unlock method is: its kind, what a person shows to open it, and what a new one needs.

use crate::error::VaultError;
use crate::methods::recovery_code::RecoveryCode;
use crate::seal::kdf::Cost;
use keyhole_ucan::codec::base64::{Fixed, Secret};

/// The kind of a passphrase.
pub const PASSPHRASE: &str = "passphrase";
/// The kind of a passkey.
pub const PASSKEY: &str = "passkey";
/// The kind of a recovery code.
pub const RECOVERY_CODE: &str = "recovery_code";
/// Every kind.
pub const KINDS: [&str; 3] = [PASSPHRASE, PASSKEY, RECOVERY_CODE];

/// Length of a passkey's two pseudo-random outputs together, and of the two inputs, in bytes.
pub const PRF_LENGTH: usize = 64;

/// Shows that the caller may open the account.
#[derive(Clone, Copy)]
pub enum UnlockProof<'a> {
    /// NFKC-normalised by the caller.
    Passphrase(&'a str),
    /// A passkey's answer.
    Passkey {
        /// The credential's id, base64url: which of the account's passkeys it is.
        credential: &'a str,
        /// The two outputs, first ‖ second.
        prf: &'a Secret<PRF_LENGTH>,
    },
    /// The recovery code.
    RecoveryCode(&'a RecoveryCode),
}

impl UnlockProof<'_> {
    /// The kind of unlock method that it opens.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Passphrase(_) => PASSPHRASE,
            Self::Passkey { .. } => PASSKEY,
            Self::RecoveryCode(_) => RECOVERY_CODE,
        }
    }

    /// The refusal if it does not open, the same for every reason, so that guessing reveals nothing.
    pub(crate) fn refusal(&self) -> VaultError {
        match self {
            Self::Passphrase(_) => VaultError::WrongPassphrase,
            Self::Passkey { .. } => VaultError::WrongPasskey,
            Self::RecoveryCode(_) => VaultError::WrongRecoveryCode,
        }
    }
}

/// A passkey to add.
pub struct NewPasskey<'a> {
    /// The credential's id, base64url, 1 to 1,023 bytes.
    pub credential: &'a str,
    /// The domain that the credential belongs to.
    pub relying_party: &'a str,
    /// The two inputs of its pseudo-random function, first ‖ second.
    pub salt: Fixed<PRF_LENGTH>,
    /// The two outputs for them, first ‖ second.
    pub prf: &'a Secret<PRF_LENGTH>,
    /// What the person calls it.
    pub label: Option<&'a str>,
}

/// The methods of a new account: any of these, within the rule for methods.
#[derive(Default)]
pub struct NewMethods<'a> {
    /// A passphrase.
    pub passphrase: Option<&'a str>,
    /// A passkey.
    pub passkey: Option<NewPasskey<'a>>,
    /// Whether a recovery code is made.
    pub recovery_code: bool,
}

/// What a method is made from.
pub(crate) enum NewMethod<'a> {
    Passphrase(&'a str, Cost),
    Passkey(&'a NewPasskey<'a>),
    RecoveryCode(&'a RecoveryCode),
}

impl<'a> NewMethod<'a> {
    /// The proof that will open it.
    pub(crate) fn proof(&self) -> UnlockProof<'a> {
        match *self {
            Self::Passphrase(passphrase, _) => UnlockProof::Passphrase(passphrase),
            Self::Passkey(&NewPasskey {
                credential, prf, ..
            }) => UnlockProof::Passkey { credential, prf },
            Self::RecoveryCode(code) => UnlockProof::RecoveryCode(code),
        }
    }
}
