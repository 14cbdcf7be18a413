//! How an export is declared: one line gives its entry in the table, its function in wasm, and what the host needs to
//! know.

use crate::call::Call;
use crate::declaration::Declaration;

/// A function of the plugin.
pub struct Export {
    /// Its name.
    pub name: &'static str,
    /// Longest input, in bytes. A longer one is refused unread: decoding takes several times as much memory, and
    /// running out of it would be a trap.
    pub max_input: usize,
    /// What the host must know before it calls it.
    pub declaration: Declaration,
    /// What it does.
    pub call: Call,
    /// The schemas of its input and its answer.
    #[cfg(feature = "schema")]
    pub shapes: fn(&mut crate::shapes::Shapes) -> (schemars::Schema, schemars::Schema),
}

/// Makes an export of each line `name: declaration => function [refusal groups]`: an entry of `EXPORTS`, and in wasm a
/// function of that name. The wasm has the declarations in a custom section, a line each, from which the build makes
/// the host's list.
macro_rules! exports {
    ($(up to $max:ident { $(
        $name:ident $(: $($trait:ident $(($($field:ident),+))?),+)? => $function:path [$($group:ident),*],
    )+ })+) => {
        /// Every export.
        pub const EXPORTS: &[$crate::export_macro::Export] = &[
            $($($crate::export_macro::Export {
                name: stringify!($name),
                max_input: $crate::call::$max,
                declaration: $crate::declaration::Declaration::NONE
                    $($(.$trait($(&[$(stringify!($field)),+])?))+)?
                    .refuses(&[$($crate::refusal_groups::$group),*]),
                call: |enclave, host, input| {
                    $crate::steps::answer(
                        |enclave, host, input| $crate::call::respond($function, &$crate::declaration::Declaration::NONE
                            $($(.$trait($(&[$(stringify!($field)),+])?))+)?
                            .refuses(&[$($crate::refusal_groups::$group),*]),
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
            static SECTION: [u8; DECLARED.len()] = $crate::export_macro::bytes_of(DECLARED);

            $($(
                // SAFETY: no other symbol of the plugin has this name, since the table lists each export once.
                #[unsafe(no_mangle)]
                extern "C" fn $name() -> i32 {
                    $crate::plugin::run($crate::call::$max, |enclave, host, input| {
                        $crate::steps::answer(
                            |enclave, host, input| $crate::call::respond($function, &$crate::declaration::Declaration::NONE
                            $($(.$trait($(&[$(stringify!($field)),+])?))+)?
                            .refuses(&[$($crate::refusal_groups::$group),*]),
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

/// The bytes of a text, since a section can't hold a pointer.
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
