//! Adding, replacing and removing the unlock methods of an unlocked account.
//!
//! A removed method must not open what is written afterwards. So removing and replacing make a new data key, which the
//! other methods get through their public halves.

use alloc::string::{String, ToString};

use crate::error::VaultError;
use crate::methods::method_kdf::Parameters;
use crate::methods::recovery_code::RecoveryCode;
use crate::methods::unlock_method::Method;
use crate::methods::unlock_proof::{NewMethod, PASSKEY, PASSPHRASE, RECOVERY_CODE};
use crate::methods::unlock_proof::{NewMethods, NewPasskey, UnlockProof};
use crate::random;
use crate::seal::kdf::{KdfMemory, check_new_passphrase};
use crate::tools::Tools;
use crate::vault::sealed_state::{MAX_METHODS, SealedKey};
use crate::vault::{Vault, check_label};

impl NewMethods<'_> {
    /// Whether these methods are enough for an account, before any of them is made.
    pub(crate) fn check(&self) -> Result<(), VaultError> {
        if let Some(passphrase) = self.passphrase {
            check_new_passphrase(passphrase)?;
        }
        let passkeys = usize::from(self.passkey.is_some());
        let all =
            passkeys + usize::from(self.passphrase.is_some()) + usize::from(self.recovery_code);
        check_rule(self.passphrase.is_some(), passkeys, all)
    }
}

impl Vault {
    /// Checks a proof again, as changing unlock methods requires.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE; OPERATION_FAILED if there isn't enough memory.
    pub fn check_unlock_proof(
        &self,
        proof: UnlockProof<'_>,
        memory: &mut KdfMemory,
    ) -> Result<(), VaultError> {
        let data_key = self.state.open_data_key(proof, memory)?;
        if data_key != self.data_key {
            return Err(proof.refusal());
        }
        Ok(())
    }

    /// Checks a proof that can't be the recovery code, which is for someone who has lost the others. Exporting, making
    /// a new recovery code and removing a method require this.
    ///
    /// # Errors
    /// OPERATION_FAILED for a recovery code; else as [`Vault::check_unlock_proof`].
    pub fn check_strong_unlock_proof(
        &self,
        proof: UnlockProof<'_>,
        memory: &mut KdfMemory,
    ) -> Result<(), VaultError> {
        if matches!(proof, UnlockProof::RecoveryCode(_)) {
            return Err(VaultError::StrongerProofNeeded);
        }
        self.check_unlock_proof(proof, memory)
    }

    /// The name of an unlock method.
    pub fn method_label(&self, id: &str) -> Option<&str> {
        self.private.method_labels.get(id).map(String::as_str)
    }

    /// Raises the passphrase's cost if it is lower than today's. The caller has checked the passphrase. Answers whether
    /// anything changed.
    ///
    /// # Errors
    /// OPERATION_FAILED when randomness or memory fail.
    pub fn raise_cost(
        &mut self,
        passphrase: &str,
        tools: &mut Tools<'_>,
    ) -> Result<bool, VaultError> {
        let Some(method) = self.find_kind(PASSPHRASE) else {
            return Ok(false);
        };
        let Parameters::Passphrase(kdf) = method.parameters()? else {
            return Ok(false);
        };
        let Some(cost) = kdf.cost().raised() else {
            return Ok(false);
        };
        self.change(tools, |vault, tools| {
            vault.put(&NewMethod::Passphrase(passphrase, cost), tools)
        })?;
        Ok(true)
    }

    /// Gives the account a passphrase, or replaces the current one.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE if the proof is wrong or the new passphrase can't be used; OPERATION_FAILED when randomness
    /// or memory fail.
    pub fn set_passphrase(
        &mut self,
        proof: UnlockProof<'_>,
        passphrase: &str,
        tools: &mut Tools<'_>,
    ) -> Result<(), VaultError> {
        check_new_passphrase(passphrase)?;
        self.check_unlock_proof(proof, tools.memory)?;
        self.change(tools, |vault, tools| {
            let replaces = vault.find_kind(PASSPHRASE).is_some();
            vault.put(&NewMethod::Passphrase(passphrase, tools.cost), tools)?;
            vault.replace_data_key_if(replaces, tools)
        })
    }

