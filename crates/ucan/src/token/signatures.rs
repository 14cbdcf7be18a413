//! Checks tokens' signatures: those by Ed25519 keys together, at half the cost of one by one, and each token once,
//! however often it is asked for. A token's answer never depends on the others in the batch.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::codec::cid::Cid;
use crate::error::{TokenError, TokenErrorName};
use crate::identity::did::{Did, DidError};
use crate::identity::did_document::Documents;
use crate::identity::ed25519::{self, Claim};
use crate::identity::key::PublicKey;
use crate::identity::key_type::{KeyType, SIGNATURE_LENGTH};
use crate::token::envelope::Envelope;
use crate::work_budget::{Budget, Cost, TooMuchWork};

/// Checks these tokens' signatures against their issuers' keys, and stores the answers in the tokens. Every signature
/// is checked here.
///
/// # Errors
/// [`TooMuchWork`] if the budget doesn't cover all of them. Those that it covers are checked.
pub(crate) fn check<'a>(
    tokens: impl IntoIterator<Item = (&'a Envelope, &'a Did)>,
    documents: &Documents,
    budget: &Budget,
) -> Result<(), TooMuchWork> {
    let mut keys: BTreeMap<&str, Option<PublicKey>> = BTreeMap::new();
    let mut claims = Vec::new();
    // Which claim each token makes. Copies of a token share one.
    let mut claimants: Vec<(&Envelope, usize)> = Vec::new();
    let mut claim_of: BTreeMap<Cid, usize> = BTreeMap::new();
    let mut is_too_much = false;
    for (envelope, issuer) in tokens {
        if envelope.verdict().is_some() {
            continue;
        }
        if envelope.is_known() {
            envelope.set_verdict(true);
            continue;
        }
        if let Some(at) = claim_of.get(&envelope.cid()) {
            claimants.push((envelope, *at));
            continue;
        }
        let is_summed = envelope.key_type() == KeyType::Ed25519;
        let cost = envelope.key_type().verification(envelope.signed().len());
        // Unpacking a key's point is charged with the signature, so skip it when no work is left.
        let first = match is_summed {
            true => Cost::Claim(envelope.signed().len()),
            false => cost,
        };
        let is_own = issuer.method() == "key";
        if is_own && budget.spend(first).is_err() {
            is_too_much = true;
            continue;
        }
        let key = keys
            .entry(issuer.as_str())
            .or_insert_with(|| issuer.key().ok());
        match key {
            Some(PublicKey::Ed25519(key)) if is_summed => {
                let signature = <&[u8; SIGNATURE_LENGTH]>::try_from(envelope.signature());
                let claim =
                    signature.map(|signature| Claim::new(key, envelope.signed(), signature));
                match claim {
                    Ok(Some(claim)) => {
                        claim_of.insert(envelope.cid(), claims.len());
                        claimants.push((envelope, claims.len()));
                        claims.push(claim);
                    }
                    _ => envelope.set_verdict(false),
                }
            }
            Some(key) => envelope.set_verdict(is_by(envelope, key)),
            None => {
                // An issuer that is unknown now may be looked up later in the call.
                is_too_much = is_too_much || documents.is_too_costly(issuer);
                let Some(Ok(keys)) = documents.keys(issuer) else {
                    continue;
                };
                let mut is_signed = false;
                let mut is_cut = false;
                for key in keys {
                    is_cut = is_cut || budget.spend(cost).is_err();
                    is_signed = is_signed || (!is_cut && is_by(envelope, key));
                }
                match is_cut && !is_signed {
                    false => envelope.set_verdict(is_signed),
                    true => is_too_much = true,
                }
            }
        }
    }
    let answers = ed25519::hold(&claims, budget);
    for (envelope, at) in claimants {
        match answers.get(at) {
            Some(Some(holds)) => envelope.set_verdict(*holds),
            _ => is_too_much = true,
        }
    }
    match is_too_much {
        false => Ok(()),
        true => Err(TooMuchWork),
    }
}

/// Checks one token's signature against its issuer's key, unless that was done before.
///
/// # Errors
/// `InvalidSignature`, also if the issuer's key is unknown or not of the header's type; `TooMuchWork`.
pub(crate) fn verify(
    envelope: &Envelope,
    issuer: &Did,
    documents: &Documents,
    budget: &Budget,
) -> Result<(), TokenError> {
    check([(envelope, issuer)], documents, budget)?;
    if envelope.verdict() == Some(true) {
        return Ok(());
    }
    let message = explain(envelope, issuer, documents);
    Err(TokenError::new(TokenErrorName::InvalidSignature, message).about(envelope.cid()))
}

fn is_by(envelope: &Envelope, key: &PublicKey) -> bool {
    key.key_type() == envelope.key_type() && key.verify(envelope.signed(), envelope.signature())
}

/// Why a token's signature is not its issuer's, in words.
fn explain(envelope: &Envelope, issuer: &Did, documents: &Documents) -> String {
    let other_type = || {
        format!(
            "The token says it is signed with {}, but its issuer's key is of another type.",
            envelope.algorithm()
        )
    };
    let not_its_own = || {
        format!(
            "The signature is not its issuer's: the token was changed, or {issuer} never signed it."
        )
    };
    let fits = |key: &PublicKey| key.key_type() == envelope.key_type();
    match issuer.key() {
        Ok(key) if fits(&key) => not_its_own(),
        Ok(_) => other_type(),
        Err(DidError::NotKey) => match documents.keys(issuer) {
            Some(Ok(keys)) if keys.iter().any(fits) => not_its_own(),
            Some(Ok(_)) => other_type(),
            Some(Err(why)) => {
                format!("The signature cannot be checked: {issuer} was looked up, and {why}.")
            }
            None => format!(
                "The signature cannot be checked offline: its issuer {issuer} is not a did:key, and was not looked up."
            ),
        },
        Err(error) => format!("The signature cannot be checked: {error}."),
    }
}
