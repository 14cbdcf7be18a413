//! Histories of many seeds.

extern crate std;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, println, thread};

use super::checks::check;
use super::shrink::shrink;
use super::step::{Step, history};
use super::world::World;
use crate::fault::Fault;

const HISTORIES: u64 = 2_000;
/// Each mistake must be noticed within this many.
const HISTORIES_OF_FAULT: u64 = 1_500;

fn run(seed: u64, steps: &[Step], fault: Option<Fault>) -> Result<(), String> {
    let mut world = World::new(seed, fault);
    for step in steps {
        world.run(*step);
    }
    world.heal()?;
    check(&mut world)
}

fn expect(seed: u64) {
    if let Err(error) = run(seed, &history(seed), None) {
        let short = shrink(history(seed), |steps| run(seed, steps, None).is_err());
        let of_short = run(seed, &short, None);
        let steps: Vec<_> = short.iter().map(|step| format!("{step:?}")).collect();
        panic!("seed {seed}: {error}\n{}\n{of_short:?}", steps.join("\n"));
    }
}

#[test]
fn histories() {
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
                    expect(seed);
                }
            });
        }
    });
    println!("{count} histories from seed {from}: no difference, nothing lost, nothing read.");
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
    for fault in faults {
        let noticed = (0..HISTORIES_OF_FAULT).find_map(|seed| {
            let found = run(seed, &history(seed), Some(fault));
            found.err().map(|error| (seed, error))
        });
        let (seed, error) = noticed.unwrap_or_else(|| panic!("{fault:?} is not noticed."));
        println!("{fault:?}: seed {seed}: {error}");
    }
}

#[test]
fn a_relay_that_forgot_and_got_other_records_is_noticed() {
    // Its list had the same record in the place that was read last, and others before it.
    expect(525);
    expect(681);
}

#[test]
fn a_limited_device_passes_on_heads_without_operations_that_it_cannot_read() {
    // The simulator first expected the operations that a head names before it, from this device too.
    expect(1_661);
}

#[test]
fn a_device_passes_on_what_only_others_can_open() {
    // It had the last copy: the author's storage was put back, and the relay had forgotten it.
    expect(6_367);
    expect(8_493);
}

#[test]
fn a_removal_does_not_hold_if_the_remover_was_removed_on_the_branch_that_goes_on() {
    // A device that knew of that removal alone was right to go on writing.
    expect(4_841);
}

#[test]
fn a_removal_that_was_joined_holds_even_if_the_remover_is_removed_later() {
    // The simulator first expected it not to hold.
    expect(12_625);
    expect(12_979);
}

#[test]
fn what_a_limited_device_wrote_on_a_branch_that_was_left_out_is_written_again() {
    // Only a full device that was removed had the key that it was sealed under.
    expect(90_964);
    let fault = Some(Fault::NotWrittenAgain);
    assert!(run(90_964, &history(90_964), fault).is_err());
}

#[test]
fn an_operation_is_sent_after_those_that_it_follows() {
    // The later one got out alone, and the device's storage was put back.
    expect(5_387);
    expect(6_173);
}
