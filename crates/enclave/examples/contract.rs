//! Writes what each export takes and answers as JSON Schema. `npm run contract` makes TypeScript and tables of it.
//!
//! Usage: `cargo run -p keyhole-enclave --features schema --example contract`

use keyhole_enclave::EXPORTS;
use keyhole_enclave::shapes::Shapes;
use serde_json::{Value, json};

fn main() {
    let mut shapes = Shapes::default();
    let exports: serde_json::Map<String, Value> = EXPORTS
        .iter()
        .map(|export| {
            let (input, answer) = (export.shapes)(&mut shapes);
            let declared = export.declaration;
            (
                export.name.to_owned(),
                json!({
                    "input": input,
                    "answer": answer,
                    "declared": {
                        "changes_vault": declared.changes_vault,
                        "holds_secrets": declared.holds_secrets,
                        "keyless": declared.keyless,
                        "strangers": declared.strangers,
                    },
                }),
            )
        })
        .collect();
    let contract = json!({
        "exports": exports,
        "inputs": shapes.input.take_definitions(true),
        "answers": shapes.answer.take_definitions(true),
    });
    println!("{contract:#}");
}
