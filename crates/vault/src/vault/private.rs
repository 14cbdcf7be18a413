//! What is sealed beside the keys: the `private` section of the state.

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

/// Most keys, and most methods, whose deletion is remembered.
pub(crate) const MAX_TOMBSTONES: usize = 4_096;
/// Marks a removed method, instead of how often it was replaced.
pub(crate) const REMOVED: i64 = MAX_NUMBER as i64;
/// Most names that were not chosen and are still stored.
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
    /// What authenticates the activity log, once it has started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<ActivityLog>,
    /// The mandates with a budget, and their counts.
    #[serde(default, skip_serializing_if = "Mandates::is_empty")]
    pub mandates: Mandates,
    /// What `seal-v2` adds.
    #[serde(default, skip_serializing_if = "Second::is_none")]
    pub second: Second,
    /// A later version's fields, passed on unchanged.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// What `seal-v2` adds to the private section. A later version puts its fields beside this one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Second {
    /// Fields of a later version that a reader must know. This version knows none, and leaves such a state alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub critical: Vec<String>,
    /// Names this copy among all copies of the account. Every copy stores what it has counted under that name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter: Option<String>,
    /// How often the data key was replaced.
    #[serde(default)]
    pub epoch: u64,
    /// How often each key was deleted or brought back, by id. An odd number means deleted, whatever another copy says.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub deleted_keys: BTreeMap<String, i64>,
    /// How often unlock methods were replaced by another with the same id; [`REMOVED`] if one was removed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub methods: BTreeMap<String, i64>,
    /// Names that were not chosen when two copies were joined: what they named, a space, the name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<String>,
    /// The section that all of the account's devices share, of the crate that keeps them in step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<Section>,
    /// Fingerprint of the shared parts when they were last adopted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<Fixed<32>>,
    /// This device's section, which is never backed up or sent to other devices.
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

/// Whether Keyhole writes these parts in an account of this format.
///
/// # Errors
/// OPERATION_FAILED if they need a newer version.
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
    /// Whether it is empty, as in an account of `seal-v1`.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// For a copy that counts under a new name.
    pub(crate) fn make(random: &mut dyn Random) -> Result<Self, VaultError> {
        Ok(Self {
            counter: Some(make_counter(random)?),
            ..Self::default()
        })
    }

    /// What goes into a backup: nothing that belongs to one device.
    pub(crate) fn for_backup(&self) -> Self {
        Self {
            device: None,
            shared: None,
            ..self.clone()
        }
    }

    /// The same for a copy that counts under a new name.
    pub(crate) fn as_other_copy(&self, random: &mut dyn Random) -> Result<Self, VaultError> {
        Ok(Self {
            counter: Some(make_counter(random)?),
            ..self.for_backup()
        })
    }

    /// Whether a key was deleted and not brought back.
    pub(crate) fn is_deleted(&self, id: &str) -> bool {
        self.deleted_keys
            .get(id)
            .is_some_and(|times| times % 2 == 1)
    }

    /// Remembers that a key was deleted; `false` if there is no room.
    pub(crate) fn bury(&mut self, id: &str) -> bool {
        if has_no_space(&self.deleted_keys, id) {
            return false;
        }
        *self.deleted_keys.entry(id.to_string()).or_default() |= 1;
        true
    }

    /// Adding a deleted key brings it back.
    pub(crate) fn bring_back(&mut self, id: &str) {
        if let Some(times) = self.deleted_keys.get_mut(id) {
            *times += *times % 2;
        }
    }

    /// Remembers that a method was replaced by another with its id; `false` if there is no room.
    pub(crate) fn note_replaced(&mut self, id: &str) -> bool {
        let times = self.methods.get(id).copied().unwrap_or_default();
        self.note_method(id, (times + 1).min(REMOVED - 1))
    }

    /// Remembers that a method was removed; `false` if there is no room.
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

    /// Whether a method was removed.
    pub(crate) fn is_removed(&self, id: &str) -> bool {
        self.methods.get(id) == Some(&REMOVED)
    }

    /// What was deleted or removed in either is so in both.
    pub(crate) fn merge_tombstones(&mut self, other: &Self) {
        merge_highest(&mut self.deleted_keys, &other.deleted_keys);
        merge_highest(&mut self.methods, &other.methods);
    }

    /// Stores a name that was not chosen.
    pub(crate) fn keep_aside(&mut self, what: &str, name: &str) {
        self.keep(&[what, " ", name].concat());
    }

    /// Adds the names that another copy has stored.
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

/// Takes the higher of two counts under one name.
fn merge_highest(ours: &mut BTreeMap<String, i64>, theirs: &BTreeMap<String, i64>) {
    for (id, number) in theirs {
        let stored = ours.entry(id.clone()).or_default();
        *stored = (*stored).max(*number);
    }
}

/// A name for a copy's counter: 9 random bytes, base64url.
pub(crate) fn make_counter(random: &mut dyn Random) -> Result<String, VaultError> {
    Ok(base64::encode(&random::public::<COUNTER_LENGTH>(random)?))
}
