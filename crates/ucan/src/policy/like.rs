//! Patterns of `like`: `*` matches any text, `\*` is a star, and nothing else is special (UCAN 1.0.0, "Glob Matching").

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::work_budget::{Budget, Cost, TooMuchWork};

/// A pattern, compiled when it is read. Consecutive stars count as one.
#[derive(Clone, Debug, PartialEq)]
pub struct Glob {
    source: Box<str>,
    /// What the text starts with; all of it if there is no star.
    first: Box<str>,
    /// What it ends with, after the last star; `None` without a star.
    last: Option<Box<str>>,
    /// What is between stars; never empty.
    middle: Box<[Box<str>]>,
    /// Bytes of all parts together: a shorter text can't match.
    length: usize,
}

impl Glob {
    /// Reads a pattern. Every text is one; a backslash before anything but a star is literal.
    pub fn new(source: &str) -> Self {
        let mut parts = parts(source);
        let last = (parts.len() > 1).then(|| parts.pop()).flatten();
        let mut parts = parts.into_iter().map(|part| Box::from(&*part));
        let first: Box<str> = parts.next().unwrap_or_default();
        let middle: Box<[Box<str>]> = parts.filter(|part| !part.is_empty()).collect();
        let last: Option<Box<str>> = last.map(|part| Box::from(&*part));
        let length = first.len()
            + last.as_deref().map_or(0, str::len)
            + middle.iter().map(|part| part.len()).sum::<usize>();
        Self {
            source: source.into(),
            first,
            last,
            middle,
            length,
        }
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// Whether the pattern matches the whole of `text`, in time linear in both. The first and last parts are fixed.
    /// Each part between is taken at its first match, which leaves the most text to the parts after it.
    pub fn matches(&self, text: &str) -> bool {
        let Some(last) = &self.last else {
            return text == &*self.first;
        };
        if text.len() < self.length {
            return false;
        }
        let Some(mut text) = text
            .strip_prefix(&*self.first)
            .and_then(|text| text.strip_suffix(&**last))
        else {
            return false;
        };
        self.middle
            .iter()
            .all(|part| match text.split_once(&**part) {
                Some((_, after)) => {
                    text = after;
                    true
                }
                None => false,
            })
    }

    /// [`Glob::matches`], on a budget.
    ///
    /// # Errors
    /// [`TooMuchWork`].
    pub fn matches_within(&self, text: &str, budget: &Budget) -> Result<bool, TooMuchWork> {
        if text.len() < self.length {
            budget.spend(Cost::Steps(1))?;
            return Ok(false);
        }
        budget.spend(Cost::Matched(self.length + text.len(), self.middle.len()))?;
        Ok(self.matches(text))
    }
}

/// The literal texts before, between and after the stars: one more than there are stars.
fn parts(source: &str) -> Vec<Cow<'_, str>> {
    let mut rest = source;
    let mut parts = Vec::new();
    let mut searched = 0;
    while let Some(at) = rest.get(searched..).and_then(|tail| tail.find('*')) {
        let (before, star) = rest.split_at(searched + at);
        searched = before.len() + 1;
        if !before.ends_with('\\') {
            parts.push(unescaped(before));
            rest = star.strip_prefix('*').unwrap_or_default();
            searched = 0;
        }
    }
    parts.push(unescaped(rest));
    parts
}

fn unescaped(part: &str) -> Cow<'_, str> {
    if part.contains("\\*") {
        Cow::Owned(part.replace("\\*", "*"))
    } else {
        Cow::Borrowed(part)
    }
}

#[cfg(test)]
#[path = "like_test.rs"]
mod tests;
