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

/// By the definition: one letter at a time, every way a star can go.
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
    fn an_escaped_text_matches_itself_alone(text in ".{0,12}", other in ".{0,12}") {
        let glob = Glob::new(&text.replace('*', "\\*"));
        prop_assert!(glob.matches(&text));
        prop_assert_eq!(glob.matches(&other), naive(&glob.0.chars().collect::<Vec<_>>(), &other.chars().collect::<Vec<_>>()));
    }
}
