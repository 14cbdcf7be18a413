//! What must hold once everything has settled.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::world::{Removal, World};
use crate::bytes::RecordId;
use crate::device::Device;
use crate::device::proposing::HeadChange;
use crate::head::Role;

/// Checks all of it.
///
/// # Errors
/// The first thing that does not.
pub fn check(world: &mut World) -> Result<(), String> {
    if let Some(wrong) = &world.wrong {
        return Err(wrong.clone());
    }
    let nodes = &world.nodes;
    let (tip, head) = nodes[0].ram.heads().tip().ok_or("There is no head.")?;
    let head = head.clone();
    let full: Vec<usize> = (0..nodes.len())
        .filter(|at| head.devices.is_full(nodes[*at].ram.id()))
        .collect();
    let first = *full.first().ok_or("There is no full device.")?;
    let state = nodes[first].ram.state().to_bytes().unwrap();
    let removals = removals_that_hold(world, &nodes[first].ram);
    for (at, node) in nodes.iter().enumerate() {
        if node.ram.heads().tip().map(|(id, _)| id) != Some(tip) {
            return Err(format!("Device {at} has another head than device 0."));
        }
        if full.contains(&at) && node.ram.state().to_bytes().unwrap() != state {
            return Err(format!(
                "Device {at} has another state than device {first}."
            ));
        }
        check_forged(world, at, &removals)?;
        if world
            .forged
            .keys()
            .any(|id| node.ram.heads().get(*id).is_some())
        {
            return Err(format!("Device {at} takes a head that was forged."));
        }
    }
    let reader = &nodes[first].ram;
    for (at, node) in nodes.iter().enumerate() {
        let this = node.ram.id();
        let removed: Vec<_> = removals.iter().filter(|one| one.1.of == this).collect();
        if removed.is_empty() != head.devices.removed(this).is_none() {
            return Err(format!("Device {at}: removed is {}.", removed.is_empty()));
        }
        let cuts = removed
            .iter()
            .flat_map(|one| reader.logs().up_to(&one.1.cut));
        let cuts: BTreeSet<RecordId> = cuts.collect();
        let was_added = head.devices.role(this).is_some();
        for id in &node.saved {
            let all = world.all_of(*id);
            let must_count = (removed.is_empty() || !cuts.is_disjoint(&all)) && was_added;
            if must_count == reader.counted().is_disjoint(&all) {
                return Err(format!("{id:?} of device {at}: counts is {}.", !must_count));
            }
        }
        let limited = head.devices.role(node.ram.id()) == Some(Role::Limited);
        let mut placed = node.ram.logs().placed();
        if limited && placed.any(|(_, placed)| placed.author != node.ram.id()) {
            return Err(format!("Device {at} is limited, and reads others' logs."));
        }
        for change in &node.asked {
            if let HeadChange::Remove(id) = change
                && full.contains(&at)
                && head.devices.member(*id).is_some()
            {
                return Err(format!("Device {at} could not remove {id:?}."));
            }
        }
    }
    check_keys(world, &full)?;
    check_secrets(world)?;
    check_order(world, first, &state)
}

/// Full devices have the same keys. No key is lost while a full device has it that once had it; and if a head has keys that no device
/// that is left can read, each says so.
fn check_keys(world: &World, full: &[usize]) -> Result<(), String> {
    let Some(first) = full.first().filter(|_| world.has_keys) else {
        return Ok(());
    };
    let keys = &world.nodes[*first].vault.now;
    for at in full {
        let (node, unread) = (&world.nodes[*at], world.unread(*at));
        if node.vault.now != *keys {
            return Err(format!("Device {at} has other keys than device {first}."));
        }
        let mut held = node.vault.held.iter();
        if let Some(key) = held.find(|key| !keys.keys.contains(key) && !world.deleted.contains(key))
        {
            return Err(format!("Key {key}, which device {at} had, is lost."));
        }
        if let Some(id) = closed_state(&node.ram) {
            return Err(format!("Device {at} can't open the state of {id:?}."));
        }
        let holding = heads_that_hold(&node.ram);
        for (key, head) in &world.added {
            let is_known = keys.keys.contains(key) || world.deleted.contains(key);
            let is_left_out = !holding.contains(head);
            if !is_known && !is_left_out && unread.is_empty() {
                return Err(format!(
                    "Device {at} doesn't say that key {key} is missing."
                ));
            }
        }
    }
    Ok(())
}

