//! What is sealed beside the keys: the state's `private` section.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::VaultError;
use crate::pay::mandates::Mandates;
use crate::random::{self, Random};
use crate::seal::activity_log::ActivityLog;
use crate::seal::format::{FORMAT, MAX_NUMBER};
use crate::seal::ring::Ring;
use crate::seal::section::Section;
use keyhole_ucan::codec::base64::{self, Fixed};

/// Most keys, and most methods, that are known to have been deleted.
pub(crate) const MAX_TOMBSTONES: usize = 4_096;
/// In the place of how often a method was replaced: it was taken away.
pub(crate) const REMOVED: i64 = MAX_NUMBER as i64;
/// Most names that lost to another one and are stored.
const MAX_SET_ASIDE: usize = 256;
const COUNTER_LENGTH: usize = 9;

/// What is sealed beside the keys.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Private {
    /// The account's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The keys' names, by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub key_labels: BTreeMap<String, String>,
    /// The unlock methods' names, by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub method_labels: BTreeMap<String, String>,
    /// The metadata keys, newest last.
    pub ring: Ring,
    /// What authenticates the activity log, once it has been begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<ActivityLog>,
    /// The mandates with a budget, and their counts.
    #[serde(default, skip_serializing_if = "Mandates::is_empty")]
    pub mandates: Mandates,
    /// What `seal-v2` has besides.
    #[serde(default, skip_serializing_if = "Second::is_none")]
    pub second: Second,
    /// What a later version keeps here, handed on as it is.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// What the private section of `seal-v2` has besides. A later version puts its fields beside this one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Second {
    /// Those fields of a later version that a reader has to know: this one knows none, and leaves such a state alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub critical: Vec<String>,
    /// Names this copy among all copies of the account: what it has counted is under that name everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter: Option<String>,
    /// How often the data key was replaced.
    #[serde(default)]
    pub epoch: u64,
    /// Keys that were deleted or brought back, by id, and how often: a key whose number is odd is deleted, whichever copy comes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub deleted_keys: BTreeMap<String, i64>,
    /// Unlock methods that were replaced by another under their id, and how often; [`REMOVED`] where one was taken away.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub methods: BTreeMap<String, i64>,
    /// Names that lost to another one when two copies were joined: what they named, a space, the name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<String>,
    /// What all devices of the account share; of the crate that keeps them in step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<Section>,
    /// Of what all devices share, as it was adopted last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<Fixed<32>>,
    /// What this device alone has; it goes into no backup and to no other device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Section>,
}

impl Private {
    /// As [`check`].
    pub(crate) fn check(&self, format: &str) -> Result<bool, VaultError> {
        let second = (!self.second.is_none()).then_some(&self.second);
        check(format, second, self.log.as_ref(), &self.mandates)
    }
}

/// Whether these are parts that Keyhole writes in an account of this format.
///
/// # Errors
/// OPERATION_FAILED where they need a newer version.
pub(crate) fn check(
    format: &str,
    second: Option<&Second>,
    log: Option<&ActivityLog>,
    mandates: &Mandates,
) -> Result<bool, VaultError> {
    if format == FORMAT {
        let has_others = log.is_some_and(ActivityLog::has_sides) || mandates.have_counters();
        return Ok(second.is_none() && !has_others);
    }
    let Some(second) = second else {
        return Ok(false);
    };
    if !second.critical.is_empty() {
        return Err(VaultError::StateNewer);
    }
    let mut numbers = second.deleted_keys.values().chain(second.methods.values());
    Ok(second.counter.is_some()
        && second.epoch <= MAX_NUMBER
        && numbers.all(|number| (1..=REMOVED).contains(number))
        && second.deleted_keys.len() <= MAX_TOMBSTONES
        && second.methods.len() <= MAX_TOMBSTONES)
}