    /// Adds a passkey; answers the method's id.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE if the proof is wrong; OPERATION_FAILED for a passkey that is invalid or already there, a
    /// label that is too long, past [`MAX_METHODS`], and when randomness or memory fail.
    pub fn add_passkey(
        &mut self,
        proof: UnlockProof<'_>,
        passkey: &NewPasskey<'_>,
        tools: &mut Tools<'_>,
    ) -> Result<String, VaultError> {
        check_label(passkey.label)?;
        self.check_unlock_proof(proof, tools.memory)?;
        self.change(tools, |vault, tools| vault.put_passkey(passkey, tools))
    }

    /// Makes a recovery code, and replaces the current one if there is one.
    ///
    /// # Errors
    /// As [`Vault::check_strong_unlock_proof`]; OPERATION_FAILED past [`MAX_METHODS`], and when randomness fails.
    pub fn new_recovery_code(
        &mut self,
        proof: UnlockProof<'_>,
        tools: &mut Tools<'_>,
    ) -> Result<RecoveryCode, VaultError> {
        self.check_strong_unlock_proof(proof, tools.memory)?;
        self.change(tools, |vault, tools| {
            let replaces = vault.find_kind(RECOVERY_CODE).is_some();
            let code = RecoveryCode::make(tools.random)?;
            vault.put(&NewMethod::RecoveryCode(&code), tools)?;
            vault.replace_data_key_if(replaces, tools)?;
            Ok(code)
        })
    }

    /// Removes a method: what it opened is of no use from then on.
    ///
    /// # Errors
    /// As [`Vault::check_strong_unlock_proof`]; OPERATION_FAILED if the account has no such method or would have too
    /// few, and when randomness fails.
    pub fn remove_method(
        &mut self,
        proof: UnlockProof<'_>,
        id: &str,
        tools: &mut Tools<'_>,
    ) -> Result<(), VaultError> {
        self.check_strong_unlock_proof(proof, tools.memory)?;
        self.find_method(id)?;
        self.change(tools, |vault, tools| {
            vault.state.methods.retain(|method| method.id != id);
            vault.private.method_labels.remove(id);
            if vault.is_second() && !vault.private.second.note_removed(id) {
                return Err(VaultError::TooManyMethods);
            }
            vault.check_methods()?;
            vault.replace_data_key_if(true, tools)
        })
    }

    /// Names a method; an empty label removes the name.
    ///
    /// # Errors
    /// OPERATION_FAILED if the account has no such method, for a label that is too long, and when randomness fails.
    pub fn label_method(
        &mut self,
        id: &str,
        label: &str,
        tools: &mut Tools<'_>,
    ) -> Result<(), VaultError> {
        self.find_method(id)?;
        let label = check_label(Some(label))?;
        self.change(tools, |vault, _| {
            vault.name_method(id, label);
            Ok(())
        })
    }

    /// The rule for methods: an account has a passphrase, or a passkey and another method. A passkey is lost with its
    /// device, and a recovery code is not for everyday use.
    ///
    /// # Errors
    /// OPERATION_FAILED, saying what to do first.
    pub(crate) fn check_methods(&self) -> Result<(), VaultError> {
        let methods = &self.state.methods;
        let passkeys = methods.iter().filter(|method| method.kind == PASSKEY);
        check_rule(
            self.find_kind(PASSPHRASE).is_some(),
            passkeys.count(),
            methods.len(),
        )
    }

    /// Adds these methods to a new account. The caller commits.
    pub(crate) fn add_methods(
        &mut self,
        new: &NewMethods<'_>,
        tools: &mut Tools<'_>,
    ) -> Result<Option<RecoveryCode>, VaultError> {
        if let Some(passphrase) = new.passphrase {
            self.put(&NewMethod::Passphrase(passphrase, tools.cost), tools)?;
        }
        if let Some(passkey) = &new.passkey {
            self.put_passkey(passkey, tools)?;
        }
        if !new.recovery_code {
            return Ok(None);
        }
        let code = RecoveryCode::make(tools.random)?;
        self.put(&NewMethod::RecoveryCode(&code), tools)?;
        Ok(Some(code))
    }

