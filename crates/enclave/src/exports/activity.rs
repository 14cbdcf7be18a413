//! The activity log: lines written with a change of the state, and read back with what is missing or was rewritten.

use keyhole_vault::seal::activity_log::{Activity, SealedLine};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::enclave::Enclave;
use crate::host::Host;
use crate::refusal::Refusal;
use crate::status::Changed;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Log {
    entries: Vec<Value>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Logged {
    records: Vec<SealedLine>,
    #[serde(flatten)]
    changed: Changed,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Read {
    records: Vec<SealedLine>,
}

/// `log_activity`
pub fn log(enclave: &mut Enclave, host: &mut dyn Host, input: Log) -> Result<Logged, Refusal> {
    let records = enclave.change(host, |vault, tools| {
        vault.log_activity(&input.entries, tools)
    })?;
    Ok(Logged {
        records,
        changed: Changed::of(enclave)?,
    })
}

/// `read_activity`
pub fn read(enclave: &mut Enclave, _: &mut dyn Host, input: Read) -> Result<Activity, Refusal> {
    Ok(enclave.unlocked()?.read_activity(&input.records))
}
