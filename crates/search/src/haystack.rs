//! Texts laid out one after another, to be scanned for a word without looking at each of them.

use memchr::memmem::Finder;

/// No text contains this, so no match runs from one text into the next.
pub const APART: u8 = b'\n';
/// Texts in one block: few enough to replace one cheaply, many enough to scan them fast.
const BLOCK: usize = 4_096;

/// Some texts, each followed by `APART`, and where each one starts.
struct Block {
    bytes: Vec<u8>,
    /// One more than there are texts.
    starts: Vec<usize>,
    /// With how many bytes all of them begin alike, as CIDs do.
    alike: usize,
}

impl Block {
    const fn new() -> Self {
        Self {
            bytes: Vec::new(),
            starts: Vec::new(),
            alike: 0,
        }
    }

    /// What all texts begin with.
    fn beginning(&self) -> &[u8] {
        self.bytes.get(..self.alike).unwrap_or_default()
    }

    fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn text(&self, at: usize) -> &[u8] {
        let start = self.starts.get(at).copied().unwrap_or_default();
        let end = self.starts.get(at + 1).copied().unwrap_or_default();
        self.bytes
            .get(start..end.saturating_sub(1))
            .unwrap_or_default()
    }

    fn push(&mut self, text: &[u8]) {
        if self.starts.is_empty() {
            self.starts.push(0);
            self.alike = text.len();
        } else {
            self.alike = (self.beginning().iter().zip(text))
                .take_while(|(one, other)| one == other)
                .count();
        }
        self.bytes.extend_from_slice(text);
        self.bytes.push(APART);
        self.starts.push(self.bytes.len());
    }

    /// Calls `found` for each text that contains a word.
    fn scan(&self, word: &Finder<'_>, mut found: impl FnMut(usize)) {
        let mut at = 0;
        let mut text = 0;
        while let Some(offset) = self.bytes.get(at..).and_then(|rest| word.find(rest)) {
            text += self.texts_before(text, at + offset);
            found(text);
            text += 1;
            let Some(next) = self.starts.get(text) else {
                return;
            };
            at = *next;
        }
    }

    /// How many texts further than `text` the one with this byte is. Searches in growing steps, so a close one is found
    /// fast.
    fn texts_before(&self, text: usize, byte: usize) -> usize {
        let starts = self.starts.get(text + 1..).unwrap_or_default();
        let mut reach = 1;
        while starts.get(reach).is_some_and(|start| *start <= byte) {
            reach *= 2;
        }
        let near = starts
            .get(..reach.saturating_add(1).min(starts.len()))
            .unwrap_or_default();
        near.partition_point(|start| *start <= byte)
    }
}

/// Texts by number.
#[derive(Default)]
pub struct Hay {
    blocks: Vec<Block>,
}

impl Hay {
    /// No texts.
    pub const fn new() -> Self {
        Self { blocks: Vec::new() }
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.blocks
            .last()
            .map_or(0, |last| (self.blocks.len() - 1) * BLOCK + last.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// A text; empty if there is none.
    pub fn text(&self, at: usize) -> &[u8] {
        self.blocks
            .get(at / BLOCK)
            .map_or(&[], |block| block.text(at % BLOCK))
    }

    /// Puts texts at places: existing ones, or the next ones. A block is rebuilt once, however many of its texts
    /// change.
    pub fn put(&mut self, places: &[usize], texts: &[&[u8]]) {
        let mut changed: Vec<(usize, &[u8])> = Vec::new();
        for (place, text) in places.iter().zip(texts) {
            if *place < self.len() {
                changed.push((*place, text));
            } else {
                self.push(text);
            }
        }
        // The later of two texts for one place wins.
        changed.sort_by_key(|(place, _)| *place);
        for group in changed.chunk_by(|(one, _), (other, _)| one / BLOCK == other / BLOCK) {
            let Some((first, _)) = group.first() else {
                continue;
            };
            let Some(block) = self.blocks.get_mut(first / BLOCK) else {
                continue;
            };
            let mut fresh = Block::new();
            let mut left = group;
            for at in 0..block.len() {
                let mut text = block.text(at);
                while let Some(((place, given), rest)) = left.split_first() {
                    if place % BLOCK != at {
                        break;
                    }
                    text = given;
                    left = rest;
                }
                fresh.push(text);
            }
            *block = fresh;
        }
    }

    fn push(&mut self, text: &[u8]) {
        if self.blocks.last().is_none_or(|last| last.len() == BLOCK) {
            self.blocks.push(Block::new());
        }
        if let Some(last) = self.blocks.last_mut() {
            last.push(text);
        }
    }

    /// Drops the texts whose flag is 0.
    pub fn keep(&mut self, kept: &[u8]) {
        let mut left = Self::new();
        for (at, flag) in kept.iter().enumerate().take(self.len()) {
            if *flag != 0 {
                left.push(self.text(at));
            }
        }
        *self = left;
    }

    /// Sets `hits` to 1 for every text that contains a word.
    pub fn mark(&self, word: &[u8], hits: &mut [u8]) {
        let word = Finder::new(word);
        for (block, hits) in self.blocks.iter().zip(hits.chunks_mut(BLOCK)) {
            if word.find(block.beginning()).is_some() {
                hits.iter_mut().take(block.len()).for_each(|hit| *hit = 1);
                continue;
            }
            block.scan(&word, |text| {
                if let Some(hit) = hits.get_mut(text) {
                    *hit = 1;
                }
            });
        }
    }

    /// The same, but only for the texts with a 1 in `among`, one by one: for when few are left.
    pub fn mark_among(&self, word: &[u8], hits: &mut [u8], among: &[u8]) {
        let word = Finder::new(word);
        for ((at, hit), _) in hits
            .iter_mut()
            .enumerate()
            .zip(among)
            .filter(|(_, among)| **among != 0)
        {
            if word.find(self.text(at)).is_some() {
                *hit = 1;
            }
        }
    }
}
