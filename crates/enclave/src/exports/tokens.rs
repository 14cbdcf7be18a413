//! Issuing delegations, and narrowing received ones.

use std::collections::BTreeSet;

use keyhole_ucan::codec::dag_json::{self, DagJson};
use keyhole_ucan::error::{TokenError, TokenErrorName};
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::token::container;
use keyhole_ucan::token::delegation::{Delegation, NONCE_LENGTH, issue_within};
use keyhole_ucan::token::payload::Signed;
use keyhole_ucan::token::read::{self, Token};
use keyhole_ucan::validation::attenuate::{Expiry, Narrowing, attenuate_within};
use keyhole_ucan::validation::chain::{Chain, Effective};
use keyhole_ucan::work_budget::{Budget, Cost};
use keyhole_vault::vault::Vault;
use keyhole_vault::vault::address::derive_address;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::answers::told;
use crate::enclave::Enclave;
use crate::host::Host;
use crate::inputs::{present, read_command, read_did, read_leaf, read_map, read_policy};
use crate::refusal::Refusal;
use crate::strangers_text::StrangersText;

/// How long a root delegation is valid by default, in seconds.
const DEFAULT_LIFETIME: i64 = 24 * 60 * 60;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NewOrigin {
    /// DID of the recipient.
    audience_did: String,
    /// The command to delegate: lower case, starts with `/`.
    command: String,
    /// Conditions that the arguments of an invocation must all meet, in DAG-JSON. Default: none.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Policy>"))]
    policy: Option<Box<RawValue>>,
    /// DID of the resource's owner. Default: the issuer.
    subject_did: Option<String>,
    /// Seconds since 1970.
    not_before: Option<i64>,
    /// Seconds since 1970. Absent: 24 hours from now. Null: never.
    #[serde(default, deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schemars(extend("x-null" = true)))]
    expires_at: Option<Option<i64>>,
    /// Facts in DAG-JSON. They are signed, and no one checks them.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Fields>"))]
    meta: Option<Box<RawValue>>,
    /// The key that signs. Default: the account's default key.
    key_id: Option<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NewAttenuated {
    /// DID of the recipient.
    audience_did: String,
    /// The command to delegate: the parent's, or one below it.
    command: String,
    /// Conditions in addition to the parent's, in DAG-JSON. Default: none.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Policy>"))]
    policy: Option<Box<RawValue>>,
    /// DID of the resource's owner. Default: the parent's subject.
    subject_did: Option<String>,
    /// Seconds since 1970.
    not_before: Option<i64>,
    /// Seconds since 1970. Absent: the chain's earliest expiry.
    #[serde(default, deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schemars(extend("x-null" = true)))]
    expires_at: Option<Option<i64>>,
    /// Facts in DAG-JSON. They are signed, and no one checks them.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Fields>"))]
    meta: Option<Box<RawValue>>,
    /// The key that signs. Default: the account's default key, else the one that the parent is addressed to.
    key_id: Option<String>,
    /// The token to narrow: a container in any encoding, or a bare envelope.
    parent_token: StrangersText,
    /// CID of the delegation to continue, if the container leaves it open.
    leaf: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewToken {
    /// The delegation with all its proofs, as a container text.
    token: String,
    /// The DID of the key that signed.
    issuer: String,
    /// The audience's address, or its DID if that isn't a did:key.
    address: String,
    cid: String,
    expires_at: Option<i64>,
    /// What the delegation says, as in the answer of `inspect_token`.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Fields"))]
    payload: DagJson,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NarrowedToken {
    #[serde(flatten)]
    token: NewToken,
    effective: EffectiveLimits,
}

/// The limits that really apply along a chain.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "EffectiveDelegation"))]
pub struct EffectiveLimits {
    command: String,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Policy"))]
    policy: DagJson,
    not_before: Option<i64>,
    expires_at: Option<i64>,
}

/// `new_origin_token`
pub fn new_origin(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: NewOrigin,
) -> Result<NewToken, Refusal> {
    let budget = &enclave.budget();
    let (vault, tools) = enclave.unlocked_with_tools(host)?;
    let now = tools.now as i64;
    let key = vault.key(input.key_id.as_deref())?;
    let issuer = Did::from_key(&key.public_key());
    let mut nonce = vec![0; NONCE_LENGTH];
    tools.random.fill(&mut nonce)?;
    let delegation = Delegation {
        audience: read_did("audience_did", &input.audience_did)?,
        subject: Some(match &input.subject_did {
            Some(did) => read_did("subject_did", did)?,
            None => issuer.clone(),
        }),
        issuer,
        command: read_command(&input.command, budget)?,
        policy: read_policy(input.policy.as_deref(), budget)?,
        nonce,
        // Absent is not null: null asks for a token without an end.
        expires_at: input.expires_at.unwrap_or(Some(now + DEFAULT_LIFETIME)),
        not_before: input.not_before,
        meta: read_map("meta", input.meta.as_deref(), budget)?,
    };
    let token = issue_within(&delegation, key, now, budget)?;
    budget.spend(Cost::Packed(token.bytes().len()))?;
    let text = container::write([token.bytes()]);
    describe(&token, text, vault, budget)
}

/// `new_attenuated_token`
pub fn new_attenuated(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: NewAttenuated,
) -> Result<NarrowedToken, Refusal> {
    let budget = &enclave.budget();
    let (vault, tools) = enclave.unlocked_with_tools(host)?;
    let now = tools.now as i64;
    let mut nonce = vec![0; NONCE_LENGTH];
    tools.random.fill(&mut nonce)?;
    let narrowing = Narrowing {
        audience: read_did("audience_did", &input.audience_did)?,
        command: read_command(&input.command, budget)?,
        policy: read_policy(input.policy.as_deref(), budget)?,
        subject: match &input.subject_did {
            Some(did) => Some(read_did("subject_did", did)?),
            None => None,
        },
        not_before: input.not_before,
        expiry: match input.expires_at {
            Some(moment) => Expiry::At(moment),
            None => Expiry::Inherited,
        },
        meta: read_map("meta", input.meta.as_deref(), budget)?,
        nonce,
    };
    let parent = read::delegations(read::text_within(&input.parent_token, budget)?)?;
    let leaf = read_leaf(input.leaf.as_deref())?;
    let narrow = |key: &SecretKey| {
        let none = &BTreeSet::new();
        let (parent, narrowing) = (parent.clone(), narrowing.clone());
        attenuate_within(parent, leaf, narrowing, key, now, none, budget)
    };
    let chain = match narrow(vault.key(input.key_id.as_deref())?) {
        // If no key was named, the key that the parent is addressed to signs.
        Err(error) if error.name == TokenErrorName::InvalidAudience && input.key_id.is_none() => {
            let addressed = error.cid.and_then(|cid| {
                let leaf = parent.iter().find(|token| token.cid() == cid)?;
                vault.key_of(&leaf.payload().audience.key().ok()?)
            });
            addressed.map_or(Err(error), narrow)?
        }
        answer => answer?,
    };
    let text = chain.to_text_within(budget)?;
    budget.spend(Cost::Answered(text.len() + 1_000))?;
    Ok(NarrowedToken {
        token: describe(chain.leaf(), text, vault, budget)?,
        effective: EffectiveLimits::of(&chain, budget)?,
    })
}

impl EffectiveLimits {
    /// The limits of a chain, as the host reads them.
    ///
    /// # Errors
    /// `TooMuchWork`.
    pub fn of(chain: &Chain, budget: &Budget) -> Result<Self, TokenError> {
        // Every statement is written, sorted, and written in the answer once more.
        for token in chain.tokens() {
            budget.spend(Cost::Token(token.bytes().len()))?;
            budget.spend(Cost::Values(2 * token.values()))?;
        }
        let Effective {
            command,
            policy,
            not_before,
            expires_at,
        } = chain.effective();
        let length = dag_json::text_length_within(command.as_str(), budget)?;
        budget.spend(Cost::Answered(length + 150))?;
        Ok(Self {
            command: command.as_str().to_owned(),
            policy: told(policy.to_ipld(), budget)?,
            not_before,
            expires_at,
        })
    }
}

/// A DID's address on a network, or the DID itself if it isn't a did:key of a known type.
///
/// # Errors
/// OPERATION_FAILED for an invalid chain id.
pub fn address_of(did: &Did, chain_id: &str) -> Result<String, Refusal> {
    match did.key() {
        Ok(key) => Ok(derive_address(chain_id, &key)?),
        Err(_) => Ok(did.as_str().to_owned()),
    }
}

fn describe(
    leaf: &Signed<Delegation>,
    text: String,
    vault: &Vault,
    budget: &Budget,
) -> Result<NewToken, Refusal> {
    let payload = leaf.payload();
    budget.spend(Cost::Values(leaf.values() + 8))?;
    Ok(NewToken {
        token: text,
        issuer: payload.issuer.as_str().to_owned(),
        address: address_of(&payload.audience, &vault.state().chain_id)?,
        cid: leaf.cid().to_string(),
        expires_at: payload.expires_at,
        payload: told(Token::Delegation(leaf.clone()).payload(), budget)?,
    })
}
