//! Looking at tokens and verifying chains. Needs no secret, and no vault.

use std::collections::BTreeSet;

use keyhole_core::address::DEFAULT_CHAIN_ID;
use keyhole_core::chain::{self, Chain, Circumstances};
use keyhole_core::cid::Cid;
use keyhole_core::dag_json::DagJson;
use keyhole_core::delegation::Delegation;
use keyhole_core::did::Did;
use keyhole_core::error::TokenError;
use keyhole_core::payload::Signed;
use keyhole_core::time::{Clock, DEFAULT_SKEW};
use keyhole_core::token::{self, Token};
use serde::{Deserialize, Serialize};

use crate::host::{self, Host};
use crate::refusal::Refusal;
use crate::tokens::{EffectiveLimits, address_of, malformed, read_leaf};
use crate::vault::Enclave;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inspect {
    token: String,
}

#[derive(Serialize)]
pub struct Inspected {
    tokens: Vec<InspectedToken>,
}

#[derive(Serialize)]
struct InspectedToken {
    cid: String,
    kind: &'static str,
    algorithm: &'static str,
    signature_valid: bool,
    payload: DagJson,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verify {
    token: String,
    leaf: Option<String>,
    now: Option<i64>,
    skew: Option<u32>,
    #[serde(default)]
    revoked: Vec<String>,
    chain_id: Option<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum Verdict {
    Holds(Box<Holds>),
    Refused { valid: bool, error: ChainRefusal },
}

#[derive(Serialize)]
pub struct Holds {
    valid: bool,
    /// The container text of the chain alone, without what else was in the text.
    token: String,
    /// Of the leaf's audience.
    address: String,
    chain: Vec<Link>,
    effective: EffectiveLimits,
}

#[derive(Serialize)]
struct Link {
    cid: String,
    issuer: String,
    audience: String,
    subject: Option<String>,
    command: String,
    policy: DagJson,
    not_before: Option<i64>,
    expires_at: Option<i64>,
}

#[derive(Serialize)]
pub struct ChainRefusal {
    name: &'static str,
    message: String,
    cid: Option<String>,
}

/// `inspect_token`
pub fn inspect(_: &mut Enclave, _: &mut dyn Host, input: Inspect) -> Result<Inspected, Refusal> {
    let tokens = token::read_text(&input.token)?;
    let tokens = tokens.iter().map(|token| InspectedToken {
        cid: token.cid().to_string(),
        kind: token.kind().as_str(),
        algorithm: token.algorithm(),
        signature_valid: token.verify_signature().is_ok(),
        payload: DagJson(Token::payload(token)),
    });
    Ok(Inspected {
        tokens: tokens.collect(),
    })
}

/// `verify_token`: a chain that does not hold is an answer, not a refusal.
pub fn verify(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Verify,
) -> Result<Verdict, Refusal> {
    let revoked = input.revoked.iter().map(|cid| Cid::parse(cid));
    let revoked: BTreeSet<_> = revoked
        .collect::<Result<_, _>>()
        .map_err(|error| malformed("revoked", error))?;
    let leaf = read_leaf(input.leaf.as_deref())?;
    let clock = Clock {
        now: match input.now {
            Some(now) => now,
            None => i64::try_from(host::now(host)?).unwrap_or(i64::MAX),
        },
        skew: input.skew.unwrap_or(DEFAULT_SKEW),
    };
    let circumstances = Circumstances {
        clock,
        revoked: &revoked,
    };
    let checked = token::read_text(&input.token)
        .and_then(token::delegations)
        .and_then(|delegations| {
            let count = delegations.len();
            chain::verify(delegations, leaf, circumstances).map(|chain| (chain, count))
        });
    let (chain, count) = match checked {
        Ok(checked) => checked,
        Err(error) => {
            return Ok(Verdict::Refused {
                valid: false,
                error: ChainRefusal::of(error),
            });
        }
    };
    let chain_id = match (&input.chain_id, enclave.sealed()) {
        (Some(chain_id), _) => chain_id,
        (None, Ok(state)) => &state.chain_id,
        (None, Err(_)) => DEFAULT_CHAIN_ID,
    };
    let address = address_of(&chain.leaf().payload().audience, chain_id)?;
    // Writing the container anew costs half as much as verifying does.
    let is_itself = count == chain.tokens().count() && is_container_text(&input.token);
    let token = match is_itself {
        true => input.token,
        false => chain.to_text(),
    };
    Ok(Verdict::Holds(Box::new(Holds::of(&chain, token, address))))
}

/// Whether a text that was read is a base64url container, with nothing around it.
fn is_container_text(text: &str) -> bool {
    text.starts_with(['C', 'P']) && !text.contains(char::is_whitespace)
}

impl Holds {
    fn of(chain: &Chain, token: String, address: String) -> Self {
        Self {
            valid: true,
            token,
            address,
            chain: chain.tokens().map(Link::of).collect(),
            effective: EffectiveLimits::of(&chain.effective()),
        }
    }
}

impl Link {
    fn of(token: &Signed<Delegation>) -> Self {
        let payload = token.payload();
        let text = |did: &Did| did.as_str().to_owned();
        Self {
            cid: token.cid().to_string(),
            issuer: text(&payload.issuer),
            audience: text(&payload.audience),
            subject: payload.subject.as_ref().map(text),
            command: payload.command.as_str().to_owned(),
            policy: DagJson(payload.policy.to_ipld()),
            not_before: payload.not_before,
            expires_at: payload.expires_at,
        }
    }
}

impl ChainRefusal {
    fn of(error: TokenError) -> Self {
        Self {
            name: error.name.as_str(),
            message: error.message,
            cid: error.cid.map(|cid| cid.to_string()),
        }
    }
}
