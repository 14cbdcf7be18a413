//! Commands: what a capability lets its holder do (UCAN 1.0.0, "Command").

use alloc::boxed::Box;
use alloc::string::ToString;
use core::fmt;

use crate::error::TokenError;

/// Commands under `/ucan/` that have a meaning; the rest of that namespace is reserved.
const KNOWN_RESERVED: [&str; 2] = ["/ucan/revoke", "/ucan/assert"];

/// A command: `/`, or segments of lower-case text, each after a slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command(Box<str>);

/// Why text is not a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// It does not start with a slash.
    NoSlash,
    /// It ends with a slash, and is not `/` itself.
    TrailingSlash,
    /// Two slashes follow one another.
    EmptySegment,
    /// It has a letter that is not lower case.
    NotLowerCase,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSlash => "a command starts with a slash, as in /msg/send",
            Self::TrailingSlash => "a command does not end with a slash",
            Self::EmptySegment => "a command has no empty part between two slashes",
            Self::NotLowerCase => "a command is written in lower case",
        })
    }
}

impl core::error::Error for CommandError {}

impl From<CommandError> for TokenError {
    fn from(error: CommandError) -> Self {
        Self::malformed(error.to_string())
    }
}

impl Command {
    /// Reads a command.
    ///
    /// # Errors
    /// [`CommandError`]: the first rule that is broken.
    pub fn parse(text: &str) -> Result<Self, CommandError> {
        let Some(path) = text.strip_prefix('/') else {
            return Err(CommandError::NoSlash);
        };
        if path.ends_with('/') {
            return Err(CommandError::TrailingSlash);
        }
        if text.contains("//") {
            return Err(CommandError::EmptySegment);
        }
        let is_lower = match text.is_ascii() {
            true => !text.bytes().any(|byte| byte.is_ascii_uppercase()),
            false => text
                .chars()
                .all(|letter| letter.to_lowercase().eq([letter])),
        };
        if !is_lower {
            return Err(CommandError::NotLowerCase);
        }
        Ok(Self(text.into()))
    }

    /// Whether this command also allows `other`: it is the same, or the start of it by whole segments. `/crypto` covers
    /// `/crypto/sign` but not `/cryptocurrency`.
    pub fn covers(&self, other: &Self) -> bool {
        &*self.0 == "/"
            || other
                .0
                .strip_prefix(&*self.0)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Whether it is in the reserved namespace `/ucan/` without a defined meaning.
    pub fn is_reserved(&self) -> bool {
        self.0.starts_with("/ucan/") && !KNOWN_RESERVED.contains(&&*self.0)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
#[path = "command_test.rs"]
mod tests;
