//! What one call may cost, whatever its input. Reading, searching, checking and answering share one count.
//!
//! Every piece of work is charged before it is done, at its price in the built wasm, in billionths of a second on the
//! reference machine. So a call ends within [`MAX_WORK`]. Anything beyond is refused as `TooMuchWork`, which is neither
//! yes nor no.
//!
//! The enclave makes one [`Budget::for_input`] per call and passes it to every function that ends in `_within`. In a
//! batch, each invocation gets a [`Budget::share`]. [`Budget::spent`] gives the total. Functions without that suffix
//! make a budget themselves.

use core::cell::Cell;
use core::fmt;

/// Most work of a call, in billionths of a second: far enough below the promised 250 ms to allow for slightly wrong
/// prices and a slower machine.
pub const MAX_WORK: u64 = 150_000_000;
/// Most memory for what a call reads, in bytes, by the size of its parts in the wasm.
pub const MAX_MEMORY: u64 = 128 << 20;
/// How much longer than its input an answer may be, in bytes.
pub const MAX_ANSWER: u64 = 1 << 20;
/// The price of one Ed25519 signature among many in one sum, measured in the built wasm.
const SUMMED: u64 = 55_000;
/// The most that a usual part of a call costs: to read an invocation with five proofs, check its signatures in a sum,
/// and answer it.
const USUAL_WORK: u64 = 400_000;
/// Bytes of the answer to a usual part.
const USUAL_ANSWER: u64 = 6_000;
/// Most issuers that are looked up for one invocation or chain.
pub const MAX_LOOKUPS: u32 = 16;

/// A piece of work, by its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Bytes of text, decoded: JSON, base64, hex.
    Text(usize),
    /// JSON characters before a value, a key or an escape: quotes, commas, colons, opening brackets, backslashes.
    Marks(usize),
    /// Bytes that a container unpacks to.
    Unpacked(usize),
    /// A compressed block: tables of its codes are built before it is read.
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
    /// Bytes searched for the parts of a pattern, and the number of parts.
    Matched(usize, usize),
    /// An Ed25519 signature over so many bytes, checked alone.
    Signature(usize),
    /// A P-256 or secp256k1 signature over so many bytes. These are never checked in a sum.
    CostlySignature(usize),
    /// An Ed25519 signature over so many bytes, hashed and prepared for a check.
    Claim(usize),
    /// So many Ed25519 signatures, checked in one sum.
    Sum(usize),
    /// Bytes of an answer.
    Answered(usize),
    /// Bytes of tokens packed into a container.
    Packed(usize),
    /// Looking up a document.
    Lookup,
    /// Keys whose points are unpacked for another reason than to check a signature.
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
            Self::CostlySignature(bytes) => 1_900_000 + bytes as u64 * 10,
            Self::Claim(bytes) => 2_000 + bytes as u64 * 10,
            // A sum of few points saves less work than one of many.
            Self::Sum(signatures) => 100_000 + signatures as u64 * SUMMED,
            Self::Answered(bytes) => bytes as u64 * 20,
            Self::Packed(bytes) => bytes as u64 * 100,
            Self::Lookup => 100_000,
            Self::Keys(keys) => keys as u64 * 150_000,
        }
    }

    /// In bytes, until the call ends.
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
    /// Signatures, counted each time they were checked.
    pub signatures_checked: u64,
    /// Documents that were requested.
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
            Cost::Signature(_) | Cost::CostlySignature(_) => self.signatures_checked += 1,
            Cost::Sum(count) => self.signatures_checked += count as u64,
            Cost::Marks(_) | Cost::Block | Cost::Claim(_) | Cost::Packed(_) | Cost::Keys(_) => {}
            Cost::Answered(bytes) => self.bytes_answered += bytes as u64,
            Cost::Lookup => self.lookups += 1,
        }
    }
}

/// The work would exceed the budget, so it was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuchWork;

impl fmt::Display for TooMuchWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it takes more work to check than one call may take")
    }
}

impl core::error::Error for TooMuchWork {}

/// What a call may still cost. Shared by reference, which is enough to charge it.
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

    /// A call's budget, with reading so many bytes of input already charged.
    pub fn for_input(bytes: usize) -> Self {
        let budget = Self {
            work: Cell::new(MAX_WORK),
            memory: Cell::new(MAX_MEMORY),
            answer: Cell::new(bytes as u64 + MAX_ANSWER),
            lookups: Cell::new(MAX_LOOKUPS),
            spent: Cell::default(),
        };
        // Input limits are low enough that this always fits.
        let _ = budget.spend(Cost::Text(bytes));
        budget
    }

    /// Charges a piece of work, before it is done.
    ///
    /// # Errors
    /// [`TooMuchWork`] if there isn't enough left; then nothing is charged.
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

    /// Whether there is enough left. Charges nothing.
    pub fn affords(&self, cost: Cost) -> bool {
        let has_lookup = cost != Cost::Lookup || self.lookups.get() > 0;
        has_lookup && cost.work() <= self.work.get() && cost.memory() <= self.memory.get()
    }

    /// Runs `work` for `parts` of the `of` parts of a call that are left, with at most their even share of the
    /// remaining work and answer, and with separate lookups. So an expensive part refuses itself and not those after
    /// it. Each part may still cost as much as a usual one: if there are too many, the last ones find nothing left,
    /// instead of all of them getting too little.
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

    /// Runs a part of the call that must leave `rest` of the work to what comes after it.
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
