#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use alloc::collections::BTreeSet;
use alloc::string::String;
use core::fmt;

use ipld_core::ipld::Ipld;
use serde_json::json;

use crate::backup::OpenBackup;
use crate::methods::unlock_proof::UnlockProof;
use crate::pay::budget::Budget;
use crate::pay::currency::Currency;
use crate::pay::mandate_terms::MAX_PAYEES;
use crate::pay::mandates::{MAX_MANDATES, Mandates};
use crate::pay::period::Period;
use crate::seal::format::MAX_NUMBER;
use crate::testing::{Bench, NOW, PASSPHRASE, account_of, compare_with_vector, vector};
use crate::vault::sealed_state::SealedState;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_ucan::time::Clock;
use keyhole_ucan::token::container;
use keyhole_ucan::token::read::Token;
use keyhole_ucan::validation::chain::Circumstances;
use keyhole_ucan::validation::request::{Proofs, Request};
use keyhole_ucan::validation::validate::{self, Conditions};

const DAY: u64 = 24 * 60 * 60;

fn shop() -> Did {
    Did::parse("did:web:shop.example").unwrap()
}

fn pounds() -> Currency {
    Currency::parse("GBP").unwrap()
}

fn paying(amount: u64) -> Payment {
    Payment::new(shop(), amount, pounds(), "A-1001").unwrap()
}

fn agent() -> SecretKey {
    SecretKey::from_bytes(KeyType::Ed25519, &[9; 32]).unwrap()
}

fn terms(audience: Option<&SecretKey>) -> Terms {
    Terms {
        audience: audience.map(|key| Did::from_key(&key.public_key())),
        payees: vec![shop()],
        min: None,
        max: 5_000,
        currency: pounds(),
        not_before: None,
        expires_at: Some(NOW as i64 + 30 * DAY as i64),
        budget: Budget {
            period: Period::Day,
            amount: Some(10_000),
            payments: None,
        },
    }
}

fn name_of<T: fmt::Debug>(answer: Result<T, MandateError>) -> &'static str {
    match answer.unwrap_err() {
        MandateError::Refused(name, _) => name,
        MandateError::Token(error) => error.name.as_str(),
        MandateError::Vault(error) => error.code().as_str(),
    }
}

fn account(bench: &mut Bench) -> Vault {
    account_of(KeyType::Ed25519, None, bench)
}

fn make(vault: &mut Vault, terms: &Terms, bench: &mut Bench) -> (Signed<Delegation>, Mandate) {
    vault.make_mandate(terms, None, &mut bench.tools()).unwrap()
}

fn spend(
    vault: &mut Vault,
    cid: &str,
    amount: u64,
    bench: &mut Bench,
) -> Result<Counted, MandateError> {
    vault.spend(cid, &paying(amount), true, 5, &mut bench.tools())
}

/// A request as it comes from a mandate's holder.
fn asking(
    mandate: &Signed<Delegation>,
    holder: &SecretKey,
    args: keyhole_ucan::token::envelope::Fields,
    until: Option<i64>,
    nonce: u8,
) -> Request {
    asking_along(&[mandate], holder, args, until, nonce)
}

/// As [`asking`], by the last recipient of a chain.
fn asking_along(
    chain: &[&Signed<Delegation>],
    holder: &SecretKey,
    args: keyhole_ucan::token::envelope::Fields,
    until: Option<i64>,
    nonce: u8,
) -> Request {
    let owner = chain[0].payload().issuer.clone();
    let invocation = Invocation {
        issuer: Did::from_key(&holder.public_key()),
        subject: owner,
        audience: None,
        command: Command::parse(REQUEST).unwrap(),
        args,
        proofs: chain.iter().map(|link| link.cid()).collect(),
        nonce: vec![nonce; 12],
        expires_at: until,
        issued_at: None,
        meta: None,
        cause: None,
    };
    let signed = Signed::sign(&invocation, holder).unwrap();
    let links = chain.iter().map(|link| Token::Delegation((*link).clone()));
    Request::read(links.chain([Token::Invocation(signed)]).collect()).unwrap()
}

