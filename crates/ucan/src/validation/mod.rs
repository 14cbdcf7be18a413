//! Whether tokens hold (UCAN 1.0.0, "Validation"): chains of delegations, invocations, revocations, and what may be passed on.

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
