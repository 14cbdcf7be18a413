//! DAG-JSON, the text form of the IPLD data model in which arguments, policies and payloads enter and leave the enclave.
//!
//! Read strictly: integers stay exact (−2⁶⁴ to 2⁶⁴ − 1, what DAG-CBOR can hold) and never become floats; a number with
//! a point or an exponent is a float. Refused: a repeated key, half of a surrogate pair, nesting past [`MAX_DEPTH`],
//! more values than a call may build ([`crate::work_budget`]), and the key `/` in anything but a link or bytes.
//!
//! The enclave calls [`parse`] and [`to_string`], or uses [`DagJson`] as a field's type, which reads and writes itself
//! through serde_json.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::fmt::Write as _;

use ipld_core::cid::{Cid as RawCid, Version};
use ipld_core::ipld::Ipld;
use keyhole_codec::base64::STANDARD;
use keyhole_codec::{base32, base58};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::codec::cbor::MAX_DEPTH;
use crate::codec::json::{Scanner, write_string};
use crate::work_budget::{Budget, Cost, TooMuchWork};

/// Longest text of a link that is read, in bytes.
const MAX_LINK_LENGTH: usize = 256;

/// Why text is not DAG-JSON, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DagJsonError {
    /// Bytes from the start.
    pub at: usize,
    /// What is wrong, in words.
    pub reason: &'static str,
    /// The budget ran out: the text itself may be valid.
    pub is_too_much_work: bool,
}

impl DagJsonError {
    const fn new(at: usize, reason: &'static str) -> Self {
        Self {
            at,
            reason,
            is_too_much_work: false,
        }
    }
}

impl fmt::Display for DagJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {})", self.reason, self.at)
    }
}

impl core::error::Error for DagJsonError {}

/// A value that is DAG-JSON in JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct DagJson(pub Ipld);

impl<'de> Deserialize<'de> for DagJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        parse(raw.get()).map(Self).map_err(serde::de::Error::custom)
    }
}

impl Serialize for DagJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = to_string(&self.0).map_err(serde::ser::Error::custom)?;
        let raw: Box<RawValue> = RawValue::from_string(text).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// Reads one value that fills `text`.
///
/// # Errors
/// [`DagJsonError`]: the first problem found.
pub fn parse(text: &str) -> Result<Ipld, DagJsonError> {
    parse_within(text, &Budget::new())
}

/// [`parse`], on a budget.
///
/// # Errors
/// As [`parse`].
pub fn parse_within(text: &str, budget: &Budget) -> Result<Ipld, DagJsonError> {
    let mut reader = Reader {
        scanner: Scanner::new(text),
        budget,
    };
    reader.spend(Cost::Text(text.len()))?;
    let value = reader.value(0)?;
    reader.scanner.skip_space();
    match reader.scanner.peek() {
        None => Ok(value),
        Some(_) => Err(reader.error("Text follows the value.")),
    }
}

/// The value as text, with map keys in bytewise order and no space.
///
/// # Errors
/// [`DagJsonError`] for a map with the key `/`, which would be read back as something else, and for a float that is not
/// finite.
pub fn to_string(value: &Ipld) -> Result<String, DagJsonError> {
    let mut out = String::new();
    write_value(&mut out, value)?;
    Ok(out)
}

/// An upper bound of the bytes that [`to_string`] writes for a value. Each part is charged as a step.
///
/// # Errors
/// [`TooMuchWork`].
pub fn length_within(value: &Ipld, budget: &Budget) -> Result<usize, TooMuchWork> {
    budget.spend(Cost::Steps(1))?;
    Ok(match value {
        Ipld::Null | Ipld::Bool(_) => 6,
        Ipld::Integer(_) | Ipld::Float(_) => 26,
        Ipld::String(text) => text_length_within(text, budget)?,
        Ipld::Bytes(bytes) => 24 + bytes.len() / 3 * 4,
        Ipld::Link(cid) => 24 + 2 * cid.to_bytes().len(),
        Ipld::List(items) => {
            let mut length = 2;
            for item in items {
                length += 1 + length_within(item, budget)?;
            }
            length
        }
        Ipld::Map(entries) => {
            let mut length = 2;
            for (key, item) in entries {
                length += 2 + text_length_within(key, budget)? + length_within(item, budget)?;
            }
            length
        }
    })
}

