//! Payments: who is paid, how much, for what, and the invocation that authorises one. `docs/payment.md` is the profile.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use ipld_core::ipld::Ipld;

use crate::pay::currency::{Currency, MoneyError, check_amount};
use crate::pay::mandate_why::MandateWhy;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::error::TokenError;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::envelope::Fields;
use keyhole_ucan::token::invocation::Invocation;
use keyhole_ucan::token::payload::Signed;

/// The command of an authorisation: the payee may collect this payment.
pub const AUTHORIZE: &str = "/payment/authorize";
/// The command of a request: asks the vault that counts the mandate's budget to authorise this payment.
pub const REQUEST: &str = "/payment/request";
/// Longest order reference, in characters.
pub const MAX_ORDER_CHARACTERS: usize = 128;
/// Most combining marks on one character: nukta, vowel and nasal in Devanagari, and as many in pointed Hebrew. More
/// would be drawn over the text beside it.
pub const MAX_ORDER_MARKS: usize = 3;
/// How long an authorisation is valid by default, in minutes.
pub const DEFAULT_MINUTES: u32 = 5;
/// The longest that one is valid, in minutes.
pub const MAX_MINUTES: u32 = 60;

const LONGEST_ORIGIN: usize = 300;

/// What is paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// Who is paid: a `did:web`, so that it is the site that the person saw.
    pub payee: Did,
    /// In the currency's minor unit; above zero.
    pub amount: u64,
    /// Of ISO 4217.
    pub currency: Currency,
    /// The payee's reference.
    pub order: String,
}

/// Why something is not a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentError {
    /// Amount or currency.
    Money(MoneyError),
    /// The payee is not the `did:web` of a site, in the form that [`check_payee`] asks for.
    Payee,
    /// It is not the origin of a site that can be paid.
    Origin,
    /// The order reference is empty, too long, or doesn't show all of its content.
    Order,
    /// An authorisation is valid for 1 to [`MAX_MINUTES`] minutes.
    Minutes,
    /// The arguments are not a payment's: this one is missing, of the wrong kind, or unknown.
    Argument(String),
}

impl PaymentError {
    /// The particular reason, for programs.
    pub(crate) const fn why(&self) -> MandateWhy {
        match self {
            Self::Money(_) => MandateWhy::MoneyInvalid,
            Self::Payee => MandateWhy::PayeeInvalid,
            Self::Origin => MandateWhy::OriginInvalid,
            Self::Order => MandateWhy::OrderInvalid,
            Self::Minutes => MandateWhy::MinutesInvalid,
            Self::Argument(_) => MandateWhy::ArgumentInvalid,
        }
    }
}

impl fmt::Display for PaymentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Money(error) => error.fmt(f),
            Self::Payee => f.write_str(
                "The payee is not named as a site: it has to be a did:web, such as did:web:shop.example.",
            ),
            Self::Origin => f.write_str(
                "Only a site that is reached over HTTPS can be paid, by its origin alone, such as https://shop.example.",
            ),
            Self::Order => write!(
                f,
                "An order reference has 1 to {MAX_ORDER_CHARACTERS} characters, all of which can be seen, and at most {MAX_ORDER_MARKS} marks upon one."
            ),
            Self::Minutes => write!(
                f,
                "An authorisation is valid for 1 to {MAX_MINUTES} minutes."
            ),
            Self::Argument(name) => write!(
                f,
                "A payment has a payee, an amount in the currency’s smallest unit, a currency and an order, and nothing else: look at “{name}”."
            ),
        }
    }
}

impl core::error::Error for PaymentError {}

impl From<MoneyError> for PaymentError {
    fn from(error: MoneyError) -> Self {
        Self::Money(error)
    }
}

/// The `did:web` of an origin: `https://shop.example:8443` is `did:web:shop.example%3A8443`. Plain HTTP is only
/// accepted for this machine (`localhost`, `127.0.0.1`).
///
/// # Errors
/// [`PaymentError::Origin`].
pub fn payee_of_origin(origin: &str) -> Result<Did, PaymentError> {
    let refused = || PaymentError::Origin;
    if origin.len() > LONGEST_ORIGIN {
        return Err(refused());
    }
    let (authority, is_plain) = match origin.strip_prefix("https://") {
        Some(authority) => (authority, false),
        None => (origin.strip_prefix("http://").ok_or_else(refused)?, true),
    };
    let (host, port) = match authority.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    };
    if is_plain && (!matches!(host, "localhost" | "127.0.0.1") || port == Some("80")) {
        return Err(refused());
    }
    let text = match port {
        Some(port) => format!("did:web:{host}%3A{port}"),
        None => format!("did:web:{host}"),
    };
    check_payee(Did::parse(&text).map_err(|_| refused())?).map_err(|_| refused())
}

/// Checks that this is a whole site, written the only way its origin can be: a lower-case `did:web` without a path, and
/// with a port only if it isn't HTTPS's.
///
/// # Errors
/// [`PaymentError::Payee`].
pub fn check_payee(payee: Did) -> Result<Did, PaymentError> {
    let identifier = payee.as_str().strip_prefix("did:web:").unwrap_or_default();
    let (host, port) = match identifier.split_once("%3A") {
        Some((host, port)) => (host, Some(port)),
        None => (identifier, None),
    };
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(is_letter);
    let is_port = |port: &str| {
        let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
        is_number && !port.starts_with('0') && port != "443" && port.parse::<u16>().is_ok()
    };
    if host.split('.').all(is_label) && port.is_none_or(is_port) {
        Ok(payee)
    } else {
        Err(PaymentError::Payee)
    }
}

