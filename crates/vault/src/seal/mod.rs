//! Sealing: encryption with associated data, key derivation, and the keys that metadata is sealed under.

pub mod activity_log;
pub(crate) mod aead;
pub mod answer;
pub mod format;
pub(crate) mod hpke;
pub mod kdf;
pub mod primitive;
pub mod ring;
pub mod section;
pub(crate) mod strict;
