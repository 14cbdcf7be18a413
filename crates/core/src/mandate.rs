//! Mandates with a budget: spending authority that only this vault can make use of, since somebody has to count.
//!
//! A mandate is a delegation of `/payment/request`, whose limits for one payment are its policy, and a count in the private section.
//! Whoever holds it asks; the vault counts and authorises in one change of the state. `docs/payment.md` is the profile. A mandate
//! without a budget is a plain delegation of `/payment/authorize`, and none of these.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use ipld_core::ipld::Ipld;
use serde::{Deserialize, Serialize};

use crate::cid::Cid;
use crate::currency::{Currency, check_amount};
use crate::delegation::{self, Delegation, NONCE_LENGTH};
use crate::did::Did;
use crate::error::{TokenError, TokenErrorName};
use crate::invocation::Invocation;
use crate::payload::Signed;
use crate::payment::{self, Basis, Payment, PaymentError, REQUEST};
use crate::period::Period;
use crate::policy::Policy;
use crate::revocation::command;
use crate::seal::MAX_NUMBER;
use crate::time::DEFAULT_SKEW;
use crate::vault::{Tools, Vault};
use crate::vault_error::VaultError;

/// Most mandates with a budget at a time. Past it the oldest that is over is forgotten but for its CID, and never comes back.
pub const MAX_MANDATES: usize = 256;
/// Most mandates that are known to be over after they were forgotten. Past it the one that was forgotten first goes.
pub const MAX_OVER: usize = 4_096;
/// Most payees that one names.
pub const MAX_PAYEES: usize = 32;
/// The longest that a request may hold, in seconds: for so long it is remembered.
pub const MAX_REQUEST_LIFETIME: i64 = 60 * 60;
/// Most requests that are remembered at a time.
pub const MAX_REQUESTS: usize = 4_096;

/// What may be spent in each period; at least one of the two is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// What it is counted over.
    pub period: Period,
    /// At most so much in all, in minor units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<u64>,
    /// At most so many payments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payments: Option<u64>,
}

/// What a mandate is to allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Who may ask; `None`: nobody but this vault itself, on its own.
    pub audience: Option<Did>,
    /// Who may be paid; empty: anyone, which the vault's own does not allow.
    pub payees: Vec<Did>,
    /// The least of one payment, in minor units.
    pub min: Option<u64>,
    /// The most of one payment, in minor units.
    pub max: u64,
    /// Of every payment.
    pub currency: Currency,
    /// From when on, in seconds.
    pub not_before: Option<i64>,
    /// Until when, in seconds; `None`: until it is ended.
    pub expires_at: Option<i64>,
    /// In each period.
    pub budget: Budget,
}

/// What was spent within one period.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Used {
    /// The period's first second.
    pub since: u64,
    /// In minor units.
    pub amount: u64,
    /// How many payments.
    pub payments: u64,
}

impl Used {
    /// With one payment more.
    fn plus(&self, payment: &Payment) -> Self {
        Self {
            since: self.since,
            amount: self.amount.saturating_add(payment.amount),
            payments: self.payments.saturating_add(1),
        }
    }

    /// As JavaScript reads it exactly. A budget is never more than that, so nothing is gained by what is cut off.
    fn within_numbers(self) -> Self {
        Self {
            since: self.since,
            amount: self.amount.min(MAX_NUMBER),
            payments: self.payments.min(MAX_NUMBER),
        }
    }

    fn numbers(&self) -> [u64; 3] {
        [self.since, self.amount, self.payments]
    }
}

/// What is left of a budget at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remaining {
    /// In minor units, where the budget is one of amounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<u64>,
    /// Payments, where the budget is one of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payments: Option<u64>,
    /// When the period ends and all of it is there again, in seconds.
    pub until: u64,
}

