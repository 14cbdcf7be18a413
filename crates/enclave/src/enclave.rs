//! The plugin's one mutable state: which account is open, whether it is unlocked, and the states before the last
//! changes.

use keyhole_ucan::token::checked_delegations::CheckedDelegations;
use keyhole_ucan::work_budget::{Budget, Cost, TooMuchWork};
use keyhole_vault::backup::OpenBackup;
use keyhole_vault::backup::chunks::{ChunkOpener, ChunkSealer};
use keyhole_vault::error::VaultError;
use keyhole_vault::methods::unlock_proof::UnlockProof;
use keyhole_vault::seal::kdf::{self, KdfMemory};
use keyhole_vault::tools::Tools;
use keyhole_vault::vault::Vault;
use keyhole_vault::vault::sealed_state::SealedState;
use zeroize::Zeroizing;

use crate::host::{self, Host};
use crate::output::Output;
use crate::refusal::Refusal;

/// The account that is open.
#[derive(Default)]
pub enum Account {
    /// None.
    #[default]
    Absent,
    /// Its sealed state, and no secret.
    Locked(Box<SealedState>),
    /// All of it. Wiped when it is replaced or dropped.
    Unlocked(Box<Vault>),
}

/// How many changes can be rolled back: an action and its log entry are saved together.
const REMEMBERED_STATES: usize = 2;

/// A call, decoded, made and encoded.
pub type Answering = fn(&mut Enclave, &mut dyn Host, &[u8]) -> Output;

/// A call that waits for its key.
pub struct PausedCall {
    pub(crate) answer: Answering,
    pub(crate) input: Zeroizing<Vec<u8>>,
    pub(crate) given: Given,
}

/// What the host gave a call, in the order it asked.
#[derive(Default)]
pub(crate) struct Given {
    pub(crate) moments: Vec<i64>,
    pub(crate) random: Vec<Zeroizing<Vec<u8>>>,
}

/// What the plugin keeps between two calls.
#[derive(Default)]
pub struct Enclave {
    account: Account,
    /// The account before each of the last changes, latest last, in case the host can't save them.
    before: Vec<Account>,
    memory: KdfMemory,
    /// Signed delegations that verifying and validating found. Cleared by locking and closing.
    checked: CheckedDelegations,
    /// The backup being written, after its head.
    pub exporting: Option<ChunkSealer>,
    /// The backup being read.
    pub importing: Option<Importing>,
    /// The current call's budget, until it is taken.
    budget: Budget,
    /// The call that waits for its key.
    paused: Option<PausedCall>,
    /// This revision is never rolled back: what it counts may have been handed out.
    settled: u64,
    /// This device, as one of the account's. Dropped by locking and closing.
    #[cfg(feature = "devices")]
    pub(crate) device: Option<Box<crate::devices::OpenDevice>>,
    /// A device that is being added. Dropped by locking and closing.
    #[cfg(feature = "devices")]
    pub(crate) pairing: Option<Box<crate::devices::Pairing>>,
    /// An account that is opened by its recovery code alone. Dropped by locking and closing.
    #[cfg(feature = "devices")]
    pub(crate) recovery: Option<Box<crate::devices::Recovery>>,
}

/// An opened backup. It is read to its end before it is used.
pub struct Importing {
    /// Its head with the keys; `None` once used, or if it is only being checked.
    pub backup: Option<OpenBackup>,
    /// What opens the chunks after the head; `None` for a format without chunks.
    pub chunks: Option<ChunkOpener>,
}

impl Enclave {
    /// Starts a call and charges decoding its input, by its bytes and its JSON marks.
    ///
    /// # Errors
    /// [`TooMuchWork`] if that exceeds a call's budget.
    pub fn begin_call(&mut self, bytes: usize, marks: usize) -> Result<(), TooMuchWork> {
        self.budget = Budget::for_input(bytes);
        self.budget.spend(Cost::Marks(marks))
    }