fn countersign(
    vault: &mut Vault,
    request: &Request,
    bench: &mut Bench,
) -> Result<Counted, MandateError> {
    countersign_at(NOW, vault, request, bench)
}

fn countersign_at(
    now: u64,
    vault: &mut Vault,
    request: &Request,
    bench: &mut Bench,
) -> Result<Counted, MandateError> {
    let none = Proofs::default();
    let seen = BTreeSet::new();
    let conditions = Conditions {
        circumstances: Circumstances::at(Clock {
            now: now as i64,
            skew: 0,
        }),
        audience: None,
        seen: &seen,
    };
    let path = validate::validate(request, &none, conditions)?;
    let mut tools = bench.tools();
    tools.now = now;
    vault.countersign(request.invocation(), &path, 5, &mut tools)
}

#[test]
fn a_budget_is_counted_to_its_end_and_not_beyond() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let (_, mandate) = make(&mut vault, &terms(None), &mut bench);
    for left in [6_000, 2_000] {
        let counted = spend(&mut vault, &mandate.cid, 4_000, &mut bench).unwrap();
        assert_eq!(counted.mandate.remaining(NOW).amount, Some(left));
    }
    let revision = vault.state().revision;
    assert_eq!(
        name_of(spend(&mut vault, &mandate.cid, 2_001, &mut bench)),
        "BudgetExceeded"
    );
    assert_eq!(vault.state().revision, revision);
    let last = spend(&mut vault, &mandate.cid, 2_000, &mut bench)
        .unwrap()
        .mandate;
    assert_eq!(last.remaining(NOW).amount, Some(0));
    assert_eq!((last.total.amount, last.total.payments), (10_000, 3));
    assert_eq!(
        name_of(spend(&mut vault, &mandate.cid, 1, &mut bench)),
        "BudgetExceeded"
    );
}

#[test]
fn a_number_of_payments_is_counted_too() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let mut wanted = terms(None);
    wanted.budget = Budget {
        period: Period::Week,
        amount: None,
        payments: Some(2),
    };
    let (_, mandate) = make(&mut vault, &wanted, &mut bench);
    for _ in 0..2 {
        spend(&mut vault, &mandate.cid, 5_000, &mut bench).unwrap();
    }
    assert_eq!(
        name_of(spend(&mut vault, &mandate.cid, 1, &mut bench)),
        "BudgetExceeded"
    );
}

#[test]
fn the_next_period_has_the_whole_budget_and_a_clock_set_back_gains_nothing() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let (_, mandate) = make(&mut vault, &terms(None), &mut bench);
    let at = |vault: &mut Vault, now: u64, amount: u64, bench: &mut Bench| {
        let mut tools = bench.tools();
        tools.now = now;
        vault.spend(&mandate.cid, &paying(amount), true, 5, &mut tools)
    };
    for _ in 0..2 {
        at(&mut vault, NOW, 5_000, &mut bench).unwrap();
    }
    assert_eq!(
        name_of(at(&mut vault, NOW, 1, &mut bench)),
        "BudgetExceeded"
    );
    let tomorrow = at(&mut vault, NOW + DAY, 5_000, &mut bench)
        .unwrap()
        .mandate;
    assert_eq!(tomorrow.remaining(NOW + DAY).amount, Some(5_000));
    at(&mut vault, NOW, 5_000, &mut bench).unwrap();
    // Both days' clocks now use tomorrow's budget.
    assert_eq!(
        name_of(at(&mut vault, NOW, 1, &mut bench)),
        "BudgetExceeded"
    );
    assert_eq!(
        name_of(at(&mut vault, NOW + DAY, 1, &mut bench)),
        "BudgetExceeded"
    );
}

