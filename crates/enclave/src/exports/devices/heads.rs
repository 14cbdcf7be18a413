//! Changing what all devices share: which devices there are, keys and unlock methods. A head has to be appended at the relay first.

use keyhole_sync::bytes::{DeviceId, Raw, SealingKey};
use keyhole_sync::device::proposing::{HeadChange, NewParts};
use keyhole_sync::error::SyncError;
use keyhole_sync::head::{Member, Role};
use keyhole_ucan::codec::base64::{Bytes, Fixed};
use keyhole_vault::error::VaultError;
use keyhole_vault::methods::unlock_proof::UnlockProof;
use keyhole_vault::tools::Tools;
use keyhole_vault::vault::Vault;
use serde::{Deserialize, Serialize};

use super::code_device::add_code;
use super::opened::{Adopted, opened, status};
use crate::devices::refusals::{no_device, refused};
use crate::devices::shared_with;
use crate::enclave::Enclave;
use crate::exports::keys::KeyChange;
use crate::exports::methods::{MadeMethod, MethodChange};
use crate::host::Host;
use crate::inputs::Nothing;
use crate::refusal::Refusal;
use crate::status::Changed;
use crate::unlock_proof::UnlockProofInput;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Propose {
    change: Proposed,
    /// Needed to change devices and unlock methods.
    proof: Option<UnlockProofInput>,
    /// The DID of the account's relay: with it, a new recovery code opens the account from there.
    relay: Option<String>,
    /// Whether all devices have said that they read heads whose state is sealed. Once a head's is, so are all that follow.
    #[serde(default)]
    may_seal: bool,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Proposed {
    Add {
        device: Fixed<32>,
        sealing: Fixed<32>,
        /// Default: full.
        role: Option<AddedRole>,
    },
    Remove {
        device: Fixed<32>,
    },
    Join {},
    Keys(KeyChange),
    UnlockMethods(MethodChange),
}

/// What a new device may do: everything, or only report what it did.
#[derive(Clone, Copy, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum AddedRole {
    Full,
    Limited,
}

/// A head, and what it makes. None of it is in force before the head was read from the relay.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedHead {
    pub(super) records: Vec<Bytes>,
    /// The device's permission at the relay, for pairing.
    #[serde(skip_serializing_if = "Option::is_none")]
    permission: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_id: Option<String>,
    #[serde(flatten)]
    method: MadeMethod,
}

impl Proposed {
    /// Whether it changes who can open the account: a device or an unlock method.
    fn needs_proof(&self) -> bool {
        match self {
            Self::Add { .. } | Self::Remove { .. } | Self::UnlockMethods(_) => true,
            Self::Join {} | Self::Keys(_) => false,
        }
    }

    /// Changes keys or unlock methods in a draft.
    fn make(
        &self,
        draft: &mut Vault,
        proof: Option<UnlockProof<'_>>,
        tools: &mut Tools<'_>,
        made: &mut ProposedHead,
    ) -> Result<(), Refusal> {
        match (self, proof) {
            (Self::UnlockMethods(change), Some(proof)) => {
                made.method = change.make(draft, proof, tools)?;
            }
            (Self::Keys(change), _) => made.key_id = change.make(draft, tools)?,
            _ => {}
        }
        Ok(())
    }
}

/// `propose_head`: a head to append. Nothing changes here until it comes back from the relay.
pub fn propose(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Propose,
) -> Result<ProposedHead, Refusal> {
    let proof = match &input.proof {
        Some(proof) => Some(proof.read()?),
        None if input.change.needs_proof() => {
            return Err(Refusal::from(VaultError::input(
                "Changing devices or unlock methods needs a proof: missing field `proof`.",
            )));
        }
        None => None,
    };
    let proof = proof.as_ref().map(|proof| proof.get());
    // Taken out meanwhile, since a change needs the enclave's tools as well.
    opened(enclave)?;
    let open = enclave.device.take().ok_or_else(no_device)?;
    let proposed = propose_by(
        &open,
        proof,
        (&input.change, input.relay.as_deref(), input.may_seal),
        (enclave, host),
    );
    enclave.device = Some(open);
    proposed
}

