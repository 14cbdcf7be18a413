//! Sealing to someone's public key: HPKE in base mode (RFC 9180), with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and
//! AES-256-GCM. One message per key; opening it only needs WebCrypto.

use alloc::vec::Vec;

use aes_gcm::{AeadInOut, Aes256Gcm, KeyInit, Nonce};
use hkdf::Hkdf;
use sha2::Sha256;
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::random::{self, Random};
use crate::seal::primitive;

/// Bytes of a public key, which comes before the ciphertext.
pub const KEY_LENGTH: usize = 32;
/// Bytes that sealing adds after the text.
const TAG_LENGTH: usize = 16;
const NONCE_LENGTH: usize = 12;

const VERSION: &[u8] = b"HPKE-v1";
/// Which functions are used (sections 4.1 and 5.1).
const KEM: &[u8] = b"KEM\x00\x20";
const SUITE: &[u8] = b"HPKE\x00\x20\x00\x01\x00\x02";

/// Seals one message to a public key: the sender's public key for it, then the ciphertext with its tag.
///
/// # Errors
/// OPERATION_FAILED for a public key of small order, with which anyone would know the shared secret, and when
/// randomness fails.
pub(crate) fn seal(
    to: &[u8; KEY_LENGTH],
    info: &[u8],
    plaintext: &[u8],
    random: &mut dyn Random,
) -> Result<Vec<u8>, VaultError> {
    let sender = derive_key(&*random::secret(random)?)?;
    let public = PublicKey::from(&StaticSecret::from(*sender)).to_bytes();
    let shared = primitive::x25519(&sender, to)
        .ok_or_else(|| VaultError::input("In `key`: this key cannot be sealed to."))?;
    let context = [&public[..], to].concat();
    let secret = shared_secret(&shared[..], &context)?;
    let (key, nonce) = schedule(&secret, info)?;

    let mut sealed = Vec::with_capacity(KEY_LENGTH + plaintext.len() + TAG_LENGTH);
    sealed.extend_from_slice(plaintext);
    Aes256Gcm::new((&*key).into())
        .encrypt_in_place(&Nonce::from(nonce), b"", &mut sealed)
        .map_err(|_| VaultError::internal("This is too long to be sealed."))?;
    sealed.splice(0..0, public);
    Ok(sealed)
}

/// A private key from random bytes (section 7.1.3).
fn derive_key(material: &[u8; KEY_LENGTH]) -> Result<Zeroizing<[u8; KEY_LENGTH]>, VaultError> {
    let mut key = Zeroizing::new([0; KEY_LENGTH]);
    expand(
        &extract(KEM, b"", b"dkp_prk", material),
        KEM,
        b"sk",
        b"",
        &mut key[..],
    )?;
    Ok(key)
}

/// The shared secret of both sides (section 4.1).
fn shared_secret(shared: &[u8], context: &[u8]) -> Result<Zeroizing<[u8; 32]>, VaultError> {
    let mut secret = Zeroizing::new([0; 32]);
    let extracted = extract(KEM, b"", b"eae_prk", shared);
    expand(&extracted, KEM, b"shared_secret", context, &mut secret[..])?;
    Ok(secret)
}

/// The key and the nonce of the first message, in the base mode (section 5.1).
fn schedule(
    secret: &[u8; 32],
    info: &[u8],
) -> Result<(Zeroizing<[u8; 32]>, [u8; NONCE_LENGTH]), VaultError> {
    let context = [
        &[0][..],
        &hash(b"psk_id_hash", b""),
        &hash(b"info_hash", info),
    ]
    .concat();
    let extracted = extract(SUITE, secret, b"secret", b"");
    let mut key = Zeroizing::new([0; 32]);
    let mut nonce = [0; NONCE_LENGTH];
    expand(&extracted, SUITE, b"key", &context, &mut key[..])?;
    expand(&extracted, SUITE, b"base_nonce", &context, &mut nonce)?;
    Ok((key, nonce))
}

fn labeled(suite: &[u8], label: &[u8], input: &[u8]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new([VERSION, suite, label, input].concat())
}

fn hash(label: &[u8], input: &[u8]) -> [u8; 32] {
    let (hash, _) = Hkdf::<Sha256>::extract(None, &labeled(SUITE, label, input));
    hash.into()
}

fn extract(suite: &[u8], salt: &[u8], label: &[u8], input: &[u8]) -> Hkdf<Sha256> {
    Hkdf::new(Some(salt), &labeled(suite, label, input))
}

fn expand(
    key: &Hkdf<Sha256>,
    suite: &[u8],
    label: &[u8],
    info: &[u8],
    out: &mut [u8],
) -> Result<(), VaultError> {
    // No output here is longer than a key.
    let length = [0, u8::try_from(out.len()).unwrap_or(u8::MAX)];
    let info = [&length[..], VERSION, suite, label, info].concat();
    key.expand(&info, out)
        .map_err(|_| VaultError::internal("No key is as long as that."))
}
