//! Tokens: their envelope and signatures, delegations, invocations and receipts, and the texts and containers they come in.

pub mod checked_delegations;
pub mod command;
pub mod container;
pub mod delegation;
pub mod envelope;
pub mod invocation;
pub mod payload;
pub mod read;
pub mod receipt;
pub(crate) mod signatures;
