//! A device that is opened from what it has stored.

use alloc::format;
use alloc::vec::Vec;

use super::stored::{Stored, StoredPage};
use super::tests::{ACCOUNT, account, change, record_of, value};
use super::*;
use crate::change::Thing;
use crate::device_keys::Mark;
use crate::record::Arrived;
use crate::relay_view::Digest;
use crate::testing::Stream;

/// A list in pages of so many records.
fn pages<'a>(list: &[Arrived<'a>], length: usize) -> Vec<StoredPage<'a>> {
    let mut before = Digest::default();
    let pages = list.chunks(length).map(|page| {
        let this = before;
        before = page.iter().fold(before, |digest, one| digest.and(one.id));
        StoredPage {
            before: this,
            records: page.to_vec(),
        }
    });
    pages.collect()
}

/// A device that has written so many tokens, and everything that it has, each after what it names.
fn written(count: usize, random: &mut Stream) -> (Device, Vec<Vec<u8>>) {
    let (mut laptop, [_]) = account([Role::Full], random);
    for at in 0..count {
        let token = change(Thing::Token, &format!("{at}"), "t");
        laptop.write(token, 0, random).unwrap();
    }
    let list = laptop.to_send().into_iter();
    let list = list.map(|(_, one)| one.to_vec()).collect();
    (laptop, list)
}

fn again(device: &Device) -> Device {
    Device::joining(device.keys.clone(), ACCOUNT, device.heads().root())
}

#[test]
fn it_is_the_same_in_pages_of_any_length_and_the_work_grows_with_what_is_stored() {
    let random = &mut Stream::new();
    let (laptop, list) = written(300, random);
    let list: Vec<_> = list.iter().map(|one| Arrived::of(one)).collect();
    let marks = list
        .iter()
        .filter_map(|one| laptop.mark_of(one.id).unwrap());
    let marks: BTreeSet<_> = marks.collect();
    let mut images = Vec::new();
    for length in [1, 7, 1_000] {
        let mut opened = again(&laptop);
        let stored = Stored {
            pages: pages(&list, length),
            marks: marks.clone(),
            ..Stored::default()
        };
        assert_eq!(opened.take_stored(&stored), Ok(true));
        assert_eq!(opened.relay.next(), list.len() as u64 + 1);
        assert!(opened.logs.steps.get() < 10 * list.len());
        assert!(opened.to_send().is_empty());
        images.push(opened.image(true));
    }
    assert!(images.iter().all(|image| *image == images[0]));
    assert_eq!(laptop.image(false), {
        let mut opened = again(&laptop);
        let stored = Stored {
            others: list,
            ..Stored::default()
        };
        assert_eq!(opened.take_stored(&stored), Ok(true));
        opened.image(false)
    });
}

#[test]
fn pages_that_do_not_fit_are_taken_in_and_the_relay_is_read_from_its_first_place() {
    let random = &mut Stream::new();
    let (laptop, list) = written(5, random);
    let list: Vec<_> = list.iter().map(|one| Arrived::of(one)).collect();
    let mut pages = pages(&list, 2);
    pages[1].before = Digest([9; 32]);
    let mut opened = again(&laptop);
    let stored = Stored {
        pages,
        ..Stored::default()
    };
    assert_eq!(opened.take_stored(&stored), Ok(false));
    assert_eq!((opened.relay.next(), opened.relay.went_back()), (1, 0));
    assert_eq!(opened.image(false), laptop.image(false));
    assert_eq!(opened.to_send().len(), list.len());
}

#[test]
fn a_record_that_is_damaged_or_of_no_device_is_left_out_and_the_rest_is_there() {
    let random = &mut Stream::new();
    let (laptop, mut list) = written(5, random);
    let last = list.last_mut().unwrap();
    *last.last_mut().unwrap() ^= 1;
    let list: Vec<_> = list.iter().map(|one| Arrived::of(one)).collect();
    let mut opened = again(&laptop);
    let stored = Stored {
        pages: pages(&list, 3),
        ..Stored::default()
    };
    assert_eq!(opened.take_stored(&stored), Ok(true));
    assert!(value(&opened, Thing::Token, "3").is_some());
    assert!(value(&opened, Thing::Token, "4").is_none());
}

#[test]
fn a_mark_counts_for_one_record_of_one_account_on_the_device_that_made_it() {
    let random = &mut Stream::new();
    let (mut laptop, [phone]) = account([Role::Full], random);
    let id = laptop
        .write(change(Thing::Token, "a", "t"), 0, random)
        .unwrap();
    let good = record_of(&laptop, id);
    // The same with another signature: no one has signed it.
    let mut forged = good.clone();
    forged[1] ^= 1;
    let forged = Arrived::of(&forged);
    let before = laptop.clone();
    let heads = before.all_records().filter(|(other, _)| *other != id);
    let heads: Vec<_> = heads.map(|(_, one)| Arrived::of(one)).collect();
    let takes = |mark: Mark, device: &Device| {
        let mut opened = again(device);
        let stored = Stored {
            others: heads.iter().copied().chain([forged]).collect(),
            marks: [mark].into(),
            ..Stored::default()
        };
        opened.take_stored(&stored).unwrap();
        opened.has(forged.id)
    };
    let keys = laptop.keys.clone();
    assert!(!takes(laptop.mark_of(id).unwrap().unwrap(), &laptop));
    assert!(!takes(
        phone.keys.mark(ACCOUNT, forged.id).unwrap(),
        &laptop
    ));
    let other = AccountId([8; 32]);
    assert!(!takes(keys.mark(other, forged.id).unwrap(), &laptop));
    let mut almost = keys.mark(ACCOUNT, forged.id).unwrap();
    almost[15] ^= 1;
    assert!(!takes(almost, &laptop));
    // A device makes none for what it has refused, so that it needs no other check.
    assert_eq!(
        laptop.receive(forged.bytes),
        Err(SyncError::RecordSignature)
    );
    assert_eq!(laptop.mark_of(forged.id), Ok(None));
    assert!(takes(keys.mark(ACCOUNT, forged.id).unwrap(), &laptop));
}

#[test]
fn a_mark_says_nothing_but_who_signed() {
    let random = &mut Stream::new();
    let (laptop, [tablet]) = account([Role::Limited], random);
    // A limited device has signed it, and may not write it.
    let token = change(Thing::Token, "a", "t");
    let forged = tablet.forge(alloc::vec![token], random).unwrap();
    let mut reading = laptop.clone();
    reading.receive(&forged).unwrap();
    let id = record::id_of(&forged);
    let mark = reading.mark_of(id).unwrap().unwrap();
    let records = reading.all_records().map(|(_, one)| Arrived::of(one));
    let stored = Stored {
        others: records.collect(),
        marks: [mark].into(),
        ..Stored::default()
    };
    let mut opened = again(&laptop);
    opened.take_stored(&stored).unwrap();
    assert!(opened.has(id));
    assert_eq!(value(&opened, Thing::Token, "a"), None);
}
