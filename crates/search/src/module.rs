//! The functions of the wasm module.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::index::{Index, texts_of};
use crate::input::Input;
use crate::query::Query;
use crate::result_order::Found;

/// The state between two calls.
struct Module {
    index: Index,
    /// What the last query found, unless the rows have changed since.
    found: Option<Found>,
    /// The input of the next call, which the worker writes.
    taken: Vec<u8>,
    /// The result of the last call.
    given: Vec<u32>,
}

static MODULE: Mutex<Module> = Mutex::new(Module {
    index: Index::new(),
    found: None,
    taken: Vec::new(),
    given: Vec::new(),
});

/// The answer to an input that makes no sense.
const REFUSED: i32 = -1;

fn module() -> MutexGuard<'static, Module> {
    MODULE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` with the index and the input, and keeps its result for the worker to read. Answers with the result's
/// length.
fn run(work: impl FnOnce(&mut Index, &mut Input<'_>) -> Option<Vec<u32>>) -> i32 {
    let mut module = module();
    let Module {
        index,
        taken,
        given,
        ..
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

/// Makes room for the next call's input, and gives its address.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    let mut module = module();
    module.taken.clear();
    module.taken.resize(length, 0);
    module.taken.as_mut_ptr()
}

/// The address of the last call's result.
#[unsafe(no_mangle)]
extern "C" fn given() -> *const u32 {
    module().given.as_ptr()
}

/// Takes rows: see `Index::put_rows`.
#[unsafe(no_mangle)]
extern "C" fn put_rows() -> i32 {
    module().found = None;
    run(|index, input| index.put_rows(input).map(|()| Vec::new()))
}

/// Takes texts of one kind: how many, the place of each, and all of them, each followed by a line break.
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

/// Takes which rows are revoked: see `Index::revoke`.
#[unsafe(no_mangle)]
extern "C" fn revoke() -> i32 {
    run(|index, input| index.revoke(input).map(|()| Vec::new()))
}

/// Takes a byte for each row, and drops the rows whose byte is 0.
#[unsafe(no_mangle)]
extern "C" fn keep() -> i32 {
    module().found = None;
    run(|index, input| {
        let kept = input.text()?;
        index.keep(kept);
        Some(Vec::new())
    })
}

/// Takes a query, and gives the number of rows that match. `found` gives their places.
#[unsafe(no_mangle)]
extern "C" fn find() -> i32 {
    let mut found = None;
    let answer = run(|index, input| {
        let rows = Query::read(input)?.run(index);
        let total = u32::try_from(rows.total()).ok()?;
        found = Some(rows);
        Some(vec![total])
    });
    module().found = found;
    answer
}

/// Takes a position and a number, and gives the places of so many rows that the last query found, from there on.
/// Refused if rows have changed since.
#[unsafe(no_mangle)]
extern "C" fn found() -> i32 {
    let found = module().found.take();
    let answer = run(|index, input| {
        let (from, count) = (input.u32()? as usize, input.u32()? as usize);
        let (newest_first, _) = index.rows.newest_first();
        Some(found.as_ref()?.places(newest_first, from, count))
    });
    module().found = found;
    answer
}

/// Takes a kind of text and a word, and gives the numbers of the texts that contain it.
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

/// Takes the parameters of a list, and gives its places, then the length of the whole list.
#[unsafe(no_mangle)]
extern "C" fn page() -> i32 {
    run(|index, input| {
        let (mut places, total) = index.page(input)?;
        places.push(total);
        Some(places)
    })
}

/// Takes a time and the types of given and received tokens. Gives how many are active, expire soon, were given and were
/// received.
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

/// Gives the places of all rows, newest first.
#[unsafe(no_mangle)]
extern "C" fn newest() -> i32 {
    run(|index, _| Some(index.rows.newest_first().0.to_vec()))
}
