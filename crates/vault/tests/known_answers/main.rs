//! Published answers and known attacks (Wycheproof, RFC 9106), run against the functions that a vault seals and signs
//! with.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod argon2id;
mod sealing;
mod signatures;
mod support;
