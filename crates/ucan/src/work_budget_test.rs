use super::*;
use crate::error::TokenErrorName;
use crate::identity::key_type::KeyType;

#[test]
fn what_is_left_goes_down_by_what_is_charged() {
    let budget = Budget::new();
    assert_eq!(budget.spent(), Spent::default());
    budget.spend(Cost::Steps(10)).unwrap();
    budget.spend(Cost::CostlySignature(100)).unwrap();
    let spent = budget.spent();
    assert_eq!(budget.left(), MAX_WORK - spent.work);
    assert_eq!((spent.comparisons, spent.signatures_checked), (10, 1));
}

#[test]
fn what_exceeds_it_is_not_charged() {
    let budget = Budget::new();
    assert_eq!(budget.spend(Cost::Steps(usize::MAX >> 8)), Err(TooMuchWork));
    assert_eq!(budget.spent(), Spent::default());
    budget.spend(Cost::Steps(1)).unwrap();
}

#[test]
fn an_answer_has_a_longest_length_beyond_its_input() {
    let budget = Budget::for_input(1_000);
    let most = 1_000 + MAX_ANSWER as usize;
    assert_eq!(budget.spend(Cost::Answered(most + 1)), Err(TooMuchWork));
    budget.spend(Cost::Answered(most)).unwrap();
    assert_eq!(budget.spend(Cost::Answered(1)), Err(TooMuchWork));
}

#[test]
fn a_share_is_even_and_leaves_the_rest_to_the_others() {
    let budget = Budget::new();
    budget.share(1, 4, || {
        assert_eq!(budget.left(), MAX_WORK / 4);
        budget.spend(Cost::Compared(1_000)).unwrap();
        for _ in 0..MAX_LOOKUPS {
            budget.spend(Cost::Lookup).unwrap();
        }
        assert_eq!(budget.spend(Cost::Lookup), Err(TooMuchWork));
    });
    assert_eq!(budget.left(), MAX_WORK - budget.spent().work);
    budget.share(1, 3, || budget.spend(Cost::Lookup).unwrap());
}

#[test]
fn a_share_is_never_less_than_a_usual_part_costs() {
    let budget = Budget::new();
    let mut done = 0;
    for at in 0..1_000 {
        let work = || budget.spend(Cost::Compared(300_000)).is_ok();
        done += usize::from(budget.share(1, 1_000 - at, work));
    }
    assert_eq!(done, MAX_WORK as usize / 300_000);
    budget.share(10, 20, || assert_eq!(budget.left(), MAX_WORK % 300_000));
}

#[test]
fn signing_is_charged_to_the_call() {
    use crate::identity::did::Did;
    use crate::identity::key::SecretKey;
    use crate::token::delegation::{Delegation, issue_within};
    use alloc::collections::BTreeMap;
    use alloc::string::ToString;
    use ipld_core::ipld::Ipld;

    let key = SecretKey::from_bytes(KeyType::Ed25519, &[1; 32]).unwrap();
    let issuer = Did::from_key(&key.public_key());
    let delegation = Delegation {
        issuer: issuer.clone(),
        audience: Did::parse("did:web:a.example").unwrap(),
        subject: Some(issuer),
        command: crate::token::command::Command::parse("/a").unwrap(),
        policy: crate::policy::statement::Policy::default(),
        nonce: alloc::vec![1; 12],
        expires_at: None,
        not_before: None,
        meta: Some(BTreeMap::from([(
            "a".to_string(),
            Ipld::Bytes(alloc::vec![0; 5_000]),
        )])),
    };
    let budget = Budget::new();
    let token = issue_within(&delegation, &key, 0, &budget).unwrap();
    let spent = budget.spent();
    // Written, and read back.
    assert!(spent.bytes_read > 2 * 5_000, "{spent:?}");
    assert!(spent.values_built >= token.values() as u64, "{spent:?}");
    let refused = budget.leaving(budget.left() - 150_000, || {
        issue_within(&delegation, &key, 0, &budget)
    });
    assert_eq!(refused.unwrap_err().name, TokenErrorName::TooMuchWork);
}
