//! Answers to requests, sealed for the mailbox of the asker (docs/requests.md, "The seal").

use alloc::vec::Vec;

use crate::error::VaultError;
use crate::random::Random;
use crate::seal::hpke;

/// The prefix of what an answer is bound to.
const DOMAIN: &[u8] = b"keyhole answer 1\0";

/// Where an answer goes.
pub struct Mailbox<'a> {
    /// SHA-256 of the request's text.
    pub request: &'a [u8; 32],
    /// The mailbox's DID.
    pub did: &'a str,
    /// The X25519 key that the asker made for this one answer.
    pub key: &'a [u8; hpke::KEY_LENGTH],
}

/// Seals an answer, bound to its request and its mailbox.
///
/// # Errors
/// OPERATION_FAILED for a key that can't be sealed to, and when randomness fails.
pub fn seal(
    to: &Mailbox<'_>,
    answer: &str,
    random: &mut dyn Random,
) -> Result<Vec<u8>, VaultError> {
    let info = [DOMAIN, to.request, to.did.as_bytes()].concat();
    hpke::seal(to.key, &info, answer.as_bytes(), random)
}

#[cfg(test)]
#[path = "answer_test.rs"]
mod tests;
