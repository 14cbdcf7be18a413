//! Patterns of `like`: `*` stands for any text, `\*` for a star, and nothing else is special (UCAN 1.0.0, "Glob Matching").

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Glob(Box<str>);

impl Glob {
    /// Reads a pattern. Every text is one; a backslash before anything but a star is itself.
    pub fn new(source: &str) -> Self {
        Self(source.into())
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the whole of `text` fits the pattern. Takes time linear in both, whatever they are: the first and the last
    /// part are fixed, and each part between is taken where it is first found, which leaves the most to those after it.
    pub fn matches(&self, text: &str) -> bool {
        let parts = self.parts();
        let Some((first, rest)) = parts.split_first() else {
            return false;
        };
        let Some((last, middle)) = rest.split_last() else {
            return text == *first;
        };
        let Some(mut text) = text
            .strip_prefix(&**first)
            .and_then(|text| text.strip_suffix(&**last))
        else {
            return false;
        };
        middle.iter().all(|part| match text.split_once(&**part) {
            Some((_, after)) => {
                text = after;
                true
            }
            None => false,
        })
    }

    /// The literal texts before, between and after the stars: one more than there are stars.
    fn parts(&self) -> Vec<Cow<'_, str>> {
        let mut rest = &*self.0;
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
}

fn unescaped(part: &str) -> Cow<'_, str> {
    if part.contains("\\*") {
        Cow::Owned(part.replace("\\*", "*"))
    } else {
        Cow::Borrowed(part)
    }
}

#[cfg(test)]
#[path = "glob_test.rs"]
mod tests;
