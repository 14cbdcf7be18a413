//! A refusal of the vault: a name and arguments for programs, a code, and a sentence that helps a developer.

use alloc::string::String;
use core::fmt;

/// The codes that the vault answers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename_all = "SCREAMING_SNAKE_CASE"))]
pub enum VaultErrorCode {
    /// There is no vault yet.
    VaultNotInitialized,
    /// There already is a vault.
    VaultAlreadyInitialized,
    /// The vault is locked.
    VaultLocked,
    /// There is no key with that id.
    KeyNotFound,
    /// There is no key type with that name.
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

/// The values in a refusal's sentence that a person may see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VaultErrorArgs {
    /// What would have been right.
    pub expected: Option<String>,
    /// What was found.
    pub found: Option<String>,
    /// How many there are.
    pub count: Option<usize>,
    /// Which of them, from 1.
    pub place: Option<usize>,
    /// The fewest allowed.
    pub least: Option<usize>,
    /// The most allowed.
    pub most: Option<usize>,
}

/// The code of a refusal: OPERATION_FAILED if it names none.
macro_rules! code_of {
    () => {
        VaultErrorCode::OperationFailed
    };
    ($code:ident) => {
        VaultErrorCode::$code
    };
}

/// Which values of a sentence a person may see, and which are only for developers.
macro_rules! tell {
    ($args:ident how $value:ident) => {
        let _ = $value;
    };
    ($args:ident problem $value:ident) => {
        let _ = $value;
    };
    ($args:ident what $value:ident) => {
        let _ = $value;
    };
    ($args:ident expected $value:ident) => {
        $args.expected = Some((*$value).into())
    };
    ($args:ident found $value:ident) => {
        $args.found = Some(String::from(&**$value))
    };
    ($args:ident $number:ident $value:ident) => {
        $args.$number = Some(*$value)
    };
}

/// Declares the refusals in groups, which the plugin's exports use to say what they refuse. Each has a name, arguments,
/// a code if it is not OPERATION_FAILED, and a sentence.
macro_rules! refusals {
    ($($(#[doc = $about:literal])+ $group:ident {
        $($name:ident $({ $($field:ident: $kind:ty),+ })? $([$code:ident])? = $sentence:literal,)+
    })+) => {
        /// A refusal. Its sentence is for developers; people are told by its name. Never a secret.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum VaultError { $($(
            #[doc = $sentence]
            $name $({ $(#[doc = "As in the sentence."] $field: $kind),+ })?,
        )+)+ }

        impl VaultError {
            /// The code, for programs that only know those of the key-vault layer.
            #[must_use]
            pub fn code(&self) -> VaultErrorCode {
                match self { $($(Self::$name { .. } => code_of!($($code)?),)+)+ }
            }

            /// The name, for programs.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self { $($(Self::$name { .. } => stringify!($name),)+)+ }
            }

            /// What a person may see of it.
            #[must_use]
            pub fn args(&self) -> VaultErrorArgs {
                let mut args = VaultErrorArgs::default();
                match self {
                    $($($(Self::$name { $($field),+ } => { $(tell!(args $field $field);)+ })?)+)+
                    _ => {}
                }
                args
            }
        }

        impl fmt::Display for VaultError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $($(Self::$name $({ $($field),+ })? => write!(f, $sentence),)+)+ }
            }
        }

        /// The names of refusals, in groups.
        pub mod groups {
            $(
                $(#[doc = $about])+
                pub const $group: &[&str] = &[$(stringify!($name)),+];
            )+
            /// Every group.
            pub const ALL: &[&[&str]] = &[$($group),+];
        }
    };
}

