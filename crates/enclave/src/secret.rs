//! A passphrase or a recovery code on its way in, and a recovery code on its way out.

use std::fmt;

use keyhole_ucan::codec::base64::Secret;
use serde::{Deserialize, Deserializer, Serializer};
use zeroize::Zeroizing;

use crate::declaration;

/// A text that is wiped when dropped, and that `Debug` does not show.
pub struct SecretText(Zeroizing<String>);

impl SecretText {
    /// The text, to use and not to keep.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for SecretText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        declaration::note_secret();
        String::deserialize(deserializer).map(|text| Self(Zeroizing::new(text)))
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}

/// Reads secret bytes from an input.
pub fn read_secret<'de, D: Deserializer<'de>, const N: usize>(
    from: D,
) -> Result<Secret<N>, D::Error> {
    declaration::note_secret();
    Secret::deserialize(from)
}

/// Writes a secret text to an answer.
pub fn write_secret<S: Serializer>(text: &Zeroizing<String>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(text)
}
