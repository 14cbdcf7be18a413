//! The activity log: entries are written with a change of the state, and read back with what is missing or was changed.

use std::fmt;

use keyhole_vault::seal::activity_log::{Activity, MAX_ENTRIES, MAX_ENTRY_BYTES, SealedLine};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::enclave::Enclave;
use crate::host::Host;
use crate::refusal::Refusal;
use crate::status::Changed;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Log {
    #[serde(deserialize_with = "read_entries")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Value>"))]
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

/// Longest entry as it comes, in bytes: with every character escaped, and some space.
const LONGEST_TEXT: usize = 8 * MAX_ENTRY_BYTES;

/// Reads entries, limited in number and length as they come: in memory, a value takes a hundred times its text.
fn read_entries<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Value>, D::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<Value>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("entries")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<Value>, A::Error> {
            let mut entries = Vec::new();
            while let Some(text) = from.next_element::<&RawValue>()? {
                if entries.len() == MAX_ENTRIES || text.get().len() > LONGEST_TEXT {
                    return Err(A::Error::custom("too many entries, or too long a one"));
                }
                let entry = serde_json::from_str(text.get());
                entries.push(entry.map_err(|_| A::Error::custom("no entry"))?);
            }
            Ok(entries)
        }
    }
    from.deserialize_seq(Entries)
}
