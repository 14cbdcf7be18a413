//! Personal metadata, sealed and opened in batches.

use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::enclave::Enclave;
use crate::host::Host;
use crate::refusal::Refusal;
use crate::secret::{SecretText, write_secret};

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Batch<T> {
    records: Vec<T>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answers<T> {
    records: Vec<T>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PlainRecord"))]
#[serde(deny_unknown_fields)]
pub struct Plain {
    context: String,
    plaintext: SecretText,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SealedRecord {
    sealed: String,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RecordToOpen"))]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    context: String,
    sealed: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "OpenedRecord"))]
#[serde(untagged)]
pub enum Opened {
    Record {
        #[serde(serialize_with = "write_secret")]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        plaintext: Zeroizing<String>,
    },
    Refused(Refusal),
}

/// `seal_records`: for the open account, or for the one that is made of the backup being read.
pub fn seal(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Batch<Plain>,
) -> Result<Answers<SealedRecord>, Refusal> {
    let backup = enclave.backup_of_new_account();
    if backup.is_none() {
        enclave.unlocked()?;
    }
    let records = input.records.iter().map(|record| {
        let (context, text) = (&record.context, record.plaintext.expose());
        let sealed = match backup {
            Some(backup) => backup.seal_record(context, text, host)?,
            None => enclave.unlocked()?.seal_record(context, text, host)?,
        };
        Ok(SealedRecord { sealed })
    });
    let records = records.collect::<Result<_, Refusal>>()?;
    Ok(Answers { records })
}

/// `open_records`: a record that doesn't open doesn't stop the others.
pub fn open(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    input: Batch<Sealed>,
) -> Result<Answers<Opened>, Refusal> {
    let vault = enclave.unlocked()?;
    let records = input.records.iter().map(|record| {
        match vault.open_record(&record.context, &record.sealed) {
            Ok(plaintext) => Opened::Record { plaintext },
            Err(error) => Opened::Refused(error.into()),
        }
    });
    Ok(Answers {
        records: records.collect(),
    })
}
