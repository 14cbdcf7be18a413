//! A refusal of the vault: its name and its arguments for programs, its code, and a sentence a developer can act on.

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
    /// Anything else; the name says what.
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

/// Declares the refusals: by code, each with its name, its arguments, and its sentence.
macro_rules! refusals {
    ($($code:ident { $($name:ident $({ $($field:ident: $kind:ty),+ })? = $sentence:literal,)+ })+) => {
        /// A refusal. Its sentence is for developers; people are told by its name. Never a secret.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum VaultError { $($(
            #[doc = $sentence]
            $name $({ $(#[doc = "As in the sentence."] $field: $kind),+ })?,
        )+)+ }

        impl VaultError {
            /// Every name that there is.
            #[cfg(feature = "schema")]
            pub const NAMES: &'static [&'static str] = &[$($(stringify!($name),)+)+];

            /// For programs that tell no more than what the key-vault layer does.
            #[must_use]
            pub fn code(&self) -> VaultErrorCode {
                match self { $($(Self::$name { .. })|+ => VaultErrorCode::$code,)+ }
            }

            /// For programs.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self { $($(Self::$name { .. } => stringify!($name),)+)+ }
            }
        }

        impl fmt::Display for VaultError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $($(Self::$name $({ $($field),+ })? => write!(f, $sentence),)+)+ }
            }
        }
    };
}

