//! The one mutable state of the plugin: which account is open, whether it is unlocked, and the states before the last changes.

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

/// How many changes can be taken back: an act and its line in the log are saved together.
const REMEMBERED_STATES: usize = 2;

/// A call, decoded, made and encoded.
pub type Answering = fn(&mut Enclave, &mut dyn Host, &[u8]) -> Output;

/// A call that waits for its key.
pub struct PausedCall {
    pub(crate) answer: Answering,
    pub(crate) input: Zeroizing<Vec<u8>>,
    pub(crate) given: Given,
}

/// What the host gave a call, in the order in which it asked.
#[derive(Default)]
pub(crate) struct Given {
    pub(crate) moments: Vec<i64>,
    pub(crate) random: Vec<Zeroizing<Vec<u8>>>,
}

/// What the plugin holds between two calls.
#[derive(Default)]
pub struct Enclave {
    account: Account,
    /// The account before each of the last changes, the latest last: the host may not be able to save them.
    before: Vec<Account>,
    memory: KdfMemory,
    /// What verifying and validating found signed. Locking and closing forget it.
    checked: CheckedDelegations,
    /// The backup that is being written, after its head.
    pub exporting: Option<ChunkSealer>,
    /// The backup that is being read.
    pub importing: Option<Importing>,
    /// Of the call that is being made, until it is taken.
    budget: Budget,
    /// The call that waits for its key.
    paused: Option<PausedCall>,
    /// The state of this revision is never gone back from: what it counts may be out.
    settled: u64,
}

/// A backup that was opened, and is read to its end before anything is made of it.
pub struct Importing {
    /// Its head with the keys; `None` once it was made use of, or where it is only checked.
    pub backup: Option<OpenBackup>,
    /// What follows the head; `None` for a format that has no chunks.
    pub chunks: Option<ChunkOpener>,
}

impl Enclave {
    /// Begins a call, and charges the decoding of its input: so many bytes, with so many marks of JSON in them.
    ///
    /// # Errors
    /// [`TooMuchWork`] where that takes more than a call may take.
    pub fn begin_call(&mut self, bytes: usize, marks: usize) -> Result<(), TooMuchWork> {
        self.budget = Budget::for_input(bytes);
        self.budget.spend(Cost::Marks(marks))
    }

    /// What the call that is being made may cost. It is taken once.
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

    /// Has a call wait for its key.
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

    /// Checks a proof of the unlocked account anew.
    ///
    /// # Errors
    /// As [`Enclave::unlocked`] and [`Vault::check_unlock_proof`].
    pub fn check_unlock_proof(&mut self, proof: UnlockProof<'_>) -> Result<(), Refusal> {
        match &self.account {
            Account::Unlocked(vault) => Ok(vault.check_unlock_proof(proof, &mut self.memory)?),
            _ => self.unlocked().map(drop),
        }
    }

    /// Puts another account, or the same one in another state, in the place of this one, for good. Forgets what was checked.
    pub fn replace(&mut self, account: Account) {
        self.account = account;
        self.before.clear();
        self.checked = CheckedDelegations::default();
        // What is locked or left keeps no key of a file either.
        self.exporting = None;
        self.importing = None;
    }

    /// Lets go of the account that is open.
    pub fn close(&mut self) {
        self.replace(Account::Absent);
        self.settled = 0;
    }

    /// The state of this revision is stored, and what was signed with it is about to be handed out: it is taken back no more.
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

    /// The revision that was settled last; 0 for none.
    pub fn settled(&self) -> u64 {
        self.settled
    }

    /// Puts a new account in the place of none. It can be taken back as a change can.
    pub fn begin(&mut self, vault: Vault) {
        let unlocked = Account::Unlocked(Box::new(vault));
        let before = std::mem::replace(&mut self.account, unlocked);
        self.remember(before);
    }

    /// Makes a change to the unlocked account. A change that fails changes nothing, nor what can be taken back.
    ///
    /// # Errors
    /// As [`Enclave::unlocked`], and whatever the change answers.
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
        // Nothing was changed, nothing can be taken back, and no second copy of the keys is kept.
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

    /// Uses the tools of a change without an account: for making one.
    ///
    /// # Errors
    /// OPERATION_FAILED for a clock that is wrong.
    pub fn tools<'a>(&'a mut self, host: &'a mut dyn Host) -> Result<Tools<'a>, Refusal> {
        tools(host, &mut self.memory)
    }

    /// The unlocked account beside the tools, for what changes nothing.
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

    /// Takes the last change back, which made `revision` and could not be saved; then, in another call, the one before it.
    ///
    /// # Errors
    /// VAULT_NOT_INITIALIZED; OPERATION_FAILED when that is not the last change, as many as are kept were taken back, or
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
