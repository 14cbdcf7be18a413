//! Revocations (UCAN Revocation, draft): an invocation of `/ucan/revoke` that names a delegation by its CID. It cannot be
//! undone, and takes effect on every chain in which its subject issued a delegation at or above the revoked one.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::cell::Cell;

use ipld_core::ipld::Ipld;

use crate::codec::cid::Cid;
use crate::error::{TokenError, TokenErrorName};
use crate::identity::did::Did;
use crate::identity::did_document::Documents;
use crate::policy::statement::Statement;
use crate::token::command::Command;
use crate::token::delegation::Delegation;
use crate::token::envelope::Fields;
use crate::token::invocation::Invocation;
use crate::token::payload::{Payload, Signed};
use crate::validation::request::{self, Request};
use crate::work_budget::{Budget, Cost, TooMuchWork};

/// The command.
pub const COMMAND: &str = "/ucan/revoke";

/// A revocation as it came. Whether it takes effect depends on the chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Revocation {
    request: Request,
    target: Cid,
    /// Whether it is valid, once decided, and how many DIDs had been looked up by then.
    decided: Cell<Option<(Holding, usize)>>,
}

impl Revocation {
    /// Takes an invocation as a revocation, with the delegations that entitle its issuer if the subject is someone
    /// else. `None` if its command is not `/ucan/revoke`. Doesn't check signatures.
    ///
    /// # Errors
    /// `MalformedToken` if it revokes, but doesn't name a token's CID: someone meant a token that can't be told.
    pub fn of(request: Request) -> Result<Option<Self>, TokenError> {
        let token = request.invocation();
        let Invocation { command, args, .. } = token.payload();
        if command.as_str() != COMMAND {
            return Ok(None);
        }
        let Some(target) = args.get("revoke").and_then(named) else {
            let message = "This revocation doesn't name a token: `revoke` is not the CID of one.";
            return Err(TokenError::malformed(message).about(token.cid()));
        };
        Ok(Some(Self {
            request,
            target,
            decided: Cell::new(None),
        }))
    }

    /// The revoked delegation.
    pub fn target(&self) -> Cid {
        self.target
    }

    /// The invocation.
    pub fn invocation(&self) -> &Signed<Invocation> {
        self.request.invocation()
    }

    /// The delegations that came with it.
    pub fn delegations(&self) -> &[Signed<Delegation>] {
        self.request.delegations()
    }

    /// Its effect on the last delegation of a path that starts at the root. Without standing it has no effect, and only
    /// costs its reading. Those who issued a link of the path have standing, which is decided without a lookup.
    ///
    /// # Errors
    /// [`TooMuchWork`].
    pub(crate) fn effect_on(
        &self,
        path: &[&Signed<Delegation>],
        documents: &Documents,
        budget: &Budget,
    ) -> Result<Effect, TooMuchWork> {
        if path.last().is_none_or(|last| last.cid() != self.target) {
            return Ok(Effect::None);
        }
        let Invocation {
            issuer, subject, ..
        } = self.invocation().payload();
        let has_issued = |who: &Did| {
            budget.spend(Cost::Compared(who.as_str().len() * path.len()))?;
            Ok(path.iter().any(|token| token.payload().issuer == *who))
        };
        let is_issuers_own = has_issued(issuer)?;
        if !is_issuers_own && !has_issued(subject)? {
            return Ok(Effect::None);
        }
        Ok(match self.holding(documents, budget)? {
            Holding::Holds => Effect::Revokes,
            Holding::Unknown => Effect::Unknown,
            // Only its proofs could show that a stranger may revoke this, and they are missing.
            Holding::Unproven if is_issuers_own => Effect::Unknown,
            Holding::Unproven | Holding::Not => Effect::None,
        })
    }

    /// Whether it revokes this delegation on every path: its subject issued it, or is whose resource it says it is about, so
    /// that every path starts with that one.
    ///
    /// # Errors
    /// [`TooMuchWork`].
    pub(crate) fn always_revokes(
        &self,
        token: &Signed<Delegation>,
        documents: &Documents,
        budget: &Budget,
    ) -> Result<bool, TooMuchWork> {
        if token.cid() != self.target {
            return Ok(false);
        }
        let who = &self.invocation().payload().subject;
        let Delegation {
            issuer, subject, ..
        } = token.payload();
        budget.spend(Cost::Compared(2 * who.as_str().len()))?;
        let has_standing = who == issuer || Some(who) == subject.as_ref();
        Ok(has_standing && self.holding(documents, budget)? == Holding::Holds)
    }

    /// The issuers of it and of its proofs, if it is about a link of this path and can't be decided until they are
    /// looked up.
    ///
    /// # Errors
    /// [`TooMuchWork`].
    pub fn unknown_issuers(
        &self,
        path: &[&Signed<Delegation>],
        documents: &Documents,
        budget: &Budget,
    ) -> Result<Vec<Did>, TooMuchWork> {
        budget.spend(Cost::Steps(path.len()))?;
        let at = path.iter().position(|token| token.cid() == self.target);
        let up_to_it = at.and_then(|at| path.get(..=at)).unwrap_or_default();
        if self.effect_on(up_to_it, documents, budget)? != Effect::Unknown {
            return Ok(Vec::new());
        }
        let proofs = request::own_proofs(&self.request, budget)?;
        let proofs = proofs.into_iter().flatten();
        let issuers = proofs.map(|token| token.payload().issuer.clone());
        Ok(issuers
            .chain([self.invocation().payload().issuer.clone()])
            .collect())
    }

