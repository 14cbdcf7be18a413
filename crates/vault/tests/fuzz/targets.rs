//! What happens with one input, for each reader of outside data. None may panic. If a reader has a writer, writing what
//! was read gives the same bytes. `main.rs` calls these with a few thousand changed vectors, and the fuzzer of
//! `crates/fuzz` with millions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use chacha20poly1305::{AeadInOut, KeyInit, XChaCha20Poly1305, XNonce};
use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::base64;
use keyhole_ucan::codec::cbor;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::codec::dag_json;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::did_document;
use keyhole_ucan::identity::key::PublicKey;
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_ucan::identity::varsig;
use keyhole_ucan::policy::evaluate::Mismatch;
use keyhole_ucan::policy::like::Glob;
use keyhole_ucan::policy::selector::Selector;
use keyhole_ucan::policy::statement::Policy;
use keyhole_ucan::time::Clock;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::container;
use keyhole_ucan::token::delegation::Delegation;
use keyhole_ucan::token::invocation::Invocation;
use keyhole_ucan::token::payload::{Payload, Signed};
use keyhole_ucan::token::read::{self, Token};
use keyhole_ucan::validation::chain::{self, Circumstances};
use keyhole_ucan::validation::request::{Proofs, Request};
use keyhole_ucan::validation::revocation::{self, Revocation};
use keyhole_ucan::validation::validate::{self, Conditions};
use keyhole_ucan::work_budget::Budget;
use keyhole_vault::backup::{BackupHeader, OpenBackup};
use keyhole_vault::keys::foreign_key::{ForeignKey, KeyFormat};
use keyhole_vault::keys::hd_key::{self, HdPath};
use keyhole_vault::pay::currency::{Currency, MAX_AMOUNT};
use keyhole_vault::pay::payment::{self, Payment};
use keyhole_vault::seal::kdf::{Kdf, KdfMemory};
use keyhole_vault::vault::address::{derive_address, is_address};
use keyhole_vault::vault::sealed_state::SealedState;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::source::{self, NOW, Source};

/// A target's name, and what it does with one input.
pub type Target = (&'static str, fn(&[u8]));

/// Every target. The names are those of the fuzzer's binaries.
pub const TARGETS: [Target; 27] = [
    ("token_text", token_text),
    ("cbor", cbor_value),
    ("container", container_bytes),
    ("gzip", gzip_stream),
    ("cid", cid),
    ("did", did),
    ("address", address),
    ("base64", base64_text),
    ("command", command),
    ("selector", selector),
    ("policy_parse", policy_parse),
    ("policy_check", policy_check),
    ("glob", glob),
    ("dag_json", dag_json_text),
    ("delegation", delegation),
    ("invocation", invocation),
    ("chain", chain_of_delegations),
    ("validation", validation_of_invocation),
    ("did_document", did_document_text),
    ("pkcs8", pkcs8),
    ("jwk", jwk),
    ("mnemonic", mnemonic),
    ("hd_path", hd_path),
    ("sealed_state", sealed_state),
    ("backup", backup),
    ("backup_content", backup_content),
    ("payment", asked_payment),
];

/// Circumstances without lookups, at [`NOW`].
fn circumstances(revoked: &BTreeSet<Cid>) -> Circumstances<'_> {
    let clock = Clock { now: NOW, skew: 0 };
    Circumstances {
        revoked,
        ..Circumstances::at(clock)
    }
}

/// A token's text or a file: read, shown, and verified as a chain.
fn token_text(input: &[u8]) {
    let Ok(tokens) = read::bytes(input) else {
        return;
    };
    for token in &tokens {
        assert_eq!(Token::decode(token.bytes().to_vec()).as_ref(), Ok(token));
        assert_eq!(token.cid(), Cid::of(token.bytes()));
        let _ = token.verify_signature();
        shown(&token.payload());
    }
    let text = container::write(tokens.iter().map(Token::bytes));
    let sorted = |tokens: &[Token]| {
        tokens
            .iter()
            .map(|token| token.bytes().to_vec())
            .collect::<BTreeSet<_>>()
    };
    let again = read::text(&text).expect("what was read is read again");
    assert_eq!(sorted(&again), sorted(&tokens));
    if let Ok(delegations) = read::delegations(tokens) {
        let revoked = BTreeSet::new();
        if let Ok(chain) = chain::verify(delegations, None, circumstances(&revoked)) {
            holds_again(&chain);
        }
    }
}

