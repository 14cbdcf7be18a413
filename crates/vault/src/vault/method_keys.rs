//! Keys that only an unlock method opens. The data key doesn't: so an unlocked account alone can't use them, and needs a proof each time.

use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::methods::unlock_method::{SealedKeyFor, SealedTo};
use crate::methods::unlock_proof::UnlockProof;
use crate::seal::kdf::KdfMemory;
use crate::vault::Vault;
use crate::vault::sealed_state::SealedState;
use keyhole_ucan::codec::base64::Fixed;
use x25519_dalek::StaticSecret;

/// An unlock method, opened by its proof. Wiped on drop.
pub struct OpenMethod {
    public: Fixed<32>,
    private: Zeroizing<[u8; 32]>,
}

impl OpenMethod {
    /// The method's public half.
    pub fn public_key(&self) -> &Fixed<32> {
        &self.public
    }

    /// Opens a key that was sealed to the method; `None` if anything differs.
    pub fn unseal(
        &self,
        sealed: &SealedKeyFor,
        info: &[u8],
        binding: &[u8],
    ) -> Option<Zeroizing<[u8; 32]>> {
        let to = SealedTo {
            public: &self.public,
            info,
            binding,
        };
        sealed.unseal(&self.private, to)
    }

    /// Opens another state of an account that has this method as well; `None` if it hasn't, or isn't authentic.
    ///
    /// # Errors
    /// OPERATION_FAILED for a state that is authentic and needs a newer version.
    pub fn open_state(&self, state: SealedState) -> Result<Option<Vault>, VaultError> {
        let private = StaticSecret::from(*self.private);
        let mut methods = state.methods.iter();
        let data_key = methods
            .find(|method| method.public_key == self.public)
            .and_then(|method| method.data_key_by(&state.address, &private));
        match data_key {
            Some(data_key) => Vault::open(state, data_key),
            None => Ok(None),
        }
    }
}

impl Vault {
    /// The method that a proof opens.
    ///
    /// # Errors
    /// As [`Vault::check_unlock_proof`].
    pub fn open_method(
        &self,
        proof: UnlockProof<'_>,
        memory: &mut KdfMemory,
    ) -> Result<OpenMethod, VaultError> {
        let address = &self.state.address;
        for method in &self.state.methods {
            let Some(private) = method.open_private(address, proof, memory)? else {
                continue;
            };
            if method.data_key_by(address, &private).as_ref() == Some(&self.data_key) {
                return Ok(OpenMethod {
                    public: method.public_key,
                    private: Zeroizing::new(private.to_bytes()),
                });
            }
        }
        Err(proof.refusal())
    }

    /// The public halves of the account's unlock methods.
    pub fn method_keys(&self) -> impl Iterator<Item = &Fixed<32>> {
        self.state.methods.iter().map(|method| &method.public_key)
    }
}

#[cfg(test)]
#[path = "method_keys_test.rs"]
mod tests;
