//! Delegations: who lets whom do what, within which limits, and for how long (UCAN 1.0.0, "Delegation").
//!
//! How the enclave calls it: [`issue`] for a root, [`crate::validation::attenuate::attenuate`] for all others; both take the signing
//! key, and their nonce of [`NONCE_LENGTH`] random bytes, as arguments. [`crate::token::read::Token`] reads any token.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use ipld_core::ipld::Ipld;

use crate::error::{TokenError, TokenErrorName};
use crate::identity::did::{Did, DidError};
use crate::identity::key::SecretKey;
use crate::policy::statement::Policy;
use crate::token::command::Command;
use crate::token::envelope::{Fields, Kind};
use crate::token::payload::{FieldReader, Payload, Signed, did, did_value, moment_value};
use crate::work_budget::Budget;

/// Bytes of the random nonce in our tokens.
pub const NONCE_LENGTH: usize = 12;

/// The payload of a delegation.
#[derive(Clone, Debug, PartialEq)]
pub struct Delegation {
    /// Who gives the authority.
    pub issuer: Did,
    /// Who receives it.
    pub audience: Did,
    /// Whose resource it is about; `None` passes on everything the issuer is given (a powerline).
    pub subject: Option<Did>,
    /// What the audience may do.
    pub command: Command,
    /// Limits on the arguments.
    pub policy: Policy,
    /// Makes the token unique.
    pub nonce: Vec<u8>,
    /// Expiry in seconds; `None` for never.
    pub expires_at: Option<i64>,
    /// Start in seconds.
    pub not_before: Option<i64>,
    /// Facts that give no authority.
    pub meta: Option<Fields>,
}

impl Payload for Delegation {
    const KIND: Kind = Kind::Delegation;

    fn from_fields(fields: Fields, budget: &Budget) -> Result<Self, TokenError> {
        let mut fields = FieldReader::new(fields);
        let delegation = Self {
            issuer: fields.did("iss")?,
            audience: fields.did("aud")?,
            subject: match fields.required("sub")? {
                Ipld::Null => None,
                value => Some(did("sub", value)?),
            },
            command: fields.command(budget)?,
            policy: Policy::parse_within(&fields.required("pol")?, budget)?,
            nonce: fields.nonce()?,
            expires_at: fields.expiry()?,
            not_before: fields.optional_moment("nbf")?,
            meta: fields.optional_map("meta")?,
        };
        fields.finish()?;
        Ok(delegation)
    }

    fn to_fields(&self) -> Fields {
        let mut fields = Fields::from([
            ("iss".to_string(), did_value(&self.issuer)),
            ("aud".to_string(), did_value(&self.audience)),
            (
                "sub".to_string(),
                self.subject.as_ref().map_or(Ipld::Null, did_value),
            ),
            (
                "cmd".to_string(),
                Ipld::String(self.command.as_str().to_string()),
            ),
            ("pol".to_string(), self.policy.to_ipld()),
            ("nonce".to_string(), Ipld::Bytes(self.nonce.clone())),
            ("exp".to_string(), moment_value(self.expires_at)),
        ]);
        if self.not_before.is_some() {
            fields.insert("nbf".to_string(), moment_value(self.not_before));
        }
        if let Some(meta) = &self.meta {
            fields.insert("meta".to_string(), Ipld::Map(meta.clone()));
        }
        fields
    }

    fn issuer(&self) -> &Did {
        &self.issuer
    }
}

impl Delegation {
    /// Whether it can start a chain: its issuer is its subject.
    pub fn is_root(&self) -> bool {
        self.subject.as_ref() == Some(&self.issuer)
    }
}

/// Signs a root delegation or a powerline, after refusing one that could never be used. `now` is in seconds.
///
/// # Errors
/// `InvalidSubject` if the subject is not the issuer: only the subject itself can start a chain; `InvalidAudience` for
/// a did:key audience without a usable key; `InvalidCommand` for a reserved command without a meaning; `Expired` for an
/// expiry in the past; `InvalidClaim` for a start after the expiry; `InvalidSignature` if `key` is not the issuer's;
/// `MalformedToken` if the token could not be read back (too long, nested too deeply, a time out of range).
pub fn issue(
    delegation: &Delegation,
    key: &SecretKey,
    now: i64,
) -> Result<Signed<Delegation>, TokenError> {
    issue_within(delegation, key, now, &Budget::new())
}

/// [`issue`], on a budget.
///
/// # Errors
/// As [`issue`]; `TooMuchWork`.
pub fn issue_within(
    delegation: &Delegation,
    key: &SecretKey,
    now: i64,
    budget: &Budget,
) -> Result<Signed<Delegation>, TokenError> {
    match &delegation.subject {
        Some(subject) if *subject != delegation.issuer => Err(TokenError::new(
            TokenErrorName::InvalidSubject,
            format!(
                "{} cannot start a chain of authority over {subject}: narrow a token that {subject} gave.",
                delegation.issuer
            ),
        )),
        _ => sign_usable(delegation, key, now, budget),
    }
}

/// Signs a delegation that starts or continues a chain, after refusing one that could never be used.
pub(crate) fn sign_usable(
    delegation: &Delegation,
    key: &SecretKey,
    now: i64,
    budget: &Budget,
) -> Result<Signed<Delegation>, TokenError> {
    let refused = |name, message: String| Err(TokenError::new(name, message));
    match delegation.audience.key() {
        Ok(_) | Err(DidError::NotKey) => {}
        Err(error) => {
            let message = format!(
                "No one can use a token for {}: {error}.",
                delegation.audience
            );
            return refused(TokenErrorName::InvalidAudience, message);
        }
    }
    if delegation.command.is_reserved() {
        let message = format!(
            "The command {} lies under /ucan/, which UCAN keeps for itself.",
            delegation.command
        );
        return refused(TokenErrorName::InvalidCommand, message);
    }
    if let Some(until) = delegation.expires_at {
        if until < now {
            let message = "The token would have expired before it is made.";
            return refused(TokenErrorName::Expired, message.into());
        }
        if delegation.not_before.is_some_and(|from| from > until) {
            let message = "The token would expire before it starts.";
            return refused(TokenErrorName::InvalidClaim, message.into());
        }
    }
    Signed::sign_within(delegation, key, budget)
}
