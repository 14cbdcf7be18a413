use super::*;
use crate::identity::key::{PublicKey, SecretKey};
use curve25519_dalek::constants::EIGHT_TORSION;
use ed25519_dalek::hazmat::ExpandedSecretKey;

fn secret(seed: u8) -> ed25519_dalek::SigningKey {
    ed25519_dalek::SigningKey::from_bytes(&[seed; 32])
}

/// A signature whose key and `R` have `torsion` added to them, by index into the eight points of small order.
fn signed_with_torsion(
    seed: u8,
    message: &[u8],
    of_key: usize,
    of_r: usize,
) -> (VerifyingKey, [u8; 64]) {
    let a = ExpandedSecretKey::from(secret(seed).as_bytes()).scalar;
    let nonce = Scalar::from(u64::from(seed) + 77);
    let key = (EdwardsPoint::mul_base(&a) + EIGHT_TORSION[of_key]).compress();
    let r = (EdwardsPoint::mul_base(&nonce) + EIGHT_TORSION[of_r]).compress();
    let k = Sha512::new()
        .chain_update(r.as_bytes())
        .chain_update(key.as_bytes())
        .chain_update(message)
        .finalize();
    let s = nonce + Scalar::from_bytes_mod_order_wide(&k.into()) * a;
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(r.as_bytes());
    signature[32..].copy_from_slice(s.as_bytes());
    (VerifyingKey::from_bytes(key.as_bytes()).unwrap(), signature)
}

fn honest(seed: u8, message: &[u8]) -> Claim {
    use ed25519_dalek::Signer;
    let key = secret(seed);
    Claim::new(&key.verifying_key(), message, &key.sign(message).to_bytes()).unwrap()
}

/// The answers, with enough budget for all of them.
fn hold_all(claims: &[Claim]) -> Vec<bool> {
    let answers = hold(claims, &Budget::new()).into_iter();
    answers.collect::<Option<_>>().expect("too much work")
}

/// Checks alone, as one of two, and among many, which must agree.
fn agreed(claim: &Claim) -> bool {
    let alone = claim.holds();
    for company in [1, 2, 200] {
        let at = usize::from(company) / 2;
        let mut claims: Vec<Claim> = (0..company).map(|seed| honest(seed, b"company")).collect();
        claims.insert(at, claim.clone());
        let answers = hold_all(&claims);
        assert_eq!(answers[at], alone, "among {company}");
        assert_eq!(
            answers.iter().filter(|answer| !**answer).count(),
            usize::from(!alone)
        );
    }
    alone
}

#[test]
fn honest_signatures_hold_alone_and_together() {
    assert!(agreed(&honest(1, b"door")));
    assert!(hold(&[], &Budget::new()).is_empty());
}

#[test]
fn small_order_parts_of_r_and_of_the_key_change_no_answer() {
    for of_key in 0..8 {
        for of_r in 0..8 {
            let (key, signature) = signed_with_torsion(3, b"door", of_key, of_r);
            let claim = Claim::new(&key, b"door", &signature).unwrap();
            assert!(agreed(&claim), "key + T{of_key}, R + T{of_r}");
            let other = Claim::new(&key, b"window", &signature).unwrap();
            assert!(!agreed(&other), "key + T{of_key}, R + T{of_r}");
        }
    }
}

#[test]
fn an_r_of_small_order_is_one_point_among_others() {
    // s = k·a and R = T: [8][s]B = [8]T + [8][k]A is true, and only the key's owner knows such an s.
    for torsion in EIGHT_TORSION {
        let a = ExpandedSecretKey::from(secret(5).as_bytes()).scalar;
        let key = secret(5).verifying_key();
        let r = torsion.compress();
        let k = Sha512::new()
            .chain_update(r.as_bytes())
            .chain_update(key.as_bytes())
            .chain_update(b"door")
            .finalize();
        let s = Scalar::from_bytes_mod_order_wide(&k.into()) * a;
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(r.as_bytes());
        signature[32..].copy_from_slice(s.as_bytes());
        assert!(agreed(&Claim::new(&key, b"door", &signature).unwrap()));
    }
}

