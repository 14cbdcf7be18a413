//! The records that follow the head of a backup, in sealed chunks, so that a file of any size is written and read a
//! piece at a time. Format `keyhole-backup-v3`, described in `docs/formats.md`.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use zeroize::Zeroizing;

use crate::backup::file::{BackupHeader, FileKey, damaged, unwritable};
use crate::error::VaultError;
use crate::random::Random;
use crate::seal::aead::{self, SealedBytes, canonical};
use keyhole_ucan::codec::base64::{Bytes, Fixed};

/// Longest chunk that is written, in bytes of its JSON. What it grows to in the file is the longest that is read.
pub const MAX_CHUNK_BYTES: usize = 8 * 1_024 * 1_024;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chunk {
    chunk: u64,
    last: bool,
    nonce: Fixed<{ aead::NONCE_LENGTH }>,
    sealed: Bytes,
}

/// Seals the chunks of one file, in order.
pub struct ChunkSealer {
    header: BackupHeader,
    key: FileKey,
    next: u64,
    is_over: bool,
}

impl ChunkSealer {
    pub(crate) fn new(header: BackupHeader, key: FileKey) -> Self {
        Self {
            header,
            key,
            next: 0,
            is_over: false,
        }
    }

    /// The text of the next chunk, for any JSON.
    ///
    /// # Errors
    /// OPERATION_FAILED after the last one, past [`MAX_CHUNK_BYTES`], and when randomness fails.
    pub fn seal(
        &mut self,
        contents: &RawValue,
        last: bool,
        random: &mut dyn Random,
    ) -> Result<String, VaultError> {
        if self.is_over {
            return Err(VaultError::BackupOutOfStep {
                what: "The backup already has its last chunk.",
            });
        }
        if contents.get().len() > MAX_CHUNK_BYTES {
            return Err(VaultError::input(
                "A chunk of a backup is at most 8 MiB long.",
            ));
        }
        let binding = bind(&self.header, self.next, last)?;
        let mut plaintext =
            Zeroizing::new(Vec::with_capacity(contents.get().len() + aead::TAG_LENGTH));
        plaintext.extend_from_slice(contents.get().as_bytes());
        let SealedBytes { nonce, sealed } = aead::seal(&self.key, &binding, plaintext, random)?;
        let chunk = Chunk {
            chunk: self.next,
            last,
            nonce,
            sealed,
        };
        self.next += 1;
        self.is_over = last;
        serde_json::to_string(&chunk).map_err(|_| unwritable())
    }
}

/// Opens the chunks of one file, in order. Refuses one that is missing, moved, from another file, or after the last.
pub struct ChunkOpener {
    header: BackupHeader,
    key: FileKey,
    next: u64,
    is_over: bool,
    was_read: bool,
}

impl ChunkOpener {
    pub(crate) fn new(header: BackupHeader, key: FileKey) -> Self {
        Self {
            header,
            key,
            next: 0,
            is_over: false,
            was_read: false,
        }
    }

    /// Whether all chunks have been opened, including the last.
    pub fn was_read(&self) -> bool {
        self.was_read
    }

    /// The JSON of the next chunk, and whether it is the last. The first chunk starts over.
    ///
    /// # Errors
    /// OPERATION_FAILED for anything but the next chunk of this file, unchanged.
    pub fn open(&mut self, text: &str) -> Result<(Box<RawValue>, bool), VaultError> {
        if text.len() > MAX_CHUNK_BYTES * 2 {
            return Err(damaged("a part is too long"));
        }
        let chunk: Chunk =
            serde_json::from_str(text).map_err(|_| damaged("a part of it does not parse"))?;
        if chunk.chunk == 0 {
            self.next = 0;
            self.is_over = false;
        }
        if self.is_over || chunk.chunk != self.next {
            return Err(damaged("its parts are not in order, or some are missing"));
        }
        let binding = bind(&self.header, chunk.chunk, chunk.last)?;
        let sealed = SealedBytes {
            nonce: chunk.nonce,
            sealed: chunk.sealed,
        };
        let plaintext = aead::open(&self.key, &binding, sealed)
            .ok_or_else(|| damaged("a part was altered, or is from another file"))?;
        let contents: &RawValue = serde_json::from_slice(&plaintext)
            .map_err(|_| damaged("a part of it does not parse"))?;
        let contents = contents.to_owned();
        self.next += 1;
        self.is_over = chunk.last;
        self.was_read |= chunk.last;
        Ok((contents, chunk.last))
    }
}

/// What a chunk is bound to: the file's key and head, its position, and whether it is the last.
fn bind(header: &BackupHeader, chunk: u64, last: bool) -> Result<Vec<u8>, VaultError> {
    canonical(&json!({
        "format": header.format,
        "part": "contents",
        "address": header.address,
        "chain_id": header.chain_id,
        "created_at": header.created_at,
        "chunk": chunk,
        "last": last,
    }))
}

#[cfg(test)]
#[path = "chunks_test.rs"]
mod tests;
