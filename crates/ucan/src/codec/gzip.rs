//! gzip (RFC 1952) around deflate: one member, verified to its last byte, with a size limit that applies before
//! anything is allocated.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use crate::work_budget::{Budget, Cost, TooMuchWork};

/// Magic bytes and deflate.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 0x08];
/// No flags, no time, no extra flags, operating system unknown.
const HEADER: [u8; 10] = [0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0xff];
/// The slowest of miniz_oxide's ordinary levels, since tokens are small.
const LEVEL: u8 = 9;

/// Compresses. The same input always gives the same bytes.
pub(crate) fn compress(data: &[u8]) -> Vec<u8> {
    let mut out = HEADER.to_vec();
    out.extend_from_slice(&compress_to_vec(data, LEVEL));
    out.extend_from_slice(&crc32(data).to_le_bytes());
    // The format keeps the size modulo 2^32.
    out.extend_from_slice(&(data.len() as u32).to_le_bytes());
    out
}

/// The unpacked size that the last four bytes declare. Only meaningful for one whole member.
pub(crate) fn expanded_length(bytes: &[u8]) -> Option<usize> {
    let length = u32::from_le_bytes(*bytes.last_chunk()?);
    usize::try_from(length).ok()
}

/// Decompresses to at most `limit` bytes; `None` for anything but one whole member. The caller charges the packed and
/// unpacked bytes, this function the blocks.
///
/// # Errors
/// [`TooMuchWork`].
pub(crate) fn expand(
    bytes: &[u8],
    limit: usize,
    budget: &Budget,
) -> Result<Option<Vec<u8>>, TooMuchWork> {
    let Some(deflated) = after_header(bytes) else {
        return Ok(None);
    };
    let inflated = inflate(deflated, limit, budget)?;
    Ok(inflated.and_then(|(data, rest)| is_intact(&data, rest).then_some(data)))
}

/// Whether the rest is exactly the data's checksum and size.
fn is_intact(data: &[u8], rest: &[u8]) -> bool {
    let trailer = rest.split_first_chunk().and_then(|(checksum, rest)| {
        let (size, rest) = rest.split_first_chunk()?;
        Some((*checksum, *size, rest))
    });
    trailer.is_some_and(|(checksum, size, rest)| {
        u32::from_le_bytes(checksum) == crc32(data)
            && u32::from_le_bytes(size) == data.len() as u32
            && rest.is_empty()
    })
}

/// Skips the header and its optional parts (section 2.3).
fn after_header(bytes: &[u8]) -> Option<&[u8]> {
    let (fixed, mut rest) = bytes.split_first_chunk::<10>()?;
    let [m0, m1, m2, flags, ..] = *fixed;
    if [m0, m1, m2] != MAGIC || flags & 0xe0 != 0 {
        return None;
    }
    if flags & 4 != 0 {
        let (length, extra) = rest.split_first_chunk()?;
        rest = extra.get(usize::from(u16::from_le_bytes(*length))..)?;
    }
    // A name and a comment, each up to a zero byte.
    for flag in [8, 16] {
        if flags & flag != 0 {
            let end = rest.iter().position(|byte| *byte == 0)?;
            rest = rest.get(end + 1..)?;
        }
    }
    if flags & 2 != 0 {
        rest = rest.get(2..)?;
    }
    Some(rest)
}

/// The data and the bytes after its last block; `None` if it can't be read.
type Inflated<'a> = Option<(Vec<u8>, &'a [u8])>;

/// Reads blocks. Each is charged: a block can be as short as ten bits, and its tables are built every time.
fn inflate<'a>(
    mut input: &'a [u8],
    limit: usize,
    budget: &Budget,
) -> Result<Inflated<'a>, TooMuchWork> {
    let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
        | inflate_flags::TINFL_FLAG_STOP_ON_BLOCK_BOUNDARY;
    let mut state = Box::<DecompressorOxide>::default();
    let mut out = vec![0; (input.len() * 4).clamp(256, limit.max(256)).min(limit)];
    let mut written = 0;
    budget.spend(Cost::Block)?;
    loop {
        let (status, read, wrote) = decompress(&mut state, input, &mut out, written, flags);
        let Some(rest) = input.get(read..) else {
            return Ok(None);
        };
        input = rest;
        written += wrote;
        match status {
            TINFLStatus::Done => {
                out.truncate(written);
                return Ok(Some((out, input)));
            }
            TINFLStatus::BlockBoundary => budget.spend(Cost::Block)?,
            TINFLStatus::HasMoreOutput if out.len() < limit => {
                out.resize((out.len() * 2).min(limit), 0);
            }
            _ => return Ok(None),
        }
    }
}

/// CRC-32 (section 8), half a byte at a time: inputs are short, so a table of 16 is enough.
fn crc32(data: &[u8]) -> u32 {
    const TABLE: [u32; 16] = table();
    let step = |crc: u32, nibble: u32| {
        let index = (crc ^ nibble) & 0xf;
        (crc >> 4) ^ TABLE.get(index as usize).copied().unwrap_or_default()
    };
    !data.iter().fold(!0, |crc, byte| {
        let byte = u32::from(*byte);
        step(step(crc, byte & 0xf), byte >> 4)
    })
}

const fn table() -> [u32; 16] {
    let mut table = [0; 16];
    let mut index = 0;
    while index < 16 {
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 4 {
            value = if value & 1 == 1 {
                0xedb8_8320 ^ (value >> 1)
            } else {
                value >> 1
            };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
}

#[cfg(test)]
#[path = "gzip_test.rs"]
mod tests;
