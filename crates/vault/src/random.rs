//! Randomness comes as an argument.

use zeroize::Zeroizing;

use crate::error::VaultError;

/// A source of random bytes fit for keys.
pub trait Random {
    /// Fills `bytes`.
    ///
    /// # Errors
    /// Whatever the source answers. The caller passes it on and changes nothing.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), VaultError>;
}

impl<F: FnMut(&mut [u8]) -> Result<(), VaultError>> Random for F {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), VaultError> {
        self(bytes)
    }
}

/// `N` random bytes that are not secret: a nonce, a salt, an id.
pub(crate) fn public<const N: usize>(random: &mut dyn Random) -> Result<[u8; N], VaultError> {
    let mut bytes = [0; N];
    random.fill(&mut bytes)?;
    Ok(bytes)
}

/// 32 random bytes for a key.
pub(crate) fn secret(random: &mut dyn Random) -> Result<Zeroizing<[u8; 32]>, VaultError> {
    let mut bytes = Zeroizing::new([0; 32]);
    random.fill(&mut bytes[..])?;
    Ok(bytes)
}
