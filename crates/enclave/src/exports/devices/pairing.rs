//! Pairing: adding a device by a code that it shows (`docs/sync.md`, "Adding a device").

use ipld_core::ipld::Ipld;
use keyhole_sync::bytes::{DeviceId, SealingKey};
use keyhole_sync::error::SyncError;
use keyhole_sync::pairing::{Code, Digits, NewSide, Offer, OldSide, PublicKeys};
use keyhole_ucan::codec::base64::{Bytes, Fixed};
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::delegation::NONCE_LENGTH;
use keyhole_ucan::token::envelope::Fields;
use keyhole_ucan::token::invocation::Invocation;
use keyhole_vault::error::VaultError;
use keyhole_vault::methods::recovery_code::RecoveryCode;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::opened::opened;
use crate::devices::Pairing;
use crate::devices::access::Access;
use crate::devices::refusals::{damaged, no_device, no_permission, refused};
use crate::enclave::{Account, Enclave};
use crate::exports::invocations::{TextForm, sign_and_check};
use crate::host::{self, Host};
use crate::inputs::{Nothing, read_did};
use crate::refusal::Refusal;
use crate::secret::{SecretText, write_secret};

/// How long a call to a mailbox is valid, in seconds.
const LIFETIME: i64 = 5 * 60;

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Begun {
    /// To show, and for the other device to read.
    #[serde(serialize_with = "write_secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pairing_code: Zeroizing<String>,
    message: Bytes,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Answer {
    code: SecretText,
    message: Bytes,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OneMessage {
    message: Bytes,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Message {
    message: Bytes,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Revealed {
    message: Bytes,
    /// Six digits, which must be those on the other device.
    digits: String,
    /// For `join_devices`.
    account: Fixed<32>,
    root: Fixed<32>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checked {
    /// Six digits, which must be those on the other device.
    digits: String,
    /// For `propose_head`.
    device: Fixed<32>,
    sealing: Fixed<32>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Welcomed {
    /// This device's permission at the relay.
    permission: String,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SignMailboxCall {
    /// Which message's mailbox, from 1 to 4.
    message: u8,
    call: MailboxCall,
    /// The relay's DID.
    relay: String,
    /// The code, before `answer_pairing`: its first message has to be read.
    code: Option<SecretText>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum MailboxCall {
    Open {},
    Read {
        /// How long the relay may wait for a message, in seconds.
        wait: Option<u32>,
    },
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SignedMailboxCall {
    token: String,
    /// The mailbox's DID, to write to.
    mailbox: String,
}

/// `begin_pairing`: on the new device, after `make_device`.
pub fn begin(enclave: &mut Enclave, host: &mut dyn Host, _: Nothing) -> Result<Begun, Refusal> {
    if matches!(enclave.account(), Account::Locked(_)) {
        enclave.unlocked()?;
    }
    let made = enclave.device.as_deref().ok_or_else(no_device)?;
    if made.device.heads().tip().is_some() {
        return Err(refused(SyncError::DeviceKnown));
    }
    let keys = made.keys.get()?;
    let keys = PublicKeys {
        device: keys.id(),
        sealing: keys.sealing(),
    };
    let (side, message) = NewSide::begin(keys, host).map_err(refused)?;
    let pairing_code = RecoveryCode::from_bytes(side.code().0.clone()).to_text();
    enclave.pairing = Some(Box::new(Pairing::New(side)));
    Ok(Begun {
        pairing_code,
        message: Bytes(message),
    })
}

/// `answer_pairing`: on the old device, with the code and the first message.
pub fn answer(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Answer,
) -> Result<Message, Refusal> {
    let code = read_code(&input.code)?;
    let open = opened(enclave)?;
    let keys = open.keys.get()?;
    let device = &open.device;
    if !device.devices().is_some_and(|all| all.is_full(device.id())) {
        return Err(refused(SyncError::NotMember));
    }
    let offer = Offer {
        account: device.account(),
        root: device.heads().root(),
        by: PublicKeys {
            device: keys.id(),
            sealing: keys.sealing(),
        },
    };
    let (side, message) = OldSide::answer(code, offer, &input.message.0, host).map_err(refused)?;
    enclave.pairing = Some(Box::new(Pairing::Old { side, new: None }));
    Ok(Message {
        message: Bytes(message),
    })
}

/// `reveal_pairing`: on the new device, with the second message. A person compares the digits before it joins.
pub fn reveal(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: OneMessage,
) -> Result<Revealed, Refusal> {
    let Some(Pairing::New(side)) = enclave.pairing.as_deref_mut() else {
        return Err(refused(SyncError::PairingOutOfStep));
    };
    let revealed = side.reveal(&input.message.0, host);
    let (message, offer, digits) = revealed.map_err(refused)?;
    Ok(Revealed {
        message: Bytes(message),
        digits: text_of(digits),
        account: Fixed(offer.account.0),
        root: Fixed(offer.root.0),
    })
}

/// `check_pairing`: on the old device, with the third message. A person compares the digits before a head names the device.
pub fn check(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    input: OneMessage,
) -> Result<Checked, Refusal> {
    opened(enclave)?;
    let Some(Pairing::Old { side, new }) = enclave.pairing.as_deref_mut() else {
        return Err(refused(SyncError::PairingOutOfStep));
    };
    let (keys, digits) = side.check(&input.message.0).map_err(refused)?;
    let DeviceId(device) = keys.device;
    let SealingKey(sealing) = keys.sealing;
    *new = Some(keys.device);
    Ok(Checked {
        digits: text_of(digits),
        device: Fixed(device),
        sealing: Fixed(sealing),
    })
}

/// `finish_pairing`: on the old device, once a head names the new one. The last message has its permission.
pub fn finish(enclave: &mut Enclave, host: &mut dyn Host, _: Nothing) -> Result<Message, Refusal> {
    opened(enclave)?;
    let open = enclave.device.as_deref().ok_or_else(no_device)?;
    let Some(Pairing::Old {
        side,
        new: Some(new),
    }) = enclave.pairing.as_deref()
    else {
        return Err(refused(SyncError::PairingOutOfStep));
    };
    let devices = open.device.devices();
    if devices.is_none_or(|devices| devices.member(*new).is_none()) {
        return Err(refused(SyncError::NotMember));
    }
    let access = Access::of(&open.shared_vault()?)?;
    let permission = access.permission_of(*new).ok_or_else(no_permission)?;
    let message = side.welcome(permission.as_bytes(), host);
    Ok(Message {
        message: Bytes(message.map_err(refused)?),
    })
}

/// `open_pairing`: on the new device, with the last message.
pub fn open(
    enclave: &mut Enclave,
    _: &mut dyn Host,
    input: OneMessage,
) -> Result<Welcomed, Refusal> {
    let Some(Pairing::New(side)) = enclave.pairing.as_deref() else {
        return Err(refused(SyncError::PairingOutOfStep));
    };
    let text = side.welcomed(&input.message.0).map_err(refused)?;
    let permission = core::str::from_utf8(&text).map_err(|_| damaged())?;
    Ok(Welcomed {
        permission: permission.to_owned(),
    })
}

/// `sign_mailbox_call`: by the key of a mailbox, which both devices have from the code.
pub fn sign(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: SignMailboxCall,
) -> Result<SignedMailboxCall, Refusal> {
    let budget = &enclave.budget();
    let code = match (&input.code, enclave.pairing.as_deref()) {
        (Some(code), _) => read_code(code)?,
        (None, Some(Pairing::New(side))) => side.code().clone(),
        (None, Some(Pairing::Old { side, .. })) => side.code().clone(),
        (None, None) => return Err(refused(SyncError::PairingOutOfStep)),
    };
    let key = code.mailbox(input.message).map_err(refused)?;
    let now = host::now(host)? as i64;
    let mailbox = Did::from_key(&key.public_key());
    let (command, args) = match input.call {
        MailboxCall::Open {} => ("/relay/mailbox/open", Fields::new()),
        MailboxCall::Read { wait } => {
            let wait = wait.map(|wait| ("wait".to_owned(), Ipld::Integer(wait.into())));
            ("/relay/mailbox/read", wait.into_iter().collect())
        }
    };
    let mut nonce = vec![0; NONCE_LENGTH];
    host.fill(&mut nonce)?;
    let command = Command::parse(command);
    let invocation = Invocation {
        issuer: mailbox.clone(),
        subject: mailbox.clone(),
        audience: Some(read_did("relay", &input.relay)?),
        command: command.map_err(|_| VaultError::internal("A relay has no such command."))?,
        args,
        proofs: Vec::new(),
        nonce,
        expires_at: Some(now + LIFETIME),
        issued_at: Some(now),
        meta: None,
        cause: None,
    };
    let (made, _) = sign_and_check(&invocation, &key, None, now, TextForm::Call, budget)?;
    Ok(SignedMailboxCall {
        token: made.token,
        mailbox: mailbox.as_str().to_owned(),
    })
}

fn read_code(code: &SecretText) -> Result<Code, Refusal> {
    let code = RecoveryCode::parse(code.expose());
    let code = code.map_err(|_| refused(SyncError::PairingCode))?;
    Ok(Code(code.bytes().clone()))
}

fn text_of(digits: Digits) -> String {
    format!("{:06}", digits.0)
}
