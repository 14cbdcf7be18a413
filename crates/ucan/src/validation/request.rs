//! An invocation with the delegations that came with it, and the rules between the two that ask neither for the time nor for
//! revocations: a revocation is an invocation itself, and is checked by these.

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

/// An invocation as it came, with the delegations that came with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub(crate) invocation: Signed<Invocation>,
    pub(crate) delegations: Vec<Signed<Delegation>>,
}

/// Delegations by their CIDs, which are taken from their bytes: a proof is never another token than the one asked for.
#[derive(Clone, Debug, Default)]
pub struct Proofs(BTreeMap<Cid, Signed<Delegation>>);

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
    /// Whoever issued them.
    pub fn issuers(&self) -> impl Iterator<Item = &Did> {
        self.0.values().map(|token| &token.payload().issuer)
    }
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
