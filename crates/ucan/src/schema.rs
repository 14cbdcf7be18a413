//! JSON Schema for texts of bytes and DAG-JSON. Only used to build the plugin's contract.

use alloc::borrow::Cow;
use alloc::format;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::codec::base64::{Bytes, Fixed, Secret};
use crate::codec::dag_json::DagJson;

impl JsonSchema for Bytes {
    fn schema_name() -> Cow<'static, str> {
        "Bytes".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "contentEncoding": "base64url" })
    }
}

impl<const N: usize> JsonSchema for Fixed<N> {
    fn schema_name() -> Cow<'static, str> {
        format!("Bytes{N}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Bytes::json_schema(generator)
    }
}

impl<const N: usize> JsonSchema for Secret<N> {
    fn schema_name() -> Cow<'static, str> {
        format!("Secret{N}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Bytes::json_schema(generator)
    }
}

impl JsonSchema for DagJson {
    fn schema_name() -> Cow<'static, str> {
        "DagJson".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({})
    }
}
