use super::*;
use keyhole_ucan::identity::key_type::KeyType;

fn payee(text: &str) -> Did {
    Did::parse(text).unwrap()
}

fn pounds() -> Currency {
    Currency::parse("GBP").unwrap()
}

fn payment() -> Payment {
    Payment::new(payee("did:web:shop.example"), 2500, pounds(), "A-1001").unwrap()
}

#[test]
fn an_origin_names_its_site() {
    for (origin, did) in [
        ("https://shop.example", "did:web:shop.example"),
        ("https://shop.example:8443", "did:web:shop.example%3A8443"),
        ("https://xn--pypal-4ve.com", "did:web:xn--pypal-4ve.com"),
        ("http://localhost:4300", "did:web:localhost%3A4300"),
        ("http://127.0.0.1", "did:web:127.0.0.1"),
    ] {
        assert_eq!(payee_of_origin(origin).unwrap().as_str(), did);
    }
}

#[test]
fn anything_but_the_origin_of_a_site_is_refused() {
    for origin in [
        "",
        "null",
        "https://",
        "http://shop.example",
        "http://localhost.example",
        "https://shop.example/",
        "https://shop.example/pay",
        "https://user@shop.example",
        "https://shop.example:0",
        "https://shop.example:99999",
        "https://shop.example:44a",
        "https://shop.example:443",
        "https://shop.example:08443",
        "https://shop.example:+8443",
        "https://shop.example:",
        "https://shop..example",
        "https://shop.example.",
        "http://localhost:80",
        "http://127.0.0.1.evil.example",
        "HTTPS://shop.example",
        " https://shop.example",
        "https://[::1]",
        "https://Shop.example",
        "https://shop.example?x",
        "https://shop.example#x",
        "https://shöp.example",
        "https://shop.example%2Fevil",
        "ftp://shop.example",
        "did:web:shop.example",
    ] {
        assert_eq!(
            payee_of_origin(origin),
            Err(PaymentError::Origin),
            "{origin}"
        );
    }
}

#[test]
fn arguments_come_back_as_the_payment_they_say() {
    assert_eq!(Payment::of_args(&payment().to_args()), Ok(payment()));
}

#[test]
fn arguments_other_than_a_payments_are_refused() {
    let with = |name: &str, value: Ipld| {
        let mut args = payment().to_args();
        args.insert(name.to_string(), value);
        Payment::of_args(&args)
    };
    let text = |text: &str| Ipld::String(text.to_string());
    for name in ["payee", "amount", "currency", "order"] {
        let mut args = payment().to_args();
        args.remove(name);
        assert_eq!(
            Payment::of_args(&args),
            Err(PaymentError::Argument(name.to_string()))
        );
        assert!(with(name, Ipld::Null).is_err(), "{name}");
        assert!(with(name, Ipld::Float(25.0)).is_err(), "{name}");
    }
    assert!(with("tip", Ipld::Integer(1)).is_err());
    for amount in [0, -1, 1 << 53] {
        assert!(with("amount", Ipld::Integer(amount)).is_err(), "{amount}");
    }
    for currency in ["gbp", "XXX", ""] {
        assert!(with("currency", text(currency)).is_err(), "{currency}");
    }
    for site in [
        "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
        "did:web:shop.example:till",
        "did:web:",
        "did:web:Shop.example",
        "did:web:shop.example%3a8443",
        "did:web:shop.example%3A443",
        "shop.example",
    ] {
        assert_eq!(
            with("payee", text(site)),
            Err(PaymentError::Payee),
            "{site}"
        );
    }
    let long = "x".repeat(MAX_ORDER_CHARACTERS + 1);
    for order in [
        "",
        " A",
        "A ",
        "A\n1",
        "A\u{202e}1",
        "A\u{200b}1",
        "A\u{3164}1",
        "A\u{fe0f}",
        &long,
    ] {
        assert_eq!(
            with("order", text(order)),
            Err(PaymentError::Order),
            "{order:?}"
        );
    }
}

#[test]
fn an_order_reads_as_it_is() {
    let order = |text: &str| Payment::new(payment().payee, 1, payment().currency, text);
    for text in [
        "A-1001 \"x\" \\ 'y' #1/2",
        "Bestellung für Größe 42",
        "Đơn hàng số 7, e\u{302}\u{301}",
        "فاتورة رقم ١٢",
        "مُحَمَّدٌ",
        "हिन्दी क्षेत्र",
        // Nukta, vowel, nasal.
        "ज\u{93c}\u{941}\u{902}बा",
        "ที่อยู่ กิ๊ฟ",
        "שּׁ\u{5b8}לוֹם",
        "注文 12 주문",
        "🎫 42 👍🏽",
        "ＡＢ１２",
    ] {
        assert!(order(text).is_ok(), "{text}");
    }
    let painted = ["A", &"\u{335}".repeat(116)].concat();
    let blanks = ["A", &"\u{2003}".repeat(100), "B"].concat();
    for text in [
        &painted,
        "A\u{301}\u{301}\u{301}\u{301}",
        "\u{301}A",
        &blanks,
        "A\u{a0}B",
        "A\u{3000}B",
        "\u{2800}",
        "A\u{2800}B",
        "\u{1d159}",
        "\u{378}",
        "\u{fdd0}",
        "\u{1fffe}",
        "\u{e000}",
        "\u{13441}",
        "A\u{fffc}",
        "A\u{34f}B",
        "A\u{ad}B",
        "A\u{2066}1",
        "A\u{e0041}",
        "A\u{115f}B",
        "A\u{7f}B",
    ] {
        assert_eq!(order(text), Err(PaymentError::Order), "{text:?}");
    }
}

#[test]
fn an_authorisation_names_the_payment_and_its_payee() {
    let key = SecretKey::from_bytes(KeyType::Ed25519, &[7; 32]).unwrap();
    let signed = authorise(
        &payment(),
        Basis::default(),
        &key,
        alloc::vec![1; 12],
        1_000,
        5,
    )
    .unwrap();
    let invocation = signed.payload();
    assert_eq!(invocation.command.as_str(), AUTHORIZE);
    assert_eq!(invocation.executor(), &payment().payee);
    assert_eq!(invocation.issuer, invocation.subject);
    assert_eq!(invocation.expires_at, Some(1_300));
    assert_eq!(Payment::of_args(&invocation.args), Ok(payment()));
    let mandate = Cid::of(b"mandate");
    let basis = Basis {
        mandate: Some(mandate),
        request: None,
    };
    let under = authorise(&payment(), basis, &key, alloc::vec![1; 12], 1_000, 5).unwrap();
    assert_eq!(
        under.payload().args.get("mandate"),
        Some(&Ipld::Link(mandate.to_raw()))
    );
}

#[test]
fn an_authorisation_holds_for_minutes() {
    assert_eq!(check_minutes(None), Ok(DEFAULT_MINUTES));
    assert_eq!(check_minutes(Some(60)), Ok(60));
    for minutes in [0, 61, u32::MAX] {
        assert_eq!(check_minutes(Some(minutes)), Err(PaymentError::Minutes));
    }
}