#[test]
fn what_a_mandate_does_not_allow_is_refused_and_not_counted() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let mut wanted = terms(None);
    wanted.min = Some(100);
    wanted.not_before = Some(NOW as i64 - 10);
    let (_, mandate) = make(&mut vault, &wanted, &mut bench);
    let euros = Currency::parse("EUR").unwrap();
    let other = Did::parse("did:web:evil.example").unwrap();
    for wrong in [
        paying(5_001),
        paying(99),
        Payment::new(shop(), 500, euros, "A").unwrap(),
        Payment::new(other, 500, pounds(), "A").unwrap(),
    ] {
        let answer = vault.spend(&mandate.cid, &wrong, true, 5, &mut bench.tools());
        assert_eq!(name_of(answer), "OutsideMandate", "{wrong:?}");
    }
    for (now, name) in [
        (NOW - 11, "OutsideMandate"),
        (NOW + 31 * DAY, "MandateEnded"),
    ] {
        let mut tools = bench.tools();
        tools.now = now;
        assert_eq!(
            name_of(vault.spend(&mandate.cid, &paying(100), true, 5, &mut tools)),
            name
        );
    }
    assert_eq!(vault.mandates()[0].used.amount, 0);
    assert_eq!(
        name_of(spend(&mut vault, "bafyreigh", 1, &mut bench)),
        "UnknownMandate"
    );
}

#[test]
fn a_mandate_can_be_suspended_confirmed_and_ended() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let (_, mandate) = make(&mut vault, &terms(None), &mut bench);
    vault
        .suspend_mandate(&mandate.cid, true, &mut bench.tools())
        .unwrap();
    assert_eq!(
        name_of(spend(&mut vault, &mandate.cid, 1, &mut bench)),
        "MandateSuspended"
    );
    vault
        .suspend_mandate(&mandate.cid, false, &mut bench.tools())
        .unwrap();
    spend(&mut vault, &mandate.cid, 1, &mut bench).unwrap();
    vault.end_mandate(&mandate.cid, &mut bench.tools()).unwrap();
    assert_eq!(
        name_of(spend(&mut vault, &mandate.cid, 1, &mut bench)),
        "MandateEnded"
    );
    let again = vault.suspend_mandate(&mandate.cid, false, &mut bench.tools());
    assert_eq!(name_of(again), "MandateEnded");
}

#[test]
fn terms_that_allow_nothing_or_cannot_be_counted_are_refused() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let owner = Did::from_key(&vault.key(None).unwrap().public_key());
    let change = |change: &dyn Fn(&mut Terms)| {
        let mut changed = terms(None);
        change(&mut changed);
        changed
    };
    for wrong in [
        change(&|terms| terms.min = Some(5_001)),
        change(&|terms| terms.budget.amount = None),
        change(&|terms| terms.budget.payments = Some(0)),
        change(&|terms| {
            terms.min = Some(200);
            terms.budget.amount = Some(199);
        }),
        change(&|terms| terms.budget.amount = Some(4_999)),
        change(&|terms| terms.payees = vec![shop(); MAX_PAYEES + 1]),
        change(&|terms| terms.payees = Vec::new()),
        change(&|terms| {
            terms.audience = Some(owner.clone());
            terms.payees = Vec::new();
        }),
        change(&|terms| terms.budget.payments = Some(MAX_NUMBER + 1)),
        change(&|terms| terms.expires_at = Some(NOW as i64)),
    ] {
        let answer = vault.make_mandate(&wrong, None, &mut bench.tools());
        assert_eq!(name_of(answer.map(drop)), "InvalidMandate", "{wrong:?}");
    }
    let nothing = change(&|terms| terms.max = 0);
    let person = change(&|terms| terms.payees = vec![Did::from_key(&agent().public_key())]);
    let page = Did::parse("did:web:shop.example:till").unwrap();
    let page = change(&|terms| terms.payees = vec![page.clone()]);
    for wrong in [nothing, person, page] {
        let answer = vault.make_mandate(&wrong, None, &mut bench.tools());
        assert_eq!(name_of(answer.map(drop)), "InvalidPayment");
    }
    assert!(vault.mandates().is_empty());
}

#[test]
fn the_vaults_own_mandate_only_pays_payees_that_it_names() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let agent = agent();
    let mut anyone = terms(Some(&agent));
    anyone.payees = Vec::new();
    let (_, held) = make(&mut vault, &anyone, &mut bench);
    vault
        .spend(&held.cid, &paying(1), false, 5, &mut bench.tools())
        .unwrap();
    // As an earlier version may have left it in a state.
    let mut own = make(&mut vault, &terms(None), &mut bench).1;
    own.payees = Vec::new();
    assert!(vault.private.mandates.put(own.clone(), NOW as i64));
    for by_itself in [true, false] {
        let answer = vault.spend(&own.cid, &paying(1), by_itself, 5, &mut bench.tools());
        assert_eq!(name_of(answer), "OutsideMandate");
    }
    vault.end_mandate(&own.cid, &mut bench.tools()).unwrap();
}

