#![allow(clippy::unwrap_used)]

use argon2::{AssociatedData, ParamsBuilder};
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

/// RFC 9106 §5.3: the function that is under everything here.
#[test]
fn argon2id_gives_the_rfcs_known_answer() {
    let params = ParamsBuilder::new()
        .m_cost(32)
        .t_cost(3)
        .p_cost(4)
        .output_len(32)
        .data(AssociatedData::new(&[4; 12]).unwrap())
        .build()
        .unwrap();
    let secret = [3; 8];
    let function =
        Argon2::new_with_secret(&secret, Algorithm::Argon2id, Version::V0x13, params).unwrap();
    let mut out = [0; 32];
    let mut blocks = alloc::vec![Block::new(); 32];
    function
        .hash_password_into_with_memory(&[1; 32], &[2; 16], &mut out, &mut blocks[..])
        .unwrap();
    assert_eq!(
        HEXLOWER.encode(&out),
        "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"
    );
}

/// Answers of another implementation (hash-wasm 4.13), in one memory after the other, larger and smaller.
#[test]
fn derives_what_another_implementation_does() {
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
    assert!(
        memory
            .blocks
            .iter()
            .all(|block| block.as_ref().iter().all(|word| *word == 0))
    );
    let large = Cost {
        memory_kib: Cost::TODAY.memory_kib + 1,
        ..CHEAP
    };
    memory.derive(&kdf(large), PASSPHRASE).unwrap();
    assert!(memory.blocks.is_empty());
}

#[test]
fn costs_outside_of_the_limits_are_refused_before_anything_is_allocated() {
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
        assert_eq!(refused.unwrap_err().code, VaultErrorCode::OperationFailed);
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
    let dear = Cost {
        memory_kib: 262_144,
        passes: 2,
        lanes: 4,
    };
    assert_eq!(dear.raised(), Some(Cost { passes: 3, ..dear }));
}

#[test]
fn new_passphrases_have_their_length() {
    assert!(check_new_passphrase("twelve chars").is_ok());
    assert!(check_new_passphrase("двенадцать ö").is_ok());
    assert!(check_new_passphrase(&"p".repeat(1_024)).is_ok());
    for short in ["", "eleven char", "ééééééééééé"] {
        let refused = check_new_passphrase(short).unwrap_err();
        assert_eq!(refused.code, VaultErrorCode::InvalidPassphrase);
    }
    let refused = check_new_passphrase(&"p".repeat(1_025)).unwrap_err();
    assert_eq!(refused.code, VaultErrorCode::InvalidPassphrase);
}
