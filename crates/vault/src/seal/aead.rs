//! XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) with a random nonce of 24 bytes, and the data that it is bound to.

use alloc::vec::Vec;

use ipld_core::ipld::Ipld;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::random::{self, Random};
use keyhole_ucan::codec::base64::{Bytes, Fixed};
use keyhole_ucan::codec::cbor;

pub use keyhole_aead::{KEY_LENGTH, NONCE_LENGTH, TAG_LENGTH};

/// A sealed text: the nonce, and the ciphertext followed by its 16-byte tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedBytes {
    /// 24 random bytes.
    pub nonce: Fixed<NONCE_LENGTH>,
    /// The plaintext's length plus 16 bytes.
    pub sealed: Bytes,
}

/// Seals `plaintext` in place under a new random nonce, bound to `associated`.
pub(crate) fn seal(
    key: &[u8; KEY_LENGTH],
    associated: &[u8],
    mut plaintext: Zeroizing<Vec<u8>>,
    random: &mut dyn Random,
) -> Result<SealedBytes, VaultError> {
    let nonce = random::public(random)?;
    if plaintext.capacity() < plaintext.len() + TAG_LENGTH {
        // Growing would leave the old place unwiped.
        let mut roomier = Zeroizing::new(Vec::with_capacity(plaintext.len() + TAG_LENGTH));
        roomier.extend_from_slice(&plaintext);
        plaintext = roomier;
    }
    keyhole_aead::seal(key, nonce, associated, &mut plaintext)
        .map_err(|_| VaultError::internal("This is too long to be sealed."))?;
    Ok(SealedBytes {
        nonce: Fixed(nonce),
        // This leaves an empty vector in the guard.
        sealed: Bytes(core::mem::take(&mut *plaintext)),
    })
}

/// Opens in place what [`seal`] made; `None` if key, binding or a single bit differs.
pub(crate) fn open(
    key: &[u8; KEY_LENGTH],
    associated: &[u8],
    sealed: SealedBytes,
) -> Option<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(sealed.sealed.0);
    keyhole_aead::open(key, sealed.nonce.0, associated, &mut bytes).ok()?;
    Some(bytes)
}

/// The canonical DAG-CBOR of a JSON value: what a sealed text is bound to, and what is authenticated. Each value has
/// one encoding and no two values share one, whatever the order and the spaces of the original text.
///
/// # Errors
/// OPERATION_FAILED for a number that isn't an integer of 64 bits.
pub(crate) fn canonical(value: &Value) -> Result<Vec<u8>, VaultError> {
    to_ipld(value)
        .and_then(|value| cbor::encode(&value).ok())
        .ok_or_else(|| VaultError::internal("This has a value that cannot be authenticated."))
}

fn to_ipld(value: &Value) -> Option<Ipld> {
    Some(match value {
        Value::Null => Ipld::Null,
        Value::Bool(value) => Ipld::Bool(*value),
        Value::Number(number) => Ipld::Integer(
            number
                .as_i64()
                .map(i128::from)
                .or_else(|| number.as_u64().map(i128::from))?,
        ),
        Value::String(text) => Ipld::String(text.clone()),
        Value::Array(items) => Ipld::List(items.iter().map(to_ipld).collect::<Option<_>>()?),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| Some((name.clone(), to_ipld(value)?)));
            Ipld::Map(fields.collect::<Option<_>>()?)
        }
    })
}

/// A value as JSON, for its canonical encoding.
pub(crate) fn to_json(value: &impl Serialize) -> Result<Value, VaultError> {
    serde_json::to_value(value).map_err(|_| VaultError::internal("This cannot be written as JSON."))
}

#[cfg(test)]
#[path = "aead_test.rs"]
mod tests;
