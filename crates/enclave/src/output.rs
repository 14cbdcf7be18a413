//! An answer's text, in pieces. A growing vector moves its content, and a long answer would need three times its
//! length.

use std::io;

use serde::Serialize;

const FIRST_PIECE: usize = 4 * 1_024;
const LARGEST_PIECE: usize = 1_024 * 1_024;
const UNWRITABLE: &[u8] =
    br#"{"error":"The answer could not be written as JSON.","code":"OPERATION_FAILED","name":"Internal"}"#;

/// JSON text.
pub struct Output {
    full: Vec<Vec<u8>>,
    last: Vec<u8>,
    /// Bytes that may still be written.
    space: usize,
}

impl Output {
    /// A value as JSON, or a refusal if it can't be written.
    pub fn of(value: &impl Serialize) -> Self {
        Self::within(value, usize::MAX).unwrap_or_else(|| Self::from_bytes(UNWRITABLE))
    }

    /// A value as JSON of at most this many bytes; writing stops there.
    pub fn within(value: &impl Serialize, most: usize) -> Option<Self> {
        let mut output = Self {
            full: Vec::new(),
            last: Vec::new(),
            space: most,
        };
        serde_json::to_writer(&mut output, value).ok()?;
        Some(output)
    }

    /// A text as it is.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self {
            full: Vec::new(),
            last: bytes.to_vec(),
            space: 0,
        }
    }

    /// The total number of bytes.
    pub fn length(&self) -> usize {
        self.pieces().map(<[u8]>::len).sum()
    }

    /// The pieces in order. All but the last have a length that is a multiple of eight.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.full.iter().chain([&self.last]).map(Vec::as_slice)
    }
}

impl io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.space {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if self.last.len() == self.last.capacity() {
            let next = (self.last.capacity() * 2).clamp(FIRST_PIECE, LARGEST_PIECE);
            let full = std::mem::replace(&mut self.last, Vec::with_capacity(next));
            if !full.is_empty() {
                self.full.push(full);
            }
        }
        let space = self.last.capacity() - self.last.len();
        let (now, _) = bytes.split_at(bytes.len().min(space));
        self.last.extend_from_slice(now);
        self.space -= now.len();
        Ok(now.len())
    }

    /// The encoder writes a few bytes at a time, and there is nearly always space for them.
    #[inline]
    fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        if bytes.len() <= self.space && bytes.len() <= self.last.capacity() - self.last.len() {
            self.space -= bytes.len();
            self.last.extend_from_slice(bytes);
            return Ok(());
        }
        while !bytes.is_empty() {
            let written = self.write(bytes)?;
            bytes = bytes.split_at(written).1;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
