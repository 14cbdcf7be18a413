//! What one call may cost, whatever its input: the one count that reading, searching, checking and answering draw on.
//!
//! Every piece of work is charged before it is done, at the price that it has in the built wasm, in billionths of a second on
//! the reference machine. So a call ends within [`MAX_WORK`], and what would exceed it is refused as `TooMuchWork`, which is neither yes nor
//! no.
//!
//! How the enclave calls it: one [`Budget::for_input`] a call, handed to every function that ends in `_within`; in a
//! batch [`Budget::share`] for each of the invocations; [`Budget::spent`] says what it came to. The functions without that end make a budget
//! for themselves.

use core::cell::Cell;
use core::fmt;

/// Most work of a call, in billionths of a second: far enough below the 250 ms that are promised for prices that are a
/// little wrong, and for a slower machine.
pub const MAX_WORK: u64 = 150_000_000;
/// Most memory that what a call reads may take, in bytes, by the sizes that its parts have in the wasm.
pub const MAX_MEMORY: u64 = 128 << 20;
/// Most that an answer is longer than its input, in bytes.
pub const MAX_ANSWER: u64 = 1 << 20;
/// What one of many Ed25519 signatures takes that are checked in one sum, measured in the built wasm.
const SUMMED: u64 = 55_000;
/// What a usual part of a call takes at most: an invocation with five proofs, read, its signatures checked in a sum, or answered.
const USUAL_WORK: u64 = 400_000;
/// Bytes of the answer to a usual part.
const USUAL_ANSWER: u64 = 6_000;
/// Most issuers that are looked up for one invocation, or one chain.
pub const MAX_LOOKUPS: u32 = 16;

/// A piece of work, by its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Bytes of text, decoded: JSON, base64, hex.
    Text(usize),
    /// Letters of JSON between which a value, a key or an escape stands: quotes, commas, colons, opening brackets, backslashes.
    Marks(usize),
    /// Bytes that a container unpacks to.
    Unpacked(usize),
    /// A block of what was packed: its codes are laid out in tables before it is read.
    Block,
    /// Bytes of a token: copied, hashed, decoded.
    Token(usize),
    /// Values built: scalars, and lists by their items.
    Values(usize),
    /// Entries of a map that is built.
    Entries(usize),
    /// Bytes of a policy's paths and patterns, compiled.
    Compiled(usize),
    /// Steps of an evaluation or a search.
    Steps(usize),
    /// Bytes compared with one another.
    Compared(usize),
    /// Entries put in order.
    Sorted(usize),
    /// References copied.
    Copied(usize),
    /// Bytes looked through for a part of a pattern, and the parts that are looked for.
    Matched(usize, usize),
    /// An Ed25519 signature over so many bytes, checked alone.
    Signature(usize),
    /// A signature by P-256 or secp256k1 over so many bytes: these are always checked alone.
    DearSignature(usize),
    /// An Ed25519 signature over so many bytes, hashed and made ready to be checked.
    Claim(usize),
    /// So many Ed25519 signatures, checked in one sum.
    Sum(usize),
    /// Bytes of an answer.
    Answered(usize),
    /// Bytes of tokens packed anew.
    Packed(usize),
    /// A document that is looked up.
    Lookup,
    /// Keys whose points are unpacked, and not in order to check a signature.
    Keys(usize),
}

impl Cost {
    /// In billionths of a second.
    pub(crate) const fn work(self) -> u64 {
        match self {
            Self::Text(bytes) => bytes as u64 * 8,
            Self::Marks(marks) => marks as u64 * 40,
            Self::Unpacked(bytes) => bytes as u64 * 18,
            Self::Block => 3_000,
            Self::Token(bytes) => 3_000 + bytes as u64 * 20,
            Self::Values(values) => values as u64 * 360,
            Self::Entries(entries) => (1 + entries as u64) * 360,
            Self::Compiled(bytes) => 200 + bytes as u64 * 60,
            Self::Steps(steps) => steps as u64 * 80,
            Self::Compared(bytes) => bytes as u64,
            Self::Sorted(entries) => entries as u64 * 100,
            Self::Copied(references) => references as u64 * 2,
            Self::Matched(bytes, parts) => 200 + bytes as u64 * 6 + parts as u64 * 240,
            Self::Signature(bytes) => 160_000 + bytes as u64 * 10,
            Self::DearSignature(bytes) => 1_900_000 + bytes as u64 * 10,
            Self::Claim(bytes) => 2_000 + bytes as u64 * 10,
            // Few points share less of the work than many.
            Self::Sum(signatures) => 100_000 + signatures as u64 * SUMMED,
            Self::Answered(bytes) => bytes as u64 * 20,
            Self::Packed(bytes) => bytes as u64 * 100,
            Self::Lookup => 100_000,
            Self::Keys(keys) => keys as u64 * 150_000,
        }
    }

    /// In bytes, for as long as the call lasts.
    const fn memory(self) -> u64 {
        match self {
            Self::Text(bytes) => bytes as u64,
            Self::Unpacked(bytes) => bytes as u64 * 2,
            Self::Token(bytes) => bytes as u64 * 2,
            // A value takes a hundred bytes and is copied once or twice; a map's nodes have room for eleven entries each.
            Self::Values(values) => values as u64 * 300,
            Self::Entries(entries) => 1_500 + entries as u64 * 300,
            Self::Compiled(bytes) => bytes as u64 * 32,
            Self::Answered(bytes) => bytes as u64 * 2,
            _ => 0,
        }
    }
}

