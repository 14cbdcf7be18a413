//! A refusal of the vault: one of the key-vault layer's codes, and a sentence a person can act on.

use alloc::string::String;
use core::fmt;

/// The codes that the vault itself answers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename_all = "SCREAMING_SNAKE_CASE"))]
pub enum VaultErrorCode {
    /// There is no vault yet.
    VaultNotInitialized,
    /// There is a vault already.
    VaultAlreadyInitialized,
    /// The vault is locked.
    VaultLocked,
    /// There is no key of that id.
    KeyNotFound,
    /// There is no type of key of that name.
    InvalidKeyType,
    /// A passphrase is wrong, too short or too long.
    InvalidPassphrase,
    /// Anything else; the message says what.
    OperationFailed,
}

impl VaultErrorCode {
    /// The code as text: `VAULT_LOCKED` and so on.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::VaultNotInitialized => "VAULT_NOT_INITIALIZED",
            Self::VaultAlreadyInitialized => "VAULT_ALREADY_INITIALIZED",
            Self::VaultLocked => "VAULT_LOCKED",
            Self::KeyNotFound => "KEY_NOT_FOUND",
            Self::InvalidKeyType => "INVALID_KEY_TYPE",
            Self::InvalidPassphrase => "INVALID_PASSPHRASE",
            Self::OperationFailed => "OPERATION_FAILED",
        }
    }
}

/// A refusal: code and message, never a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaultError {
    /// For programs.
    pub code: VaultErrorCode,
    /// For people.
    pub message: String,
}

impl VaultError {
    /// A refusal with this code and these words.
    pub fn new(code: VaultErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    /// OPERATION_FAILED with these words.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(VaultErrorCode::OperationFailed, message)
    }

    /// What every failed unlock answers, whatever the reason: who guesses learns nothing from it.
    pub fn wrong_passphrase() -> Self {
        Self::new(
            VaultErrorCode::InvalidPassphrase,
            "The passphrase is wrong, or what it opens was altered.",
        )
    }
}

impl fmt::Display for VaultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl core::error::Error for VaultError {}
