//! Invocations: who does what, and which delegations allow it (UCAN 1.0.0, "Invocation").
//! [`crate::validation::validate`] decides whether they do.

use alloc::string::ToString;
use alloc::vec::Vec;

use ipld_core::ipld::Ipld;

use crate::codec::cbor;
use crate::codec::cid::Cid;
use crate::error::TokenError;
use crate::identity::did::Did;
use crate::token::command::Command;
use crate::token::envelope::{Fields, Kind};
use crate::token::payload::{FieldReader, Payload, did, did_value, moment_value, wrong_type};
use crate::work_budget::Budget;

/// The payload of an invocation.
#[derive(Clone, Debug, PartialEq)]
pub struct Invocation {
    /// Who asks.
    pub issuer: Did,
    /// Whose resource it acts on.
    pub subject: Did,
    /// Who carries it out, if not the subject.
    pub audience: Option<Did>,
    /// What to do.
    pub command: Command,
    /// Its arguments.
    pub args: Fields,
    /// The delegations that allow it, root first.
    pub proofs: Vec<Cid>,
    /// Makes the token unique; empty for a command that may be repeated.
    pub nonce: Vec<u8>,
    /// Expiry in seconds; `None` for never.
    pub expires_at: Option<i64>,
    /// When it was made, in seconds.
    pub issued_at: Option<i64>,
    /// Facts that are not part of the request.
    pub meta: Option<Fields>,
    /// The receipt that led to it.
    pub cause: Option<Cid>,
}

impl Payload for Invocation {
    const KIND: Kind = Kind::Invocation;

    fn from_fields(fields: Fields, budget: &Budget) -> Result<Self, TokenError> {
        let mut fields = FieldReader::new(fields);
        let invocation = Self {
            issuer: fields.did("iss")?,
            subject: fields.did("sub")?,
            audience: fields
                .optional("aud")
                .map(|value| did("aud", value))
                .transpose()?,
            command: fields.command(budget)?,
            args: match fields.required("args")? {
                Ipld::Map(args) => args,
                _ => return Err(wrong_type("args", "a map")),
            },
            proofs: match fields.required("prf")? {
                Ipld::List(links) => links.iter().map(|link| cid("prf", link)).collect(),
                _ => Err(wrong_type("prf", "a list of links to tokens")),
            }?,
            nonce: fields.nonce()?,
            expires_at: fields.expiry()?,
            issued_at: fields.optional_moment("iat")?,
            meta: fields.optional_map("meta")?,
            cause: fields
                .optional("cause")
                .map(|value| cid("cause", &value))
                .transpose()?,
        };
        fields.finish()?;
        Ok(invocation)
    }

    fn to_fields(&self) -> Fields {
        let link = |cid: &Cid| Ipld::Link(cid.to_raw());
        let mut fields = Fields::from([
            ("iss".to_string(), did_value(&self.issuer)),
            ("sub".to_string(), did_value(&self.subject)),
            (
                "cmd".to_string(),
                Ipld::String(self.command.as_str().to_string()),
            ),
            ("args".to_string(), Ipld::Map(self.args.clone())),
            (
                "prf".to_string(),
                Ipld::List(self.proofs.iter().map(link).collect()),
            ),
            ("nonce".to_string(), Ipld::Bytes(self.nonce.clone())),
            ("exp".to_string(), moment_value(self.expires_at)),
        ]);
        if let Some(audience) = &self.audience {
            fields.insert("aud".to_string(), did_value(audience));
        }
        if self.issued_at.is_some() {
            fields.insert("iat".to_string(), moment_value(self.issued_at));
        }
        if let Some(meta) = &self.meta {
            fields.insert("meta".to_string(), Ipld::Map(meta.clone()));
        }
        if let Some(cause) = &self.cause {
            fields.insert("cause".to_string(), link(cause));
        }
        fields
    }

    fn issuer(&self) -> &Did {
        &self.issuer
    }
}

impl Invocation {
    /// The CID of the task: the same for everyone who asks, whatever proofs they show (UCAN 1.0.0, "Task").
    ///
    /// # Errors
    /// `MalformedToken` for arguments without a DAG-CBOR form. Arguments read from a token always have one.
    pub fn task(&self) -> Result<Cid, TokenError> {
        let command = Ipld::String(self.command.as_str().to_string());
        let task = Ipld::Map(Fields::from([
            ("sub".to_string(), did_value(&self.subject)),
            ("cmd".to_string(), command),
            ("args".to_string(), Ipld::Map(self.args.clone())),
            ("nonce".to_string(), Ipld::Bytes(self.nonce.clone())),
        ]));
        cbor::encode(&task)
            .map(|bytes| Cid::of(&bytes))
            .map_err(|error| TokenError::malformed(alloc::format!("The task: {error}.")))
    }

    /// Who carries it out: its audience, or else its subject.
    pub fn executor(&self) -> &Did {
        self.audience.as_ref().unwrap_or(&self.subject)
    }
}

fn cid(name: &str, value: &Ipld) -> Result<Cid, TokenError> {
    match value {
        Ipld::Link(raw) => Cid::from_raw(raw).map_err(|_| wrong_type(name, "a link to a token")),
        _ => Err(wrong_type(name, "a link to a token")),
    }
}
