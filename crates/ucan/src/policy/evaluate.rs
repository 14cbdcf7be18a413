//! Whether arguments satisfy a policy (UCAN 1.0.0, "Policy", "Validation").
//!
//! The work is counted, since two tokens of a megabyte each can ask for a trillion steps: past the budget, the answer
//! is a refusal. The nesting limits of policies and values bound the recursion.

use core::cmp::Ordering;
use core::fmt;

use ipld_core::ipld::Ipld;

use crate::codec::view::View;
use crate::policy::selector::Selector;
use crate::policy::statement::{Order, Policy, Statement};
use crate::work_budget::{Budget, Cost, TooMuchWork};

/// Why a policy refuses arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The statement at this position, from zero, is false.
    Statement(usize),
    /// Finding out would exceed the call's budget: the policy may hold or not.
    TooMuchWork,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Statement(at) => write!(f, "statement {} of the policy does not hold", at + 1),
            Self::TooMuchWork => f.write_str("the policy takes too much work to check"),
        }
    }
}

impl From<TooMuchWork> for Mismatch {
    fn from(_: TooMuchWork) -> Self {
        Self::TooMuchWork
    }
}

impl Policy {
    /// Whether `args` satisfy every statement.
    ///
    /// # Errors
    /// [`Mismatch`] with the first statement that fails, or because the budget ran out.
    pub fn check(&self, args: &Ipld) -> Result<(), Mismatch> {
        self.check_within(args, &Budget::new())
    }

    /// [`Policy::check`], on a budget.
    ///
    /// # Errors
    /// As [`Policy::check`].
    pub fn check_within(&self, args: &Ipld, budget: &Budget) -> Result<(), Mismatch> {
        let evaluation = Evaluation { budget };
        for (at, statement) in self.0.iter().enumerate() {
            if !evaluation.holds(statement, &View::of(args))? {
                return Err(Mismatch::Statement(at));
            }
        }
        Ok(())
    }
}

/// An evaluation on a budget.
pub(crate) struct Evaluation<'b> {
    pub(crate) budget: &'b Budget,
}

/// The result of a quantifier.
pub(crate) enum Decision<'a> {
    /// The path doesn't lead to a list or a map.
    NoCollection,
    /// This item decides, at this position.
    Item(usize, View<'a>),
    /// No item decides.
    NoItem,
}