/// A valid chain stays the same when its text is read.
fn holds_again(chain: &chain::Chain) {
    let tokens = read::text(&chain.to_text()).expect("a chain's text is read");
    let delegations = read::delegations(tokens).expect("a chain holds delegations alone");
    let leaf = Some(chain.leaf().cid());
    let again = chain::verify(delegations, leaf, circumstances(&BTreeSet::new()));
    assert_eq!(again.as_ref(), Ok(chain));
    assert_eq!(again.expect("it is equal").effective(), chain.effective());
}

/// A value in DAG-JSON and back. A map may have the key that DAG-JSON reserves.
fn shown(value: &Ipld) {
    if let Ok(text) = dag_json::to_string(value) {
        assert_eq!(dag_json::parse(&text).as_ref(), Ok(value));
    }
}

/// DAG-CBOR: one encoding per value, and another reader reads the same value.
fn cbor_value(input: &[u8]) {
    if let Ok(value) = cbor::decode(input) {
        assert_eq!(cbor::encode(&value).as_deref(), Ok(input));
        match serde_ipld_dagcbor::from_slice::<Ipld>(input) {
            Ok(theirs) => assert_eq!(theirs, value),
            // The other reader nests less deep.
            Err(_) => assert!(depth(&value) > 100),
        }
        shown(&value);
    }
}

fn depth(value: &Ipld) -> usize {
    let inner: Vec<&Ipld> = match value {
        Ipld::List(items) => items.iter().collect(),
        Ipld::Map(entries) => entries.values().collect(),
        _ => return 0,
    };
    1 + inner.into_iter().map(depth).max().unwrap_or_default()
}

fn container_bytes(input: &[u8]) {
    if let Ok(tokens) = container::read(input) {
        let text = container::write(tokens.iter().map(Vec::as_slice));
        let again = container::read(text.as_bytes()).expect("what was written is read");
        assert_eq!(
            again.into_iter().collect::<BTreeSet<_>>(),
            tokens.into_iter().collect()
        );
    }
}

