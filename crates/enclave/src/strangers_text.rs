//! A text that a stranger wrote: a token, a request, a revocation.

use std::ops::Deref;

use serde::{Deserialize, Deserializer};

use crate::declaration;

/// A token's text as it came in. Its field is declared with its export, so that a host lets an enclave without keys
/// read it first.
pub struct StrangersText(String);

impl StrangersText {
    /// The text itself.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl Deref for StrangersText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for StrangersText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        declaration::note_stranger();
        Ok(Self(text))
    }
}
