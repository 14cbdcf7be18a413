//! The functions of the wasm module.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::index::{Index, texts_of};
use crate::input::Input;
use crate::query::Query;

/// What is between two calls.
struct Module {
    index: Index,
    /// What the next call takes, as the worker has written it.
    taken: Vec<u8>,
    /// What the last call gave.
    given: Vec<u32>,
}

static MODULE: Mutex<Module> = Mutex::new(Module {
    index: Index::new(),
    taken: Vec::new(),
    given: Vec::new(),
});

/// What a call answers where its input makes no sense.
const REFUSED: i32 = -1;

fn module() -> MutexGuard<'static, Module> {
    MODULE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something with the index and what was written; what it gives is kept for the worker to read. Answers with its count.
fn run(work: impl FnOnce(&mut Index, &mut Input<'_>) -> Option<Vec<u32>>) -> i32 {
    let mut module = module();
    let Module {
        index,
        taken,
        given,
    } = &mut *module;
    let done = work(index, &mut Input::new(taken));
    let is_refused = done.is_none();
    *given = done.unwrap_or_default();
    if is_refused {
        REFUSED
    } else {
        i32::try_from(given.len()).unwrap_or(REFUSED)
    }
}

/// Makes room for what the next call takes, and says where.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    let mut module = module();
    module.taken.clear();
    module.taken.resize(length, 0);
    module.taken.as_mut_ptr()
}

/// Where the numbers are that the last call gave.
#[unsafe(no_mangle)]
extern "C" fn given() -> *const u32 {
    module().given.as_ptr()
}

/// Takes rows: see `Index::put_rows`.
#[unsafe(no_mangle)]
extern "C" fn put_rows() -> i32 {
    run(|index, input| index.put_rows(input).map(|()| Vec::new()))
}

/// Takes texts of one kind: how many, the place of each, and all of them, each with a line break after it.
#[unsafe(no_mangle)]
extern "C" fn put_texts(kind: u32) -> i32 {
    run(|index, input| {
        let count = input.u32()?;
        let places = (0..count)
            .map(|_| input.u32().map(|place| place as usize))
            .collect::<Option<Vec<_>>>()?;
        let texts: Vec<&[u8]> = texts_of(input.text()?).collect();
        if texts.len() != places.len() {
            return None;
        }
        index.hay(kind)?.put(&places, &texts);
        Some(Vec::new())
    })
}

/// Drops all texts of one kind.
#[unsafe(no_mangle)]
extern "C" fn clear_texts(kind: u32) -> i32 {
    run(|index, _| {
        index.hay(kind)?.keep(&[]);
        Some(Vec::new())
    })
}

/// Takes which rows were revoked: see `Index::revoke`.
#[unsafe(no_mangle)]
extern "C" fn revoke() -> i32 {
    run(|index, input| index.revoke(input).map(|()| Vec::new()))
}

/// Takes a byte for each row, and drops those of which it is 0.
#[unsafe(no_mangle)]
extern "C" fn keep() -> i32 {
    run(|index, input| {
        let kept = input.text()?;
        index.keep(kept);
        Some(Vec::new())
    })
}

/// Takes a query, and gives the places of the rows that fit.
#[unsafe(no_mangle)]
extern "C" fn find() -> i32 {
    run(|index, input| Some(Query::read(input)?.run(index)))
}

/// Takes a kind of texts and a word, and gives the numbers of the texts that the word is in.
#[unsafe(no_mangle)]
extern "C" fn scan(kind: u32) -> i32 {
    run(|index, input| {
        let word = input.text()?;
        let hay = index.hay(kind)?;
        let mut hits = vec![0; hay.len()];
        hay.mark(word, &mut hits);
        Some(
            hits.iter()
                .zip(0..)
                .filter_map(|(hit, number)| (*hit != 0).then_some(number))
                .collect(),
        )
    })
}

/// Takes what a list asks for, and gives its places, and after them how many the whole list has.
#[unsafe(no_mangle)]
extern "C" fn page() -> i32 {
    run(|index, input| {
        let (mut places, total) = index.page(input)?;
        places.push(total);
        Some(places)
    })
}

/// Takes a time and the types that were given away and received; gives how many live, end soon, were given and received.
#[unsafe(no_mangle)]
extern "C" fn totals() -> i32 {
    run(|index, input| {
        let (now, given, received) = (input.f64()?, input.u32()?, input.u32()?);
        let totals = index.totals(now, given, received);
        Some(vec![
            totals.live,
            totals.soon,
            totals.given,
            totals.received,
        ])
    })
}

/// Gives the places of all rows, the newest first.
#[unsafe(no_mangle)]
extern "C" fn newest() -> i32 {
    run(|index, _| Some(index.rows.newest_first().0.to_vec()))
}