/// A deflate stream with the right header, checksum and size; and compressing any bytes.
fn gzip_stream(input: &[u8]) {
    let Some((choice, stream)) = input.split_first() else {
        return;
    };
    if choice & 1 == 0 {
        let text = container::write([stream]);
        assert_eq!(container::read(text.as_bytes()), Ok(vec![stream.to_vec()]));
        return;
    }
    let mut packed = vec![b'M', 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    packed.extend_from_slice(stream);
    // The stream ends where the inflater says. The checksum comes after that, or after all of it.
    let most = container::MAX_CONTAINER_LENGTH;
    if let Ok(plain) = miniz_oxide::inflate::decompress_to_vec_with_limit(stream, most) {
        packed.extend_from_slice(&crc32(&plain).to_le_bytes());
        packed.extend_from_slice(&(plain.len() as u32).to_le_bytes());
        let header_first = [&b"@"[..], &plain].concat();
        if let Ok(tokens) = container::read(&packed) {
            assert_eq!(container::read(&header_first), Ok(tokens));
        }
    } else {
        assert!(container::read(&packed).is_err());
    }
}

/// CRC-32 by definition, a bit at a time.
fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

fn cid(input: &[u8]) {
    if let Some(cid) = text(input).and_then(|text| Cid::parse(text).ok()) {
        assert_eq!(Cid::parse(&cid.to_string()), Ok(cid));
        assert_eq!(Cid::from_raw(&cid.to_raw()), Ok(cid));
    }
    if let Ok(raw) = ipld_core::cid::Cid::try_from(input) {
        if let Ok(cid) = Cid::from_raw(&raw) {
            assert_eq!(cid.to_raw(), raw);
        }
        shown(&Ipld::Link(raw));
    }
}

fn did(input: &[u8]) {
    if let Some(did) = text(input).and_then(|text| Did::parse(text).ok()) {
        assert_eq!(Some(did.as_str()), text(input));
        if let Ok(key) = did.key() {
            // One text per key: two names for one principal would be two principals.
            assert_eq!(Did::from_key(&key), did);
        }
    }
}

/// Bytes as a public key, and its address on any network.
fn address(input: &[u8]) {
    if let Some(text) = text(input) {
        let _ = is_address(text);
    }
    let Some((length, rest)) = input.split_first() else {
        return;
    };
    let (key, chain_id) = rest.split_at(usize::from(*length).min(rest.len()));
    if let Ok(key) = PublicKey::from_multicodec(key) {
        assert_eq!(
            PublicKey::from_multicodec(&key.to_multicodec()),
            Ok(key.clone())
        );
        assert_eq!(Did::from_key(&key).key(), Ok(key.clone()));
        if let Ok(address) = derive_address(text(chain_id).unwrap_or("keyhole-1"), &key) {
            assert!(is_address(&address));
            assert!(!is_address(&address.to_uppercase()));
        }
    }
}

fn base64_text(input: &[u8]) {
    assert_eq!(
        base64::decode(&base64::encode(input)).as_deref(),
        Some(input)
    );
    if let Some(text) = text(input)
        && let Some(bytes) = base64::decode(text)
    {
        assert_eq!(base64::encode(&bytes), text);
    }
}

/// Two commands: which one covers the other, by the definition over segments.
fn command(input: &[u8]) {
    let Some((a, b)) = text(input).and_then(|text| text.split_once('\n')) else {
        return;
    };
    if let (Ok(upper), Ok(lower)) = (Command::parse(a), Command::parse(b)) {
        assert_eq!(upper.as_str(), a);
        let parts = |command: &str| -> Vec<String> {
            command
                .split('/')
                .filter(|part| !part.is_empty())
                .map(Into::into)
                .collect()
        };
        assert_eq!(upper.covers(&lower), parts(b).starts_with(&parts(a)));
    }
}

/// A path, and a value from the remaining bytes to follow it through.
fn selector(input: &[u8]) {
    let end = input
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(input.len());
    let (path, rest) = input.split_at(end);
    let Some(path) = text(path) else {
        return;
    };
    match Selector::parse(path) {
        Ok(selector) => assert_eq!(selector.as_str(), path),
        Err(error) => {
            // The position is in the text, at a character boundary.
            assert!(path.is_char_boundary(error.at));
            return;
        }
    }
    let null = |operator: &str| {
        let parts = vec![
            Ipld::String(operator.into()),
            Ipld::String(path.into()),
            Ipld::Null,
        ];
        Policy::parse(&Ipld::List(vec![Ipld::List(parts)])).expect("the path parses")
    };
    let args = Source::new(rest).value();
    // A path that leads nowhere makes both false; otherwise exactly one is true.
    let (is, is_not) = (null("==").check(&args), null("!=").check(&args));
    assert!(is.is_err() || is_not.is_err());
}

/// DAG-CBOR of `[policy, arguments]`.
fn policy_parse(input: &[u8]) {
    let Ok(Ipld::List(parts)) = cbor::decode(input) else {
        return;
    };
    let [statements, args] = parts.as_slice() else {
        return;
    };
    match Policy::parse(statements) {
        Ok(policy) => {
            assert_eq!(policy.to_ipld(), *statements);
            check_laws(&policy, args);
        }
        Err(error) => assert!(error.to_string().len() < 4_096),
    }
}

/// A policy and arguments made from bytes.
fn policy_check(input: &[u8]) {
    let mut source = Source::new(input);
    let policy = source.policy();
    let args = source.args();
    assert_eq!(Policy::parse(&policy.to_ipld()), Ok(policy.clone()));
    check_laws(&policy, &args);
}

/// Laws of every policy and all arguments, unless the budget runs out.
fn check_laws(policy: &Policy, args: &Ipld) {
    let Some(holds) = answer(policy, args) else {
        return;
    };
    let statements = policy.to_ipld();
    let list = |parts: Vec<Ipld>| Ipld::List(parts);
    let operator = |name: &str, operand: Ipld| list(vec![Ipld::String(name.into()), operand]);
    let of = |statement: Ipld| {
        // One level deeper may be too deep to read, but never too deep to parse.
        let policy = Policy::parse(&list(vec![statement])).expect("the parts of a policy parse");
        answer(&policy, args)
    };
    let each = |statements: &Ipld| match statements {
        Ipld::List(items) => items.clone(),
        _ => Vec::new(),
    };
    let all = operator("and", statements.clone());
    let none = operator(
        "or",
        list(
            each(&statements)
                .into_iter()
                .map(|one| operator("not", one))
                .collect(),
        ),
    );
    for (law, expected) in [
        (all.clone(), holds),
        (operator("not", all), !holds),
        // An empty `or` is true, unlike the negation of an empty `and`.
        (none, !holds || policy.0.is_empty()),
    ] {
        let found = of(law);
        assert!(found.is_none_or(|found| found == expected));
    }
    let twice = Policy::union([policy, policy]);
    assert!(answer(&twice, args).is_none_or(|found| found == holds));
    // More statements never allow more.
    for at in 0..policy.0.len() {
        let fewer = Policy(policy.0.iter().take(at).cloned().collect());
        assert!(!holds || answer(&fewer, args) != Some(false));
    }
}

fn answer(policy: &Policy, args: &Ipld) -> Option<bool> {
    match policy.check(args) {
        Ok(()) => Some(true),
        Err(Mismatch::Statement(at)) => {
            assert!(at < policy.0.len());
            Some(false)
        }
        Err(Mismatch::TooMuchWork) => None,
    }
}

/// A pattern, a zero byte, and a text: compared with a table of every prefix of one against every prefix of the other.
fn glob(input: &[u8]) {
    let Some((pattern, matched)) = text(input).and_then(|text| text.split_once('\0')) else {
        return;
    };
    let answer = Glob::new(pattern).matches(matched);
    if pattern.len() * matched.len() <= 1 << 12 {
        assert_eq!(answer, matches_by_table(pattern, matched));
    }
}

fn matches_by_table(pattern: &str, text: &str) -> bool {
    enum Part {
        Star,
        Letter(char),
    }
    let mut parts = Vec::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        parts.push(match letter {
            '*' => Part::Star,
            '\\' if letters.next_if_eq(&'*').is_some() => Part::Letter('*'),
            other => Part::Letter(other),
        });
    }
    let text: Vec<char> = text.chars().collect();
    // `row[n]`: the parts so far match the first n letters.
    let mut row = vec![false; text.len() + 1];
    row[0] = true;
    for part in parts {
        let mut next = vec![false; text.len() + 1];
        for at in 0..=text.len() {
            next[at] = match part {
                Part::Star => row[at] || (at > 0 && next[at - 1]),
                Part::Letter(letter) => at > 0 && row[at - 1] && text[at - 1] == letter,
            };
        }
        row = next;
    }
    row[text.len()]
}

