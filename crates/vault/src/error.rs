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

/// The values of a refusal's sentence that a person may be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VaultErrorArgs {
    /// What would have been right.
    pub expected: Option<String>,
    /// What was there.
    pub found: Option<String>,
    /// How many there are.
    pub count: Option<usize>,
    /// Which of them, from 1.
    pub place: Option<usize>,
    /// The fewest that there may be.
    pub least: Option<usize>,
    /// The most that there may be.
    pub most: Option<usize>,
}

/// The code of a refusal: OPERATION_FAILED where it names none.
macro_rules! code_of {
    () => {
        VaultErrorCode::OperationFailed
    };
    ($code:ident) => {
        VaultErrorCode::$code
    };
}

/// Which value of a sentence a person may be told, and which is for developers.
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

/// Declares the refusals in groups, by which the exports of the plugin say what they refuse: each with its name, its arguments,
/// its code where that is not OPERATION_FAILED, and its sentence.
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
            /// For programs that tell no more than what the key-vault layer does.
            #[must_use]
            pub fn code(&self) -> VaultErrorCode {
                match self { $($(Self::$name { .. } => code_of!($($code)?),)+)+ }
            }

            /// For programs.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self { $($(Self::$name { .. } => stringify!($name),)+)+ }
            }

            /// What a person may be told of it.
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
    /// Of every call: an input that it does not take, and what should not happen.
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
    /// A chain id is none.
    CHAIN_ID {
        ChainIdInvalid = "A chain id is 1 to 64 letters, digits, “-”, “_” and “.”.",
    }
    /// A change cannot be taken back.
    TAKING_BACK {
        AuthorisationDelivered = "What was signed with this change may have been handed out: it stays counted.",
        ChangeNotLast = "This is not the last change that was made.",
        NoChangeToTakeBack = "There is no change to take back.",
    }
    /// The log has no room.
    LOG {
        LogFull = "This log is full.",
    }
    /// A record does not open.
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
    /// There is no type of key of this name.
    KEY_TYPE {
        KeyTypeUnknown [InvalidKeyType] = "A key is of the type ed25519, p256 or secp256k1.",
    }
    /// There are too many keys.
    KEY_COUNT {
        TooManyKeys = "An account has at most 256 keys.",
    }
    /// The account has the key already.
    KEY_KNOWN {
        KeyKnown = "The account has this key already.",
    }
    /// The text of a key from elsewhere cannot be taken.
    KEY_TEXT {
        KeyAlgorithm { found: String } [InvalidKeyType] = "This key is of an algorithm ({found}) that is not Ed25519, P-256 or secp256k1.",
        KeyCurve [InvalidKeyType] = "This key is of another curve than P-256 and secp256k1, or does not name its curve.",
        KeyEncrypted = "This private key is encrypted: decrypt it first, with `openssl pkey -in key.pem`, say.",
        KeyHalvesDiffer = "The public half in this text is another key's: the text was altered.",
        KeyRsa [InvalidKeyType] = "This is an RSA key: a key is Ed25519, P-256 or secp256k1.",
        KeyTextTooLong = "A key's text has at most 8 KiB.",
        KeyTypeOfJwk [InvalidKeyType] = "This JWK is none of OKP with Ed25519, EC with P-256 and EC with secp256k1.",
        KeyTypeOfPhrase [InvalidKeyType] = "From a phrase come keys of the type ed25519 or secp256k1.",
        KeyTypeOther { expected: &'static str, found: &'static str } [InvalidKeyType] = "This key is of the type {found}, and {expected} was asked for.",
        KeyWithoutCurve = "This key does not say of which curve it is: write it as PKCS#8 first.",
        NoKeyAtPath = "There is no key at this path: choose another number for its last step.",
        NotJwk = "This is no JWK of one private key: it is a JSON object with kty, crv, d, x and, for EC, y, each once and in base64url.",
        NotPkcs8 = "This is no PKCS#8 private key, or a part of it is missing: paste all of it, PEM, or DER in base64 or hexadecimal.",
        NotPrivateKey = "This PEM is no private key: its first line reads -----BEGIN PRIVATE KEY-----.",
        OpenSshKey = "This is a key in OpenSSH's own format: write it as PKCS#8 first.",
        PathInvalid = "This is no path to a key: it reads like m/44'/60'/0'/0/0, with at most 16 steps, each a number below 2147483648 and ' behind it where it is hardened.",
        PathNotHardened = "An Ed25519 key has hardened steps only (SLIP-0010): put ' behind each number of the path.",
        PathTooLong = "A path has at most 256 characters.",
        PathWithoutPhrase = "Only a phrase of words has a path and a passphrase.",
        PhrasePassphraseTooLong = "A phrase's passphrase has at most 1,024 bytes.",
        PublicKeyOnly = "This is a public key, without its private half: take the private key's file.",
        SeveralKeys = "There are several PEM blocks in this text: leave the one with the private key.",
        WordCount { count: usize } = "A phrase has 12, 15, 18, 21 or 24 words, and this one has {count}: is one missing, or there twice?",
        WordUnknown { place: usize } = "Word {place} is not on the English list of BIP-39: is it mistyped?",
        WordsDoNotFit = "The words do not fit each other: one is another of the list, or two have changed places.",
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
    /// A new passphrase will not do.
    NEW_PASSPHRASE {
        PassphraseTooLong { most: usize } [InvalidPassphrase] = "A passphrase has at most {most} bytes.",
        PassphraseTooShort { least: usize } [InvalidPassphrase] = "A passphrase has at least {least} characters.",
    }
    /// A passphrase or a recovery code does not open.
    OPENING {
        RecoveryCodeLength = "A recovery code has 27 characters: some are missing, or there are too many.",
        RecoveryCodeMistyped = "A character of the recovery code is mistyped: compare it with what was kept.",
        WrongPassphrase [InvalidPassphrase] = "The passphrase is wrong, or what it opens was altered.",
        WrongRecoveryCode [InvalidPassphrase] = "This recovery code does not open the account, or what it opens was altered.",
    }
    /// What opens an account, and no backup, does not open.
    ACCOUNT_OPENING {
        WrongPasskey [InvalidPassphrase] = "This passkey does not open the account, or what it opens was altered.",
    }
    /// The recovery code is not enough for this.
    STRONGER_UNLOCK_PROOF {
        StrongerProofNeeded = "This needs the passphrase or a passkey: by the recovery code, set a new passphrase first.",
    }
    /// A new passkey's answer will not do.
    NEW_PASSKEY {
        PasskeyAnswerUsed = "The passkey's answer is empty, or was used before: ask the passkey again.",
    }
    /// The account has the passkey already.
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
    /// The unlock methods are not enough.
    METHOD_RULE {
        PasskeyAlone = "A passkey alone is lost with its device: add a passphrase, a recovery code or another passkey first.",
        RecoveryCodeAlone = "An account is opened by a passphrase or a passkey: a recovery code alone is not enough. Add one of them first.",
    }
    /// An unlock method cannot be sealed to.
    METHOD_KEYS {
        MethodUnusable = "The sealed state was altered: an unlock method has no usable key.",
    }
    /// A sealed state cannot be read.
    STATE {
        MethodNewer { found: String } = "The account has an unlock method of the kind “{found}”, which needs a newer Keyhole.",
        StateAltered { how: &'static str } [InvalidPassphrase] = "The sealed state was altered: {how}. Restore it from a backup.",
        StateDamaged { how: &'static str } = "The sealed state is damaged: {how}. Restore it from a backup.",
        StateNewer = "The sealed state is of a format that this version does not know: it needs a newer Keyhole.",
    }
    /// What a passphrase is protected by is not known, or past its limits.
    KDF {
        KdfParameters = "The passphrase's Argon2id parameters are outside of 19 to 512 MiB, 2 to 10 passes and 1 to 16 lanes: the file was altered, or was not made by Keyhole.",
        KdfUnknown = "The passphrase is protected by a function that this version does not know.",
    }
    /// A text is no backup that can be read.
    BACKUP {
        BackupVersion = "This is no Keyhole backup, or one of a version that needs a newer Keyhole.",
        NotBackup = "This is no Keyhole backup, or it is cut off.",
    }
    /// A backup, or a part of it, is not as it was written.
    BACKUP_DAMAGED {
        BackupDamaged { how: &'static str } = "This backup is damaged: {how}. Try another copy of the file.",
    }
    /// A backup is too long.
    BACKUP_SIZE {
        BackupTooLong = "A backup is at most 64 MiB long.",
    }
    /// A backup has no recovery code.
    BACKUP_CODE {
        BackupWithoutRecoveryCode [InvalidPassphrase] = "This backup was made without a recovery code: open it by its passphrase.",
    }
    /// A step of writing or reading a backup is out of order.
    BACKUP_STEP {
        BackupOutOfStep { what: &'static str } = "{what}",
    }
    /// A backup that was written does not open again.
    BACKUP_WRITING {
        BackupNotVerified = "The backup did not open again after it had been written, and was thrown away: try again, or on another device.",
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
}

impl core::error::Error for VaultError {}
