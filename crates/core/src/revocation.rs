//! Revocations (UCAN Revocation, draft): an invocation of `/ucan/revoke` that names a delegation by its CID. It cannot be
//! undone, and takes effect on every chain in which its subject issued a delegation at or above the revoked one.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::cell::Cell;

use ipld_core::ipld::Ipld;

use crate::budget::{Budget, Cost, TooMuchWork};
use crate::cid::Cid;
use crate::command::Command;
use crate::delegation::Delegation;
use crate::did::Did;
use crate::did_document::Documents;
use crate::envelope::Fields;
use crate::error::{TokenError, TokenErrorName};
use crate::invocation::Invocation;
use crate::payload::Signed;
use crate::policy::Statement;
use crate::validation::{self, Proofs, Request};

/// The command.
pub const COMMAND: &str = "/ucan/revoke";

/// A revocation as it came. Whether it takes effect depends on the chain at hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Revocation {
    request: Request,
    target: Cid,
    /// Whether it holds, once that was decided.
    holds: Cell<Option<bool>>,
}

impl Revocation {
    /// Takes an invocation as a revocation, with the delegations that entitle its issuer where it is not about its own. `None`
    /// for one that revokes nothing: of another command than `/ucan/revoke`, or without the CID of a token. Checks no
    /// signature.
    pub fn of(request: Request) -> Option<Self> {
        let Invocation { command, args, .. } = request.invocation().payload();
        if command.as_str() != COMMAND {
            return None;
        }
        let target = args.get("revoke").and_then(named)?;
        Some(Self {
            request,
            target,
            holds: Cell::new(None),
        })
    }

    /// The delegation that is revoked.
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

    /// Whether it revokes the last delegation of a path from the root to it.
    pub(crate) fn takes_effect_on(
        &self,
        path: &[&Signed<Delegation>],
        documents: &Documents,
        budget: &Budget,
    ) -> Result<bool, TooMuchWork> {
        if path.last().is_none_or(|last| last.cid() != self.target) {
            return Ok(false);
        }
        let subject = &self.invocation().payload().subject;
        budget.spend(Cost::Compared(subject.as_str().len() * path.len()))?;
        if !path.iter().any(|token| token.payload().issuer == *subject) {
            return Ok(false);
        }
        self.holds_within(documents, budget)
    }

    /// Whether its subject made it, or somebody whom its subject let revoke this very token. Times are not asked: it cannot
    /// be undone.
    pub fn holds(&self, documents: &Documents) -> bool {
        self.holds_within(documents, &Budget::new()) == Ok(true)
    }

    /// [`Revocation::holds`], on a budget. Decided once: the answer is kept.
    ///
    /// # Errors
    /// [`TooMuchWork`].
    pub fn holds_within(
        &self,
        documents: &Documents,
        budget: &Budget,
    ) -> Result<bool, TooMuchWork> {
        if let Some(holds) = self.holds.get() {
            return Ok(holds);
        }
        let holds = self.decide(documents, budget)?;
        self.holds.set(Some(holds));
        Ok(holds)
    }

    fn decide(&self, documents: &Documents, budget: &Budget) -> Result<bool, TooMuchWork> {
        let none = Proofs::default();
        let path = match validation::holds_whenever(&self.request, &none, documents, budget) {
            Ok(path) => path,
            Err(error) if error.name == TokenErrorName::TooMuchWork => return Err(TooMuchWork),
            Err(_) => return Ok(false),
        };
        // Whoever may do everything may not undo everything: the permission names the token.
        let names_it = |statement: &Statement| match statement {
            Statement::Equal(selector, value) => {
                selector.as_str() == ".revoke" && named(value) == Some(self.target)
            }
            _ => false,
        };
        Ok(path.is_empty()
            || path
                .iter()
                .any(|token| token.payload().policy.0.iter().any(names_it)))
    }
}

/// The draft writes links, and text is what some writers make of them.
fn named(value: &Ipld) -> Option<Cid> {
    match value {
        Ipld::Link(raw) => Cid::from_raw(raw).ok(),
        Ipld::String(text) => Cid::parse(text).ok(),
        _ => None,
    }
}

/// The payload of a revocation: `issuer` revokes `target` for `subject`, by the delegations `proofs` where that is another.
/// `path` says through which delegations the target was reached. Without a nonce: revoking twice is revoking.
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
        command: command(COMMAND)?,
        args,
        proofs,
        nonce: Vec::new(),
        expires_at: None,
        issued_at: None,
        meta: None,
        cause: None,
    })
}

/// A command of the specification's own.
pub(crate) fn command(text: &str) -> Result<Command, TokenError> {
    Command::parse(text).map_err(|error| TokenError::malformed(error.to_string()))
}