#[test]
fn refuses_keys_of_small_order() {
    for torsion in EIGHT_TORSION {
        let bytes = [&[0xed, 0x01], &torsion.compress().to_bytes()[..]].concat();
        assert!(PublicKey::from_multicodec(&bytes).is_err());
    }
}

#[test]
fn refuses_an_s_that_is_not_reduced() {
    let key = SecretKey::Ed25519(secret(1));
    let mut signature = key.sign(b"door");
    assert!(key.public_key().verify(b"door", &signature));
    // s + ℓ: the same equation, another signature.
    let order: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
        0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let mut carry = 0u16;
    for (byte, add) in signature[32..].iter_mut().zip(order) {
        carry += u16::from(*byte) + u16::from(add);
        *byte = carry as u8;
        carry >>= 8;
    }
    assert!(!key.public_key().verify(b"door", &signature));
}

#[test]
fn refuses_other_encodings_of_a_point() {
    // y = p + 1 and y = 1 with the sign of x set are the neutral element as well; y = p − 1 with the sign is of order two.
    let mut above = [0xff; 32];
    above[0] = 0xee;
    above[31] = 0x7f;
    let mut signed_zero = [0; 32];
    signed_zero[0] = 1;
    signed_zero[31] = 0x80;
    let mut signed_order_two = [0xff; 32];
    signed_order_two[0] = 0xec;
    for bytes in [above, signed_zero, signed_order_two] {
        assert!(!is_canonical(&bytes));
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&bytes);
        assert!(Claim::new(&secret(1).verifying_key(), b"", &signature).is_none());
    }
    for torsion in EIGHT_TORSION {
        assert!(is_canonical(torsion.compress().as_bytes()));
    }
    for seed in 0..64 {
        assert!(is_canonical(secret(seed).verifying_key().as_bytes()));
    }
}

#[test]
fn finds_the_forged_ones_among_many() {
    let mut claims: Vec<Claim> = (0..250).map(|seed| honest(seed, b"door")).collect();
    let forged = [0, 1, 100, 249];
    for at in forged {
        claims[at].s += Scalar::ONE;
    }
    let answers = hold_all(&claims);
    for (at, answer) in answers.iter().enumerate() {
        assert_eq!(*answer, !forged.contains(&at), "claim {at}");
    }
}

#[test]
fn two_wrongs_that_would_cancel_out_are_both_found() {
    let mut claims = alloc::vec![honest(1, b"a"), honest(2, b"b"), honest(3, b"c")];
    claims[0].s += Scalar::ONE;
    claims[2].s -= Scalar::ONE;
    assert_eq!(hold_all(&claims), [false, true, false]);
}

#[test]
fn one_key_with_many_signatures_is_taken_together() {
    let messages: Vec<[u8; 1]> = (0..100).map(|at| [at]).collect();
    let mut claims: Vec<Claim> = messages.iter().map(|message| honest(9, message)).collect();
    assert!(hold_all(&claims).iter().all(|answer| *answer));
    claims[50].k += Scalar::ONE;
    assert_eq!(
        hold_all(&claims).iter().filter(|answer| !**answer).count(),
        1
    );
}

#[test]
fn claims_past_the_budget_stay_undecided_and_none_is_decided_wrongly() {
    let mut claims: Vec<Claim> = (0..250).map(|seed| honest(seed, b"door")).collect();
    claims[17].s += Scalar::ONE;
    for parts in 1..80 {
        let budget = Budget::new();
        let answers = budget.share(1, parts, || hold(&claims, &budget));
        assert_eq!(answers.len(), claims.len());
        for (at, answer) in answers.iter().enumerate() {
            assert!(answer.is_none() || *answer == Some(at != 17), "claim {at}");
        }
    }
}

#[test]
fn forged_signatures_leave_half_of_the_work_to_others() {
    let mut claims: Vec<Claim> = (0..250).map(|seed| honest(seed, b"door")).collect();
    claims.iter_mut().for_each(|claim| claim.s += Scalar::ONE);
    let budget = Budget::new();
    let answers = hold(&claims, &budget);
    assert!(answers.iter().any(Option::is_none));
    assert!(budget.left() > crate::work_budget::MAX_WORK / 3);
}
