#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

extern crate alloc;

pub mod codec;
pub mod error;
pub mod identity;
pub mod policy;
#[cfg(feature = "schema")]
mod schema;
pub mod time;
pub mod token;
pub mod validation;
pub mod work_budget;

pub use error::{TokenError, TokenErrorName};
pub use identity::did::Did;
pub use identity::key::{PublicKey, SecretKey};
pub use identity::key_type::KeyType;
pub use policy::statement::Policy;
pub use token::command::Command;
pub use token::container;
pub use token::delegation::{Delegation, issue};
pub use token::invocation::Invocation;
pub use token::payload::Signed;
pub use validation::attenuate::{Narrowing, attenuate};
pub use validation::revocation::Revocation;
pub use validation::validate::Conditions;
pub use validation::verify::{Allowed, verify};
