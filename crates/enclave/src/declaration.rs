//! What the host must know about an export before it calls it. Each export is declared in one place. The build takes
//! the list out of the wasm, and callers have it from there.

use std::cell::Cell;

use crate::refusal_groups::{EVERY, RefusalGroup};

/// What an export declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// It changes what other clients of the instance see: the open account, its keys, its sealed state.
    pub changes_vault: bool,
    /// Its input holds a secret, so it travels in a buffer that is overwritten.
    pub holds_secrets: bool,
    /// It answers the same without an account and needs no secret.
    pub keyless: bool,
    /// What it changes is the same on all devices of an account, so on an account with several a head makes the change instead. The name of
    /// such changes in `propose_head`.
    pub for_all_devices: &'static [&'static str],
    /// The fields of its input that strangers write, a text or a list of texts each.
    pub strangers: &'static [&'static str],
    /// What it may refuse besides [`EVERY`].
    pub refuses: &'static [&'static RefusalGroup],
}

impl Declaration {
    /// For an export that only reads an account, with nothing in its input that is secret or from strangers.
    pub const NONE: Self = Self {
        changes_vault: false,
        holds_secrets: false,
        keyless: false,
        for_all_devices: &[],
        strangers: &[],
        refuses: &[],
    };

    /// Strangers can decide how long its answer gets, and nothing is lost if it is refused for that.
    pub const fn is_for_strangers(&self) -> bool {
        (self.keyless || !self.strangers.is_empty()) && !self.changes_vault
    }

    /// It may refuse what is in these groups.
    pub const fn refuses(self, groups: &'static [&'static RefusalGroup]) -> Self {
        Self {
            refuses: groups,
            ..self
        }
    }

    /// The groups of what it may refuse, starting with those of every call.
    pub fn groups(&self) -> impl Iterator<Item = &'static RefusalGroup> {
        [EVERY].into_iter().chain(self.refuses.iter().copied())
    }

    /// Whether it declares this refusal.
    pub fn may_refuse(&self, name: &str) -> bool {
        self.groups()
            .any(|group| group.names().any(|one| one == name))
    }

    /// It changes the vault.
    pub const fn changes_vault(self) -> Self {
        Self {
            changes_vault: true,
            ..self
        }
    }

    /// Its input holds a secret.
    pub const fn holds_secrets(self) -> Self {
        Self {
            holds_secrets: true,
            ..self
        }
    }

    /// It needs no account.
    pub const fn keyless(self) -> Self {
        Self {
            keyless: true,
            ..self
        }
    }

    /// A head makes the same change for all devices, in this group of changes.
    pub const fn for_all_devices(self, group: &'static [&'static str]) -> Self {
        Self {
            for_all_devices: group,
            ..self
        }
    }

    /// It reads strangers' texts in these fields.
    pub const fn strangers(self, fields: &'static [&'static str]) -> Self {
        Self {
            strangers: fields,
            ..self
        }
    }
}

/// What was decoded since it was last asked: what a call's input really held, to compare with its declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// Secret texts and bytes.
    pub secrets: usize,
    /// Texts of strangers.
    pub strangers: usize,
}

thread_local! {
    static DECODED: Cell<Decoded> = const { Cell::new(Decoded { secrets: 0, strangers: 0 }) };
}

/// What this thread has decoded since it last called this.
pub fn take_decoded() -> Decoded {
    DECODED.take()
}

pub(crate) fn note_secret() {
    let decoded = DECODED.get();
    DECODED.set(Decoded {
        secrets: decoded.secrets + 1,
        ..decoded
    });
}

pub(crate) fn note_stranger() {
    let decoded = DECODED.get();
    DECODED.set(Decoded {
        strangers: decoded.strangers + 1,
        ..decoded
    });
}
