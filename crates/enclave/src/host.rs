//! What the plugin needs from outside: a clock, randomness, and DID documents.

use keyhole_vault::error::VaultError;
use keyhole_vault::random::Random;
use keyhole_vault::seal::format::MAX_NUMBER;

use crate::refusal::Refusal;

/// The clock, the randomness and the documents, so that every call can be tested without Extism.
pub trait Host: Random {
    /// Milliseconds since 1970, UTC.
    fn now_ms(&mut self) -> i64;

    /// Requests a DID document over HTTPS.
    fn fetch(&mut self, url: &str) -> Fetched;
}

/// The result of requesting a document. The words are clauses, such as "its host is not one that this enclave may ask".
pub enum Fetched {
    /// Its bytes.
    Document(Vec<u8>),
    /// It was requested, and why there is none.
    Failed(String),
    /// It was not requested, and why.
    NotAsked(String),
}

/// The host's time in seconds.
///
/// # Errors
/// OPERATION_FAILED for a clock before 1970 or past 2^53 − 1 seconds.
pub fn now(host: &mut dyn Host) -> Result<u64, Refusal> {
    u64::try_from(host.now_ms().div_euclid(1_000))
        .ok()
        .filter(|seconds| *seconds <= MAX_NUMBER)
        .ok_or_else(|| Refusal::from(VaultError::ClockWrong))
}
