//! The steps of a history. A step's device is taken modulo the number of devices, so that any step can be left out.

use alloc::vec;
use alloc::vec::Vec;

use super::rng::Rng;

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A person changes something. The number says what.
    Write(usize, usize),
    /// The same, and the device is killed before it was stored.
    WriteAndDie(usize, usize),
    /// A device reads this many pages, sends this many records, and changes the head if its person asked for it.
    Sync(usize, usize),
    /// The same, and it is killed at the end.
    SyncAndDie(usize, usize),
    /// A person adds a device. It is limited if the number is 0.
    Add(usize, usize),
    /// A person removes a device.
    Remove(usize, usize),
    /// A copy of a device's storage is made.
    Copy(usize),
    /// The copy is put back. What was stored since is lost.
    PutBack(usize),
    /// A clock is set to this many years after 1970.
    Clock(usize, usize),
    /// The relay forgets its last records.
    Forget(usize),
    /// The relay shows a device a separate list, without the last records.
    Branch(usize, usize),
    /// It shows the device the same list as the others again.
    Unbranch(usize),
    /// It withholds the last records from a device.
    Withhold(usize, usize),
    /// A device gets some records out of order.
    Shuffle(usize, usize),
    /// A device writes what it may not: a limited device a token, or a removed one anything.
    Forge(usize, usize),
    /// A limited device, or one that was removed, makes a head in which it is a full one.
    ForgeHead(usize),
    /// The relay gives out a record with a byte changed.
    Damage(usize, usize),
    /// A person adds a key of the account, or deletes one.
    Key(usize, usize),
    /// A device reads, sends and changes the head, and is killed before it stores the account's keys as the last head has them.
    SyncAndDieEarly(usize, usize),
}

/// A history of a seed.
pub fn history(seed: u64) -> Vec<Step> {
    let mut rng = Rng::new(seed);
    let mut steps = vec![
        Step::Sync(0, 9),
        Step::Add(0, 1),
        Step::Add(0, rng.below(3)),
    ];
    let devices = 8;
    steps.extend((0..3).flat_map(|_| (0..3).map(|at| Step::Sync(at, 9))));
    // Some histories have an honest relay, or devices that nothing happens to.
    let most = [50, 80, 100][rng.below(3)];
    for _ in 0..10 + rng.below(50) {
        let (a, b) = (rng.below(devices), rng.below(64));
        steps.push(match rng.below(most) {
            0..18 => Step::Write(a, b),
            18..40 => Step::Sync(a, 1 + b % 9),
            40..42 => Step::WriteAndDie(a, b),
            42..45 => Step::SyncAndDie(a, 1 + b % 9),
            45..47 => Step::Add(a, b % 3),
            47..50 => Step::Remove(a, b),
            50..52 => Step::Clock(a, b),
            52..55 => Step::Copy(a),
            55..57 => Step::PutBack(a),
            57..61 => Step::Shuffle(a, b),
            61..65 => Step::Forge(a, b),
            65..68 => Step::ForgeHead(a),
            68..72 => Step::Remove(a, b),
            72..76 => Step::Damage(a, b),
            76..80 => Step::Write(a, b),
            80..84 => Step::Forget(1 + b % 6),
            84..89 => Step::Branch(a, b % 6),
            89..93 => Step::Unbranch(a),
            _ => Step::Withhold(a, b % 8),
        });
    }
    steps
}

/// A history of a seed in which people change keys, too, and relays that keep branches apart are more frequent.
pub fn history_of_keys(seed: u64) -> Vec<Step> {
    let mut rng = Rng::new(seed ^ 0x6b65_7973);
    let mut steps = history(seed);
    for _ in 0..8 + rng.below(40) {
        let (a, b) = (rng.below(8), rng.below(64));
        let step = match rng.below(20) {
            0..8 => Step::Key(a, b),
            8..13 => Step::Sync(a, 9),
            13 => Step::SyncAndDieEarly(a, 9),
            14 => Step::Add(a, 1),
            15 => Step::Remove(a, b),
            16..18 => Step::Branch(a, b % 3),
            _ => Step::Unbranch(a),
        };
        // After the first devices were added.
        let at = 12 + rng.below(steps.len() - 11);
        steps.insert(at, step);
    }
    steps
}
