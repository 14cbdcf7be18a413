//! Answers that more than one export gives, and values as answers have them.

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::dag_json::{self, DagJson};
use keyhole_ucan::error::TokenError;
use keyhole_ucan::work_budget::{Budget, Cost};
use serde::Serialize;

/// An answer without fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Done {}

/// A value to be written in an answer, its length charged.
///
/// # Errors
/// `TooMuchWork`.
pub fn told(value: Ipld, budget: &Budget) -> Result<DagJson, TokenError> {
    let length = dag_json::length_within(&value, budget)?;
    budget.spend(Cost::Answered(length))?;
    Ok(DagJson(value))
}
