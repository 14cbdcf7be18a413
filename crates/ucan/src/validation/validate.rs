//! Whether an invocation may be carried out (UCAN 1.0.0, "Validation").
//!
//! The enclave calls [`Request::read`] for each text, [`check_signatures`] once if there are many, and [`validate`] for
//! each. A token's signature is checked once, and those of a chain or a batch together.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use crate::codec::cid::Cid;
use crate::error::{TokenError, TokenErrorName, Why};
use crate::identity::did::Did;
use crate::identity::did_document::Documents;
use crate::identity::key_type::KeyType;
use crate::time::{Clock, DEFAULT_SKEW};
use crate::token::envelope::Envelope;
use crate::token::invocation::Invocation;
use crate::token::payload::Signed;
use crate::token::signatures;
use crate::validation::chain::{Circumstances, MAX_CHAIN_LENGTH};
use crate::validation::path::{self, Timing};
use crate::validation::request::{Path, Proofs, Request, verify_last_link, verify_policies};
use crate::work_budget::{Budget, Cost, TooMuchWork};

/// What an invocation is checked against.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// Time, revocations, and issuers that were looked up.
    pub circumstances: Circumstances<'a>,
    /// Who is asked to carry it out, if that is checked.
    pub audience: Option<&'a Did>,
    /// Invocations that were carried out before.
    pub seen: &'a BTreeSet<Cid>,
}

impl Conditions<'_> {
    /// At this time, in seconds since 1970, with the usual tolerance ([`DEFAULT_SKEW`]): nothing is revoked or was
    /// carried out before, no DID was looked up, and any audience is accepted. Set the other fields by struct update.
    #[must_use]
    pub fn at(now: i64) -> Self {
        static NONE: BTreeSet<Cid> = BTreeSet::new();
        Self {
            circumstances: Circumstances::at(Clock {
                now,
                skew: DEFAULT_SKEW,
            }),
            audience: None,
            seen: &NONE,
        }
    }
}

/// Checks the signatures of many invocations and their proofs together. [`validate`] then finds them checked. Skips
/// those that gain nothing in a batch: other algorithms than Ed25519, which each invocation pays for, and issuers that
/// must be looked up first.
///
/// # Errors
/// [`TooMuchWork`] if the budget doesn't cover all of them.
pub fn check_signatures<'a>(
    requests: impl IntoIterator<Item = &'a Request>,
    others: &'a Proofs,
    budget: &Budget,
) -> Result<(), TooMuchWork> {
    let mut wanted = wanted(requests, others, budget)?;
    wanted.retain(|(envelope, issuer)| {
        envelope.key_type() == KeyType::Ed25519 && issuer.method() == "key"
    });
    signatures::check(wanted, Documents::NONE, budget)
}

/// The signatures that these depend on.
fn wanted<'a>(
    requests: impl IntoIterator<Item = &'a Request>,
    others: &'a Proofs,
    budget: &Budget,
) -> Result<Vec<(&'a Envelope, &'a Did)>, TooMuchWork> {
    let mut wanted = Vec::new();
    for request in requests {
        let invocation = request.invocation.payload();
        wanted.push(request.invocation.signed_by());
        if invocation.issuer != invocation.subject && invocation.proofs.len() <= MAX_CHAIN_LENGTH {
            for cid in &invocation.proofs {
                budget.spend(Cost::Steps(1 + request.delegations.len() / 8))?;
                wanted.extend(request.find(*cid, others).map(Signed::signed_by));
            }
        }
    }
    Ok(wanted)
}