    /// The current call's budget. It is taken once.
    pub fn budget(&mut self) -> Budget {
        std::mem::take(&mut self.budget)
    }

    /// Delegations that were checked before.
    pub fn checked(&mut self) -> &mut CheckedDelegations {
        &mut self.checked
    }

    /// The account that is open.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Argon2's memory.
    pub fn memory(&mut self) -> &mut KdfMemory {
        &mut self.memory
    }

    /// Takes the call that waits for its key.
    pub fn take_paused(&mut self) -> Option<PausedCall> {
        self.paused.take()
    }

    /// Keeps a call that waits for its key.
    pub fn keep_paused(&mut self, call: PausedCall) {
        self.paused = Some(call);
    }

    /// The sealed state of the account that is open, locked or not.
    ///
    /// # Errors
    /// VAULT_NOT_INITIALIZED.
    pub fn sealed(&self) -> Result<&SealedState, Refusal> {
        match &self.account {
            Account::Absent => Err(not_initialized()),
            Account::Locked(state) => Ok(state),
            Account::Unlocked(vault) => Ok(vault.state()),
        }
    }

    /// The unlocked account.
    ///
    /// # Errors
    /// VAULT_NOT_INITIALIZED, VAULT_LOCKED.
    pub fn unlocked(&self) -> Result<&Vault, Refusal> {
        match &self.account {
            Account::Absent => Err(not_initialized()),
            Account::Locked(_) => Err(locked()),
            Account::Unlocked(vault) => Ok(vault),
        }
    }

    /// The backup being read, if a new account is made of it: none is open.
    pub fn backup_of_new_account(&self) -> Option<&OpenBackup> {
        match &self.account {
            Account::Absent => self.importing.as_ref()?.backup.as_ref(),
            _ => None,
        }
    }

    /// Checks a proof of the unlocked account, without relying on an earlier check.
    ///
    /// # Errors
    /// As [`Enclave::unlocked`] and [`Vault::check_unlock_proof`].
    pub fn check_unlock_proof(&mut self, proof: UnlockProof<'_>) -> Result<(), Refusal> {
        match &self.account {
            Account::Unlocked(vault) => Ok(vault.check_unlock_proof(proof, &mut self.memory)?),
            _ => self.unlocked().map(drop),
        }
    }

    /// The unlock method of an account that a proof opens.
    ///
    /// # Errors
    /// As [`Vault::open_method`].
    #[cfg(feature = "devices")]
    pub fn open_method(
        &mut self,
        of: &Vault,
        proof: UnlockProof<'_>,
    ) -> Result<keyhole_vault::vault::method_keys::OpenMethod, Refusal> {
        Ok(of.open_method(proof, &mut self.memory)?)
    }

    /// Replaces the account for good, with another one or the same in another state. Clears the checked delegations.
    pub fn replace(&mut self, account: Account) {
        self.account = account;
        self.before.clear();
        self.checked = CheckedDelegations::default();
        // A locked or closed account doesn't keep the key of a backup file.
        self.exporting = None;
        self.importing = None;
        self.close_device();
    }

    /// Closes this device, and a pairing or a recovery that has begun.
    pub fn close_device(&mut self) {
        #[cfg(feature = "devices")]
        {
            self.device = None;
            self.pairing = None;
            self.recovery = None;
        }
    }

    /// Closes the open account.
    pub fn close(&mut self) {
        self.replace(Account::Absent);
        self.settled = 0;
    }

    /// Says that this revision is stored and what it signed is about to be handed out: it is never rolled back.
    ///
    /// # Errors
    /// VAULT_NOT_INITIALIZED.
    pub fn settle(&mut self, revision: u64) -> Result<(), Refusal> {
        let present = self.sealed()?.revision;
        self.settled = self.settled.max(revision.min(present));
        if self.settled == present {
            self.before.clear();
        }
        Ok(())
    }

    /// The revision that was last settled; 0 for none.
    pub fn settled(&self) -> u64 {
        self.settled
    }

