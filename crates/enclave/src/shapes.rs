//! What each export takes and answers as JSON Schema, from the types that decode and encode it. Never in the plugin.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::enclave::Enclave;
use crate::host::Host;
use crate::refusal::Refusal;

/// The two generators: an input may leave out a field with a default, an answer always has it.
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
