//! Why a call is allowed or not: every rule of every link, and what it found.
//!
//! [`Policy::check_within`] gives the verdict, as it does for invocations. The reasons come from the same evaluation,
//! for each part of a statement in turn.

use alloc::vec::Vec;

use ipld_core::ipld::Ipld;

use crate::codec::dag_json;
use crate::codec::view::View;
use crate::policy::evaluate::{Decision, Evaluation, Mismatch};
use crate::policy::selector::Selector;
use crate::policy::statement::{Policy, Statement};
use crate::token::command::Command;
use crate::work_budget::{Budget, Cost, TooMuchWork};

/// Most reasons that are given.
pub const MAX_CHECKS: usize = 4_096;
/// Longest value that a reason repeats, in bytes.
const MAX_FOUND: usize = 1_024;

/// A link of a chain, as far as it limits a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The link's command.
    pub command: Command,
    /// Conditions on the arguments.
    pub policy: Policy,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The command.
    pub command: Command,
    /// Its arguments: a map.
    pub args: Ipld,
}

/// Which rule of a link is checked.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// Its command must cover the next link's, or the call's after the last link.
    Command,
    /// A statement of its policy, by its positions from the outside in, counted from zero.
    Statement(Vec<usize>),
}

/// One rule and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The link, from zero at the root.
    pub link: usize,
    /// Its rule.
    pub rule: Rule,
    /// `None` if finding out takes too much work.
    pub holds: Option<bool>,
    /// Whether the statement's path leads anywhere; `None` if it has no path.
    pub resolved: Option<bool>,
    /// What it leads to, if that is short.
    pub found: Option<Ipld>,
    /// For `all` and `any`, the item that decides: the inner statement is then checked for that item.
    pub item: Option<usize>,
}

impl Check {
    /// An upper bound of the bytes to write it down.
    fn size(&self) -> usize {
        let positions = match &self.rule {
            Rule::Command => 0,
            Rule::Statement(path) => path.len(),
        };
        let found = self.found.as_ref();
        let found = found.and_then(|found| dag_json::to_string(found).ok());
        100 + 12 * positions + found.map_or(0, |text| text.len())
    }
}

/// Whether a call is allowed, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Every command covers the next, and every policy holds.
    pub allowed: bool,
    /// Link by link from the root: its command, then each statement before the ones inside it.
    pub checks: Vec<Check>,
    /// Whether these are all: there are at most [`MAX_CHECKS`].
    pub complete: bool,
}

/// Checks a call against links, root first. Leaves out reasons that the budget has no space for.
///
/// # Errors
/// [`TooMuchWork`] if the budget runs out before the verdict.
pub fn explain(links: &[Limits], call: &Call, budget: &Budget) -> Result<Explanation, TooMuchWork> {
    let commands = links.iter().map(|link| &link.command);
    let next = commands.clone().skip(1).chain([&call.command]);
    let covers: Vec<bool> = commands.zip(next).map(|(a, b)| a.covers(b)).collect();
    let mut allowed = covers.iter().all(|covers| *covers);
    for link in links {
        allowed = allowed
            && match link.policy.check_within(&call.args, budget) {
                Ok(()) => true,
                Err(Mismatch::Statement(_)) => false,
                Err(Mismatch::TooMuchWork) => return Err(TooMuchWork),
            };
    }
    let mut reasons = Reasons {
        evaluation: Evaluation { budget },
        checks: Vec::new(),
        complete: true,
    };
    for (at, (link, covers)) in links.iter().zip(covers).enumerate() {
        reasons.push(Check {
            link: at,
            rule: Rule::Command,
            holds: Some(covers),
            resolved: None,
            found: None,
            item: None,
        });
        for (position, statement) in link.policy.0.iter().enumerate() {
            reasons.add(at, &[position], statement, &View::of(&call.args));
        }
    }
    Ok(Explanation {
        allowed,
        checks: reasons.checks,
        complete: reasons.complete,
    })
}

struct Reasons<'b> {
    evaluation: Evaluation<'b>,
    checks: Vec<Check>,
    complete: bool,
}

impl Reasons<'_> {
    fn push(&mut self, check: Check) {
        let paid = self.evaluation.budget.spend(Cost::Answered(check.size()));
        if self.checks.len() < MAX_CHECKS && paid.is_ok() {
            self.checks.push(check);
        } else {
            self.complete = false;
        }
    }

    fn add(&mut self, link: usize, path: &[usize], statement: &Statement, value: &View<'_>) {
        if self.checks.len() >= MAX_CHECKS {
            self.complete = false;
            return;
        }
        let holds = self.evaluation.holds(statement, value).ok();
        let (resolved, found) = match selector(statement) {
            Some(selector) => self.look(selector, value),
            None => (None, None),
        };
        let own = self.checks.len();
        self.push(Check {
            link,
            rule: Rule::Statement(path.to_vec()),
            holds,
            resolved,
            found,
            item: None,
        });
        let inside = |positions: &[usize]| [path, positions].concat();
        match statement {
            Statement::And(inner) | Statement::Or(inner) => {
                for (position, statement) in inner.iter().enumerate() {
                    self.add(link, &inside(&[1, position]), statement, value);
                }
            }
            Statement::Not(inner) => self.add(link, &inside(&[1]), inner, value),
            Statement::All(selector, inner) | Statement::Any(selector, inner) => {
                let is_decisive = matches!(statement, Statement::Any(..));
                let decision = self.evaluation.decide(selector, inner, value, is_decisive);
                if let Ok(Decision::Item(at, item)) = decision {
                    if let Some(check) = self.checks.get_mut(own) {
                        check.item = Some(at);
                    }
                    self.add(link, &inside(&[2]), inner, &item);
                }
            }
            Statement::Equal(..)
            | Statement::NotEqual(..)
            | Statement::Order(..)
            | Statement::Like(..) => {}
        }
    }

    fn look(&mut self, selector: &Selector, value: &View<'_>) -> (Option<bool>, Option<Ipld>) {
        match self.evaluation.follow(selector, value) {
            Err(TooMuchWork) => (None, None),
            Ok(None) => (Some(false), None),
            Ok(Some(found)) => (Some(true), found.fits(MAX_FOUND).then(|| found.to_ipld())),
        }
    }
}

fn selector(statement: &Statement) -> Option<&Selector> {
    match statement {
        Statement::Equal(selector, _)
        | Statement::NotEqual(selector, _)
        | Statement::Order(_, selector, _)
        | Statement::Like(selector, _)
        | Statement::All(selector, _)
        | Statement::Any(selector, _) => Some(selector),
        Statement::And(_) | Statement::Or(_) | Statement::Not(_) => None,
    }
}
