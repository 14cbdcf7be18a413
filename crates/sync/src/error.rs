//! Refusals by name. Programs compare the names. They never contain a secret.

use core::fmt;

use keyhole_vault::error::VaultError;

/// Why something was refused. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncError {
    /// The bytes are not a record of this version, or are too long.
    RecordMalformed,
    /// The device that the record names did not sign it.
    RecordSignature,
    /// The record belongs to another account.
    OtherAccount,
    /// No device that was allowed to write this record has written it.
    NotAllowed,
    /// Too many records wait for others: the relay withholds something, or sends what no device of this account wrote.
    TooManyWaiting,
    /// This device was not added to the account yet, or was removed.
    NotMember,
    /// A limited device may not write this.
    Limited,
    /// This device was not given the current epoch's key.
    NoEpochKey,
    /// The relay showed devices different heads. Read until they are joined, then try again.
    HeadsDiffer,
    /// Another device has to join the heads. This one can't, because one of them removes it.
    OtherDeviceMustJoin,
    /// The account has no such device.
    DeviceUnknown,
    /// The account already has this device, or removed it.
    DeviceKnown,
    /// A limit of the format was reached.
    TooMany,
    /// The code was mistyped.
    PairingCode,
    /// This message isn't of this pairing, or its keys aren't those that the new device committed itself to.
    PairingRefused,
    /// There is no pairing, or it is at another step. A pairing that failed is begun again with a new code.
    PairingOutOfStep,
    /// The relay has nothing that this recovery code opens.
    RecoveryNotFound,
    /// The recovery code was replaced or removed: no head names its device any more.
    RecoveryCodeReplaced,
    /// Sealing, signing or randomness failed.
    Vault(VaultError),
}

/// The names of all of them, without those of the vault.
pub const NAMES: &[&str] = &[
    "RecordMalformed",
    "RecordSignature",
    "OtherAccount",
    "NotAllowed",
    "TooManyWaiting",
    "NotMember",
    "Limited",
    "NoEpochKey",
    "HeadsDiffer",
    "OtherDeviceMustJoin",
    "DeviceUnknown",
    "DeviceKnown",
    "TooMany",
    "PairingCode",
    "PairingRefused",
    "PairingOutOfStep",
    "RecoveryNotFound",
    "RecoveryCodeReplaced",
];

impl SyncError {
    /// The name, for programs.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::RecordMalformed => "RecordMalformed",
            Self::RecordSignature => "RecordSignature",
            Self::OtherAccount => "OtherAccount",
            Self::NotAllowed => "NotAllowed",
            Self::TooManyWaiting => "TooManyWaiting",
            Self::NotMember => "NotMember",
            Self::Limited => "Limited",
            Self::NoEpochKey => "NoEpochKey",
            Self::HeadsDiffer => "HeadsDiffer",
            Self::OtherDeviceMustJoin => "OtherDeviceMustJoin",
            Self::DeviceUnknown => "DeviceUnknown",
            Self::DeviceKnown => "DeviceKnown",
            Self::TooMany => "TooMany",
            Self::PairingCode => "PairingCode",
            Self::PairingRefused => "PairingRefused",
            Self::PairingOutOfStep => "PairingOutOfStep",
            Self::RecoveryNotFound => "RecoveryNotFound",
            Self::RecoveryCodeReplaced => "RecoveryCodeReplaced",
            Self::Vault(error) => error.name(),
        }
    }
}

impl fmt::Display for SyncError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RecordMalformed => "This isn't a record of this version.",
            Self::RecordSignature => "The device that this record names did not sign it.",
            Self::OtherAccount => "This record belongs to another account.",
            Self::NotAllowed => "No device that was allowed to write this record has written it.",
            Self::TooManyWaiting => "The relay sent too much that none of your devices wrote.",
            Self::NotMember => "This device was removed from the account, or was not added yet.",
            Self::Limited => "A limited device can't write this.",
            Self::NoEpochKey => "This device was not given the account's current key.",
            Self::HeadsDiffer => {
                "The relay showed your devices different lists. Connect, and try again."
            }
            Self::OtherDeviceMustJoin => "Another of your devices has to connect first.",
            Self::DeviceUnknown => "The account has no such device.",
            Self::DeviceKnown => "The account already has this device, or removed it.",
            Self::TooMany => "The account can't have more of these.",
            Self::PairingCode => "This isn't the code that the new device shows.",
            Self::PairingRefused => {
                "Someone else may be trying to add a device. Start again with a new code."
            }
            Self::PairingOutOfStep => "Start again with a new code.",
            Self::RecoveryNotFound => "The relay has nothing that this recovery code opens.",
            Self::RecoveryCodeReplaced => "This recovery code was replaced or removed.",
            Self::Vault(error) => return error.fmt(f),
        })
    }
}

impl core::error::Error for SyncError {}

impl From<VaultError> for SyncError {
    fn from(error: VaultError) -> Self {
        Self::Vault(error)
    }
}