impl Second {
    /// Whether there is nothing in it: an account of `seal-v1`.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Of a copy that counts for itself from now on.
    pub(crate) fn make(random: &mut dyn Random) -> Result<Self, VaultError> {
        Ok(Self {
            counter: Some(make_counter(random)?),
            ..Self::default()
        })
    }

    /// What of it goes into a backup: nothing that is this device's alone.
    pub(crate) fn for_backup(&self) -> Self {
        Self {
            device: None,
            shared: None,
            ..self.clone()
        }
    }

    /// The same of a copy that counts for itself from now on.
    pub(crate) fn as_other_copy(&self, random: &mut dyn Random) -> Result<Self, VaultError> {
        Ok(Self {
            counter: Some(make_counter(random)?),
            ..self.for_backup()
        })
    }

    /// Whether a key was deleted, and not brought back.
    pub(crate) fn is_deleted(&self, id: &str) -> bool {
        self.deleted_keys
            .get(id)
            .is_some_and(|times| times % 2 == 1)
    }

    /// Remembers that a key was deleted; `false` where there is no room.
    pub(crate) fn bury(&mut self, id: &str) -> bool {
        if has_no_space(&self.deleted_keys, id) {
            return false;
        }
        *self.deleted_keys.entry(id.to_string()).or_default() |= 1;
        true
    }

    /// Whoever adds a key that was deleted wants it back.
    pub(crate) fn bring_back(&mut self, id: &str) {
        if let Some(times) = self.deleted_keys.get_mut(id) {
            *times += *times % 2;
        }
    }

    /// Remembers that a method was replaced by another under its id; `false` where there is no room.
    pub(crate) fn note_replaced(&mut self, id: &str) -> bool {
        let times = self.methods.get(id).copied().unwrap_or_default();
        self.note_method(id, (times + 1).min(REMOVED - 1))
    }

    /// Remembers that a method was taken away; `false` where there is no room.
    pub(crate) fn note_removed(&mut self, id: &str) -> bool {
        self.note_method(id, REMOVED)
    }

    fn note_method(&mut self, id: &str, times: i64) -> bool {
        if has_no_space(&self.methods, id) {
            return false;
        }
        self.methods.insert(id.to_string(), times);
        true
    }

    /// Whether a method was taken away.
    pub(crate) fn is_removed(&self, id: &str) -> bool {
        self.methods.get(id) == Some(&REMOVED)
    }

    /// What was deleted or taken away in either is so in both.
    pub(crate) fn merge_tombstones(&mut self, other: &Self) {
        merge_highest(&mut self.deleted_keys, &other.deleted_keys);
        merge_highest(&mut self.methods, &other.methods);
    }

    /// Keeps a name that lost to another one.
    pub(crate) fn keep_aside(&mut self, what: &str, name: &str) {
        self.keep(&[what, " ", name].concat());
    }

    /// Keeps what another copy has stored.
    pub(crate) fn merge_set_aside(&mut self, other: &Self) {
        other.set_aside.iter().for_each(|text| self.keep(text));
    }

    fn keep(&mut self, text: &str) {
        let is_there = self.set_aside.iter().any(|there| there == text);
        if !is_there && self.set_aside.len() < MAX_SET_ASIDE {
            self.set_aside.push(text.to_string());
            self.set_aside.sort();
        }
    }
}

fn has_no_space(of: &BTreeMap<String, i64>, id: &str) -> bool {
    of.len() >= MAX_TOMBSTONES && !of.contains_key(id)
}

/// Of two counts under one name the higher one.
fn merge_highest(ours: &mut BTreeMap<String, i64>, theirs: &BTreeMap<String, i64>) {
    for (id, number) in theirs {
        let stored = ours.entry(id.clone()).or_default();
        *stored = (*stored).max(*number);
    }
}

/// A name for a copy that counts: 9 random bytes, base64url.
pub(crate) fn make_counter(random: &mut dyn Random) -> Result<String, VaultError> {
    Ok(base64::encode(&random::public::<COUNTER_LENGTH>(random)?))
}