impl Payment {
    /// A payment with all parts within their limits.
    ///
    /// # Errors
    /// [`PaymentError`] for a payee that isn't a site, an amount out of range, or an order with invisible parts.
    pub fn new(
        payee: Did,
        amount: u64,
        currency: Currency,
        order: &str,
    ) -> Result<Self, PaymentError> {
        let characters = order.chars().count();
        if !(1..=MAX_ORDER_CHARACTERS).contains(&characters) || !reads_as_it_is(order) {
            return Err(PaymentError::Order);
        }
        Ok(Self {
            payee: check_payee(payee)?,
            amount: check_amount(amount)?,
            currency,
            order: order.to_string(),
        })
    }

    /// Reads a payment from an invocation's arguments: exactly these four.
    ///
    /// # Errors
    /// [`PaymentError::Argument`] for one that is missing, of another kind, or unknown; and as [`Payment::new`].
    pub fn of_args(args: &Fields) -> Result<Self, PaymentError> {
        const NAMES: [&str; 4] = ["payee", "amount", "currency", "order"];
        let wrong = |name: &str| PaymentError::Argument(name.chars().take(40).collect());
        if let Some(name) = args.keys().find(|name| !NAMES.contains(&name.as_str())) {
            return Err(wrong(name));
        }
        let text = |name: &str| match args.get(name) {
            Some(Ipld::String(text)) => Ok(text.as_str()),
            _ => Err(wrong(name)),
        };
        let amount = match args.get("amount") {
            Some(Ipld::Integer(amount)) => u64::try_from(*amount).map_err(|_| wrong("amount"))?,
            _ => return Err(wrong("amount")),
        };
        let payee = Did::parse(text("payee")?).map_err(|_| PaymentError::Payee)?;
        Self::new(
            payee,
            amount,
            Currency::parse(text("currency")?)?,
            text("order")?,
        )
    }

    /// The arguments of an invocation for it.
    pub fn to_args(&self) -> Fields {
        let text = |text: &str| Ipld::String(text.to_string());
        Fields::from([
            ("payee".to_string(), text(self.payee.as_str())),
            ("amount".to_string(), Ipld::Integer(self.amount.into())),
            ("currency".to_string(), text(self.currency.code())),
            ("order".to_string(), text(&self.order)),
        ])
    }
}

/// What leads to an authorisation, other than the person's approval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Basis {
    /// The mandate that it is counted under.
    pub mandate: Option<Cid>,
    /// The request that asked for it.
    pub request: Option<Cid>,
}

/// Signs that the payee may collect the payment: an invocation of `/payment/authorize` by the key's owner on their own
/// behalf, addressed to the payee, for some minutes. `now` is in seconds.
///
/// # Errors
/// As [`Signed::sign`]; the caller uses [`check_minutes`].
pub fn authorise(
    payment: &Payment,
    basis: Basis,
    key: &SecretKey,
    nonce: Vec<u8>,
    now: i64,
    minutes: u32,
) -> Result<Signed<Invocation>, TokenError> {
    let payer = Did::from_key(&key.public_key());
    let mut args = payment.to_args();
    let links = [("mandate", basis.mandate), ("request", basis.request)];
    for (name, cid) in links {
        if let Some(cid) = cid {
            args.insert(name.to_string(), Ipld::Link(cid.to_raw()));
        }
    }
    let invocation = Invocation {
        issuer: payer.clone(),
        subject: payer,
        audience: Some(payment.payee.clone()),
        command: Command::parse(AUTHORIZE)?,
        args,
        proofs: Vec::new(),
        nonce,
        expires_at: Some(now.saturating_add(i64::from(minutes) * 60)),
        issued_at: Some(now),
        meta: None,
        cause: None,
    };
    Signed::sign(&invocation, key)
}

/// How long an authorisation is valid.
///
/// # Errors
/// [`PaymentError::Minutes`].
pub fn check_minutes(minutes: Option<u32>) -> Result<u32, PaymentError> {
    let minutes = minutes.unwrap_or(DEFAULT_MINUTES);
    if (1..=MAX_MINUTES).contains(&minutes) {
        Ok(minutes)
    } else {
        Err(PaymentError::Minutes)
    }
}

/// Whether all of an order is visible, and nothing of it overlaps the text around it.
fn reads_as_it_is(order: &str) -> bool {
    // A mark at the start would combine with the text before the order.
    let mut marks = MAX_ORDER_MARKS;
    let mut is_seen = |character: char| {
        marks = if is_escaped("", character) {
            marks + 1
        } else {
            0
        };
        marks <= MAX_ORDER_MARKS && !is_unseen(character)
    };
    order.trim() == order && order.chars().all(&mut is_seen)
}

/// Characters that are invisible or look like a blank: what the standard library doesn't consider printable (controls,
/// direction marks, every space but U+0020, unassigned and private characters), what Unicode lets a font leave out
/// (`Default_Ignorable_Code_Point`), and signs that are drawn as nothing.
fn is_unseen(character: char) -> bool {
    is_escaped("a", character)
        || matches!(character,
            '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{fffc}' | '\u{13441}' | '\u{13442}' | '\u{16fe4}' | '\u{1d159}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Whether the standard library would escape a character after that text. At the start it escapes marks too.
fn is_escaped(before: &str, character: char) -> bool {
    let text: String = before.chars().chain([character]).collect();
    let shown = text.escape_debug().nth(before.len());
    shown == Some('\\') && !matches!(character, '\\' | '"' | '\'')
}

#[cfg(test)]
#[path = "payment_test.rs"]
mod tests;
