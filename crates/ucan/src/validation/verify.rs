//! What a service asks: may it do what this text asks for?

use alloc::vec::Vec;

use crate::codec::cid::Cid;
use crate::error::TokenError;
use crate::token::invocation::Invocation;
use crate::token::payload::Signed;
use crate::token::read;
use crate::validation::request::{Proofs, Request};
use crate::validation::validate::{Conditions, validate_within};
use crate::work_budget::Budget;

/// An invocation that may be carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct Allowed {
    /// Who asks, whose resource it is, what to do, and with which arguments.
    pub invocation: Signed<Invocation>,
    /// The delegations that allow it, root first. Empty if its issuer is its subject.
    pub chain: Vec<Cid>,
}

/// Reads a text that holds one invocation with its proofs, and checks all of it: signatures, times, the chain from the
/// subject to the issuer, policies, revocations (UCAN 1.0.0, "Validation"). Works offline and within one [`Budget`],
/// whatever the text is.
///
/// Store the `invocation.cid()` of each invocation that you carry out, and pass it in [`Conditions::seen`] until it
/// expires: each counts once.
///
/// # Errors
/// As [`crate::validation::validate::validate`] says; `MalformedToken` for a text that holds no tokens, no invocation, or more than one; `TooMuchWork`.
pub fn verify(text: &str, conditions: &Conditions<'_>) -> Result<Allowed, TokenError> {
    let budget = Budget::new();
    let request = Request::read(read::text_within(text, &budget)?)?;
    let others = Proofs::default();
    let path = validate_within(&request, &others, *conditions, &budget)?;
    let chain = path.iter().map(|token| token.cid()).collect();
    Ok(Allowed {
        invocation: request.invocation,
        chain,
    })
}