/// A mandate with its count, as the private section keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mandate {
    /// Of the delegation.
    pub cid: String,
    /// The DID of the account's key that signed it, and that signs what is authorised under it.
    pub issuer: String,
    /// Who may ask. The issuer itself: nobody else.
    pub audience: String,
    /// Who may be paid; empty: anyone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub payees: Vec<String>,
    /// The least of one payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u64>,
    /// The most of one payment.
    pub max: u64,
    /// Of every payment.
    pub currency: Currency,
    /// From when on, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<i64>,
    /// Until when, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// In each period.
    pub budget: Budget,
    /// When it was made, in seconds.
    pub created_at: u64,
    /// In the period that was counted last.
    pub used: Used,
    /// In all periods together.
    pub total: Used,
    /// Nothing is authorised under it until it is confirmed.
    #[serde(default)]
    pub suspended: bool,
    /// It is over for good.
    #[serde(default)]
    pub ended: bool,
}

/// Why nothing is authorised.
#[derive(Clone, Debug, PartialEq)]
pub enum MandateError {
    /// By name, for programs: `BudgetExceeded`, `OutsideMandate`, `MandateSuspended`, `MandateEnded`, `UnknownMandate`,
    /// `InvalidMandate`, `InvalidPayment`. And a sentence for people.
    Refused(&'static str, String),
    /// A token that was asked with does not hold, or one that is to be made cannot be.
    Token(TokenError),
    /// The state cannot be changed.
    Vault(VaultError),
}

impl fmt::Display for MandateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(_, message) => f.write_str(message),
            Self::Token(error) => error.fmt(f),
            Self::Vault(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for MandateError {}

impl From<TokenError> for MandateError {
    fn from(error: TokenError) -> Self {
        Self::Token(error)
    }
}

impl From<VaultError> for MandateError {
    fn from(error: VaultError) -> Self {
        Self::Vault(error)
    }
}

impl From<PaymentError> for MandateError {
    fn from(error: PaymentError) -> Self {
        Self::Refused("InvalidPayment", error.to_string())
    }
}

fn refused<T>(name: &'static str, message: impl Into<String>) -> Result<T, MandateError> {
    Err(MandateError::Refused(name, message.into()))
}

impl Terms {
    fn check(&self, issuer: &Did, now: i64) -> Result<(), MandateError> {
        let wrong = |message: &str| refused("InvalidMandate", message);
        let amounts = [self.min, Some(self.max), self.budget.amount];
        for amount in amounts.into_iter().flatten() {
            check_amount(amount).map_err(PaymentError::from)?;
        }
        if self.min.is_some_and(|min| min > self.max) {
            return wrong("The least of a payment is more than the most.");
        }
        if self.budget.amount.is_none() && self.budget.payments.is_none() {
            return wrong("A budget says how much, how many payments, or both.");
        }
        if self
            .budget
            .amount
            .is_some_and(|amount| amount < self.min.unwrap_or(1))
        {
            return wrong("The budget is less than its smallest payment.");
        }
        if self
            .budget
            .payments
            .is_some_and(|count| count == 0 || count > MAX_NUMBER)
        {
            return wrong("A budget of payments allows at least one.");
        }
        let is_own = self
            .audience
            .as_ref()
            .is_none_or(|audience| audience == issuer);
        if is_own && self.payees.is_empty() {
            return wrong(
                "A mandate of the vault’s own names who may be paid: else any site is paid that asks.",
            );
        }
        if self.payees.len() > MAX_PAYEES {
            return wrong("A mandate names at most 32 payees.");
        }
        for payee in &self.payees {
            payment::check_payee(payee.clone())?;
        }
        if self.expires_at.is_some_and(|until| until <= now) {
            return wrong("The mandate would have ended before it is made.");
        }
        Ok(())
    }

    /// The limits of one payment, for anyone to check.
    fn policy(&self) -> Result<Policy, TokenError> {
        let text = |text: &str| Ipld::String(text.to_string());
        let statement = |operator: &str, path: &str, value: Ipld| {
            Ipld::List(vec![text(operator), text(path), value])
        };
        let number = |amount: u64| Ipld::Integer(amount.into());
        let mut statements = vec![
            match self.min {
                Some(min) => statement(">=", ".amount", number(min)),
                None => statement(">", ".amount", number(0)),
            },
            statement("<=", ".amount", number(self.max)),
            statement("==", ".currency", text(self.currency.code())),
        ];
        let mut payees = self.payees.iter();
        let named = |payee: &Did| statement("==", ".payee", text(payee.as_str()));
        match (payees.next(), payees.len()) {
            (None, _) => {}
            (Some(only), 0) => statements.push(named(only)),
            (Some(_), _) => {
                let each = self.payees.iter().map(named).collect();
                statements.push(Ipld::List(vec![text("or"), Ipld::List(each)]));
            }
        }
        Policy::parse(&Ipld::List(statements))
            .map_err(|error| TokenError::malformed(error.to_string()))
    }
}

impl Mandate {
    /// Whether nobody but the vault itself makes use of it.
    pub fn is_own(&self) -> bool {
        self.audience == self.issuer
    }

    /// Whether it can never be used again.
    fn is_over(&self, now: i64) -> bool {
        self.ended || self.expires_at.is_some_and(|until| now > until)
    }

    /// What was used in the period that `now` is in. A clock that was set back is still in the period that was counted last.
    fn used_at(&self, now: u64) -> Used {
        let since = self.budget.period.start(now);
        if since > self.used.since {
            Used {
                since,
                ..Used::default()
            }
        } else {
            self.used.clone()
        }
    }

    /// What is left at `now` (seconds).
    pub fn remaining(&self, now: u64) -> Remaining {
        let used = self.used_at(now);
        let left = |most: Option<u64>, used: u64| most.map(|most| most.saturating_sub(used));
        Remaining {
            amount: left(self.budget.amount, used.amount),
            payments: left(self.budget.payments, used.payments),
            until: self.budget.period.end(used.since),
        }
    }

    fn check(&self, payment: &Payment, now: i64) -> Result<(), MandateError> {
        let outside = |message: String| refused("OutsideMandate", message);
        if self.ended {
            return refused("MandateEnded", "This mandate was ended.");
        }
        if self.suspended {
            return refused(
                "MandateSuspended",
                "This mandate is suspended until it is confirmed in the vault.",
            );
        }
        // Terms refuse it; one of an earlier version may be there. Any page that is merely visited would be paid.
        if self.is_own() && self.payees.is_empty() {
            return outside(
                "This mandate is the vault’s own and names no payee, so nothing is paid under it: end it, and make one that names its payees."
                    .to_string(),
            );
        }
        if self.not_before.is_some_and(|from| now < from) {
            return outside("This mandate does not hold yet.".to_string());
        }
        if self.expires_at.is_some_and(|until| now > until) {
            return refused("MandateEnded", "This mandate has expired.");
        }
        if payment.currency != self.currency {
            return outside(format!(
                "This mandate is for {}, and not for {}.",
                self.currency.code(),
                payment.currency.code()
            ));
        }
        if payment.amount > self.max || self.min.is_some_and(|min| payment.amount < min) {
            return outside(
                "This payment is more, or less, than the mandate allows for one.".to_string(),
            );
        }
        let payee = payment.payee.as_str();
        if !self.payees.is_empty() && !self.payees.iter().any(|each| each == payee) {
            return outside(format!("This mandate does not allow paying {payee}."));
        }
        Ok(())
    }

    /// The same mandate with one payment more.
    fn counting(&self, payment: &Payment, now: u64) -> Result<Self, MandateError> {
        let used = self.used_at(now).plus(payment);
        let is_over = |most: Option<u64>, used: u64| most.is_some_and(|most| used > most);
        if is_over(self.budget.amount, used.amount) || is_over(self.budget.payments, used.payments)
        {
            return refused(
                "BudgetExceeded",
                "The budget of this period does not reach for this payment.",
            );
        }
        Ok(Self {
            used: used.within_numbers(),
            total: self.total.plus(payment).within_numbers(),
            ..self.clone()
        })
    }

    /// Of two copies of one mandate whatever allows less: the later count, the higher one of the same period.
    fn merge(&mut self, other: &Self) {
        let higher = |a: &Used, b: &Used| Used {
            since: a.since.max(b.since),
            amount: a.amount.max(b.amount),
            payments: a.payments.max(b.payments),
        };
        self.used = match self.used.since.cmp(&other.used.since) {
            core::cmp::Ordering::Equal => higher(&self.used, &other.used),
            core::cmp::Ordering::Less => other.used.clone(),
            core::cmp::Ordering::Greater => self.used.clone(),
        };
        self.total = higher(&self.total, &other.total);
        self.ended |= other.ended;
    }

    /// Whether it is one that Keyhole writes.
    fn is_valid(&self) -> bool {
        let limits = [
            self.min,
            Some(self.max),
            self.budget.amount,
            self.budget.payments,
        ];
        let counts = [self.used.numbers(), self.total.numbers()];
        let mut numbers = limits
            .into_iter()
            .flatten()
            .chain(counts.into_iter().flatten());
        Cid::parse(&self.cid).is_ok()
            && Did::parse(&self.issuer).is_ok()
            && Did::parse(&self.audience).is_ok()
            && self.payees.len() <= MAX_PAYEES
            && numbers.all(|number| number <= MAX_NUMBER)
            && self.created_at <= MAX_NUMBER
    }
}

/// The mandates of an account, and the requests that were answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mandates {
    /// The oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    mandates: Vec<Mandate>,
    /// CIDs of those that were over and made way, the first that did so first: none of them comes back from an older copy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    over: Vec<String>,
    /// By CID, until when they could be asked again, in seconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    requests: BTreeMap<String, i64>,
    /// The latest of these times that a forgotten one had: a clock that ran ahead and was set back may have forgotten it too early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    requests_until: Option<i64>,
}

impl Mandates {
    /// Whether there is nothing to keep.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether all of it is within its limits. Requests are not among them: those of two copies that were joined may be more.
    pub(crate) fn is_valid(&self) -> bool {
        self.mandates.len() <= MAX_MANDATES
            && self.mandates.iter().all(Mandate::is_valid)
            && self.over.len() <= MAX_OVER
            && self.over.iter().all(|cid| Cid::parse(cid).is_ok())
    }

