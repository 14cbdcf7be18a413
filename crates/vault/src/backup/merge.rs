//! Adds what a backup has to an account: its keys, labels, log and mandates.

use alloc::string::String;
use alloc::vec::Vec;

use crate::backup::OpenBackup;
use crate::error::VaultError;
use crate::pay::mandate_count::Names;
use crate::seal::activity_log::ActivityLog;
use crate::tools::Tools;
use crate::vault::Vault;
use crate::vault::private::Second;

impl Vault {
    /// Adds the keys, labels and metadata keys of a backup that are missing here; what is here stays. Answers the ids
    /// of the added keys.
    ///
    /// # Errors
    /// OPERATION_FAILED for the backup of another account, past the limit of keys, and when randomness fails.
    pub fn merge(
        &mut self,
        backup: &OpenBackup,
        tools: &mut Tools<'_>,
    ) -> Result<Vec<String>, VaultError> {
        if backup.header.address != self.state.address {
            return Err(VaultError::ImportOfOtherAccount);
        }
        self.change(tools, |vault, tools| vault.take_over(backup, tools))
    }

    /// Adds what a backup has. Also restores one into a new account.
    pub(super) fn take_over(
        &mut self,
        backup: &OpenBackup,
        tools: &mut Tools<'_>,
    ) -> Result<Vec<String>, VaultError> {
        let mut added = Vec::new();
        let is_second = self.is_second();
        if let Some(second) = backup.second.as_ref().filter(|_| is_second) {
            self.private.second.merge_tombstones(second);
            self.drop_deleted_keys()?;
        }
        for entry in &backup.keys {
            let public = entry.key.public_key();
            if is_second && self.private.second.is_deleted(&entry.id) {
                continue;
            }
            let ours = self
                .keys
                .iter()
                .zip(&self.state.keys)
                .find(|(key, _)| key.public_key() == public)
                .map(|(_, sealed)| sealed.id.clone());
            match (ours, &entry.label) {
                (Some(id), Some(label)) => {
                    let labels = &mut self.private.key_labels;
                    labels.entry(id).or_insert_with(|| label.clone());
                }
                (Some(_), None) => {}
                (None, label) => {
                    added.push(self.add_key(
                        entry.key.clone(),
                        entry.created_at,
                        label.clone(),
                        tools.random,
                    )?);
                }
            }
        }
        self.private.ring.merge(&backup.ring);
        let private = &mut self.private;
        if is_second {
            ActivityLog::join(&mut private.log, backup.log.as_ref());
        } else {
            let log = backup.log.as_ref().map(ActivityLog::without_sides);
            ActivityLog::merge(&mut private.log, log.as_ref());
        }
        let counter = |second: &Second| second.counter.clone();
        let ours = counter(&private.second);
        match (&ours, backup.second.as_ref().and_then(counter)) {
            (Some(ours), Some(theirs)) => {
                let before = private.mandates.clone();
                let names = Names {
                    ours,
                    theirs: &theirs,
                };
                let theirs = &backup.mandates;
                private.mandates.merge_copy(names, theirs, tools.now);
                private.mandates.suspend_new(&before);
            }
            _ => {
                let theirs = backup.mandates.as_one_count();
                private.mandates.merge_backup(&theirs, tools.now);
            }
        }
        if self.private.label.is_none() {
            self.private.label = backup.label.clone();
        }
        Ok(added)
    }
}
