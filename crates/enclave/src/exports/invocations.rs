//! Using authority: invoking, revoking, and issuing receipts.

use std::collections::BTreeSet;

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::codec::dag_json::{self, DagJson};
use keyhole_ucan::error::{Reason, TokenError, TokenErrorName, Why};
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::did_document::Documents;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::time::Clock;
use keyhole_ucan::token::container;
use keyhole_ucan::token::delegation::NONCE_LENGTH;
use keyhole_ucan::token::invocation::Invocation;
use keyhole_ucan::token::payload::Signed;
use keyhole_ucan::token::read::{self, Token};
use keyhole_ucan::token::receipt::{self, Outcome};
use keyhole_ucan::validation::chain::{self, Chain, Circumstances};
use keyhole_ucan::validation::request::{Proofs, Request};
use keyhole_ucan::validation::revocation::{self, Revocation};
use keyhole_ucan::validation::validate::{self, Conditions};
use keyhole_ucan::work_budget::{Budget, Cost};
use keyhole_vault::error::VaultError;
use keyhole_vault::vault::Vault;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::answers::told;
use crate::enclave::Enclave;
use crate::host::Host;
use crate::inputs::{malformed, present, read_command, read_did, read_leaf, read_map, unreadable};
use crate::refusal::Refusal;
use crate::strangers_text::StrangersText;

