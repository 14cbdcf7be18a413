use super::*;

#[test]
fn both_bounds_are_inclusive_and_stretched_by_the_skew() {
    for skew in [0, 60] {
        let at = |now| Clock { now, skew };
        let slack = i64::from(skew);
        assert!(!at(100 + slack).is_after(100));
        assert!(at(101 + slack).is_after(100));
        assert!(!at(100 - slack).is_before(100));
        assert!(at(99 - slack).is_before(100));
    }
}

#[test]
fn no_moment_overflows() {
    for now in [i64::MIN, i64::MAX] {
        let clock = Clock {
            now,
            skew: u32::MAX,
        };
        assert_eq!(clock.is_after(MAX_TIME), now == i64::MAX);
        assert_eq!(clock.is_before(-MAX_TIME), now == i64::MIN);
    }
    assert!(is_in_range(MAX_TIME) && is_in_range(-MAX_TIME));
    assert!(!is_in_range(MAX_TIME + 1) && !is_in_range(i64::MIN));
}
