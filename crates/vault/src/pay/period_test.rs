use super::*;

/// Seconds of known moments, UTC.
const CASES: &[(Period, u64, u64, u64)] = &[
    // 2026-11-21 20:40:51, a Saturday.
    (Period::Day, 1_795_293_651, 1_795_219_200, 1_795_305_600),
    // From Monday 2026-11-16 to Monday 2026-11-23.
    (Period::Week, 1_795_293_651, 1_794_787_200, 1_795_392_000),
    // November and December 2026.
    (Period::Month, 1_795_293_651, 1_793_491_200, 1_796_083_200),
    // The last second of 2026, which is a Thursday, and of its month.
    (Period::Month, 1_798_761_599, 1_796_083_200, 1_798_761_600),
    // A leap day: 2028-02-29 12:00.
    (Period::Month, 1_835_438_400, 1_832_976_000, 1_835_481_600),
    // 2100 is not a leap year: 2100-03-01 00:00.
    (Period::Month, 4_107_542_400, 4_107_542_400, 4_110_220_800),
    // A Monday at midnight begins a new week.
    (Period::Week, 1_794_787_200, 1_794_787_200, 1_795_392_000),
    (Period::Week, 1_794_787_199, 1_794_182_400, 1_794_787_200),
    (Period::Day, 0, 0, 86_400),
    (Period::Month, 0, 0, 2_678_400),
    // 1970 began within a week.
    (Period::Week, 0, 0, 345_600),
    (Period::Week, 345_600, 345_600, 950_400),
];

#[test]
fn periods_begin_and_end_where_the_calendar_says() {
    for &(period, now, start, end) in CASES {
        assert_eq!(period.start(now), start, "{period:?} {now}");
        assert_eq!(period.end(now), end, "{period:?} {now}");
    }
}

#[test]
fn periods_follow_each_other_without_a_gap() {
    for period in [Period::Day, Period::Week, Period::Month] {
        let mut now = 1_600_000_000;
        for _ in 0..2_000 {
            let end = period.end(now);
            assert_eq!(period.start(end), end);
            assert_eq!(period.start(end - 1), period.start(now));
            assert!(end > now);
            now = end;
        }
    }
}

#[test]
fn a_clock_far_off_stays_within_its_arithmetic() {
    for period in [Period::Day, Period::Week, Period::Month] {
        assert!(period.end(u64::MAX) >= period.start(u64::MAX));
    }
}
