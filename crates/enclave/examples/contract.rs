//! Writes what each export takes, answers and refuses as JSON Schema. `npm run contract` makes TypeScript and tables
//! from it.
//!
//! Usage: `cargo run -p keyhole-enclave --features devices,schema --example contract`

use keyhole_enclave::export_macro::Export;
use keyhole_enclave::refusal_groups::{DEVICES, GROUPS, RefusalGroup};
use keyhole_enclave::shapes::Shapes;
use keyhole_enclave::{DEVICE_EXPORTS, EXPORTS};
use serde_json::{Map, Value, json};

fn described(exports: &[Export], shapes: &mut Shapes) -> Map<String, Value> {
    let each = exports.iter().map(|export| {
        let (input, answer) = (export.shapes)(shapes);
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
                    "for_all_devices": declared.for_all_devices,
                    "strangers": declared.strangers,
                },
                "refuses": declared.groups().map(|group| group.name).collect::<Vec<_>>(),
            }),
        )
    });
    each.collect()
}

fn group(group: &RefusalGroup) -> Value {
    let names: Vec<_> = group.names().collect();
    json!({"name": group.name, "about": group.about.trim(), "names": names})
}

fn main() {
    let mut shapes = Shapes::default();
    let exports = described(EXPORTS, &mut shapes);
    let device_exports = described(DEVICE_EXPORTS, &mut shapes);
    let contract = json!({
        "exports": exports,
        "device_exports": device_exports,
        "refusals": GROUPS.iter().map(|each| group(each)).collect::<Vec<_>>(),
        "device_refusals": [group(DEVICES)],
        "inputs": shapes.input.take_definitions(true),
        "answers": shapes.answer.take_definitions(true),
    });
    println!("{contract:#}");
}