/// A head whose state a device can't open: a proof could not read its branch there.
fn closed_state(device: &Device) -> Option<RecordId> {
    let mut heads = device.heads().valid();
    let closed = heads.find(|(_, head)| device.state_of(head).is_none());
    closed.map(|(id, _)| id)
}

/// The removals that hold, with their heads.
fn removals_that_hold<'a>(world: &'a World, reader: &Device) -> Vec<(RecordId, &'a Removal)> {
    let holding = heads_that_hold(reader);
    let removals = world.removals.iter();
    let holding = removals.filter(|(head, _)| holding.contains(head));
    holding.map(|(head, removal)| (*head, removal)).collect()
}

/// The chain; what cuts name; what a head that holds follows or has joined; and what follows such a head, unless its author was removed.
fn heads_that_hold(reader: &Device) -> BTreeSet<RecordId> {
    let heads = reader.heads();
    let removed = heads.tip().map(|(_, tip)| &tip.devices.removed);
    let is_removed = |id| removed.is_some_and(|removed| removed.iter().any(|one| one.id == id));
    let mut holding = BTreeSet::new();
    let mut open = heads.chain().to_vec();
    let cuts = removed.into_iter().flatten().flat_map(|one| &one.cut);
    open.extend(cuts);
    loop {
        while let Some(id) = open.pop() {
            let Some(head) = heads.get(id).filter(|_| holding.insert(id)) else {
                continue;
            };
            open.extend(head.prev.iter().chain(&head.joined));
        }
        let follows = heads.valid().filter(|(id, head)| {
            let prev = head.prev.is_some_and(|prev| holding.contains(&prev));
            prev && !holding.contains(id) && !is_removed(head.author)
        });
        open.extend(follows.map(|(id, _)| id));
        if open.is_empty() {
            return holding;
        }
    }
}

/// What a limited device was not allowed to write never counts. What a removed device wrote counts if no removal that it knew of holds,
/// or if another device that did not know of these removals had read it before it removed the device as well.
fn check_forged(world: &World, at: usize, removals: &[(RecordId, &Removal)]) -> Result<(), String> {
    let reader = &world.nodes[at].ram;
    for (id, forged) in &world.forged {
        let is_known = |by: &&(RecordId, &Removal)| forged.by.contains(&by.0);
        let known: BTreeSet<_> = removals.iter().filter(is_known).map(|by| by.0).collect();
        let others = removals.iter().filter(|(_, removal)| {
            removal.of == forged.author && removal.heads.is_disjoint(&known)
        });
        let mut cuts = others.flat_map(|(_, removal)| reader.logs().up_to(&removal.cut));
        let may_count = !forged.by.is_empty() && (known.is_empty() || cuts.any(|read| read == *id));
        if !may_count && reader.counted().contains(id) {
            return Err(format!("Device {at} counts {id:?}, which was forged."));
        }
    }
    Ok(())
}

/// A removed device reads nothing by authors that knew of its removal, even with every record that there is.
fn check_secrets(world: &World) -> Result<(), String> {
    for (at, node) in world.nodes.iter().enumerate() {
        let this = node.ram.id();
        let (_, tip) = node.ram.heads().tip().ok_or("There is no head.")?;
        if tip.devices.removed(this).is_none() {
            continue;
        }
        let mut reader = node.ram.clone();
        for record in world.relay.all() {
            let _ = reader.receive(record);
        }
        reader.settle().unwrap();
        let chain = reader.heads().chain();
        for (id, removed) in &world.known_removed {
            let counts = |head| chain.contains(head);
            let was_known = removed
                .iter()
                .any(|(who, head)| *who == this && counts(head));
            if was_known && reader.opens(*id) {
                return Err(format!("Device {at} was removed, and reads {id:?}."));
            }
        }
    }
    Ok(())
}

/// Another order of the same records gives the same bytes.
fn check_order(world: &mut World, of: usize, state: &[u8]) -> Result<(), String> {
    let mut records: Vec<_> = world.relay.list(0).to_vec();
    for at in (1..records.len()).rev() {
        records.swap(at, world.rng.below(at + 1));
    }
    let mut device = world.blank(of);
    for record in &records {
        let _ = device.receive(record);
        if world.rng.below(3) == 0 {
            device.settle().unwrap();
        }
    }
    device.settle().unwrap();
    if device.state().to_bytes().unwrap() != state {
        return Err(format!("In another order, device {of} has another state."));
    }
    Ok(())
}
