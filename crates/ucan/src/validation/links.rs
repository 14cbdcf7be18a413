//! The rules between the links of a chain (UCAN 1.0.0, "Validation"): the root, and each delegation with what continues
//! it. They don't depend on time, signatures or revocations.

use alloc::format;
use alloc::string::String;

use crate::codec::cid::Cid;
use crate::error::{TokenError, TokenErrorName, Why, shortened};
use crate::identity::did::Did;
use crate::token::command::Command;
use crate::token::delegation::Delegation;
use crate::token::payload::Signed;
use crate::work_budget::{Budget, Cost};

/// Checks the root and each link.
///
/// # Errors
/// As [`verify_path`], for these rules.
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

/// The first of a path; `InvalidClaim` if it is empty.
pub(crate) fn root_of<'a>(
    path: &[&'a Signed<Delegation>],
) -> Result<&'a Signed<Delegation>, TokenError> {
    path.first()
        .copied()
        .ok_or_else(|| TokenError::new(TokenErrorName::InvalidClaim, Why::NoProof))
}

/// Checks that the root's issuer is its subject, and gives the subject.
fn verify_root(root: &Signed<Delegation>) -> Result<&Did, TokenError> {
    let Delegation {
        issuer, subject, ..
    } = root.payload();
    match subject {
        None => Err(TokenError::new(
            TokenErrorName::InvalidClaim,
            Why::Powerline,
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

/// Checks that `below` continues `above`, in a chain about `subject`.
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
                "{issuer} uses a delegation that is addressed to {}.",
                upper.audience
            ),
            upper.audience.as_str(),
            issuer.as_str(),
        );
    }
    if let Some(other) = below.subject.filter(|other| *other != subject) {
        return refused(
            TokenErrorName::InvalidSubject,
            format!("{issuer} was delegated authority over {subject}, but uses it over {other}."),
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
