//! Writes what each export takes, answers and refuses as JSON Schema. `npm run contract` makes TypeScript and tables
//! from it.
//!
//! Usage: `cargo run -p keyhole-enclave --features schema --example contract`

use keyhole_enclave::EXPORTS;
use keyhole_enclave::refusal_groups::GROUPS;
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
                    "refuses": declared.groups().map(|group| group.name).collect::<Vec<_>>(),
                }),
            )
        })
        .collect();
    let groups = GROUPS.iter().map(|group| {
        let names: Vec<_> = group.names().collect();
        json!({"name": group.name, "about": group.about.trim(), "names": names})
    });
    let contract = json!({
        "exports": exports,
        "refusals": groups.collect::<Vec<_>>(),
        "inputs": shapes.input.take_definitions(true),
        "answers": shapes.answer.take_definitions(true),
    });
    println!("{contract:#}");
}
