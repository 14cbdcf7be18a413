//! Finds a chain among delegations in any order. Delegations don't name their proofs and a container is sorted by
//! bytes, so a chain is what fits together. Many delegations between few people have very many paths, so every step is
//! charged.
//!
//! [`Mesh::of`] numbers all names once, so that a step of the search compares numbers, however long the names are.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::codec::cid::Cid;
use crate::error::{TokenError, TokenErrorName, Why};
use crate::identity::ed25519;
use crate::token::delegation::Delegation;
use crate::token::payload::Signed;
use crate::work_budget::{Budget, Cost, TooMuchWork};

/// Most delegations in a chain.
pub const MAX_CHAIN_LENGTH: usize = 64;
const _: () = assert!(MAX_CHAIN_LENGTH < ed25519::SMALL);

/// What a delegation names, by numbers.
struct Named {
    issuer: usize,
    audience: usize,
    subject: Option<usize>,
    command: usize,
}

impl Named {
    fn is_root(&self) -> bool {
        self.subject == Some(self.issuer)
    }

    /// Whether someone passes on to themselves what they have.
    fn is_to_itself(&self) -> bool {
        self.issuer == self.audience && !self.is_root()
    }
}

/// Delegations, and how they fit together.
pub(crate) struct Mesh<'a> {
    delegations: &'a [Signed<Delegation>],
    named: Vec<Named>,
    /// For each command, those below it. Commands are numbered in sorted order, so those with a common start are
    /// adjacent.
    below: Vec<Range<usize>>,
    /// For each person, the delegations to them.
    to: Vec<Vec<usize>>,
}

/// What a search does after looking at a path.
pub(crate) enum Next {
    /// Go on.
    More,
    /// Go on without this one, which no path can use.
    Without(usize),
    /// Stop.
    Stop,
}

