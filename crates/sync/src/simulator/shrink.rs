//! Makes a history that fails shorter, as long as it fails.

use alloc::vec::Vec;

use super::step::Step;

/// The shortest history that is found and still fails.
pub fn shrink(mut steps: Vec<Step>, fails: impl Fn(&[Step]) -> bool) -> Vec<Step> {
    let mut size = steps.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(at..(at + size).min(steps.len()));
            if fails(&fewer) {
                steps = fewer;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    steps
}
