//! Reads JSON text piece by piece (RFC 8259), for selectors and DAG-JSON.

use alloc::string::String;

/// A cursor over a text.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Bytes read so far.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The next byte, without taking it.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Takes the next byte if it is this one. `byte` is ASCII.
    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Takes this word if it comes next.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    /// Takes ASCII bytes while `fits` accepts them.
    pub(crate) fn take_while(&mut self, fits: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest
            .bytes()
            .take_while(|byte| byte.is_ascii() && fits(*byte))
            .count();
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// Takes spaces, tabs and line ends.
    pub(crate) fn skip_space(&mut self) {
        self.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    }

    /// Takes a quoted string; `None` if there isn't one, or if it has a control character or half of a surrogate pair.
    pub(crate) fn string(&mut self) -> Option<String> {
        if !self.eat(b'"') {
            return None;
        }
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let plain = rest
                .bytes()
                .position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))?;
            text.push_str(rest.get(..plain)?);
            self.at += plain;
            if self.eat(b'"') {
                return Some(text);
            }
            if !self.eat(b'\\') {
                return None;
            }
            let letter = self.escape()?;
            text.push(letter);
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Option<char> {
        let byte = self.peek()?;
        self.at += 1;
        Some(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => {
                // This may be the start of a multi-byte character: keep the cursor at a boundary.
                self.at -= 1;
                return None;
            }
        })
    }

    fn unicode(&mut self) -> Option<char> {
        let first = self.four_digits()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        let second = self.eat_word("\\u").then(|| self.four_digits())??;
        if !(0xdc00..0xe000).contains(&second) {
            return None;
        }
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}

/// Writes a quoted string.
pub(crate) fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control if control < ' ' => {
                let digit = |nibble: u32| char::from_digit(nibble, 16).unwrap_or('0');
                out.push_str("\\u00");
                out.push(digit(control as u32 >> 4));
                out.push(digit(control as u32 & 0xf));
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
}
