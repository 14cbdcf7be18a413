//! Bytes as text and as values: base64url, CIDs, DAG-CBOR, DAG-JSON, gzip. Strict: each value has one form, and any other is refused.

pub mod base64;
pub mod cbor;
pub mod cid;
pub mod dag_json;
pub(crate) mod gzip;
pub(crate) mod json;
pub(crate) mod view;
