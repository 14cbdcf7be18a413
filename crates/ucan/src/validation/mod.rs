//! Validation (UCAN 1.0.0, "Validation"): chains of delegations, invocations, revocations, and narrowing.

pub mod attenuate;
pub mod chain;
mod chain_search;
pub mod explain;
mod links;
mod path;
pub mod request;
pub mod revocation;
pub mod validate;
pub mod verify;
