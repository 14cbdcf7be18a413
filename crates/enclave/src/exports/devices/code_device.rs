//! The device of a recovery code: it only adds the device that recovers the account.

use ipld_core::ipld::Ipld;
use keyhole_sync::bytes::{AccountId, RecordId};
use keyhole_sync::head::{Member, Role};
use keyhole_sync::record::id_of;
use keyhole_sync::recovery::{CodeKeys, Entry};
use keyhole_ucan::codec::base64::{self, Bytes, Fixed};
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::delegation::NONCE_LENGTH;
use keyhole_ucan::token::invocation::Invocation;
use keyhole_ucan::work_budget::Budget;
use keyhole_vault::error::VaultError;
use keyhole_vault::methods::recovery_code::RecoveryCode;
use keyhole_vault::methods::unlock_proof::UnlockProof;
use keyhole_vault::random::Random;
use keyhole_vault::tools::Tools;
use keyhole_vault::vault::Vault;
use zeroize::Zeroizing;

use crate::devices::StoredKeys;
use crate::devices::access::{Access, COMMAND, CodeDevice, Pseudonym};
use crate::devices::refusals::{no_permission, refused};
use crate::exports::invocations::{TextForm, sign_and_check};
use crate::inputs::read_did;
use crate::refusal::Refusal;

/// Who signs a call to a code's place, and with what.
pub(super) struct Signing<'a> {
    pub(super) keys: &'a CodeKeys,
    pub(super) relay: &'a str,
    pub(super) now: i64,
    pub(super) expires_at: Option<i64>,
    pub(super) budget: &'a Budget,
}

impl Signing<'_> {
    pub(super) fn sign(
        &self,
        name: &str,
        (arg, value): (&str, Ipld),
        random: &mut dyn Random,
    ) -> Result<String, Refusal> {
        let key = self.keys.place();
        let place = Did::from_key(&key.public_key());
        let mut nonce = vec![0; NONCE_LENGTH];
        random.fill(&mut nonce)?;
        let command = Command::parse(&format!("{}/{name}", COMMAND));
        let invocation = Invocation {
            issuer: place.clone(),
            subject: place,
            audience: Some(read_did("relay", self.relay)?),
            command: command.map_err(|_| VaultError::internal("A relay has no such command."))?,
            args: [(arg.to_owned(), value)].into_iter().collect(),
            proofs: Vec::new(),
            nonce,
            expires_at: self.expires_at,
            issued_at: None,
            meta: None,
            cause: None,
        };
        let (now, budget) = (self.now, self.budget);
        let (made, _) = sign_and_check(&invocation, key, None, now, TextForm::Call, budget)?;
        Ok(made.token)
    }
}

/// Gives a recovery code its device, and what its place at a relay has to have. A head names the device.
pub(super) fn add_code(
    (code, relay): (&str, &str),
    (account, root): (AccountId, RecordId),
    (draft, access, pseudonym): (&Vault, &mut Access, &Pseudonym),
    tools: &mut Tools<'_>,
    budget: &Budget,
) -> Result<Member, Refusal> {
    let code = RecoveryCode::parse(code)?;
    let keys = CodeKeys::derive(code.bytes()).map_err(refused)?;
    let own = StoredKeys::of_code(&keys).get()?;
    let now = tools.now as i64;
    access.permit(pseudonym, own.id(), now)?;
    let permission = access.permission_of(own.id()).ok_or_else(no_permission)?;
    let entry = Entry {
        account,
        root,
        permission: Zeroizing::new(permission.as_bytes().to_vec()),
    };
    let record = keys.seal(&entry, tools.random).map_err(refused)?;
    let signing = Signing {
        keys: &keys,
        relay,
        now,
        // The relay may forget the record at any time.
        expires_at: None,
        budget,
    };
    let id = Ipld::String(base64::encode(&id_of(&record).0));
    let call = signing.sign("append", ("record", id), tools.random)?;
    let method = draft.open_method(UnlockProof::RecoveryCode(&code), tools.memory)?;
    access.add_code(CodeDevice {
        device: Fixed(own.id().0),
        method: *method.public_key(),
        record: Bytes(record),
        call,
    });
    Ok(Member {
        id: own.id(),
        sealing: own.sealing(),
        role: Role::Full,
    })
}
