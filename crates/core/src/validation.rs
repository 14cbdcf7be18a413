//! Whether an invocation may be carried out (UCAN 1.0.0, "Validation").
//!
//! How the enclave calls it: [`Request::read`] for each text, [`check_signatures`] once for all of them where there are
//! many, and [`validate`] for each. A token's signature is checked once, and those of a chain or a batch together.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

use ipld_core::ipld::Ipld;

use crate::budget::{Budget, Cost, TooMuchWork};
use crate::chain::{Circumstances, MAX_CHAIN_LENGTH};
use crate::cid::Cid;
use crate::delegation::Delegation;
use crate::did::Did;
use crate::did_document::Documents;
use crate::envelope::Envelope;
use crate::error::{TokenError, TokenErrorName};
use crate::evaluate::Mismatch;
use crate::invocation::Invocation;
use crate::key::KeyType;
use crate::path::{self, Link, Timing};
use crate::payload::Signed;
use crate::signatures;
use crate::time::Clock;
use crate::token::Token;

/// An invocation as it came, with the delegations that came with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    invocation: Signed<Invocation>,
    delegations: Vec<Signed<Delegation>>,
}

/// Delegations by their CIDs, which are taken from their bytes: a proof is never another token than the one asked for.
#[derive(Clone, Debug, Default)]
pub struct Proofs(BTreeMap<Cid, Signed<Delegation>>);

/// What an invocation is checked against.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// Time, revocations, and issuers that were looked up.
    pub circumstances: Circumstances<'a>,
    /// Who is asked to carry it out, where that is checked.
    pub audience: Option<&'a Did>,
    /// Invocations that were carried out before.
    pub seen: &'a BTreeSet<Cid>,
}

/// The delegations that allow an invocation, root first. Empty where it is about its own issuer.
pub type Path<'a> = Vec<&'a Signed<Delegation>>;

impl Request {
    /// One invocation among delegations.
    ///
    /// # Errors
    /// `MalformedToken` where there is no invocation, or more than one.
    pub fn read(tokens: Vec<Token>) -> Result<Self, TokenError> {
        let mut found = None;
        let mut delegations = Vec::new();
        for token in tokens {
            match token {
                Token::Delegation(delegation) => delegations.push(delegation),
                Token::Invocation(invocation) if found.is_none() => found = Some(invocation),
                Token::Invocation(_) => {
                    return Err(TokenError::malformed(
                        "There is more than one invocation here: which one is meant cannot be told.",
                    ));
                }
            }
        }
        let invocation = found.ok_or_else(|| {
            TokenError::malformed(
                "There is no invocation here: a delegation allows something, and asks for nothing.",
            )
        })?;
        Ok(Self {
            invocation,
            delegations,
        })
    }

    /// The invocation.
    pub fn invocation(&self) -> &Signed<Invocation> {
        &self.invocation
    }

    /// The delegations that came with it, and may be its proofs.
    pub fn delegations(&self) -> &[Signed<Delegation>] {
        &self.delegations
    }

    /// Those of its proofs that are at hand, in its order: none where it needs none, or names more than may be.
    pub fn claimed<'a>(&'a self, others: &'a Proofs) -> Path<'a> {
        let Invocation {
            issuer,
            subject,
            proofs,
            ..
        } = self.invocation.payload();
        if issuer == subject || proofs.len() > MAX_CHAIN_LENGTH {
            return Vec::new();
        }
        let found = proofs.iter().filter_map(|cid| self.find(*cid, others));
        found.collect()
    }

    /// Whoever issued it and those of its proofs that are at hand.
    pub fn issuers<'a>(&'a self, others: &'a Proofs) -> impl Iterator<Item = &'a Did> {
        let claimed = self.claimed(others).into_iter();
        claimed
            .map(|token| &token.payload().issuer)
            .chain([&self.invocation.payload().issuer])
    }

    fn find<'a>(&'a self, cid: Cid, others: &'a Proofs) -> Option<&'a Signed<Delegation>> {
        let own = self.delegations.iter().find(|token| token.cid() == cid);
        own.or_else(|| others.0.get(&cid))
    }

    /// Its proofs, in its order.
    fn proofs<'a>(&'a self, others: &'a Proofs) -> Result<Path<'a>, TokenError> {
        let cids = self.invocation.payload().proofs.iter();
        cids.map(|cid| {
            self.find(*cid, others).ok_or_else(|| {
                let message =
                    format!("The proof {cid} is not here: ask for the token with all its proofs.");
                TokenError::new(TokenErrorName::UnavailableProof, message).about(*cid)
            })
        })
        .collect()
    }
}