fn dag_json_text(input: &[u8]) {
    if let Some(value) = text(input).and_then(|text| dag_json::parse(text).ok()) {
        let written = dag_json::to_string(&value).expect("what was read can be written");
        let again = dag_json::parse(&written).expect("what was written can be read");
        assert_eq!(again, value);
        assert_eq!(dag_json::to_string(&again), Ok(written));
        let bytes = cbor::encode(&value).expect("DAG-JSON has no value that DAG-CBOR has not");
        assert_eq!(cbor::decode(&bytes), Ok(value));
    }
}

/// A payload's DAG-CBOR in a well-formed envelope.
fn delegation(input: &[u8]) {
    in_envelope::<Delegation>(input, b"ucan/dlg@1.0.0");
}

fn invocation(input: &[u8]) {
    in_envelope::<Invocation>(input, b"ucan/inv@1.0.0");
}

fn in_envelope<P: Payload + Clone + PartialEq + core::fmt::Debug>(payload: &[u8], tag: &[u8; 14]) {
    let key = source::key(0);
    let mut bytes = [&[0x82, 0x58, 0x40][..], &[0; 64], &[0xa2, 0x61, b'h', 0x48]].concat();
    bytes.extend_from_slice(varsig::header(key.key_type()));
    bytes.push(0x6e);
    bytes.extend_from_slice(tag);
    bytes.extend_from_slice(payload);
    let Ok(read) = Signed::<P>::decode(bytes.clone()) else {
        return;
    };
    assert!(read.verify_signature().is_err());
    let fields = read.payload().to_fields();
    let encoded = cbor::encode(&Ipld::Map(fields.clone()));
    assert_eq!(encoded.as_deref(), Ok(payload));
    assert_eq!(
        P::from_fields(fields, &Budget::new()).as_ref(),
        Ok(read.payload())
    );
    if let Some(key) = source::key_of(read.payload().issuer()) {
        let signed = Signed::sign(read.payload(), key).expect("what was read can be signed");
        assert!(signed.verify_signature().is_ok());
        assert_eq!(signed.payload(), read.payload());
        assert!(signed.bytes().ends_with(payload));
    }
}

