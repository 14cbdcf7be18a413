//! The wasm side: Extism's blocks, the host's functions, and an allocator that wipes what is freed.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::{Mutex, OnceLock, PoisonError};

use extism_pdk::extism;
use keyhole_vault::error::VaultError;
use keyhole_vault::random::Random;
use zeroize::{Zeroize, Zeroizing, optimization_barrier};

use crate::call::Call;
use crate::enclave::Enclave;
use crate::host::{Fetched, Host};
use crate::output::Output;

#[link(wasm_import_module = "extism:host/env")]
unsafe extern "C" {
    fn input_offset() -> u64;
}

#[link(wasm_import_module = "extism:host/user")]
unsafe extern "C" {
    fn keyhole_random(length: i64) -> i64;
    fn keyhole_now() -> i64;
    fn keyhole_take(block: i64, to: i32, length: i32) -> i32;
    fn keyhole_put(block: i64, from: i32, length: i32) -> i32;
    fn keyhole_fetch(url: i64) -> i64;
}

const TOO_LONG: &[u8] =
    br#"{"error":"This input is too long: 16 MiB, 24 MiB for what is signed, or 80 MiB for a backup.","code":"OPERATION_FAILED","name":"InvalidInput"}"#;

/// Longest answer of the bridge that is read, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// Wipes every block of the heap when it is freed, and with it the copies that decoders, growing vectors and encoders
/// leave behind. Growing moves (the trait's own `realloc`), so that the old place is wiped as well.
struct Wiping;

// SAFETY: forwards to the system's allocator; wiping touches only the block that is being freed.
unsafe impl GlobalAlloc for Wiping {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block is `layout.size()` bytes long and still belongs to the caller.
        unsafe {
            block.write_bytes(0, layout.size());
            optimization_barrier(&*block);
            System.dealloc(block, layout);
        }
    }
}

#[global_allocator]
static ALLOCATOR: Wiping = Wiping;

static ENCLAVE: Mutex<Option<Enclave>> = Mutex::new(None);

/// Runs one call: reads and overwrites the input block, and answers in a new block. Returns 0, or 1 if the host has no
/// memory for the answer.
pub fn run(max_input: usize, call: Call) -> i32 {
    let Some(input) = take_input(max_input) else {
        return set_output(&Output::from_bytes(TOO_LONG));
    };
    let mut enclave = ENCLAVE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut host = Extism::default();
    set_output(&call(enclave.get_or_insert_default(), &mut host, input))
}

/// The input, in one copy that is wiped after use. The host's block is overwritten, since Extism doesn't wipe it.
/// `None` for one that is too long, which isn't read at all.
fn take_input(max: usize) -> Option<Zeroizing<Vec<u8>>> {
    // SAFETY: the block at `input_offset` is `input_length` bytes long for as long as the call runs.
    unsafe {
        let length = extism::input_length();
        let size = usize::try_from(length).ok()?;
        if size > max {
            return None;
        }
        let mut input = Zeroizing::new(vec![0; size]);
        if !input.is_empty() {
            take_block(input_offset(), &mut input);
        }
        Some(input)
    }
}

fn set_output(output: &Output) -> i32 {
    let length = output.length() as u64;
    moves_at_once();
    // SAFETY: the block was just allocated with the length that the pieces have together.
    unsafe {
        let block = extism::alloc(length);
        if block == 0 {
            return 1;
        }
        put_block(block, output);
        extism::output_set(block, length);
    }
    0
}

/// Whether the host moves whole blocks. Extism only hands out eight bytes a call. Our host moves a whole block if it
/// can see the plugin's memory, which it can't in Extism's own worker. There, a block that has crossed to the host once
/// isn't copied again, so an answer's block must not be shown to the host before it is full. That is why this is asked
/// first.
fn moves_at_once() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    // SAFETY: nothing is moved.
    *ANSWER.get_or_init(|| unsafe { keyhole_take(0, 0, 0) } != 0)
}

/// Moves a block of the host into `bytes`, and overwrites it.
///
/// # Safety
/// The block must be as long as `bytes`.
unsafe fn take_block(block: u64, bytes: &mut [u8]) {
    // SAFETY: the host writes `bytes.len()` bytes to where `bytes` is, by the caller's promise no further.
    unsafe {
        let moved = moves_at_once()
            && keyhole_take(block as i64, bytes.as_mut_ptr() as i32, bytes.len() as i32) != 0;
        if !moved {
            extism::load(block, bytes);
            wipe_block(block, bytes.len() as u64);
        }
    }
}

