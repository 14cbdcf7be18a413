//! A device that is opened from what it has stored is the one that it was.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::relay::Relay;
use super::world::World;
use crate::device::stored::{Stored, StoredPage};
use crate::record::Arrived;
use crate::relay_view::Digest;

/// The lengths of stored pages, in turns: a device reads a change at a time, or many.
const LENGTHS: [usize; 4] = [1, 1, 7, 3];
/// Of so many records, one has no mark.
const UNMARKED: usize = 8;

/// Opens a device as a vault does: first what isn't known to be at the relay, then the relay's list up to the first record that was not
/// stored.
///
/// # Errors
/// What differs from the device in memory.
pub fn check_reopened(world: &World, at: usize) -> Result<(), String> {
    let ram = &world.nodes[at].ram;
    let list = world.relay.list(world.nodes[at].list);
    let count = usize::try_from(ram.relay.next()).unwrap() - 1;
    // The relay may have gone back since.
    let is_as_read = Relay::digest(list, count).is_some_and(|digest| ram.relay.is_at(digest));
    let read = if is_as_read { &list[..count] } else { &[] };
    let read: Vec<_> = read.iter().map(|record| Arrived::of(record)).collect();
    let is_stored = read.iter().take_while(|record| ram.relay.has(record.id));
    let in_pages = is_stored.count();
    let mut stored = Stored::default();
    let (mut rest, mut before) = (&read[..in_pages], Digest::default());
    while !rest.is_empty() {
        let length = LENGTHS[stored.pages.len() % LENGTHS.len()].min(rest.len());
        let (page, after) = rest.split_at(length);
        stored.pages.push(StoredPage {
            before,
            records: page.to_vec(),
        });
        before = page
            .iter()
            .map(|record| record.id)
            .fold(before, Digest::and);
        rest = after;
    }
    let placed: BTreeSet<_> = read[..in_pages].iter().map(|record| record.id).collect();
    let here = ram.all_records().filter(|(id, _)| !placed.contains(id));
    stored.others = here.map(|(_, bytes)| Arrived::of(bytes)).collect();
    let pages = stored.pages.iter().flat_map(|page| &page.records);
    for (index, record) in stored.others.iter().chain(pages).enumerate() {
        if index % UNMARKED != 0 {
            stored.marks.extend(ram.mark_of(record.id).unwrap());
        }
    }
    let mut device = world.blank(at);
    if !device.take_stored(&stored).unwrap() {
        return Err(format!("The pages of device {at} don't fit."));
    }
    let knows_places = is_as_read && in_pages == read.len();
    let (one, other) = (ram.image(knows_places), device.image(knows_places));
    if one != other {
        return Err(format!(
            "Device {at} is another one once it is opened again:\n{one:?}\n{other:?}"
        ));
    }
    Ok(())
}
