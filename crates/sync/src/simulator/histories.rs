//! Histories of many seeds.

extern crate std;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, println, thread};

use super::checks::check;
use super::reopened::check_reopened;
use super::shrink::shrink;
use super::step::{Step, history, history_of_keys};
use super::world::{States, World};
use crate::fault::Fault;

const HISTORIES: u64 = 2_000;
/// After so many steps, a device is opened again beside the one that goes on; and each one at the end.
const REOPENED_EVERY: usize = 32;
/// Each mistake must be noticed within this many.
const HISTORIES_OF_FAULT: u64 = 1_500;

/// A kind of history.
#[derive(Clone, Copy)]
struct Kind {
    of_seed: fn(u64) -> Vec<Step>,
    has_keys: bool,
    states: States,
}

const PLAIN: Kind = Kind {
    of_seed: history,
    has_keys: false,
    states: States::Clear,
};
/// In these, people add and delete keys of the account as well.
const OF_KEYS: Kind = Kind {
    of_seed: history_of_keys,
    has_keys: true,
    states: States::Clear,
};
/// In these, the states in heads are sealed, or devices go over to that.
const SEALED: Kind = Kind {
    states: States::Sealed,
    ..OF_KEYS
};

fn run(kind: Kind, seed: u64, steps: &[Step], fault: Option<Fault>) -> Result<(), String> {
    let mut world = World::new(seed, fault, (kind.has_keys, kind.states));
    // A mistake has to be noticed by what devices show, not by what they store.
    let is_reopened = fault.is_none();
    for (at, step) in steps.iter().enumerate() {
        world.run(*step);
        if is_reopened && (at + 1).is_multiple_of(REOPENED_EVERY) {
            check_reopened(&world, at % world.nodes.len())?;
        }
    }
    for at in (0..world.nodes.len()).filter(|_| is_reopened) {
        check_reopened(&world, at)?;
    }
    world.heal()?;
    check(&mut world)
}

fn expect(kind: Kind, seed: u64) {
    let steps = (kind.of_seed)(seed);
    if let Err(error) = run(kind, seed, &steps, None) {
        let short = shrink(steps, |steps| run(kind, seed, steps, None).is_err());
        let of_short = run(kind, seed, &short, None);
        let steps: Vec<_> = short.iter().map(|step| format!("{step:?}")).collect();
        panic!("seed {seed}: {error}\n{}\n{of_short:?}", steps.join("\n"));
    }
}

fn expect_all(kind: Kind) {
    let asked = env::var("KEYHOLE_HISTORIES").ok();
    let count = asked.map_or(HISTORIES, |text| text.parse().unwrap());
    let from = env::var("KEYHOLE_FROM").map_or(0, |text| text.parse().unwrap());
    let next = AtomicU64::new(from);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= from + count {
                        return;
                    }
                    expect(kind, seed);
                }
            });
        }
    });
    println!("{count} histories from seed {from}: no difference, nothing lost, nothing read.");
}

#[test]
fn histories() {
    expect_all(PLAIN);
}

#[test]
fn histories_of_keys() {
    expect_all(OF_KEYS);
}

#[test]
fn histories_of_sealed_states() {
    expect_all(SEALED);
}

#[test]
fn every_mistake_is_noticed() {
    let faults = [
        Fault::LastToArrive,
        Fault::ForkDropped,
        Fault::SameEpoch,
        Fault::NoCut,
        Fault::LimitedAsFull,
        Fault::FirstHead,
        Fault::NotJoined,
        Fault::RelayTrusted,
        Fault::SentById,
    ];
    let plain = faults.map(|fault| (fault, PLAIN));
    let of_keys = [Fault::UnreadJoined, Fault::KeysDropped].map(|fault| (fault, OF_KEYS));
    let sealed = [(Fault::StateOwnEpoch, SEALED)];
    for (fault, kind) in plain.into_iter().chain(of_keys).chain(sealed) {
        let noticed = (0..HISTORIES_OF_FAULT).find_map(|seed| {
            let found = run(kind, seed, &(kind.of_seed)(seed), Some(fault));
            found.err().map(|error| (seed, error))
        });
        let (seed, error) = noticed.unwrap_or_else(|| panic!("{fault:?} is not noticed."));
        println!("{fault:?}: seed {seed}: {error}");
    }
}

#[test]
fn a_relay_that_forgot_and_got_other_records_is_noticed() {
    // Its list had the same record in the place that was read last, and others before it.
    expect(PLAIN, 525);
    expect(PLAIN, 681);
}

#[test]
fn a_limited_device_passes_on_heads_without_operations_that_it_cannot_read() {
    // The simulator first expected the operations that a head names before it, from this device too.
    expect(PLAIN, 1_661);
}

#[test]
fn a_device_passes_on_what_only_others_can_open() {
    // It had the last copy: the author's storage was put back, and the relay had forgotten it.
    expect(PLAIN, 6_367);
    expect(PLAIN, 8_493);
}

#[test]
fn a_branch_that_was_not_read_stays_to_be_joined_if_a_device_on_it_is_removed() {
    // The device that could not read it took over who was removed there. Then what followed a head by that one was left out.
    expect(OF_KEYS, 393);
    // The simulator first expected heads of a device that only a removed one had added.
    expect(OF_KEYS, 67);
    expect(OF_KEYS, 108);
}

#[test]
fn a_branch_goes_on_that_leaves_the_other_one_no_device_to_join_it() {
    // The device that was added there came to nothing, and those that it had removed stayed.
    expect(OF_KEYS, 8_841);
}

#[test]
fn a_removal_does_not_hold_if_the_remover_was_removed_on_the_branch_that_goes_on() {
    // A device that knew of that removal alone was right to go on writing.
    expect(PLAIN, 4_841);
}

#[test]
fn a_removal_that_was_joined_holds_even_if_the_remover_is_removed_later() {
    // The simulator first expected it not to hold.
    expect(PLAIN, 12_625);
    expect(PLAIN, 12_979);
}

#[test]
fn what_a_limited_device_wrote_on_a_branch_that_was_left_out_is_written_again() {
    // Only a full device that was removed had the key that it was sealed under.
    expect(PLAIN, 90_964);
    let fault = Some(Fault::NotWrittenAgain);
    assert!(run(PLAIN, 90_964, &history(90_964), fault).is_err());
}

#[test]
fn an_operation_is_sent_after_those_that_it_follows() {
    // The later one got out alone, and the device's storage was put back.
    expect(PLAIN, 5_387);
    expect(PLAIN, 6_173);
}