impl<'a> Mesh<'a> {
    /// # Errors
    /// [`TooMuchWork`].
    pub(crate) fn of(
        delegations: &'a [Signed<Delegation>],
        budget: &Budget,
    ) -> Result<Self, TooMuchWork> {
        let comparisons = comparisons(delegations.len());
        let mut people: BTreeMap<&str, usize> = BTreeMap::new();
        let mut commands: BTreeMap<&str, usize> = BTreeMap::new();
        let mut named = Vec::with_capacity(delegations.len());
        for token in delegations {
            let token = token.payload();
            let mut person = |name: &'a str| {
                budget.spend(Cost::Compared(name.len() * comparisons))?;
                let next = people.len();
                Ok(*people.entry(name).or_insert(next))
            };
            named.push(Named {
                issuer: person(token.issuer.as_str())?,
                audience: person(token.audience.as_str())?,
                subject: match &token.subject {
                    Some(subject) => Some(person(subject.as_str())?),
                    None => None,
                },
                command: 0,
            });
            // Once to sort it, once to find it, and twice to find those below it.
            let command = token.command.as_str();
            budget.spend(Cost::Compared(command.len() * comparisons * 3))?;
            commands.insert(command, 0);
        }
        for (number, own) in commands.values_mut().enumerate() {
            *own = number;
        }
        for (token, named) in delegations.iter().zip(&mut named) {
            let command = token.payload().command.as_str();
            named.command = commands.get(command).copied().unwrap_or_default();
        }
        let mut to = vec![Vec::new(); people.len()];
        for (at, named) in named.iter().enumerate() {
            if let Some(to) = to.get_mut(named.audience) {
                to.push(at);
            }
        }
        Ok(Self {
            delegations,
            named,
            below: below(&commands.into_keys().collect::<Vec<_>>()),
            to,
        })
    }

    /// The leaf: the one named, or the only delegation that no other continues.
    ///
    /// # Errors
    /// `UnavailableProof` if the named one is missing; `MalformedToken` if there is none or more than one.
    pub(crate) fn leaf(&self, named: Option<Cid>) -> Result<usize, TokenError> {
        if let Some(cid) = named {
            let found = self.delegations.iter().position(|token| token.cid() == cid);
            return found.ok_or_else(|| {
                TokenError::new(TokenErrorName::UnavailableProof, Why::NotAmongThese).about(cid)
            });
        }
        // Who passes something on: to others, or to themselves. A root starts a chain and continues nothing.
        let mut to_others = vec![false; self.to.len()];
        let mut to_themselves = vec![false; self.to.len()];
        for named in self.named.iter().filter(|named| !named.is_root()) {
            let passes_on = match named.is_to_itself() {
                true => &mut to_themselves,
                false => &mut to_others,
            };
            if let Some(passes_on) = passes_on.get_mut(named.issuer) {
                *passes_on = true;
            }
        }
        let is_leaf = |named: &Named| {
            to_others.get(named.audience) == Some(&false)
                && (named.is_to_itself() || to_themselves.get(named.audience) == Some(&false))
        };
        let leaves: Vec<usize> = self.positions(is_leaf).collect();
        match leaves.as_slice() {
            [leaf] => Ok(*leaf),
            [] => Err(TokenError::malformed(if self.delegations.is_empty() {
                Why::NoDelegationHere
            } else {
                Why::Circle
            })),
            // One that nothing leads to is not a second leaf but a broken chain, so report that.
            leaves => {
                let mut loose = leaves.iter().filter(|at| self.is_loose(**at));
                match (loose.next(), loose.next()) {
                    (Some(leaf), None) => Ok(*leaf),
                    _ => Err(TokenError::malformed(Why::SeveralLeaves)),
                }
            }
        }
    }

    /// Whether it isn't a root and nothing leads to it.
    fn is_loose(&self, at: usize) -> bool {
        self.named
            .get(at)
            .is_some_and(|named| !named.is_root() && self.to(named.issuer).is_empty())
    }

    fn to(&self, person: usize) -> &[usize] {
        self.to.get(person).map(Vec::as_slice).unwrap_or_default()
    }

    /// Every delegation that can be above `leaf` in a path, root first as far as that is known, with `leaf` last.
    ///
    /// # Errors
    /// [`TooMuchWork`].
    pub(crate) fn above(&self, leaf: usize, budget: &Budget) -> Result<Vec<usize>, TooMuchWork> {
        let mut is_in = vec![false; self.named.len()];
        let mut found = vec![leaf];
        let mut next = 0;
        while let Some(lower) = found.get(next).and_then(|at| self.named.get(*at)) {
            next += 1;
            let parents = match lower.is_root() {
                true => &[],
                false => self.to(lower.issuer),
            };
            budget.spend(Cost::Steps(1 + parents.len()))?;
            for parent in parents {
                let upper = self.named.get(*parent);
                let covers = upper.is_some_and(|upper| self.covers(upper.command, lower.command));
                if let Some(is_in) = is_in.get_mut(*parent).filter(|is_in| covers && !**is_in) {
                    *is_in = true;
                    found.push(*parent);
                }
            }
        }
        found.reverse();
        Ok(found)
    }

    /// Calls `look` with each path from a root to `leaf`, root first, that fits by principals, subjects and commands.
    ///
    /// # Errors
    /// `TooMuchWork`, or whatever `look` answers.
    pub(crate) fn walk(
        &self,
        leaf: usize,
        budget: &Budget,
        look: impl FnMut(&[usize]) -> Result<Next, TokenError>,
    ) -> Result<(), TokenError> {
        let mut walk = Walk {
            mesh: self,
            budget,
            is_out: vec![false; self.named.len()],
            path: Vec::new(),
            usable: usize::MAX,
            look,
        };
        walk.enter(leaf, None).map(drop)
    }

    /// If no path fits: the closest one, root first, so that its check says what is wrong with it. If that is too long, one
    /// more than a chain may have.
    ///
    /// # Errors
    /// `TooMuchWork`.
    pub(crate) fn closest_path(
        &self,
        leaf: usize,
        budget: &Budget,
    ) -> Result<Vec<usize>, TooMuchWork> {
        let mut path = vec![leaf];
        while path.len() <= MAX_CHAIN_LENGTH {
            let Some(lower) = path.last().and_then(|at| self.named.get(*at)) else {
                break;
            };
            if lower.is_root() {
                break;
            }
            let parents = self.to(lower.issuer);
            budget.spend(Cost::Steps(parents.len() + 1))?;
            let next = parents.iter().copied().find(|at| !path.contains(at));
            let next = match next {
                Some(parent) => Some(parent),
                None => {
                    budget.spend(Cost::Steps(self.named.len()))?;
                    self.root_of(lower, &path)
                }
            };
            match next {
                Some(parent) => path.push(parent),
                None => break,
            }
        }
        path.reverse();
        Ok(path)
    }

    /// A root over the same subject, for a delegation whose issuer was given nothing.
    fn root_of(&self, lower: &Named, path: &[usize]) -> Option<usize> {
        self.positions(|root| {
            root.is_root() && (lower.subject.is_none() || root.subject == lower.subject)
        })
        .find(|at| !path.contains(at))
    }

    fn positions(&self, fits: impl Fn(&Named) -> bool) -> impl Iterator<Item = usize> {
        let named = self.named.iter().enumerate();
        named
            .filter(move |(_, named)| fits(named))
            .map(|(at, _)| at)
    }

    fn covers(&self, upper: usize, lower: usize) -> bool {
        let below = || self.below.get(upper);
        upper == lower || below().is_some_and(|below| below.contains(&lower))
    }
}

