//! What each export takes and answers, as JSON Schema: from the types that decode and encode it. Never in the plugin.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::enclave::Enclave;
use crate::host::Host;
use crate::refusal::Refusal;
use crate::secret::SecretText;
use crate::strangers_text::StrangersText;

/// The two generators: what is decoded may be left out where it has a default, what is encoded is always there.
pub struct Shapes {
    /// Of inputs.
    pub input: SchemaGenerator,
    /// Of answers.
    pub answer: SchemaGenerator,
}

impl Default for Shapes {
    fn default() -> Self {
        let settings = SchemaSettings::draft2020_12();
        Self {
            input: settings.clone().for_deserialize().into_generator(),
            answer: settings.for_serialize().into_generator(),
        }
    }
}

impl Shapes {
    /// The input's and the answer's schema of a function.
    pub fn of<I: JsonSchema, O: JsonSchema>(
        &mut self,
        _: fn(&mut Enclave, &mut dyn Host, I) -> Result<O, Refusal>,
    ) -> (Schema, Schema) {
        (
            self.input.subschema_for::<I>(),
            self.answer.subschema_for::<O>(),
        )
    }
}

/// Types of which the contract says more than what decodes or encodes them.
macro_rules! shapes {
    ($($(#[$about:meta])* $name:ident = $schema:tt),+ $(,)?) => { $(
        $(#[$about])*
        pub enum $name {}

        impl_schema!($name, $schema);
    )+ };
}

macro_rules! impl_schema {
    ($name:ident, $schema:tt) => {
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

impl_schema!(SecretText, { "type": "string" });
impl_schema!(StrangersText, { "type": "string" });
shapes! {
    /// Bytes in an input: base64url without padding, or a list of numbers.
    Bytes = { "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "integer" } }] },
    /// A policy in DAG-JSON: a list of statements.
    Policy = { "type": "array", "items": {} },
    /// A map in DAG-JSON.
    Fields = { "type": "object", "additionalProperties": {} },
    /// What a token is.
    TokenKind = { "type": "string", "enum": ["delegation", "invocation"] },
    /// How an account can be unlocked.
    UnlockMethodKind = { "type": "string", "enum": ["passphrase", "passkey", "recovery_code"] },
    /// What of a delegation a call is held against.
    PolicyRule = { "type": "string", "enum": ["command", "statement"] },
    /// True and nothing else.
    Yes = { "const": true },
    /// False and nothing else.
    No = { "const": false },
}