#[test]
fn spending_stays_a_number_that_fits_a_backup() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let mut wanted = terms(None);
    wanted.max = MAX_NUMBER;
    wanted.budget = Budget {
        period: Period::Month,
        amount: None,
        payments: Some(3),
    };
    let (_, mandate) = make(&mut vault, &wanted, &mut bench);
    for _ in 0..3 {
        spend(&mut vault, &mandate.cid, MAX_NUMBER, &mut bench).unwrap();
    }
    let used = &vault.mandates()[0].used;
    assert_eq!((used.amount, used.payments), (MAX_NUMBER, 3));
    let backup = export(&vault, &mut bench);
    assert!(OpenBackup::open(&backup, FILE, &mut bench.memory).is_ok());
}

#[test]
fn an_ended_mandate_that_was_forgotten_does_not_come_back_from_a_backup() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let cid = make(&mut vault, &terms(None), &mut bench).1.cid;
    let early = export(&vault, &mut bench);
    vault.end_mandate(&cid, &mut bench.tools()).unwrap();
    for _ in 0..MAX_MANDATES {
        make(&mut vault, &terms(None), &mut bench);
    }
    let late = export(&vault, &mut bench);
    // There is room again, so that can't be the reason.
    let other = vault.mandates()[0].cid.clone();
    vault.end_mandate(&other, &mut bench.tools()).unwrap();
    let open = |text: &str, bench: &mut Bench| OpenBackup::open(text, FILE, &mut bench.memory);
    let late = open(&late, &mut bench).unwrap();
    let mut restored = Vault::restore(&late, PASSPHRASE, &mut bench.tools()).unwrap();
    for vault in [&mut vault, &mut restored] {
        import(vault, &early, &mut bench);
        let answer = vault.suspend_mandate(&cid, false, &mut bench.tools());
        assert_eq!(name_of(answer), "UnknownMandate");
        assert_eq!(name_of(spend(vault, &cid, 1, &mut bench)), "UnknownMandate");
    }
}

#[test]
fn a_holder_asks_and_the_vault_counts_and_signs() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let agent = agent();
    let (token, mandate) = make(&mut vault, &terms(Some(&agent)), &mut bench);
    let soon = Some(NOW as i64 + 300);
    let request = asking(&token, &agent, paying(4_000).to_args(), soon, 1);
    let counted = countersign(&mut vault, &request, &mut bench).unwrap();
    let signed = counted.authorisation.payload();
    assert_eq!(signed.command.as_str(), payment::AUTHORIZE);
    assert_eq!(signed.issuer, token.payload().issuer);
    assert_eq!(signed.executor(), &shop());
    let link = |cid: Cid| Some(Ipld::Link(cid.to_raw()));
    assert_eq!(signed.args.get("mandate").cloned(), link(token.cid()));
    assert_eq!(
        signed.args.get("request").cloned(),
        link(request.invocation().cid())
    );
    assert_eq!(counted.mandate.remaining(NOW).amount, Some(6_000));

    assert_eq!(
        name_of(countersign(&mut vault, &request, &mut bench)),
        "Replayed"
    );
    let second = asking(&token, &agent, paying(5_000).to_args(), soon, 2);
    countersign(&mut vault, &second, &mut bench).unwrap();
    let third = asking(&token, &agent, paying(1_001).to_args(), soon, 3);
    assert_eq!(
        name_of(countersign(&mut vault, &third, &mut bench)),
        "BudgetExceeded"
    );
    // A refused request was not answered: if less is spent, it can be asked again.
    let by_itself = vault.spend(&mandate.cid, &paying(1), true, 5, &mut bench.tools());
    assert_eq!(name_of(by_itself), "OutsideMandate");
}

