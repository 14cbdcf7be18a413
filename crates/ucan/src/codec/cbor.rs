//! Strict DAG-CBOR: only one encoding of each value is read, since a second one would give it a second CID.
//!
//! Refused: integers, lengths and tags that are not minimal, indefinite lengths, keys out of order or twice, keys that are not
//! text, floats of 16 or 32 bits, NaN, the infinities and -0.0, `undefined`, every tag but 42, text that is not UTF-8, bytes left
//! over, nesting past [`MAX_DEPTH`]. (DAG-CBOR specification, "Strictness"; RFC 8949 §4.2, with length-first key order.)

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use ipld_core::cid::Cid as RawCid;
use ipld_core::ipld::Ipld;

use crate::work_budget::{Budget, Cost, TooMuchWork};

/// Deepest nesting of lists and maps that is read.
pub const MAX_DEPTH: usize = 128;

/// Why bytes are not strict DAG-CBOR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CborError {
    /// The bytes end in the middle of a value.
    Cut,
    /// Bytes follow the value.
    Trailing,
    /// A non-canonical encoding of a value, or a form that DAG-CBOR doesn't have.
    NotCanonical,
    /// A map has a key twice, or its keys are out of order.
    KeyOrder,
    /// Lists and maps are nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// Reading it would exceed the call's budget. A value takes one byte in the encoding and hundreds in memory:
    /// kilobytes of text could ask for a gigabyte.
    TooMuchWork,
}

impl fmt::Display for CborError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cut => "the bytes end too early",
            Self::Trailing => "there are bytes after its end",
            Self::NotCanonical => "it is not canonical DAG-CBOR",
            Self::KeyOrder => "a map in it has keys twice or out of order",
            Self::TooDeep => "it is nested too deeply",
            Self::TooMuchWork => "it has too many parts to be read in one call",
        })
    }
}

impl core::error::Error for CborError {}

impl From<TooMuchWork> for CborError {
    fn from(_: TooMuchWork) -> Self {
        Self::TooMuchWork
    }
}

/// Reads one value that fills `bytes`.
///
/// # Errors
/// [`CborError`]: the first problem found.
pub fn decode(bytes: &[u8]) -> Result<Ipld, CborError> {
    decode_within(bytes, &Budget::new())
}

/// [`decode`], on a budget.
///
/// # Errors
/// As [`decode`].
pub fn decode_within(bytes: &[u8], budget: &Budget) -> Result<Ipld, CborError> {
    let mut reader = Reader::new(bytes, budget);
    let value = reader.value(0)?;
    if reader.rest.is_empty() {
        Ok(value)
    } else {
        Err(CborError::Trailing)
    }
}

/// The canonical encoding. A float must be finite.
///
/// # Errors
/// [`CborError::NotCanonical`] for a value without a DAG-CBOR form (an integer beyond 64 bits).
pub fn encode(value: &Ipld) -> Result<Vec<u8>, CborError> {
    serde_ipld_dagcbor::to_vec(value).map_err(|_| CborError::NotCanonical)
}