/// Copies an answer into a block of the host.
///
/// # Safety
/// The block must be as long as the answer.
unsafe fn put_block(block: u64, output: &Output) {
    let mut offset = block;
    for piece in output.pieces() {
        // SAFETY: the host reads `piece.len()` bytes from where `piece` is, and the block has room, by the caller's promise.
        unsafe {
            let put = moves_at_once()
                && keyhole_put(offset as i64, piece.as_ptr() as i32, piece.len() as i32) != 0;
            if !put {
                extism::store(offset, piece);
            }
        }
        offset += piece.len() as u64;
    }
}

/// Overwrites a block of the host.
///
/// # Safety
/// The block must be at least `length` bytes long.
unsafe fn wipe_block(block: u64, length: u64) {
    let words = length / 8;
    for index in 0..words {
        // SAFETY: within the block, by the caller's promise.
        unsafe { extism::store_u64(block + index * 8, 0) };
    }
    for offset in words * 8..length {
        // SAFETY: as above.
        unsafe { extism::store_u8(block + offset, 0) };
    }
}

/// Draws per call that each ask the host. Most calls make no more.
const SINGLE_DRAWS: usize = 16;
/// Random bytes that are requested at a time from then on. The host counts its blocks in 15 bits, and each request is a
/// block.
const DRAWN: usize = 4 * 1_024;

/// The host during one call.
#[derive(Default)]
struct Extism {
    draws: usize,
    /// What was drawn ahead, wiped as it is taken.
    ahead: Zeroizing<Vec<u8>>,
}

impl Random for Extism {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), VaultError> {
        self.draws += 1;
        if self.draws <= SINGLE_DRAWS || bytes.len() > DRAWN {
            return draw(bytes);
        }
        if self.ahead.len() < bytes.len() {
            let mut drawn = Zeroizing::new(vec![0; DRAWN]);
            draw(&mut drawn)?;
            self.ahead = drawn;
        }
        let rest = self.ahead.len() - bytes.len();
        let (_, last) = self.ahead.split_at_mut(rest);
        bytes.copy_from_slice(last);
        last.zeroize();
        self.ahead.truncate(rest);
        Ok(())
    }
}

/// Fills bytes with what the host draws.
fn draw(bytes: &mut [u8]) -> Result<(), VaultError> {
    bytes.zeroize();
    // SAFETY: a block is only read and wiped if the host says that it has that length.
    unsafe {
        let length = bytes.len() as u64;
        let block = keyhole_random(bytes.len() as i64) as u64;
        if block == 0 || extism::length(block) != length {
            return Err(VaultError::NoRandomness);
        }
        take_block(block, bytes);
        extism::free(block);
    }
    Ok(())
}

impl Host for Extism {
    fn now_ms(&mut self) -> i64 {
        // SAFETY: takes nothing and gives a number.
        unsafe { keyhole_now() }
    }

    fn fetch(&mut self, url: &str) -> Fetched {
        // SAFETY: the block is as long as the address, and the answer is read at the length that the host gives.
        let answer = unsafe {
            let asked = extism::alloc(url.len() as u64);
            extism::store(asked, url.as_bytes());
            let block = keyhole_fetch(asked as i64) as u64;
            extism::free(asked);
            let length = usize::try_from(extism::length(block)).unwrap_or_default();
            if block == 0 || length > MAX_ANSWER {
                return Fetched::Failed("its host's answer is too long".to_owned());
            }
            let mut answer = vec![0; length];
            take_block(block, &mut answer);
            extism::free(block);
            answer
        };
        let words = |reason: &[u8]| String::from_utf8_lossy(reason).into_owned();
        match answer.split_first() {
            Some((b'+', document)) => Fetched::Document(document.to_vec()),
            Some((b'-', reason)) => Fetched::Failed(words(reason)),
            Some((b'!', reason)) => Fetched::NotAsked(words(reason)),
            _ => Fetched::Failed("it could not be looked up".to_owned()),
        }
    }
}
