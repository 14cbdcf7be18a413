//! Input fields that several exports share: how they are read, and what is refused.

use std::collections::BTreeSet;

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::codec::dag_json::{self, DagJsonError};
use keyhole_ucan::error::TokenError;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_ucan::policy::statement::Policy;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::envelope::Fields;
use keyhole_ucan::work_budget::{Budget, Cost, TooMuchWork};
use keyhole_vault::error::VaultError;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::refusal::Refusal;
use crate::strangers_text::StrangersText;

/// An input without fields.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// The key type with this name; Ed25519 by default.
///
/// # Errors
/// INVALID_KEY_TYPE.
pub fn key_type(name: Option<&str>) -> Result<KeyType, Refusal> {
    let Some(name) = name else {
        return Ok(KeyType::Ed25519);
    };
    KeyType::parse(name).ok_or_else(|| Refusal::from(VaultError::KeyTypeUnknown))
}

/// The CID of a leaf, if the caller names one.
///
/// # Errors
/// MalformedToken for a text that isn't a CID.
pub fn read_leaf(leaf: Option<&str>) -> Result<Option<Cid>, Refusal> {
    let leaf = leaf.map(Cid::parse).transpose();
    leaf.map_err(|error| malformed("leaf", error))
}

/// MalformedToken, about a field of the input.
pub fn malformed(field: &str, error: impl std::fmt::Display) -> Refusal {
    TokenError::malformed(format!("In `{field}`: {error}")).into()
}

/// A field of the input that isn't DAG-JSON, or takes too much work to read.
pub fn unreadable(field: &str, error: DagJsonError) -> Refusal {
    match error.is_too_much_work {
        true => Refusal::about(field, TooMuchWork.into()),
        false => malformed(field, error),
    }
}

/// Charges decoding a list of texts, however short they are.
///
/// # Errors
/// `TooMuchWork`.
pub fn charge_texts(texts: &[StrangersText], budget: &Budget) -> Result<(), TooMuchWork> {
    // Taking a text out of the input, unpacking and reading it takes four microseconds, however short it is. Its bytes
    // cost only a part of that.
    budget.spend(Cost::Steps(30 * texts.len()))
}

/// A list of CIDs in the input.
///
/// # Errors
/// `MalformedToken`, about the field; `TooMuchWork`.
pub fn read_cids(field: &str, texts: &[String], budget: &Budget) -> Result<BTreeSet<Cid>, Refusal> {
    // Each takes more than a microsecond to decode and sort.
    budget.spend(Cost::Steps(20 * texts.len()))?;
    let cids = texts.iter().map(|text| Cid::parse(text));
    cids.collect::<Result<_, _>>()
        .map_err(|error| malformed(field, error))
}

/// A DID in the input.
///
/// # Errors
/// `MalformedToken`, about the field.
pub fn read_did(field: &str, text: &str) -> Result<Did, Refusal> {
    Did::parse(text).map_err(|error| malformed(field, error))
}

/// `command` of the input.
///
/// # Errors
/// `MalformedToken`; `TooMuchWork`.
pub fn read_command(text: &str, budget: &Budget) -> Result<Command, Refusal> {
    budget.spend(Cost::Text(3 * text.len()))?;
    Command::parse(text).map_err(|error| malformed("command", error))
}

/// A policy in the input; empty if absent.
///
/// # Errors
/// `MalformedToken`, about the field.
pub fn read_policy(raw: Option<&RawValue>, budget: &Budget) -> Result<Policy, Refusal> {
    let Some(raw) = raw else {
        return Ok(Policy::default());
    };
    let value =
        dag_json::parse_within(raw.get(), budget).map_err(|error| unreadable("policy", error))?;
    Policy::parse_within(&value, budget).map_err(|error| Refusal::about("policy", error.into()))
}

/// A map in the input.
///
/// # Errors
/// `MalformedToken`, about the field.
pub fn read_map(
    field: &str,
    raw: Option<&RawValue>,
    budget: &Budget,
) -> Result<Option<Fields>, Refusal> {
    let Some(raw) = raw else {
        return Ok(None);
    };
    match dag_json::parse_within(raw.get(), budget).map_err(|error| unreadable(field, error))? {
        Ipld::Map(fields) => Ok(Some(fields)),
        _ => Err(malformed(field, "It is not a map.")),
    }
}

/// Tells a field that is null from one that is absent.
pub fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<i64>>, D::Error> {
    Option::deserialize(from).map(Some)
}