impl Evaluation<'_> {
    pub(crate) fn holds(
        &self,
        statement: &Statement,
        value: &View<'_>,
    ) -> Result<bool, TooMuchWork> {
        self.budget.spend(Cost::Steps(1))?;
        Ok(match statement {
            Statement::Equal(path, wanted) => match self.follow(path, value)? {
                Some(found) => self.equal(&found, &View::of(wanted))?,
                None => false,
            },
            // The opposite of ==, but only if the path leads somewhere.
            Statement::NotEqual(path, wanted) => match self.follow(path, value)? {
                Some(found) => !self.equal(&found, &View::of(wanted))?,
                None => false,
            },
            Statement::Order(order, path, wanted) => self
                .follow(path, value)?
                .and_then(|found| compare(&found, &View::of(wanted)))
                .is_some_and(|ordering| order.admits(ordering)),
            Statement::Like(path, glob) => match self.follow(path, value)? {
                Some(View::Value(Ipld::String(text))) => glob.matches_within(text, self.budget)?,
                _ => false,
            },
            Statement::And(inner) => {
                for statement in inner {
                    if !self.holds(statement, value)? {
                        return Ok(false);
                    }
                }
                true
            }
            Statement::Or(inner) => {
                for statement in inner {
                    if self.holds(statement, value)? {
                        return Ok(true);
                    }
                }
                inner.is_empty()
            }
            Statement::Not(inner) => !self.holds(inner, value)?,
            Statement::All(path, inner) => self.quantify(path, inner, value, false)?,
            Statement::Any(path, inner) => self.quantify(path, inner, value, true)?,
        })
    }

    fn quantify(
        &self,
        path: &Selector,
        inner: &Statement,
        value: &View<'_>,
        is_decisive: bool,
    ) -> Result<bool, TooMuchWork> {
        Ok(match self.decide(path, inner, value, is_decisive)? {
            Decision::NoCollection => false,
            Decision::Item(..) => is_decisive,
            Decision::NoItem => !is_decisive,
        })
    }

    /// `any` stops at the first true item, `all` at the first false one: the first that `is_decisive`.
    pub(crate) fn decide<'a>(
        &self,
        path: &Selector,
        inner: &Statement,
        value: &View<'a>,
        is_decisive: bool,
    ) -> Result<Decision<'a>, TooMuchWork> {
        let collection = match self.follow(path, value)? {
            Some(View::Value(Ipld::Map(entries))) => {
                self.budget.spend(Cost::Sorted(entries.len()))?;
                View::values_of(entries)
            }
            Some(list @ (View::Items(_) | View::Values(..))) => list,
            _ => return Ok(Decision::NoCollection),
        };
        for at in 0..collection.len().unwrap_or_default() {
            let Some(item) = collection.item(at) else {
                break;
            };
            if self.holds(inner, &item)? == is_decisive {
                return Ok(Decision::Item(at, item));
            }
        }
        Ok(Decision::NoItem)
    }

    pub(crate) fn follow<'a>(
        &self,
        path: &Selector,
        value: &View<'a>,
    ) -> Result<Option<View<'a>>, TooMuchWork> {
        path.follow(value, self.budget)
    }

    /// Deep equality; numbers by value.
    fn equal(&self, a: &View<'_>, b: &View<'_>) -> Result<bool, TooMuchWork> {
        self.budget.spend(Cost::Steps(1))?;
        if let (Some(a), Some(b)) = (Number::of(a), Number::of(b)) {
            return Ok(a.compare(b) == Some(Ordering::Equal));
        }
        Ok(match (a, b) {
            (View::Null, View::Null) => true,
            (View::Bytes(a), View::Bytes(b)) => self.same(a, b)?,
            (View::Items(_) | View::Values(..), View::Items(_)) => {
                let (Some(length), Some(other)) = (a.len(), b.len()) else {
                    return Ok(false);
                };
                if length != other {
                    return Ok(false);
                }
                for at in 0..length {
                    match (a.item(at), b.item(at)) {
                        (Some(a), Some(b)) if self.equal(&a, &b)? => {}
                        _ => return Ok(false),
                    }
                }
                true
            }
            (View::Value(Ipld::Map(a)), View::Value(Ipld::Map(b))) => {
                if a.len() != b.len() {
                    return Ok(false);
                }
                for ((key, a), (other, b)) in a.iter().zip(b) {
                    let is_same = self.same(key.as_bytes(), other.as_bytes())?;
                    if !is_same || !self.equal(&View::of(a), &View::of(b))? {
                        return Ok(false);
                    }
                }
                true
            }
            (View::Value(Ipld::String(a)), View::Value(Ipld::String(b))) => {
                self.same(a.as_bytes(), b.as_bytes())?
            }
            (View::Value(Ipld::Bool(a)), View::Value(Ipld::Bool(b))) => a == b,
            (View::Value(Ipld::Link(a)), View::Value(Ipld::Link(b))) => {
                self.budget.spend(Cost::Steps(1))?;
                a == b
            }
            _ => false,
        })
    }

    fn same(&self, a: &[u8], b: &[u8]) -> Result<bool, TooMuchWork> {
        if a.len() != b.len() {
            return Ok(false);
        }
        self.budget.spend(Cost::Compared(a.len()))?;
        Ok(a == b)
    }
}

impl Order {
    fn admits(self, ordering: Ordering) -> bool {
        match self {
            Self::Less => ordering.is_lt(),
            Self::LessOrEqual => ordering.is_le(),
            Self::Greater => ordering.is_gt(),
            Self::GreaterOrEqual => ordering.is_ge(),
        }
    }
}

fn compare(a: &View<'_>, b: &View<'_>) -> Option<Ordering> {
    Number::of(a)?.compare(Number::of(b)?)
}

#[derive(Clone, Copy)]
enum Number {
    Integer(i128),
    Float(f64),
}

impl Number {
    fn of(value: &View<'_>) -> Option<Self> {
        match value {
            View::Value(Ipld::Integer(integer)) => Some(Self::Integer(*integer)),
            View::Value(Ipld::Float(float)) => Some(Self::Float(*float)),
            View::Byte(byte) => Some(Self::Integer(i128::from(*byte))),
            _ => None,
        }
    }

    fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(&b)),
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(&b),
            (Self::Integer(a), Self::Float(b)) => compare_exactly(a, b),
            (Self::Float(a), Self::Integer(b)) => compare_exactly(b, a).map(Ordering::reverse),
        }
    }
}

/// Compares without rounding: 2⁵³ + 1 is not 2⁵³ as a float.
fn compare_exactly(integer: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    // The conversion drops the fraction and stays within i128, far beyond the 64 bits of an integer in a token.
    let whole = float as i128;
    Some(integer.cmp(&whole).then_with(|| {
        let fraction = float - whole as f64;
        0.0_f64.partial_cmp(&fraction).unwrap_or(Ordering::Equal)
    }))
}