/// Delegations between a few people, verified as a chain. A valid chain allows no more than each link.
fn chain_of_delegations(input: &[u8]) {
    let mut source = Source::new(input);
    let mut issuer = source.person();
    let mut delegations = Vec::new();
    for _ in 0..source.byte() % 5 {
        let audience = source.person();
        let delegation = source.delegation(issuer, audience);
        let signed = Signed::sign(&delegation, source::key(issuer));
        delegations.push(signed.expect("a made-up delegation can be signed"));
        // Mostly one chain, and sometimes several that share people.
        issuer = if source.byte().is_multiple_of(8) {
            source.person()
        } else {
            audience
        };
    }
    let named = delegations.get(usize::from(source.byte())).map(Signed::cid);
    let revoked: BTreeSet<Cid> = match source.byte() % 8 {
        0 => delegations.iter().take(1).map(Signed::cid).collect(),
        _ => BTreeSet::new(),
    };
    let Ok(chain) = chain::verify(delegations, named, circumstances(&revoked)) else {
        return;
    };
    let effective = chain.effective();
    let args = source.args();
    let root = chain.tokens().next().expect("a chain is never empty");
    assert!(root.payload().is_root());
    for link in chain.tokens() {
        assert!(!revoked.contains(&link.cid()));
        assert!(link.verify_signature().is_ok());
        let payload = link.payload();
        assert!(payload.command.covers(&effective.command));
        assert!(
            payload
                .subject
                .as_ref()
                .is_none_or(|subject| subject == chain.subject())
        );
        assert!(
            payload
                .expires_at
                .is_none_or(|end| effective.expires_at.is_some_and(|own| own <= end))
        );
        assert!(payload.not_before <= effective.not_before);
        if effective.policy.check(&args).is_ok() {
            assert_eq!(payload.policy.check(&args), Ok(()));
        }
    }
    holds_again(&chain);
}

/// An invocation with its proofs and revocations: allowed exactly if every rule, written out again here, allows it.
fn validation_of_invocation(input: &[u8]) {
    let mut source = Source::new(input);
    let mut issuer = source.mostly(0);
    let mut proofs = Vec::new();
    for _ in 0..source.byte() % 4 {
        let audience = source.person();
        let delegation = source.delegation(issuer, audience);
        let signed = Signed::sign(&delegation, source::key(issuer));
        proofs.push(signed.expect("a made-up delegation can be signed"));
        issuer = source.mostly(audience);
    }
    let invocation = source.invocation(issuer, proofs.iter().map(Signed::cid).collect());
    let signed = Signed::sign(&invocation, source::key(issuer));
    let signed = signed.expect("a made-up invocation can be signed");
    let revoker = source.person();
    let revoked_at = usize::from(source.byte() % 8);
    let revocations: Vec<Revocation> = (proofs.get(revoked_at).into_iter())
        .map(|target| revocation_by(revoker, target.cid()))
        .collect();
    let seen: BTreeSet<Cid> = match source.byte() % 8 {
        0 => BTreeSet::from([signed.cid()]),
        _ => BTreeSet::new(),
    };
    let audience = match source.byte() % 4 {
        0 => Some(source::did(source.person())),
        _ => None,
    };

    let tokens = proofs.iter().cloned().map(Token::Delegation);
    let request = Request::read(tokens.chain([Token::Invocation(signed.clone())]).collect());
    let request = request.expect("there is one invocation");
    let nothing = BTreeSet::new();
    let conditions = Conditions {
        circumstances: Circumstances {
            revocations: &revocations,
            ..circumstances(&nothing)
        },
        audience: audience.as_ref(),
        seen: &seen,
    };
    let none = Proofs::default();
    let answer = validate::validate(&request, &none, conditions);

    let in_time = |end: Option<i64>, start: Option<i64>| {
        end.is_none_or(|end| NOW <= end) && start.is_none_or(|start| NOW >= start)
    };
    let subject = &invocation.subject;
    let executor = invocation.audience.as_ref().unwrap_or(subject);
    let payloads: Vec<&Delegation> = proofs.iter().map(Signed::payload).collect();
    let args = Ipld::Map(invocation.args.clone());
    // The same token may occur twice.
    let is_revoked = revocations.iter().any(|revocation| {
        (1..=proofs.len()).any(|length| {
            proofs[length - 1].cid() == revocation.target()
                && payloads[..length]
                    .iter()
                    .any(|above| above.issuer == source::did(revoker))
        })
    });
    let is_authorised = invocation.issuer == *subject
        || payloads
            .first()
            .is_some_and(|root| root.issuer == *subject && root.subject.is_some())
            && payloads.last().is_some_and(|last| {
                last.audience == invocation.issuer && last.command.covers(&invocation.command)
            })
            && payloads.windows(2).all(|pair| {
                pair[0].audience == pair[1].issuer && pair[0].command.covers(&pair[1].command)
            })
            && payloads.iter().all(|link| {
                link.subject.as_ref().is_none_or(|named| named == subject)
                    && in_time(link.expires_at, link.not_before)
                    && link.policy.check(&args).is_ok()
            })
            && !is_revoked;
    let expected = in_time(invocation.expires_at, None)
        && audience
            .as_ref()
            .is_none_or(|verifier| verifier == executor)
        && is_authorised
        && seen.is_empty();
    assert_eq!(answer.is_ok(), expected, "{answer:?}");
}

