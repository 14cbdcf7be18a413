//! Policies: conditions on the arguments (UCAN 1.0.0, "Policy"). This reads and writes them; `evaluate` checks them.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use ipld_core::ipld::Ipld;

use crate::codec::cbor;
use crate::codec::view::takes;
use crate::error::{TokenError, TokenErrorName};
use crate::policy::like::Glob;
use crate::policy::selector::Selector;
use crate::work_budget::{Budget, Cost, TooMuchWork};

/// Statements, all of which must hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy(pub Vec<Statement>);

/// One statement about the arguments, or about an item of a list in them.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `==`
    Equal(Selector, Ipld),
    /// `!=`
    NotEqual(Selector, Ipld),
    /// `<`, `<=`, `>`, `>=`: the number is an integer or a float.
    Order(Order, Selector, Ipld),
    /// `like`
    Like(Selector, Glob),
    /// `and`: true when empty.
    And(Vec<Statement>),
    /// `or`: true when empty.
    Or(Vec<Statement>),
    /// `not`
    Not(Box<Statement>),
    /// `all` of a list's items or a map's values.
    All(Selector, Box<Statement>),
    /// `any` of a list's items or a map's values.
    Any(Selector, Box<Statement>),
}

/// The four comparisons of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Order {
    fn as_str(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    fn from_text(text: &str) -> Option<Self> {
        [
            Self::Less,
            Self::LessOrEqual,
            Self::Greater,
            Self::GreaterOrEqual,
        ]
        .into_iter()
        .find(|order| order.as_str() == text)
    }
}

/// Why a value is not a policy, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError {
    /// Positions from the outside in, counted from zero.
    pub path: Vec<usize>,
    /// What is wrong, in words.
    pub reason: String,
    /// The budget ran out: the policy itself may be valid.
    pub is_too_much_work: bool,
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.split_first() {
            None => write!(f, "The policy does not parse: {}.", self.reason),
            Some((first, rest)) => {
                write!(f, "Statement {} of the policy does not parse", first + 1)?;
                if !rest.is_empty() {
                    let rest: Vec<_> = rest.iter().map(ToString::to_string).collect();
                    write!(f, " (at position {} in it)", rest.join("."))?;
                }
                write!(f, ": {}.", self.reason)
            }
        }
    }
}

impl core::error::Error for PolicyError {}

impl PolicyError {
    fn new(reason: impl Into<String>) -> Self {
        Self {
            path: Vec::new(),
            reason: reason.into(),
            is_too_much_work: false,
        }
    }

    fn inside(mut self, position: usize) -> Self {
        self.path.insert(0, position);
        self
    }
}

impl From<TooMuchWork> for PolicyError {
    fn from(_: TooMuchWork) -> Self {
        Self {
            is_too_much_work: true,
            ..Self::new("it is too long to be read in one call")
        }
    }
}

impl From<PolicyError> for TokenError {
    fn from(error: PolicyError) -> Self {
        let name = match error.is_too_much_work {
            true => TokenErrorName::TooMuchWork,
            false => TokenErrorName::MalformedToken,
        };
        Self::new(name, error.to_string())
    }
}

impl Policy {
    /// Reads a policy. An unknown operator, selector or form is refused: skipping a statement would drop a limit.
    ///
    /// # Errors
    /// [`PolicyError`] with the position.
    pub fn parse(value: &Ipld) -> Result<Self, PolicyError> {
        Self::parse_within(value, &Budget::new())
    }

    /// [`Policy::parse`] on a budget. Compiling paths and patterns is charged too.
    ///
    /// # Errors
    /// As [`Policy::parse`], with `is_too_much_work` set if the budget ran out.
    pub fn parse_within(value: &Ipld, budget: &Budget) -> Result<Self, PolicyError> {
        statements(value, "a policy is a list of statements", budget).map(Self)
    }

    /// The policy as a value, exactly as it was read.
    pub fn to_ipld(&self) -> Ipld {
        Ipld::List(self.0.iter().map(Statement::to_ipld).collect())
    }

    /// Every statement of every policy, each once, in order: the limits along a chain.
    pub fn union<'a>(policies: impl IntoIterator<Item = &'a Self>) -> Self {
        // Uses encodings in a set: comparing each with each would cost the square of their number.
        let mut seen = BTreeSet::new();
        let statements = policies.into_iter().flat_map(|policy| &policy.0);
        Self(
            statements
                .filter(|statement| {
                    let encoding = cbor::encode(&statement.to_ipld());
                    encoding.map_or(true, |encoding| seen.insert(encoding))
                })
                .cloned()
                .collect(),
        )
    }
}

fn statements(value: &Ipld, form: &str, budget: &Budget) -> Result<Vec<Statement>, PolicyError> {
    let Ipld::List(items) = value else {
        return Err(PolicyError::new(form));
    };
    items
        .iter()
        .enumerate()
        .map(|(at, item)| Statement::parse(item, budget).map_err(|error| error.inside(at)))
        .collect()
}

