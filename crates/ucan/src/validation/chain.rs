//! Chains of delegations, from the owner of a resource to the holder of the last token (UCAN 1.0.0, "Validation").
//!
//! The enclave calls [`verify`] with the delegations of a token's text, the leaf's CID if the caller names one, and the
//! circumstances: the clock, revocations, and issuers that were looked up. The result is fully checked and gives its
//! tokens root first, its subject and its [`Effective`] limits.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::codec::cid::Cid;
use crate::error::{TokenError, TokenErrorName, Why};
use crate::identity::did::Did;
use crate::policy::statement::Policy;
use crate::token::command::Command;
use crate::token::container;
use crate::token::delegation::Delegation;
use crate::token::payload::Signed;
use crate::validation::chain_search::{self, Mesh, Next};
use crate::validation::links::{Link, verify_link};
use crate::validation::path::{Timing, verify_path};
use crate::work_budget::{Budget, Cost, TooMuchWork};

pub use crate::validation::chain_search::MAX_CHAIN_LENGTH;
pub use crate::validation::path::Circumstances;

/// Delegations that have been checked, root first. Never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    root: Signed<Delegation>,
    rest: Vec<Signed<Delegation>>,
}

/// What it costs to tell what is wrong with a path, in steps: DIDs are written, and long ones are cut.
const REFUSAL: usize = 60;

/// What the holder of a chain's last token may really do: every limit along the chain applies.
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

/// Finds the leaf and the one valid chain to it among delegations in any order, and checks it. Unrelated ones may be
/// among them, and an expired or forged duplicate of a link does no harm.
///
/// # Errors
/// `MalformedToken` if there is no delegation, or more than one leaf or valid chain; `UnavailableProof` if `leaf` is
/// not among them; otherwise the rule that the closest chain breaks.
pub fn verify(
    delegations: Vec<Signed<Delegation>>,
    leaf: Option<Cid>,
    circumstances: Circumstances<'_>,
) -> Result<Chain, TokenError> {
    verify_within(delegations, leaf, circumstances, &Budget::new())
}

/// [`verify`], on a budget.
///
/// # Errors
/// As [`verify`]; `TooMuchWork`.
pub fn verify_within(
    delegations: Vec<Signed<Delegation>>,
    leaf: Option<Cid>,
    circumstances: Circumstances<'_>,
    budget: &Budget,
) -> Result<Chain, TokenError> {
    verify_for(delegations, leaf, circumstances, Timing::Now, budget)
}

/// [`verify`], with a choice about time.
pub(crate) fn verify_for(
    delegations: Vec<Signed<Delegation>>,
    leaf: Option<Cid>,
    circumstances: Circumstances<'_>,
    timing: Timing,
    budget: &Budget,
) -> Result<Chain, TokenError> {
    let path = find_path(&delegations, leaf, circumstances, timing, budget)?;
    let mut taken = take(delegations, &path);
    match taken.next() {
        Some(root) => Ok(Chain {
            root,
            rest: taken.collect(),
        }),
        None => Err(TokenError::malformed(Why::NoDelegationHere)),
    }
}

fn find_path(
    delegations: &[Signed<Delegation>],
    leaf: Option<Cid>,
    circumstances: Circumstances<'_>,
    timing: Timing,
    budget: &Budget,
) -> Result<Vec<usize>, TokenError> {
    let check = |path: &[usize]| {
        let tokens: Vec<_> = path.iter().filter_map(|at| delegations.get(*at)).collect();
        verify_path(&tokens, circumstances, timing, budget)
    };
    let mesh = Mesh::of(delegations, budget)?;
    let leaf = mesh.leaf(leaf)?;
    let mut first_error: Option<TokenError> = None;
    let mut valid: Option<Vec<usize>> = None;
    mesh.walk(leaf, budget, |path| match check(path) {
        Err(error) if error.name == TokenErrorName::TooMuchWork => Err(error),
        Err(error) => {
            // Telling a refusal, and finding the token that it is about.
            budget.spend(Cost::Steps(REFUSAL + path.len()))?;
            let broken = path.iter().find_map(|at| {
                let token = delegations.get(*at)?;
                (Some(token.cid()) == error.cid).then_some((*at, token))
            });
            let next = match broken {
                Some((at, token)) if is_in_every_path(&error, token, circumstances, budget)? => {
                    Next::Without(at)
                }
                _ => Next::More,
            };
            first_error.get_or_insert(error);
            Ok(next)
        }
        Ok(()) if valid.is_some() => Err(chain_search::ambiguous_path()),
        Ok(()) => {
            valid = Some(path.to_vec());
            Ok(Next::More)
        }
    })?;
    match (valid, first_error) {
        (Some(path), _) => Ok(path),
        (None, Some(error)) => Err(error),
        (None, None) => {
            let closest = mesh.closest_path(leaf, budget)?;
            check(&closest)?;
            Ok(closest)
        }
    }
}