    /// What a backup holds joins what is here: the higher count of each. What was not counted here to the last is suspended until a
    /// person confirms it: what was spent since the backup is not known. `now` is in seconds.
    pub(crate) fn merge_backup(&mut self, backup: &Self, now: u64) {
        let now = now as i64;
        for cid in &backup.over {
            self.note_over(cid);
        }
        for ours in &mut self.mandates {
            ours.ended |= backup.over.contains(&ours.cid);
        }
        for theirs in &backup.mandates {
            let mut all = self.mandates.iter_mut();
            if let Some(ours) = all.find(|ours| ours.cid == theirs.cid) {
                let before = ours.clone();
                ours.merge(theirs);
                ours.suspended |= *ours != before;
            } else if self.over.contains(&theirs.cid) {
                // It was over here already when the copy was made, or since.
            } else if self.make_room(now) {
                self.mandates.push(Mandate {
                    suspended: true,
                    ..theirs.clone()
                });
            } else if theirs.ended {
                self.note_over(&theirs.cid);
            }
            // Where there is no room it is not known here, and nothing can be spent under it.
        }
        for (cid, until) in &backup.requests {
            let kept = self.requests.entry(cid.clone()).or_insert(*until);
            *kept = (*kept).max(*until);
        }
        self.requests_until = self.requests_until.max(backup.requests_until);
        self.forget_requests(now);
    }

