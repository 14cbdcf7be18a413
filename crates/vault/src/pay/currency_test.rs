use super::*;

fn minor(amount: &str, code: &str) -> Result<u64, MoneyError> {
    Currency::parse(code)?.minor(amount)
}

#[test]
fn amounts_are_read_by_their_currency() {
    for (amount, code, expected) in [
        ("25", "GBP", 2500),
        ("25.5", "GBP", 2550),
        ("0.01", "EUR", 1),
        ("2500", "JPY", 2500),
        ("1.234", "KWD", 1234),
        ("0.0001", "CLF", 1),
        ("00012.30", "USD", 1230),
        ("90071992547409.91", "USD", MAX_AMOUNT),
    ] {
        assert_eq!(minor(amount, code), Ok(expected), "{amount} {code}");
    }
}

#[test]
fn more_decimal_places_than_the_currency_has_are_refused_even_zeros() {
    for (amount, code) in [("1.000", "GBP"), ("1.0", "JPY"), ("1.2345", "KWD")] {
        assert!(
            matches!(minor(amount, code), Err(MoneyError::TooFine(_))),
            "{amount} {code}"
        );
    }
}

#[test]
fn anything_but_an_amount_is_refused() {
    for amount in [
        "", ".", "1.", ".5", "-1", "+1", "1e3", "1,000", " 1", "١", "0x10", "NaN",
    ] {
        assert_eq!(
            minor(amount, "GBP"),
            Err(MoneyError::NotAnAmount),
            "{amount}"
        );
    }
    for amount in [
        "0",
        "0.00",
        "90071992547409.92",
        "99999999999999999999999999",
    ] {
        assert_eq!(
            minor(amount, "GBP"),
            Err(MoneyError::OutOfRange),
            "{amount}"
        );
    }
}

#[test]
fn a_currency_that_does_not_exist_is_refused() {
    for code in ["", "gbp", "GB", "XXX", "XAU", "BTC", "GBP ", "G P", "EURO"] {
        assert!(
            matches!(Currency::parse(code), Err(MoneyError::NoCurrency(_))),
            "{code}"
        );
    }
}

#[test]
fn a_refusal_repeats_only_printable_characters() {
    let error = Currency::parse("\u{202e}GB\nP<b>").unwrap_err();
    assert_eq!(error, MoneyError::NoCurrency("GBPb".into()));
}

#[test]
fn each_code_is_there_once_and_has_three_capitals() {
    let mut all: alloc::vec::Vec<&str> = [WITHOUT, TWO, THREE, FOUR]
        .iter()
        .flat_map(|list| list.split(' '))
        .collect();
    assert!(
        all.iter()
            .all(|code| code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase()))
    );
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}
