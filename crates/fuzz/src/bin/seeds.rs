//! Writes each target's seeds into the folder of its name under the one given.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use keyhole_fuzz::seeds::Seeds;

fn main() -> Result<(), Box<dyn Error>> {
    let corpus = PathBuf::from(env::args_os().nth(1).ok_or("seeds <folder>")?);
    let seeds = Seeds::of_vectors();
    for name in keyhole_fuzz::names() {
        let folder = corpus.join(name);
        fs::create_dir_all(&folder)?;
        for (number, seed) in seeds.of(name).iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:04}")), seed)?;
        }
    }
    Ok(())
}
