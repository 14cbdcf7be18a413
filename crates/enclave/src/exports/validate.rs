//! Whether invocations may be carried out. Needs no secret, and no vault.

use std::collections::BTreeSet;

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::codec::dag_json::{self, DagJson};
use keyhole_ucan::error::TokenError;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::token::checked_delegations::CheckedDelegations;
use keyhole_ucan::token::delegation::Delegation;
use keyhole_ucan::token::payload::Signed;
use keyhole_ucan::token::read;
use keyhole_ucan::validation::request::{Proofs, Request};
use keyhole_ucan::validation::validate::{self, Conditions};
use keyhole_ucan::work_budget::{Budget, Cost, MAX_ANSWER};
use keyhole_vault::error::VaultError;
use serde::{Deserialize, Serialize};

use crate::checks::{Broken, Checks, UsedDocument, refuse_without_form};
use crate::enclave::Enclave;
use crate::exports::verify::Link;
use crate::host::Host;
use crate::inputs::read_did;
use crate::inputs::{charge_texts, read_cids};
use crate::refusal::Refusal;
use crate::strangers_text::StrangersText;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ValidateInvocation {
    /// One invocation, and any number of delegations.
    invocation: StrangersText,
    /// More texts with proofs, which an invocation's text may leave out.
    #[serde(default)]
    proofs: Vec<StrangersText>,
    /// DID of the verifier: the invocation must be addressed to it. Default: any audience.
    audience: Option<String>,
    /// Seconds since 1970. Default: the host's clock.
    now: Option<i64>,
    /// Seconds of clock difference allowed. Default 60.
    skew: Option<u32>,
    /// CIDs that the caller knows to be revoked: delegations under them are refused.
    #[serde(default)]
    revoked: Vec<String>,
    /// Texts of revocations. Each takes effect if its issuer may revoke in the chain being checked.
    #[serde(default)]
    revocations: Vec<StrangersText>,
    /// CIDs of invocations that were accepted before: they are refused as `Replayed`.
    #[serde(default)]
    seen: Vec<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ValidateBatch {
    /// Texts with one invocation each, and any number of delegations. The same checks apply to each.
    invocations: Vec<StrangersText>,
    /// More texts with proofs, which an invocation's text may leave out.
    #[serde(default)]
    proofs: Vec<StrangersText>,
    /// DID of the verifier: the invocation must be addressed to it. Default: any audience.
    audience: Option<String>,
    /// Seconds since 1970. Default: the host's clock.
    now: Option<i64>,
    /// Seconds of clock difference allowed. Default 60.
    skew: Option<u32>,
    /// CIDs that the caller knows to be revoked: delegations under them are refused.
    #[serde(default)]
    revoked: Vec<String>,
    /// Texts of revocations. Each takes effect if its issuer may revoke in the chain being checked.
    #[serde(default)]
    revocations: Vec<StrangersText>,
    /// CIDs of invocations that were accepted before: they are refused as `Replayed`.
    #[serde(default)]
    seen: Vec<String>,
}

/// Invocations that are read and have their signatures checked together: a larger group would save little more.
const GROUP: usize = 64;
/// Most bytes of a refusal that says little more than its name.
const SHORT_REFUSAL: usize = 250;

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ValidationResult"))]
#[serde(untagged)]
pub enum Answer {
    Valid(Box<Valid>),
    Invalid {
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::No"))]
        valid: bool,
        error: Box<Broken>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        documents: Vec<UsedDocument>,
    },
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ValidInvocation"))]
pub struct Valid {
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Yes"))]
    valid: bool,
    cid: String,
    expires_at: Option<i64>,
    task: String,
    command: String,
    /// Left out if they are longer than an answer may be: the caller has them in the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Fields>"))]
    args: Option<DagJson>,
    subject: String,
    issuer: String,
    chain: Vec<Link>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<UsedDocument>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answers {
    results: Vec<Answer>,
}

/// `validate_invocation`: one that may not be carried out is an answer, not a refusal.
pub fn one(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: ValidateInvocation,
) -> Result<Answer, Refusal> {
    let batch = ValidateBatch {
        invocations: vec![input.invocation],
        proofs: input.proofs,
        audience: input.audience,
        now: input.now,
        skew: input.skew,
        revoked: input.revoked,
        revocations: input.revocations,
        seen: input.seen,
    };
    let budget = enclave.budget();
    let answer = answer_all(enclave.checked(), host, &batch, &budget)?.pop();
    answer.ok_or_else(|| Refusal::from(VaultError::internal("There is no invocation to check.")))
}

/// `validate_batch`: each as if it came alone, except that the second of two with one CID is a replay.
pub fn batch(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: ValidateBatch,
) -> Result<Answers, Refusal> {
    let budget = enclave.budget();
    answer_all(enclave.checked(), host, &input, &budget).map(|results| Answers { results })
}

fn answer_all(
    known: &mut CheckedDelegations,
    host: &mut dyn Host,
    input: &ValidateBatch,
    budget: &Budget,
) -> Result<Vec<Answer>, Refusal> {
    let audience = input.audience.as_deref();
    let audience = audience.map(|did| read_did("audience", did)).transpose()?;
    charge_texts(&input.invocations, budget)?;
    charge_texts(&input.proofs, budget)?;
    // Each gets an answer, even if it is only a short refusal.
    budget.spend(Cost::Answered(input.invocations.len() * SHORT_REFUSAL))?;
    let mut seen = read_cids("seen", &input.seen, budget)?;
    let mut checks = Checks::read(
        known,
        host,
        input.now,
        input.skew,
        &input.revoked,
        &input.revocations,
        budget,
    )?;
    let others = match read_proofs(known, &input.proofs, budget) {
        Ok(others) => others,
        // If a proof can't be read, no invocation can be found valid.
        Err(error) => {
            let invocations = input.invocations.iter();
            return Ok(invocations
                .map(|_| Answer::invalid(error.clone(), Vec::new(), budget))
                .collect());
        }
    };
    let count = input.invocations.len();
    let mut answers = Vec::with_capacity(count);
    // Finish one group before reading the next: then what the budget doesn't cover has cost nothing.
    for texts in input.invocations.chunks(GROUP) {
        let start = answers.len();
        let read = |(at, text): (usize, &StrangersText)| {
            budget.share(1, count - start - at, || {
                read::text_with(text, known, budget).and_then(Request::read)
            })
        };
        let requests: Vec<Result<Request, TokenError>> =
            texts.iter().enumerate().map(read).collect();
        let readable = || requests.iter().filter_map(|request| request.as_ref().ok());
        if count > 1 {
            // If the budget doesn't cover all signatures, the first ones are checked, with work left to answer them.
            let _ = budget.share(texts.len(), count - start, || {
                budget.leaving(budget.left() / 4, || {
                    validate::check_signatures(readable(), &others, budget)
                })
            });
        }
        for request in requests {
            let left = count - answers.len();
            answers.push(match request {
                Err(error) => Answer::invalid(error, Vec::new(), budget),
                Ok(request) => budget.share(1, left, || {
                    let audience = audience.as_ref();
                    let claimed = request.claimed(&others);
                    checks.look_up(host, request.issuers(&others), budget);
                    match checks.look_up_revokers(host, &claimed, budget) {
                        Err(error) => Answer::invalid(error, Vec::new(), budget),
                        Ok(()) => answer(
                            known, &request, &others, &checks, audience, &mut seen, budget,
                        ),
                    }
                }),
            });
        }
    }
    Ok(answers)
}

fn answer(
    known: &mut CheckedDelegations,
    request: &Request,
    others: &Proofs,
    checks: &Checks,
    audience: Option<&Did>,
    seen: &mut BTreeSet<Cid>,
    budget: &Budget,
) -> Answer {
    let conditions = Conditions {
        circumstances: checks.circumstances(),
        audience,
        seen,
    };
    let validated = validate::validate_within(request, others, conditions, budget);
    let validated = validated.and_then(|path| {
        path.iter().for_each(|token| known.note(token));
        Valid::of(request, &path, checks, budget)
    });
    match validated {
        Err(error) => match checks.used_documents(request.issuers(others), budget) {
            Ok(documents) => Answer::invalid(error, documents, budget),
            Err(error) => Answer::invalid(error, Vec::new(), budget),
        },
        Ok(valid) => {
            seen.insert(request.invocation().cid());
            Answer::Valid(Box::new(valid))
        }
    }
}

fn read_proofs(
    known: &mut CheckedDelegations,
    texts: &[StrangersText],
    budget: &Budget,
) -> Result<Proofs, TokenError> {
    let mut delegations = Vec::new();
    for text in texts {
        let tokens = read::text_with(text, known, budget)?;
        delegations.extend(read::delegations(tokens)?);
    }
    Ok(delegations.into_iter().collect())
}

impl Answer {
    fn invalid(error: TokenError, documents: Vec<UsedDocument>, budget: &Budget) -> Self {
        Self::Invalid {
            valid: false,
            error: Box::new(Broken::within(error, budget)),
            documents,
        }
    }
}

impl Valid {
    fn of(
        request: &Request,
        path: &[&Signed<Delegation>],
        checks: &Checks,
        budget: &Budget,
    ) -> Result<Self, TokenError> {
        let token = request.invocation();
        let invocation = token.payload();
        let command = dag_json::text_length_within(invocation.command.as_str(), budget)?;
        let people = invocation.subject.as_str().len() + invocation.issuer.as_str().len();
        budget.spend(Cost::Answered(400 + command + people))?;
        // The arguments are copied, and encoded once more for the task's CID.
        budget.spend(Cost::Token(token.bytes().len()))?;
        let args = Ipld::Map(invocation.args.clone());
        refuse_without_form(&args, token.cid())?;
        let chain = path.iter().map(|token| Link::of(token, budget));
        let chain = chain.collect::<Result<_, _>>()?;
        let length = dag_json::length_within(&args, budget)?;
        let args = match budget.spend(Cost::Answered(length)) {
            Ok(()) => Some(DagJson(args)),
            // No answer could repeat them.
            Err(_) if length as u64 > MAX_ANSWER => None,
            Err(error) => return Err(error.into()),
        };
        Ok(Self {
            valid: true,
            cid: token.cid().to_string(),
            expires_at: invocation.expires_at,
            task: invocation.task()?.to_string(),
            command: invocation.command.as_str().to_owned(),
            args,
            subject: invocation.subject.as_str().to_owned(),
            issuer: invocation.issuer.as_str().to_owned(),
            chain,
            documents: checks.used_documents(
                path.iter()
                    .map(|token| &token.payload().issuer)
                    .chain([&invocation.issuer]),
                budget,
            )?,
        })
    }
}
