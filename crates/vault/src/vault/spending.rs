//! What a vault does with its mandates: it makes them, and authorises and counts payments in one change of its state.

use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::error::VaultError;
use crate::pay::budget::Used;
use crate::pay::mandate::Mandate;
use crate::pay::mandate_error::{MandateError, MandateReason, refused};
use crate::pay::mandate_terms::Terms;
use crate::pay::mandate_why::MandateWhy;
use crate::pay::payment::{self, Basis, Payment, REQUEST};
use crate::tools::Tools;
use crate::vault::Vault;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::error::{TokenError, TokenErrorName, Why};
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::time::DEFAULT_SKEW;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::delegation::{self, Delegation, NONCE_LENGTH};
use keyhole_ucan::token::invocation::Invocation;
use keyhole_ucan::token::payload::Signed;

/// The longest lifetime of a request, in seconds, and how long it is remembered.
pub const MAX_REQUEST_LIFETIME: i64 = 60 * 60;

/// An authorisation that was counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// What the payee gets.
    pub authorisation: Signed<Invocation>,
    /// The mandate after it.
    pub mandate: Mandate,
}

impl Vault {
    /// The mandates with a budget, oldest first, including ended ones that are not forgotten yet.
    pub fn mandates(&self) -> &[Mandate] {
        self.private.mandates.all()
    }

    /// Makes a mandate with a budget, and starts its count.
    ///
    /// # Errors
    /// `InvalidMandate`, `InvalidPayment` for terms that allow nothing or can't be counted; KEY_NOT_FOUND; as
    /// [`delegation::issue`]; OPERATION_FAILED past [`MAX_MANDATES`](crate::pay::mandates::MAX_MANDATES), and when
    /// randomness fails.
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
            command: Command::parse(REQUEST).map_err(TokenError::from)?,
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
            others: BTreeMap::new(),
            recent: Vec::new(),
            shares: None,
        };
        self.keep(mandate.clone(), None, tools)?;
        Ok((signed, mandate))
    }

    /// Authorises a payment under a mandate, and counts it. `by_itself` says that no person approves it: then it must
    /// be the vault's own mandate.
    ///
    /// # Errors
    /// `UnknownMandate`, `MandateEnded`, `MandateSuspended`, `OutsideMandate`, `BudgetExceeded`; KEY_NOT_FOUND if its
    /// key was deleted; OPERATION_FAILED when randomness fails. Nothing is counted then.
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
            return refused("OutsideMandate", MandateWhy::OthersMandate);
        }
        let mandate = mandate.clone();
        self.authorise(&mandate, payment, None, minutes, tools)
    }

    /// Authorises what a mandate's holder asks for, and counts it. The caller has validated the request: signatures,
    /// times, chain, policies, and that it is addressed to one of the account's keys. `path` is what allows it, root
    /// first.
    ///
    /// # Errors
    /// As [`Vault::spend`]; `Replayed` for a request that was answered before; `InvalidClaim` for one that is valid for
    /// longer than an hour, has another command, or is under no mandate of this vault; `InvalidPayment` for arguments
    /// that aren't a payment's.
    pub fn countersign(
        &mut self,
        request: &Signed<Invocation>,
        path: &[&Signed<Delegation>],
        minutes: u32,
        tools: &mut Tools<'_>,
    ) -> Result<Counted, MandateError> {
        let now = tools.now as i64;
        let about = |error: TokenError| MandateError::from(error.about(request.cid()));
        let claim = |why: Why| about(TokenError::new(TokenErrorName::InvalidClaim, why));
        let asked = request.payload();
        if asked.command.as_str() != REQUEST {
            return Err(claim(Why::NoPaymentRequest));
        }
        let latest = now.saturating_add(MAX_REQUEST_LIFETIME);
        let until = match asked.expires_at {
            Some(until) if until <= latest => until,
            _ => return Err(claim(Why::RequestTooLong)),
        };
        let mandates = &self.private.mandates;
        if mandates.was_answered(&request.cid()) {
            return Err(about(TokenError::new(
                TokenErrorName::Replayed,
                Why::AnsweredBefore,
            )));
        }
        let forget_at = until.saturating_add(i64::from(DEFAULT_SKEW));
        if mandates.may_have_forgotten(forget_at) {
            return Err(about(TokenError::new(
                TokenErrorName::Replayed,
                Why::MayBeAnswered,
            )));
        }
        let known = path
            .iter()
            .filter_map(|link| mandates.find(&link.cid().to_string()).ok());
        let known: Vec<&Mandate> = known.collect();
        if known.iter().any(|mandate| mandate.is_own()) {
            return refused("OutsideMandate", MandateWhy::OwnMandateInChain);
        }
        let mandate = match known.as_slice() {
            [] => {
                return refused("UnknownMandate", MandateWhy::UnderNoMandate);
            }
            [only] => (*only).clone(),
            // Each would have to count it, and none may be skipped: whichever counts, another may be suspended.
            _ => {
                return refused("OutsideMandate", MandateWhy::SeveralMandates);
            }
        };
        if !mandate.answers(until) {
            let reason = "Another device of this account answers the requests under this mandate.";
            return refused(
                "OutsideMandate",
                MandateReason::of(MandateWhy::BudgetTooSmall, reason.to_string()),
            );
        }
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
            return refused("MandateEnded", MandateWhy::MandateEnded);
        }
        let changed = Mandate {
            suspended,
            ..mandate.clone()
        };
        self.keep(changed.clone(), None, tools)?;
        Ok(changed)
    }

    /// Suspends every mandate that has not ended until a person confirms it, for a state that may be older than what
    /// was counted. Makes a new state even if there is none to suspend, so that the caller sees it was done.
    ///
    /// # Errors
    /// OPERATION_FAILED when randomness fails.
    pub fn suspend_mandates(&mut self, tools: &mut Tools<'_>) -> Result<(), VaultError> {
        self.change(tools, |vault, _| {
            vault.private.mandates.suspend_all();
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
        let mut counted = mandate.counting(payment, tools.now)?;
        let issuer = Did::parse(&mandate.issuer).ok();
        let public = issuer.and_then(|did| did.key().ok());
        let key = public.and_then(|public| self.key_of(&public));
        let Some(key) = key else {
            return refused("MandateEnded", MandateWhy::MandateKeyGone);
        };
        let mut nonce = vec![0; NONCE_LENGTH];
        tools.random.fill(&mut nonce)?;
        let basis = Basis {
            mandate: Cid::parse(&mandate.cid).ok(),
            request: request.map(|(cid, _)| cid),
        };
        let authorisation = payment::authorise(payment, basis, key, nonce, now, minutes)?;
        if self.is_second() {
            counted.remember(&authorisation.cid(), payment);
        }
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
            let mandates = &mut vault.private.mandates;
            mandates.forget_requests(now);
            if request.is_some_and(|(cid, until)| !mandates.remember(&cid, until)) {
                return Err(VaultError::TooManyRequests);
            }
            if !mandates.put(mandate, now) {
                return Err(VaultError::TooManyMandates);
            }
            Ok(())
        })?;
        Ok(())
    }
}

#[cfg(test)]
#[path = "spending_test.rs"]
mod tests;