/// The delegations that can be part of a chain to the leaf, so that only their issuers are looked up: roots first, as
/// far as that is known. None if there is no leaf.
///
/// # Errors
/// `TooMuchWork`.
pub fn claimed<'a>(
    delegations: &'a [Signed<Delegation>],
    leaf: Option<Cid>,
    budget: &Budget,
) -> Result<Vec<&'a Signed<Delegation>>, TokenError> {
    let mesh = Mesh::of(delegations, budget)?;
    let Ok(leaf) = mesh.leaf(leaf) else {
        return Ok(Vec::new());
    };
    let above = mesh.above(leaf, budget)?;
    Ok(above.iter().filter_map(|at| delegations.get(*at)).collect())
}

/// Whether what is wrong with this token is wrong in every path.
///
/// # Errors
/// [`TooMuchWork`].
fn is_in_every_path(
    error: &TokenError,
    token: &Signed<Delegation>,
    circumstances: Circumstances<'_>,
    budget: &Budget,
) -> Result<bool, TooMuchWork> {
    match error.name {
        TokenErrorName::InvalidSignature | TokenErrorName::Expired | TokenErrorName::TooEarly => {
            Ok(true)
        }
        TokenErrorName::Revoked if circumstances.revoked.contains(&token.cid()) => Ok(true),
        TokenErrorName::Revoked => {
            budget.spend(Cost::Steps(circumstances.revocations.len()))?;
            for revocation in circumstances.revocations {
                if revocation.always_revokes(token, circumstances.documents, budget)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        _ => Ok(false),
    }
}

fn take(
    delegations: Vec<Signed<Delegation>>,
    path: &[usize],
) -> impl Iterator<Item = Signed<Delegation>> {
    let mut tokens: Vec<_> = delegations.into_iter().map(Some).collect();
    path.iter()
        .filter_map(move |at| tokens.get_mut(*at).and_then(Option::take))
}

/// The delegations from a root to the one with this CID, root first and unchecked. If there are several paths, the
/// first.
///
/// # Errors
/// `UnavailableProof` if it is not among them; `TooMuchWork`.
pub fn trace(
    delegations: Vec<Signed<Delegation>>,
    leaf: Cid,
    budget: &Budget,
) -> Result<Vec<Signed<Delegation>>, TokenError> {
    let mesh = Mesh::of(&delegations, budget)?;
    let at = mesh.leaf(Some(leaf))?;
    let mut first = None;
    mesh.walk(at, budget, |path| {
        first = Some(path.to_vec());
        Ok(Next::Stop)
    })?;
    let path = match first {
        Some(path) => path,
        None => mesh.closest_path(at, budget)?,
    };
    Ok(take(delegations, &path).collect())
}

impl Chain {
    /// The chain with a newly issued delegation at its end.
    ///
    /// # Errors
    /// As [`verify_path`], for the length and the new link; `TooMuchWork`.
    pub(crate) fn extended(
        mut self,
        leaf: Signed<Delegation>,
        budget: &Budget,
    ) -> Result<Self, TokenError> {
        if self.tokens().count() >= MAX_CHAIN_LENGTH {
            return Err(TokenError::malformed(format!(
                "This chain has {MAX_CHAIN_LENGTH} delegations, the most a chain may have."
            )));
        }
        verify_link(self.leaf(), Link::of(&leaf), self.subject(), budget)?;
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
            not_before: self.not_before(),
            expires_at: self.expires_at(),
        }
    }

    /// The latest start of its tokens.
    pub fn not_before(&self) -> Option<i64> {
        let starts = self.tokens().filter_map(|token| token.payload().not_before);
        starts.max()
    }

    /// The earliest expiry of its tokens; `None` for never.
    pub fn expires_at(&self) -> Option<i64> {
        let ends = self.tokens().filter_map(|token| token.payload().expires_at);
        ends.min()
    }

    /// The text that carries the leaf with all its proofs.
    pub fn to_text(&self) -> String {
        container::write(self.tokens().map(Signed::bytes))
    }

    /// [`Chain::to_text`], on a budget.
    ///
    /// # Errors
    /// [`TooMuchWork`].
    pub fn to_text_within(&self, budget: &Budget) -> Result<String, TooMuchWork> {
        let length = self.tokens().map(|token| token.bytes().len()).sum();
        budget.spend(Cost::Packed(length))?;
        Ok(self.to_text())
    }
}
