//! The order in which results are shown.

/// The rows that match: those with a word in their label first, and newest first among equals.
///
/// `fits` and `named` have a 1 for each row that matches, or whose label has a word.
pub fn result_order(newest_first: &[u32], fits: &[u8], named: &[u8]) -> Vec<u32> {
    let is_set =
        |flags: &[u8], place: &u32| flags.get(*place as usize).is_some_and(|flag| *flag != 0);
    let found = newest_first.iter().filter(|place| is_set(fits, place));
    let (mut order, then): (Vec<u32>, Vec<u32>) = found.partition(|place| is_set(named, place));
    order.extend(then);
    order
}
