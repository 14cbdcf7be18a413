//! What fits a query among very many stored tokens, and in which order lists show them.
//!
//! The client's search worker runs this as a wasm module of its own: no keys, no imports, no host. It writes what a call takes into the
//! module's memory, where `room` says, and reads what the call gives from `given`. Texts come in lower case and in UTF-8.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod hay;
pub mod index;
pub mod input;
pub mod lexicon;
pub mod query;
pub mod rows;

#[cfg(target_arch = "wasm32")]
mod module;
