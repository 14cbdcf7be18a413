//! Keyhole's core: keys, identifiers, sealing and UCAN 1.0.0. Pure: clock and randomness are arguments.
#![no_std]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

extern crate alloc;

pub mod activity;
pub mod address;
mod aead;
pub mod attenuate;
pub mod backup;
pub mod backup_chunks;
mod backup_file;
pub mod base64;
pub mod budget;
#[cfg(test)]
mod cases;
pub mod cbor;
pub mod chain;
pub mod checked_delegations;
pub mod cid;
pub mod command;
pub mod container;
pub mod currency;
pub mod dag_json;
pub mod delegation;
pub mod did;
pub mod did_document;
mod ed25519;
pub mod envelope;
pub mod error;
pub mod evaluate;
pub mod explain;
pub mod foreign_key;
pub mod glob;
mod gzip;
pub mod hd_key;
pub mod invocation;
mod json;
mod jwk;
pub mod kdf;
pub mod key;
pub mod mandate;
pub mod mandate_error;
pub mod mandate_terms;
pub mod mandates;
pub mod method_kdf;
mod methods;
pub mod mnemonic;
mod path;
pub mod payload;
pub mod payment;
mod pem;
pub mod period;
mod pkcs8;
pub mod policy;
pub mod primitive;
pub mod proof;
pub mod random;
pub mod receipt;
pub mod recovery_code;
pub mod revocation;
pub mod ring;
#[cfg(feature = "schema")]
mod schema;
pub mod seal;
mod search;
pub mod selector;
mod signatures;
pub mod slot;
pub mod spending;
mod strict;
#[cfg(test)]
mod testing;
pub mod time;
pub mod token;
pub mod validation;
pub mod varsig;
pub mod vault;
pub mod vault_error;
mod view;
