//! Finds the stored tokens that match a query, and orders them for lists.
//!
//! The client's search worker runs this as a separate wasm module without keys, imports or a host. It writes a call's
//! input into the module's memory at the address from `room`, and reads the result from `given`. Texts are lower-case
//! UTF-8.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod columns;
pub mod haystack;
pub mod index;
pub mod input;
pub mod lexicon;
pub mod query;
pub mod result_order;
pub mod rows;

#[cfg(target_arch = "wasm32")]
mod module;
