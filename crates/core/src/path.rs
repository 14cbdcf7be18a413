//! The rules of a path of delegations, from a root down: each one alone, the root, and the links (UCAN 1.0.0, "Validation").

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;

use crate::budget::{Budget, Cost};
use crate::cid::Cid;
use crate::command::Command;
use crate::delegation::Delegation;
use crate::did::Did;
use crate::did_document::Documents;
use crate::error::{TokenError, TokenErrorName, shortened};
use crate::payload::Signed;
use crate::revocation::{Effect, Revocation};
use crate::search::MAX_CHAIN_LENGTH;
use crate::signatures;
use crate::time::Clock;

/// What a chain is checked against.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// The moment, and the skew.
    pub clock: Clock,
    /// Tokens that are revoked; the caller has checked by whom.
    pub revoked: &'a BTreeSet<Cid>,
    /// Revocations, of which those take effect that somebody entitled by the chain at hand has made.
    pub revocations: &'a [Revocation],
    /// Issuers that were looked up.
    pub documents: &'a Documents,
}

impl Circumstances<'_> {
    /// This moment, with nothing revoked and nobody looked up.
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

/// When a chain must hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timing {
    /// Now.
    Now,
    /// Now, or from a later moment on.
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

/// The root, and each link.
///
/// # Errors
/// As [`verify_path`], for these.
pub(crate) fn verify_shape(
    path: &[&Signed<Delegation>],
    budget: &Budget,
) -> Result<(), TokenError> {
    let mut above = root_of(path)?;
    let subject = verify_root(above)?;
    for token in path.iter().skip(1) {
        verify_link(above, Link::of(token), subject, budget)?;
        above = token;
    }
    Ok(())
}

/// The first of a path; `InvalidClaim` where there is none.
fn root_of<'a>(path: &[&'a Signed<Delegation>]) -> Result<&'a Signed<Delegation>, TokenError> {
    path.first().copied().ok_or_else(|| {
        TokenError::new(
            TokenErrorName::InvalidClaim,
            "There is no proof of the authority.",
        )
    })
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
        let what = format!("starts at {seconds} (seconds since 1970) and not before.");
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
                "Whether the delegation from {issuer} to {audience} has been revoked cannot be told: somebody who may revoke it seems to have, and that cannot be checked."
            ),
        ),
        Effect::Revokes => (
            TokenErrorName::Revoked,
            format!("The delegation from {issuer} to {audience} has been revoked."),
        ),
    };
    Err(TokenError::new(name, message).about(token.cid()))
}

/// The root's issuer is its subject. Gives the subject.
fn verify_root(root: &Signed<Delegation>) -> Result<&Did, TokenError> {
    let Delegation {
        issuer, subject, ..
    } = root.payload();
    match subject {
        None => Err(TokenError::new(
            TokenErrorName::InvalidClaim,
            "The first delegation names no subject: a chain cannot start with a powerline.",
        )
        .about(root.cid())),
        Some(subject) if subject == issuer => Ok(subject),
        Some(subject) => Err(TokenError::new(
            TokenErrorName::InvalidSubject,
            format!(
                "The first delegation is about {subject} but issued by {issuer}: the subject itself has delegated nothing here."
            ),
        )
        .about(root.cid())
        .with(issuer.as_str(), subject.as_str())),
    }
}

/// What continues a delegation: another one, or an invocation.
pub(crate) struct Link<'a> {
    pub(crate) cid: Cid,
    pub(crate) issuer: &'a Did,
    pub(crate) subject: Option<&'a Did>,
    pub(crate) command: &'a Command,
}

impl<'a> Link<'a> {
    pub(crate) fn of(token: &'a Signed<Delegation>) -> Self {
        let payload = token.payload();
        Self {
            cid: token.cid(),
            issuer: &payload.issuer,
            subject: payload.subject.as_ref(),
            command: &payload.command,
        }
    }
}

/// `below` continues `above`, in a chain about `subject`.
pub(crate) fn verify_link(
    above: &Signed<Delegation>,
    below: Link<'_>,
    subject: &Did,
    budget: &Budget,
) -> Result<(), TokenError> {
    let upper = above.payload();
    budget.spend(Cost::Steps(2))?;
    budget.spend(Cost::Compared(upper.command.as_str().len()))?;
    budget.spend(Cost::Compared(
        upper.audience.as_str().len() + subject.as_str().len(),
    ))?;
    let Link {
        cid,
        issuer,
        command,
        ..
    } = below;
    let refused = |name, message: String, expected: &str, found: &str| {
        Err(TokenError::new(name, message)
            .about(cid)
            .with(&*shortened(expected), &*shortened(found)))
    };
    if upper.audience != *issuer {
        return refused(
            TokenErrorName::InvalidAudience,
            format!(
                "{issuer} uses what was delegated to {}, not to it.",
                upper.audience
            ),
            upper.audience.as_str(),
            issuer.as_str(),
        );
    }
    if let Some(other) = below.subject.filter(|other| *other != subject) {
        return refused(
            TokenErrorName::InvalidSubject,
            format!("{issuer} was delegated authority over {subject}, and uses it over {other}."),
            subject.as_str(),
            other.as_str(),
        );
    }
    if !upper.command.covers(command) {
        return refused(
            TokenErrorName::InvalidCommand,
            format!(
                "The command {} is not covered by {}, which is what {issuer} was delegated.",
                shortened(command.as_str()),
                shortened(upper.command.as_str())
            ),
            upper.command.as_str(),
            command.as_str(),
        );
    }
    Ok(())
}
