//! Parts of the rows, one after another: a query reads a few bytes of each row, and not all of it.

use std::collections::BTreeMap;

/// One row's part of each column.
pub struct Cells {
    /// Its type, by its number.
    pub kind: u8,
    /// Its command, by the number of its text.
    pub command: u32,
    /// Its policy, by the number of its text.
    pub policy: u32,
    /// Issuer, audience's address, audience's DID and subject, by the numbers of their texts.
    pub people: [u32; 4],
}

/// The numbers of each row's texts, and its type.
#[derive(Default)]
pub struct Columns {
    /// Types, by their numbers.
    pub kinds: Vec<u8>,
    /// Commands, by the numbers of their texts.
    pub commands: Vec<u32>,
    /// Policies, by the numbers of their texts.
    pub policies: Vec<u32>,
    /// Whom each is about, by its number in `groups`.
    pub groups_of: Vec<u32>,
    /// Issuer, audience's address, audience's DID and subject: few combinations, each of many tokens.
    pub groups: Vec<[u32; 4]>,
    numbers: BTreeMap<[u32; 4], u32>,
}

impl Columns {
    /// No rows.
    pub const fn new() -> Self {
        Self {
            kinds: Vec::new(),
            commands: Vec::new(),
            policies: Vec::new(),
            groups_of: Vec::new(),
            groups: Vec::new(),
            numbers: BTreeMap::new(),
        }
    }

    /// Puts a row at a place: replaces one, or adds the next.
    pub fn put(&mut self, place: usize, cells: Cells) {
        let group = self.group(cells.people);
        set(&mut self.kinds, place, cells.kind);
        set(&mut self.commands, place, cells.command);
        set(&mut self.policies, place, cells.policy);
        set(&mut self.groups_of, place, group);
    }

    fn group(&mut self, people: [u32; 4]) -> u32 {
        let Self {
            numbers, groups, ..
        } = self;
        *numbers.entry(people).or_insert_with(|| {
            groups.push(people);
            (groups.len() - 1) as u32
        })
    }

    /// A 1 for each group with someone who is marked in `people`; `role` picks those who count.
    pub fn groups_with<const N: usize>(
        &self,
        people: &[u8],
        role: impl Fn(&[u32; 4]) -> [u32; N],
    ) -> Vec<u8> {
        let is_marked = |number: u32| people.get(number as usize).is_some_and(|flag| *flag != 0);
        let has_one = |group| u8::from(role(group).into_iter().any(is_marked));
        self.groups.iter().map(has_one).collect()
    }
}

fn set<T>(column: &mut Vec<T>, place: usize, value: T) {
    match column.get_mut(place) {
        Some(old) => *old = value,
        None => column.push(value),
    }
}
