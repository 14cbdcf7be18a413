//! A delegation's limits on arguments (UCAN Delegation 1.0.0, "Policy"): statements with their selectors and globs, and
//! evaluating them.

pub mod evaluate;
pub mod like;
pub mod selector;
pub mod statement;
