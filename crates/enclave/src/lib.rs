//! The Extism plugin: JSON in, JSON out. Each export is a thin function that decodes, calls the vault or the tokens'
//! crate, and encodes.
//!
//! A refusal is a value, `{"error", "code"}`; a trap is a defect. `docs/enclave.md` describes every export.

mod answers;
pub mod call;
mod checks;
pub mod declaration;
#[cfg(feature = "devices")]
mod devices;
pub mod enclave;
pub mod export_macro;
mod exports;
pub mod host;
mod inputs;
pub mod output;
#[cfg(target_arch = "wasm32")]
mod plugin;
pub mod refusal;
pub mod refusal_groups;
#[cfg(feature = "schema")]
pub mod schema;
mod secret;
#[cfg(feature = "schema")]
pub mod shapes;
mod status;
pub mod steps;
mod strangers_text;
mod unlock_proof;

#[cfg(feature = "devices")]
pub use exports::DEVICE_EXPORTS;
pub use exports::EXPORTS;
#[cfg(feature = "primitives")]
pub use exports::KNOWN_ANSWERS;
