//! H′, the hash of any length (RFC 9106 §3.3).

use blake2::digest::block_api::{UpdateCore, VariableOutputCore};
use blake2::digest::block_buffer::LazyBuffer;
use blake2::{Blake2b512, Blake2bVarCore, Digest};
use zeroize::Zeroizing;

/// Longest output of BLAKE2b, in bytes.
const WHOLE: usize = 64;
/// How much of each hash but the last goes into the output.
const HALF: usize = 32;

/// Fills `out` from these inputs, one after the other.
pub(crate) fn long(inputs: &[&[u8]], out: &mut [u8]) {
    let length = (out.len() as u32).to_le_bytes();
    if out.len() <= WHOLE {
        return short(&length, inputs, out);
    }
    let mut hash = Blake2b512::new();
    hash.update(length);
    for input in inputs {
        hash.update(input);
    }
    let mut link: Zeroizing<[u8; WHOLE]> = Zeroizing::new(hash.finalize().into());
    let mut rest = out;
    while rest.len() > WHOLE {
        let Some((half, after)) = rest.split_at_mut_checked(HALF) else {
            return;
        };
        half.copy_from_slice(link.split_at(HALF).0);
        rest = after;
        if rest.len() > WHOLE {
            link = Zeroizing::new(Blake2b512::digest(&link[..]).into());
        }
    }
    short(&link[..], &[], rest);
}

/// BLAKE2b of up to 64 bytes, over a prefix and the inputs.
fn short(beginning: &[u8], inputs: &[&[u8]], out: &mut [u8]) {
    // Only a length of 0 or above 64 bytes is refused, and no caller passes one.
    let Ok(mut hash) = Blake2bVarCore::new(out.len()) else {
        return;
    };
    let mut buffer = LazyBuffer::default();
    for input in [beginning].iter().chain(inputs) {
        buffer.digest_blocks(input, |blocks| hash.update_blocks(blocks));
    }
    let mut whole = Default::default();
    hash.finalize_variable_core(&mut buffer, &mut whole);
    let (given, _) = whole.split_at(out.len());
    out.copy_from_slice(given);
}
