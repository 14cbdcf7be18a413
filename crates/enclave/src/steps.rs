//! Calls that derive a key from a passphrase, in steps. The plugin's thread also has to hear of a lock, so a call that
//! pauses gives it back every few milliseconds.
//!
//! A call that pauses answers `{"paused":true}`. The host continues it by making it again with empty input, until it
//! has another answer; any other call abandons it. Once its key is derived, the call runs from the beginning with the
//! same clock and the same random bytes, and finds its key ready.

use keyhole_vault::error::VaultError;
use keyhole_vault::random::Random;
use zeroize::Zeroizing;

use crate::enclave::{Answering, Enclave, Given, PausedCall};
use crate::host::{Fetched, Host};
use crate::output::Output;

const PAUSED: &[u8] = br#"{"paused":true}"#;

/// Makes a call, or continues the paused one if this is the same call with empty input.
pub fn answer(
    answer: Answering,
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Zeroizing<Vec<u8>>,
) -> Output {
    let is_same = |paused: &PausedCall| std::ptr::fn_addr_eq(paused.answer, answer);
    let paused = enclave.take_paused().filter(is_same);
    let mut call = match paused.filter(|_| input.is_empty()) {
        Some(paused) => paused,
        None => {
            enclave.memory().forget();
            PausedCall {
                answer,
                input,
                given: Given::default(),
            }
        }
    };
    if !enclave.memory().go_on() {
        return enclave.pause(call);
    }
    let mut host = SameHost {
        host,
        given: &mut call.given,
        moments: 0,
        random: 0,
    };
    let output = answer(enclave, &mut host, &call.input);
    if enclave.memory().is_paused() {
        return enclave.pause(call);
    }
    enclave.memory().forget();
    output
}

impl Enclave {
    fn pause(&mut self, call: PausedCall) -> Output {
        self.keep_paused(call);
        Output::from_bytes(PAUSED)
    }
}

/// The host. It gives a repeated call what it gave it before.
struct SameHost<'a> {
    host: &'a mut dyn Host,
    given: &'a mut Given,
    moments: usize,
    random: usize,
}

impl Random for SameHost<'_> {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), VaultError> {
        let before = self.given.random.get(self.random);
        self.random += 1;
        if let Some(before) = before.filter(|before| before.len() == bytes.len()) {
            bytes.copy_from_slice(before);
            return Ok(());
        }
        self.host.fill(bytes)?;
        self.given.random.push(Zeroizing::new(bytes.to_vec()));
        Ok(())
    }
}

impl Host for SameHost<'_> {
    fn now_ms(&mut self) -> i64 {
        let before = self.given.moments.get(self.moments).copied();
        self.moments += 1;
        before.unwrap_or_else(|| {
            let now = self.host.now_ms();
            self.given.moments.push(now);
            now
        })
    }

    fn fetch(&mut self, url: &str) -> Fetched {
        self.host.fetch(url)
    }
}
