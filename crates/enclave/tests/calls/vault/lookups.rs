//! Which issuers are looked up for a call, and what follows if that fails.

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::codec::dag_json;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_ucan::token::container;
use keyhole_ucan::token::envelope::{Envelope, Kind};
use keyhole_ucan::work_budget::Budget;
use serde_json::{Value, json};

use crate::support::{NOW, Plugin};

/// A person with a key, under the key's DID or another one.
struct Person {
    did: String,
    key: SecretKey,
}

impl Person {
    fn of(seed: u8) -> Self {
        let key = SecretKey::from_bytes(KeyType::Ed25519, &[seed; 32]).unwrap();
        let did = Did::from_key(&key.public_key()).as_str().to_owned();
        Self { did, key }
    }

    fn on_the_web(seed: u8, name: &str) -> Self {
        Self {
            did: format!("did:web:{name}.example"),
            ..Self::of(seed)
        }
    }

    fn url(&self) -> String {
        let name = self.did.strip_prefix("did:web:").unwrap();
        format!("https://{name}/.well-known/did.json")
    }

    /// Makes the host answer with a document that names this person's key.
    fn publish(&self, plugin: &mut Plugin) {
        let key = Did::from_key(&self.key.public_key());
        let multibase = key.as_str().strip_prefix("did:key:").unwrap();
        let document = json!({"id": self.did, "assertionMethod": [{"id": "#1", "type": "Multikey",
            "controller": self.did, "publicKeyMultibase": multibase}]});
        let document = document.to_string().into_bytes();
        plugin.host.documents.insert(self.url(), document);
    }

    fn sign(&self, kind: Kind, fields: &Value) -> Token {
        let Ok(Ipld::Map(fields)) = dag_json::parse(&fields.to_string()) else {
            panic!("no payload")
        };
        let (envelope, _) = Envelope::sign(kind, fields, &self.key, &Budget::new()).unwrap();
        Token {
            cid: envelope.cid(),
            bytes: envelope.bytes().to_vec(),
        }
    }

    fn delegate(&self, to: &str, subject: Option<&str>, command: &str, policy: Value) -> Token {
        self.sign(
            Kind::Delegation,
            &json!({"iss": self.did, "aud": to, "sub": subject, "cmd": command,
                "pol": policy, "nonce": {"/": {"bytes": ""}}, "exp": null}),
        )
    }

    fn invoke(&self, subject: &str, command: &str, args: Value, proofs: &[&Token]) -> Token {
        let proofs: Vec<Value> = proofs.iter().map(|token| link(token.cid)).collect();
        self.sign(
            Kind::Invocation,
            &json!({"iss": self.did, "sub": subject, "cmd": command, "args": args,
                "prf": proofs, "nonce": {"/": {"bytes": ""}}, "exp": null}),
        )
    }
}

struct Token {
    cid: Cid,
    bytes: Vec<u8>,
}

fn link(cid: Cid) -> Value {
    json!({"/": cid.to_string()})
}

fn text(tokens: &[&Token]) -> String {
    container::write(tokens.iter().map(|token| token.bytes.as_slice()))
}

/// The answer: `holds`, or the name of the broken rule.
fn name(answer: &Value) -> String {
    let name = answer["error"]["name"].as_str();
    match answer["valid"] == true {
        true => "holds".to_owned(),
        false => name.unwrap_or_default().to_owned(),
    }
}

fn validate(plugin: &mut Plugin, invocation: &str, revocations: &[String]) -> String {
    let input = json!({"invocation": invocation, "revocations": revocations, "now": NOW});
    name(&plugin.ok("validate_invocation", input))
}

#[test]
fn a_revocation_by_an_issuer_on_the_web_has_three_answers() {
    let (alice, bob, office) = (
        Person::of(1),
        Person::of(2),
        Person::on_the_web(3, "office"),
    );
    let grant = alice.delegate(&bob.did, Some(&alice.did), "/msg", json!([]));
    let used = text(&[
        &bob.invoke(&alice.did, "/msg", json!({}), &[&grant]),
        &grant,
    ]);
    let only = json!([["==", ".revoke", link(grant.cid)]]);
    let permission = alice.delegate(&office.did, Some(&alice.did), "/ucan/revoke", only);
    let args = json!({"revoke": link(grant.cid)});
    let revocation = office.invoke(&alice.did, "/ucan/revoke", args, &[&permission]);
    let revocation = text(&[&revocation, &permission]);
    let mut plugin = Plugin::empty();
    let ask = |plugin: &mut Plugin| validate(plugin, &used, std::slice::from_ref(&revocation));

    assert_eq!(ask(&mut plugin), "RevocationUnknown");
    assert_eq!(plugin.host.asked, [office.url()]);
    office.publish(&mut plugin);
    assert_eq!(ask(&mut plugin), "Revoked");
    // The key that the host names now didn't sign it.
    Person::on_the_web(4, "office").publish(&mut plugin);
    assert_eq!(ask(&mut plugin), "holds");
}