/// A cursor over an encoding.
pub(crate) struct Reader<'a> {
    pub(crate) rest: &'a [u8],
    budget: &'a Budget,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], budget: &'a Budget) -> Self {
        Self {
            rest: bytes,
            budget,
        }
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], CborError> {
        let (head, rest) = self.rest.split_at_checked(count).ok_or(CborError::Cut)?;
        self.rest = rest;
        Ok(head)
    }

    /// Major type, additional information, and the argument in its minimal form.
    pub(crate) fn head(&mut self) -> Result<(u8, u8, u64), CborError> {
        let first = self.take(1)?.first().copied().ok_or(CborError::Cut)?;
        let (major, info) = (first >> 5, first & 0x1f);
        let argument = match info {
            0..=23 => u64::from(info),
            24..=27 => {
                let bytes = self.take(1 << (info - 24))?;
                bytes
                    .iter()
                    .fold(0u64, |sum, byte| sum << 8 | u64::from(*byte))
            }
            _ => return Err(CborError::NotCanonical),
        };
        // Major type 7 has its own rules: its argument is a float's bits.
        let minimal = match info {
            24 => argument > 23,
            25 => argument > 0xff,
            26 => argument > 0xffff,
            27 => argument > 0xffff_ffff,
            _ => true,
        };
        if major != 7 && !minimal {
            return Err(CborError::NotCanonical);
        }
        Ok((major, info, argument))
    }

    fn text(&mut self, length: u64) -> Result<&'a str, CborError> {
        let length = usize::try_from(length).map_err(|_| CborError::Cut)?;
        core::str::from_utf8(self.take(length)?).map_err(|_| CborError::NotCanonical)
    }

    pub(crate) fn value(&mut self, depth: usize) -> Result<Ipld, CborError> {
        self.budget.spend(Cost::Values(1))?;
        let (major, info, argument) = self.head()?;
        match major {
            0 => Ok(Ipld::Integer(i128::from(argument))),
            1 => Ok(Ipld::Integer(-1 - i128::from(argument))),
            2 => {
                let length = usize::try_from(argument).map_err(|_| CborError::Cut)?;
                Ok(Ipld::Bytes(self.take(length)?.to_vec()))
            }
            3 => Ok(Ipld::String(self.text(argument)?.to_string())),
            4 => self.list(argument, depth),
            5 => self.map(argument, depth),
            6 => self.link(argument),
            _ => match (info, argument) {
                (20, _) => Ok(Ipld::Bool(false)),
                (21, _) => Ok(Ipld::Bool(true)),
                (22, _) => Ok(Ipld::Null),
                (27, bits) if is_canonical_float(bits) => Ok(Ipld::Float(f64::from_bits(bits))),
                _ => Err(CborError::NotCanonical),
            },
        }
    }

    fn nested(depth: usize) -> Result<usize, CborError> {
        if depth >= MAX_DEPTH {
            Err(CborError::TooDeep)
        } else {
            Ok(depth + 1)
        }
    }

    fn list(&mut self, count: u64, depth: usize) -> Result<Ipld, CborError> {
        let depth = Self::nested(depth)?;
        // Each item takes at least a byte, so a count beyond what is left is refused before anything is allocated.
        if count > self.rest.len() as u64 {
            return Err(CborError::Cut);
        }
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(self.value(depth)?);
        }
        Ok(Ipld::List(items))
    }

    fn map(&mut self, count: u64, depth: usize) -> Result<Ipld, CborError> {
        let depth = Self::nested(depth)?;
        if count > self.rest.len() as u64 / 2 {
            return Err(CborError::Cut);
        }
        self.budget.spend(Cost::Entries(count as usize))?;
        let mut entries: BTreeMap<String, Ipld> = BTreeMap::new();
        let mut last: Option<&str> = None;
        for _ in 0..count {
            let key = self.key()?;
            if last.is_some_and(|last| key_order(last, key) != Ordering::Less) {
                return Err(CborError::KeyOrder);
            }
            last = Some(key);
            entries.insert(key.to_string(), self.value(depth)?);
        }
        Ok(Ipld::Map(entries))
    }

    /// A map's key.
    pub(crate) fn key(&mut self) -> Result<&'a str, CborError> {
        let (major, _, length) = self.head()?;
        if major != 3 {
            return Err(CborError::NotCanonical);
        }
        self.text(length)
    }

    /// Tag 42: a byte string of a zero byte and a CID.
    fn link(&mut self, tag: u64) -> Result<Ipld, CborError> {
        let (major, _, length) = self.head()?;
        if tag != 42 || major != 2 {
            return Err(CborError::NotCanonical);
        }
        let length = usize::try_from(length).map_err(|_| CborError::Cut)?;
        let bytes = self
            .take(length)?
            .strip_prefix(&[0])
            .ok_or(CborError::NotCanonical)?;
        let cid = RawCid::try_from(bytes).map_err(|_| CborError::NotCanonical)?;
        // A CID's varints can be padded: only accept the bytes that we would write.
        if cid.to_bytes() == bytes {
            Ok(Ipld::Link(cid))
        } else {
            Err(CborError::NotCanonical)
        }
    }
}

/// Finite, and not -0.0, which equals 0.0.
fn is_canonical_float(bits: u64) -> bool {
    f64::from_bits(bits).is_finite() && bits != 1 << 63
}

/// DAG-CBOR's order of keys: by length, then by bytes.
fn key_order(a: &str, b: &str) -> Ordering {
    a.len()
        .cmp(&b.len())
        .then_with(|| a.as_bytes().cmp(b.as_bytes()))
}

#[cfg(test)]
#[path = "cbor_test.rs"]
mod tests;
