use super::*;
use proptest::prelude::*;

#[test]
fn only_the_star_is_special() {
    for (pattern, text) in [
        ("", ""),
        ("*", ""),
        ("*", "a\nb"),
        ("**", "x"),
        ("a*", "a"),
        ("*@example.com", "bob@example.com"),
        ("\\*", "*"),
        ("a\\b", "a\\b"),
        ("\\\\*", "\\*"),
        ("?[a]", "?[a]"),
        ("ä*ö", "äüö"),
        ("a*a", "aa"),
    ] {
        assert!(Glob::new(pattern).matches(text), "{pattern} {text}");
    }
    for (pattern, text) in [
        ("", "a"),
        ("a", "ab"),
        ("a*a", "a"),
        ("\\*", "x"),
        ("?", "a"),
        ("*b", "abc"),
        ("*a*b*", "ba"),
        ("A", "a"),
    ] {
        assert!(!Glob::new(pattern).matches(text), "{pattern} {text}");
    }
}

/// What takes backtracking matchers minutes: stars over a long run of one letter.
#[test]
fn many_stars_over_a_long_text_are_answered() {
    let text = "a".repeat(1 << 20);
    let pattern = "*a".repeat(1 << 12) + "*b";
    assert!(!Glob::new(&pattern).matches(&text));
    let pattern = alloc::format!("*{}b*", "a".repeat(1 << 12));
    assert!(!Glob::new(&pattern).matches(&text));
}

/// How many bytes of a text are searched, by the rule of [`Glob::matches`]: each part once, from where the one before
/// it was found.
fn looked_through(glob: &Glob, text: &str) -> usize {
    let parts = parts(glob.as_str());
    let [first, middle @ .., last] = parts.as_slice() else {
        return text.len();
    };
    let rest = text.strip_prefix(&**first).unwrap_or_default();
    let mut rest = rest.strip_suffix(&**last).unwrap_or_default();
    let mut bytes = first.len() + last.len();
    for part in middle {
        match rest.split_once(&**part) {
            Some((before, after)) => {
                bytes += before.len() + part.len();
                rest = after;
            }
            None => return bytes + rest.len(),
        }
    }
    bytes
}

/// Counts steps, not time: searching for one part is linear in the bytes searched.
#[test]
fn no_byte_of_a_text_is_searched_twice() {
    let text = "a".repeat(10_000);
    for (pattern, matches) in [
        ("*a".repeat(50) + "*b", false),
        ("*a".repeat(50) + "*b*", false),
        ("*a".repeat(50) + "*", true),
        ("*ab".repeat(50) + "*", false),
        ("*".repeat(50), true),
    ] {
        let glob = Glob::new(&pattern);
        assert_eq!(glob.matches(&text), matches, "{pattern}");
        assert!(looked_through(&glob, &text) <= text.len(), "{pattern}");
    }
}

/// By definition: one letter at a time, trying every length of each star.
fn naive(pattern: &[char], text: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['\\', '*', rest @ ..] => text.first() == Some(&'*') && naive(rest, &text[1..]),
        ['*', rest @ ..] => (0..=text.len()).any(|skip| naive(rest, &text[skip..])),
        [letter, rest @ ..] => text.first() == Some(letter) && naive(rest, &text[1..]),
    }
}

proptest! {
    #[test]
    fn agrees_with_the_definition(pattern in "[ab*\\\\]{0,9}", text in "[ab*\\\\]{0,9}") {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        prop_assert_eq!(Glob::new(&pattern).matches(&text), naive(&letters(&pattern), &letters(&text)));
    }

    #[test]
    fn an_escaped_text_matches_only_itself(text in ".{0,12}", other in ".{0,12}") {
        let glob = Glob::new(&text.replace('*', "\\*"));
        prop_assert!(glob.matches(&text));
        prop_assert_eq!(glob.matches(&other), naive(&glob.as_str().chars().collect::<Vec<_>>(), &other.chars().collect::<Vec<_>>()));
    }
}
