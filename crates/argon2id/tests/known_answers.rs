//! Compared with RFC 9106, and with another implementation over many parameters, in one go and in steps of every
//! length.

#![allow(clippy::unwrap_used)]

use argon2::{Algorithm, Argon2, AssociatedData, ParamsBuilder, Version};
use keyhole_argon2id::{Block, Derivation, Inputs, derive};

const RFC: Inputs<'_> = Inputs {
    memory_kib: 32,
    passes: 3,
    lanes: 4,
    password: &[1; 32],
    salt: &[2; 16],
    secret: &[3; 8],
    associated: &[4; 12],
    length: 32,
};
/// RFC 9106 §5.3.
const TAG: [u8; 32] = [
    0x0d, 0x64, 0x0d, 0xf5, 0x8d, 0x78, 0x76, 0x6c, 0x08, 0xc0, 0x37, 0xa3, 0x4a, 0x8b, 0x53, 0xc9,
    0xd0, 0x1e, 0xf0, 0x45, 0x2d, 0x75, 0xb6, 0x5e, 0xb5, 0x25, 0x20, 0xe9, 0x6b, 0x01, 0xe6, 0x59,
];

fn in_steps(inputs: &Inputs<'_>, most: usize) -> Vec<u8> {
    // What was in the memory before must not matter.
    let other = Inputs {
        password: b"another",
        lanes: 1,
        passes: 1,
        ..*inputs
    };
    let mut memory = vec![Block::ZERO; inputs.memory_kib as usize];
    Derivation::begin(&other, &mut memory)
        .unwrap()
        .go_on(&mut memory, usize::MAX);
    let mut derivation = Derivation::begin(inputs, &mut memory).unwrap();
    assert_eq!(*derivation.digest(), *inputs.digest());
    while !derivation.go_on(&mut memory, most) {}
    let mut key = vec![0; derivation.length()];
    derivation.finish(&memory, &mut key);
    key
}

fn elsewhere(inputs: &Inputs<'_>) -> Vec<u8> {
    let params = ParamsBuilder::new()
        .m_cost(inputs.memory_kib)
        .t_cost(inputs.passes)
        .p_cost(inputs.lanes)
        .data(AssociatedData::new(inputs.associated).unwrap())
        .output_len(inputs.length)
        .build()
        .unwrap();
    let argon2 =
        Argon2::new_with_secret(inputs.secret, Algorithm::Argon2id, Version::V0x13, params)
            .unwrap();
    let mut key = vec![0; inputs.length];
    let mut memory = vec![argon2::Block::new(); inputs.memory_kib as usize];
    argon2
        .hash_password_into_with_memory(inputs.password, inputs.salt, &mut key, &mut memory[..])
        .unwrap();
    key
}

#[test]
fn gives_the_answer_of_the_rfc_in_steps_of_every_length() {
    assert_eq!(derive(&RFC).unwrap()[..], TAG);
    for most in 1..=100 {
        assert_eq!(in_steps(&RFC, most), TAG, "{most}");
    }
}

#[test]
fn gives_the_answers_of_another_implementation() {
    let password: Vec<u8> = (0..=255).cycle().take(300).collect();
    for memory_kib in [8, 9, 31, 64, 129, 517, 1_024, 4_099] {
        for passes in [1, 2, 3] {
            for lanes in [1, 2, 3, 8] {
                if memory_kib < 8 * lanes {
                    continue;
                }
                for length in [4, 32, 63, 64, 65, 95, 96, 97, 128, 1_024] {
                    let inputs = Inputs {
                        memory_kib,
                        passes,
                        lanes,
                        password: &password[..length.min(300)],
                        salt: &password[7..15 + length % 20],
                        secret: &password[..length % 3],
                        associated: &password[..length % 33],
                        length,
                    };
                    let expected = elsewhere(&inputs);
                    assert_eq!(
                        derive(&inputs).unwrap()[..],
                        expected,
                        "{memory_kib} {passes} {lanes} {length}"
                    );
                    if length == 32 {
                        assert_eq!(in_steps(&inputs, 129), expected);
                    }
                }
            }
        }
    }
}

#[test]
fn refuses_parameters_that_argon2_does_not_have() {
    let impossible = [
        Inputs {
            memory_kib: 31,
            ..RFC
        },
        Inputs { passes: 0, ..RFC },
        Inputs { lanes: 0, ..RFC },
        Inputs {
            salt: &[2; 7],
            ..RFC
        },
        Inputs {
            associated: &[4; 33],
            ..RFC
        },
        Inputs { length: 3, ..RFC },
    ];
    let mut memory = vec![Block::ZERO; 64];
    for inputs in impossible {
        assert!(Derivation::begin(&inputs, &mut memory).is_none());
        assert!(derive(&inputs).is_none());
    }
    assert!(Derivation::begin(&RFC, &mut memory[..31]).is_none());
}