fn revocation_by(revoker: u8, target: Cid) -> Revocation {
    let did = source::did(revoker);
    let payload = revocation::revoke(did.clone(), did, target, &[], Vec::new());
    let payload = payload.expect("the command is well formed");
    let signed = Signed::sign(&payload, source::key(revoker)).expect("a revocation can be signed");
    let request = Request::read(vec![Token::Invocation(signed)]);
    let revocation = Revocation::of(request.expect("there is one invocation"));
    revocation
        .expect("it names a token")
        .expect("it is a revocation")
}

/// A DID, a line end, and the document that its host answers with.
fn did_document_text(input: &[u8]) {
    let Some(end) = input.iter().position(|byte| *byte == b'\n') else {
        return;
    };
    let (did, document) = input.split_at(end);
    let Some(did) = text(did).and_then(|text| Did::parse(text).ok()) else {
        return;
    };
    if let Ok(location) = did_document::locate(&did) {
        let authority = location
            .url
            .strip_prefix("https://")
            .expect("nothing is fetched but over HTTPS");
        let (authority, path) = authority.split_once('/').expect("there is a path");
        let (host, port) = authority.split_once(':').unwrap_or((authority, "443"));
        assert!(host.eq_ignore_ascii_case(&location.host));
        assert!(port.parse::<u16>().is_ok());
        assert!(!path.contains(['?', '#', '%', '\\', '@']));
        assert!(!path.split('/').any(|part| matches!(part, "" | "." | "..")));
        assert!(path.ends_with("did.json"));
    }
    if let Ok(keys) = did_document::signing_keys(&did, &document[1..]) {
        assert!(!keys.is_empty());
    }
}

/// A site's request, one field per line: origin, currency, amount, order. A payable one has one payee, which is exactly
/// its origin, one amount, and is the same after it was signed and read.
fn asked_payment(input: &[u8]) {
    let Some(input) = text(input) else {
        return;
    };
    let mut fields = input.splitn(4, '\n');
    let mut next = || fields.next().unwrap_or_default();
    let (origin, currency, amount, order) = (next(), next(), next(), next());
    let payee = payment::payee_of_origin(origin);
    if let Ok(payee) = &payee {
        let (scheme, authority) = origin.split_once("://").expect("an origin has a scheme");
        let host = authority.split(':').next().unwrap_or_default();
        assert!(scheme == "https" || matches!(host, "localhost" | "127.0.0.1"));
        let expected = format!("did:web:{}", authority.replace(':', "%3A"));
        assert_eq!(payee.as_str(), expected);
        let located = did_document::locate(payee).expect("its document has an address");
        assert_eq!(located.host, host);
    }
    let Ok(currency) = Currency::parse(currency) else {
        return;
    };
    let minor = currency.minor(amount);
    if let Ok(minor) = minor {
        assert!((1..=MAX_AMOUNT).contains(&minor));
        let digits: String = amount.chars().filter(|letter| *letter != '.').collect();
        assert!(digits.bytes().all(|digit| digit.is_ascii_digit()));
        assert!(amount.split('.').nth(1).map_or(0, str::len) <= currency.digits() as usize);
    }
    if let (Ok(payee), Ok(minor)) = (payee, minor)
        && let Ok(payment) = Payment::new(payee, minor, currency, order)
    {
        assert_eq!(Payment::of_args(&payment.to_args()), Ok(payment));
    }
}

