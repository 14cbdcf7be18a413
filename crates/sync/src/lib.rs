//! Keeps the devices of one account in step over a relay that is not trusted. Pure: clock and randomness are arguments.
//!
//! Each device signs its own log. One chain of heads says which devices there are, and which key they seal with. The account's state
//! follows from the set of records that a device has. The order in which they arrived makes no difference.
#![no_std]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

extern crate alloc;

pub mod bytes;
pub mod change;
pub mod device;
pub mod device_keys;
pub mod epoch;
pub mod error;
mod fault;
pub mod head;
pub mod heads;
pub mod left_out;
pub mod logs;
pub mod mend;
pub mod operation;
pub mod pairing;
pub mod record;
pub mod recovery;
pub mod relay_view;
#[cfg(test)]
mod simulator;
pub mod state;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod vector_test;