    fn forget_requests(&mut self, now: i64) {
        let over = self.requests.values().filter(|until| **until < now);
        self.requests_until = self.requests_until.max(over.max().copied());
        self.requests.retain(|_, until| *until >= now);
    }

    /// Whether a request that is to be remembered until then may have been answered and forgotten.
    fn may_have_forgotten(&self, until: i64) -> bool {
        self.requests_until.is_some_and(|latest| until <= latest)
    }

    /// Whether there is room for one more mandate, after the oldest that is over has made way.
    fn make_room(&mut self, now: i64) -> bool {
        if self.mandates.len() < MAX_MANDATES {
            return true;
        }
        let mut all = self.mandates.iter();
        let Some(at) = all.position(|each| each.is_over(now)) else {
            return false;
        };
        let over = self.mandates.remove(at);
        self.note_over(&over.cid);
        true
    }

    fn note_over(&mut self, cid: &str) {
        if self.over.iter().any(|known| known == cid) {
            return;
        }
        if self.over.len() >= MAX_OVER {
            self.over.remove(0);
        }
        self.over.push(cid.to_string());
    }

    fn find(&self, cid: &str) -> Result<&Mandate, MandateError> {
        let mut all = self.mandates.iter();
        all.find(|mandate| mandate.cid == cid).ok_or_else(|| {
            MandateError::Refused(
                "UnknownMandate",
                "This vault keeps no count for such a mandate.".to_string(),
            )
        })
    }

