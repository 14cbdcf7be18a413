//! A simulator: devices, a relay that lies, kills and clocks, all from one seed; and what must hold afterwards.
//!
//! `KEYHOLE_HISTORIES=100000 cargo test -p keyhole-sync histories` runs that many. A history that fails is shortened and printed.

mod checks;
mod histories;
mod relay;
mod reopened;
mod rng;
mod shrink;
mod step;
mod vault;
mod world;