refusals! {
    VaultNotInitialized {
        NoVault = "There is no vault yet: create one, or restore a backup.",
    }
    VaultAlreadyInitialized {
        VaultOpen = "A vault is open already: close it first.",
    }
    VaultLocked {
        VaultLocked = "The vault is locked: unlock it first.",
    }
    KeyNotFound {
        KeyNotFound = "The account has no key of this id.",
    }
    InvalidKeyType {
        KeyAlgorithm { found: String } = "This key is of an algorithm ({found}) that is not Ed25519, P-256 or secp256k1.",
        KeyCurve = "This key is of another curve than P-256 and secp256k1, or does not name its curve.",
        KeyRsa = "This is an RSA key: a key is Ed25519, P-256 or secp256k1.",
        KeyTypeOfJwk = "This JWK is none of OKP with Ed25519, EC with P-256 and EC with secp256k1.",
        KeyTypeOfPhrase = "From a phrase come keys of the type ed25519 or secp256k1.",
        KeyTypeOther { expected: &'static str, found: &'static str } = "This key is of the type {found}, and {expected} was asked for.",
        KeyTypeUnknown = "A key is of the type ed25519, p256 or secp256k1.",
    }
    InvalidPassphrase {
        BackupWithoutRecoveryCode = "This backup was made without a recovery code: open it by its passphrase.",
        PassphraseTooLong { most: usize } = "A passphrase has at most {most} bytes.",
        PassphraseTooShort { least: usize } = "A passphrase has at least {least} characters.",
        StateAltered { how: &'static str } = "The sealed state was altered: {how}. Restore it from a backup.",
        WrongPasskey = "This passkey does not open the account, or what it opens was altered.",
        WrongPassphrase = "The passphrase is wrong, or what it opens was altered.",
        WrongRecoveryCode = "This recovery code does not open the account, or what it opens was altered.",
    }
    OperationFailed {
        AccountTooLarge = "This account would become too large: its sealed state has at most 4 MiB.",
        AuthorisationDelivered = "What was signed with this change may have been handed out: it stays counted.",
        BackupDamaged { how: &'static str } = "This backup is damaged: {how}. Try another copy of the file.",
        BackupNotVerified = "The backup did not open again after it had been written, and was thrown away: try again, or on another device.",
        ImportOfOtherAccount = "This is the backup of another account. Lock this one first, then restore the backup beside it.",
        BackupOutOfStep { what: &'static str } = "{what}",
        BackupTooLong = "A backup is at most 64 MiB long.",
        BackupVersion = "This is no Keyhole backup, or one of a version that needs a newer Keyhole.",
        ChainIdInvalid = "A chain id is 1 to 64 letters, digits, “-”, “_” and “.”.",
        ChangeNotLast = "This is not the last change that was made.",
        ClockWrong = "This device's clock is wrong: set it, then try again.",
        Deriving = "The key is still being derived.",
        DidWithoutKey { problem: String } = "This DID names no key that can be checked: {problem}.",
        FirstKey = "The first key cannot be deleted: the account's address is its address.",
        Internal { what: &'static str } = "{what}",
        InvalidInput { problem: String } = "{problem}",
        KdfParameters = "The passphrase's Argon2id parameters are outside of 19 to 512 MiB, 2 to 10 passes and 1 to 16 lanes: the file was altered, or was not made by Keyhole.",
        KdfUnknown = "The passphrase is protected by a function that this version does not know.",
        KeyEncrypted = "This private key is encrypted: decrypt it first, with `openssl pkey -in key.pem`, say.",
        KeyHalvesDiffer = "The public half in this text is another key's: the text was altered.",
        KeyKnown = "The account has this key already.",
        KeyTextTooLong = "A key's text has at most 8 KiB.",
        KeyWithoutCurve = "This key does not say of which curve it is: write it as PKCS#8 first.",
        LabelTooLong = "A label has at most 200 characters.",
        LogFull = "This log is full.",
        MethodNewer { found: String } = "The account has an unlock method of the kind “{found}”, which needs a newer Keyhole.",
        MethodNotFound = "The account has no unlock method of this id.",
        MethodUnusable = "The sealed state was altered: an unlock method has no usable key.",
        NoChangeToTakeBack = "There is no change to take back.",
        NoKeyAtPath = "There is no key at this path: choose another number for its last step.",
        NoMemory = "There is not enough memory to derive a key from the passphrase.",
        NoRandomness = "This device gave no random bytes.",
        NotBackup = "This is no Keyhole backup, or it is cut off.",
        NotJwk = "This is no JWK of one private key: it is a JSON object with kty, crv, d, x and, for EC, y, each once and in base64url.",
        NotPkcs8 = "This is no PKCS#8 private key, or a part of it is missing: paste all of it, PEM, or DER in base64 or hexadecimal.",
        NotPrivateKey = "This PEM is no private key: its first line reads -----BEGIN PRIVATE KEY-----.",
        OpenSshKey = "This is a key in OpenSSH's own format: write it as PKCS#8 first.",
        PasskeyAlone = "A passkey alone is lost with its device: add a passphrase, a recovery code or another passkey first.",
        PasskeyAnswerUsed = "The passkey's answer is empty, or was used before: ask the passkey again.",
        PasskeyKnown = "The account has this passkey already.",
        PathInvalid = "This is no path to a key: it reads like m/44'/60'/0'/0/0, with at most 16 steps, each a number below 2147483648 and ' behind it where it is hardened.",
        PathNotHardened = "An Ed25519 key has hardened steps only (SLIP-0010): put ' behind each number of the path.",
        PathTooLong = "A path has at most 256 characters.",
        PathWithoutPhrase = "Only a phrase of words has a path and a passphrase.",
        PhrasePassphraseTooLong = "A phrase's passphrase has at most 1,024 bytes.",
        PublicKeyOnly = "This is a public key, without its private half: take the private key's file.",
        RecordInvalid = "This record is not one of this account's, or was altered or moved.",
        RecoveryCodeAlone = "An account is opened by a passphrase or a passkey: a recovery code alone is not enough. Add one of them first.",
        RecoveryCodeLength = "A recovery code has 27 characters: some are missing, or there are too many.",
        RecoveryCodeMistyped = "A character of the recovery code is mistyped: compare it with what was kept.",
        SeveralKeys = "There are several PEM blocks in this text: leave the one with the private key.",
        StateDamaged { how: &'static str } = "The sealed state is damaged: {how}. Restore it from a backup.",
        StateNewer = "The sealed state is of a format that this version does not know: it needs a newer Keyhole.",
        StrongerProofNeeded = "This needs the passphrase or a passkey: by the recovery code, set a new passphrase first.",
        TooManyKeys = "An account has at most 256 keys.",
        TooManyMandates = "An account has at most 256 mandates with a budget at a time: end one that is not needed.",
        TooManyMethods = "An account has at most 32 unlock methods.",
        TooManyRequests = "Too many payments were asked for within the hour: ask again later.",
        WordCount { count: usize } = "A phrase has 12, 15, 18, 21 or 24 words, and this one has {count}: is one missing, or there twice?",
        WordUnknown { place: usize } = "Word {place} is not on the English list of BIP-39: is it mistyped?",
        WordsDoNotFit = "The words do not fit each other: one is another of the list, or two have changed places.",
    }
}

impl VaultError {
    /// The program that calls has given what the function does not take.
    pub fn input(problem: impl Into<String>) -> Self {
        Self::InvalidInput {
            problem: problem.into(),
        }
    }

    /// What should not happen, or is the fault of the program that calls.
    #[must_use]
    pub const fn internal(what: &'static str) -> Self {
        Self::Internal { what }
    }

    /// What every failed unlock answers, whatever the reason: who guesses learns nothing from it.
    #[must_use]
    pub const fn wrong_passphrase() -> Self {
        Self::WrongPassphrase
    }
}

impl core::error::Error for VaultError {}
