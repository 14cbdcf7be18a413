//! Shows tokens and verifies chains. Needs no secret, and no vault.

use keyhole_ucan::codec::dag_json::{self, DagJson};
use keyhole_ucan::error::{TokenError, TokenErrorName};
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::token::delegation::Delegation;
use keyhole_ucan::token::payload::Signed;
use keyhole_ucan::token::read::{self, Token};
use keyhole_ucan::validation::chain::{self, Chain};
use keyhole_ucan::work_budget::{Budget, Cost};
use keyhole_vault::vault::address::DEFAULT_CHAIN_ID;
use serde::{Deserialize, Serialize};

use crate::answers::told;
use crate::checks::{
    Broken, Checks, UsedDocument, documents_of, documents_of_all, refuse_without_form,
};
use crate::enclave::Enclave;
use crate::exports::tokens::{EffectiveLimits, address_of};
use crate::host::Host;
use crate::inputs::{charge_texts, read_leaf};
use crate::refusal::Refusal;
use crate::strangers_text::StrangersText;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Inspect {
    token: StrangersText,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Inspected {
    tokens: Vec<InspectedToken>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct InspectedToken {
    cid: String,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::TokenKind"))]
    kind: &'static str,
    algorithm: &'static str,
    signature_valid: bool,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Fields"))]
    payload: DagJson,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CheckTokens {
    /// Texts of tokens.
    tokens: Vec<StrangersText>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedTokens {
    /// For each text, whether it has tokens, all of them readable and signed by their issuers.
    sound: Vec<bool>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Verify {
    token: StrangersText,
    /// CID of the delegation to verify, if the container leaves it open.
    leaf: Option<String>,
    /// Seconds since 1970. Default: the host's clock.
    now: Option<i64>,
    /// Seconds of clock difference allowed. Default 60.
    skew: Option<u32>,
    /// CIDs that the caller knows to be revoked.
    #[serde(default)]
    revoked: Vec<String>,
    /// Texts of revocations. Each takes effect if its issuer may revoke in the chain being checked.
    #[serde(default)]
    revocations: Vec<StrangersText>,
    /// Network of the audience's address. Default: the account's, else keyhole-1.
    chain_id: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Verdict {
    Holds(Box<Holds>),
    Refused {
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::No"))]
        valid: bool,
        error: Box<Broken>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        documents: Vec<UsedDocument>,
    },
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ValidToken"))]
pub struct Holds {
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Yes"))]
    valid: bool,
    /// The chain as a container text, without anything else in the input.
    token: String,
    /// Address of the leaf's audience.
    address: String,
    chain: Vec<Link>,
    effective: EffectiveLimits,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<UsedDocument>,
}

/// A delegation of a chain.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ChainLink"))]
pub struct Link {
    cid: String,
    issuer: String,
    audience: String,
    subject: Option<String>,
    command: String,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Policy"))]
    policy: DagJson,
    not_before: Option<i64>,
    expires_at: Option<i64>,
}

/// `inspect_token`
pub fn inspect(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Inspect,
) -> Result<Inspected, Refusal> {
    let budget = &enclave.budget();
    let tokens = read::text_within(&input.token, budget)?;
    let documents = documents_of(host, &tokens, budget);
    let tokens = tokens.iter().map(|token| {
        let signature_valid = match token.verify_signature_within(&documents, budget) {
            Ok(()) => true,
            Err(error) if error.name == TokenErrorName::TooMuchWork => return Err(error),
            Err(_) => false,
        };
        budget.spend(Cost::Values(token.values() + 8))?;
        budget.spend(Cost::Answered(300))?;
        let payload = Token::payload(token);
        refuse_without_form(&payload, token.cid())?;
        Ok(InspectedToken {
            cid: token.cid().to_string(),
            kind: token.kind().as_str(),
            algorithm: token.algorithm(),
            signature_valid,
            payload: told(payload, budget)?,
        })
    });
    Ok(Inspected {
        tokens: tokens.collect::<Result<_, _>>()?,
    })
}

/// `check_tokens`: an unreadable text is an answer, not a refusal. Work that is too much is refused for all: ask about
/// fewer.
pub fn check(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: CheckTokens,
) -> Result<CheckedTokens, Refusal> {
    let budget = &enclave.budget();
    charge_texts(&input.tokens, budget)?;
    budget.spend(Cost::Answered(8 * input.tokens.len()))?;
    let texts = input
        .tokens
        .iter()
        .map(|text| match read::text_within(text, budget) {
            Err(error) if error.name == TokenErrorName::TooMuchWork => Err(error),
            read => Ok(read.unwrap_or_default()),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let documents = documents_of_all(host, texts.iter().flatten(), budget)?;
    read::check_signatures_within(texts.iter().flatten(), &documents, budget)?;
    let is_signed = |token: &Token| token.verify_signature_within(&documents, budget).is_ok();
    Ok(CheckedTokens {
        sound: texts
            .iter()
            .map(|tokens| !tokens.is_empty() && tokens.iter().all(is_signed))
            .collect(),
    })
}

/// `verify_token`: an invalid chain is an answer, not a refusal.
pub fn verify(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Verify,
) -> Result<Verdict, Refusal> {
    let leaf = read_leaf(input.leaf.as_deref())?;
    let budget = &enclave.budget();
    let mut checks = Checks::read(
        enclave.checked(),
        host,
        input.now,
        input.skew,
        &input.revoked,
        &input.revocations,
        budget,
    )?;
    let checked = read::text_with(&input.token, enclave.checked(), budget)
        .and_then(read::delegations)
        .and_then(|delegations| {
            let claimed = chain::claimed(&delegations, leaf, budget)?;
            let issuers = claimed.iter().map(|token| &token.payload().issuer);
            checks.look_up(host, issuers, budget);
            checks.look_up_revokers(host, &claimed, budget)?;
            let count = delegations.len();
            chain::verify_within(delegations, leaf, checks.circumstances(), budget)
                .map(|chain| (chain, count))
        });
    let held = checked.and_then(|(chain, count)| {
        chain
            .tokens()
            .for_each(|token| enclave.checked().note(token));
        // Packing the container again costs half as much as verifying does.
        let is_itself = count == chain.tokens().count() && is_container_text(&input.token);
        let token = match is_itself {
            true => input.token.into_string(),
            false => chain.to_text_within(budget)?,
        };
        Ok((chain, token))
    });
    let refused = |error| Verdict::Refused {
        valid: false,
        documents: checks
            .used_documents(checks.documents().dids(), budget)
            .unwrap_or_default(),
        error: Box::new(Broken::within(error, budget)),
    };
    let (chain, token) = match held {
        Ok(held) => held,
        Err(error) => return Ok(refused(error)),
    };
    let chain_id = match (&input.chain_id, enclave.sealed()) {
        (Some(chain_id), _) => chain_id,
        (None, Ok(state)) => &state.chain_id,
        (None, Err(_)) => DEFAULT_CHAIN_ID,
    };
    let address = address_of(&chain.leaf().payload().audience, chain_id)?;
    Ok(match Holds::of(&chain, token, address, &checks, budget) {
        Ok(holds) => Verdict::Holds(Box::new(holds)),
        Err(error) => refused(error),
    })
}

/// Whether a text that was read is exactly a base64url container.
fn is_container_text(text: &str) -> bool {
    text.starts_with(['C', 'P']) && !text.contains(char::is_whitespace)
}

impl Holds {
    fn of(
        chain: &Chain,
        token: String,
        address: String,
        checks: &Checks,
        budget: &Budget,
    ) -> Result<Self, TokenError> {
        budget.spend(Cost::Answered(token.len() + address.len() + 200))?;
        let links = chain.tokens().map(|token| Link::of(token, budget));
        let links: Vec<Link> = links.collect::<Result<_, _>>()?;
        Ok(Self {
            valid: true,
            token,
            address,
            chain: links,
            effective: EffectiveLimits::of(chain, budget)?,
            documents: checks
                .used_documents(chain.tokens().map(|token| &token.payload().issuer), budget)?,
        })
    }
}

impl Link {
    /// A delegation as the host reads it.
    ///
    /// # Errors
    /// `MalformedToken` for a policy that can't be written; `TooMuchWork`.
    pub fn of(token: &Signed<Delegation>, budget: &Budget) -> Result<Self, TokenError> {
        let payload = token.payload();
        let text = |did: &Did| did.as_str().to_owned();
        // Most of it is the policy, which is at least as long in the answer.
        let command = dag_json::text_length_within(payload.command.as_str(), budget)?;
        let people = payload.issuer.as_str().len() + payload.audience.as_str().len();
        let subject = payload.subject.as_ref().map_or(0, |did| did.as_str().len());
        budget.spend(Cost::Answered(250 + command + people + subject))?;
        budget.spend(Cost::Values(token.values()))?;
        let policy = payload.policy.to_ipld();
        refuse_without_form(&policy, token.cid())?;
        Ok(Self {
            cid: token.cid().to_string(),
            issuer: text(&payload.issuer),
            audience: text(&payload.audience),
            subject: payload.subject.as_ref().map(text),
            command: payload.command.as_str().to_owned(),
            policy: told(policy, budget)?,
            not_before: payload.not_before,
            expires_at: payload.expires_at,
        })
    }
}
