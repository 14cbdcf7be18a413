//! DID documents of `did:web` (W3C DID Core §5, did:web method): where to find one, and which of its keys may sign.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use ipld_core::ipld::Ipld;
use keyhole_codec::base58;
use keyhole_codec::base64::URL;
use sha2::{Digest, Sha256};

use crate::codec::dag_json;
use crate::identity::did::Did;
use crate::identity::key::PublicKey;
use crate::identity::key_type::KeyType;
use crate::work_budget::{Budget, Cost, TooMuchWork};

/// Longest document that is read, in bytes.
pub const MAX_DOCUMENT_LENGTH: usize = 256 * 1_024;
/// Most keys that are read of one document.
const MAX_KEYS: usize = 32;
/// The relations that let a key sign for its subject. `keyAgreement` is not one of them.
const SIGNING: [&str; 4] = [
    "assertionMethod",
    "authentication",
    "capabilityDelegation",
    "capabilityInvocation",
];

/// Why a text is not the requested document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentError {
    /// It is not a `did:web`, or names no host.
    NotWeb,
    /// It is longer than [`MAX_DOCUMENT_LENGTH`].
    TooLong,
    /// It isn't a JSON object with an `id`.
    Malformed,
    /// Its `id` isn't the DID that was looked up.
    OtherSubject,
    /// It names no key of a supported type that may sign.
    NoKey,
    /// Reading it would exceed the call's budget.
    TooMuchWork,
}

impl From<TooMuchWork> for DocumentError {
    fn from(_: TooMuchWork) -> Self {
        Self::TooMuchWork
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotWeb => "it is not a did:web with a host",
            Self::TooLong => "its DID document is too long",
            Self::Malformed => "its host's answer is not a DID document",
            Self::OtherSubject => "its host answers with the document of another DID",
            Self::NoKey => {
                "its DID document names no Ed25519, P-256 or secp256k1 key that may sign"
            }
            Self::TooMuchWork => "reading its DID document takes more work than one call may take",
        })
    }
}

impl core::error::Error for DocumentError {}

/// Where to look up a `did:web`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The host's name, without a port.
    pub host: String,
    /// The address of the document, over HTTPS.
    pub url: String,
}

/// The place of the document of a `did:web`: `did:web:example.com` at `/.well-known/did.json`, `did:web:example.com:a:b` at
/// `/a/b/did.json`; `%3A` before a port.
///
/// # Errors
/// [`DocumentError::NotWeb`], also for a host that is more than a name and a port, or a path that leaves its directory.
pub fn locate(did: &Did) -> Result<Location, DocumentError> {
    let identifier = did
        .as_str()
        .strip_prefix("did:web:")
        .ok_or(DocumentError::NotWeb)?;
    let mut parts = identifier.split(':');
    let authority = parts.next().unwrap_or_default();
    let (host, port) = match authority
        .split_once("%3A")
        .or_else(|| authority.split_once("%3a"))
    {
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    };
    let is_name = |text: &str| {
        text.bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'))
    };
    if host.is_empty() || !is_name(host) {
        return Err(DocumentError::NotWeb);
    }
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port != 0);
    let authority = match port {
        None => String::from(host),
        Some(port) if is_port(port) => format!("{host}:{port}"),
        Some(_) => return Err(DocumentError::NotWeb),
    };
    let path: Vec<&str> = parts.collect();
    let is_segment = |text: &&str| !matches!(*text, "" | "." | "..") && !text.contains('%');
    if !path.iter().all(is_segment) {
        return Err(DocumentError::NotWeb);
    }
    let path = if path.is_empty() {
        String::from(".well-known")
    } else {
        path.join("/")
    };
    Ok(Location {
        host: host.to_ascii_lowercase(),
        url: format!("https://{authority}/{path}/did.json"),
    })
}

/// The keys that may sign for `did`: those under `verificationMethod` that a signing relation refers to, and those
/// inside such a relation.
///
/// # Errors
/// Any [`DocumentError`] but `NotWeb`.
pub fn signing_keys(did: &Did, document: &[u8]) -> Result<Vec<PublicKey>, DocumentError> {
    signing_keys_within(did, document, &Budget::new())
}

/// [`signing_keys`] on a budget, since a stranger's host decides what a document holds.
///
/// # Errors
/// As [`signing_keys`]; [`DocumentError::TooMuchWork`].
pub fn signing_keys_within(
    did: &Did,
    document: &[u8],
    budget: &Budget,
) -> Result<Vec<PublicKey>, DocumentError> {
    if document.len() > MAX_DOCUMENT_LENGTH {
        return Err(DocumentError::TooLong);
    }
    // Copied, and hashed.
    budget.spend(Cost::Token(document.len()))?;
    let document = core::str::from_utf8(document).map_err(|_| DocumentError::Malformed)?;
    let document =
        dag_json::parse_within(document, budget).map_err(|error| match error.is_too_much_work {
            true => DocumentError::TooMuchWork,
            false => DocumentError::Malformed,
        })?;
    match text(&document, "id") {
        None => return Err(DocumentError::Malformed),
        Some(id) if id != did.as_str() => return Err(DocumentError::OtherSubject),
        Some(_) => {}
    }
    let list = |name: &str| match field(&document, name) {
        Some(Ipld::List(items)) => items.as_slice(),
        _ => &[],
    };
    let methods = list("verificationMethod");
    let mut keys = Vec::new();
    for reference in SIGNING
        .iter()
        .flat_map(|name| list(name).iter().take(MAX_KEYS))
    {
        let method = match reference {
            Ipld::String(id) => {
                budget.spend(Cost::Compared(MAX_KEYS * (id.len() + did.as_str().len())))?;
                budget.spend(Cost::Steps(MAX_KEYS))?;
                methods
                    .iter()
                    .take(MAX_KEYS)
                    .find(|method| is_named(method, did, id))
            }
            embedded => Some(embedded),
        };
        let Some(method) = method.filter(|method| text(method, "controller") == Some(did.as_str()))
        else {
            continue;
        };
        budget.spend(Cost::Keys(1))?;
        match key_of(method) {
            Some(key) if !keys.contains(&key) => keys.push(key),
            _ => {}
        }
    }
    if keys.is_empty() {
        return Err(DocumentError::NoKey);
    }
    Ok(keys)
}

