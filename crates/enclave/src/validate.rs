//! Whether invocations may be carried out. Needs no secret, and no vault.

use std::collections::BTreeSet;

use ipld_core::ipld::Ipld;
use keyhole_core::budget::Budget;
use keyhole_core::checked_delegations::CheckedDelegations;
use keyhole_core::cid::Cid;
use keyhole_core::dag_json::DagJson;
use keyhole_core::delegation::Delegation;
use keyhole_core::did::Did;
use keyhole_core::error::TokenError;
use keyhole_core::payload::Signed;
use keyhole_core::token;
use keyhole_core::validation::{self, Conditions, Proofs, Request};
use serde::{Deserialize, Serialize};

use crate::checks::{Broken, Checks, UsedDocument, read_cids, refuse_without_form};
use crate::host::Host;
use crate::refusal::Refusal;
use crate::strangers_text::StrangersText;
use crate::tokens::read_did;
use crate::vault::Enclave;
use crate::verify::Link;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidateInvocation {
    invocation: StrangersText,
    #[serde(default)]
    proofs: Vec<StrangersText>,
    audience: Option<String>,
    now: Option<i64>,
    skew: Option<u32>,
    #[serde(default)]
    revoked: Vec<String>,
    #[serde(default)]
    revocations: Vec<StrangersText>,
    #[serde(default)]
    seen: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidateBatch {
    invocations: Vec<StrangersText>,
    #[serde(default)]
    proofs: Vec<StrangersText>,
    audience: Option<String>,
    now: Option<i64>,
    skew: Option<u32>,
    #[serde(default)]
    revoked: Vec<String>,
    #[serde(default)]
    revocations: Vec<StrangersText>,
    #[serde(default)]
    seen: Vec<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    Valid(Box<Valid>),
    Invalid {
        valid: bool,
        error: Box<Broken>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        documents: Vec<UsedDocument>,
    },
}

#[derive(Serialize)]
pub struct Valid {
    valid: bool,
    cid: String,
    expires_at: Option<i64>,
    task: String,
    command: String,
    args: DagJson,
    subject: String,
    issuer: String,
    chain: Vec<Link>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<UsedDocument>,
}

#[derive(Serialize)]
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
    answer.ok_or_else(|| Refusal::failed("There is no invocation to check."))
}

/// `validate_batch`: each as if it came alone, but that the second of two with one CID is a replay of the first.
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
    let mut seen = read_cids("seen", &input.seen)?;
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
        // No invocation can be told to hold when a proof of theirs cannot be read.
        Err(error) => {
            let invocations = input.invocations.iter();
            return Ok(invocations
                .map(|_| Answer::invalid(error.clone(), Vec::new()))
                .collect());
        }
    };
    let requests: Vec<Result<Request, TokenError>> = input
        .invocations
        .iter()
        .map(|text| token::read_text_with(text, known, budget).and_then(Request::read))
        .collect();
    let readable = || requests.iter().filter_map(|request| request.as_ref().ok());
    checks.look_up(host, readable().flat_map(issuers));
    checks.look_up(host, others.issuers());
    // Where there is too much to check together, each is checked alone, as far as that goes.
    let _ = validation::check_signatures(readable(), &others, checks.documents(), budget);
    let mut answers = Vec::with_capacity(requests.len());
    for (at, request) in requests.iter().enumerate() {
        answers.push(match request {
            Err(error) => Answer::invalid(error.clone(), Vec::new()),
            Ok(request) => budget.share(requests.len() - at, || {
                let audience = audience.as_ref();
                answer(
                    known, request, &others, &checks, audience, &mut seen, budget,
                )
            }),
        });
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
    let validated = validation::validate_within(request, others, conditions, budget);
    let validated = validated.and_then(|path| {
        path.iter().for_each(|token| known.note(token));
        Valid::of(request, &path, checks)
    });
    match validated {
        Err(error) => Answer::invalid(error, checks.used_documents(request.issuers(others))),
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
        let tokens = token::read_text_with(text, known, budget)?;
        delegations.extend(token::delegations(tokens)?);
    }
    Ok(delegations.into_iter().collect())
}

fn issuers(request: &Request) -> impl Iterator<Item = &Did> {
    let delegations = request.delegations().iter();
    delegations
        .map(|token| &token.payload().issuer)
        .chain([&request.invocation().payload().issuer])
}

impl Answer {
    fn invalid(error: TokenError, documents: Vec<UsedDocument>) -> Self {
        Self::Invalid {
            valid: false,
            error: Box::new(error.into()),
            documents,
        }
    }
}

impl Valid {
    fn of(
        request: &Request,
        path: &[&Signed<Delegation>],
        checks: &Checks,
    ) -> Result<Self, TokenError> {
        let token = request.invocation();
        let invocation = token.payload();
        let args = Ipld::Map(invocation.args.clone());
        refuse_without_form(&args, token.cid())?;
        Ok(Self {
            valid: true,
            cid: token.cid().to_string(),
            expires_at: invocation.expires_at,
            task: invocation.task()?.to_string(),
            command: invocation.command.as_str().to_owned(),
            args: DagJson(args),
            subject: invocation.subject.as_str().to_owned(),
            issuer: invocation.issuer.as_str().to_owned(),
            chain: path
                .iter()
                .map(|token| Link::of(token))
                .collect::<Result<_, _>>()?,
            documents: checks.used_documents(
                path.iter()
                    .map(|token| &token.payload().issuer)
                    .chain([&invocation.issuer]),
            ),
        })
    }
}