/// An upper bound of the bytes of a text as JSON.
///
/// # Errors
/// [`TooMuchWork`].
pub fn text_length_within(text: &str, budget: &Budget) -> Result<usize, TooMuchWork> {
    budget.spend(Cost::Compared(text.len()))?;
    let escaped = text
        .bytes()
        .filter(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))
        .count();
    Ok(text.len() + 5 * escaped + 2)
}

/// Whether [`to_string`] can write the value: no map in it has the key `/`, and every float is finite.
#[must_use]
pub fn has_form(value: &Ipld) -> bool {
    match value {
        Ipld::Float(float) => float.is_finite(),
        Ipld::List(items) => items.iter().all(has_form),
        Ipld::Map(entries) => !entries.contains_key("/") && entries.values().all(has_form),
        _ => true,
    }
}

fn write_value(out: &mut String, value: &Ipld) -> Result<(), DagJsonError> {
    let failed = |out: &String, reason| DagJsonError::new(out.len(), reason);
    match value {
        Ipld::Null => out.push_str("null"),
        Ipld::Bool(true) => out.push_str("true"),
        Ipld::Bool(false) => out.push_str("false"),
        // Writing to a string does not fail.
        Ipld::Integer(integer) => drop(write!(out, "{integer}")),
        Ipld::Float(float) if float.is_finite() => drop(write!(out, "{float:?}")),
        Ipld::Float(_) => return Err(failed(out, "A number is not finite.")),
        Ipld::String(text) => write_string(out, text),
        Ipld::Bytes(bytes) => {
            out.push_str("{\"/\":{\"bytes\":\"");
            STANDARD.encode_append(bytes, out);
            out.push_str("\"}}");
        }
        Ipld::Link(cid) => {
            out.push_str("{\"/\":\"");
            out.push_str(&link_text(cid));
            out.push_str("\"}");
        }
        Ipld::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_value(out, item)?;
            }
            out.push(']');
        }
        Ipld::Map(entries) => {
            if entries.contains_key("/") {
                return Err(failed(
                    out,
                    "A map has the key “/”, which DAG-JSON keeps for links and bytes.",
                ));
            }
            out.push('{');
            for (index, (key, item)) in entries.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(out, key);
                out.push(':');
                write_value(out, item)?;
            }
            out.push('}');
        }
    }
    Ok(())
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    budget: &'a Budget,
}

