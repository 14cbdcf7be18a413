//! Calls the primitives directly, so that published test vectors reach the code that seals and signs. Keyless:
//! everything is in the input, and only Argon2's memory is shared with an account.
//!
//! Only in test builds: the feature `primitives` adds this export.

use keyhole_ucan::codec::base64::{Bytes, Fixed};
use keyhole_ucan::identity::key::{PublicKey, SecretKey};
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_vault::error::VaultError;
use keyhole_vault::seal::kdf::Cost;
use keyhole_vault::seal::primitive::{self, Argon2id};
use serde::{Deserialize, Serialize};

use crate::enclave::Enclave;
use crate::export_macro::exports;
use crate::host::Host;
use crate::refusal::Refusal;

exports! {
    up to SHORT {
        primitive: keyless, holds_secrets => run [DERIVATION],
    }
}

/// Longest output of HKDF-SHA256, in bytes (RFC 5869 §2.3).
const LONGEST_OKM: usize = 255 * 32;
/// Longest Argon2id tag that this makes, in bytes.
const LONGEST_TAG: usize = 64;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "algorithm", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Primitive {
    Ed25519(Signing),
    P256(Signing),
    Secp256k1(Signing),
    Xchacha20Poly1305(Sealing),
    HkdfSha256 {
        ikm: Bytes,
        salt: Bytes,
        info: Bytes,
        length: usize,
    },
    X25519 {
        private_key: Fixed<32>,
        public_key: Fixed<32>,
    },
    Argon2id {
        password: Bytes,
        salt: Bytes,
        secret: Option<Bytes>,
        associated_data: Option<Bytes>,
        memory_kib: u32,
        passes: u32,
        lanes: u32,
        length: usize,
    },
}

/// Signs with a private key and a message; verifies with a public key, a message and a signature.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Signing {
    private_key: Option<Fixed<32>>,
    public_key: Option<Bytes>,
    message: Bytes,
    signature: Option<Bytes>,
}

/// Seals `plaintext`, or opens `sealed`.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sealing {
    key: Fixed<32>,
    nonce: Fixed<24>,
    associated_data: Bytes,
    plaintext: Option<Bytes>,
    sealed: Option<Bytes>,
}

/// The result: which fields it has depends on the algorithm and the request.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcome {
    #[serde(skip_serializing_if = "Option::is_none")]
    valid: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    public_key: Option<Bytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<Bytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sealed: Option<Bytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plaintext: Option<Bytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Bytes>,
}

/// `primitive`
pub fn run(enclave: &mut Enclave, _: &mut dyn Host, input: Primitive) -> Result<Outcome, Refusal> {
    match input {
        Primitive::Ed25519(input) => sign_or_verify(KeyType::Ed25519, &input),
        Primitive::P256(input) => sign_or_verify(KeyType::P256, &input),
        Primitive::Secp256k1(input) => sign_or_verify(KeyType::Secp256k1, &input),
        Primitive::Xchacha20Poly1305(input) => seal_or_open(&input),
        Primitive::HkdfSha256 {
            ikm,
            salt,
            info,
            length,
        } => {
            let mut out = vec![0; within(length, 1, LONGEST_OKM)?];
            primitive::hkdf_sha256(&salt.0, &ikm.0, &info.0, &mut out)?;
            Ok(output(out))
        }
        Primitive::X25519 {
            private_key,
            public_key,
        } => {
            let shared = primitive::x25519(&private_key.0, &public_key.0);
            Ok(Outcome {
                valid: Some(shared.is_some()),
                output: shared.map(|shared| Bytes(shared.to_vec())),
                ..Outcome::default()
            })
        }
        Primitive::Argon2id {
            password,
            salt,
            secret,
            associated_data,
            memory_kib,
            passes,
            lanes,
            length,
        } => {
            let none = Bytes(Vec::new());
            let asked = Argon2id {
                cost: Cost {
                    memory_kib,
                    passes,
                    lanes,
                },
                password: &password.0,
                salt: &salt.0,
                secret: &secret.as_ref().unwrap_or(&none).0,
                associated: &associated_data.as_ref().unwrap_or(&none).0,
            };
            let mut out = vec![0; within(length, 4, LONGEST_TAG)?];
            asked.derive(enclave.memory(), &mut out)?;
            Ok(output(out))
        }
    }
}

fn sign_or_verify(key_type: KeyType, input: &Signing) -> Result<Outcome, Refusal> {
    match (&input.private_key, &input.public_key, &input.signature) {
        (Some(private), None, None) => {
            let key = SecretKey::from_bytes(key_type, &private.0).map_err(|error| {
                Refusal::from(VaultError::input(format!("In `private_key`: {error}.")))
            })?;
            let public = key.public_key().to_multicodec();
            Ok(Outcome {
                public_key: Some(Bytes(public.get(2..).unwrap_or_default().to_vec())),
                signature: Some(Bytes(key.sign(&input.message.0).to_vec())),
                ..Outcome::default()
            })
        }
        (None, Some(public), Some(signature)) => {
            let public = [&key_type.multicodec()[..], &public.0].concat();
            // An invalid key verifies nothing.
            let valid = PublicKey::from_multicodec(&public)
                .is_ok_and(|key| key.verify(&input.message.0, &signature.0));
            Ok(verdict(valid))
        }
        _ => Err(Refusal::from(VaultError::input(
            "Signing takes `private_key` and `message`; verifying `public_key`, `message` and `signature`.",
        ))),
    }
}

fn seal_or_open(input: &Sealing) -> Result<Outcome, Refusal> {
    let (key, nonce, associated) = (&input.key.0, &input.nonce.0, &input.associated_data.0);
    match (&input.plaintext, &input.sealed) {
        (Some(plaintext), None) => Ok(Outcome {
            sealed: Some(Bytes(primitive::seal(
                key,
                nonce,
                associated,
                &plaintext.0,
            )?)),
            ..Outcome::default()
        }),
        (None, Some(sealed)) => {
            let plaintext = primitive::open(key, nonce, associated, &sealed.0);
            Ok(Outcome {
                valid: Some(plaintext.is_some()),
                plaintext: plaintext.map(|plaintext| Bytes(plaintext.to_vec())),
                ..Outcome::default()
            })
        }
        _ => Err(Refusal::from(VaultError::input(
            "Sealing takes `plaintext`, opening takes `sealed`.",
        ))),
    }
}

fn within(length: usize, least: usize, most: usize) -> Result<usize, Refusal> {
    if (least..=most).contains(&length) {
        return Ok(length);
    }
    Err(Refusal::from(VaultError::input(format!(
        "Here `length` is {least} to {most}."
    ))))
}

fn output(bytes: Vec<u8>) -> Outcome {
    Outcome {
        output: Some(Bytes(bytes)),
        ..Outcome::default()
    }
}

fn verdict(valid: bool) -> Outcome {
    Outcome {
        valid: Some(valid),
        ..Outcome::default()
    }
}
