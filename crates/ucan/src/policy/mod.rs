//! What a delegation says of the arguments (UCAN Delegation 1.0.0, "Policy"): statements, their selectors and globs, and whether they hold.

pub mod evaluate;
pub mod glob;
pub mod selector;
pub mod statement;
