//! Narrowing a delegation and passing it on (UCAN 1.0.0, "Attenuation").
//!
//! The enclave calls [`attenuate`] with the delegations of the parent token's text. It checks the parent, refuses
//! anything that could not be used or exceeds the parent, and only then signs. The result is the whole chain: its leaf
//! is the new token, [`Chain::effective`] its real limits, [`Chain::to_text`] the text to hand out.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::codec::cid::Cid;
use crate::error::{TokenError, TokenErrorName, Why};
use crate::identity::did::Did;
use crate::identity::key::SecretKey;
use crate::policy::statement::Policy;
use crate::time::Clock;
use crate::token::command::Command;
use crate::token::delegation::{Delegation, sign_usable};
use crate::token::envelope::Fields;
use crate::token::payload::Signed;
use crate::validation::chain::{self, Chain, Circumstances};
use crate::validation::path::Timing;
use crate::work_budget::Budget;

/// When a narrower delegation expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// With its proof: the chain's earliest expiry.
    Inherited,
    /// At this time in seconds, or `None` for never.
    At(Option<i64>),
}

/// What to pass on.
#[derive(Clone, Debug, PartialEq)]
pub struct Narrowing {
    /// The new audience.
    pub audience: Did,
    /// The parent's command, or one that it covers.
    pub command: Command,
    /// More limits, in addition to the parent's.
    pub policy: Policy,
    /// Whose resource, if the caller says; must be the parent's.
    pub subject: Option<Did>,
    /// Start in seconds.
    pub not_before: Option<i64>,
    /// When it expires.
    pub expiry: Expiry,
    /// Facts that give no authority.
    pub meta: Option<Fields>,
    /// Random bytes.
    pub nonce: Vec<u8>,
}

/// Checks the parent, signs the narrower delegation, and gives the chain that ends in it.
///
/// `now` is in seconds, without tolerance. A parent that has not started yet can be narrowed.
///
/// # Errors
/// For the parent: as [`chain::verify`], so `Expired`, `Revoked`, `InvalidSignature` and the rest. Then, before
/// signing: `InvalidAudience` if the parent is not addressed to `key`, or if the signer or the audience already has the
/// authority further up (such a chain could be read in two ways), `InvalidSubject` for another subject,
/// `InvalidCommand` for a command that the parent doesn't cover, `InvalidClaim` for an expiry past the chain's
/// earliest. Last, as [`crate::token::delegation::issue`], except for the subject.
pub fn attenuate(
    parent: Vec<Signed<Delegation>>,
    leaf: Option<Cid>,
    narrowing: Narrowing,
    key: &SecretKey,
    now: i64,
    revoked: &BTreeSet<Cid>,
) -> Result<Chain, TokenError> {
    let budget = &Budget::new();
    attenuate_within(parent, leaf, narrowing, key, now, revoked, budget)
}

/// [`attenuate`], on a budget.
///
/// # Errors
/// As [`attenuate`]; `TooMuchWork`.
pub fn attenuate_within(
    parent: Vec<Signed<Delegation>>,
    leaf: Option<Cid>,
    narrowing: Narrowing,
    key: &SecretKey,
    now: i64,
    revoked: &BTreeSet<Cid>,
    budget: &Budget,
) -> Result<Chain, TokenError> {
    let circumstances = Circumstances {
        revoked,
        ..Circumstances::at(Clock { now, skew: 0 })
    };
    let chain = chain::verify_for(parent, leaf, circumstances, Timing::NowOrLater, budget)?;
    let issuer = Did::from_key(&key.public_key());
    refuse_what_exceeds(&chain, &narrowing, &issuer)?;
    let delegation = Delegation {
        issuer,
        audience: narrowing.audience,
        subject: Some(chain.subject().clone()),
        command: narrowing.command,
        policy: narrowing.policy,
        nonce: narrowing.nonce,
        expires_at: match narrowing.expiry {
            Expiry::Inherited => chain.expires_at(),
            Expiry::At(moment) => moment,
        },
        not_before: narrowing.not_before,
        meta: narrowing.meta,
    };
    let starts = delegation.not_before.max(chain.not_before());
    if starts.is_some_and(|from| delegation.expires_at.is_some_and(|until| from > until)) {
        return Err(TokenError::new(
            TokenErrorName::InvalidClaim,
            Why::EndsBeforeStart,
        ));
    }
    chain.extended(sign_usable(&delegation, key, now, budget)?, budget)
}

fn refuse_what_exceeds(
    chain: &Chain,
    narrowing: &Narrowing,
    issuer: &Did,
) -> Result<(), TokenError> {
    let leaf = chain.leaf();
    let refused = |name, message: String| Err(TokenError::new(name, message).about(leaf.cid()));
    let audience = &leaf.payload().audience;
    if audience != issuer {
        return refused(
            TokenErrorName::InvalidAudience,
            format!("The token is addressed to {audience}, so {issuer} cannot pass it on."),
        );
    }
    let subject = chain.subject();
    let above =
        || core::iter::once(subject).chain(chain.tokens().map(|token| &token.payload().audience));
    if above()
        .take(chain.tokens().count())
        .any(|holder| holder == issuer)
    {
        return refused(
            TokenErrorName::InvalidAudience,
            format!(
                "{issuer} holds this authority further up in the chain already: narrow that token, or issue a new one."
            ),
        );
    }
    if above().any(|holder| *holder == narrowing.audience) {
        return refused(
            TokenErrorName::InvalidAudience,
            format!(
                "{} holds this authority in the chain already: passing it back would give nothing.",
                narrowing.audience
            ),
        );
    }
    if narrowing
        .subject
        .as_ref()
        .is_some_and(|other| other != subject)
    {
        return refused(
            TokenErrorName::InvalidSubject,
            format!("The token is about {subject}: it gives no authority over another subject."),
        );
    }
    let allowed = &leaf.payload().command;
    if !allowed.covers(&narrowing.command) {
        return refused(
            TokenErrorName::InvalidCommand,
            format!(
                "The token allows {allowed}, which does not cover {}.",
                narrowing.command
            ),
        );
    }
    let ends = chain.expires_at();
    let earliest = ends.unwrap_or(i64::MAX);
    let lasts_longer = |wanted: Option<i64>| wanted.is_none_or(|wanted| wanted > earliest);
    match narrowing.expiry {
        Expiry::At(wanted) if ends.is_some() && lasts_longer(wanted) => refused(
            TokenErrorName::InvalidClaim,
            format!(
                "The token ends at {earliest} (seconds since 1970): what is passed on cannot last longer."
            ),
        ),
        _ => Ok(()),
    }
}