    /// Whether its subject made it, or someone whom the subject let revoke this very token. Ignores times, since a
    /// revocation can't be undone.
    pub fn holds(&self, documents: &Documents) -> bool {
        self.holds_within(documents, &Budget::new()) == Ok(true)
    }

    /// [`Revocation::holds`] on a budget.
    ///
    /// # Errors
    /// [`TooMuchWork`].
    pub fn holds_within(
        &self,
        documents: &Documents,
        budget: &Budget,
    ) -> Result<bool, TooMuchWork> {
        Ok(self.holding(documents, budget)? == Holding::Holds)
    }

    /// Decided once, and again if more DIDs were looked up since.
    fn holding(&self, documents: &Documents, budget: &Budget) -> Result<Holding, TooMuchWork> {
        match self.decided.get() {
            Some((holding, known)) if known == documents.count() => return Ok(holding),
            _ => {}
        }
        let holding = self.decide(documents, budget)?;
        self.decided.set(Some((holding, documents.count())));
        Ok(holding)
    }

    /// The cheapest checks come first, then what a stranger can't make: a proof that its subject signed.
    fn decide(&self, documents: &Documents, budget: &Budget) -> Result<Holding, TooMuchWork> {
        let token = self.invocation();
        let Invocation {
            issuer, subject, ..
        } = token.payload();
        let path = match issuer == subject {
            true => Vec::new(),
            false => match request::own_proofs(&self.request, budget)? {
                Some(path) => path,
                None => {
                    return Ok(match signed(token, documents, budget)? {
                        Some(_) => Holding::Unproven,
                        None => Holding::Not,
                    });
                }
            },
        };
        if issuer != subject {
            // Permission for every command doesn't include every revocation: the subject must name the token. In a later
            // link a holder could name anything.
            let names_it = |statement: &Statement| match statement {
                Statement::Equal(selector, value) => {
                    selector.as_str() == ".revoke" && named(value) == Some(self.target)
                }
                _ => false,
            };
            let root = path.first().map(|token| &token.payload().policy.0);
            let is_named = root.is_some_and(|statements| statements.iter().any(names_it));
            if !is_named || !fits(request::fits(&self.request, &path, budget))? {
                return Ok(Holding::Not);
            }
        }
        let mut is_known = true;
        for signed in path.iter().map(|link| signed(link, documents, budget)) {
            match signed? {
                None => return Ok(Holding::Not),
                Some(own) => is_known = is_known && own,
            }
        }
        match signed(token, documents, budget)? {
            None => return Ok(Holding::Not),
            Some(own) => is_known = is_known && own,
        }
        let allowed = request::verify_policies(&path, token.payload(), budget);
        Ok(match fits(allowed)? {
            false => Holding::Not,
            true if is_known => Holding::Holds,
            true => Holding::Unknown,
        })
    }
}

/// The effect of a revocation on a delegation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// Nothing.
    None,
    /// Someone entitled may have revoked it.
    Unknown,
    /// It is revoked.
    Revokes,
}

/// Whether a revocation is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holding {
    Holds,
    Not,
    /// A signer's key is unknown.
    Unknown,
    /// A proof of it is missing.
    Unproven,
}

/// Whether a rule was met.
fn fits(answer: Result<(), TokenError>) -> Result<bool, TooMuchWork> {
    match answer {
        Ok(()) => Ok(true),
        Err(error) if error.name == TokenErrorName::TooMuchWork => Err(TooMuchWork),
        Err(_) => Ok(false),
    }
}

/// Whether a token is known to be signed by its issuer; `None` if it isn't signed by it.
fn signed<P: Payload>(
    token: &Signed<P>,
    documents: &Documents,
    budget: &Budget,
) -> Result<Option<bool>, TooMuchWork> {
    let issuer = token.payload().issuer();
    if issuer.method() != "key" && !matches!(documents.keys(issuer), Some(Ok(_))) {
        return Ok(Some(false));
    }
    match token.verify_signature_within(documents, budget) {
        Ok(()) => Ok(Some(true)),
        Err(error) if error.name == TokenErrorName::TooMuchWork => Err(TooMuchWork),
        Err(_) => Ok(None),
    }
}

/// The draft specifies links, but some writers use text.
fn named(value: &Ipld) -> Option<Cid> {
    match value {
        Ipld::Link(raw) => Cid::from_raw(raw).ok(),
        Ipld::String(text) => Cid::parse(text).ok(),
        _ => None,
    }
}

/// The payload of a revocation: `issuer` revokes `target` for `subject`, by the delegations `proofs` if they differ.
/// `path` says through which delegations the target was reached. It has no nonce, since revoking twice changes nothing.
///
/// # Errors
/// Never: the command is well formed.
pub fn revoke(
    issuer: Did,
    subject: Did,
    target: Cid,
    path: &[Cid],
    proofs: Vec<Cid>,
) -> Result<Invocation, TokenError> {
    let link = |cid: &Cid| Ipld::Link(cid.to_raw());
    let mut args = Fields::from([("revoke".to_string(), link(&target))]);
    if !path.is_empty() {
        let path = path.iter().map(link).collect();
        args.insert("path".to_string(), Ipld::List(path));
    }
    Ok(Invocation {
        issuer,
        subject,
        audience: None,
        command: Command::parse(COMMAND)?,
        args,
        proofs,
        nonce: Vec::new(),
        expires_at: None,
        issued_at: None,
        meta: None,
        cause: None,
    })
}
