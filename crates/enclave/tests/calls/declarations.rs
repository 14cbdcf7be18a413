//! Every export does what it declares. Every call of these tests also checks that it does nothing else.

use keyhole_enclave::EXPORTS;
use keyhole_enclave::declaration::take_decoded;

use crate::malformed::examples;
use crate::support::Plugin;

fn names(declared: impl Fn(&&keyhole_enclave::export_macro::Export) -> bool) -> Vec<&'static str> {
    EXPORTS
        .iter()
        .filter(declared)
        .map(|export| export.name)
        .collect()
}

#[test]
fn every_declared_field_of_an_input_is_decoded() {
    for (name, example) in examples() {
        let export = EXPORTS.iter().find(|export| export.name == name).unwrap();
        let declared = export.declaration;
        for field in declared.strangers {
            assert!(example.get(field).is_some(), "{name} has no field {field}");
        }
        let mut plugin = Plugin::unlocked();
        take_decoded();
        let input = example.to_string().into_bytes().into();
        (export.call)(&mut plugin.enclave, &mut plugin.host, input);
        let decoded = take_decoded();
        // Names that are sealed on their way through, and any JSON that they are in.
        let secret = decoded.secrets > 0 || name == "seal_backup_chunk";
        assert_eq!(secret, declared.holds_secrets, "{name}");
        assert_eq!(
            decoded.strangers > 0,
            !declared.strangers.is_empty(),
            "{name}"
        );
    }
}

#[test]
fn every_export_whose_answer_has_a_sealed_state_changes_the_vault() {
    let changing = names(|export| export.declaration.changes_vault);
    for name in [
        "make_mandate",
        "spend_mandate",
        "countersign_payment",
        "suspend_mandate",
        "end_mandate",
    ] {
        assert!(changing.contains(&name), "{name}");
    }
}

#[test]
fn a_keyless_export_changes_nothing_and_answers_without_an_account() {
    for name in names(|export| export.declaration.keyless) {
        let export = EXPORTS.iter().find(|export| export.name == name).unwrap();
        assert!(!export.declaration.changes_vault, "{name}");
        let (_, example) = examples().into_iter().find(|(of, _)| *of == name).unwrap();
        let (mut without, mut with) = (Plugin::empty(), Plugin::unlocked());
        let answer = without.call(name, example.clone());
        assert_ne!(answer["code"], "VAULT_NOT_INITIALIZED", "{name}: {answer}");
        assert_ne!(answer["code"], "VAULT_LOCKED", "{name}: {answer}");
        assert_eq!(answer, with.call(name, example), "{name}");
    }
}