impl Reader<'_> {
    fn error(&self, reason: &'static str) -> DagJsonError {
        DagJsonError::new(self.scanner.at(), reason)
    }

    fn spend(&self, cost: Cost) -> Result<(), DagJsonError> {
        let spent = self.budget.spend(cost);
        spent.map_err(|_| DagJsonError {
            is_too_much_work: true,
            ..self.error("This has too many parts to be read in one call.")
        })
    }

    fn value(&mut self, depth: usize) -> Result<Ipld, DagJsonError> {
        self.spend(Cost::Values(1))?;
        self.scanner.skip_space();
        match self.scanner.peek() {
            Some(b'[') => self.list(depth),
            Some(b'{') => self.map(depth),
            Some(b'"') => self.string().map(Ipld::String),
            Some(byte) if byte == b'-' || byte.is_ascii_digit() => self.number(),
            Some(_) if self.scanner.eat_word("null") => Ok(Ipld::Null),
            Some(_) if self.scanner.eat_word("true") => Ok(Ipld::Bool(true)),
            Some(_) if self.scanner.eat_word("false") => Ok(Ipld::Bool(false)),
            Some(_) => Err(self.error("This isn't a JSON value.")),
            None => Err(self.error("The text ends too early.")),
        }
    }

    fn string(&mut self) -> Result<String, DagJsonError> {
        match self.scanner.string() {
            Some(text) => Ok(text),
            None => {
                Err(self.error("This string is cut off or has a letter that JSON does not allow."))
            }
        }
    }

    fn number(&mut self) -> Result<Ipld, DagJsonError> {
        let start = self.scanner.at();
        let wrong = |reason| DagJsonError::new(start, reason);
        let text = self.scanner.take_while(|byte| {
            byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
        });
        if !is_number(text) {
            return Err(wrong("This isn't a JSON number."));
        }
        if text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
            let float: f64 = text
                .parse()
                .map_err(|_| wrong("This isn't a JSON number."))?;
            if !float.is_finite() {
                return Err(wrong("This number is too large."));
            }
            // DAG-CBOR has only one zero.
            return Ok(Ipld::Float(if float == 0.0 { 0.0 } else { float }));
        }
        match text.parse::<i128>() {
            Ok(integer) if (-(1 << 64)..1 << 64).contains(&integer) => Ok(Ipld::Integer(integer)),
            _ => Err(wrong("This integer has more than 64 bits.")),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Ipld, DagJsonError> {
        let depth = self.enter(depth, b'[')?;
        let mut items = Vec::new();
        if self.scanner.eat(b']') {
            return Ok(Ipld::List(items));
        }
        loop {
            items.push(self.value(depth)?);
            if !self.more(b']')? {
                return Ok(Ipld::List(items));
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Ipld, DagJsonError> {
        let start = self.scanner.at();
        let depth = self.enter(depth, b'{')?;
        let mut entries = BTreeMap::new();
        if self.scanner.eat(b'}') {
            return Ok(Ipld::Map(entries));
        }
        self.spend(Cost::Entries(1))?;
        loop {
            self.spend(Cost::Values(1))?;
            self.scanner.skip_space();
            let key = self.string()?;
            self.scanner.skip_space();
            if !self.scanner.eat(b':') {
                return Err(self.error("A colon is missing after a key."));
            }
            let value = self.value(depth)?;
            if entries.insert(key, value).is_some() {
                return Err(self.error("A key appears twice in the same map."));
            }
            if !self.more(b'}')? {
                break;
            }
        }
        if entries.contains_key("/") {
            return link_or_bytes(&entries).ok_or(DagJsonError::new(
                start,
                "The key “/” is for links and bytes alone: {\"/\": \"bafy…\"} or {\"/\": {\"bytes\": \"base64\"}}.",
            ));
        }
        Ok(Ipld::Map(entries))
    }

    fn enter(&mut self, depth: usize, bracket: u8) -> Result<usize, DagJsonError> {
        if depth >= MAX_DEPTH {
            return Err(self.error("This is nested too deeply."));
        }
        self.scanner.eat(bracket);
        self.scanner.skip_space();
        Ok(depth + 1)
    }

    /// Whether a comma follows, and not the end.
    fn more(&mut self, end: u8) -> Result<bool, DagJsonError> {
        self.scanner.skip_space();
        if self.scanner.eat(b',') {
            return Ok(true);
        }
        if self.scanner.eat(end) {
            return Ok(false);
        }
        Err(self.error("A comma or a closing bracket is missing."))
    }
}

/// RFC 8259, section 6.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (integer, fraction) = match mantissa.split_once('.') {
        Some((integer, fraction)) => (integer, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(integer)
        && (integer == "0" || !integer.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|text| digits(text.strip_prefix(['+', '-']).unwrap_or(text)))
}

fn link_or_bytes(entries: &BTreeMap<String, Ipld>) -> Option<Ipld> {
    if entries.len() != 1 {
        return None;
    }
    match entries.get("/")? {
        Ipld::String(text) => parse_link(text).map(Ipld::Link),
        // This is a map of one string: bytes inside it were converted when they were read.
        Ipld::Map(inner) if inner.len() == 1 => match inner.get("bytes")? {
            Ipld::String(text) => STANDARD.decode(text.as_bytes()).map(Ipld::Bytes),
            _ => None,
        },
        _ => None,
    }
}

/// A CID as it is printed: base32 for version 1, base58btc without a prefix for version 0.
fn link_text(cid: &RawCid) -> String {
    let bytes = cid.to_bytes();
    match cid.version() {
        Version::V0 => base58::encode(&bytes),
        Version::V1 => {
            let mut text = String::from("b");
            base32::encode_append(&bytes, &mut text);
            text
        }
    }
}

/// A CID in base32 or base58btc; version 0 has no prefix. Only the text that we would write is accepted.
fn parse_link(text: &str) -> Option<RawCid> {
    let letters = Some(text.as_bytes()).filter(|letters| letters.len() <= MAX_LINK_LENGTH)?;
    let bytes = match letters {
        [b'b', rest @ ..] => base32::decode(rest),
        [b'z', rest @ ..] => base58::decode(rest),
        [b'Q', ..] => base58::decode(letters),
        _ => None,
    }?;
    let cid = RawCid::try_from(&bytes[..]).ok()?;
    // A varint may be padded, and bytes may follow: compare with what we would write.
    let is_canonical = match cid.version() {
        Version::V1 => !text.starts_with('Q') && cid.to_bytes() == bytes,
        Version::V0 => link_text(&cid) == text,
    };
    is_canonical.then_some(cid)
}