/// What a call has come to so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// All of it, in billionths of a second on the reference machine.
    pub work: u64,
    /// Memory, in bytes.
    pub memory: u64,
    /// Bytes of text, containers and tokens.
    pub bytes_read: u64,
    /// Values, and entries of maps.
    pub values_built: u64,
    /// Steps, and bytes that were compared.
    pub comparisons: u64,
    /// Signatures, as often as they were checked.
    pub signatures_checked: u64,
    /// Documents that were asked for.
    pub lookups: u64,
    /// Bytes of the answer.
    pub bytes_answered: u64,
}

impl Spent {
    fn add(&mut self, cost: Cost) {
        self.work += cost.work();
        self.memory += cost.memory();
        match cost {
            Cost::Text(bytes) | Cost::Unpacked(bytes) | Cost::Token(bytes) => {
                self.bytes_read += bytes as u64;
            }
            Cost::Values(count) | Cost::Entries(count) => self.values_built += count as u64,
            Cost::Compiled(count)
            | Cost::Steps(count)
            | Cost::Compared(count)
            | Cost::Sorted(count)
            | Cost::Copied(count)
            | Cost::Matched(count, _) => self.comparisons += count as u64,
            Cost::Signature(_) | Cost::DearSignature(_) => self.signatures_checked += 1,
            Cost::Sum(count) => self.signatures_checked += count as u64,
            Cost::Marks(_) | Cost::Block | Cost::Claim(_) | Cost::Packed(_) | Cost::Keys(_) => {}
            Cost::Answered(bytes) => self.bytes_answered += bytes as u64,
            Cost::Lookup => self.lookups += 1,
        }
    }
}

/// The work would exceed the budget: it was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuchWork;

impl fmt::Display for TooMuchWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it takes more work to check than one call may take")
    }
}

impl core::error::Error for TooMuchWork {}

/// What a call may still cost. Shared by reference: charging needs no more.
#[derive(Debug)]
pub struct Budget {
    work: Cell<u64>,
    memory: Cell<u64>,
    answer: Cell<u64>,
    lookups: Cell<u32>,
    spent: Cell<Spent>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::for_input(0)
    }
}

impl Budget {
    /// A call's whole budget.
    pub fn new() -> Self {
        Self::default()
    }

    /// A call's budget, and the reading of so many bytes of input charged to it.
    pub fn for_input(bytes: usize) -> Self {
        let budget = Self {
            work: Cell::new(MAX_WORK),
            memory: Cell::new(MAX_MEMORY),
            answer: Cell::new(bytes as u64 + MAX_ANSWER),
            lookups: Cell::new(MAX_LOOKUPS),
            spent: Cell::default(),
        };
        // An input is never so long that it takes all of it.
        let _ = budget.spend(Cost::Text(bytes));
        budget
    }

    /// Charges a piece of work, before it is done.
    ///
    /// # Errors
    /// [`TooMuchWork`] where there is not so much left; then nothing is charged.
    pub fn spend(&self, cost: Cost) -> Result<(), TooMuchWork> {
        let take = |left: u64, amount: u64| left.checked_sub(amount).ok_or(TooMuchWork);
        let work = take(self.work.get(), cost.work())?;
        let memory = take(self.memory.get(), cost.memory())?;
        match cost {
            Cost::Answered(bytes) => self.answer.set(take(self.answer.get(), bytes as u64)?),
            Cost::Lookup => {
                let left = self.lookups.get().checked_sub(1).ok_or(TooMuchWork)?;
                self.lookups.set(left);
            }
            _ => {}
        }
        self.work.set(work);
        self.memory.set(memory);
        let mut spent = self.spent.get();
        spent.add(cost);
        self.spent.set(spent);
        Ok(())
    }

    /// Whether there is so much left. Charges nothing.
    pub fn affords(&self, cost: Cost) -> bool {
        let has_lookup = cost != Cost::Lookup || self.lookups.get() > 0;
        has_lookup && cost.work() <= self.work.get() && cost.memory() <= self.memory.get()
    }

    /// Does some parts of a call of which so many are still to be done, these included, with no more than their even share of what is
    /// left of work and answer, and with lookups of their own. So one dear part refuses itself and not those after it. Each has what a
    /// usual part takes, though: where there are too many, the last of them find nothing left, and not all of them too little.
    pub fn share<T>(&self, parts: usize, of: usize, work: impl FnOnce() -> T) -> T {
        let (parts, of) = (parts as u64, (of as u64).max(1));
        let even = |left: u64, usual: u64| {
            let even = u128::from(left) * u128::from(parts) / u128::from(of);
            u64::try_from(even).map_or(left, |even| even.max(parts * usual).min(left))
        };
        let (left, answer_left) = (self.work.get(), self.answer.get());
        let (share, answer_share) = (even(left, USUAL_WORK), even(answer_left, USUAL_ANSWER));
        self.work.set(share);
        self.answer.set(answer_share);
        self.lookups.set(MAX_LOOKUPS);
        let answer = work();
        self.work.set(left - (share - self.work.get()));
        let answered = answer_share - self.answer.get();
        self.answer.set(answer_left - answered);
        answer
    }

    /// Does a part of the call that has to leave so much of the work to what comes after it.
    pub fn leaving<T>(&self, rest: u64, work: impl FnOnce() -> T) -> T {
        let rest = rest.min(self.work.get());
        self.work.set(self.work.get() - rest);
        let answer = work();
        self.work.set(self.work.get() + rest);
        answer
    }

    /// What was charged so far.
    pub fn spent(&self) -> Spent {
        self.spent.get()
    }

    /// Work that may still be charged, in billionths of a second.
    pub fn left(&self) -> u64 {
        self.work.get()
    }
}

#[cfg(test)]
#[path = "work_budget_test.rs"]
mod tests;
