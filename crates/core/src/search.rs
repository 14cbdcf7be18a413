//! Finding a chain among delegations in any order. Delegations name no proofs and a container is sorted by bytes, so the
//! chain is what fits together. The search is bounded: many delegations between few people have very many paths.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

use crate::cid::Cid;
use crate::delegation::Delegation;
use crate::did::Did;
use crate::error::{TokenError, TokenErrorName};
use crate::payload::Signed;

/// Most delegations in a chain.
pub const MAX_CHAIN_LENGTH: usize = 64;

/// Most steps up that are tried.
const MAX_STEPS: usize = 10_000;
/// Most paths that are weighed against each other.
const MAX_PATHS: usize = 64;

/// The leaf: the one named, or the one delegation that no other continues.
///
/// # Errors
/// `UnavailableProof` where the named one is not there; `MalformedToken` where there is none or more than one.
pub(crate) fn leaf(
    delegations: &[Signed<Delegation>],
    named: Option<Cid>,
) -> Result<usize, TokenError> {
    if let Some(cid) = named {
        let found = delegations.iter().position(|token| token.cid() == cid);
        return found.ok_or_else(|| {
            TokenError::new(
                TokenErrorName::UnavailableProof,
                "The token that was asked for is not among these.",
            )
            .about(cid)
        });
    }
    // Who passes something on. A root starts anew and continues nothing.
    let continuing: BTreeSet<&str> = delegations
        .iter()
        .map(Signed::payload)
        .filter(|token| !token.is_root())
        .map(|token| token.issuer.as_str())
        .collect();
    let is_leaf =
        |token: &Signed<Delegation>| !continuing.contains(token.payload().audience.as_str());
    let leaves: Vec<usize> = positions(delegations, is_leaf).collect();
    match leaves.as_slice() {
        [leaf] => Ok(*leaf),
        [] => Err(TokenError::malformed(if delegations.is_empty() {
            "There is no delegation here."
        } else {
            "These delegations go in a circle: none of them is the last. Say which one is meant, by its CID."
        })),
        // One that hangs in the air is no second leaf but a broken chain, and that is what to say.
        leaves => match loose(delegations, leaves).as_slice() {
            [leaf] => Ok(*leaf),
            _ => Err(TokenError::malformed(
                "There is more than one last delegation here. Say which one is meant, by its CID.",
            )),
        },
    }
}

/// Those of `leaves` that are no root and that nothing leads to.
fn loose(delegations: &[Signed<Delegation>], leaves: &[usize]) -> Vec<usize> {
    let is_loose = |at: &&usize| {
        delegations.get(**at).is_some_and(|leaf| {
            let issuer = &leaf.payload().issuer;
            !leaf.payload().is_root()
                && !delegations
                    .iter()
                    .any(|token| token.payload().audience == *issuer)
        })
    };
    leaves.iter().filter(is_loose).copied().collect()
}

/// The paths from a root to `leaf`, root first, that fit together by principals, subjects and commands.
///
/// # Errors
/// `MalformedToken` where there are too many to look through.
pub(crate) fn paths(
    delegations: &[Signed<Delegation>],
    leaf: usize,
) -> Result<Vec<Vec<usize>>, TokenError> {
    let mut search = Search {
        delegations,
        by_audience: by_audience(delegations),
        steps_left: MAX_STEPS,
        found: Vec::new(),
    };
    search.climb(&mut vec![leaf], None)?;
    Ok(search.found)
}

pub(crate) fn ambiguous_path() -> TokenError {
    TokenError::malformed(
        "There is more than one chain to the last delegation here: which limits hold cannot be told.",
    )
}

struct Search<'a> {
    delegations: &'a [Signed<Delegation>],
    by_audience: BTreeMap<&'a str, Vec<usize>>,
    steps_left: usize,
    found: Vec<Vec<usize>>,
}

impl<'a> Search<'a> {
    /// Goes up from the last of `path`, which is leaf first. `subject` is the one that was named below.
    fn climb(&mut self, path: &mut Vec<usize>, subject: Option<&'a Did>) -> Result<(), TokenError> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or_else(ambiguous_path)?;
        let Some(lower) = path.last().and_then(|at| self.delegations.get(*at)) else {
            return Ok(());
        };
        let lower = lower.payload();
        let subject = match (&lower.subject, subject) {
            (Some(own), Some(named)) if own != named => return Ok(()),
            (own, named) => own.as_ref().or(named),
        };
        if lower.is_root() {
            if self.found.len() == MAX_PATHS {
                return Err(ambiguous_path());
            }
            self.found.push(path.iter().rev().copied().collect());
            return Ok(());
        }
        if path.len() == MAX_CHAIN_LENGTH {
            return Ok(());
        }
        let parents = self.by_audience.get(lower.issuer.as_str());
        for parent in parents.cloned().unwrap_or_default() {
            let covers = self
                .delegations
                .get(parent)
                .is_some_and(|token| token.payload().command.covers(&lower.command));
            if covers && !path.contains(&parent) {
                path.push(parent);
                self.climb(path, subject)?;
                path.pop();
            }
        }
        Ok(())
    }
}

/// Where no path fits: the one that comes closest, root first, so that its check says what is wrong with it.
pub(crate) fn closest_path(delegations: &[Signed<Delegation>], leaf: usize) -> Vec<usize> {
    let by_audience = by_audience(delegations);
    let mut path = vec![leaf];
    while path.len() < MAX_CHAIN_LENGTH {
        let Some(lower) = path.last().and_then(|at| delegations.get(*at)) else {
            break;
        };
        if lower.payload().is_root() {
            break;
        }
        let parents = by_audience.get(lower.payload().issuer.as_str());
        let next = parents
            .into_iter()
            .flatten()
            .copied()
            .find(|at| !path.contains(at))
            .or_else(|| root_of(delegations, lower.payload(), &path));
        match next {
            Some(parent) => path.push(parent),
            None => break,
        }
    }
    path.reverse();
    path
}

/// A root over the same subject, for a delegation whose issuer was given nothing.
fn root_of(
    delegations: &[Signed<Delegation>],
    lower: &Delegation,
    path: &[usize],
) -> Option<usize> {
    positions(delegations, |token| {
        let root = token.payload();
        root.is_root() && (lower.subject.is_none() || root.subject == lower.subject)
    })
    .find(|at| !path.contains(at))
}

fn by_audience(delegations: &[Signed<Delegation>]) -> BTreeMap<&str, Vec<usize>> {
    let mut map: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, token) in delegations.iter().enumerate() {
        map.entry(token.payload().audience.as_str())
            .or_default()
            .push(at);
    }
    map
}

fn positions(
    delegations: &[Signed<Delegation>],
    fits: impl Fn(&Signed<Delegation>) -> bool,
) -> impl Iterator<Item = usize> {
    delegations
        .iter()
        .enumerate()
        .filter(move |(_, token)| fits(token))
        .map(|(at, _)| at)
}