    fn put_passkey(
        &mut self,
        passkey: &NewPasskey<'_>,
        tools: &mut Tools<'_>,
    ) -> Result<String, VaultError> {
        let is_there = |method: &Method| match method.parameters() {
            Ok(Parameters::Passkey(one)) => one.credential == passkey.credential,
            _ => false,
        };
        if self.state.methods.iter().any(is_there) {
            return Err(VaultError::PasskeyKnown);
        }
        let id = self.put(&NewMethod::Passkey(passkey), tools)?;
        let label = check_label(passkey.label)?;
        self.name_method(&id, label);
        Ok(id)
    }

    /// Adds a method for the current data key. A new passphrase or recovery code replaces the old one under its id, so
    /// that its label stays.
    fn put(&mut self, new: &NewMethod<'_>, tools: &mut Tools<'_>) -> Result<String, VaultError> {
        let present = self.state.methods.iter().position(|one| match new {
            NewMethod::Passphrase(..) => one.kind == PASSPHRASE,
            NewMethod::Passkey(_) => false,
            NewMethod::RecoveryCode(_) => one.kind == RECOVERY_CODE,
        });
        if present.is_none() && self.state.methods.len() >= MAX_METHODS {
            return Err(VaultError::TooManyMethods);
        }
        let present = present.and_then(|at| self.state.methods.get_mut(at));
        let id = present.as_ref().map(|method| method.id.clone());
        let method = Method::make(new, id, &self.state.address, &self.data_key, tools)?;
        let id = method.id.clone();
        match present {
            Some(present) => {
                *present = method;
                if self.is_second() && !self.private.second.note_replaced(&id) {
                    return Err(VaultError::TooManyMethods);
                }
            }
            None => self.state.methods.push(method),
        }
        Ok(id)
    }

    /// Replaces the data key: seals every private key again, gives every method the new data key through its public
    /// half, and seals metadata under a new key from now on.
    pub(crate) fn replace_data_key_if(
        &mut self,
        replaces: bool,
        tools: &mut Tools<'_>,
    ) -> Result<(), VaultError> {
        if !replaces {
            return Ok(());
        }
        self.data_key = random::secret(tools.random)?;
        let address = &self.state.address;
        for method in &mut self.state.methods {
            method.seal_data_key(address, &self.data_key, tools.random)?;
        }
        for (sealed, key) in self.state.keys.iter_mut().zip(&self.keys) {
            *sealed = SealedKey::make(
                address,
                &sealed.id,
                key,
                sealed.created_at,
                &self.data_key,
                tools.random,
            )?;
        }
        if self.is_second() {
            self.private.second.epoch += 1;
        }
        self.private.ring.advance(tools.random)
    }

    fn name_method(&mut self, id: &str, label: Option<String>) {
        let labels = &mut self.private.method_labels;
        match label {
            Some(label) => labels.insert(id.to_string(), label),
            None => labels.remove(id),
        };
    }

    fn find_kind(&self, kind: &str) -> Option<&Method> {
        self.state.methods.iter().find(|method| method.kind == kind)
    }

    fn find_method(&self, id: &str) -> Result<&Method, VaultError> {
        let method = self.state.methods.iter().find(|method| method.id == id);
        method.ok_or(VaultError::MethodNotFound)
    }
}

fn check_rule(has_passphrase: bool, passkeys: usize, all: usize) -> Result<(), VaultError> {
    if has_passphrase || passkeys > 0 && all > 1 {
        return Ok(());
    }
    Err(match passkeys {
        0 => VaultError::RecoveryCodeAlone,
        _ => VaultError::PasskeyAlone,
    })
}

#[cfg(test)]
#[path = "unlock_methods_test.rs"]
mod tests;
