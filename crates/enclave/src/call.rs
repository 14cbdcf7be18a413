//! Decode, call, encode: the same for every export.

use keyhole_core::budget::{MAX_ANSWER, TooMuchWork};
use serde::Serialize;
use serde::de::DeserializeOwned;
use zeroize::Zeroizing;

use crate::declaration::Declaration;
use crate::host::Host;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::vault::Enclave;

/// Longest input of most calls, in bytes: a token's text at its longest, and slack.
pub const SHORT: usize = 16 * 1_024 * 1_024;
/// Longest input of calls that take a backup or a file, in bytes: a backup, and what JSON escapes in it.
pub const LONG: usize = 80 * 1_024 * 1_024;

/// A call as the host makes it: JSON text in, JSON text out.
pub type Call = fn(&mut Enclave, &mut dyn Host, Zeroizing<Vec<u8>>) -> Output;

/// A function of the plugin.
pub struct Export {
    /// Its name.
    pub name: &'static str,
    /// Longest input, in bytes: what is longer is refused before it is read, since decoding takes several times as much
    /// memory and running out of it would be a trap.
    pub max_input: usize,
    /// What the host has to know of it before it calls it.
    pub declaration: Declaration,
    /// What it does.
    pub call: Call,
    /// The schemas of its input and its answer.
    #[cfg(feature = "schema")]
    pub shapes: fn(&mut crate::schema::Shapes) -> (schemars::Schema, schemars::Schema),
}

/// Makes an export of each line `name: what is declared of it => function`: an entry of `EXPORTS`, and in wasm a function of
/// that name. In wasm the declarations are in a section of their own, a line each, from which the build makes the host's list.
macro_rules! exports {
    ($(up to $max:ident { $(
        $name:ident $(: $($trait:ident $(($($field:ident),+))?),+)? => $function:path,
    )+ })+) => {
        /// Every export.
        pub const EXPORTS: &[$crate::call::Export] = &[
            $($($crate::call::Export {
                name: stringify!($name),
                max_input: $crate::call::$max,
                declaration: $crate::declaration::Declaration::NONE
                    $($(.$trait($(&[$(stringify!($field)),+])?))+)?,
                call: |enclave, host, input| {
                    $crate::steps::answer(
                        |enclave, host, input| $crate::call::respond($function, const { $crate::declaration::Declaration::NONE
                            $($(.$trait($(&[$(stringify!($field)),+])?))+)?.is_for_strangers() },
                            enclave, host, input),
                        enclave, host, input,
                    )
                },
                #[cfg(feature = "schema")]
                shapes: |shapes| shapes.of($function),
            },)+)+
        ];

        #[cfg(target_arch = "wasm32")]
        mod wasm_exports {
            use super::*;

            const DECLARED: &str = concat!($($(
                stringify!($name),
                $($(" ", stringify!($trait), $($(":", stringify!($field),)+)?)+)?
                "\n",
            )+)+);

            #[used]
            #[unsafe(link_section = "keyhole.exports")]
            static SECTION: [u8; DECLARED.len()] = $crate::call::bytes_of(DECLARED);

            $($(
                // SAFETY: no other symbol of the plugin has this name; the table of exports holds each once.
                #[unsafe(no_mangle)]
                extern "C" fn $name() -> i32 {
                    $crate::plugin::run($crate::call::$max, |enclave, host, input| {
                        $crate::steps::answer(
                            |enclave, host, input| $crate::call::respond($function, const { $crate::declaration::Declaration::NONE
                            $($(.$trait($(&[$(stringify!($field)),+])?))+)?.is_for_strangers() },
                            enclave, host, input),
                            enclave, host, input,
                        )
                    })
                }
            )+)+
        }
    };
}
pub(crate) use exports;

/// The bytes of a text themselves: a section holds no pointer.
#[cfg(target_arch = "wasm32")]
pub const fn bytes_of<const N: usize>(text: &str) -> [u8; N] {
    let (mut bytes, mut rest, mut at) = ([0; N], text.as_bytes(), 0);
    while let [first, after @ ..] = rest {
        #[allow(clippy::indexing_slicing)]
        {
            bytes[at] = *first;
        }
        (rest, at) = (after, at + 1);
    }
    bytes
}

/// Decodes the input, makes the call and encodes its answer, a refusal included. Empty input is `{}`.
pub fn respond<I: DeserializeOwned, O: Serialize>(
    function: fn(&mut Enclave, &mut dyn Host, I) -> Result<O, Refusal>,
    is_for_strangers: bool,
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: &[u8],
) -> Output {
    enclave.begin_call(input.len());
    let most = match is_for_strangers {
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

fn decode<I: DeserializeOwned>(input: &[u8]) -> Result<I, Refusal> {
    let input = if input.is_empty() { b"{}" } else { input };
    // serde would read the fields off a list as well, by their order.
    if !input.trim_ascii_start().starts_with(b"{") {
        return Err(Refusal::failed("This input is no JSON object."));
    }
    serde_json::from_slice(input).map_err(|error| Refusal::failed(describe(&error)))
}

/// What is wrong with an input, without anything of what was in it: serde quotes values, and a value may be a passphrase.
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
        None => "This input is no JSON text.".to_owned(),
    }
}
