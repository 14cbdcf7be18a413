//! A relay that forgets, and shows devices different lists.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::bytes::RecordId;
use crate::record::{self, Kind};
use crate::relay_view::Digest;

pub type Record = Arc<[u8]>;

/// What happened to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    Stored,
    Known,
    Conflict,
}

/// Lists of records. Devices without their own list see the first one.
#[derive(Clone, Debug)]
pub struct Relay {
    lists: Vec<Vec<Record>>,
}

impl Relay {
    pub fn new() -> Self {
        Self {
            lists: vec![Vec::new()],
        }
    }

    /// As `packages/relay` does it: a head only after all heads.
    pub fn append(&mut self, list: usize, record: &Record, heads_read: u64) -> Appended {
        let list = &mut self.lists[list];
        if list.contains(record) {
            return Appended::Known;
        }
        let is_head =
            |record: &Record| record::parts(record).is_ok_and(|parts| parts.kind == Kind::Head);
        let heads = list.iter().filter(|record| is_head(record)).count();
        if is_head(record) && heads as u64 != heads_read {
            return Appended::Conflict;
        }
        list.push(record.clone());
        Appended::Stored
    }

    pub fn list(&self, list: usize) -> &[Record] {
        &self.lists[list]
    }

    /// The ids of a list's records.
    pub fn ids(&self, list: usize) -> impl Iterator<Item = RecordId> {
        self.lists[list].iter().map(|record| record::id_of(record))
    }

    /// The digest of the first records of a list; `None` where it has fewer.
    pub fn digest(list: &[Record], count: usize) -> Option<Digest> {
        let first = list.get(..count)?;
        let ids = first.iter().map(|record| record::id_of(record));
        Some(ids.fold(Digest::default(), Digest::and))
    }

    /// Forgets the last records.
    pub fn forget(&mut self, count: usize) {
        let list = &mut self.lists[0];
        list.truncate(list.len().saturating_sub(count));
    }

    /// A separate list for one device, without the last records.
    pub fn branch(&mut self, without: usize) -> usize {
        let mut list = self.lists[0].clone();
        list.truncate(list.len().saturating_sub(without));
        self.lists.push(list);
        self.lists.len() - 1
    }

    /// Every record that it has.
    pub fn all(&self) -> impl Iterator<Item = &Record> {
        self.lists.iter().flatten()
    }
}