pub(crate) fn ambiguous_path() -> TokenError {
    TokenError::malformed(Why::SeveralChains)
}

struct Walk<'m, 'a, F> {
    mesh: &'m Mesh<'a>,
    budget: &'m Budget,
    /// Those on the path, and those that no path can use.
    is_out: Vec<bool>,
    /// Leaf first.
    path: Vec<usize>,
    /// How many of the path are below the first that no path can use.
    usable: usize,
    look: F,
}

impl<F: FnMut(&[usize]) -> Result<Next, TokenError>> Walk<'_, '_, F> {
    /// Adds one to the path and climbs from there. Says whether to go on.
    fn enter(&mut self, token: usize, subject: Option<usize>) -> Result<bool, TokenError> {
        self.path.push(token);
        self.set_out(token, true);
        let goes_on = self.climb(subject)?;
        self.path.pop();
        if self.usable == self.path.len() {
            // It stays excluded.
            self.usable = usize::MAX;
        } else {
            self.set_out(token, false);
        }
        Ok(goes_on)
    }

    /// Climbs from the last of the path. `subject` is the one named below. Says whether to go on.
    fn climb(&mut self, subject: Option<usize>) -> Result<bool, TokenError> {
        let mesh = self.mesh;
        let Some(lower) = self.path.last().and_then(|at| mesh.named.get(*at)) else {
            return Ok(true);
        };
        let subject = match (lower.subject, subject) {
            (Some(own), Some(named)) if own != named => return Ok(true),
            (own, named) => own.or(named),
        };
        if lower.is_root() {
            let path: Vec<usize> = self.path.iter().rev().copied().collect();
            self.budget.spend(Cost::Steps(path.len()))?;
            return Ok(match (self.look)(&path)? {
                Next::More => true,
                Next::Without(token) => {
                    let at = self.path.iter().position(|own| *own == token);
                    self.usable = at.unwrap_or(usize::MAX);
                    true
                }
                Next::Stop => false,
            });
        }
        if self.path.len() == MAX_CHAIN_LENGTH {
            return Ok(true);
        }
        for parent in mesh.to(lower.issuer) {
            self.budget.spend(Cost::Steps(1))?;
            let is_out = self.is_out.get(*parent) != Some(&false);
            let upper = mesh.named.get(*parent).filter(|_| !is_out);
            if upper.is_some_and(|upper| mesh.covers(upper.command, lower.command)) {
                if !self.enter(*parent, subject)? {
                    return Ok(false);
                }
                if self.usable < self.path.len() {
                    return Ok(true);
                }
            }
        }
        Ok(true)
    }

    fn set_out(&mut self, token: usize, is_out: bool) {
        if let Some(own) = self.is_out.get_mut(token) {
            *own = is_out;
        }
    }
}

/// Most comparisons to find one name among `names`.
fn comparisons(names: usize) -> usize {
    names.min(4 * (usize::BITS - names.leading_zeros()) as usize)
}

/// For each command, in sorted order, those below it: they start with it and a slash, so they are adjacent.
fn below(commands: &[&str]) -> Vec<Range<usize>> {
    let range = |command: &&str| {
        if *command == "/" {
            return 0..commands.len();
        }
        let start = format!("{command}/");
        let from = commands.partition_point(|other| *other < start.as_str());
        let rest = commands.get(from..).unwrap_or_default();
        from..from + rest.partition_point(|other| other.starts_with(&start))
    };
    match commands {
        [_] => vec![Range::default()],
        _ => commands.iter().map(range).collect(),
    }
}