refusals! {
    /// For every call: a wrong input, and what should not happen.
    INPUT {
        InvalidInput { problem: String } = "{problem}",
        Internal { what: &'static str } = "{what}",
    }
    /// No account is open.
    NO_ACCOUNT {
        NoVault [VaultNotInitialized] = "There is no vault yet: create one, or restore a backup.",
    }
    /// An account is open already.
    ACCOUNT_OPEN {
        VaultOpen [VaultAlreadyInitialized] = "A vault is open already: close it first.",
    }
    /// The account is locked.
    LOCKED {
        VaultLocked [VaultLocked] = "The vault is locked: unlock it first.",
    }
    /// The clock is wrong.
    CLOCK {
        ClockWrong = "This device's clock is wrong: set it, then try again.",
    }
    /// There are no random bytes.
    RANDOMNESS {
        NoRandomness = "This device gave no random bytes.",
    }
    /// The account would be too large.
    SIZE {
        AccountTooLarge = "This account would become too large: its sealed state has at most 4 MiB.",
    }
    /// A name is too long.
    LABEL {
        LabelTooLong = "A label has at most 200 characters.",
    }
    /// The chain id is invalid.
    CHAIN_ID {
        ChainIdInvalid = "A chain id is 1 to 64 letters, digits, “-”, “_” and “.”.",
    }
    /// A change can't be rolled back.
    TAKING_BACK {
        AuthorisationDelivered = "What was signed with this change may have been handed out: it stays counted.",
        ChangeNotLast = "This is not the last change that was made.",
        NoChangeToTakeBack = "There is no change to take back.",
    }
    /// The log is full.
    LOG {
        LogFull = "This log is full.",
    }
    /// A record doesn't open.
    RECORD {
        RecordInvalid = "This record is not one of this account's, or was altered or moved.",
    }
    /// There is no key of this id.
    KEY {
        KeyNotFound [KeyNotFound] = "The account has no key of this id.",
    }
    /// The first key stays.
    FIRST_KEY {
        FirstKey = "The first key cannot be deleted: the account's address is its address.",
    }
    /// There is no key type with this name.
    KEY_TYPE {
        KeyTypeUnknown [InvalidKeyType] = "A key is of the type ed25519, p256 or secp256k1.",
    }
    /// There are too many keys.
    KEY_COUNT {
        TooManyKeys = "An account has at most 256 keys.",
    }
    /// The account already has the key.
    KEY_KNOWN {
        KeyKnown = "The account has this key already.",
    }
    /// The text of a key from elsewhere can't be imported.
    KEY_TEXT {
        KeyAlgorithm { found: String } [InvalidKeyType] = "This key's algorithm ({found}) is not Ed25519, P-256 or secp256k1.",
        KeyCurve [InvalidKeyType] = "This key's curve is not P-256 or secp256k1, or is not named.",
        KeyEncrypted = "This private key is encrypted: decrypt it first, for example with `openssl pkey -in key.pem`.",
        KeyHalvesDiffer = "The public half in this text is another key's: the text was altered.",
        KeyRsa [InvalidKeyType] = "This is an RSA key: a key is Ed25519, P-256 or secp256k1.",
        KeyTextTooLong = "A key's text has at most 8 KiB.",
        KeyTypeOfJwk [InvalidKeyType] = "This JWK is not OKP with Ed25519, EC with P-256 or EC with secp256k1.",
        KeyTypeOfPhrase [InvalidKeyType] = "A phrase gives keys of the type ed25519 or secp256k1.",
        KeyTypeOther { expected: &'static str, found: &'static str } [InvalidKeyType] = "This key has the type {found}, not {expected}.",
        KeyWithoutCurve = "This key does not name its curve: convert it to PKCS#8 first.",
        NoKeyAtPath = "There is no key at this path: choose another number for its last step.",
        NotJwk = "This isn't a JWK of one private key: use a JSON object with kty, crv, d, x and, for EC, y, each once and in base64url.",
        NotPkcs8 = "This isn't a PKCS#8 private key, or a part of it is missing: paste all of it, PEM, or DER in base64 or hexadecimal.",
        NotPrivateKey = "This PEM isn't a private key: its first line must be -----BEGIN PRIVATE KEY-----.",
        OpenSshKey = "This is a key in OpenSSH's own format: convert it to PKCS#8 first.",
        PathInvalid = "This isn't a path to a key: write it like m/44'/60'/0'/0/0, with at most 16 steps, each a number below 2147483648, with ' after it if it is hardened.",
        PathNotHardened = "An Ed25519 path has only hardened steps (SLIP-0010): put ' after each number.",
        PathTooLong = "A path has at most 256 characters.",
        PathWithoutPhrase = "Only a phrase of words has a path and a passphrase.",
        PhrasePassphraseTooLong = "A phrase's passphrase has at most 1,024 bytes.",
        PublicKeyOnly = "This is a public key, without its private half: take the private key's file.",
        SeveralKeys = "There are several PEM blocks in this text: leave the one with the private key.",
        WordCount { count: usize } = "A phrase has 12, 15, 18, 21 or 24 words, and this one has {count}: is one missing, or repeated?",
        WordUnknown { place: usize } = "Word {place} is not on the English list of BIP-39: is it mistyped?",
        WordsDoNotFit = "The words do not fit each other: one is wrong, or two are swapped.",
    }
    /// A DID names no key.
    DID_KEY {
        DidWithoutKey { problem: String } = "This DID names no key that can be checked: {problem}.",
    }
    /// A key cannot be derived from a passphrase.
    DERIVATION {
        Deriving = "The key is still being derived.",
        NoMemory = "There is not enough memory to derive a key from the passphrase.",
    }
    /// A new passphrase is too short or too long.
    NEW_PASSPHRASE {
        PassphraseTooLong { most: usize } [InvalidPassphrase] = "A passphrase has at most {most} bytes.",
        PassphraseTooShort { least: usize } [InvalidPassphrase] = "A passphrase has at least {least} characters.",
    }
    /// A passphrase or a recovery code doesn't open the account or the backup.
    OPENING {
        RecoveryCodeLength = "A recovery code has 27 characters: some are missing, or there are too many.",
        RecoveryCodeMistyped = "A character of the recovery code is mistyped: compare it with your copy.",
        WrongPassphrase [InvalidPassphrase] = "The passphrase is wrong, or what it opens was altered.",
        WrongRecoveryCode [InvalidPassphrase] = "This recovery code does not open the account, or what it opens was altered.",
    }
    /// A proof that opens accounts, but not backups, is wrong.
    ACCOUNT_OPENING {
        WrongPasskey [InvalidPassphrase] = "This passkey does not open the account, or what it opens was altered.",
    }
    /// The recovery code is not enough for this.
    STRONGER_UNLOCK_PROOF {
        StrongerProofNeeded = "This needs the passphrase or a passkey: set a new passphrase with the recovery code first.",
    }
    /// A new passkey's answer can't be used.
    NEW_PASSKEY {
        PasskeyAnswerUsed = "The passkey's answer is empty, or was used before: ask the passkey again.",
    }
    /// The account already has the passkey.
    PASSKEY_KNOWN {
        PasskeyKnown = "The account has this passkey already.",
    }
    /// There is no unlock method of this id.
    METHOD {
        MethodNotFound = "The account has no unlock method of this id.",
    }
    /// There are too many unlock methods.
    METHOD_COUNT {
        TooManyMethods = "An account has at most 32 unlock methods.",
    }
    /// There are too few unlock methods.
    METHOD_RULE {
        PasskeyAlone = "A passkey alone is lost with its device: add a passphrase, a recovery code or another passkey first.",
        RecoveryCodeAlone = "A recovery code alone is not enough to open an account: add a passphrase or a passkey first.",
    }
    /// An unlock method can't be sealed to.
    METHOD_KEYS {
        MethodUnusable = "The sealed state was altered: an unlock method has no usable key.",
    }
    /// A sealed state can't be read.
    STATE {
        MethodNewer { found: String } = "The account has an unlock method of the kind “{found}”, which needs a newer Keyhole.",
        StateAltered { how: &'static str } [InvalidPassphrase] = "The sealed state was altered: {how}. Restore it from a backup.",
        StateDamaged { how: &'static str } = "The sealed state is damaged: {how}. Restore it from a backup.",
        StateNewer = "This version does not know the format of the sealed state: it needs a newer Keyhole.",
    }
    /// The function that protects a passphrase is unknown, or past its limits.
    KDF {
        KdfParameters = "The passphrase's Argon2id parameters are outside of 19 to 512 MiB, 2 to 10 passes and 1 to 16 lanes: the file was altered, or was not made by Keyhole.",
        KdfUnknown = "The passphrase is protected by a function that this version does not know.",
    }
    /// A text can't be read as a backup.
    BACKUP {
        BackupVersion = "This isn't a Keyhole backup, or it needs a newer Keyhole.",
        NotBackup = "This isn't a Keyhole backup, or it is cut off.",
    }
    /// A backup, or a part of it, is damaged.
    BACKUP_DAMAGED {
        BackupDamaged { how: &'static str } = "This backup is damaged: {how}. Try another copy of the file.",
    }
    /// A backup is too long.
    BACKUP_SIZE {
        BackupTooLong = "A backup is at most 64 MiB long.",
    }
    /// A backup has no recovery code.
    BACKUP_CODE {
        BackupWithoutPassphrase [InvalidPassphrase] = "This backup was made without a passphrase: open it by the recovery code.",
        BackupWithoutRecoveryCode [InvalidPassphrase] = "This backup was made without a recovery code: open it by its passphrase.",
    }
    /// A step of writing or reading a backup is out of order.
    BACKUP_STEP {
        BackupOutOfStep { what: &'static str } = "{what}",
    }
    /// A backup that was written doesn't open again.
    BACKUP_WRITING {
        BackupNotVerified = "The backup did not open after it was written, and was discarded: try again, or on another device.",
    }
    /// A backup is of another account.
    OTHER_ACCOUNT {
        ImportOfOtherAccount = "This is the backup of another account. Lock this one first, then restore the backup beside it.",
    }
    /// There are too many mandates.
    MANDATE_COUNT {
        TooManyMandates = "An account has at most 256 mandates with a budget at a time: end one that is not needed.",
    }
    /// There are too many requests.
    REQUEST_COUNT {
        TooManyRequests = "Too many payments were asked for within the hour: ask again later.",
    }
}

impl VaultError {
    /// The calling program passed what the function does not take.
    pub fn input(problem: impl Into<String>) -> Self {
        Self::InvalidInput {
            problem: problem.into(),
        }
    }

    /// A bug, or a mistake of the calling program.
    #[must_use]
    pub const fn internal(what: &'static str) -> Self {
        Self::Internal { what }
    }
}

impl core::error::Error for VaultError {}
