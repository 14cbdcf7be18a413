//! Payments: those that a person approves, and those counted under a mandate with a budget.

use std::collections::BTreeSet;

use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::codec::dag_json::DagJson;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::token::container;
use keyhole_ucan::token::delegation::NONCE_LENGTH;
use keyhole_ucan::token::invocation::Invocation;
use keyhole_ucan::token::payload::Signed;
use keyhole_ucan::token::read::{self, Token};
use keyhole_ucan::validation::request::{Proofs, Request};
use keyhole_ucan::validation::validate::{self, Conditions};
use keyhole_vault::pay::budget::{Budget, Remaining};
use keyhole_vault::pay::currency::Currency;
use keyhole_vault::pay::mandate::Mandate;
use keyhole_vault::pay::mandate_error::MandateError;
use keyhole_vault::pay::mandate_terms::Terms;
use keyhole_vault::pay::payment::{self, Basis, Payment, PaymentError};
use keyhole_vault::vault::spending::Counted;
use serde::{Deserialize, Serialize};

use crate::checks::Checks;
use crate::enclave::Enclave;
use crate::exports::tokens::address_of;
use crate::host::{self, Host};
use crate::inputs::Nothing;
use crate::inputs::{present, read_did};
use crate::refusal::Refusal;
use crate::status::Changed;
use crate::strangers_text::StrangersText;