#[test]
fn a_request_that_breaks_a_rule_is_not_signed() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let agent = agent();
    let (token, _) = make(&mut vault, &terms(Some(&agent)), &mut bench);
    let soon = Some(NOW as i64 + 300);
    let args = || paying(4_000).to_args();
    let revision = vault.state().revision;
    for (until, name) in [
        (None, "InvalidClaim"),
        (Some(NOW as i64 + MAX_REQUEST_LIFETIME + 1), "InvalidClaim"),
        (Some(NOW as i64 - 1), "Expired"),
    ] {
        let request = asking(&token, &agent, args(), until, 1);
        assert_eq!(name_of(countersign(&mut vault, &request, &mut bench)), name);
    }
    // Beyond the policy, so the chain refuses it.
    let over = asking(&token, &agent, paying(5_001).to_args(), soon, 1);
    assert_eq!(
        name_of(countersign(&mut vault, &over, &mut bench)),
        "MatchError"
    );
    // Within the policy, but not a payment.
    let mut odd = args();
    odd.insert("tip".to_string(), Ipld::Integer(1));
    let odd = asking(&token, &agent, odd, soon, 1);
    assert_eq!(
        name_of(countersign(&mut vault, &odd, &mut bench)),
        "InvalidPayment"
    );
    // From someone else.
    let thief = SecretKey::from_bytes(KeyType::Ed25519, &[8; 32]).unwrap();
    let stolen = asking(&token, &thief, args(), soon, 1);
    assert_eq!(
        name_of(countersign(&mut vault, &stolen, &mut bench)),
        "InvalidAudience"
    );
    // Under a mandate of another vault.
    let mut other = account_of(KeyType::P256, None, &mut bench);
    let (foreign, _) = other
        .make_mandate(&terms(Some(&agent)), None, &mut bench.tools())
        .unwrap();
    let elsewhere = asking(&foreign, &agent, args(), soon, 1);
    assert_eq!(
        name_of(countersign(&mut vault, &elsewhere, &mut bench)),
        "UnknownMandate"
    );
    assert_eq!(vault.state().revision, revision);
}

#[test]
fn a_request_under_the_vaults_own_mandate_is_not_signed() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let agent = agent();
    let (own, _) = make(&mut vault, &terms(None), &mut bench);
    let (held, held_by) = make(&mut vault, &terms(Some(&agent)), &mut bench);
    vault
        .suspend_mandate(&held_by.cid, true, &mut bench.tools())
        .unwrap();
    let owner = vault.key(None).unwrap().clone();
    let soon = Some(NOW as i64 + 300);
    let args = || paying(1).to_args();
    // The owner needs no chain, so there is none to count under.
    let alone = asking(&own, &owner, args(), soon, 1);
    let passed_on = asking_along(&[&own, &held], &agent, args(), soon, 1);
    let revision = vault.state().revision;
    for (request, name) in [(alone, "UnknownMandate"), (passed_on, "OutsideMandate")] {
        let answer = countersign(&mut vault, &request, &mut bench);
        assert_eq!(name_of(answer), name);
    }
    assert_eq!(vault.state().revision, revision);
}

#[test]
fn a_request_under_two_mandates_is_not_signed() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let agent = agent();
    let (suspended, first) = make(&mut vault, &terms(Some(&agent)), &mut bench);
    let (live, _) = make(&mut vault, &terms(Some(&agent)), &mut bench);
    vault
        .suspend_mandate(&first.cid, true, &mut bench.tools())
        .unwrap();
    // A holder of both can delegate the first back to the vault, and so make a chain through each.
    let handed_back = Delegation {
        issuer: suspended.payload().audience.clone(),
        audience: suspended.payload().issuer.clone(),
        meta: None,
        ..suspended.payload().clone()
    };
    let back = Signed::sign(&handed_back, &agent).unwrap();
    let chain = [&suspended, &back, &live];
    let soon = Some(NOW as i64 + 300);
    let request = asking_along(&chain, &agent, paying(1).to_args(), soon, 1);
    let revision = vault.state().revision;
    let answer = countersign(&mut vault, &request, &mut bench);
    assert_eq!(name_of(answer), "OutsideMandate");
    assert_eq!(vault.state().revision, revision);
}