    /// Puts a mandate in its place, or behind the others; `false` where there is no room.
    fn put(&mut self, mandate: Mandate, now: i64) -> bool {
        let mut all = self.mandates.iter_mut();
        if let Some(place) = all.find(|each| each.cid == mandate.cid) {
            *place = mandate;
            return true;
        }
        let has_room = self.make_room(now);
        if has_room {
            self.mandates.push(mandate);
        }
        has_room
    }
}

/// An authorisation that was counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// What the payee gets.
    pub authorisation: Signed<Invocation>,
    /// The mandate after it.
    pub mandate: Mandate,
}

impl Vault {
    /// The mandates with a budget, the oldest first, with those that are over and not yet forgotten.
    pub fn mandates(&self) -> &[Mandate] {
        &self.private.mandates.mandates
    }

    /// Makes a mandate with a budget, and begins its count.
    ///
    /// # Errors
    /// `InvalidMandate`, `InvalidPayment` for terms that allow nothing or cannot be counted; KEY_NOT_FOUND; as
    /// [`delegation::issue`]; OPERATION_FAILED past [`MAX_MANDATES`], and when randomness fails.
    pub fn make_mandate(
        &mut self,
        terms: &Terms,
        key_id: Option<&str>,
        tools: &mut Tools<'_>,
    ) -> Result<(Signed<Delegation>, Mandate), MandateError> {
        let now = tools.now as i64;
        let key = self.key(key_id)?;
        let issuer = Did::from_key(&key.public_key());
        terms.check(&issuer, now)?;
        let mut nonce = vec![0; NONCE_LENGTH];
        tools.random.fill(&mut nonce)?;
        let delegation = Delegation {
            audience: terms.audience.clone().unwrap_or_else(|| issuer.clone()),
            subject: Some(issuer.clone()),
            issuer,
            command: command(REQUEST)?,
            policy: terms.policy()?,
            nonce,
            expires_at: terms.expires_at,
            not_before: terms.not_before,
            meta: None,
        };
        let signed = delegation::issue(&delegation, key, now)?;
        let start = terms.budget.period.start(tools.now);
        let none = Used {
            since: start,
            ..Used::default()
        };
        let mandate = Mandate {
            cid: signed.cid().to_string(),
            issuer: delegation.issuer.as_str().to_string(),
            audience: delegation.audience.as_str().to_string(),
            payees: terms.payees.iter().map(ToString::to_string).collect(),
            min: terms.min,
            max: terms.max,
            currency: terms.currency.clone(),
            not_before: terms.not_before,
            expires_at: terms.expires_at,
            budget: terms.budget.clone(),
            created_at: tools.now,
            used: none.clone(),
            total: none,
            suspended: false,
            ended: false,
        };
        self.keep(mandate.clone(), None, tools)?;
        Ok((signed, mandate))
    }

