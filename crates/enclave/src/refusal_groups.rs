//! What an export may refuse, in groups. Its line in the list of exports names them, and so does the contract. The
//! vault's names are grouped where they are declared, in `crates/vault/src/error.rs`.

use keyhole_ucan::error::TokenErrorName as Rule;
use keyhole_vault::error::groups as vault;

/// Refusals that are declared together.
#[derive(Debug)]
pub struct RefusalGroup {
    /// Its name in declarations.
    pub name: &'static str,
    /// When it applies.
    pub about: &'static str,
    /// The names, in parts.
    pub parts: &'static [&'static [&'static str]],
}

impl RefusalGroup {
    /// The names of its refusals.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.parts.iter().copied().flatten().copied()
    }
}

impl PartialEq for RefusalGroup {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for RefusalGroup {}

macro_rules! groups {
    ($(#[doc = $about:literal] $group:ident = $($part:expr),+;)+) => {
        $(
            #[doc = $about]
            pub const $group: &RefusalGroup = &RefusalGroup {
                name: stringify!($group),
                about: $about,
                parts: &[$($part),+],
            };
        )+

        /// Every group.
        pub const GROUPS: &[&RefusalGroup] = &[$($group),+];
    };
}

/// The names of payments and mandates.
mod pay {
    pub const PAYMENT: &[&str] = &["InvalidPayment"];
    pub const TERMS: &[&str] = &["InvalidMandate"];
    pub const UNKNOWN: &[&str] = &["UnknownMandate"];
    pub const ENDED: &[&str] = &["MandateEnded"];
    pub const SPENDING: &[&str] = &["BudgetExceeded", "MandateSuspended", "OutsideMandate"];
}

/// The rules of UCAN.
mod rules {
    use super::Rule;

    pub const FIELD: &[&str] = &[Rule::MalformedToken.as_str(), Rule::TooMuchWork.as_str()];
    pub const WORK: &[&str] = &[Rule::TooMuchWork.as_str()];
    pub const VERSION: &[&str] = &[Rule::UnsupportedVersion.as_str()];
    pub const ISSUED: &[&str] = &[
        Rule::Expired.as_str(),
        Rule::InvalidAudience.as_str(),
        Rule::InvalidClaim.as_str(),
        Rule::InvalidCommand.as_str(),
        Rule::InvalidSubject.as_str(),
    ];
    pub const CHAIN: &[&str] = &[
        Rule::InvalidSignature.as_str(),
        Rule::TooEarly.as_str(),
        Rule::UnavailableProof.as_str(),
    ];
    pub const REVOKED: &[&str] = &[Rule::RevocationUnknown.as_str(), Rule::Revoked.as_str()];
    pub const ARGUMENTS: &[&str] = &[Rule::MatchError.as_str()];
    pub const REPLAYED: &[&str] = &[Rule::Replayed.as_str()];
}

groups! {
    /// Every call: the input is not what it takes. `Internal` is a bug, or a host that breaks the rules.
    EVERY = vault::INPUT;
    /// No account is open.
    ACCOUNT = vault::NO_ACCOUNT;
    /// No account is open, or it is locked.
    UNLOCKED = vault::NO_ACCOUNT, vault::LOCKED;
    /// The account is locked.
    LOCKED = vault::LOCKED;
    /// The account can't be changed: it would become too large, or the clock or the randomness fails.
    CHANGE = vault::SIZE, vault::CLOCK, vault::RANDOMNESS;
    /// An account can't be created: another one is open, the chain id is invalid, or the clock or the randomness fails.
    CREATION = vault::ACCOUNT_OPEN, vault::CHAIN_ID, vault::CLOCK, vault::RANDOMNESS;
    /// Another account is open, or this one at a later revision.
    ACCOUNT_OPEN = vault::ACCOUNT_OPEN;
    /// The clock is wrong.
    CLOCK = vault::CLOCK;
    /// The host gave no random bytes.
    RANDOMNESS = vault::RANDOMNESS;
    /// A change can't be rolled back.
    TAKING_BACK = vault::TAKING_BACK;
    /// A sealed state can't be read.
    STATE = vault::STATE, vault::KDF;
    /// The account has no key of this id.
    KEY = vault::KEY;
    /// It is the first key, which gives the account its address.
    FIRST_KEY = vault::FIRST_KEY;
    /// There is no such type of key.
    KEY_TYPE = vault::KEY_TYPE;
    /// The account has 256 keys.
    KEY_COUNT = vault::KEY_COUNT;
    /// The account already has this key.
    KEY_KNOWN = vault::KEY_KNOWN;
    /// A key from elsewhere can't be imported.
    KEY_TEXT = vault::KEY_TEXT, vault::KEY_TYPE;
    /// A name is too long.
    LABEL = vault::LABEL;
    /// The chain id is invalid.
    CHAIN_ID = vault::CHAIN_ID;
    /// A DID names no key.
    DID_KEY = vault::DID_KEY;
    /// No key can be derived from a passphrase: too little memory, or a lock in between, which the host answers.
    DERIVATION = vault::DERIVATION, vault::LOCKED;
    /// A new passphrase is too short or too long, or no key can be derived from it.
    NEW_PASSPHRASE = vault::NEW_PASSPHRASE, vault::DERIVATION, vault::LOCKED;
    /// A proof doesn't unlock the account, or no key can be derived from it.
    UNLOCK_PROOF = vault::OPENING, vault::ACCOUNT_OPENING, vault::DERIVATION, vault::LOCKED;
    /// It needs a stronger proof than the recovery code.
    STRONGER_UNLOCK_PROOF = vault::STRONGER_UNLOCK_PROOF;
    /// A passkey's answer was used before.
    NEW_PASSKEY = vault::NEW_PASSKEY;
    /// The account already has this passkey.
    PASSKEY_KNOWN = vault::PASSKEY_KNOWN;
    /// The account has no unlock method of this id.
    METHOD = vault::METHOD;
    /// The account has 32 unlock methods.
    METHOD_COUNT = vault::METHOD_COUNT;
    /// The unlock methods would not be enough.
    METHOD_RULE = vault::METHOD_RULE;
    /// An unlock method can't be sealed to: someone who could open the state altered it.
    METHOD_KEYS = vault::METHOD_KEYS;
    /// A record doesn't open.
    RECORD = vault::RECORD;
    /// The log is full.
    LOG = vault::LOG;
    /// A backup can't be read.
    BACKUP = vault::BACKUP, vault::BACKUP_DAMAGED, vault::BACKUP_SIZE, vault::KDF;
    /// A backup doesn't open, or no key can be derived for it.
    BACKUP_UNLOCK_PROOF = vault::OPENING, vault::BACKUP_CODE, vault::DERIVATION, vault::LOCKED;
    /// A backup that was written is too long, or doesn't open again.
    BACKUP_WRITING = vault::BACKUP_WRITING, vault::BACKUP_SIZE;
    /// A step of writing or reading a backup is out of order.
    BACKUP_STEP = vault::BACKUP_STEP;
    /// A part of a backup is damaged.
    BACKUP_PART = vault::BACKUP_DAMAGED;
    /// A backup can't become an account, or be merged into this one.
    TAKING_IN = vault::LOCKED, vault::OTHER_ACCOUNT, vault::KEY_COUNT;
    /// A field can't be read, or takes too much work.
    FIELD = rules::FIELD;
    /// It takes too much work.
    WORK = rules::WORK;
    /// A token can't be read.
    TOKEN = rules::FIELD, rules::VERSION;
    /// A token could never be used.
    ISSUED = rules::ISSUED;
    /// A chain is invalid.
    CHAIN = rules::ISSUED, rules::CHAIN;
    /// It was revoked, or may have been.
    REVOKED = rules::REVOKED;
    /// The arguments break the policy.
    ARGUMENTS = rules::ARGUMENTS;
    /// It was answered before.
    REPLAYED = rules::REPLAYED;
    /// A payment is invalid.
    PAYMENT = pay::PAYMENT;
    /// A mandate's limits allow nothing, or too much.
    TERMS = pay::TERMS;
    /// The account has no room for another mandate.
    MANDATE_COUNT = vault::MANDATE_COUNT;
    /// The account has no such mandate.
    MANDATE = pay::UNKNOWN;
    /// The mandate has ended.
    MANDATE_OVER = pay::ENDED;
    /// The mandate doesn't allow it.
    SPENDING = pay::SPENDING, pay::ENDED;
    /// Too many requests were answered within the hour.
    REQUEST_COUNT = vault::REQUEST_COUNT;
}

/// The names in every group besides those of the vault's refusals and of UCAN's rules.
#[cfg(feature = "schema")]
pub(crate) const PAYMENT_NAMES: [&[&str]; 5] = [
    pay::PAYMENT,
    pay::TERMS,
    pay::UNKNOWN,
    pay::ENDED,
    pay::SPENDING,
];

/// Refusals of the exports for an account's devices. They are not in [`GROUPS`], because `enclave.wasm` doesn't have them. The host answers
/// `DevicesNotLoaded` if it runs that one.
#[cfg(feature = "devices")]
pub const DEVICES: &RefusalGroup = &RefusalGroup {
    name: "DEVICES",
    about: "A device of the account may not do this, or not now.",
    parts: &[
        &[
            "DevicesNotLoaded",
            "NoDevice",
            "NoPermission",
            "SharedDamaged",
        ],
        keyhole_sync::error::NAMES,
    ],
};
