//! A plugin with a fixed clock and the same randomness each time.

use std::collections::HashMap;

use keyhole_enclave::declaration::take_decoded;
use keyhole_enclave::enclave::Enclave;
use keyhole_enclave::export_macro::Export;
use keyhole_enclave::host::{Fetched, Host};
use keyhole_enclave::{DEVICE_EXPORTS, EXPORTS, KNOWN_ANSWERS};
use keyhole_ucan::codec::base64;
use keyhole_vault::error::VaultError;
use keyhole_vault::random::Random;
use serde::Deserialize;
use serde_json::{Value, json};

pub const WORDS: &str = "correct horse battery staple";
pub const OTHER_WORDS: &str = "another passphrase entirely";
/// Seconds since 1970.
pub const NOW: i64 = 1_790_000_000;

/// A passphrase as a proof.
pub fn by(passphrase: &str) -> Value {
    json!({"passphrase": passphrase})
}

/// A passkey to add: one of many, told apart by `number`.
pub fn passkey(number: u8) -> Value {
    json!({
        "credential": base64::encode(&[number; 20]),
        "relying_party": "keyhole.example",
        "salt": base64::encode(&[number; 64]),
        "prf": base64::encode(&prf(number)),
        "label": "laptop",
    })
}

/// That passkey's answer, as a proof.
pub fn by_passkey(number: u8) -> Value {
    json!({"passkey": {
        "credential": base64::encode(&[number; 20]),
        "prf": base64::encode(&prf(number)),
    }})
}

fn prf(number: u8) -> [u8; 64] {
    std::array::from_fn(|at| (at as u8).wrapping_mul(3) ^ number)
}

/// How many values these fields of an input hold; any number if it isn't JSON.
fn values_of(fields: &[&str], input: &[u8]) -> usize {
    let Ok(input) = serde_json::from_slice::<Value>(input) else {
        return usize::MAX;
    };
    let values = |value: &Value| value.as_array().map_or(1, Vec::len);
    fields
        .iter()
        .filter_map(|field| input.get(field))
        .map(values)
        .sum()
}

/// What makes an answer a refusal. The rest is not parsed: it may be nested deeper than serde_json goes.
#[derive(Deserialize)]
struct Refused {
    code: Option<String>,
    name: Option<String>,
}

/// Checks that the export declares its refusal.
fn assert_refusal_is_declared(export: &Export, answer: &str) {
    let Refused { code, name } = serde_json::from_str(answer).unwrap();
    if code.is_some() {
        let name = name.expect("a refusal has a name");
        let declared = export.declaration.may_refuse(&name);
        assert!(declared, "{} refused by {name}", export.name);
    }
}

pub struct FakeHost {
    pub now_ms: i64,
    pub is_broken: bool,
    /// The document at each address.
    pub documents: HashMap<String, Vec<u8>>,
    /// It requests nothing.
    pub is_closed: bool,
    /// The addresses that were requested, in order.
    pub asked: Vec<String>,
    counter: u64,
}

impl Random for FakeHost {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), VaultError> {
        if self.is_broken {
            return Err(VaultError::NoRandomness);
        }
        for byte in bytes {
            // SplitMix64: no two draws alike, which is all that these tests need.
            self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.counter ^ (self.counter >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            *byte = (mixed >> 32) as u8;
        }
        Ok(())
    }
}

impl Host for FakeHost {
    fn now_ms(&mut self) -> i64 {
        self.now_ms
    }

    fn fetch(&mut self, url: &str) -> Fetched {
        if self.is_closed {
            return Fetched::NotAsked("this enclave requests nothing".to_owned());
        }
        self.asked.push(url.to_owned());
        match self.documents.get(url) {
            Some(document) => Fetched::Document(document.clone()),
            None => Fetched::Failed("its host is not one that this enclave may ask".to_owned()),
        }
    }
}

pub struct Plugin {
    pub enclave: Enclave,
    pub host: FakeHost,
}

impl Plugin {
    pub fn empty() -> Self {
        Self {
            enclave: Enclave::default(),
            host: FakeHost {
                now_ms: NOW * 1_000,
                is_broken: false,
                is_closed: false,
                documents: HashMap::new(),
                asked: Vec::new(),
                counter: 0,
            },
        }
    }

    /// With an unlocked account of one key.
    pub fn unlocked() -> Self {
        let mut plugin = Self::empty();
        plugin.ok("create_vault", json!({"passphrase": WORDS, "label": "Ada"}));
        plugin
    }

    /// With an unlocked account of another key.
    pub fn another() -> Self {
        let mut plugin = Self::empty();
        plugin.host.counter = 1 << 32;
        plugin.ok("create_vault", json!({"passphrase": OTHER_WORDS}));
        plugin
    }

    /// Without an account, and with other randomness.
    pub fn elsewhere() -> Self {
        let mut plugin = Self::empty();
        plugin.host.counter = 1 << 33;
        plugin
    }

    /// Goes on with other randomness.
    pub fn skip(&mut self, draws: u64) {
        self.host.counter = self.host.counter.wrapping_add(draws << 20);
    }

    /// The answer's text to an input's bytes.
    pub fn raw(&mut self, name: &str, input: &[u8]) -> String {
        let export = EXPORTS
            .iter()
            .chain(DEVICE_EXPORTS)
            .chain(KNOWN_ANSWERS)
            .find(|export| export.name == name);
        let export = export.expect(name);
        let before = self.account();
        take_decoded();
        let output = (export.call)(&mut self.enclave, &mut self.host, input.to_vec().into());
        let (decoded, declared) = (take_decoded(), export.declaration);
        assert!(
            decoded.secrets == 0 || declared.holds_secrets,
            "{name} took a secret"
        );
        assert!(
            decoded.strangers <= values_of(declared.strangers, input),
            "{name} read a stranger's text"
        );
        assert!(
            self.account() == before || declared.changes_vault,
            "{name} changed the vault"
        );
        let text: Vec<&[u8]> = output.pieces().collect();
        assert_eq!(
            text.iter().map(|piece| piece.len()).sum::<usize>(),
            output.length()
        );
        let text = String::from_utf8(text.concat()).unwrap();
        assert_refusal_is_declared(export, &text);
        text
    }

    /// What a client sees of the account: whether it is locked, and which state it is in.
    fn account(&self) -> (Option<u64>, bool) {
        let revision = self.enclave.sealed().map(|state| state.revision);
        (revision.ok(), self.enclave.unlocked().is_ok())
    }

    pub fn call(&mut self, name: &str, input: Value) -> Value {
        serde_json::from_str(&self.raw(name, input.to_string().as_bytes())).unwrap()
    }

    /// The answer of a call that is not refused.
    #[track_caller]
    pub fn ok(&mut self, name: &str, input: Value) -> Value {
        let answer = self.call(name, input);
        assert_eq!(answer.get("code"), None, "{name}: {answer}");
        answer
    }

    /// The answer of a call that is refused with this code.
    #[track_caller]
    pub fn refused(&mut self, name: &str, input: Value, code: &str) -> Value {
        let answer = self.call(name, input);
        assert_eq!(answer["code"], code, "{name}: {answer}");
        assert!(answer["error"].is_string());
        answer
    }

    /// How many checked delegations are cached.
    pub fn checked(&mut self) -> usize {
        self.enclave.checked().count()
    }

    pub fn status(&mut self) -> Value {
        self.ok("vault_status", json!({}))["status"].clone()
    }
}
