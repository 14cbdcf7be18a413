//! Shapes that the contract describes in more detail than the types that decode and encode them. Never in the plugin.

use std::borrow::Cow;

use keyhole_ucan::error::{TokenErrorName, Why};
use keyhole_vault::error::groups;
use keyhole_vault::methods::unlock_proof;
use keyhole_vault::pay::mandate_why::MandateWhy;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::refusal_groups::PAYMENT_NAMES;
use crate::secret::SecretText;
use crate::strangers_text::StrangersText;

/// Types that the contract describes in more detail.
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

/// The particular reason of a refusal.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code)]
pub enum RefusalReason {
    /// A token.
    Token(Why),
    /// A payment or a mandate.
    Payment(MandateWhy),
}

/// Every name that the plugin refuses by.
pub enum RefusalName {}

impl JsonSchema for RefusalName {
    fn schema_name() -> Cow<'static, str> {
        "RefusalName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let rules = TokenErrorName::ALL.iter().map(|rule| rule.as_str());
        let vault = groups::ALL.iter().chain(&PAYMENT_NAMES).copied().flatten();
        let names: Vec<_> = vault.copied().chain(rules).collect();
        json_schema!({ "type": "string", "enum": names })
    }
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
    UnlockMethodKind = { "type": "string", "enum": unlock_proof::KINDS },
    /// The part of a delegation that a call is checked against.
    PolicyRule = { "type": "string", "enum": ["command", "statement"] },
    /// Always true.
    Yes = { "const": true },
    /// Always false.
    No = { "const": false },
}
