//! Different texts, each kept once and known by its number, with what else may be said of it.

use crate::hay::Hay;

/// Texts by number, and a note on each.
#[derive(Default)]
pub struct Lexicon {
    /// The texts themselves.
    pub texts: Hay,
    /// What is said of each.
    pub notes: Hay,
}

impl Lexicon {
    /// No texts.
    pub const fn new() -> Self {
        Self {
            texts: Hay::new(),
            notes: Hay::new(),
        }
    }

    /// A 1 for each text that a word is in: in its note always, in itself where `in_texts` says so.
    pub fn hits(&self, word: &[u8], in_texts: bool) -> Vec<u8> {
        let mut hits = vec![0; self.texts.len()];
        if in_texts {
            self.texts.mark(word, &mut hits);
        }
        self.notes.mark(word, &mut hits);
        hits
    }
}
