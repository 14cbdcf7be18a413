//! The one rule by which an Ed25519 signature is accepted, alone or among many (RFC 8032 §5.1.7).
//!
//! `R` and the key must be canonical, the key not of small order, `s` below the group's order, and `[8][s]B = [8]R +
//! [8][k]A`. With the cofactor, many signatures can be checked at once: a sum of such equations, each multiplied by an
//! unpredictable factor, is zero only if each one is. Without it, the sum would accept signatures that the single
//! equation refuses.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use curve25519_dalek::Scalar;
use curve25519_dalek::constants::ED25519_BASEPOINT_POINT;
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::traits::{Identity, IsIdentity, VartimeMultiscalarMul};
use ed25519_dalek::VerifyingKey;
use sha2::{Digest, Sha512};

use crate::identity::key_type::SIGNATURE_LENGTH;
use crate::work_budget::{Budget, Cost};

/// Most signatures in one sum. A larger sum saves little more, and makes a forged signature more expensive to find.
const LARGEST_BATCH: usize = 512;
/// Fewest signatures that are cheaper to check together.
const SMALLEST_BATCH: usize = 2;
/// As many signatures as the longest chain and its invocation have.
pub(crate) const SMALL: usize = 65;

/// What one signature claims: `[8]([s]B − R − [k]A) = 0`.
#[derive(Clone)]
pub(crate) struct Claim {
    key: VerifyingKey,
    r: [u8; 32],
    s: Scalar,
    k: Scalar,
}

impl Claim {
    /// What `signature` (`R ‖ s`) claims about `message`. `None` if `s` is not below the group's order or `R` is not
    /// canonical: then no one signed it.
    pub(crate) fn new(
        key: &VerifyingKey,
        message: &[u8],
        signature: &[u8; SIGNATURE_LENGTH],
    ) -> Option<Self> {
        Self::of_parts(key, &[message], signature)
    }

    /// [`Claim::new`] for a message in parts.
    pub(crate) fn of_parts(
        key: &VerifyingKey,
        parts: &[&[u8]],
        signature: &[u8; SIGNATURE_LENGTH],
    ) -> Option<Self> {
        let (r, s) = signature.split_first_chunk::<32>()?;
        if !is_canonical(r) {
            return None;
        }
        let s: Scalar = Option::from(Scalar::from_canonical_bytes(s.try_into().ok()?))?;
        let mut digest = Sha512::new().chain_update(r).chain_update(key.as_bytes());
        parts.iter().for_each(|part| digest.update(part));
        Some(Self {
            key: *key,
            r: *r,
            s,
            k: Scalar::from_bytes_mod_order_wide(&digest.finalize().into()),
        })
    }

    /// Whether the claim is true.
    pub(crate) fn holds(&self) -> bool {
        let minus_key = -self.key.to_edwards();
        let r = EdwardsPoint::vartime_double_scalar_mul_basepoint(&self.k, &minus_key, &self.s);
        // Without the cofactor the check is cheaper, and every honest signature passes it.
        if r.compress().as_bytes() == &self.r {
            return true;
        }
        decode(&self.r).is_some_and(|claimed| (r - claimed).mul_by_cofactor().is_identity())
    }
}

/// Which of the claims are true, with the same answers as [`Claim::holds`]; `None` if the budget ran out first.
///
/// Every sum is charged before it is computed, including those that fail because a signature is forged. Failed sums may
/// use half of what is left: the rest is for checking the undecided claims.
pub(crate) fn hold(claims: &[Claim], budget: &Budget) -> Vec<Option<bool>> {
    let mut answers = Vec::with_capacity(claims.len());
    for batch in claims.chunks(LARGEST_BATCH) {
        let search = Search {
            // A single claim or chain has no others to leave work for.
            floor: match claims.len() <= SMALL {
                true => 0,
                false => budget.left() / 2,
            },
            budget,
        };
        search.judge(batch, true, &mut answers);
    }
    answers
}

/// Finds the forged ones among many.
struct Search<'a> {
    /// Work that must be left.
    floor: u64,
    budget: &'a Budget,
}

