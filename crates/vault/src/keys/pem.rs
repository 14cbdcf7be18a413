//! Bytes written as text: PEM (RFC 7468), hexadecimal and base64.

use alloc::vec::Vec;

use keyhole_codec::base64::{STANDARD, URL};
use keyhole_codec::hex;
use zeroize::Zeroizing;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// One block of a PEM text.
pub(crate) struct Block<'a> {
    /// What the first line names: `PRIVATE KEY`, say.
    pub label: &'a str,
    /// What is between the lines, as it was written.
    pub body: &'a str,
}

/// The blocks of a text, in order, ignoring what is around them. Stops at the first incomplete block.
pub(crate) fn blocks(text: &str) -> impl Iterator<Item = Block<'_>> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let (_, after) = rest.split_once(BEGIN)?;
        let (label, after) = after.split_once(DASHES)?;
        let (body, after) = after.split_once(END)?;
        rest = after.strip_prefix(label)?.strip_prefix(DASHES)?;
        Some(Block { label, body })
    })
}

/// The bytes of a text in hexadecimal, base64 or base64url, ignoring spaces and line ends.
pub(crate) fn decode(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    let mut plain = Zeroizing::new(Vec::with_capacity(text.len()));
    plain.extend(text.bytes().filter(|byte| !byte.is_ascii_whitespace()));
    if plain.iter().all(u8::is_ascii_hexdigit) {
        return some(hex::decode(&plain));
    }
    let alphabet = match plain.iter().any(|byte| matches!(byte, b'-' | b'_')) {
        true => &URL,
        false => &STANDARD,
    };
    let padding = plain.iter().rev().take(2).take_while(|byte| **byte == b'=');
    let padding = padding.count();
    // Padding is optional, but must be complete.
    let is_whole = padding == 0 || plain.len() % 4 == 0;
    let unpadded = plain.get(..plain.len() - padding).filter(|_| is_whole)?;
    some(alphabet.decode(unpadded))
}

fn some(bytes: Option<Vec<u8>>) -> Option<Zeroizing<Vec<u8>>> {
    let bytes = bytes.map(Zeroizing::new)?;
    (!bytes.is_empty()).then_some(bytes)
}

/// Whether a text is a PEM, or was meant to be one.
pub(crate) fn is_pem(text: &str) -> bool {
    text.contains(BEGIN)
}
