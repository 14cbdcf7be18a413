//! Calls to a relay, signed by this device's key.

use ipld_core::ipld::Ipld;
use keyhole_sync::bytes::DeviceId;
use keyhole_ucan::codec::base64::Fixed;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::delegation::NONCE_LENGTH;
use keyhole_ucan::token::envelope::Fields;
use keyhole_ucan::token::invocation::Invocation;
use keyhole_vault::error::VaultError;
use serde::{Deserialize, Serialize};

use super::opened::opened;
use crate::devices::access::{Access, COMMAND, RevokedPermission};
use crate::devices::refusals::{no_device, no_permission};
use crate::enclave::{Account, Enclave};
use crate::exports::invocations::{TextForm, proofs_of, read_chain, sign_and_check};
use crate::host::{self, Host};
use crate::inputs::{Nothing, read_did};
use crate::refusal::Refusal;
use crate::strangers_text::StrangersText;

/// How long a signed call is valid, in seconds.
pub(super) const LIFETIME: i64 = 5 * 60;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SignRelayCall {
    call: RelayCall,
    /// The relay's DID: `did:web:` and its host, with `%3A` before a port.
    relay: String,
    /// This device's permission, which pairing gives it. Not needed once it has joined.
    permission: Option<StrangersText>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum RelayCall {
    Append {
        /// The record's id: the SHA-256 of its bytes.
        record: Fixed<32>,
    },
    Read {
        /// A place in the relay's list, from 1.
        from: u32,
    },
    Watch {},
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SignedCall {
    /// For the `Authorization` header, after `Bearer `.
    token: String,
    /// Seconds since 1970.
    expires_at: i64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RevokedPermissions {
    permissions: Vec<RevokedPermission>,
}

impl RelayCall {
    fn parts(&self) -> (&'static str, Fields) {
        let (name, args) = match self {
            Self::Append { record } => {
                let record = keyhole_ucan::codec::base64::encode(&record.0);
                ("append", Some(("record", Ipld::String(record))))
            }
            Self::Read { from } => ("read", Some(("from", Ipld::Integer((*from).into())))),
            Self::Watch {} => ("watch", None),
        };
        let args = args
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        (name, args.collect())
    }
}

/// `sign_relay_call`: by the key of a device that is open, or that was made and hasn't joined yet.
pub fn sign(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: SignRelayCall,
) -> Result<SignedCall, Refusal> {
    let budget = &enclave.budget();
    let now = host::now(host)? as i64;
    if matches!(enclave.account(), Account::Locked(_)) {
        enclave.unlocked()?;
    }
    let open = enclave.device.as_deref().ok_or_else(no_device)?;
    let this = open.device.id();
    let permission = match &input.permission {
        Some(permission) => (**permission).to_owned(),
        None => match &open.permission {
            Some(permission) => permission.clone(),
            None => own_permission(enclave, this)?,
        },
    };
    let chain = read_chain(Some(&permission), None, now, budget)?.ok_or_else(no_permission)?;
    let keys = open.keys.get()?;
    let key = keys.signing();
    let (name, args) = input.call.parts();
    let mut nonce = vec![0; NONCE_LENGTH];
    host.fill(&mut nonce)?;
    let command = Command::parse(&format!("{COMMAND}/{name}"));
    let expires_at = now + LIFETIME;
    let invocation = Invocation {
        issuer: Did::from_key(&key.public_key()),
        subject: chain.subject().clone(),
        audience: Some(read_did("relay", &input.relay)?),
        command: command.map_err(|_| VaultError::internal("A relay has no such command."))?,
        args,
        proofs: proofs_of(Some(&chain)),
        nonce,
        expires_at: Some(expires_at),
        issued_at: Some(now),
        meta: None,
        cause: None,
    };
    let (made, _) = sign_and_check(&invocation, key, Some(chain), now, TextForm::Call, budget)?;
    Ok(SignedCall {
        token: made.token,
        expires_at,
    })
}

fn own_permission(enclave: &Enclave, this: DeviceId) -> Result<String, Refusal> {
    let access = Access::of(enclave.unlocked()?)?;
    let permission = access.permission_of(this).map(str::to_owned);
    permission.ok_or_else(no_permission)
}

/// `revoked_permissions`: what each relay has to be told, as often as one likes: a killed client may not have told it.
pub fn revoked(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    _: Nothing,
) -> Result<RevokedPermissions, Refusal> {
    opened(enclave)?;
    let access = Access::of(enclave.unlocked()?)?;
    Ok(RevokedPermissions {
        permissions: access.revoked().to_vec(),
    })
}
