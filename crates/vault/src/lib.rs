//! Keyhole's vault: an account at rest and unlocked, its unlock methods, keys, backups and mandates. Pure: clock and randomness are
//! arguments.
#![no_std]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

extern crate alloc;

pub mod backup;
#[cfg(test)]
mod cases;
pub mod error;
pub mod keys;
pub mod methods;
pub mod pay;
pub mod random;
pub mod seal;
#[cfg(test)]
mod testing;
pub mod tools;
pub mod vault;