#[test]
fn a_clock_that_ran_ahead_and_was_set_back_answers_no_request_again() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let agent = agent();
    let (token, mandate) = make(&mut vault, &terms(Some(&agent)), &mut bench);
    let ask = |from: u64, nonce: u8| {
        let until = Some(from as i64 + 300);
        asking(&token, &agent, paying(100).to_args(), until, nonce)
    };
    let first = ask(NOW, 1);
    countersign(&mut vault, &first, &mut bench).unwrap();
    let ahead = NOW + 2 * 60 * 60;
    countersign_at(ahead, &mut vault, &ask(ahead, 2), &mut bench).unwrap();
    let stored = json!(vault.private.mandates);
    assert_eq!(stored["requests"].as_object().unwrap().len(), 1);
    let early = export(&vault, &mut bench);
    let backup = OpenBackup::open(&early, FILE, &mut bench.memory).unwrap();
    let mut restored = Vault::restore(&backup, PASSPHRASE, &mut bench.tools()).unwrap();
    restored
        .suspend_mandate(&mandate.cid, false, &mut bench.tools())
        .unwrap();
    for vault in [&mut vault, &mut restored] {
        let answer = countersign(vault, &first, &mut bench);
        assert_eq!(name_of(answer), "Replayed");
        assert_eq!(vault.mandates()[0].total.payments, 2);
        // One that is valid for longer than what was forgotten must be new.
        countersign(vault, &ask(NOW + 1, 3), &mut bench).unwrap();
    }
}

#[test]
fn counts_are_in_the_sealed_state() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let (_, mandate) = make(&mut vault, &terms(None), &mut bench);
    spend(&mut vault, &mandate.cid, 4_000, &mut bench).unwrap();
    let state = SealedState::parse(&vault.state().to_text().unwrap()).unwrap();
    let back = Vault::unlock(
        state,
        UnlockProof::Passphrase(PASSPHRASE),
        &mut bench.memory,
    )
    .unwrap();
    assert_eq!(back.mandates(), vault.mandates());
    assert_eq!(back.mandates()[0].remaining(NOW).amount, Some(6_000));
}

#[test]
fn a_restored_backup_takes_the_higher_count_and_waits_to_be_confirmed() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let (_, mandate) = make(&mut vault, &terms(None), &mut bench);
    spend(&mut vault, &mandate.cid, 3_000, &mut bench).unwrap();
    let early = export(&vault, &mut bench);
    spend(&mut vault, &mandate.cid, 2_000, &mut bench).unwrap();
    let late = export(&vault, &mut bench);

    // Into an account that has counted since: the backup adds nothing.
    import(&mut vault, &early, &mut bench);
    assert_eq!(vault.mandates()[0].remaining(NOW).amount, Some(5_000));
    assert!(!vault.mandates()[0].suspended);

    // On another device: as it was, and suspended.
    let backup = OpenBackup::open(&early, FILE, &mut bench.memory).unwrap();
    let mut restored = Vault::restore(&backup, PASSPHRASE, &mut bench.tools()).unwrap();
    assert_eq!(
        name_of(spend(&mut restored, &mandate.cid, 1, &mut bench)),
        "MandateSuspended"
    );
    restored
        .suspend_mandate(&mandate.cid, false, &mut bench.tools())
        .unwrap();
    // What the other one had counted by then counts here too, and must be confirmed again.
    import(&mut restored, &late, &mut bench);
    let merged = &restored.mandates()[0];
    assert_eq!(merged.remaining(NOW).amount, Some(5_000));
    assert!(merged.suspended);
}

#[test]
fn every_mandate_of_a_state_that_may_be_behind_waits_to_be_confirmed() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let revision = vault.state().revision;
    vault.suspend_mandates(&mut bench.tools()).unwrap();
    assert_eq!(vault.state().revision, revision + 1);
    let cids: Vec<String> = (0..3)
        .map(|_| make(&mut vault, &terms(None), &mut bench).1.cid)
        .collect();
    vault.end_mandate(&cids[0], &mut bench.tools()).unwrap();
    vault.suspend_mandates(&mut bench.tools()).unwrap();
    let names = ["MandateEnded", "MandateSuspended", "MandateSuspended"];
    for (cid, name) in cids.iter().zip(names) {
        assert_eq!(name_of(spend(&mut vault, cid, 1, &mut bench)), name);
    }
    vault
        .suspend_mandate(&cids[1], false, &mut bench.tools())
        .unwrap();
    spend(&mut vault, &cids[1], 1, &mut bench).unwrap();
}