    /// Authorises a payment under a mandate, and counts it. `by_itself` says that no person approves it: then the mandate has to be
    /// the vault's own.
    ///
    /// # Errors
    /// `UnknownMandate`, `MandateEnded`, `MandateSuspended`, `OutsideMandate`, `BudgetExceeded`; KEY_NOT_FOUND where its key was
    /// deleted; OPERATION_FAILED when randomness fails. Nothing is counted then.
    pub fn spend(
        &mut self,
        cid: &str,
        payment: &Payment,
        by_itself: bool,
        minutes: u32,
        tools: &mut Tools<'_>,
    ) -> Result<Counted, MandateError> {
        let mandate = self.private.mandates.find(cid)?;
        if by_itself && !mandate.is_own() {
            return refused(
                "OutsideMandate",
                "This mandate is somebody else’s: the vault approves nothing by itself under it.",
            );
        }
        let mandate = mandate.clone();
        self.authorise(&mandate, payment, None, minutes, tools)
    }

    /// Authorises what a holder of a mandate asks for, and counts it. The caller has validated the request: signatures, times, chain,
    /// policies, and that it is made out to one of the account's keys; `path` is what allows it, root first.
    ///
    /// # Errors
    /// As [`Vault::spend`]; `Replayed` for a request that was answered before; `InvalidClaim` for one that holds for longer than an
    /// hour, is of another command, or under no mandate of this vault; `InvalidPayment` for arguments that are no payment.
    pub fn countersign(
        &mut self,
        request: &Signed<Invocation>,
        path: &[&Signed<Delegation>],
        minutes: u32,
        tools: &mut Tools<'_>,
    ) -> Result<Counted, MandateError> {
        let now = tools.now as i64;
        let about = |error: TokenError| MandateError::from(error.about(request.cid()));
        let claim = |message: &str| about(TokenError::new(TokenErrorName::InvalidClaim, message));
        let asked = request.payload();
        if asked.command.as_str() != REQUEST {
            return Err(claim(
                "This is no request for a payment: its command is not /payment/request.",
            ));
        }
        let latest = now.saturating_add(MAX_REQUEST_LIFETIME);
        let until = match asked.expires_at {
            Some(until) if until <= latest => until,
            _ => return Err(claim("A request for a payment holds for an hour at most.")),
        };
        let kept = &self.private.mandates;
        if kept.requests.contains_key(&request.cid().to_string()) {
            return Err(about(TokenError::new(
                TokenErrorName::Replayed,
                "This request was answered before: each one is good for one payment.",
            )));
        }
        let forget_at = until.saturating_add(i64::from(DEFAULT_SKEW));
        if kept.may_have_forgotten(forget_at) {
            return Err(about(TokenError::new(
                TokenErrorName::Replayed,
                "This request may have been answered before the clock was set back: ask with a new one, or for longer.",
            )));
        }
        let known = path
            .iter()
            .filter_map(|link| kept.find(&link.cid().to_string()).ok());
        let known: Vec<&Mandate> = known.collect();
        if known.iter().any(|mandate| mandate.is_own()) {
            return refused(
                "OutsideMandate",
                "A mandate in this chain is the vault’s own: nobody can ask under it.",
            );
        }
        let mandate = match known.as_slice() {
            [] => {
                return refused(
                    "UnknownMandate",
                    "This request is under no mandate that this vault counts.",
                );
            }
            [only] => (*only).clone(),
            // Each would have to be counted, and none may be passed over: whichever is counted, another may be suspended.
            _ => {
                return refused(
                    "OutsideMandate",
                    "This request is under more than one mandate: ask under a single one.",
                );
            }
        };
        let payment = Payment::of_args(&asked.args)?;
        let seen = Some((request.cid(), forget_at));
        self.authorise(&mandate, &payment, seen, minutes, tools)
    }

