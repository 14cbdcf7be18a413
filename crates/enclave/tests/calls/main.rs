//! Every export as the host calls it, JSON in and JSON out, without Extism.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod checked_delegations;
mod costly;
mod declarations;
mod devices;
mod evaluate;
mod foreign_keys;
mod invocations;
mod malformed;
mod pairing;
mod primitives;
mod recovery;
mod refusals;
mod sealed_heads;
mod steps;
mod support;
mod tokens;
mod vault;
mod vectors;