impl Search<'_> {
    /// Splits the claims in half if their sum isn't zero, so that a few forged ones among many cost little.
    fn judge(&self, claims: &[Claim], is_first: bool, answers: &mut Vec<Option<bool>>) {
        let count = claims.len();
        let cost = match claims {
            [claim] => {
                let affordable = self.spend(Cost::Signature(0), is_first);
                answers.push(affordable.then(|| claim.holds()));
                return;
            }
            _ => Cost::Sum(count),
        };
        let affordable = self.spend(cost, is_first);
        if affordable && all_hold(claims) {
            answers.extend(claims.iter().map(|_| Some(true)));
        } else if affordable || (is_first && count > SMALLEST_BATCH) {
            let (first, second) = claims.split_at(count / 2);
            // If all of them together cost too much, check as many as possible.
            self.judge(first, !affordable, answers);
            self.judge(second, !affordable, answers);
        } else {
            answers.extend(claims.iter().map(|_| None));
        }
    }

    fn spend(&self, cost: Cost, is_first: bool) -> bool {
        (is_first || self.budget.left() > self.floor) && self.budget.spend(cost).is_ok()
    }
}

/// Whether `[8] Σ zᵢ([sᵢ]B − Rᵢ − [kᵢ]Aᵢ) = 0`. Keys that occur more than once are combined.
fn all_hold(claims: &[Claim]) -> bool {
    let factors = Factors::of(claims);
    let mut base = Scalar::ZERO;
    let mut keys: BTreeMap<&[u8; 32], (Scalar, EdwardsPoint)> = BTreeMap::new();
    let mut scalars = Vec::with_capacity(2 * claims.len() + 1);
    let mut points = Vec::with_capacity(2 * claims.len() + 1);
    // Points that need no multiplication.
    let mut plain = EdwardsPoint::identity();
    for (at, claim) in claims.iter().enumerate() {
        let Some(r) = decode(&claim.r) else {
            return false;
        };
        let z = factors.at(at);
        base += z * claim.s;
        keys.entry(claim.key.as_bytes())
            .or_insert_with(|| (Scalar::ZERO, claim.key.to_edwards()))
            .0 += z * claim.k;
        match z == Scalar::ONE {
            true => plain += r,
            false => {
                scalars.push(z);
                points.push(r);
            }
        }
    }
    for (scalar, point) in keys.into_values() {
        scalars.push(scalar);
        points.push(point);
    }
    scalars.push(-base);
    points.push(ED25519_BASEPOINT_POINT);
    (EdwardsPoint::vartime_multiscalar_mul(&scalars, &points) + plain)
        .mul_by_cofactor()
        .is_identity()
}

/// The factors of a sum: 128 bits each, from a hash of all the claims, so that an attacker can't know a claim's factor
/// while making it. The host's randomness would work too, but then an answer would depend on it.
///
/// The first factor is 1. A sum with false claims could only be zero if another false claim had just the right factor,
/// which no one can choose. If only the first is false, the sum is that claim.
struct Factors(Sha512);

impl Factors {
    fn of(claims: &[Claim]) -> Self {
        let mut seed = Sha512::new_with_prefix(b"keyhole ed25519 batch v1");
        for claim in claims {
            // k binds R, the key and the message.
            seed.update(claim.k.as_bytes());
            seed.update(claim.s.as_bytes());
        }
        Self(Sha512::new_with_prefix(seed.finalize()))
    }

    fn at(&self, position: usize) -> Scalar {
        if position == 0 {
            return Scalar::ONE;
        }
        let digest = self
            .0
            .clone()
            .chain_update((position as u64).to_le_bytes())
            .finalize();
        let mut bytes = [0; 32];
        for (to, from) in bytes.iter_mut().zip(digest.iter().take(16)) {
            *to = *from;
        }
        Scalar::from_bytes_mod_order(bytes)
    }
}

fn decode(point: &[u8; 32]) -> Option<EdwardsPoint> {
    CompressedEdwardsY(*point).decompress()
}

/// Whether these are the bytes that RFC 8032 §5.1.2 writes for a point: y below p = 2²⁵⁵ − 19, and no sign where x is zero,
/// which it is for y = 1 and y = −1. Two encodings of one point would be two DIDs of one key, or two CIDs of one token.
pub(crate) fn is_canonical(point: &[u8; 32]) -> bool {
    let [first, middle @ .., last] = point;
    let y_is_near_p = last & 0x7f == 0x7f && middle.iter().all(|byte| *byte == 0xff);
    let y_is_one = *first == 1 && last & 0x7f == 0 && middle.iter().all(|byte| *byte == 0);
    let is_negative = last & 0x80 != 0;
    let x_is_zero = y_is_one || (y_is_near_p && *first == 0xec);
    let y_is_reduced = !y_is_near_p || *first < 0xed;
    let zero_has_no_sign = !x_is_zero || !is_negative;
    y_is_reduced && zero_has_no_sign
}

#[cfg(test)]
#[path = "ed25519_test.rs"]
mod tests;
