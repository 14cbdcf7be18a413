//! What a selector gives: a value or part of one, without copying. A path with many slices over a long list would
//! otherwise copy the list at each step.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use ipld_core::ipld::Ipld;

/// A value, or a part of one that isn't a value itself.
#[derive(Clone, Debug)]
pub(crate) enum View<'a> {
    /// A map or a scalar that is neither null, a list nor bytes.
    Value(&'a Ipld),
    /// Null, or a missing value.
    Null,
    /// A list, or a run of its items.
    Items(&'a [Ipld]),
    /// The values of a map, or a run of them.
    Values(Vec<&'a Ipld>, Range<usize>),
    /// Bytes, or a run of them.
    Bytes(&'a [u8]),
    /// One of the bytes, as an integer.
    Byte(u8),
}

impl<'a> View<'a> {
    /// The whole of a value.
    pub(crate) fn of(value: &'a Ipld) -> Self {
        match value {
            Ipld::Null => Self::Null,
            Ipld::List(items) => Self::Items(items),
            Ipld::Bytes(bytes) => Self::Bytes(bytes),
            _ => Self::Value(value),
        }
    }

    /// A map's values, in DAG-CBOR's order of its keys: by length, then by bytes.
    pub(crate) fn values_of(entries: &'a BTreeMap<String, Ipld>) -> Self {
        let mut entries: Vec<_> = entries.iter().collect();
        entries.sort_by_key(|(key, _)| key.len());
        let values: Vec<_> = entries.into_iter().map(|(_, value)| value).collect();
        let all = 0..values.len();
        Self::Values(values, all)
    }

    /// How many items there are; `None` for anything without items.
    pub(crate) fn len(&self) -> Option<usize> {
        match self {
            Self::Items(items) => Some(items.len()),
            Self::Values(_, run) => Some(run.len()),
            Self::Bytes(bytes) => Some(bytes.len()),
            Self::Value(_) | Self::Null | Self::Byte(_) => None,
        }
    }

    /// One item, counted from zero.
    pub(crate) fn item(&self, at: usize) -> Option<Self> {
        match self {
            Self::Items(items) => items.get(at).map(Self::of),
            Self::Values(values, run) => values.get(run.clone())?.get(at).copied().map(Self::of),
            Self::Bytes(bytes) => bytes.get(at).copied().map(Self::Byte),
            Self::Value(_) | Self::Null | Self::Byte(_) => None,
        }
    }

    /// The items from `start` up to `end`.
    pub(crate) fn slice(self, start: usize, end: usize) -> Option<Self> {
        match self {
            Self::Items(items) => items.get(start..end).map(Self::Items),
            Self::Values(values, run) => {
                let run = run.start + start..run.start + end;
                values.get(run.clone())?;
                Some(Self::Values(values, run))
            }
            Self::Bytes(bytes) => bytes.get(start..end).map(Self::Bytes),
            Self::Value(_) | Self::Null | Self::Byte(_) => None,
        }
    }

    /// The value itself, copied.
    pub(crate) fn to_ipld(&self) -> Ipld {
        match self {
            Self::Value(value) => (*value).clone(),
            Self::Null => Ipld::Null,
            Self::Items(items) => Ipld::List(items.to_vec()),
            Self::Values(values, run) => {
                let values = values.get(run.clone()).unwrap_or_default();
                Ipld::List(values.iter().map(|value| (*value).clone()).collect())
            }
            Self::Bytes(bytes) => Ipld::Bytes(bytes.to_vec()),
            Self::Byte(byte) => Ipld::Integer(i128::from(*byte)),
        }
    }

    /// Whether writing it down takes at most about `most` bytes.
    pub(crate) fn fits(&self, most: usize) -> bool {
        let mut left = most;
        match self {
            Self::Value(value) => takes(value, &mut left),
            Self::Null | Self::Byte(_) => true,
            Self::Items(items) => items.iter().all(|item| takes(item, &mut left)),
            Self::Values(values, run) => {
                let values = values.get(run.clone()).unwrap_or_default();
                values.iter().all(|item| takes(item, &mut left))
            }
            Self::Bytes(bytes) => bytes.len() <= most,
        }
    }
}

/// Subtracts a value's size from `left`; false if there isn't enough.
pub(crate) fn takes(value: &Ipld, left: &mut usize) -> bool {
    let own = match value {
        Ipld::String(text) => text.len(),
        Ipld::Bytes(bytes) => bytes.len(),
        _ => 0,
    };
    let Some(rest) = left.checked_sub(own + 8) else {
        return false;
    };
    *left = rest;
    match value {
        Ipld::List(items) => items.iter().all(|item| takes(item, left)),
        Ipld::Map(entries) => entries.iter().all(|(key, item)| {
            left.checked_sub(key.len()).is_some_and(|rest| {
                *left = rest;
                takes(item, left)
            })
        }),
        _ => true,
    }
}
