//! What the tests of sealing share: a repeatable stream of bytes, and a cheap cost.

#![allow(clippy::expect_used, clippy::panic)]

extern crate std;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::methods::recovery_code::RecoveryCode;
use crate::methods::unlock_proof::{NewMethods, NewPasskey, PRF_LENGTH, UnlockProof};
use crate::random::Random;
use crate::seal::kdf::{Cost, KdfMemory};
use crate::seal::section::Section;
use crate::tools::Tools;
use crate::vault::{FirstKey, NewAccount, Vault};
use keyhole_ucan::codec::base64::{Fixed, Secret};
use keyhole_ucan::identity::key_type::KeyType;

/// The lowest cost that can be read, so that tests are quick.
pub const CHEAP: Cost = Cost {
    memory_kib: 19 * 1_024,
    passes: 2,
    lanes: 1,
};
/// A time.
pub const NOW: u64 = 1_790_000_000;
/// A passphrase.
pub const PASSPHRASE: &str = "correct horse battery staple";

/// Fixed "randomness": draw `n` of `length` bytes is the first `length` bytes of SHA-256(n ‖ 0) ‖ SHA-256(n ‖ 1) ‖ …,
/// both numbers as 4 bytes big-endian, n from 0. Fails from draw `failing_at` on.
pub struct Stream {
    draws: u32,
    /// The first draw that fails.
    pub failing_at: u32,
}

impl Stream {
    /// From the first draw.
    pub fn new() -> Self {
        Self {
            draws: 0,
            failing_at: u32::MAX,
        }
    }
}

impl Random for Stream {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), VaultError> {
        if self.draws >= self.failing_at {
            return Err(VaultError::NoRandomness);
        }
        for (block, part) in (0u32..).zip(bytes.chunks_mut(32)) {
            let digest = Sha256::new()
                .chain_update(self.draws.to_be_bytes())
                .chain_update(block.to_be_bytes())
                .finalize();
            part.copy_from_slice(&digest[..part.len()]);
        }
        self.draws += 1;
        Ok(())
    }
}

/// A stream and Argon2's memory, to lend as [`Tools`].
pub struct Bench {
    pub random: Stream,
    pub memory: KdfMemory,
}

impl Bench {
    pub fn new() -> Self {
        Self {
            random: Stream::new(),
            memory: KdfMemory::default(),
        }
    }

    pub fn tools(&mut self) -> Tools<'_> {
        Tools {
            now: NOW,
            random: &mut self.random,
            memory: &mut self.memory,
            cost: CHEAP,
        }
    }
}

/// A passkey as an authenticator would answer for it.
pub struct Authenticator {
    pub credential: String,
    pub salt: Fixed<PRF_LENGTH>,
    pub prf: Secret<PRF_LENGTH>,
}

impl Authenticator {
    /// One of many, told apart by `number`.
    pub fn new(number: u8) -> Self {
        let prf = core::array::from_fn(|at| (at as u8).wrapping_mul(7) ^ number);
        Self {
            credential: keyhole_ucan::codec::base64::encode(&[number; 32]),
            salt: Fixed(core::array::from_fn(|at| at as u8 ^ number)),
            prf: Secret(zeroize::Zeroizing::new(prf)),
        }
    }

    pub fn proof(&self) -> UnlockProof<'_> {
        UnlockProof::Passkey {
            credential: &self.credential,
            prf: &self.prf,
        }
    }

    pub fn new_passkey(&self) -> NewPasskey<'_> {
        NewPasskey {
            credential: &self.credential,
            relying_party: "keyhole.example",
            salt: self.salt,
            prf: &self.prf,
            label: Some("laptop"),
        }
    }
}

/// An account on `keyhole-1` that [`PASSPHRASE`] opens.
pub fn account_of(key_type: KeyType, label: Option<&str>, bench: &mut Bench) -> Vault {
    let methods = NewMethods {
        passphrase: Some(PASSPHRASE),
        ..NewMethods::default()
    };
    make_account(key_type, label, "keyhole-1", methods, bench)
        .expect("an account")
        .0
}

/// An account opened by these methods.
pub fn make_account(
    key_type: KeyType,
    label: Option<&str>,
    chain_id: &str,
    methods: NewMethods<'_>,
    bench: &mut Bench,
) -> Result<(Vault, Option<RecoveryCode>), VaultError> {
    let key = FirstKey::Made(key_type);
    let new = NewAccount {
        key,
        methods,
        label,
        chain_id,
    };
    Vault::create(new, &mut bench.tools())
}

/// Puts the account in step with other devices, with these sections.
pub fn put_in_step(vault: &mut Vault, all: &str, own: &str, bench: &mut Bench) {
    let section = |text: &str| Section(Zeroizing::new(text.to_string()));
    let draft = vault.as_draft();
    let state = draft.shared_state(1, &mut bench.random).expect("a state");
    let shared = draft.follow(state).expect("the same data key");
    let adopted = vault.update(&mut bench.tools(), |parts, _| {
        parts.adopt(&shared)?;
        parts.set_shared(section(all));
        parts.set_device(Some(section(own)));
        Ok::<_, VaultError>(())
    });
    adopted.expect("adopted");
}

/// The JSON pointers of every string and number in a value.
pub fn leaves(value: &Value) -> Vec<String> {
    let inside = |name: &str, value: &Value| -> Vec<String> {
        let leaves = leaves(value).into_iter();
        leaves.map(|path| ["/", name, &path].concat()).collect()
    };
    match value {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| inside(name, value))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(index, value)| inside(&index.to_string(), value))
            .collect(),
        _ => alloc::vec![String::new()],
    }
}

/// The value with a small change to one string or number.
pub fn altered(value: &Value, path: &str) -> Value {
    let mut value = value.clone();
    let leaf = value.pointer_mut(path).expect("the path is of this value");
    *leaf = match &*leaf {
        Value::Number(number) => Value::from(number.as_u64().expect("a whole number") + 1),
        Value::String(text) => {
            let mut letters: Vec<char> = text.chars().collect();
            let middle = letters.len() / 2;
            letters[middle] = if letters[middle] == 'A' { 'B' } else { 'A' };
            Value::String(letters.into_iter().collect())
        }
        other => panic!("no leaf to alter: {other}"),
    };
    value
}

/// Compares with a vector file, or writes it if KEYHOLE_WRITE_VECTORS is set. Only for a new format version, since
/// shipped vectors are pinned.
pub fn compare_with_vector(name: &str, actual: &Value) {
    let path = [env!("CARGO_MANIFEST_DIR"), "/../../vectors/keyhole/", name].concat();
    if std::env::var_os("KEYHOLE_WRITE_VECTORS").is_some() {
        let text = serde_json::to_string_pretty(actual).expect("JSON");
        std::fs::write(&path, text + "\n").expect("written");
    }
    assert_eq!(&vector(name), actual, "{name}");
}

/// A vector file.
pub fn vector(name: &str) -> Value {
    let path = [env!("CARGO_MANIFEST_DIR"), "/../../vectors/keyhole/", name].concat();
    let text = std::fs::read_to_string(&path).expect("the vector is there");
    serde_json::from_str(&text).expect("the vector is JSON")
}
