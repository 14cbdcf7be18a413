//! Answers to requests that came without a window.

use keyhole_ucan::codec::base64::{Bytes, Fixed};
use keyhole_vault::seal::answer::{self, Mailbox};
use serde::{Deserialize, Serialize};

use crate::enclave::Enclave;
use crate::host::Host;
use crate::refusal::Refusal;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Answer {
    answer: String,
    request: Fixed<32>,
    mailbox: String,
    key: Fixed<32>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SealedAnswer {
    sealed: Bytes,
}

/// `seal_answer`: needs no account, since a person can decline without one.
pub fn seal(_: &mut Enclave, host: &mut dyn Host, input: Answer) -> Result<SealedAnswer, Refusal> {
    let to = Mailbox {
        request: &input.request.0,
        did: &input.mailbox,
        key: &input.key.0,
    };
    let sealed = answer::seal(&to, &input.answer, &mut |bytes: &mut [u8]| host.fill(bytes))?;
    Ok(SealedAnswer {
        sealed: Bytes(sealed),
    })
}