/// A key from elsewhere: if it can be read, it is a key, and the same one each time.
fn key_from_elsewhere(text: &str, format: KeyFormat, key_type: Option<KeyType>) {
    let foreign = ForeignKey {
        text,
        format: Some(format),
        key_type,
        ..ForeignKey::default()
    };
    let Ok(read) = foreign.read() else {
        return;
    };
    let public = read.key.public_key();
    assert_eq!(
        PublicKey::from_multicodec(&public.to_multicodec()).as_ref(),
        Ok(&public)
    );
    assert!(public.verify(b"a", &read.key.sign(b"a")));
    assert!(key_type.is_none_or(|expected| expected == public.key_type()));
    let again = foreign.read().expect("it was read before");
    assert_eq!(again.key.public_key(), public);
}

/// A text, and the bytes of a DER in hexadecimal.
fn pkcs8(input: &[u8]) {
    if let Some(text) = text(input) {
        key_from_elsewhere(text, KeyFormat::Pkcs8, None);
    }
    let hexadecimal: String = input.iter().map(|byte| format!("{byte:02x}")).collect();
    key_from_elsewhere(&hexadecimal, KeyFormat::Pkcs8, None);
}

fn jwk(input: &[u8]) {
    if let Some(text) = text(input) {
        key_from_elsewhere(text, KeyFormat::Jwk, None);
    }
}

/// A phrase, and the same text in the format it is recognised as.
fn mnemonic(input: &[u8]) {
    let Some(text) = text(input) else {
        return;
    };
    let key_type = match input.len() % 2 {
        0 => KeyType::Ed25519,
        _ => KeyType::Secp256k1,
    };
    key_from_elsewhere(text, KeyFormat::Bip39, Some(key_type));
    key_from_elsewhere(text, KeyFormat::recognise(text), None);
}

/// A path has one written form; if a type allows the path, there is a key.
fn hd_path(input: &[u8]) {
    let Some(path) = text(input).and_then(|text| HdPath::parse(text).ok()) else {
        return;
    };
    assert_eq!(HdPath::parse(&path.to_string()).as_ref(), Ok(&path));
    for key_type in [KeyType::Ed25519, KeyType::P256, KeyType::Secp256k1] {
        let derived = hd_key::derive(&[7; 64], key_type, &path);
        assert_eq!(derived.is_ok(), path.check(key_type).is_ok());
    }
}

/// A sealed state as it is, and with a corrected checksum.
fn sealed_state(input: &[u8]) {
    let Some(input) = text(input) else {
        return;
    };
    let read = |text: &str| {
        if let Ok(state) = SealedState::parse(text) {
            let written = state.to_text().expect("what was read can be written");
            assert_eq!(SealedState::parse(&written).as_ref(), Ok(&state));
            assert!(is_address(&state.address));
        }
    };
    read(input);
    // As it will be written again, if every field has its type.
    if let Ok(mut state) = serde_json::from_str::<SealedState>(input)
        && let Ok(Value::Object(mut fields)) = serde_json::to_value(&state)
    {
        fields.remove("checksum");
        if let Some(bytes) = canonical(&Value::Object(fields)) {
            state.checksum.0 = Sha256::digest(bytes).into();
            read(&state.to_text().expect("it was written before"));
        }
    }
}

/// A backup as it is, and with a corrected checksum.
fn backup(input: &[u8]) {
    let Some(input) = text(input) else {
        return;
    };
    let _ = BackupHeader::read(input);
    let Ok(Value::Object(mut fields)) = serde_json::from_str(input) else {
        return;
    };
    let part = |fields: &serde_json::Map<String, Value>, name| {
        fields
            .get(name)
            .and_then(Value::as_str)
            .and_then(base64::decode)
    };
    if let (Some(nonce), Some(sealed)) = (part(&fields, "nonce"), part(&fields, "sealed"))
        && let Some(checksum) = backup_checksum(&fields, &nonce, &sealed)
    {
        fields.insert("checksum".into(), checksum.into());
        let file = Value::Object(fields);
        if BackupHeader::read(&file.to_string()).is_ok() {
            let kdf = file.get("kdf").or(file.pointer("/slots/passphrase/kdf"));
            if matches!(
                file["format"].as_str(),
                Some("keyhole-backup-v6" | "keyhole-backup-v7")
            ) {
                // Only the recovery code opens these.
                assert_eq!(kdf, None);
                assert!(file.pointer("/slots/recovery_code").is_some());
                return;
            }
            let kdf: Kdf = serde_json::from_value(kdf.cloned().unwrap_or_default())
                .expect("every other format has a passphrase's function");
            assert_eq!(kdf.check(), Ok(()));
        }
    }
}

