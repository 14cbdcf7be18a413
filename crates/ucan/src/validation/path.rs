//! The rules of a path of delegations, from a root down: each one alone, the root, and the links (UCAN 1.0.0, "Validation").

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;

use crate::codec::cid::Cid;
use crate::error::{TokenError, TokenErrorName};
use crate::identity::did_document::Documents;
use crate::time::Clock;
use crate::token::delegation::Delegation;
use crate::token::payload::Signed;
use crate::token::signatures;
use crate::validation::chain_search::MAX_CHAIN_LENGTH;
use crate::validation::links::{root_of, verify_shape};
use crate::validation::revocation::{Effect, Revocation};
use crate::work_budget::{Budget, Cost};

/// What a chain is checked against.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// The time, and the skew.
    pub clock: Clock,
    /// Tokens that are revoked; the caller has checked who revoked them.
    pub revoked: &'a BTreeSet<Cid>,
    /// Revocations. One takes effect if its issuer is entitled by the chain that is being checked.
    pub revocations: &'a [Revocation],
    /// Issuers that were looked up.
    pub documents: &'a Documents,
}

impl Circumstances<'_> {
    /// This time, with nothing revoked and no DID looked up.
    pub fn at(clock: Clock) -> Self {
        static NONE: BTreeSet<Cid> = BTreeSet::new();
        Self {
            clock,
            revoked: &NONE,
            revocations: &[],
            documents: Documents::NONE,
        }
    }
}

/// When a chain must be valid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timing {
    /// Now.
    Now,
    /// Now, or from a later time on.
    NowOrLater,
    /// At any time: for what cannot be undone.
    Whenever,
}

/// Checks delegations as a chain, root first, in the order of the specification: each one's signature, time and
/// revocation; then the root; then each link.
///
/// # Errors
/// `InvalidClaim` for no delegation or a root without a subject; `MalformedToken` past [`MAX_CHAIN_LENGTH`];
/// `InvalidSignature`, `Expired`, `TooEarly`, `Revoked`, `InvalidSubject`, `InvalidAudience`, `InvalidCommand`, each about
/// the token that broke the rule.
pub(crate) fn verify_path(
    path: &[&Signed<Delegation>],
    circumstances: Circumstances<'_>,
    timing: Timing,
    budget: &Budget,
) -> Result<(), TokenError> {
    root_of(path)?;
    if path.len() > MAX_CHAIN_LENGTH {
        return Err(TokenError::malformed(format!(
            "This chain has more than {MAX_CHAIN_LENGTH} delegations."
        )));
    }
    // Signatures that were checked before cost nothing, but looking for them does.
    budget.spend(Cost::Steps(10 * path.len()))?;
    signatures::check(
        path.iter().map(|token| token.signed_by()),
        circumstances.documents,
        budget,
    )?;
    for (at, token) in path.iter().enumerate() {
        token.verify_signature_within(circumstances.documents, budget)?;
        verify_time(token, circumstances.clock, timing)?;
        let up_to_it = path.get(..=at).unwrap_or_default();
        verify_not_revoked(token, up_to_it, circumstances, budget)?;
    }
    verify_shape(path, budget)
}

fn verify_time(token: &Signed<Delegation>, clock: Clock, timing: Timing) -> Result<(), TokenError> {
    let Delegation {
        issuer,
        audience,
        expires_at,
        not_before,
        ..
    } = token.payload();
    let refused = |name, moment: i64, what: String| {
        let message = format!("The delegation from {issuer} to {audience} {what}");
        Err(TokenError::new(name, message)
            .about(token.cid())
            .with(moment, clock.now))
    };
    if timing == Timing::Whenever {
        return Ok(());
    }
    if let Some(seconds) = expires_at.filter(|seconds| clock.is_after(*seconds)) {
        let what = format!("expired at {seconds} (seconds since 1970).");
        return refused(TokenErrorName::Expired, seconds, what);
    }
    let is_early = |seconds: &i64| timing == Timing::Now && clock.is_before(*seconds);
    if let Some(seconds) = not_before.filter(is_early) {
        let what = format!("starts only at {seconds} (seconds since 1970).");
        return refused(TokenErrorName::TooEarly, seconds, what);
    }
    Ok(())
}

/// `path` goes from the root to the token.
fn verify_not_revoked(
    token: &Signed<Delegation>,
    path: &[&Signed<Delegation>],
    circumstances: Circumstances<'_>,
    budget: &Budget,
) -> Result<(), TokenError> {
    budget.spend(Cost::Steps(circumstances.revocations.len()))?;
    let mut effect = match circumstances.revoked.contains(&token.cid()) {
        true => Effect::Revokes,
        false => Effect::None,
    };
    for revocation in circumstances.revocations {
        if effect != Effect::Revokes {
            effect = effect.max(revocation.effect_on(path, circumstances.documents, budget)?);
        }
    }
    let Delegation {
        issuer, audience, ..
    } = token.payload();
    let (name, message) = match effect {
        Effect::None => return Ok(()),
        Effect::Unknown => (
            TokenErrorName::RevocationUnknown,
            format!(
                "The delegation from {issuer} to {audience} may have been revoked by someone entitled to, but that cannot be checked."
            ),
        ),
        Effect::Revokes => (
            TokenErrorName::Revoked,
            format!("The delegation from {issuer} to {audience} has been revoked."),
        ),
    };
    Err(TokenError::new(name, message).about(token.cid()))
}
