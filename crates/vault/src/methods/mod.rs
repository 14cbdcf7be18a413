//! Unlock methods: what a person shows, the key derived from it, and the account's key sealed to each method.

pub mod method_kdf;
pub mod recovery_code;
pub mod unlock_method;
pub mod unlock_proof;
