//! Selectors: the path from the arguments to the value that a statement is about (UCAN 1.0.0, "Selectors").

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use ipld_core::ipld::Ipld;

use crate::codec::json::Scanner;
use crate::codec::view::View;
use crate::work_budget::{Budget, Cost, TooMuchWork};

/// Most steps in a path.
const MAX_PARTS: usize = 1_024;

/// A path, such as `.to[0]["e-mail"]?`.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    source: Box<str>,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
struct Part {
    step: Step,
    /// `?`: failure becomes null.
    optional: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// `.`
    Itself,
    /// `.name` or `["any key"]`
    Key(Box<str>),
    /// `[]`
    Values,
    /// `[0]`, `[-1]`
    Index(i64),
    /// `[a:b]`, either end left out
    Slice(Option<i64>, Option<i64>),
}

/// A text that isn't a selector: the byte where it can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectorError {
    /// Bytes from the start.
    pub at: usize,
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the path cannot be read from its byte {} on: paths look like .name, .list[0] or .[\"any key\"]?",
            self.at
        )
    }
}

impl core::error::Error for SelectorError {}

impl Selector {
    /// Reads a selector. Every character must be understood: skipping a part would drop a limit.
    ///
    /// # Errors
    /// [`SelectorError`] with the position.
    pub fn parse(source: &str) -> Result<Self, SelectorError> {
        let mut parser = Parser {
            scanner: Scanner::new(source),
        };
        let parts = parser.selector().ok_or(SelectorError {
            at: parser.scanner.at(),
        })?;
        Ok(Self {
            source: source.into(),
            parts,
        })
    }

    /// The text as it was written.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// Follows the path from `value`; `None` if it can't be followed. A key that a map doesn't have gives null.
    ///
    /// # Errors
    /// [`TooMuchWork`].
    pub(crate) fn follow<'a>(
        &self,
        value: &View<'a>,
        budget: &Budget,
    ) -> Result<Option<View<'a>>, TooMuchWork> {
        if let View::Values(values, _) = value {
            budget.spend(Cost::Copied(values.len()))?;
        }
        let mut value = value.clone();
        for part in &self.parts {
            budget.spend(Cost::Steps(1))?;
            match (&part.step, &value) {
                (Step::Values, View::Value(Ipld::Map(entries))) => {
                    budget.spend(Cost::Sorted(entries.len()))?;
                }
                (Step::Key(key), View::Value(Ipld::Map(entries))) => {
                    budget.spend(Cost::Compared(key.len() * comparisons(entries.len())))?;
                }
                _ => {}
            }
            value = match step(value, &part.step) {
                Some(next) => next,
                None if part.optional => View::Null,
                None => return Ok(None),
            };
        }
        Ok(Some(value))
    }
}

/// Most keys that are compared to find one of `entries`: map nodes have five to eleven each.
fn comparisons(entries: usize) -> usize {
    entries.min(4 * (usize::BITS - entries.leading_zeros()) as usize)
}

fn step<'a>(value: View<'a>, step: &Step) -> Option<View<'a>> {
    match step {
        Step::Itself => Some(value),
        Step::Key(key) => match value {
            View::Value(Ipld::Map(entries)) => {
                Some(entries.get(&**key).map_or(View::Null, View::of))
            }
            _ => None,
        },
        Step::Values => match value {
            View::Value(Ipld::Map(entries)) => Some(View::values_of(entries)),
            View::Items(_) | View::Values(..) | View::Bytes(_) => Some(value),
            _ => None,
        },
        Step::Index(index) => {
            let at = from_either_end(*index, value.len()?);
            value.item(usize::try_from(at).ok()?)
        }
        Step::Slice(start, end) => {
            let length = value.len()?;
            let clamp = |index: i64| {
                // An index past the end of a list may be too large for the platform.
                let at = from_either_end(index, length).clamp(0, length as i128);
                usize::try_from(at).unwrap_or(length)
            };
            let start = start.map_or(0, clamp);
            value.slice(start, end.map_or(length, clamp).max(start))
        }
    }
}

/// A negative index counts from the end.
fn from_either_end(index: i64, length: usize) -> i128 {
    let index = i128::from(index);
    if index < 0 {
        index + length as i128
    } else {
        index
    }
}

struct Parser<'a> {
    scanner: Scanner<'a>,
}

impl Parser<'_> {
    fn selector(&mut self) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        // A lone dot, or the dot before the first part.
        if self.scanner.peek() != Some(b'.') {
            return None;
        }
        while self.scanner.peek().is_some() {
            if parts.len() == MAX_PARTS {
                return None;
            }
            let step = self.step(parts.is_empty())?;
            let mut optional = false;
            while self.scanner.eat(b'?') {
                optional = true;
            }
            let is_itself = step == Step::Itself;
            parts.push(Part { step, optional });
            if is_itself && self.scanner.peek().is_some() {
                return None;
            }
        }
        Some(parts)
    }

    fn step(&mut self, is_first: bool) -> Option<Step> {
        let dotted = self.scanner.eat(b'.');
        match self.scanner.peek() {
            Some(b'[') => {
                self.scanner.eat(b'[');
                self.bracket()
            }
            Some(byte) if dotted && is_name_start(byte) => {
                let name = self.scanner.take_while(is_name);
                Some(Step::Key(name.into()))
            }
            None | Some(b'?') if dotted && is_first => Some(Step::Itself),
            _ => None,
        }
    }

    fn bracket(&mut self) -> Option<Step> {
        if self.scanner.eat(b']') {
            return Some(Step::Values);
        }
        if self.scanner.peek() == Some(b'"') {
            let key = self.scanner.string()?;
            return self
                .scanner
                .eat(b']')
                .then(|| Step::Key(key.into_boxed_str()));
        }
        let start = self.index()?;
        let step = if self.scanner.eat(b':') {
            Step::Slice(start, self.index()?)
        } else {
            Step::Index(start?)
        };
        self.scanner.eat(b']').then_some(step)
    }

    /// An index, or nothing if there are no digits.
    fn index(&mut self) -> Option<Option<i64>> {
        match self.scanner.peek() {
            Some(byte) if byte == b'-' || byte.is_ascii_digit() => {
                let digits = self
                    .scanner
                    .take_while(|byte| byte == b'-' || byte.is_ascii_digit());
                Some(Some(digits.parse().ok()?))
            }
            _ => Some(None),
        }
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}
