use super::*;

fn command(text: &str) -> Command {
    Command::parse(text).unwrap()
}

#[test]
fn reads_what_the_specification_allows() {
    for text in ["/", "/a", "/msg/send", "/crud/read/größe", "/a-b/_/0.1"] {
        assert_eq!(command(text).as_str(), text);
    }
}

#[test]
fn refuses_each_broken_rule_by_name() {
    for (text, error) in [
        ("", CommandError::NoSlash),
        ("msg/send", CommandError::NoSlash),
        (" /msg", CommandError::NoSlash),
        ("//", CommandError::TrailingSlash),
        ("/msg/", CommandError::TrailingSlash),
        ("/msg//send", CommandError::EmptySegment),
        ("//msg", CommandError::EmptySegment),
        ("/Msg", CommandError::NotLowerCase),
        ("/msg/Ö", CommandError::NotLowerCase),
    ] {
        assert_eq!(Command::parse(text), Err(error), "{text}");
    }
}

#[test]
fn covers_by_segments_and_not_by_letters() {
    for (wide, narrow) in [
        ("/", "/"),
        ("/", "/ucan/revoke"),
        ("/crypto", "/crypto"),
        ("/crypto", "/crypto/sign"),
        ("/crypto", "/crypto/sign/now"),
    ] {
        assert!(command(wide).covers(&command(narrow)), "{wide} {narrow}");
    }
    for (wide, narrow) in [
        ("/crypto", "/cryptocurrency"),
        ("/crypto", "/"),
        ("/crypto/sign", "/crypto"),
        ("/crypto", "/crypt"),
        ("/a/b", "/a/c"),
    ] {
        assert!(!command(wide).covers(&command(narrow)), "{wide} {narrow}");
    }
}

#[test]
fn knows_the_reserved_namespace() {
    assert!(command("/ucan/attest").is_reserved());
    assert!(command("/ucan/revoke/all").is_reserved());
    for text in ["/ucan/revoke", "/ucan/assert", "/ucan", "/ucanary", "/"] {
        assert!(!command(text).is_reserved(), "{text}");
    }
}
