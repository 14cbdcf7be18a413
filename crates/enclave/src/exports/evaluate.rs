//! Tries a call against policies before anything is signed. Needs no secret, no vault and no token.

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::dag_json::DagJson;
use keyhole_ucan::error::TokenError;
use keyhole_ucan::validation::chain::MAX_CHAIN_LENGTH;
use keyhole_ucan::validation::explain::{self, Call, Check, Explanation, Limits, Rule};
use keyhole_vault::error::VaultError;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::enclave::Enclave;
use crate::host::Host;
use crate::inputs::{malformed, read_command, read_map, read_policy};
use crate::refusal::Refusal;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Evaluate {
    /// The command of one delegation, with `policy`; or pass `links`.
    command: Option<String>,
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Policy>"))]
    policy: Option<Box<RawValue>>,
    /// The limits of each delegation in a chain, root first.
    links: Option<Vec<Link>>,
    /// What is asked for.
    call: Asked,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PolicyLink"))]
#[serde(deny_unknown_fields)]
struct Link {
    command: String,
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Policy>"))]
    policy: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PolicyCall"))]
#[serde(deny_unknown_fields)]
struct Asked {
    command: String,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Fields"))]
    args: Box<RawValue>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answer {
    allowed: bool,
    checks: Vec<Reason>,
    complete: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PolicyCheck"))]
struct Reason {
    /// Which delegation, root first, from 0.
    link: usize,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::PolicyRule"))]
    rule: &'static str,
    /// For a statement: its positions in the policy, from the outside in.
    #[serde(skip_serializing_if = "Option::is_none")]
    statement: Option<Vec<usize>>,
    /// Null if finding out takes too much work.
    holds: Option<bool>,
    /// Whether the statement's path leads anywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved: Option<bool>,
    /// What it leads to, if that is short.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<DagJson>,
    /// Which item of a list decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<usize>,
}

/// `evaluate_policy`: a call that is not allowed is an answer, not a refusal.
pub fn evaluate(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    input: Evaluate,
) -> Result<Answer, Refusal> {
    let budget = &enclave.budget();
    let links = match (input.links, input.command, input.policy) {
        (Some(links), None, None) => links,
        (None, Some(command), policy) => vec![Link { command, policy }],
        _ => {
            return Err(Refusal::from(VaultError::input(
                "This call takes either `command` with `policy`, or `links`.",
            )));
        }
    };
    if links.is_empty() || links.len() > MAX_CHAIN_LENGTH {
        let problem = format!(
            "A chain has 1 to {MAX_CHAIN_LENGTH} links, not {}.",
            links.len()
        );
        return Err(malformed("links", problem));
    }
    let links: Vec<Limits> = links
        .iter()
        .map(|link| {
            Ok(Limits {
                command: read_command(&link.command, budget)?,
                policy: read_policy(link.policy.as_deref(), budget)?,
            })
        })
        .collect::<Result<_, Refusal>>()?;
    let call = Call {
        command: read_command(&input.call.command, budget)?,
        args: Ipld::Map(read_map("args", Some(&input.call.args), budget)?.unwrap_or_default()),
    };
    let explanation = explain::explain(&links, &call, budget).map_err(TokenError::from)?;
    Ok(explanation.into())
}

impl From<Explanation> for Answer {
    fn from(explanation: Explanation) -> Self {
        Self {
            allowed: explanation.allowed,
            checks: explanation.checks.into_iter().map(Reason::from).collect(),
            complete: explanation.complete,
        }
    }
}

impl From<Check> for Reason {
    fn from(check: Check) -> Self {
        let (rule, statement) = match check.rule {
            Rule::Command => ("command", None),
            Rule::Statement(path) => ("statement", Some(path)),
        };
        Self {
            link: check.link,
            rule,
            statement,
            holds: check.holds,
            resolved: check.resolved,
            found: check.found.map(DagJson),
            item: check.item,
        }
    }
}