/// A payment as a site requests it: the origin according to the browser, and a decimal amount.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "AskedPayment"))]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// As the browser names it: `https://shop.example`.
    origin: String,
    /// Decimal, as in `PaymentCurrencyAmount`: `25.00`.
    value: String,
    /// ISO 4217.
    currency: String,
    /// The payee's reference.
    order: String,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Authorize {
    payment: Asked,
    minutes: Option<u32>,
    key_id: Option<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Spend {
    cid: String,
    payment: Asked,
    /// No person approves it, only the mandate does.
    #[serde(default)]
    by_itself: bool,
    minutes: Option<u32>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Countersign {
    request: StrangersText,
    #[serde(default)]
    revoked: Vec<String>,
    #[serde(default)]
    revocations: Vec<StrangersText>,
    minutes: Option<u32>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Make {
    audience_did: Option<String>,
    #[serde(default)]
    payees: Vec<String>,
    min: Option<u64>,
    max: u64,
    currency: String,
    not_before: Option<i64>,
    #[serde(default, deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schemars(extend("x-null" = true)))]
    expires_at: Option<Option<i64>>,
    budget: Budget,
    key_id: Option<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OneMandate {
    cid: String,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Suspend {
    cid: String,
    suspended: bool,
}

/// A payment in the terms that get signed.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PaymentTerms"))]
pub struct Shown {
    /// `did:web` of the site.
    payee: String,
    /// In minor units.
    amount: u64,
    /// ISO 4217.
    currency: String,
    /// Digits after the decimal point.
    digits: u32,
    order: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Authorised {
    token: String,
    cid: String,
    task: String,
    issuer: String,
    /// Seconds since 1970: an authorisation always expires.
    #[cfg_attr(feature = "schema", schemars(with = "i64"))]
    expires_at: Option<i64>,
    payment: Shown,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "EnclaveMandate"))]
pub struct MandateView {
    #[serde(flatten)]
    mandate: Mandate,
    digits: u32,
    remaining: Remaining,
    /// Only this vault uses it.
    own: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mandates {
    mandates: Vec<MandateView>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Made {
    token: String,
    issuer: String,
    address: String,
    cid: String,
    expires_at: Option<i64>,
    /// What the token says, as in the answer of `inspect_token`.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Fields"))]
    payload: DagJson,
    mandate: MandateView,
    #[serde(flatten)]
    changed: Changed,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountedPayment {
    #[serde(flatten)]
    authorised: Authorised,
    mandate: MandateView,
    #[serde(flatten)]
    changed: Changed,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ChangedMandate"))]
pub struct MandateChanged {
    mandate: MandateView,
    #[serde(flatten)]
    changed: Changed,
}

/// How long a mandate is valid by default, in seconds.
const DEFAULT_LIFETIME: i64 = 30 * 24 * 60 * 60;

/// `check_payment`: what would be signed. Needs no vault.
pub fn check(_: &mut Enclave, _: &mut dyn Host, input: Asked) -> Result<Shown, Refusal> {
    Ok(Shown::of(&read_payment(&input)?))
}

/// `authorize_payment`: approved by a person, without a mandate.
pub fn authorize(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Authorize,
) -> Result<Authorised, Refusal> {
    let payment = read_payment(&input.payment)?;
    let minutes = read_minutes(input.minutes)?;
    let (vault, tools) = enclave.unlocked_with_tools(host)?;
    let key = vault.key(input.key_id.as_deref())?;
    let mut nonce = vec![0; NONCE_LENGTH];
    tools.random.fill(&mut nonce)?;
    let now = tools.now as i64;
    let signed = payment::authorise(&payment, Basis::default(), key, nonce, now, minutes)?;
    Authorised::of(&signed)
}

/// `make_mandate`: a mandate with a budget.
pub fn make(enclave: &mut Enclave, host: &mut dyn Host, input: Make) -> Result<Made, Refusal> {
    let now = host::now(host)?;
    let read = |did: &Option<String>| {
        let did = did.as_deref();
        did.map(|did| read_did("audience_did", did)).transpose()
    };
    let payees = input.payees.iter().map(|payee| read_did("payees", payee));
    let terms = Terms {
        audience: read(&input.audience_did)?,
        payees: payees.collect::<Result<_, _>>()?,
        min: input.min,
        max: input.max,
        currency: read_currency(&input.currency)?,
        not_before: input.not_before,
        expires_at: input
            .expires_at
            .unwrap_or(Some(now as i64 + DEFAULT_LIFETIME)),
        budget: input.budget,
    };
    let key_id = input.key_id.as_deref();
    let (signed, mandate) = enclave.change(host, |vault, tools| {
        vault.make_mandate(&terms, key_id, tools)
    })?;
    let payload = signed.payload();
    Ok(Made {
        token: container::write([signed.bytes()]),
        issuer: payload.issuer.as_str().to_owned(),
        address: address_of(&payload.audience, &enclave.sealed()?.chain_id)?,
        cid: mandate.cid.clone(),
        expires_at: payload.expires_at,
        payload: DagJson(Token::Delegation(signed.clone()).payload()),
        mandate: MandateView::of(mandate, now),
        changed: Changed::of(enclave)?,
    })
}

/// `list_mandates`
pub fn list(enclave: &mut Enclave, host: &mut dyn Host, _: Nothing) -> Result<Mandates, Refusal> {
    let now = host::now(host)?;
    let mandates = enclave.unlocked()?.mandates().iter().cloned();
    Ok(Mandates {
        mandates: mandates
            .map(|mandate| MandateView::of(mandate, now))
            .collect(),
    })
}

/// `spend_mandate`
pub fn spend(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Spend,
) -> Result<CountedPayment, Refusal> {
    let payment = read_payment(&input.payment)?;
    let minutes = read_minutes(input.minutes)?;
    let counted = enclave.change(host, |vault, tools| {
        vault.spend(&input.cid, &payment, input.by_itself, minutes, tools)
    })?;
    CountedPayment::of(counted, enclave, host)
}

/// `countersign_payment`: a mandate's holder asks, with an invocation of `/payment/request` that is addressed to a key
/// of this account.
pub fn countersign(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Countersign,
) -> Result<CountedPayment, Refusal> {
    let minutes = read_minutes(input.minutes)?;
    let budget = &enclave.budget();
    let request = Request::read(read::text_within(&input.request, budget)?)
        .map_err(|error| Refusal::about("request", error))?;
    let mut checks = Checks::read(
        enclave.checked(),
        host,
        None,
        None,
        &input.revoked,
        &input.revocations,
        budget,
    )?;
    let asked = request.invocation().payload().executor().clone();
    let own = asked.key().ok();
    let vault = enclave.unlocked()?;
    let audience = match own.filter(|key| vault.key_of(key).is_some()) {
        Some(_) => asked,
        // If it is addressed to someone else, the check says so.
        None => Did::from_key(&vault.key(None)?.public_key()),
    };
    let none = Proofs::default();
    checks.look_up_revokers(host, &request.claimed(&none), budget)?;
    let seen: BTreeSet<Cid> = BTreeSet::new();
    let conditions = Conditions {
        circumstances: checks.circumstances(),
        audience: Some(&audience),
        seen: &seen,
    };
    let path = validate::validate_within(&request, &none, conditions, budget)?;
    let counted = enclave.change(host, |vault, tools| {
        vault.countersign(request.invocation(), &path, minutes, tools)
    })?;
    CountedPayment::of(counted, enclave, host)
}

/// `suspend_mandate`: suspends a mandate, or confirms it again.
pub fn suspend(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: Suspend,
) -> Result<MandateChanged, Refusal> {
    let mandate = enclave.change(host, |vault, tools| {
        vault.suspend_mandate(&input.cid, input.suspended, tools)
    })?;
    MandateChanged::of(mandate, enclave, host)
}

/// `end_mandate`
pub fn end(
    enclave: &mut Enclave,
    host: &mut dyn Host,
    input: OneMandate,
) -> Result<MandateChanged, Refusal> {
    let mandate = enclave.change(host, |vault, tools| vault.end_mandate(&input.cid, tools))?;
    MandateChanged::of(mandate, enclave, host)
}

fn read_payment(asked: &Asked) -> Result<Payment, Refusal> {
    let currency = read_currency(&asked.currency)?;
    let amount = currency.minor(&asked.value).map_err(PaymentError::from)?;
    let payee = payment::payee_of_origin(&asked.origin)?;
    Ok(Payment::new(payee, amount, currency, &asked.order)?)
}

fn read_currency(code: &str) -> Result<Currency, Refusal> {
    let currency = Currency::parse(code).map_err(PaymentError::from);
    Ok(currency?)
}

fn read_minutes(minutes: Option<u32>) -> Result<u32, Refusal> {
    Ok(payment::check_minutes(minutes)?)
}

impl Shown {
    fn of(payment: &Payment) -> Self {
        Self {
            payee: payment.payee.as_str().to_owned(),
            amount: payment.amount,
            currency: payment.currency.code().to_owned(),
            digits: payment.currency.digits(),
            order: payment.order.clone(),
        }
    }
}

impl Authorised {
    fn of(signed: &Signed<Invocation>) -> Result<Self, Refusal> {
        let invocation = signed.payload();
        let mut args = invocation.args.clone();
        args.retain(|name, _| !matches!(name.as_str(), "mandate" | "request"));
        Ok(Self {
            token: container::write([signed.bytes()]),
            cid: signed.cid().to_string(),
            task: invocation.task()?.to_string(),
            issuer: invocation.issuer.as_str().to_owned(),
            expires_at: invocation.expires_at,
            payment: Shown::of(&Payment::of_args(&args)?),
        })
    }
}

impl MandateView {
    fn of(mandate: Mandate, now: u64) -> Self {
        Self {
            digits: mandate.currency.digits(),
            remaining: mandate.remaining(now),
            own: mandate.is_own(),
            mandate,
        }
    }
}

impl CountedPayment {
    fn of(counted: Counted, enclave: &Enclave, host: &mut dyn Host) -> Result<Self, Refusal> {
        Ok(Self {
            authorised: Authorised::of(&counted.authorisation)?,
            mandate: MandateView::of(counted.mandate, host::now(host)?),
            changed: Changed::of(enclave)?,
        })
    }
}

impl MandateChanged {
    fn of(mandate: Mandate, enclave: &Enclave, host: &mut dyn Host) -> Result<Self, Refusal> {
        Ok(Self {
            mandate: MandateView::of(mandate, host::now(host)?),
            changed: Changed::of(enclave)?,
        })
    }
}

impl From<PaymentError> for Refusal {
    fn from(error: PaymentError) -> Self {
        MandateError::from(error).into()
    }
}

impl From<MandateError> for Refusal {
    fn from(error: MandateError) -> Self {
        match error {
            MandateError::Refused(name, reason) => {
                Self::of(name, reason.message, Some(reason.why.as_str()), None)
            }
            MandateError::Token(error) => error.into(),
            MandateError::Vault(error) => error.into(),
        }
    }
}
