//! The targets of `crates/vault/tests/fuzz`, for libFuzzer.

#[path = "../../vault/tests/fuzz/seeds.rs"]
pub mod seeds;
#[path = "../../vault/tests/fuzz/source.rs"]
mod source;
#[path = "../../vault/tests/fuzz/targets.rs"]
mod targets;

/// Runs a target by its name, which is its binary's.
///
/// # Panics
/// If there is no such target, or the target found something.
pub fn run(name: &str, input: &[u8]) {
    let target = targets::TARGETS.iter().find(|target| target.0 == name);
    (target.expect("each binary is named like its target").1)(input);
}

/// The names of the targets.
pub fn names() -> impl Iterator<Item = &'static str> {
    targets::TARGETS.into_iter().map(|target| target.0)
}
