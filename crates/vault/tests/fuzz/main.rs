//! A short fuzz test without a fuzzer: each target reads its inputs with some thousands of changes. `crates/fuzz` runs
//! the same targets on millions of inputs, and records how many.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod mutate;
mod seeds;
mod source;
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};

use mutate::Mutator;
use seeds::Seeds;
use targets::TARGETS;

/// Inputs per target. One target derives a key from a passphrase each time, which takes as long as a thousand others.
fn inputs(target: &str) -> usize {
    match target {
        "backup_content" => 24,
        "chain" | "validation" => 2_500,
        _ => 5_000,
    }
}

#[test]
fn every_seed_passes() {
    let seeds = Seeds::of_vectors();
    for (name, target) in TARGETS {
        seeds.of(name).iter().for_each(|seed| target(seed));
    }
}

#[test]
fn every_reader_of_the_vectors_has_seeds() {
    let seeds = Seeds::of_vectors();
    for (name, _) in TARGETS {
        assert!(seeds.of(name).len() > 1, "{name}");
    }
}

#[test]
fn no_changed_input_makes_a_reader_panic_or_break_a_promise() {
    let seeds = Seeds::of_vectors();
    for (name, target) in TARGETS {
        let seeds = seeds.of(name);
        let mut mutator = Mutator::new(name);
        for count in 0..inputs(name) {
            let input = mutator.change(&seeds);
            let outcome = catch_unwind(AssertUnwindSafe(|| target(&input)));
            assert!(outcome.is_ok(), "{name}, input {count}: {}", hex(&input));
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
