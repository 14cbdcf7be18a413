//! Argon2id: RFC 9106's answer, and those of the reference implementation.

use keyhole_vault::seal::kdf::{Cost, KdfMemory};
use keyhole_vault::seal::primitive::Argon2id;
use serde_json::Value;

use crate::support::{bytes, vector};

fn derive(test: &Value, memory: &mut KdfMemory) -> Vec<u8> {
    let number = |field: &str| u32::try_from(test[field].as_u64().unwrap()).unwrap();
    let mut out = vec![0; bytes(test, "tag").len()];
    let (password, salt) = (bytes(test, "password"), bytes(test, "salt"));
    let (secret, associated) = (bytes(test, "secret"), bytes(test, "associated"));
    let asked = Argon2id {
        cost: Cost {
            memory_kib: number("memory_kib"),
            passes: number("passes"),
            lanes: number("lanes"),
        },
        password: &password,
        salt: &salt,
        secret: &secret,
        associated: &associated,
    };
    asked.derive(memory, &mut out).unwrap();
    out
}

#[test]
fn argon2id_gives_the_answers_of_others() {
    let file = vector("argon2/argon2id.json");
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 9);
    // One memory for all: leftovers of an earlier derivation must not matter.
    let mut memory = KdfMemory::default();
    for case in cases {
        assert_eq!(derive(case, &mut memory), bytes(case, "tag"), "{case}");
    }
    assert_eq!(derive(&cases[0], &mut memory), bytes(&cases[0], "tag"));
}

#[test]
fn argon2id_refuses_too_much_memory_before_it_allocates_any() {
    let mut memory = KdfMemory::default();
    for (memory_kib, passes, lanes) in [
        (4 * 1_024 * 1_024, 3, 1),
        (u32::MAX, 3, 1),
        (512 * 1_024 + 1, 3, 1),
        (64, 11, 1),
        (64, u32::MAX, 1),
        (1_024, 1, 17),
        (7, 1, 1),
        (64, 0, 1),
        (64, 1, 0),
        (0, 0, 0),
    ] {
        let cost = Cost {
            memory_kib,
            passes,
            lanes,
        };
        let asked = Argon2id {
            cost,
            password: b"password",
            salt: b"somesalt",
            secret: b"",
            associated: b"",
        };
        assert!(asked.derive(&mut memory, &mut [0; 32]).is_err(), "{cost:?}");
    }
}
