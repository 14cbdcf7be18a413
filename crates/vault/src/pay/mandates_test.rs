#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;

use crate::pay::budget::{Budget, Used};
use crate::pay::currency::Currency;
use crate::pay::period::Period;
use crate::testing::NOW;

fn cid(number: usize) -> String {
    Cid::of(&number.to_be_bytes()).to_string()
}

fn mandate(number: usize, ended: bool) -> Mandate {
    Mandate {
        cid: cid(number),
        issuer: "did:web:shop.example".to_string(),
        audience: "did:web:shop.example".to_string(),
        payees: Vec::new(),
        min: None,
        max: 1,
        currency: Currency::parse("GBP").unwrap(),
        not_before: None,
        expires_at: None,
        budget: Budget {
            period: Period::Day,
            amount: Some(10_000),
            payments: None,
        },
        created_at: NOW,
        used: Used::default(),
        total: Used::default(),
        suspended: false,
        ended,
        others: BTreeMap::new(),
        recent: Vec::new(),
        shares: None,
    }
}

#[test]
fn ended_mandates_make_way_and_others_do_not() {
    let mut mandates = Mandates::default();
    let now = NOW as i64;
    for number in 0..MAX_MANDATES {
        assert!(mandates.put(mandate(number, number == 7), now));
    }
    assert!(mandates.put(mandate(MAX_MANDATES, false), now));
    assert!(mandates.find(&cid(7)).is_err());
    assert!(!mandates.put(mandate(MAX_MANDATES + 1, false), now));
    assert!(mandates.put(mandate(3, true), now));
    assert_eq!(mandates.all().len(), MAX_MANDATES);
    assert!(mandates.is_valid());
}

#[test]
fn the_first_forgotten_of_the_ended_mandates_goes_first() {
    let mut mandates = Mandates::default();
    for number in 0..=MAX_OVER {
        mandates.note_over(&cid(number));
        mandates.note_over(&cid(number));
    }
    assert_eq!(mandates.over.len(), MAX_OVER);
    assert_eq!(mandates.over.first(), Some(&cid(1)));
    assert!(mandates.is_valid());
    // A copy that still has one of them learns that it has ended.
    let mut copy = Mandates::default();
    assert!(copy.put(mandate(1, false), NOW as i64));
    copy.merge_backup(&mandates, NOW);
    assert!(copy.all()[0].ended);
}

#[test]
fn all_requests_of_two_copies_are_remembered_until_they_expire() {
    let requests = |from: usize, until: i64| Mandates {
        requests: (from..from + MAX_REQUESTS)
            .map(|number| (cid(number), until))
            .collect(),
        ..Mandates::default()
    };
    let now = NOW as i64;
    let mut mandates = requests(0, now);
    mandates.merge_backup(&requests(1, now + 60), NOW);
    assert_eq!(mandates.requests.len(), MAX_REQUESTS + 1);
    assert!(mandates.is_valid());
    mandates.merge_backup(&requests(0, now), NOW + 1);
    assert_eq!(mandates.requests.len(), MAX_REQUESTS);
}

#[test]
fn past_the_limit_no_request_is_remembered_or_answered() {
    let mut mandates = Mandates::default();
    let request = |number: usize| Cid::of(&number.to_be_bytes());
    for number in 0..MAX_REQUESTS {
        assert!(mandates.remember(&request(number), NOW as i64));
    }
    assert!(!mandates.remember(&request(MAX_REQUESTS), NOW as i64));
    assert!(!mandates.was_answered(&request(MAX_REQUESTS)));
    mandates.forget_requests(NOW as i64 + 1);
    assert!(mandates.remember(&request(MAX_REQUESTS), NOW as i64));
    assert!(mandates.may_have_forgotten(NOW as i64));
}