impl Statement {
    fn parse(value: &Ipld, budget: &Budget) -> Result<Self, PolicyError> {
        budget.spend(Cost::Values(1))?;
        let form = || {
            PolicyError::new(
                "a statement is a list that starts with its operator, such as [\"==\", \".name\", \"value\"]",
            )
        };
        let Ipld::List(parts) = value else {
            return Err(form());
        };
        let Some((Ipld::String(operator), operands)) = parts.split_first() else {
            return Err(form());
        };
        let wrong_count = |wanted: &str| {
            PolicyError::new(format!("“{operator}” takes {wanted}, and nothing else"))
        };
        match (operator.as_str(), operands) {
            ("==", [path, value]) => Ok(Self::Equal(selector(path, budget)?, value.clone())),
            ("!=", [path, value]) => Ok(Self::NotEqual(selector(path, budget)?, value.clone())),
            ("like", [path, Ipld::String(pattern)]) => {
                budget.spend(Cost::Compiled(pattern.len()))?;
                Ok(Self::Like(selector(path, budget)?, Glob::new(pattern)))
            }
            ("and", [list]) => Self::connected(operator, list, budget).map(Self::And),
            ("or", [list]) => Self::connected(operator, list, budget).map(Self::Or),
            ("not", [inner]) => Self::boxed(inner, 1, budget).map(Self::Not),
            ("all", [path, inner]) => Ok(Self::All(
                selector(path, budget)?,
                Self::boxed(inner, 2, budget)?,
            )),
            ("any", [path, inner]) => Ok(Self::Any(
                selector(path, budget)?,
                Self::boxed(inner, 2, budget)?,
            )),
            ("==" | "!=", _) => Err(wrong_count("a path and a value")),
            ("like", _) => Err(wrong_count("a path and a text")),
            ("and" | "or", _) => Err(wrong_count("a list of statements")),
            ("not", _) => Err(wrong_count("a statement")),
            ("all" | "any", _) => Err(wrong_count("a path and a statement")),
            (text, operands) => match (Order::from_text(text), operands) {
                (Some(order), [path, number @ (Ipld::Integer(_) | Ipld::Float(_))]) => {
                    Ok(Self::Order(order, selector(path, budget)?, number.clone()))
                }
                (Some(_), _) => Err(wrong_count("a path and a number")),
                (None, _) => Err(PolicyError::new(format!(
                    "there is no operator “{}”",
                    shortened(text)
                ))),
            },
        }
    }

    fn connected(operator: &str, list: &Ipld, budget: &Budget) -> Result<Vec<Self>, PolicyError> {
        match list {
            Ipld::List(_) => statements(list, "", budget),
            _ => Err(PolicyError::new(format!(
                "“{operator}” takes a list of statements"
            ))),
        }
        .map_err(|error| error.inside(1))
    }

    fn boxed(inner: &Ipld, position: usize, budget: &Budget) -> Result<Box<Self>, PolicyError> {
        Self::parse(inner, budget)
            .map(Box::new)
            .map_err(|error| error.inside(position))
    }

    /// Subtracts the statement's size from `left`; false if there isn't enough. Stops as soon as it is known.
    pub(crate) fn takes(&self, left: &mut usize) -> bool {
        let mut text = |text: &str| match left.checked_sub(text.len() + 16) {
            Some(rest) => {
                *left = rest;
                true
            }
            None => false,
        };
        match self {
            Self::Equal(path, value)
            | Self::NotEqual(path, value)
            | Self::Order(_, path, value) => text(path.as_str()) && takes(value, left),
            Self::Like(path, glob) => text(path.as_str()) && text(glob.as_str()),
            Self::And(inner) | Self::Or(inner) => {
                text("") && inner.iter().all(|statement| statement.takes(left))
            }
            Self::Not(inner) => text("") && inner.takes(left),
            Self::All(path, inner) | Self::Any(path, inner) => {
                text(path.as_str()) && inner.takes(left)
            }
        }
    }

    /// The statement as a value, exactly as it was read.
    pub fn to_ipld(&self) -> Ipld {
        let text = |text: &str| Ipld::String(text.to_string());
        let list = |statements: &[Self]| Ipld::List(statements.iter().map(Self::to_ipld).collect());
        Ipld::List(match self {
            Self::Equal(path, value) => vec![text("=="), text(path.as_str()), value.clone()],
            Self::NotEqual(path, value) => vec![text("!="), text(path.as_str()), value.clone()],
            Self::Order(order, path, number) => {
                vec![text(order.as_str()), text(path.as_str()), number.clone()]
            }
            Self::Like(path, glob) => vec![text("like"), text(path.as_str()), text(glob.as_str())],
            Self::And(inner) => vec![text("and"), list(inner)],
            Self::Or(inner) => vec![text("or"), list(inner)],
            Self::Not(inner) => vec![text("not"), inner.to_ipld()],
            Self::All(path, inner) => vec![text("all"), text(path.as_str()), inner.to_ipld()],
            Self::Any(path, inner) => vec![text("any"), text(path.as_str()), inner.to_ipld()],
        })
    }
}

fn selector(value: &Ipld, budget: &Budget) -> Result<Selector, PolicyError> {
    let Ipld::String(path) = value else {
        return Err(PolicyError::new("a path is a text, such as \".name\"").inside(1));
    };
    budget.spend(Cost::Compiled(path.len()))?;
    Selector::parse(path)
        .map_err(|error| PolicyError::new(format!("“{}”: {error}", shortened(path))).inside(1))
}

/// The start of a text, for a message.
fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}
