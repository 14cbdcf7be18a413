//! Tokens from the outside: the official vectors, our own, and a test for each rule.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod attenuate;
mod chain;
mod containers;
mod dag_json;
mod malformed;
mod official;
mod pinned;
mod policies;
mod properties;
mod selectors;
mod service;
mod support;
