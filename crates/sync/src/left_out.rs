//! What a limited device wrote on a branch that was left out. The account's full devices may have no key for it, so the device writes it
//! again under the epoch that holds.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::bytes::{DeviceId, EpochId, RecordId};
use crate::heads::Heads;
use crate::logs::{Logs, Placed};

/// The operations of a log that are sealed under an epoch that no head of the chain has, or follow one that is. In the order of their
/// log.
///
/// The key of another branch's epoch may have been sealed to full devices of this one. That is not relied on: a limited device can't
/// check what was sealed to others.
pub fn left_out(heads: &Heads, logs: &Logs, author: DeviceId) -> Vec<(RecordId, Arc<Placed>)> {
    if heads.is_one_chain() {
        return Vec::new();
    }
    let chain = heads.chain().iter().filter_map(|id| heads.get(*id));
    let epochs: BTreeSet<EpochId> = chain.map(|head| head.epoch).collect();
    let mut all: Vec<_> = logs
        .placed()
        .filter(|(_, placed)| placed.author == author)
        .collect();
    all.sort_by_key(|(id, placed)| (placed.operation.seq, *id));
    let mut left_out = BTreeSet::new();
    all.retain(|(id, placed)| {
        let mut prev = placed.operation.prev.iter();
        let is_left_out =
            !epochs.contains(&placed.epoch) || prev.any(|prev| left_out.contains(prev));
        if is_left_out {
            left_out.insert(*id);
        }
        is_left_out
    });
    all.into_iter()
        .map(|(id, placed)| (id, placed.clone()))
        .collect()
}
