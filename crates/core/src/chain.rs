//! Chains of delegations: from the owner of a resource to whoever holds the last token (UCAN 1.0.0, "Validation").
//!
//! How the enclave calls it: [`verify`] with the delegations of a token's text, the leaf's CID where the caller names one,
//! the clock, and the CIDs that the caller knows to be revoked. What comes back has been checked in every respect, and
//! gives its tokens root first, its subject and its [`Effective`] limits.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::cid::Cid;
use crate::command::Command;
use crate::container;
use crate::delegation::Delegation;
use crate::did::Did;
use crate::did_document::Documents;
use crate::error::{TokenError, TokenErrorName};
use crate::payload::Signed;
use crate::policy::Policy;
use crate::revocation::Revocation;
use crate::time::Clock;
use crate::{search, signatures};

pub use crate::search::MAX_CHAIN_LENGTH;

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

/// Delegations that have been checked, root first. Never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    root: Signed<Delegation>,
    rest: Vec<Signed<Delegation>>,
}

/// What the holder of a chain's last token may really do: every limit along the chain holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Effective {
    /// The leaf's command, which every other covers.
    pub command: Command,
    /// Every statement of every policy, each once.
    pub policy: Policy,
    /// The latest start.
    pub not_before: Option<i64>,
    /// The earliest expiry; `None` for never.
    pub expires_at: Option<i64>,
}

/// Finds the leaf and the one valid chain to it among delegations in any order, and checks it. Others may be among them;
/// an expired or forged duplicate of a link does no harm.
///
/// # Errors
/// `MalformedToken` where there is no delegation, or more than one leaf or valid chain; `UnavailableProof` where `leaf` is
/// not among them; otherwise as [`verify_path`], about the chain that comes closest.
pub fn verify(
    delegations: Vec<Signed<Delegation>>,
    leaf: Option<Cid>,
    circumstances: Circumstances<'_>,
) -> Result<Chain, TokenError> {
    verify_for(delegations, leaf, circumstances, Timing::Now)
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

/// [`verify`], with a choice about time.
pub(crate) fn verify_for(
    delegations: Vec<Signed<Delegation>>,
    leaf: Option<Cid>,
    circumstances: Circumstances<'_>,
    timing: Timing,
) -> Result<Chain, TokenError> {
    let path = find_path(&delegations, leaf, circumstances, timing)?;
    let mut tokens: Vec<_> = delegations.into_iter().map(Some).collect();
    let mut taken = path
        .iter()
        .filter_map(|at| tokens.get_mut(*at).and_then(Option::take));
    match taken.next() {
        Some(root) => Ok(Chain {
            root,
            rest: taken.collect(),
        }),
        None => Err(TokenError::malformed("There is no delegation here.")),
    }
}

fn find_path(
    delegations: &[Signed<Delegation>],
    leaf: Option<Cid>,
    circumstances: Circumstances<'_>,
    timing: Timing,
) -> Result<Vec<usize>, TokenError> {
    let check = |path: &[usize]| {
        let tokens: Vec<_> = path.iter().filter_map(|at| delegations.get(*at)).collect();
        check_path(&tokens, circumstances, timing)
    };
    let leaf = search::leaf(delegations, leaf)?;
    let mut paths = search::paths(delegations, leaf)?;
    if paths.is_empty() {
        let closest = search::closest_path(delegations, leaf);
        check(&closest)?;
        return Ok(closest);
    }
    if let [path] = paths.as_slice() {
        check(path)?;
        return Ok(paths.remove(0));
    }
    let mut first_error = None;
    let mut valid = None;
    for path in paths {
        match check(&path) {
            Err(error) => first_error = first_error.or(Some(error)),
            Ok(()) if valid.is_some() => return Err(search::ambiguous_path()),
            Ok(()) => valid = Some(path),
        }
    }
    valid.ok_or_else(|| first_error.unwrap_or_else(search::ambiguous_path))
}

/// The delegations from a root to the one of this CID, root first, without checking anything of them. Where there are several
/// ways, the first.
///
/// # Errors
/// `UnavailableProof` where it is not among them.
pub fn trace(
    delegations: Vec<Signed<Delegation>>,
    leaf: Cid,
) -> Result<Vec<Signed<Delegation>>, TokenError> {
    let at = search::leaf(&delegations, Some(leaf))?;
    let mut paths = search::paths(&delegations, at)?;
    let path = match paths.is_empty() {
        true => search::closest_path(&delegations, at),
        false => paths.swap_remove(0),
    };
    let mut tokens: Vec<_> = delegations.into_iter().map(Some).collect();
    let taken = path
        .iter()
        .filter_map(|at| tokens.get_mut(*at).and_then(Option::take));
    Ok(taken.collect())
}

/// Checks delegations as a chain, root first, in the order of the specification: each one's signature, time and
/// revocation; then the root; then each link.
///
/// # Errors
/// `InvalidClaim` for no delegation or a root without a subject; `MalformedToken` past [`MAX_CHAIN_LENGTH`];
/// `InvalidSignature`, `Expired`, `TooEarly`, `Revoked`, `InvalidSubject`, `InvalidAudience`, `InvalidCommand`, each about
/// the token that broke the rule.
pub fn verify_path(
    path: &[&Signed<Delegation>],
    circumstances: Circumstances<'_>,
) -> Result<(), TokenError> {
    check_path(path, circumstances, Timing::Now)
}

pub(crate) fn check_path(
    path: &[&Signed<Delegation>],
    circumstances: Circumstances<'_>,
    timing: Timing,
) -> Result<(), TokenError> {
    let Some((root, rest)) = path.split_first() else {
        return Err(TokenError::new(
            TokenErrorName::InvalidClaim,
            "There is no proof of the authority.",
        ));
    };
    if path.len() > MAX_CHAIN_LENGTH {
        return Err(TokenError::malformed(format!(
            "This chain has more than {MAX_CHAIN_LENGTH} delegations."
        )));
    }
    signatures::check(
        path.iter().map(|token| token.signed_by()),
        circumstances.documents,
    );
    for (at, token) in path.iter().enumerate() {
        token.verify_signature_with(circumstances.documents)?;
        verify_time(token, circumstances.clock, timing)?;
        let up_to_it = path.get(..=at).unwrap_or_default();
        verify_not_revoked(token, up_to_it, circumstances)?;
    }
    let subject = verify_root(root)?;
    let mut above = root;
    for token in rest {
        verify_link(above, Link::of(token), subject)?;
        above = token;
    }
    Ok(())
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
) -> Result<(), TokenError> {
    let is_revoked = circumstances.revoked.contains(&token.cid())
        || circumstances
            .revocations
            .iter()
            .any(|revocation| revocation.takes_effect_on(path, circumstances.documents));
    if !is_revoked {
        return Ok(());
    }
    let Delegation {
        issuer, audience, ..
    } = token.payload();
    let message = format!("The delegation from {issuer} to {audience} has been revoked.");
    Err(TokenError::new(TokenErrorName::Revoked, message).about(token.cid()))
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
    fn of(token: &'a Signed<Delegation>) -> Self {
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
) -> Result<(), TokenError> {
    let upper = above.payload();
    let Link {
        cid,
        issuer,
        command,
        ..
    } = below;
    let refused = |name, message: String, expected: &str, found: &str| {
        Err(TokenError::new(name, message)
            .about(cid)
            .with(expected, found))
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
                "The command {command} is not covered by {}, which is what {issuer} was delegated.",
                upper.command
            ),
            upper.command.as_str(),
            command.as_str(),
        );
    }
    Ok(())
}

