//! The exports that open, change and search a vault.

mod activity;
mod backups;
mod changes;
mod data;
mod lifecycle;
mod lookups;
mod methods;
mod payments;
mod records;
