//! The module answers or refuses every input, and finds exactly what scanning each text finds.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use keyhole_search::{
    haystack::Hay, index::Index, input::Input, query::Query, result_order::Found,
};
use proptest::prelude::*;

fn words() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(97_u8..100, 0..6), 0..40)
}

proptest! {
    #[test]
    fn any_input_is_read_or_refused(inputs in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 1..6)) {
        let mut index = Index::new();
        for bytes in &inputs {
            let _ = index.put_rows(&mut Input::new(bytes));
            let _ = index.revoke(&mut Input::new(bytes));
            let _ = index.page(&mut Input::new(bytes));
            if let Some(query) = Query::read(&mut Input::new(bytes)) {
                let found = query.run(&index);
                let (newest_first, _) = index.rows.newest_first();
                prop_assert_eq!(found.places(newest_first, 0, usize::MAX).len(), found.total());
            }
            index.keep(bytes);
        }
    }

    #[test]
    fn any_part_of_what_was_found_is_that_part_of_the_whole(
        rows in prop::collection::vec((0_u8..2, 0_u8..2), 0..30),
        from in 0_usize..40,
        count in 0_usize..40,
    ) {
        let newest_first: Vec<u32> = (0..rows.len() as u32).rev().collect();
        let is = |place: &u32, named: u8| rows.get(*place as usize) == Some(&(1, named));
        let of = |named| newest_first.iter().copied().filter(move |place| is(place, named));
        let whole: Vec<u32> = of(1).chain(of(0)).collect();
        let (fits, named): (Vec<u8>, Vec<u8>) = rows.iter().copied().unzip();
        let found = Found::new(fits, &named);
        prop_assert_eq!(found.total(), whole.len());
        let part: Vec<u32> = whole.iter().copied().skip(from).take(count).collect();
        prop_assert_eq!(found.places(&newest_first, from, count), part);
    }

    #[test]
    fn a_text_is_found_wherever_it_is(before in words(), after in words(), word in prop::collection::vec(97_u8..100, 1..4)) {
        let mut hay = Hay::new();
        // More than a block of them, the first of which come again otherwise.
        let texts: Vec<&[u8]> = before.iter().map(Vec::as_slice).cycle().take(if before.is_empty() { 0 } else { 5_000 }).collect();
        let places: Vec<usize> = (0..texts.len()).collect();
        hay.put(&places, &texts);
        let again: Vec<&[u8]> = after.iter().map(Vec::as_slice).take(texts.len()).collect();
        let places: Vec<usize> = (0..again.len()).map(|at| at * texts.len() / again.len()).collect();
        hay.put(&places, &again);
        let mut now = texts;
        for (place, text) in places.iter().zip(again) {
            *now.get_mut(*place).unwrap() = text;
        }
        let expected: Vec<u8> = now.iter().map(|text| u8::from(text.windows(word.len()).any(|part| part == word))).collect();
        let mut hits = vec![0; now.len()];
        hay.mark(&word, &mut hits);
        prop_assert_eq!(&hits, &expected);
        let mut each = vec![0; now.len()];
        hay.mark_among(&word, &mut each, &vec![1; now.len()]);
        prop_assert_eq!(&each, &expected);
    }
}
