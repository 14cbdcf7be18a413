//! Reads what the worker wrote into the module's memory, piece by piece. Numbers are little-endian.

/// What is still to read.
pub struct Input<'a> {
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    /// Starts at the beginning.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    /// A 32-bit number.
    pub fn u32(&mut self) -> Option<u32> {
        self.bytes(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    /// A 64-bit floating-point number.
    pub fn f64(&mut self) -> Option<f64> {
        self.bytes(8)?.try_into().ok().map(f64::from_le_bytes)
    }

    /// Bytes that follow their length.
    pub fn text(&mut self) -> Option<&'a [u8]> {
        let count = self.u32()?;
        self.bytes(count as usize)
    }
}