impl FromIterator<Signed<Delegation>> for Proofs {
    fn from_iter<I: IntoIterator<Item = Signed<Delegation>>>(tokens: I) -> Self {
        Self(
            tokens
                .into_iter()
                .map(|token| (token.cid(), token))
                .collect(),
        )
    }
}

impl Proofs {
    /// Whoever issued them.
    pub fn issuers(&self) -> impl Iterator<Item = &Did> {
        self.0.values().map(|token| &token.payload().issuer)
    }
}

/// Checks the signatures of many invocations and of their proofs together. [`validate`] then finds them checked. Leaves out what
/// gains nothing in company: whoever brings the dearer algorithms pays for them alone, and who has to be looked up is not known yet.
///
/// # Errors
/// [`TooMuchWork`] where there was no room for all of them.
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

/// Checks an invocation in the order of the specification, and gives the delegations that allow it.
///
/// # Errors
/// In this order, each about the token that broke the rule: `MalformedToken` for more than [`MAX_CHAIN_LENGTH`] proofs;
/// `InvalidSignature`, `Expired`, `InvalidAudience` of the invocation; where its issuer is not its subject, `InvalidClaim`
/// without proofs, `UnavailableProof`, what [`path::verify_path`] finds, `InvalidAudience`, `InvalidSubject`,
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
        return Err(TokenError::new(
            TokenErrorName::Replayed,
            "This invocation has been carried out before: each one is good for one time.",
        )
        .about(token.cid()));
    }
    Ok(path)
}

/// The proofs that an invocation names, of those that came with it, root first; `None` where one is missing or there are too many.
pub(crate) fn own_proofs<'a>(
    request: &'a Request,
    budget: &Budget,
) -> Result<Option<Path<'a>>, TooMuchWork> {
    let proofs = &request.invocation.payload().proofs;
    if proofs.len() > MAX_CHAIN_LENGTH {
        return Ok(None);
    }
    budget.spend(Cost::Steps(
        proofs.len() * (1 + request.delegations.len() / 8),
    ))?;
    let found = proofs.iter().map(|cid| {
        let mut own = request.delegations.iter();
        own.find(|token| token.cid() == *cid)
    });
    Ok(found.collect())
}

/// Whether these proofs lead from the invocation's subject to it, whenever that is, whoever signed them and whatever their policies
/// say: for what cannot be undone, such as a revocation.
///
/// # Errors
/// As [`validate`], for the root and the links; `TooMuchWork`.
pub(crate) fn fits(
    request: &Request,
    path: &[&Signed<Delegation>],
    budget: &Budget,
) -> Result<(), TokenError> {
    path::verify_shape(path, budget)?;
    verify_last_link(&request.invocation, path, budget)
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

/// From the subject to the invocation: its proofs as a chain, the step from the last of them, and every policy.
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
            "{} acts on {} and shows no delegation for it.",
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

/// The last link, from the proofs to the invocation.
fn verify_last_link(
    token: &Signed<Invocation>,
    path: &[&Signed<Delegation>],
    budget: &Budget,
) -> Result<(), TokenError> {
    let invocation = token.payload();
    if let (Some(root), Some(last)) = (path.first(), path.last()) {
        let link = Link {
            cid: token.cid(),
            issuer: &invocation.issuer,
            subject: Some(&invocation.subject),
            command: &invocation.command,
        };
        path::verify_link(last, link, &root.payload().issuer, budget)?;
    }
    Ok(())
}

/// The work is counted over all the policies together.
pub(crate) fn verify_policies(
    path: &[&Signed<Delegation>],
    invocation: &Invocation,
    budget: &Budget,
) -> Result<(), TokenError> {
    let policies = || path.iter().map(|token| (token, &token.payload().policy));
    if policies().all(|(_, policy)| policy.0.is_empty()) {
        return Ok(());
    }
    let args = Ipld::Map(invocation.args.clone());
    for (token, policy) in policies() {
        let mismatch = match policy.check_within(&args, budget) {
            Ok(()) => continue,
            Err(Mismatch::TooMuchWork) => {
                return Err(TokenError::from(TooMuchWork).about(token.cid()));
            }
            Err(mismatch @ Mismatch::Statement(_)) => mismatch,
        };
        let issuer = &token.payload().issuer;
        let error = TokenError::new(
            TokenErrorName::MatchError,
            format!("The arguments are not what {issuer} allows: {mismatch}."),
        )
        .about(token.cid());
        return Err(match mismatch {
            // What was found can be all of the arguments, and is the caller's own.
            Mismatch::Statement(at) => match policy.0.get(at) {
                Some(statement) if statement.takes(&mut { 1_024 }) => {
                    error.with(statement.to_ipld(), Ipld::Null)
                }
                _ => error,
            },
            Mismatch::TooMuchWork => error,
        });
    }
    Ok(())
}
