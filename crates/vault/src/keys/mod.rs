//! Keys from elsewhere: PKCS#8, SEC 1, JWK, and phrases of words with a derivation path.

pub mod foreign_key;
mod halves;
pub mod hd_key;
mod jwk;
pub mod mnemonic;
mod pem;
mod pkcs8;
