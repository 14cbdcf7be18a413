//! Decodes, calls, encodes: the same for every export.

use keyhole_ucan::error::TokenErrorName;
use keyhole_ucan::work_budget::{MAX_ANSWER, TooMuchWork};
use keyhole_vault::error::VaultError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use zeroize::Zeroizing;

use crate::declaration::Declaration;
use crate::enclave::Enclave;
use crate::host::Host;
use crate::output::Output;
use crate::refusal::Refusal;

/// Longest input of most calls, in bytes: the longest token text, and slack.
pub const SHORT: usize = 16 * 1_024 * 1_024;
/// Longest input of calls that sign or verify, in bytes: they can't be interrupted, so a lock waits for them.
pub const DATA: usize = 24 * 1_024 * 1_024;
/// Longest input of calls that take a backup, in bytes: a backup, with its JSON escapes.
pub const LONG: usize = 80 * 1_024 * 1_024;

/// A call as the host makes it: JSON text in, JSON text out.
pub type Call = fn(&mut Enclave, &mut dyn Host, Zeroizing<Vec<u8>>) -> Output;

/// Decodes the input, makes the call and encodes its answer or refusal. Empty input is `{}`. A call that can refuse too
/// much work does so before decoding, if decoding alone takes too much.
pub fn respond<I: DeserializeOwned, O: Serialize>(
    function: fn(&mut Enclave, &mut dyn Host, I) -> Result<O, Refusal>,
    declaration: &Declaration,
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: &[u8],
) -> Output {
    let begun = enclave.begin_call(input.len(), marks(input));
    if declaration.may_refuse(TokenErrorName::TooMuchWork.as_str())
        && let Err(error) = begun
    {
        return Output::of(&Refusal::from(error));
    }
    let most = match declaration.is_for_strangers() {
        true => input.len() + MAX_ANSWER as usize,
        false => usize::MAX,
    };
    match decode(input).and_then(|input| function(enclave, host, input)) {
        Ok(answer) => {
            Output::within(&answer, most).unwrap_or_else(|| Output::of(&Refusal::from(TooMuchWork)))
        }
        Err(refusal) => Output::of(&refusal),
    }
}

/// How many JSON characters open, separate or escape something: the cost of decoding depends on these as well as on the
/// length. Those within strings are counted too.
fn marks(input: &[u8]) -> usize {
    input
        .iter()
        .filter_map(|byte| MARKS.get(usize::from(*byte)))
        .map(|mark| usize::from(*mark))
        .sum()
}

/// For each byte, 1 if it is such a character. Every input is counted, and looking up is faster than comparing.
#[allow(clippy::indexing_slicing)] // At compile time.
static MARKS: [u8; 256] = {
    let mut marks = [0; 256];
    let mut rest: &[u8] = b"\",:[{\\";
    while let [mark, after @ ..] = rest {
        marks[*mark as usize] = 1;
        rest = after;
    }
    marks
};

fn decode<I: DeserializeOwned>(input: &[u8]) -> Result<I, Refusal> {
    let input = if input.is_empty() { b"{}" } else { input };
    // Given a list, serde would read the fields by their order.
    if !input.trim_ascii_start().starts_with(b"{") {
        return Err(Refusal::from(VaultError::input(
            "This input isn't a JSON object.",
        )));
    }
    serde_json::from_slice(input)
        .map_err(|error| Refusal::from(VaultError::input(describe(&error))))
}

/// Describes what is wrong with an input without quoting it: serde quotes values, and a value may be a passphrase.
fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let named = ["missing field `", "unknown field `", "duplicate field `"]
        .iter()
        .find_map(|kind| {
            let name = text.strip_prefix(kind)?.split('`').next()?;
            Some(format!("{kind}{name}`"))
        });
    match named {
        Some(problem) => format!("This input is not what the call takes: {problem}."),
        None if error.is_data() => {
            format!(
                "This input is not what the call takes: a value of the wrong kind at column {}.",
                error.column()
            )
        }
        None => "This input isn't JSON.".to_owned(),
    }
}
