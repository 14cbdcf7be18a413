//! What a mandate with a budget may allow: the limits of one payment, a policy that anyone can check, and the budget,
//! which only the vault can count.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use ipld_core::ipld::Ipld;

use crate::pay::budget::Budget;
use crate::pay::currency::{Currency, check_amount};
use crate::pay::mandate_error::{MandateError, refused};
use crate::pay::mandate_why::MandateWhy;
use crate::pay::payment::{self, PaymentError};
use crate::seal::format::MAX_NUMBER;
use keyhole_ucan::error::TokenError;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::policy::statement::Policy;

/// Most payees that a mandate names.
pub const MAX_PAYEES: usize = 32;

/// What a mandate allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Who may ask; `None`: only this vault itself.
    pub audience: Option<Did>,
    /// Who may be paid; empty: anyone, which is not allowed for the vault's own mandate.
    pub payees: Vec<Did>,
    /// The smallest payment, in minor units.
    pub min: Option<u64>,
    /// The largest payment, in minor units.
    pub max: u64,
    /// The currency of every payment.
    pub currency: Currency,
    /// Start in seconds.
    pub not_before: Option<i64>,
    /// Expiry in seconds; `None`: valid until it is ended.
    pub expires_at: Option<i64>,
    /// The budget of each period.
    pub budget: Budget,
}

impl Terms {
    /// Whether they allow something and can be counted. `issuer` makes the mandate, at `now` (seconds).
    pub(crate) fn check(&self, issuer: &Did, now: i64) -> Result<(), MandateError> {
        let wrong = |why: MandateWhy| refused("InvalidMandate", why);
        let amounts = [self.min, Some(self.max), self.budget.amount];
        for amount in amounts.into_iter().flatten() {
            check_amount(amount).map_err(PaymentError::from)?;
        }
        if self.min.is_some_and(|min| min > self.max) {
            return wrong(MandateWhy::LeastAboveMost);
        }
        if self.budget.amount.is_none() && self.budget.payments.is_none() {
            return wrong(MandateWhy::BudgetWithoutLimit);
        }
        if self
            .budget
            .amount
            .is_some_and(|amount| amount < self.min.unwrap_or(1))
        {
            return wrong(MandateWhy::BudgetBelowLeast);
        }
        if self.budget.amount.is_some_and(|amount| self.max > amount) {
            return wrong(MandateWhy::LimitAboveBudget);
        }
        if self
            .budget
            .payments
            .is_some_and(|count| count == 0 || count > MAX_NUMBER)
        {
            return wrong(MandateWhy::NoPayments);
        }
        let is_own = self
            .audience
            .as_ref()
            .is_none_or(|audience| audience == issuer);
        if is_own && self.payees.is_empty() {
            return wrong(MandateWhy::PayeeNeeded);
        }
        if self.payees.len() > MAX_PAYEES {
            return wrong(MandateWhy::TooManyPayees);
        }
        for payee in &self.payees {
            payment::check_payee(payee.clone())?;
        }
        if self.expires_at.is_some_and(|until| until <= now) {
            return wrong(MandateWhy::EndsBeforeMade);
        }
        Ok(())
    }

    /// The limits of one payment, for anyone to check.
    pub(crate) fn policy(&self) -> Result<Policy, TokenError> {
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