fn backup_checksum(
    fields: &serde_json::Map<String, Value>,
    nonce: &[u8],
    sealed: &[u8],
) -> Option<String> {
    let digest = Sha256::new()
        .chain_update(canonical(&Value::Object(backup_header(fields)))?)
        .chain_update(nonce)
        .chain_update(sealed)
        .finalize();
    Some(base64::encode(&digest))
}

/// What the sealed part is bound to.
fn backup_header(fields: &serde_json::Map<String, Value>) -> serde_json::Map<String, Value> {
    let mut header = fields.clone();
    header.retain(|name, _| !["nonce", "checksum", "sealed"].contains(&name.as_str()));
    header
}

const PASSPHRASE: &str = "four words that nobody guesses";

/// Any content under the right passphrase. Normally only Keyhole seals such a file, but another program could.
fn backup_content(input: &[u8]) {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(BACKUP) else {
        unreachable!("the header is JSON");
    };
    let mut sealed = input.to_vec();
    let nonce = [7; 24];
    let binding =
        canonical(&Value::Object(backup_header(&fields))).expect("the header is canonical");
    XChaCha20Poly1305::new((&backup_key()).into())
        .encrypt_in_place(&XNonce::from(nonce), &binding, &mut sealed)
        .expect("an input is not too long to be sealed");
    let checksum = backup_checksum(&fields, &nonce, &sealed).expect("the header is canonical");
    fields.insert("nonce".into(), base64::encode(&nonce).into());
    fields.insert("sealed".into(), base64::encode(&sealed).into());
    fields.insert("checksum".into(), checksum.into());
    let file = Value::Object(fields).to_string();
    if let Ok(open) = OpenBackup::open(&file, PASSPHRASE, &mut KdfMemory::default()) {
        assert!(is_address(open.address()));
        assert!(!open.key_ids().is_empty());
    }
}

/// The account of `vectors/keyhole/seal-v1.json`, under the cheapest function that is allowed: it runs for every input.
const BACKUP: &str = r#"{"format":"keyhole-backup-v1","address":"kh144nycp8uem45f06x7v4wnedcg7prl5rgt6xxap","chain_id":"keyhole-1","created_at":1800000000,"kdf":{"name":"argon2id","memory_kib":19456,"passes":2,"lanes":1,"salt":"AAAAAAAAAAAAAAAAAAAAAA"}}"#;

fn backup_key() -> [u8; 32] {
    static KEY: OnceLock<[u8; 32]> = OnceLock::new();
    *KEY.get_or_init(|| {
        let file: BTreeMap<String, Value> =
            serde_json::from_str(BACKUP).expect("the header is JSON");
        let kdf: Kdf = serde_json::from_value(file["kdf"].clone()).expect("the function is known");
        *KdfMemory::default()
            .derive(&kdf, PASSPHRASE)
            .expect("there is memory for it")
    })
}

/// The canonical DAG-CBOR of JSON without fractions.
fn canonical(value: &Value) -> Option<Vec<u8>> {
    fn convert(value: &Value) -> Option<Ipld> {
        Some(match value {
            Value::Null => Ipld::Null,
            Value::Bool(value) => Ipld::Bool(*value),
            Value::Number(number) => Ipld::Integer(number.as_i128()?),
            Value::String(text) => Ipld::String(text.clone()),
            Value::Array(items) => Ipld::List(items.iter().map(convert).collect::<Option<_>>()?),
            Value::Object(fields) => Ipld::Map(
                fields
                    .iter()
                    .map(|(name, value)| Some((name.clone(), convert(value)?)))
                    .collect::<Option<_>>()?,
            ),
        })
    }
    cbor::encode(&convert(value)?).ok()
}

fn text(input: &[u8]) -> Option<&str> {
    core::str::from_utf8(input).ok()
}
