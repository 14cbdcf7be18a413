//! What tests share: bytes that are the same each time.

use keyhole_vault::error::VaultError;
use keyhole_vault::random::Random;
use sha2::{Digest, Sha256};

/// Fixed "randomness": draw `n` of `length` bytes is the first `length` bytes of SHA-256(n ‖ 0) ‖ SHA-256(n ‖ 1) ‖ …, both numbers as
/// 4 bytes big-endian, n from 0.
pub struct Stream(u32);

impl Stream {
    /// From the first draw.
    pub fn new() -> Self {
        Self(0)
    }
}

impl Random for Stream {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), VaultError> {
        for (block, part) in (0u32..).zip(bytes.chunks_mut(32)) {
            let digest = Sha256::new()
                .chain_update(self.0.to_be_bytes())
                .chain_update(block.to_be_bytes())
                .finalize();
            part.copy_from_slice(&digest[..part.len()]);
        }
        self.0 += 1;
        Ok(())
    }
}