/// How long an invocation is valid by default, in seconds: it is used at once.
const DEFAULT_LIFETIME: i64 = 5 * 60;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Invoke {
    command: String,
    /// A map in DAG-JSON.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Fields"))]
    args: Box<RawValue>,
    /// DID of the resource's owner.
    subject_did: String,
    /// The token that gives the authority; the subject itself needs none.
    proof_token: Option<StrangersText>,
    /// CID of the delegation to use, if the token leaves it open.
    leaf: Option<String>,
    /// DID of who carries it out. Default: the subject.
    audience_did: Option<String>,
    /// Seconds since 1970. Absent: in 5 minutes, or at the chain's earliest expiry if that is sooner. Null: never.
    #[serde(default, deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schemars(extend("x-null" = true)))]
    expires_at: Option<Option<i64>>,
    /// The key that signs. Default: the one the token is addressed to, else the account's default key.
    key_id: Option<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Revoke {
    /// CID of the delegation to revoke.
    cid: String,
    /// CIDs from the root to the delegation.
    #[serde(default)]
    path: Vec<String>,
    /// A delegation of `/ucan/revoke`, for someone who issued nothing in the chain.
    proof_token: Option<StrangersText>,
    /// The chain with the delegation in it. With it, the call checks who may revoke and chooses the right key.
    token: Option<StrangersText>,
    /// The key that signs.
    key_id: Option<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IssueReceipt {
    /// CID of the task, as in the invocation's answer.
    task: String,
    /// The result, in DAG-JSON: this or `error`.
    #[serde(default, deserialize_with = "any_value")]
    ok: Option<Box<RawValue>>,
    /// What went wrong, in DAG-JSON: this or `ok`.
    #[serde(default, deserialize_with = "any_value")]
    error: Option<Box<RawValue>>,
    /// The key that signs. Default: the account's default key.
    key_id: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Invoked {
    token: String,
    cid: String,
    task: String,
    issuer: String,
    expires_at: Option<i64>,
    /// What the invocation says, as in the answer of `inspect_token`.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Fields"))]
    payload: DagJson,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MadeToken"))]
pub struct Made {
    pub(super) token: String,
    cid: String,
    /// What the invocation says, as in the answer of `inspect_token`.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Fields"))]
    payload: DagJson,
}

/// `invoke`: never hands out an invocation that its executor would have to refuse.
pub fn invoke(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Invoke,
) -> Result<Invoked, Refusal> {
    let budget = &enclave.budget();
    let (vault, tools) = enclave.unlocked_with_tools(host)?;
    let now = tools.now as i64;
    let mut nonce = vec![0; NONCE_LENGTH];
    tools.random.fill(&mut nonce)?;
    let subject = read_did("subject_did", &input.subject_did)?;
    let chain = read_chain(
        input.proof_token.as_deref(),
        input.leaf.as_deref(),
        now,
        budget,
    )?;
    let key = signing_key(vault, input.key_id.as_deref(), chain.as_ref(), &subject)?;
    let issuer = Did::from_key(&key.public_key());
    // An owner needs no proof.
    let chain = chain.filter(|_| issuer != subject);
    let ends = chain.as_ref().and_then(|chain| chain.expires_at());
    let soon = now + DEFAULT_LIFETIME;
    let invocation = Invocation {
        issuer,
        subject,
        audience: match &input.audience_did {
            Some(did) => Some(read_did("audience_did", did)?),
            None => None,
        },
        command: read_command(&input.command, budget)?,
        args: read_map("args", Some(&input.args), budget)?.unwrap_or_default(),
        proofs: proofs_of(chain.as_ref()),
        nonce,
        expires_at: input
            .expires_at
            .unwrap_or_else(|| Some(ends.map_or(soon, |ends| ends.min(soon)))),
        issued_at: Some(now),
        meta: None,
        cause: None,
    };
    if invocation.command.is_reserved() {
        let message = format!(
            "The command {} lies under /ucan/, which UCAN keeps for itself.",
            invocation.command
        );
        return Err(TokenError::new(TokenErrorName::InvalidCommand, message).into());
    }
    let (made, _) = sign_and_check(&invocation, key, chain, now, TextForm::Call, budget)?;
    Ok(Invoked {
        token: made.token,
        cid: made.cid,
        task: invocation.task()?.to_string(),
        issuer: invocation.issuer.as_str().to_owned(),
        expires_at: invocation.expires_at,
        payload: made.payload,
    })
}

/// `revoke`
pub fn revoke(enclave: &mut Enclave, host: &mut dyn Host, input: Revoke) -> Result<Made, Refusal> {
    let budget = &enclave.budget();
    let (vault, tools) = enclave.unlocked_with_tools(host)?;
    let now = tools.now as i64;
    let target = read_cid("cid", &input.cid)?;
    let path = input.path.iter().map(|cid| read_cid("path", cid));
    let path: Vec<Cid> = path.collect::<Result<_, _>>()?;
    let permission = read_chain(input.proof_token.as_deref(), None, now, budget)?;
    let entitled = match &input.token {
        Some(text) => Some(issuers_above(text, target, budget)?),
        None => None,
    };
    let default = vault.key(input.key_id.as_deref())?;
    let (key, subject) = match &permission {
        Some(chain) => {
            let subject = chain.subject().clone();
            let key = signing_key(vault, input.key_id.as_deref(), Some(chain), &subject)?;
            (key, subject)
        }
        None => {
            let own = |issuer: &Did| issuer.key().ok().and_then(|key| vault.key_of(&key));
            let is_named = input.key_id.is_some();
            let found = entitled.iter().flatten().find_map(own);
            let key = found.filter(|_| !is_named).unwrap_or(default);
            (key, Did::from_key(&key.public_key()))
        }
    };
    if entitled.is_some_and(|issuers| !issuers.contains(&subject)) {
        let message = format!(
            "{subject} issued nothing at or above this token, and cannot revoke it: only those who passed the authority on can."
        );
        return Err(TokenError::new(TokenErrorName::InvalidSubject, message)
            .about(target)
            .into());
    }
    let issuer = Did::from_key(&key.public_key());
    let proofs = proofs_of(permission.as_ref());
    let root = proofs.first().copied();
    let invocation = revocation::revoke(issuer, subject, target, &path, proofs)?;
    let (made, tokens) = sign_and_check(&invocation, key, permission, now, TextForm::Kept, budget)?;
    let holds = match Revocation::of(Request::read(tokens)?)? {
        Some(revocation) => revocation.holds_within(Documents::NONE, budget)?,
        None => false,
    };
    if !holds {
        let message = format!(
            "The first proof of this permission to revoke does not name {target}: its policy must hold [\"==\", \".revoke\", that token]. What a later proof adds does not count."
        );
        let reason = Reason::of(Why::RevokeNotNamed, message);
        return Err(TokenError::new(TokenErrorName::InvalidClaim, reason)
            .about(root.unwrap_or(target))
            .into());
    }
    Ok(made)
}

/// `issue_receipt`
pub fn issue_receipt(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: IssueReceipt,
) -> Result<Made, Refusal> {
    let budget = &enclave.budget();
    let (vault, tools) = enclave.unlocked_with_tools(host)?;
    let now = tools.now as i64;
    let mut nonce = vec![0; NONCE_LENGTH];
    tools.random.fill(&mut nonce)?;
    let key = vault.key(input.key_id.as_deref())?;
    let outcome = match (&input.ok, &input.error) {
        (Some(value), None) => Outcome::Ok(read_value("ok", value, budget)?),
        (None, Some(value)) => Outcome::Error(read_value("error", value, budget)?),
        _ => {
            return Err(Refusal::from(VaultError::input(
                "A receipt says either that the task was done (`ok`) or why not (`error`).",
            )));
        }
    };
    let executor = Did::from_key(&key.public_key());
    let task = read_cid("task", &input.task)?;
    let invocation = receipt::receipt(executor, task, outcome, nonce)?;
    let (made, _) = sign_and_check(&invocation, key, None, now, TextForm::Kept, budget)?;
    Ok(made)
}

/// What the text of an invocation is for.
#[derive(Clone, Copy)]
pub(super) enum TextForm {
    /// It is sent to a service, which checks it at once.
    Call,
    /// It is stored, and passed on by hand or as a QR code.
    Kept,
}

/// Signs, and hands out only what is valid: its text with its proofs, its CID, what it says, and the tokens in the
/// text.
pub(super) fn sign_and_check(
    invocation: &Invocation,
    key: &SecretKey,
    chain: Option<Chain>,
    now: i64,
    form: TextForm,
    budget: &Budget,
) -> Result<(Made, Vec<Token>), Refusal> {
    let token = Token::Invocation(Signed::sign_within(invocation, key, budget)?);
    let cid = token.cid().to_string();
    budget.spend(Cost::Values(token.values() + 8))?;
    let payload = told(token.payload(), budget)?;
    let proofs = chain.iter().flat_map(Chain::tokens).cloned();
    let tokens: Vec<Token> = proofs.map(Token::Delegation).chain([token]).collect();
    let request = Request::read(tokens.clone())?;
    let conditions = Conditions {
        circumstances: Circumstances::at(Clock { now, skew: 0 }),
        audience: None,
        seen: &BTreeSet::new(),
    };
    validate::validate_within(&request, &Proofs::default(), conditions, budget)?;
    let length = tokens.iter().map(|token| token.bytes().len()).sum();
    budget.spend(Cost::Packed(length))?;
    let bytes = tokens.iter().map(Token::bytes);
    let token = match form {
        TextForm::Call => container::write_call(bytes),
        TextForm::Kept => container::write(bytes),
    };
    Ok((
        Made {
            token,
            cid,
            payload,
        },
        tokens,
    ))
}

/// The named key; else the one with the authority, by the chain or as the owner; else the default one.
fn signing_key<'a>(
    vault: &'a Vault,
    named: Option<&str>,
    chain: Option<&Chain>,
    subject: &Did,
) -> Result<&'a SecretKey, Refusal> {
    let default = vault.key(named)?;
    if named.is_some() {
        return Ok(default);
    }
    let holder = chain.map_or(subject, |chain| &chain.leaf().payload().audience);
    let own = holder.key().ok().and_then(|key| vault.key_of(&key));
    Ok(own.unwrap_or(default))
}

pub(super) fn read_chain(
    text: Option<&str>,
    leaf: Option<&str>,
    now: i64,
    budget: &Budget,
) -> Result<Option<Chain>, Refusal> {
    let leaf = read_leaf(leaf)?;
    let Some(text) = text else {
        return Ok(None);
    };
    let delegations = read::delegations(read::text_within(text, budget)?)?;
    let circumstances = Circumstances::at(Clock { now, skew: 0 });
    Ok(Some(chain::verify_within(
        delegations,
        leaf,
        circumstances,
        budget,
    )?))
}

pub(super) fn proofs_of(chain: Option<&Chain>) -> Vec<Cid> {
    let tokens = chain.into_iter().flat_map(Chain::tokens);
    tokens.map(Signed::cid).collect()
}

/// The issuers of the target and of the delegations that lead to it: they may revoke what they passed on.
fn issuers_above(text: &str, target: Cid, budget: &Budget) -> Result<Vec<Did>, Refusal> {
    let delegations = read::delegations(read::text_within(text, budget)?)?;
    let chain = chain::trace(delegations, target, budget)?;
    let issuers = chain.iter().map(|token| token.payload().issuer.clone());
    Ok(issuers.collect())
}

fn read_cid(field: &str, text: &str) -> Result<Cid, Refusal> {
    Cid::parse(text).map_err(|error| malformed(field, error))
}

fn read_value(field: &str, raw: &RawValue, budget: &Budget) -> Result<Ipld, Refusal> {
    dag_json::parse_within(raw.get(), budget).map_err(|error| unreadable(field, error))
}

/// Reads null as a value too.
fn any_value<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(from).map(Some)
}
