//! A passphrase or a recovery code on its way in, and a recovery code on its way out.

use std::fmt;

use serde::{Deserialize, Deserializer, Serializer};
use zeroize::Zeroizing;

/// A text that is wiped when dropped, and that `Debug` does not show.
pub struct SecretText(Zeroizing<String>);

impl SecretText {
    /// The text, to be used and not kept.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for SecretText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(Zeroizing::new(text)))
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}

/// Writes a secret text into an answer.
pub fn write_secret<S: Serializer>(text: &Zeroizing<String>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(text)
}