/// Checks an invocation in the specification's order, and gives the delegations that allow it.
///
/// # Errors
/// In this order, each about the token that broke the rule: `MalformedToken` for more than [`MAX_CHAIN_LENGTH`] proofs;
/// `InvalidSignature`, `Expired`, `InvalidAudience` of the invocation; where its issuer is not its subject, `InvalidClaim`
/// without proofs, `UnavailableProof`, what a chain is refused for ([`crate::validation::chain::verify`]), `InvalidAudience`, `InvalidSubject`,
/// `InvalidCommand` from the last proof to the invocation, and `MatchError` about the delegation whose policy does not
/// hold; `Replayed`.
pub fn validate<'a>(
    request: &'a Request,
    others: &'a Proofs,
    conditions: Conditions<'_>,
) -> Result<Path<'a>, TokenError> {
    validate_within(request, others, conditions, &Budget::new())
}

/// [`validate`], on a budget.
///
/// # Errors
/// As [`validate`]; `TooMuchWork`.
pub fn validate_within<'a>(
    request: &'a Request,
    others: &'a Proofs,
    conditions: Conditions<'_>,
    budget: &Budget,
) -> Result<Path<'a>, TokenError> {
    let Conditions {
        circumstances,
        audience,
        seen,
    } = conditions;
    let token = &request.invocation;
    refuse_too_many_proofs(token)?;
    let signed = wanted([request], others, budget)?;
    signatures::check(signed, circumstances.documents, budget)?;
    token.verify_signature_within(circumstances.documents, budget)?;
    verify_expiry(token, circumstances.clock)?;
    if let Some(verifier) = audience {
        verify_audience(token, verifier)?;
    }
    let path = authorise(request, others, circumstances, Timing::Now, budget)?;
    if seen.contains(&token.cid()) {
        return Err(
            TokenError::new(TokenErrorName::Replayed, Why::CarriedOutBefore).about(token.cid()),
        );
    }
    Ok(path)
}

fn refuse_too_many_proofs(token: &Signed<Invocation>) -> Result<(), TokenError> {
    let count = token.payload().proofs.len();
    if count <= MAX_CHAIN_LENGTH {
        return Ok(());
    }
    let message = format!("This invocation names {count} proofs; the most is {MAX_CHAIN_LENGTH}.");
    Err(TokenError::malformed(message)
        .about(token.cid())
        .with(MAX_CHAIN_LENGTH as i128, count as i128))
}

fn verify_expiry(token: &Signed<Invocation>, clock: Clock) -> Result<(), TokenError> {
    match token.payload().expires_at {
        Some(seconds) if clock.is_after(seconds) => {
            let message = format!("The invocation expired at {seconds} (seconds since 1970).");
            Err(TokenError::new(TokenErrorName::Expired, message)
                .about(token.cid())
                .with(seconds, clock.now))
        }
        _ => Ok(()),
    }
}

fn verify_audience(token: &Signed<Invocation>, verifier: &Did) -> Result<(), TokenError> {
    let executor = token.payload().executor();
    if executor == verifier {
        return Ok(());
    }
    let message = format!("The invocation asks {executor} to act, not {verifier}.");
    Err(TokenError::new(TokenErrorName::InvalidAudience, message)
        .about(token.cid())
        .with(verifier.as_str(), executor.as_str()))
}

/// Checks the way from the subject to the invocation: its proofs as a chain, the link from the last of them, and every
/// policy.
fn authorise<'a>(
    request: &'a Request,
    others: &'a Proofs,
    circumstances: Circumstances<'_>,
    timing: Timing,
    budget: &Budget,
) -> Result<Path<'a>, TokenError> {
    let token = &request.invocation;
    let invocation = token.payload();
    if invocation.issuer == invocation.subject {
        return Ok(Vec::new());
    }
    if invocation.proofs.is_empty() {
        let message = format!(
            "{} acts on {} without a delegation for it.",
            invocation.issuer, invocation.subject
        );
        return Err(TokenError::new(TokenErrorName::InvalidClaim, message).about(token.cid()));
    }
    let path = request.proofs(others)?;
    path::verify_path(&path, circumstances, timing, budget)?;
    verify_last_link(token, &path, budget)?;
    verify_policies(&path, invocation, budget)?;
    Ok(path)
}
