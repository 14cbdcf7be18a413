//! An invocation with its delegations, and the rules between them that don't depend on time or revocations. A
//! revocation is an invocation too, and is checked by these rules.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use ipld_core::ipld::Ipld;

use crate::codec::cid::Cid;
use crate::error::{TokenError, TokenErrorName, Why};
use crate::identity::did::Did;
use crate::policy::evaluate::Mismatch;
use crate::token::delegation::Delegation;
use crate::token::invocation::Invocation;
use crate::token::payload::Signed;
use crate::token::read::Token;
use crate::validation::chain_search::MAX_CHAIN_LENGTH;
use crate::validation::links::{self, Link};
use crate::work_budget::{Budget, Cost, TooMuchWork};

/// An invocation as it came, with its delegations.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub(crate) invocation: Signed<Invocation>,
    pub(crate) delegations: Vec<Signed<Delegation>>,
}

/// Delegations by CID, computed from their bytes: a proof is always the token that was asked for.
#[derive(Clone, Debug, Default)]
pub struct Proofs(BTreeMap<Cid, Signed<Delegation>>);

/// The delegations that allow an invocation, root first. Empty if its issuer is its subject.
pub type Path<'a> = Vec<&'a Signed<Delegation>>;

impl Request {
    /// Takes one invocation and its delegations from tokens.
    ///
    /// # Errors
    /// `MalformedToken` if there is no invocation, or more than one.
    pub fn read(tokens: Vec<Token>) -> Result<Self, TokenError> {
        let mut found = None;
        let mut delegations = Vec::new();
        for token in tokens {
            match token {
                Token::Delegation(delegation) => delegations.push(delegation),
                Token::Invocation(invocation) if found.is_none() => found = Some(invocation),
                Token::Invocation(_) => {
                    return Err(TokenError::malformed(Why::SeveralInvocations));
                }
            }
        }
        let invocation = found.ok_or_else(|| TokenError::malformed(Why::NoInvocation))?;
        Ok(Self {
            invocation,
            delegations,
        })
    }

    /// The invocation.
    pub fn invocation(&self) -> &Signed<Invocation> {
        &self.invocation
    }

    /// The delegations that came with it, which may be its proofs.
    pub fn delegations(&self) -> &[Signed<Delegation>] {
        &self.delegations
    }

    /// Those of its proofs that are available, in its order. None if it needs none, or names too many.
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

    /// Its issuer, and those of its proofs that are available.
    pub fn issuers<'a>(&'a self, others: &'a Proofs) -> impl Iterator<Item = &'a Did> {
        let claimed = self.claimed(others).into_iter();
        claimed
            .map(|token| &token.payload().issuer)
            .chain([&self.invocation.payload().issuer])
    }

    pub(crate) fn find<'a>(
        &'a self,
        cid: Cid,
        others: &'a Proofs,
    ) -> Option<&'a Signed<Delegation>> {
        let own = self.delegations.iter().find(|token| token.cid() == cid);
        own.or_else(|| others.0.get(&cid))
    }

    /// Its proofs, in its order.
    pub(crate) fn proofs<'a>(&'a self, others: &'a Proofs) -> Result<Path<'a>, TokenError> {
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
    /// Their issuers.
    pub fn issuers(&self) -> impl Iterator<Item = &Did> {
        self.0.values().map(|token| &token.payload().issuer)
    }
}

/// The proofs that an invocation names, from those that came with it, root first; `None` if one is missing or there are
/// too many.
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

/// Whether these proofs lead from the invocation's subject to it, ignoring times, signatures and policies: for what
/// can't be undone, such as a revocation.
///
/// # Errors
/// As [`crate::validation::validate::validate`], for the root and the links; `TooMuchWork`.
pub(crate) fn fits(
    request: &Request,
    path: &[&Signed<Delegation>],
    budget: &Budget,
) -> Result<(), TokenError> {
    links::verify_shape(path, budget)?;
    verify_last_link(&request.invocation, path, budget)
}

/// The last link, from the proofs to the invocation.
pub(crate) fn verify_last_link(
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
        links::verify_link(last, link, &root.payload().issuer, budget)?;
    }
    Ok(())
}

/// Checks all policies on one budget.
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
            // What was found can be all of the arguments, which the caller has already.
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
