//! Receipts (UCAN Receipt, draft): the executor's statement of a task's result, as an invocation of `/ucan/assert`.

use alloc::string::ToString;
use alloc::vec::Vec;

use ipld_core::ipld::Ipld;

use crate::codec::cid::Cid;
use crate::error::TokenError;
use crate::identity::did::Did;
use crate::token::command::Command;
use crate::token::envelope::Fields;
use crate::token::invocation::Invocation;

/// The command.
pub const COMMAND: &str = "/ucan/assert";

/// The result of a task.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It succeeded, with this result.
    Ok(Ipld),
    /// It failed, with this error.
    Error(Ipld),
}

/// The payload of a receipt by `executor` about the task of this CID ([`Invocation::task`]). It does not expire.
///
/// # Errors
/// Never: the command is well formed.
pub fn receipt(
    executor: Did,
    task: Cid,
    outcome: Outcome,
    nonce: Vec<u8>,
) -> Result<Invocation, TokenError> {
    let (name, value) = match outcome {
        Outcome::Ok(value) => ("ok", value),
        Outcome::Error(value) => ("error", value),
    };
    let map = |name: &str, value| Ipld::Map(Fields::from([(name.to_string(), value)]));
    let facts = Ipld::Map(Fields::from([
        ("out".to_string(), map(name, value)),
        ("run".to_string(), Ipld::List(Vec::new())),
    ]));
    Ok(Invocation {
        issuer: executor.clone(),
        subject: executor,
        audience: None,
        command: Command::parse(COMMAND)?,
        args: Fields::from([
            ("about".to_string(), Ipld::Link(task.to_raw())),
            ("facts".to_string(), facts),
        ]),
        proofs: Vec::new(),
        nonce,
        expires_at: None,
        issued_at: None,
        meta: None,
        cause: None,
    })
}