/// How counts are stored, in an account and in a backup, pinned.
#[test]
fn writes_and_opens_the_vector() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let agent = agent();
    let (token, _) = make(&mut vault, &terms(Some(&agent)), &mut bench);
    let mut own = terms(None);
    own.min = Some(100);
    own.not_before = Some(NOW as i64);
    own.expires_at = None;
    own.budget = Budget {
        period: Period::Month,
        amount: Some(10_000),
        payments: Some(10),
    };
    let (_, own) = make(&mut vault, &own, &mut bench);
    spend(&mut vault, &own.cid, 2_500, &mut bench).unwrap();
    let request = first_request(&token);
    let counted = countersign(&mut vault, &request, &mut bench).unwrap();
    let older = json!({"over": [Cid::of(b"over").to_string()], "requests_until": NOW - 1});
    let older: Mandates = serde_json::from_value(older).unwrap();
    vault.private.mandates.merge_backup(&older, NOW);
    vault
        .suspend_mandate(&own.cid, true, &mut bench.tools())
        .unwrap();
    let actual = json!({
        "randomness": "as in seal-v1.json",
        "passphrase": PASSPHRASE,
        "file_passphrase": FILE,
        "mandate": container::write([token.bytes()]),
        "authorisation": container::write([counted.authorisation.bytes()]),
        "mandates": vault.private.mandates,
        "state": vault.state().to_text().unwrap(),
        "backup": export(&vault, &mut bench),
    });
    compare_with_vector("seal-v1-mandates-2.json", &actual);
}

/// Shipped states open, whatever is written today.
#[test]
fn opens_the_states_of_every_version() {
    for name in ["seal-v1-mandates.json", "seal-v1-mandates-2.json"] {
        let mut bench = Bench::new();
        let vector = vector(name);
        let text = |name: &str| vector[name].as_str().unwrap();
        let state = SealedState::parse(text("state")).unwrap();
        let proof = UnlockProof::Passphrase(text("passphrase"));
        let opened = Vault::unlock(state, proof, &mut bench.memory).unwrap();
        assert_eq!(json!(opened.private.mandates), vector["mandates"]);
        let file = text("file_passphrase");
        let backup = OpenBackup::open(text("backup"), file, &mut bench.memory).unwrap();
        let mut restored = Vault::restore(&backup, PASSPHRASE, &mut bench.tools()).unwrap();
        assert!(restored.mandates().iter().all(|mandate| mandate.suspended));
        // A request that is asked again after a restore is known.
        for mandate in opened.mandates() {
            restored
                .suspend_mandate(&mandate.cid, false, &mut bench.tools())
                .unwrap();
        }
        let tokens = keyhole_ucan::token::read::text(text("mandate")).unwrap();
        let token = keyhole_ucan::token::read::delegations(tokens)
            .unwrap()
            .remove(0);
        let request = first_request(&token);
        assert_eq!(
            name_of(countersign(&mut restored, &request, &mut bench)),
            "Replayed"
        );
    }
}

/// The request of the vectors' holder.
fn first_request(mandate: &Signed<Delegation>) -> Request {
    let soon = Some(NOW as i64 + 300);
    asking(mandate, &agent(), paying(4_000).to_args(), soon, 1)
}

const FILE: &str = "a passphrase for the file";

fn export(vault: &Vault, bench: &mut Bench) -> String {
    let contents = serde_json::value::RawValue::from_string("{}".to_string()).unwrap();
    vault.export(FILE, contents, &mut bench.tools()).unwrap()
}

fn import(vault: &mut Vault, text: &str, bench: &mut Bench) {
    let backup = OpenBackup::open(text, FILE, &mut bench.memory).unwrap();
    vault.merge(&backup, &mut bench.tools()).unwrap();
}
