//! Distinct texts, each stored once and known by its number, with a note on each.

use crate::haystack::Hay;

/// Texts by number, and a note on each.
#[derive(Default)]
pub struct Lexicon {
    /// The texts themselves.
    pub texts: Hay,
    /// The note on each.
    pub notes: Hay,
}

impl Lexicon {
    /// An empty lexicon.
    pub const fn new() -> Self {
        Self {
            texts: Hay::new(),
            notes: Hay::new(),
        }
    }

    /// A 1 for each text whose note contains a word; with `in_texts`, also if the text does.
    pub fn hits(&self, word: &[u8], in_texts: bool) -> Vec<u8> {
        let mut hits = vec![0; self.texts.len()];
        if in_texts {
            self.texts.mark(word, &mut hits);
        }
        self.notes.mark(word, &mut hits);
        hits
    }
}
