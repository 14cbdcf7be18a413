//! Containers 0.1.0: bundled tokens after a header byte that names the encoding (`ucan-wg/container`).
//!
//! | | raw | base64 | base64url |
//! |---|---|---|---|
//! | plain | `@` | `B` | `C` |
//! | gzip | `M` | `O` | `P` |
//!
//! Then the DAG-CBOR of `{"ctn-v1": [token bytes …]}`.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use keyhole_codec::base64::{Alphabet, STANDARD, URL};

use crate::codec::cbor::{CborError, Reader};
use crate::codec::gzip;
use crate::error::{TokenError, Why};
use crate::work_budget::{Budget, Cost, TooMuchWork};

/// Most bytes in an expanded container: eight tokens of the longest kind.
pub const MAX_CONTAINER_LENGTH: usize = 8 << 20;

/// Most bytes of an expanded container that [`write_call`] leaves plain. Its text still fits into the headers that servers
/// allow.
pub const SHORT_CALL: usize = 4_096;

/// The key in the map, with its version.
const KEY: &str = "ctn-v1";

/// Writes tokens as text: base64url after `C`, or compressed after `P` if that is shorter. They are sorted bytewise
/// without duplicates, so the same tokens always give the same text.
pub fn write<'a>(tokens: impl IntoIterator<Item = &'a [u8]>) -> String {
    text_of(plain_of(tokens))
}

/// Writes an invocation with its proofs as text. A short one stays plain: a verifier recognises the proofs of a known client by
/// their bytes, and doesn't unpack what a stranger may have sent (docs/decisions/085). A longer one is written as by [`write()`].
pub fn write_call<'a>(tokens: impl IntoIterator<Item = &'a [u8]>) -> String {
    let plain = plain_of(tokens);
    if plain.len() <= SHORT_CALL {
        as_url('C', &plain)
    } else {
        text_of(plain)
    }
}

/// The CBOR of the tokens, sorted and each once.
fn plain_of<'a>(tokens: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let tokens: BTreeSet<&[u8]> = tokens.into_iter().collect();
    let mut plain = Vec::with_capacity(tokens.iter().map(|token| token.len() + 9).sum());
    write_head(&mut plain, 5, 1);
    write_head(&mut plain, 3, KEY.len());
    plain.extend_from_slice(KEY.as_bytes());
    write_head(&mut plain, 4, tokens.len());
    for token in tokens {
        write_head(&mut plain, 2, token.len());
        plain.extend_from_slice(token);
    }
    plain
}

/// The shorter of plain and compressed.
fn text_of(plain: Vec<u8>) -> String {
    let compressed = gzip::compress(&plain);
    if compressed.len() < plain.len() {
        as_url('P', &compressed)
    } else {
        as_url('C', &plain)
    }
}

fn as_url(header: char, bytes: &[u8]) -> String {
    let mut text = String::from(header);
    URL.encode_append(bytes, &mut text);
    text
}

/// A CBOR head: major type, and its argument in the shortest form.
fn write_head(out: &mut Vec<u8>, major: u8, argument: usize) {
    let major = major << 5;
    let wide = (argument as u64).to_be_bytes();
    let (info, length) = match argument {
        0..24 => {
            out.push(major | argument as u8);
            return;
        }
        24..=0xff => (24, 1),
        0x100..=0xffff => (25, 2),
        0x1_0000..=0xffff_ffff => (26, 4),
        _ => (27, 8),
    };
    out.push(major | info);
    out.extend(wide.iter().skip(8 - length));
}

/// Whether these bytes start like a container.
pub fn is_container(bytes: &[u8]) -> bool {
    matches!(bytes.first(), Some(b'@' | b'B' | b'C' | b'M' | b'O' | b'P'))
}

/// Reads a container in any of the six encodings: the bytes of each token, in order, without duplicates. Doesn't look
/// into the tokens. Base64 may be padded or not.
///
/// # Errors
/// `MalformedToken`, also past [`MAX_CONTAINER_LENGTH`].
pub fn read(bytes: &[u8]) -> Result<Vec<Vec<u8>>, TokenError> {
    read_within(bytes, &Budget::new())
}

/// [`read`], on a budget.
///
/// # Errors
/// As [`read`]; `TooMuchWork`.
pub fn read_within(bytes: &[u8], budget: &Budget) -> Result<Vec<Vec<u8>>, TokenError> {
    let Some((header, rest)) = bytes.split_first() else {
        return Err(TokenError::malformed(Why::EmptyContainer));
    };
    let packed = match header {
        b'@' | b'M' => Cow::Borrowed(rest),
        b'B' | b'O' => Cow::Owned(from_base64(&STANDARD, rest)?),
        b'C' | b'P' => Cow::Owned(from_base64(&URL, rest)?),
        _ => return Err(TokenError::malformed(Why::NoContainer)),
    };
    let plain = match header {
        b'M' | b'O' | b'P' => {
            let unreadable = || TokenError::malformed(Why::ContainerDamaged);
            // It declares its unpacked length, and can't exceed it.
            let length = gzip::expanded_length(&packed)
                .filter(|length| *length <= MAX_CONTAINER_LENGTH)
                .ok_or_else(unreadable)?;
            budget.spend(Cost::Unpacked(length + packed.len()))?;
            Cow::Owned(gzip::expand(&packed, length, budget)?.ok_or_else(unreadable)?)
        }
        _ => packed,
    };
    if plain.len() > MAX_CONTAINER_LENGTH {
        return Err(TokenError::malformed(Why::ContainerTooLarge));
    }
    let tokens = unpack(&plain, budget).map_err(|error| match error {
        CborError::TooMuchWork => TokenError::from(TooMuchWork),
        _ => TokenError::malformed(alloc::format!("This isn't a container of tokens: {error}.")),
    })?;
    let mut seen = BTreeSet::new();
    Ok(tokens
        .into_iter()
        .filter(|token| seen.insert(*token))
        .map(<[u8]>::to_vec)
        .collect())
}

fn from_base64(alphabet: &Alphabet, text: &[u8]) -> Result<Vec<u8>, TokenError> {
    let end = text.iter().rev().take(2).take_while(|byte| **byte == b'=');
    let text = text.get(..text.len() - end.count()).unwrap_or_default();
    alphabet
        .decode(text)
        .ok_or_else(|| TokenError::malformed(Why::LetterAmiss))
}

fn unpack<'a>(bytes: &'a [u8], budget: &'a Budget) -> Result<Vec<&'a [u8]>, CborError> {
    let mut reader = Reader::new(bytes, budget);
    if !matches!(reader.head()?, (5, _, 1)) || reader.key()? != KEY {
        return Err(CborError::NotCanonical);
    }
    let (major, _, count) = reader.head()?;
    if major != 4 {
        return Err(CborError::NotCanonical);
    }
    let mut tokens = Vec::new();
    for _ in 0..count {
        let (major, _, length) = reader.head()?;
        if major != 2 {
            return Err(CborError::NotCanonical);
        }
        budget.spend(Cost::Values(1))?;
        let token = reader.take(usize::try_from(length).map_err(|_| CborError::Cut)?)?;
        // Copied, and compared with the others to find duplicates.
        budget.spend(Cost::Compared(token.len() * 4))?;
        tokens.push(token);
    }
    if reader.rest.is_empty() {
        Ok(tokens)
    } else {
        Err(CborError::Trailing)
    }
}
