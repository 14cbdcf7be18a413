//! Writes and reads a vault's activity log ([`crate::seal::activity_log`]).

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::random::Random;
use crate::seal::activity_log::{
    self, Activity, ActivityLog, LineText, MAX_ENTRIES, MAX_ENTRY_BYTES, SealedLine,
};
use crate::tools::Tools;
use crate::vault::Vault;

impl Vault {
    /// Appends lines to the log; the first call starts it. The lines are stored together with the new state.
    ///
    /// # Errors
    /// OPERATION_FAILED for no entries or more than [`MAX_ENTRIES`], for one that isn't an object, is past
    /// [`MAX_ENTRY_BYTES`] or has a number that isn't an integer; and when randomness fails.
    pub fn log_activity(
        &mut self,
        entries: &[Value],
        tools: &mut Tools<'_>,
    ) -> Result<Vec<SealedLine>, VaultError> {
        if entries.is_empty() || entries.len() > MAX_ENTRIES {
            return Err(VaultError::input(
                "Log between 1 and 1,000 entries at a time.",
            ));
        }
        for entry in entries {
            let is_short = serde_json::to_vec(entry)
                .map(Zeroizing::new)
                .is_ok_and(|text| text.len() <= MAX_ENTRY_BYTES);
            if !entry.is_object() || !is_short {
                return Err(VaultError::input(
                    "A log entry is an object of at most 2 KiB.",
                ));
            }
        }
        self.change(tools, |vault, tools| {
            let mut log = match vault.private.log.take() {
                Some(log) => log,
                None => ActivityLog::make(tools.random)?,
            };
            let lines = entries
                .iter()
                .map(|entry| vault.write_line(&mut log, entry, tools.random))
                .collect::<Result<_, _>>()?;
            vault.private.log = Some(log);
            Ok(lines)
        })
    }

    fn write_line(
        &self,
        log: &mut ActivityLog,
        entry: &Value,
        random: &mut dyn Random,
    ) -> Result<SealedLine, VaultError> {
        let line = log.line(entry)?;
        let text = serde_json::to_string(&line).map(Zeroizing::new);
        let text = text
            .map_err(|_| VaultError::internal("An entry of the log cannot be written as JSON."))?;
        let sealed = self.seal_record(&context(line.seq), &text, random)?;
        log.advance(&line);
        Ok(SealedLine {
            seq: line.seq,
            sealed,
        })
    }

    /// Reads what is left of the log, and says what is missing and what was changed.
    pub fn read_activity(&self, lines: &[SealedLine]) -> Activity {
        let mut given: BTreeMap<u64, Vec<Option<LineText>>> = BTreeMap::new();
        for line in lines {
            let text = self.open_record(&context(line.seq), &line.sealed).ok();
            let text = text.and_then(|text| serde_json::from_str::<LineText>(&text).ok());
            let text = text.filter(|text| text.seq == line.seq);
            given.entry(line.seq).or_default().push(text);
        }
        activity_log::read(self.private.log.as_ref(), given)
    }
}

fn context(seq: u64) -> String {
    format!("activity:{seq}")
}

#[cfg(test)]
#[path = "activity_test.rs"]
mod tests;