    /// Suspends a mandate, or confirms it again.
    ///
    /// # Errors
    /// `UnknownMandate`, `MandateEnded`; OPERATION_FAILED when randomness fails.
    pub fn suspend_mandate(
        &mut self,
        cid: &str,
        suspended: bool,
        tools: &mut Tools<'_>,
    ) -> Result<Mandate, MandateError> {
        let mandate = self.private.mandates.find(cid)?;
        if mandate.ended {
            return refused("MandateEnded", "This mandate was ended.");
        }
        let changed = Mandate {
            suspended,
            ..mandate.clone()
        };
        self.keep(changed.clone(), None, tools)?;
        Ok(changed)
    }

    /// Suspends every mandate that was not ended, until a person confirms it: for a state that may be behind what was counted. Makes a
    /// new state also where there is none to suspend, so that what was asked for is known to be done.
    ///
    /// # Errors
    /// OPERATION_FAILED when randomness fails.
    pub fn suspend_mandates(&mut self, tools: &mut Tools<'_>) -> Result<(), VaultError> {
        self.change(tools, |vault, _| {
            for mandate in &mut vault.private.mandates.mandates {
                mandate.suspended |= !mandate.ended;
            }
            Ok(())
        })
    }

    /// Ends a mandate for good. Its count stays.
    ///
    /// # Errors
    /// `UnknownMandate`; OPERATION_FAILED when randomness fails.
    pub fn end_mandate(
        &mut self,
        cid: &str,
        tools: &mut Tools<'_>,
    ) -> Result<Mandate, MandateError> {
        let changed = Mandate {
            ended: true,
            ..self.private.mandates.find(cid)?.clone()
        };
        self.keep(changed.clone(), None, tools)?;
        Ok(changed)
    }

    fn authorise(
        &mut self,
        mandate: &Mandate,
        payment: &Payment,
        request: Option<(Cid, i64)>,
        minutes: u32,
        tools: &mut Tools<'_>,
    ) -> Result<Counted, MandateError> {
        let now = tools.now as i64;
        mandate.check(payment, now)?;
        let counted = mandate.counting(payment, tools.now)?;
        let issuer = Did::parse(&mandate.issuer).ok();
        let public = issuer.and_then(|did| did.key().ok());
        let key = public.and_then(|public| self.key_of(&public));
        let Some(key) = key else {
            return refused(
                "MandateEnded",
                "The key that this mandate was made with is gone.",
            );
        };
        let mut nonce = vec![0; NONCE_LENGTH];
        tools.random.fill(&mut nonce)?;
        let basis = Basis {
            mandate: Cid::parse(&mandate.cid).ok(),
            request: request.map(|(cid, _)| cid),
        };
        let authorisation = payment::authorise(payment, basis, key, nonce, now, minutes)?;
        self.keep(counted.clone(), request, tools)?;
        Ok(Counted {
            authorisation,
            mandate: counted,
        })
    }

    fn keep(
        &mut self,
        mandate: Mandate,
        request: Option<(Cid, i64)>,
        tools: &mut Tools<'_>,
    ) -> Result<(), MandateError> {
        let now = tools.now as i64;
        self.change(tools, |vault, _| {
            let kept = &mut vault.private.mandates;
            kept.forget_requests(now);
            if let Some((cid, until)) = request {
                if kept.requests.len() >= MAX_REQUESTS {
                    return Err(VaultError::failed(
                        "Too many payments were asked for within the hour: ask again later.",
                    ));
                }
                kept.requests.insert(cid.to_string(), until);
            }
            if !kept.put(mandate, now) {
                return Err(VaultError::failed(
                    "An account has at most 256 mandates with a budget at a time: end one that is not needed.",
                ));
            }
            Ok(())
        })?;
        Ok(())
    }
}

#[cfg(test)]
#[path = "mandate_test.rs"]
mod tests;