fn field<'a>(value: &'a Ipld, name: &str) -> Option<&'a Ipld> {
    match value {
        Ipld::Map(fields) => fields.get(name),
        _ => None,
    }
}

fn text<'a>(value: &'a Ipld, name: &str) -> Option<&'a str> {
    match field(value, name)? {
        Ipld::String(text) => Some(text),
        _ => None,
    }
}

/// The fragment of an id in this document, or the whole id of another one.
fn within<'a>(id: &'a str, did: &Did) -> Result<&'a str, &'a str> {
    let rest = id.strip_prefix(did.as_str()).unwrap_or(id);
    rest.strip_prefix('#').ok_or(id)
}

/// Ids may be relative to the document: `#key-1`.
fn is_named(method: &Ipld, did: &Did, id: &str) -> bool {
    let own = text(method, "id");
    own.is_some_and(|own| within(own, did) == within(id, did))
}

fn key_of(method: &Ipld) -> Option<PublicKey> {
    let multibase = text(method, "publicKeyMultibase");
    if let Some(encoded) = multibase.and_then(|text| text.strip_prefix('z')) {
        // 35 bytes are at most 48 digits.
        let bytes = Some(encoded)
            .filter(|encoded| encoded.len() <= 64)
            .and_then(|encoded| base58::decode(encoded.as_bytes()))?;
        return PublicKey::from_multicodec(&bytes).ok();
    }
    let jwk = field(method, "publicKeyJwk")?;
    let coordinate = |name: &str| {
        let bytes = URL.decode(text(jwk, name)?.as_bytes())?;
        <[u8; 32]>::try_from(bytes).ok()
    };
    let key_type = match (text(jwk, "kty")?, text(jwk, "crv")?) {
        ("OKP", "Ed25519") => KeyType::Ed25519,
        ("EC", "P-256") => KeyType::P256,
        ("EC", "secp256k1") => KeyType::Secp256k1,
        _ => return None,
    };
    let mut bytes = key_type.multicodec().to_vec();
    if key_type != KeyType::Ed25519 {
        let [.., last] = coordinate("y")?;
        bytes.push(2 + (last & 1));
    }
    bytes.extend_from_slice(&coordinate("x")?);
    PublicKey::from_multicodec(&bytes).ok()
}

/// A document that was looked up: the keys that may sign, and its digest.
#[derive(Clone, Debug, PartialEq)]
pub struct LookedUp {
    keys: Vec<PublicKey>,
    digest: [u8; 32],
}

impl LookedUp {
    /// The keys that [`signing_keys`] found in a document, with the document's SHA-256.
    #[must_use]
    pub fn of(keys: Vec<PublicKey>, document: &[u8]) -> Self {
        Self {
            keys,
            digest: Sha256::digest(document).into(),
        }
    }
}

/// The results of looking up DIDs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Documents {
    found: BTreeMap<Did, Result<LookedUp, String>>,
    /// The budget ran out before these were looked up.
    too_costly: BTreeSet<Did>,
}

impl Documents {
    /// Nothing has been looked up.
    pub const NONE: &Self = &Self {
        found: BTreeMap::new(),
        too_costly: BTreeSet::new(),
    };

    /// Stores the result of a lookup: the document, or why there is none.
    pub fn insert(&mut self, did: Did, found: Result<LookedUp, String>) {
        self.too_costly.remove(&did);
        self.found.insert(did, found);
    }

    /// Records that the budget ran out before this DID was looked up. Until it is, what it signed is `TooMuchWork`.
    pub fn insert_too_costly(&mut self, did: Did) {
        self.too_costly.insert(did);
    }

    /// Whether a DID has been looked up.
    pub fn contains(&self, did: &Did) -> bool {
        self.found.contains_key(did)
    }

    /// Whether the budget ran out before this DID was looked up.
    pub(crate) fn is_too_costly(&self, did: &Did) -> bool {
        self.too_costly.contains(did)
    }

    /// The DIDs that were looked up.
    pub fn dids(&self) -> impl Iterator<Item = &Did> {
        self.found.keys()
    }

    /// How many have been looked up.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// The SHA-256 of a DID's document, if it was looked up and has keys.
    pub fn digest(&self, did: &Did) -> Option<&[u8; 32]> {
        self.found
            .get(did)?
            .as_ref()
            .ok()
            .map(|found| &found.digest)
    }

    /// The keys of a DID that was looked up, or why it has none.
    pub(crate) fn keys(&self, did: &Did) -> Option<Result<&[PublicKey], &str>> {
        self.found.get(did).map(|found| match found {
            Ok(found) => Ok(found.keys.as_slice()),
            Err(why) => Err(why.as_str()),
        })
    }
}

#[cfg(test)]
#[path = "did_document_test.rs"]
mod tests;
