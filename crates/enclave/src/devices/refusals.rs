//! Why a device can't do something, as the enclave's refusals.

use keyhole_sync::error::SyncError;

use crate::refusal::Refusal;

pub fn refused(error: SyncError) -> Refusal {
    match error {
        SyncError::Vault(error) => error.into(),
        other => Refusal::of(other.name(), other.to_string(), None, None),
    }
}

pub fn no_permission() -> Refusal {
    let text = "This device has no permission of the account for relays, or this unlock method can't give one.";
    Refusal::of("NoPermission", text.to_owned(), None, None)
}

pub fn no_device() -> Refusal {
    let text = "This device is not open as one of the account's. Open it first.";
    Refusal::of("NoDevice", text.to_owned(), None, None)
}

pub fn damaged() -> Refusal {
    let text = "What a device of this account shared can't be read.";
    Refusal::of("SharedDamaged", text.to_owned(), None, None)
}
