//! The device that is open, and how far it is.

use serde::Serialize;

use crate::devices::refusals::no_device;
use crate::devices::{DeviceStatus, OpenDevice};
use crate::enclave::Enclave;
use crate::refusal::Refusal;
use crate::status::Changed;

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Adopted {
    #[serde(flatten)]
    pub(super) changed: Changed,
    pub(super) device: DeviceStatus,
}

pub(super) fn opened(enclave: &mut Enclave) -> Result<&mut OpenDevice, Refusal> {
    enclave.unlocked()?;
    enclave.device.as_deref_mut().ok_or_else(no_device)
}

pub(super) fn status(enclave: &Enclave) -> Result<DeviceStatus, Refusal> {
    let open = enclave.device.as_ref().ok_or_else(no_device)?;
    Ok(open.status(enclave.unlocked().ok()))
}
