//! Answers that several exports share, and values as answers contain them.

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::dag_json::{self, DagJson};
use keyhole_ucan::error::TokenError;
use keyhole_ucan::work_budget::{Budget, Cost};
use serde::Serialize;

/// An answer without fields.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Done {}

/// A value for an answer. Charges its length.
///
/// # Errors
/// `TooMuchWork`.
pub fn told(value: Ipld, budget: &Budget) -> Result<DagJson, TokenError> {
    let length = dag_json::length_within(&value, budget)?;
    budget.spend(Cost::Answered(length))?;
    Ok(DagJson(value))
}
