#![allow(clippy::unwrap_used)]

use crate::error::VaultErrorCode;
use data_encoding::HEXLOWER;

use super::*;
use crate::testing::{CHEAP, PASSPHRASE};

fn kdf(cost: Cost) -> Kdf {
    Kdf {
        name: "argon2id".into(),
        memory_kib: cost.memory_kib,
        passes: cost.passes,
        lanes: cost.lanes,
        salt: Fixed(core::array::from_fn(|index| index as u8)),
    }
}

#[test]
fn a_paused_derivation_gives_the_same_key_or_is_abandoned() {
    let (one, other) = (
        kdf(CHEAP),
        Kdf {
            passes: 3,
            ..kdf(CHEAP)
        },
    );
    let mut memory = KdfMemory::default();
    let keys = [&one, &other].map(|kdf| memory.derive(kdf, PASSPHRASE).unwrap());
    memory.pause_after(Some(1_000));
    assert!(memory.derive(&one, PASSPHRASE).is_err());
    assert!(memory.is_paused());
    // Nothing else can be derived meanwhile, and asking loses nothing.
    assert!(memory.derive(&other, PASSPHRASE).is_err());
    let mut steps = 0;
    while !memory.go_on() {
        steps += 1;
    }
    assert!(steps > 10, "{steps}");
    assert_eq!(memory.derive(&one, PASSPHRASE).unwrap(), keys[0]);
    assert!(memory.derive(&other, PASSPHRASE).is_err());
    while !memory.go_on() {}
    assert_eq!(memory.derive(&other, PASSPHRASE).unwrap(), keys[1]);
    assert_eq!(memory.derive(&one, PASSPHRASE).unwrap(), keys[0]);

    memory.forget();
    assert!(memory.derive(&one, PASSPHRASE).is_err());
    memory.forget();
    assert!(!memory.is_paused());
    assert!(memory.blocks.iter().all(|block| block.is_zero()));
    memory.pause_after(None);
    assert_eq!(memory.derive(&one, PASSPHRASE).unwrap(), keys[0]);
    assert!(memory.derived.is_empty());
}

/// Another implementation's answers (hash-wasm 4.13), with larger and smaller memories one after the other.
#[test]
fn derives_the_keys_of_another_implementation() {
    let mut memory = KdfMemory::default();
    for (memory_kib, passes, lanes, expected) in [
        (
            19_456,
            2,
            1,
            "818259b6310026a8e0dbac5d2e6927abcfdb07b32258fac4f61b18b80f929085",
        ),
        (
            65_536,
            3,
            1,
            "0d1a3c6523c8f06e4e0af9c515aa5b5448cfebd6838f2d52c3d8b6ef8ddc3c2e",
        ),
        (
            19_456,
            2,
            4,
            "b9809d332460011400272cf67066fc2800f170cf066c02e22020c1f3d16fb576",
        ),
    ] {
        let cost = Cost {
            memory_kib,
            passes,
            lanes,
        };
        let key = memory.derive(&kdf(cost), PASSPHRASE).unwrap();
        assert_eq!(HEXLOWER.encode(&key[..]), expected);
    }
}

#[test]
fn memory_is_wiped_after_use_and_kept_only_up_to_todays_cost() {
    let mut memory = KdfMemory::default();
    memory.derive(&kdf(CHEAP), PASSPHRASE).unwrap();
    assert_eq!(memory.blocks.len(), CHEAP.memory_kib as usize);
    assert!(memory.blocks.iter().all(keyhole_argon2id::Block::is_zero));
    let large = Cost {
        memory_kib: Cost::TODAY.memory_kib + 1,
        ..CHEAP
    };
    memory.derive(&kdf(large), PASSPHRASE).unwrap();
    assert!(memory.blocks.is_empty());
}

#[test]
fn costs_outside_the_limits_are_refused_before_anything_is_allocated() {
    for (memory_kib, passes, lanes) in [
        (4 * 1_024 * 1_024, 3, 1),
        (u32::MAX, 3, 1),
        (512 * 1_024 + 1, 3, 1),
        (19 * 1_024 - 1, 3, 1),
        (65_536, 1, 1),
        (65_536, 11, 1),
        (65_536, 3, 0),
        (65_536, 3, 17),
    ] {
        let mut memory = KdfMemory::default();
        let refused = memory.derive(
            &kdf(Cost {
                memory_kib,
                passes,
                lanes,
            }),
            PASSPHRASE,
        );
        assert_eq!(refused.unwrap_err().code(), VaultErrorCode::OperationFailed);
        assert_eq!(memory.blocks.capacity(), 0);
    }
    let other = Kdf {
        name: "argon2i".into(),
        ..kdf(CHEAP)
    };
    assert!(other.check().is_err());
}

#[test]
fn only_lower_costs_are_raised() {
    assert_eq!(CHEAP.raised(), Some(Cost::TODAY));
    assert_eq!(Cost::TODAY.raised(), None);
    let costly = Cost {
        memory_kib: 262_144,
        passes: 2,
        lanes: 4,
    };
    assert_eq!(
        costly.raised(),
        Some(Cost {
            passes: 3,
            ..costly
        })
    );
}

#[test]
fn new_passphrases_have_length_limits() {
    assert!(check_new_passphrase("twelve chars").is_ok());
    assert!(check_new_passphrase("двенадцать ö").is_ok());
    assert!(check_new_passphrase(&"p".repeat(1_024)).is_ok());
    for short in ["", "eleven char", "ééééééééééé"] {
        let refused = check_new_passphrase(short).unwrap_err();
        assert_eq!(refused.code(), VaultErrorCode::InvalidPassphrase);
    }
    let refused = check_new_passphrase(&"p".repeat(1_025)).unwrap_err();
    assert_eq!(refused.code(), VaultErrorCode::InvalidPassphrase);
}
