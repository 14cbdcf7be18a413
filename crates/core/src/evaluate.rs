//! Whether a policy holds of arguments (UCAN 1.0.0, "Policy", "Validation").
//!
//! The work is counted, since two tokens of a megabyte each can ask for a trillion steps: past [`MAX_WORK`] the answer is
//! a refusal. Recursion is bounded by how deep a policy and a value can be nested.

use core::cmp::Ordering;
use core::fmt;

use ipld_core::ipld::Ipld;

use crate::policy::{Order, Policy, Statement};
use crate::selector::Selector;
use crate::view::View;

/// Most steps that an evaluation takes: a step is a path's part, an item, or sixteen bytes of text or data.
pub const MAX_WORK: u64 = 1 << 24;

/// Why a policy does not let arguments through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The statement at this position, from zero, is false.
    Statement(usize),
    /// To find out would take more than [`MAX_WORK`].
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

impl Policy {
    /// Whether every statement holds of `args`.
    ///
    /// # Errors
    /// [`Mismatch`] with the first statement that does not, or that the work was too much.
    pub fn check(&self, args: &Ipld) -> Result<(), Mismatch> {
        self.check_within(args, &mut { MAX_WORK })
    }

    /// The same for one of several policies: `work_left` goes down by the steps that were taken.
    ///
    /// # Errors
    /// As [`Policy::check`].
    pub fn check_within(&self, args: &Ipld, work_left: &mut u64) -> Result<(), Mismatch> {
        let mut evaluation = Evaluation {
            work_left: *work_left,
        };
        let mut answer = Ok(());
        for (at, statement) in self.0.iter().enumerate() {
            answer = match evaluation.holds(statement, &View::of(args)) {
                Some(true) => continue,
                Some(false) => Err(Mismatch::Statement(at)),
                None => Err(Mismatch::TooMuchWork),
            };
            break;
        }
        *work_left = evaluation.work_left;
        answer
    }
}

/// `None` in what these functions give is always: too much work.
pub(crate) struct Evaluation {
    pub(crate) work_left: u64,
}

/// What a quantifier comes down to.
pub(crate) enum Decision<'a> {
    /// The path leads to no list and no map.
    NoCollection,
    /// This item decides, at this position.
    Item(usize, View<'a>),
    /// No item does.
    NoItem,
}

impl Evaluation {
    fn spend(&mut self, work: usize) -> Option<()> {
        self.work_left = self.work_left.checked_sub(work as u64)?;
        Some(())
    }

    pub(crate) fn holds(&mut self, statement: &Statement, value: &View<'_>) -> Option<bool> {
        self.spend(1)?;
        match statement {
            Statement::Equal(path, wanted) => match self.follow(path, value)? {
                Some(found) => self.equal(&found, &View::of(wanted)),
                None => Some(false),
            },
            // The opposite of ==, but only where the path leads somewhere.
            Statement::NotEqual(path, wanted) => match self.follow(path, value)? {
                Some(found) => self.equal(&found, &View::of(wanted)).map(|equal| !equal),
                None => Some(false),
            },
            Statement::Order(order, path, wanted) => Some(
                self.follow(path, value)?
                    .and_then(|found| compare(&found, &View::of(wanted)))
                    .is_some_and(|ordering| order.admits(ordering)),
            ),
            Statement::Like(path, glob) => match self.follow(path, value)? {
                Some(View::Value(Ipld::String(text))) => {
                    self.spend((text.len() + glob.as_str().len()) / 16)?;
                    Some(glob.matches(text))
                }
                _ => Some(false),
            },
            Statement::And(inner) => {
                for statement in inner {
                    if !self.holds(statement, value)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Statement::Or(inner) => {
                for statement in inner {
                    if self.holds(statement, value)? {
                        return Some(true);
                    }
                }
                Some(inner.is_empty())
            }
            Statement::Not(inner) => self.holds(inner, value).map(|holds| !holds),
            Statement::All(path, inner) => self.quantify(path, inner, value, false),
            Statement::Any(path, inner) => self.quantify(path, inner, value, true),
        }
    }

    fn quantify(
        &mut self,
        path: &Selector,
        inner: &Statement,
        value: &View<'_>,
        is_decisive: bool,
    ) -> Option<bool> {
        Some(match self.decide(path, inner, value, is_decisive)? {
            Decision::NoCollection => false,
            Decision::Item(..) => is_decisive,
            Decision::NoItem => !is_decisive,
        })
    }

    /// `any` ends at the first item that is true, `all` at the first that is false: at the first that `is_decisive`.
    pub(crate) fn decide<'a>(
        &mut self,
        path: &Selector,
        inner: &Statement,
        value: &View<'a>,
        is_decisive: bool,
    ) -> Option<Decision<'a>> {
        let collection = match self.follow(path, value)? {
            Some(View::Value(Ipld::Map(entries))) => {
                self.spend(entries.len())?;
                View::values_of(entries)
            }
            Some(list @ (View::Items(_) | View::Values(..))) => list,
            _ => return Some(Decision::NoCollection),
        };
        for at in 0..collection.len().unwrap_or_default() {
            let Some(item) = collection.item(at) else {
                break;
            };
            if self.holds(inner, &item)? == is_decisive {
                return Some(Decision::Item(at, item));
            }
        }
        Some(Decision::NoItem)
    }

    pub(crate) fn follow<'a>(
        &mut self,
        path: &Selector,
        value: &View<'a>,
    ) -> Option<Option<View<'a>>> {
        if let View::Values(values, _) = value {
            self.spend(values.len())?;
        }
        path.follow(value.clone(), |work| self.spend(work))
    }

    /// Deep equality; numbers by value.
    fn equal(&mut self, a: &View<'_>, b: &View<'_>) -> Option<bool> {
        self.spend(1)?;
        if let (Some(a), Some(b)) = (Number::of(a), Number::of(b)) {
            return Some(a.compare(b) == Some(Ordering::Equal));
        }
        match (a, b) {
            (View::Null, View::Null) => Some(true),
            (View::Bytes(a), View::Bytes(b)) => {
                self.spend(a.len().min(b.len()) / 16)?;
                Some(a == b)
            }
            (View::Items(_) | View::Values(..), View::Items(_)) => {
                let (Some(length), Some(other)) = (a.len(), b.len()) else {
                    return Some(false);
                };
                if length != other {
                    return Some(false);
                }
                for at in 0..length {
                    match (a.item(at), b.item(at)) {
                        (Some(a), Some(b)) if self.equal(&a, &b)? => {}
                        _ => return Some(false),
                    }
                }
                Some(true)
            }
            (View::Value(Ipld::Map(a)), View::Value(Ipld::Map(b))) => {
                if a.len() != b.len() {
                    return Some(false);
                }
                for ((key, a), (other, b)) in a.iter().zip(b) {
                    self.spend(key.len() / 16)?;
                    if key != other || !self.equal(&View::of(a), &View::of(b))? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            (View::Value(Ipld::String(a)), View::Value(Ipld::String(b))) => {
                self.spend(a.len().min(b.len()) / 16)?;
                Some(a == b)
            }
            (View::Value(Ipld::Bool(a)), View::Value(Ipld::Bool(b))) => Some(a == b),
            (View::Value(Ipld::Link(a)), View::Value(Ipld::Link(b))) => Some(a == b),
            _ => Some(false),
        }
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
