//! The fuzzer's seeds: every string and value of the vectors, each for the targets that can read it, and a few that no
//! vector has.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::base64;
use keyhole_ucan::codec::cbor;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::codec::dag_json;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::policy::selector::Selector;
use keyhole_ucan::policy::statement::Policy;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::container;
use keyhole_ucan::token::read;
use keyhole_ucan::token::read::Token;
use keyhole_vault::backup::BackupHeader;
use keyhole_vault::keys::foreign_key::{ForeignKey, KeyFormat};
use keyhole_vault::keys::hd_key::HdPath;
use keyhole_vault::vault::sealed_state::SealedState;
use serde_json::Value;

/// Longest seed: in longer ones, changing a few bytes seldom changes what happens.
const MAX_LENGTH: usize = 4_096;

/// The seeds of each target that the vectors have some for.
#[derive(Default)]
pub struct Seeds(BTreeMap<&'static str, BTreeSet<Vec<u8>>>);

impl Seeds {
    /// Reads the vectors.
    pub fn of_vectors() -> Self {
        let mut seeds = Self::default();
        seeds.folder(Path::new(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../vectors"
        )));
        seeds.ours();
        seeds
    }

    /// One target's seeds; never empty.
    pub fn of(&self, target: &str) -> Vec<Vec<u8>> {
        let seeds = self.0.get(target).into_iter().flatten().cloned();
        seeds.chain([vec![0]]).collect()
    }

    fn add(&mut self, target: &'static str, seed: impl Into<Vec<u8>>) {
        let seed = seed.into();
        if seed.len() <= MAX_LENGTH {
            self.0.entry(target).or_default().insert(seed);
        }
    }

    fn folder(&mut self, folder: &Path) {
        let entries = fs::read_dir(folder).expect("the vectors are there");
        for path in entries.map(|entry| entry.expect("the vectors can be listed").path()) {
            // Known answers are hexadecimal, which no reader reads.
            let is_known_answers = path.ends_with("wycheproof") || path.ends_with("argon2");
            if path.is_dir() && is_known_answers {
                continue;
            } else if path.is_dir() {
                self.folder(&path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                let text = fs::read_to_string(&path).expect("vectors are text");
                self.value(&serde_json::from_str(&text).expect("vectors are JSON"));
            } else if path.extension().is_none() {
                self.container(&fs::read(&path).expect("vectors can be read"));
            }
        }
    }

    fn value(&mut self, value: &Value) {
        let text = value.to_string();
        if let Ok(value) = dag_json::parse(&text) {
            if let Ok(bytes) = cbor::encode(&value) {
                self.add("cbor", bytes);
            }
            if Policy::parse(&value).is_ok() {
                self.policy(value);
            }
            self.add("dag_json", text);
        }
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter().for_each(|item| self.value(item)),
            Value::Object(fields) => fields.values().for_each(|field| self.value(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn policy(&mut self, policy: Ipld) {
        let args = dag_json::parse(r#"{"a":[1,{"b":3}],"b":1,"to":["x@example.com"]}"#);
        let pair = Ipld::List(vec![policy, args.expect("it is DAG-JSON")]);
        self.add("policy_parse", cbor::encode(&pair).expect("it was read"));
    }

    fn text(&mut self, text: &str) {
        if Selector::parse(text).is_ok() {
            self.add("selector", text);
        }
        if Command::parse(text).is_ok() {
            self.add("command", format!("{text}\n{text}/b"));
        }
        if Cid::parse(text).is_ok() {
            self.add("cid", text);
        }
        if let Ok(did) = Did::parse(text) {
            self.add("did", text);
            if let Ok(key) = did.key() {
                let bytes = key.to_multicodec();
                self.add(
                    "address",
                    [&[bytes.len() as u8][..], &bytes, b"keyhole-1"].concat(),
                );
            }
        }
        if text.contains('*') {
            self.add("glob", format!("{text}\0{}", text.replace('*', "ab")));
        }
        if HdPath::parse(text).is_ok() {
            self.add("hd_path", text);
        }
        self.key_from_elsewhere(text);
        if SealedState::parse(text).is_ok() {
            self.add("sealed_state", text);
        }
        if BackupHeader::read(text).is_ok() {
            self.add("backup", text);
        }
        if base64::decode(text).is_some() {
            self.add("base64", text);
        }
        if let Ok(tokens) = read::unpack_text(text) {
            self.add("token_text", text);
            self.container(text.as_bytes());
            tokens.into_iter().for_each(|token| self.token(token));
        }
    }

    fn key_from_elsewhere(&mut self, text: &str) {
        let foreign = ForeignKey {
            text,
            ..ForeignKey::default()
        };
        if foreign.read().is_err() {
            return;
        }
        match KeyFormat::recognise(text) {
            KeyFormat::Bip39 => self.add("mnemonic", text),
            KeyFormat::Jwk => self.add("jwk", text),
            KeyFormat::Pkcs8 => {
                self.add("pkcs8", text);
                // As bytes too, which stay readable after a change more often than their text.
                if let Some(der) = base64::decode(text) {
                    self.add("pkcs8", der);
                }
            }
        }
    }

    fn container(&mut self, bytes: &[u8]) {
        if container::read(bytes).is_ok() {
            self.add("container", bytes);
            self.add("token_text", bytes);
        }
    }

    fn token(&mut self, bytes: Vec<u8>) {
        self.add("token_text", bytes.clone());
        self.add("cbor", bytes.clone());
        // Compressed, and after the choice of the target.
        let packed = miniz_oxide::deflate::compress_to_vec(&bytes, 6);
        self.add("gzip", [&[1], &packed[..]].concat());
        if let Ok(token) = Token::decode(bytes) {
            let payload =
                cbor::encode(&token.payload()).expect("a payload that was read has a form");
            match token {
                Token::Delegation(_) => self.add("delegation", payload),
                Token::Invocation(_) => self.add("invocation", payload),
            }
        }
    }

    fn ours(&mut self) {
        self.add("address", "kh144nycp8uem45f06x7v4wnedcg7prl5rgt6xxap");
        self.add("glob", "*a*b\\*c*\0xaxb*cx");
        self.add("selector", ".a[0][-1][1:][:-2][]?[\"\\u00e9\"]");
        self.add("did", "did:web:example.com%3A8443:people:ada");
        for seed in [
            &[3, 1, 1, 0, 4, 2, 1, 5][..],
            &[1, 8, 2, 0, 0, 2, 5, 2, 4, 1, 0, 2, 2, 1],
        ] {
            self.add("policy_check", seed);
        }
        // Three links over the first person's resource, each to the next person.
        self.add(
            "chain",
            [
                0, 3, 1, 0, 2, 0, 1, 3, 3, 1, 2, 1, 2, 0, 2, 3, 3, 1, 3, 1, 2, 0, 3, 3, 3, 1,
            ],
        );
        // One link and an invocation by its recipient, then one by the resource's owner.
        self.add(
            "validation",
            [0, 1, 1, 1, 2, 0, 9, 3, 3, 0, 0, 0, 1, 2, 5, 3, 2, 7, 1, 1],
        );
        self.add("validation", [0, 0, 0, 0, 1, 2, 5, 3, 2, 7, 1, 1]);
        let did = "did:web:example.com";
        self.add(
            "did_document",
            format!(
                r##"{did}
{{"id":"{did}","verificationMethod":[{{"id":"#k","type":"Multikey","controller":"{did}","publicKeyMultibase":"z6MkhuzE8pFMuXdAeD7MasX9rMtcY6pYeTiBHxzkzjBV24Zx"}},{{"id":"{did}#j","type":"JsonWebKey","controller":"{did}","publicKeyJwk":{{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}}}}],"authentication":["#k"],"assertionMethod":["{did}#j"]}}"##
            ),
        );
        for content in [
            r#"{"revision":4,"default_key":"z95cEdgfcCmurvX8","label":"Ada","keys":[{"id":"z95cEdgfcCmurvX8","type":"ed25519","private_key":"r1Vw9aGBC3r3jK9LxwpmDw31HkK6-R1N5bIyjeDoPfw","created_at":1790000000}],"ring":[{"id":"AAAAAAAAAAAA","key":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}],"contents":{"a":[1]}}"#,
            r#"{"revision":4,"default_key":"z95cEdgfcCmurvX8","label":"Ada","keys":[{"id":"z95cEdgfcCmurvX8","type":"ed25519","private_key":"r1Vw9aGBC3r3jK9LxwpmDw31HkK6-R1N5bIyjeDoPfw","created_at":1790000000}],"ring":[{"id":"AAAAAAAAAAAA","key":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}],"mandates":{"mandates":[{"audience":"did:key:z6MkwVDfCg9LbbY6xjH3EZk8YSFQZujV5Y4y1ZWeER9tDiN3","budget":{"amount":10000,"period":"day"},"cid":"bafyreibvwqdiygieef4h7d2rqrdlccmabbnukp7opxgub572nzrcakoctq","created_at":1790000000,"currency":"GBP","ended":false,"expires_at":1792592000,"issuer":"did:key:z6MkhuzE8pFMuXdAeD7MasX9rMtcY6pYeTiBHxzkzjBV24Zx","max":5000,"payees":["did:web:shop.example"],"suspended":false,"total":{"amount":4000,"payments":1,"since":1789948800},"used":{"amount":4000,"payments":1,"since":1789948800}},{"audience":"did:key:z6MkhuzE8pFMuXdAeD7MasX9rMtcY6pYeTiBHxzkzjBV24Zx","budget":{"amount":10000,"payments":10,"period":"month"},"cid":"bafyreib3alddof4roo6m7eaftcawijnxtxwwvexltgfl4kspywsrzdsx6m","created_at":1790000000,"currency":"GBP","ended":false,"issuer":"did:key:z6MkhuzE8pFMuXdAeD7MasX9rMtcY6pYeTiBHxzkzjBV24Zx","max":5000,"min":100,"not_before":1790000000,"suspended":true,"total":{"amount":2500,"payments":1,"since":1788220800},"used":{"amount":2500,"payments":1,"since":1788220800}}],"requests":{"bafyreidufexxjr4sbr4rtgqiezd2vq22focgkx5snucy4skzfmh2tuwug4":1790000360}},"contents":{"a":[1]}}"#,
        ] {
            self.add("backup_content", content);
        }
        for seed in [
            "https://shop.example\nGBP\n25.00\nA-1001",
            "http://localhost:4300\nJPY\n2500\n订单 7",
            "https://xn--pypal-4ve.com:8443\nKWD\n0.001\nx",
        ] {
            self.add("payment", seed);
        }
    }
}