impl Chain {
    /// A chain of one: a root that was just issued.
    ///
    /// # Errors
    /// As [`verify_path`].
    pub fn of_root(
        root: Signed<Delegation>,
        circumstances: Circumstances<'_>,
    ) -> Result<Self, TokenError> {
        verify_path(&[&root], circumstances)?;
        Ok(Self {
            root,
            rest: Vec::new(),
        })
    }

    /// The chain with one more delegation, just issued, at its end.
    ///
    /// # Errors
    /// As [`verify_path`], for the length and the new link.
    pub(crate) fn extended(mut self, leaf: Signed<Delegation>) -> Result<Self, TokenError> {
        if self.tokens().count() >= MAX_CHAIN_LENGTH {
            return Err(TokenError::malformed(format!(
                "This chain has {MAX_CHAIN_LENGTH} delegations, the most a chain may have."
            )));
        }
        verify_link(self.leaf(), Link::of(&leaf), self.subject())?;
        self.rest.push(leaf);
        Ok(self)
    }

    /// The delegations, root first.
    pub fn tokens(&self) -> impl Iterator<Item = &Signed<Delegation>> {
        core::iter::once(&self.root).chain(&self.rest)
    }

    /// The last one.
    pub fn leaf(&self) -> &Signed<Delegation> {
        self.rest.last().unwrap_or(&self.root)
    }

    /// Whose resource it is about: the root's issuer.
    pub fn subject(&self) -> &Did {
        &self.root.payload().issuer
    }

    /// What the leaf's audience may really do.
    pub fn effective(&self) -> Effective {
        Effective {
            command: self.leaf().payload().command.clone(),
            policy: Policy::union(self.tokens().map(|token| &token.payload().policy)),
            not_before: self
                .tokens()
                .filter_map(|token| token.payload().not_before)
                .max(),
            expires_at: self
                .tokens()
                .filter_map(|token| token.payload().expires_at)
                .min(),
        }
    }

    /// The text in which the leaf travels with all its proofs.
    pub fn to_text(&self) -> String {
        container::write(self.tokens().map(Signed::bytes))
    }
}