#[test]
fn only_claimed_issuers_are_looked_up() {
    let (alice, bob) = (Person::of(1), Person::of(2));
    let grant = alice.delegate(&bob.did, Some(&alice.did), "/msg", json!([]));
    let stray = Person::on_the_web(3, "stray");
    let other = stray.delegate(&bob.did, Some(&stray.did), "/msg", json!([]));
    let beside = bob.delegate(&stray.did, Some(&alice.did), "/msg", json!([]));
    let args = json!({"revoke": link(grant.cid)});
    let of_ours = stray.invoke(&stray.did, "/ucan/revoke", args.clone(), &[]);
    let in_her_name = stray.invoke(&alice.did, "/ucan/revoke", args, &[&other]);
    let of_others = json!({"revoke": link(other.cid)});
    let of_theirs = alice.invoke(&alice.did, "/ucan/revoke", of_others, &[]);
    let revocations = [
        text(&[&of_ours]),
        text(&[&in_her_name, &other]),
        text(&[&of_theirs]),
    ];
    let mut plugin = Plugin::empty();

    let used = bob.invoke(&alice.did, "/msg", json!({}), &[&grant]);
    let used = text(&[&used, &grant, &other, &beside]);
    assert_eq!(validate(&mut plugin, &used, &revocations), "holds");
    let own = text(&[
        &alice.invoke(&alice.did, "/msg", json!({}), &[&other]),
        &other,
    ]);
    assert_eq!(validate(&mut plugin, &own, &revocations), "holds");
    let chain = json!({"token": text(&[&grant, &other]), "leaf": grant.cid.to_string(),
        "revocations": revocations, "now": NOW});
    assert_eq!(name(&plugin.ok("verify_token", chain)), "holds");
    assert_eq!(plugin.host.asked, [] as [&str; 0]);
}

/// A chain of this many issuers on the web, and an invocation by the last.
fn line(prefix: &str, length: usize) -> (Vec<Person>, String) {
    let people: Vec<Person> = (0..length)
        .map(|at| Person::on_the_web(at as u8 + 1, &format!("{prefix}{at}")))
        .collect();
    let subject = people[0].did.clone();
    let proofs: Vec<Token> = people
        .windows(2)
        .map(|pair| pair[0].delegate(&pair[1].did, Some(&subject), "/msg", json!([])))
        .collect();
    let proofs: Vec<&Token> = proofs.iter().collect();
    let used = people[length - 1].invoke(&subject, "/msg", json!({}), &proofs);
    let mut tokens = proofs;
    tokens.push(&used);
    let text = text(&tokens);
    (people, text)
}

#[test]
fn each_invocation_of_a_batch_has_its_own_lookups() {
    let mut plugin = Plugin::empty();
    let lines = [line("a", 12), line("b", 16), line("c", 17), line("d", 12)];
    for (people, _) in &lines {
        people.iter().for_each(|person| person.publish(&mut plugin));
    }
    let texts: Vec<&str> = lines.iter().map(|(_, text)| text.as_str()).collect();
    let mut names = |texts: &[&str]| -> Vec<String> {
        let answer = plugin.ok("validate_batch", json!({"invocations": texts, "now": NOW}));
        answer["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(name)
            .collect()
    };
    assert_eq!(names(&texts), ["holds", "holds", "TooMuchWork", "holds"]);
    // A DID that was looked up for one is known to the next: the same chain, asked again, has a lookup left for the
    // last.
    let again = [texts[2], texts[2]];
    assert_eq!(names(&again), ["TooMuchWork", "holds"]);
    assert_eq!(plugin.host.asked.len(), 12 + 16 + 16 + 12 + 17);
}

#[test]
fn a_did_without_a_host_costs_no_lookup() {
    let mut plugin = Plugin::empty();
    let (people, used) = line("a", 12);
    people.iter().for_each(|person| person.publish(&mut plugin));
    let nameless: Vec<String> = (0..20)
        .map(|at| {
            let nameless = Person {
                did: format!("did:web:a:..:{at}"),
                ..Person::of(at)
            };
            let args = json!({"revoke": {"/": "bafyreihpqephoc6wqmvjn6jz2y6ewr4jzupfrfz6ddajuz2j6yjyu2qtnm"}});
            text(&[&nameless.invoke(&nameless.did, "/ucan/revoke", args, &[])])
        })
        .collect();
    assert_eq!(validate(&mut plugin, &used, &nameless), "holds");
    assert_eq!(plugin.host.asked.len(), 12);
}

#[test]
fn a_host_that_requests_nothing_uses_no_lookups() {
    let mut plugin = Plugin::empty();
    plugin.host.is_closed = true;
    let (_, used) = line("a", 40);
    assert_eq!(validate(&mut plugin, &used, &[]), "InvalidSignature");
    plugin.host.is_closed = false;
    assert_eq!(validate(&mut plugin, &used, &[]), "TooMuchWork");
    assert_eq!(plugin.host.asked.len(), 16);
}

#[test]
fn a_document_that_is_expensive_to_read_is_too_much_work() {
    let mut plugin = Plugin::empty();
    let (people, used) = line("a", 12);
    people.iter().for_each(|person| person.publish(&mut plugin));
    assert_eq!(validate(&mut plugin, &used, &[]), "holds");
    // A quarter of a megabyte of zeros each, which nothing refers to.
    for person in &people {
        let document = plugin.host.documents.get_mut(&person.url()).unwrap();
        assert_eq!(document.pop(), Some(b'}'));
        document.extend_from_slice(b",\"zeros\":[0");
        document.extend_from_slice(&b",0".repeat(120_000));
        document.extend_from_slice(b"]}");
    }
    assert_eq!(validate(&mut plugin, &used, &[]), "TooMuchWork");
    let asked = plugin.host.asked.len();
    assert!(asked > 12 && asked <= 24, "{asked}");
}
