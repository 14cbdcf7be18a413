//! Values, policies and tokens made from bytes, so that every input parses and evaluation is really reached.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_ucan::policy::statement::Policy;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::delegation::Delegation;
use keyhole_ucan::token::invocation::Invocation;

/// Deepest nesting that is generated. The readers' limits are reached with bytes, not with these.
const MAX_DEPTH: usize = 5;

/// The time at which generated chains are checked.
pub const NOW: i64 = 1_800_000_000;

/// A supply of bytes; gives zeros once it is empty.
pub struct Source<'a> {
    rest: &'a [u8],
}

impl<'a> Source<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => 0,
        }
    }

    pub fn take(&mut self, most: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(most.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::from(self.byte()) % choices.len()]
    }

    fn text(&mut self) -> String {
        const LETTERS: [&str; 12] = [
            "a", "b", "*", "\\", "\\*", ".", "\n", "ä", "ab", "[0]", "\"", "?",
        ];
        let length = self.byte() % 7;
        (0..length).map(|_| self.one_of(&LETTERS)).collect()
    }

    fn key(&mut self) -> String {
        match self.byte() % 8 {
            0..3 => "a".into(),
            3..5 => "b".into(),
            5 => "to".into(),
            6 => String::new(),
            _ => self.text(),
        }
    }

    fn number(&mut self) -> Ipld {
        const INTEGERS: [i128; 8] = [
            0,
            1 << 53,
            (1 << 53) + 1,
            -(1 << 53) - 1,
            (1 << 63) - 1,
            (1 << 64) - 1,
            -(1 << 64),
            255,
        ];
        const FLOATS: [f64; 8] = [
            0.0,
            0.5,
            -1.5,
            1.0,
            9_007_199_254_740_992.0,
            1e300,
            -1e-300,
            1.844_674_407_370_955_2e19,
        ];
        match self.byte() % 4 {
            0 | 1 => Ipld::Integer(i128::from(self.byte() % 8) - 3),
            2 => Ipld::Integer(self.one_of(&INTEGERS)),
            _ => Ipld::Float(self.one_of(&FLOATS)),
        }
    }

    pub fn value(&mut self) -> Ipld {
        self.value_at(0)
    }

    fn value_at(&mut self, depth: usize) -> Ipld {
        let kinds = if depth < MAX_DEPTH && !self.is_empty() {
            10
        } else {
            6
        };
        match self.byte() % kinds {
            0 => Ipld::Null,
            1 => Ipld::Bool(self.byte() & 1 == 1),
            2 | 3 => self.number(),
            4 => Ipld::String(self.text()),
            5 => {
                let length = usize::from(self.byte() % 5);
                Ipld::Bytes(self.take(length).to_vec())
            }
            6 | 7 => Ipld::List(
                (0..self.byte() % 5)
                    .map(|_| self.value_at(depth + 1))
                    .collect(),
            ),
            _ => Ipld::Map(self.entries(depth)),
        }
    }

    fn entries(&mut self, depth: usize) -> BTreeMap<String, Ipld> {
        (0..self.byte() % 5)
            .map(|_| (self.key(), self.value_at(depth + 1)))
            .collect()
    }

    /// A map, as arguments are.
    pub fn args(&mut self) -> Ipld {
        Ipld::Map(self.entries(0))
    }

    pub fn selector(&mut self) -> String {
        let parts = self.byte() % 4;
        let mut path = String::new();
        for _ in 0..parts {
            match self.byte() % 8 {
                0..3 => path += &format!(".{}", self.one_of(&["a", "b", "to"])),
                3 => {
                    let key = self.key();
                    path += &format!("[{}]", serde_json::to_string(&key).unwrap_or_default());
                }
                4 => path += "[]",
                5 => path += &format!("[{}]", i16::from(self.byte() % 6) - 3),
                6 => {
                    let start = self.bound();
                    let end = self.bound();
                    path += &format!("[{start}:{end}]");
                }
                _ => path += if path.is_empty() { ".b" } else { "?" },
            }
        }
        if path.starts_with('.') {
            path
        } else {
            format!(".{path}")
        }
    }

    fn bound(&mut self) -> String {
        match self.byte() % 8 {
            7 => String::new(),
            6 => self.one_of(&[i64::MIN, i64::MAX]).to_string(),
            small => (i16::from(small) - 3).to_string(),
        }
    }

    pub fn statement(&mut self) -> Ipld {
        self.statement_at(0)
    }

    fn statement_at(&mut self, depth: usize) -> Ipld {
        let kinds = if depth < MAX_DEPTH && !self.is_empty() {
            9
        } else {
            4
        };
        let text = |text: &str| Ipld::String(text.into());
        let list = |source: &mut Self| {
            let count = source.byte() % 4;
            Ipld::List((0..count).map(|_| source.statement_at(depth + 1)).collect())
        };
        Ipld::List(match self.byte() % kinds {
            0 | 1 => vec![
                text(self.one_of(&["==", "!="])),
                Ipld::String(self.selector()),
                self.value_at(depth + 2),
            ],
            2 => vec![
                text(self.one_of(&["<", "<=", ">", ">="])),
                Ipld::String(self.selector()),
                self.number(),
            ],
            3 => vec![
                text("like"),
                Ipld::String(self.selector()),
                Ipld::String(self.text()),
            ],
            4 => vec![text("and"), list(self)],
            5 => vec![text("or"), list(self)],
            6 => vec![text("not"), self.statement_at(depth + 1)],
            7 => vec![
                text("all"),
                Ipld::String(self.selector()),
                self.statement_at(depth + 1),
            ],
            _ => vec![
                text("any"),
                Ipld::String(self.selector()),
                self.statement_at(depth + 1),
            ],
        })
    }

    /// Always one that parses.
    pub fn policy(&mut self) -> Policy {
        let count = self.byte() % 4;
        let statements = Ipld::List((0..count).map(|_| self.statement()).collect());
        Policy::parse(&statements).expect("a policy that was made by its grammar parses")
    }

    pub fn command(&mut self) -> Command {
        let text = self.one_of(&["/", "/a", "/a/b", "/ab", "/a/b/c", "/ucan/revoke"]);
        Command::parse(text).expect("a command that was made by its grammar parses")
    }

    fn moment(&mut self) -> Option<i64> {
        match self.byte() % 8 {
            0 => Some(NOW - 1),
            1 => Some(NOW),
            2 => Some(NOW + 1),
            _ => None,
        }
    }

    /// A person's number.
    pub fn person(&mut self) -> u8 {
        self.byte() % PEOPLE
    }

    /// This person, or another one time in eight.
    pub fn mostly(&mut self, number: u8) -> u8 {
        match self.byte() % 8 {
            7 => self.person(),
            _ => number,
        }
    }

    pub fn invocation(&mut self, issuer: u8, proofs: Vec<Cid>) -> Invocation {
        let args = match self.args() {
            Ipld::Map(entries) => entries,
            _ => BTreeMap::new(),
        };
        Invocation {
            issuer: did(issuer),
            subject: did(self.mostly(0)),
            audience: self.byte().is_multiple_of(4).then(|| did(self.person())),
            command: self.command(),
            args,
            proofs,
            nonce: vec![self.byte()],
            expires_at: self.moment(),
            issued_at: None,
            meta: None,
            cause: None,
        }
    }

    pub fn delegation(&mut self, issuer: u8, audience: u8) -> Delegation {
        let command = self.command();
        // Mostly as in a valid chain: the first person's resource.
        let subject = match self.byte() % 8 {
            0 => None,
            1 => Some(did(self.person())),
            _ => Some(did(0)),
        };
        Delegation {
            issuer: did(issuer),
            audience: did(audience),
            subject,
            command,
            policy: self.policy(),
            nonce: vec![self.byte()],
            expires_at: self.moment(),
            not_before: self.moment().filter(|moment| *moment <= NOW),
            meta: None,
        }
    }
}

/// A person's key, by number: three of Ed25519, one of each other type.
pub fn key(number: u8) -> &'static SecretKey {
    &person(number).0
}

pub fn did(number: u8) -> Did {
    person(number).1.clone()
}

/// The person whose DID this is.
pub fn key_of(did: &Did) -> Option<&'static SecretKey> {
    let people = (0..PEOPLE).map(person);
    people
        .filter(|person| person.1 == *did)
        .map(|person| &person.0)
        .next()
}

const PEOPLE: u8 = 5;

/// Made once, since making two of the types takes longer than checking most inputs.
fn person(number: u8) -> &'static (SecretKey, Did) {
    static ALL: OnceLock<Vec<(SecretKey, Did)>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        (0..PEOPLE)
            .map(|number| {
                let key_type = match number {
                    3 => KeyType::P256,
                    4 => KeyType::Secp256k1,
                    _ => KeyType::Ed25519,
                };
                let key = SecretKey::from_bytes(key_type, &[number + 1; 32])
                    .expect("a small number is a private key");
                let did = Did::from_key(&key.public_key());
                (key, did)
            })
            .collect()
    });
    &all[usize::from(number % PEOPLE)]
}