/// A head by a device that is open. `relay`: where a new recovery code opens the account. `may_seal`: see [`NewParts`].
pub(super) fn propose_by(
    open: &crate::devices::OpenDevice,
    proof: Option<UnlockProof<'_>>,
    (proposed, relay, may_seal): (&Proposed, Option<&str>, bool),
    (enclave, host): (&mut Enclave, &mut dyn Host),
) -> Result<ProposedHead, Refusal> {
    let device = &open.device;
    let budget = &enclave.budget();
    let (number, removed) = match device.heads().tip() {
        Some((_, tip)) => (tip.number, tip.devices.removed.len()),
        None => return Err(refused(SyncError::NotMember)),
    };
    let account = device.account();
    // The proof has to be right for the last head, which this device may not have adopted yet.
    let opened = match proof {
        Some(proof) => Some(enclave.open_method(&open.shared_vault()?, proof)?),
        None => None,
    };
    let vault = enclave.unlocked().ok().cloned();
    let mut tools = enclave.tools(host)?;
    let tip_access = crate::devices::access::Access::of(&open.shared_vault()?)?;
    let method = opened.as_ref();
    let pseudonym = method.map(|method| tip_access.pseudonym(account, method));
    let pseudonym = pseudonym.transpose()?;
    let unread = open.unread(method);
    let devices_after = |changes: &[HeadChange]| {
        let after = device.devices_after(changes, &unread);
        Ok::<_, Refusal>(after.map_err(refused)?.0)
    };
    let (mut draft, mut access) = open.joined_vault((vault.as_ref(), method), &mut tools)?;
    let mut made = ProposedHead {
        records: Vec::new(),
        permission: None,
        key_id: None,
        method: MadeMethod::default(),
    };
    let now = tools.now as i64;
    let mut changes = match (proposed, &pseudonym) {
        (
            Proposed::Add {
                device,
                sealing,
                role,
            },
            Some(pseudonym),
        ) => {
            let member = Member {
                id: DeviceId(device.0),
                sealing: SealingKey(sealing.0),
                role: match role {
                    Some(AddedRole::Limited) => Role::Limited,
                    _ => Role::Full,
                },
            };
            let changes = vec![HeadChange::Add(member)];
            // A device that is known must not get a permission.
            devices_after(&changes)?;
            access.permit(pseudonym, member.id, now)?;
            made.permission = access.permission_of(member.id).map(str::to_owned);
            changes
        }
        (Proposed::Remove { device }, Some(pseudonym)) => {
            let id = DeviceId(device.0);
            access.revoke(pseudonym, id, now)?;
            vec![HeadChange::Remove(id)]
        }
        (Proposed::Join {}, _) => Vec::new(),
        _ => {
            proposed.make(&mut draft, proof, &mut tools, &mut made)?;
            Vec::new()
        }
    };
    if let Some(pseudonym) = &pseudonym {
        // A code that opens nothing any more must not leave a device behind.
        let devices = devices_after(&changes)?;
        for id in access.replaced_codes(&draft) {
            if devices.member(id).is_some() {
                changes.push(HeadChange::Remove(id));
            }
            access.revoke(pseudonym, id, now)?;
        }
        if let (Some(code), Some(relay)) = (made.method.recovery_code(), relay) {
            let of = (account, device.heads().root());
            let parts = (&draft, &mut access, pseudonym);
            let member = add_code((code, relay), of, parts, &mut tools, budget)?;
            changes.push(HeadChange::Add(member));
        }
    }
    let devices = devices_after(&changes)?;
    access.retain_codes(|id| devices.member(id).is_some());
    if devices.removed.len() != removed {
        // Who is removed has the old data key, and a head is no secret.
        draft.update(&mut tools, |parts, tools| parts.replace_data_key(tools))?;
    }
    access.seal_for_methods(pseudonym.as_ref(), &draft, tools.random)?;
    let section = access.section()?;
    draft.update(&mut tools, |parts, _| {
        parts.set_shared(section);
        Ok::<_, VaultError>(())
    })?;
    let state = draft.shared_state(number + 1, tools.random)?.to_text()?;
    let text = shared_with(&draft, account, &devices.members, tools.random)?;
    let parts = NewParts {
        shared: Some(text.as_bytes()),
        state: Some(Raw(state.into_bytes())),
        may_seal,
    };
    let head = device.propose_all(&changes, parts, &unread, tools.random);
    made.records = vec![Bytes(head.map_err(refused)?)];
    Ok(made)
}

/// `adopt_head`: takes the account's shared parts from the last head.
pub fn adopt(enclave: &mut Enclave, host: &mut dyn Host, _: Nothing) -> Result<Adopted, Refusal> {
    let shared = opened(enclave)?.shared_vault()?;
    enclave.change(host, |vault, tools| {
        vault.update(tools, |parts, _| parts.adopt(&shared))
    })?;
    Ok(Adopted {
        changed: Changed::of(enclave)?,
        device: status(enclave)?,
    })
}
