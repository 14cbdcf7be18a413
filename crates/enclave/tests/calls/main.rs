//! Every export as the host calls it, JSON in and JSON out, without Extism.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod activity;
mod backups;
mod changes;
mod checked_delegations;
mod data;
mod dear;
mod declarations;
mod evaluate;
mod foreign_keys;
mod invocations;
mod lifecycle;
mod lookups;
mod malformed;
mod methods;
mod payments;
mod primitives;
mod records;
mod refusals;
mod steps;
mod support;
mod tokens;
mod vectors;
