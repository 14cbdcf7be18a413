//! Who signs: keys of three algorithms, and the DIDs that name them.

pub mod did;
pub mod did_document;
pub(crate) mod ed25519;
pub mod key;
pub mod key_type;
pub mod varsig;