    /// Opens a new account where none was. It can be rolled back like a change.
    pub fn begin(&mut self, vault: Vault) {
        let unlocked = Account::Unlocked(Box::new(vault));
        let before = std::mem::replace(&mut self.account, unlocked);
        self.remember(before);
    }

    /// Changes the unlocked account. A change that fails leaves everything as it was.
    ///
    /// # Errors
    /// As [`Enclave::unlocked`], and any refusal of the change.
    pub fn change<T, E: Into<Refusal>>(
        &mut self,
        host: &mut dyn Host,
        change: impl FnOnce(&mut Vault, &mut Tools<'_>) -> Result<T, E>,
    ) -> Result<T, Refusal> {
        let Account::Unlocked(vault) = &mut self.account else {
            return Err(match &self.account {
                Account::Absent => not_initialized(),
                _ => locked(),
            });
        };
        let before = vault.clone();
        let mut tools = tools(host, &mut self.memory)?;
        let answer = match change(vault, &mut tools) {
            Ok(answer) => answer,
            Err(error) => {
                *vault = before;
                return Err(error.into());
            }
        };
        // Without a new revision there is nothing to roll back, so don't keep a second copy of the keys.
        if vault.state().revision != before.state().revision {
            self.remember(Account::Unlocked(before));
        }
        Ok(answer)
    }

    fn remember(&mut self, before: Account) {
        if self.before.len() == REMEMBERED_STATES {
            self.before.remove(0);
        }
        self.before.push(before);
    }

    /// Tools for a change without an account: to create one.
    ///
    /// # Errors
    /// OPERATION_FAILED for a clock that is wrong.
    pub fn tools<'a>(&'a mut self, host: &'a mut dyn Host) -> Result<Tools<'a>, Refusal> {
        tools(host, &mut self.memory)
    }

    /// The unlocked account and the tools, for a call that changes nothing.
    ///
    /// # Errors
    /// As [`Enclave::unlocked`]; OPERATION_FAILED for a clock that is wrong.
    pub fn unlocked_with_tools<'a>(
        &'a mut self,
        host: &'a mut dyn Host,
    ) -> Result<(&'a Vault, Tools<'a>), Refusal> {
        match &self.account {
            Account::Absent => Err(not_initialized()),
            Account::Locked(_) => Err(locked()),
            Account::Unlocked(vault) => Ok((vault, tools(host, &mut self.memory)?)),
        }
    }

    /// Rolls back the last change, which made `revision` and could not be saved. Another call can roll back the one
    /// before it.
    ///
    /// # Errors
    /// VAULT_NOT_INITIALIZED; OPERATION_FAILED if that isn't the last change, no earlier state is kept, or
    /// (`AuthorisationDelivered`) it is settled.
    pub fn roll_back(&mut self, revision: u64) -> Result<(), Refusal> {
        if self.sealed()?.revision != revision {
            return Err(Refusal::from(VaultError::ChangeNotLast));
        }
        if revision <= self.settled {
            return Err(VaultError::AuthorisationDelivered.into());
        }
        let before = self.before.pop();
        self.account = before.ok_or_else(|| Refusal::from(VaultError::NoChangeToTakeBack))?;
        #[cfg(feature = "devices")]
        if self
            .unlocked()
            .is_ok_and(|vault| vault.sections().1.is_none())
        {
            self.device = None;
        }
        Ok(())
    }
}

fn tools<'a>(host: &'a mut dyn Host, memory: &'a mut KdfMemory) -> Result<Tools<'a>, Refusal> {
    Ok(Tools {
        now: host::now(host)?,
        random: host,
        memory,
        cost: kdf::Cost::TODAY,
    })
}

/// VAULT_NOT_INITIALIZED.
pub fn not_initialized() -> Refusal {
    Refusal::from(VaultError::NoVault)
}

fn locked() -> Refusal {
    Refusal::from(VaultError::VaultLocked)
}
