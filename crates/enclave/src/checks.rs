//! What a check is made against, as the host names it: moments, revocations, proofs, and issuers that are looked up.

use std::collections::BTreeSet;

use ipld_core::ipld::Ipld;
use keyhole_core::base64;
use keyhole_core::budget::Budget;
use keyhole_core::chain::Circumstances;
use keyhole_core::checked_delegations::CheckedDelegations;
use keyhole_core::cid::Cid;
use keyhole_core::dag_json::{self, DagJson};
use keyhole_core::did::Did;
use keyhole_core::did_document::{self, Documents, LookedUp};
use keyhole_core::error::TokenError;
use keyhole_core::revocation::Revocation;
use keyhole_core::time::{Clock, DEFAULT_SKEW};
use keyhole_core::token::{self, Token};
use keyhole_core::validation::Request;

use serde::Serialize;

use crate::host::{self, Host};
use crate::refusal::Refusal;
use crate::strangers_text::StrangersText;
use crate::tokens::malformed;

/// Most issuers that one call looks up.
const MAX_LOOKUPS: usize = 16;

/// What a check is made against. A text in `revocations`, `revoked` or `seen` that cannot be read is a refusal: leaving it out
/// could let through what was revoked.
pub struct Checks {
    clock: Clock,
    revoked: BTreeSet<Cid>,
    revocations: Vec<Revocation>,
    documents: Documents,
}

impl Checks {
    /// Reads what does not depend on the tokens that are checked.
    ///
    /// # Errors
    /// `MalformedToken` for a text that is no CID, or in `revocations` not one invocation with its proofs; OPERATION_FAILED for a clock that is wrong.
    pub fn read(
        known: &mut CheckedDelegations,
        host: &mut dyn Host,
        now: Option<i64>,
        skew: Option<u32>,
        revoked: &[String],
        revocations: &[StrangersText],
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let requests = revocations.iter().map(|text| {
            token::read_text_with(text, known, budget)
                .and_then(Request::read)
                .map_err(|error| Refusal::about("revocations", error))
        });
        let requests: Vec<Request> = requests.collect::<Result<_, _>>()?;
        let mut checks = Self {
            clock: Clock {
                now: match now {
                    Some(now) => now,
                    None => i64::try_from(host::now(host)?).unwrap_or(i64::MAX),
                },
                skew: skew.unwrap_or(DEFAULT_SKEW),
            },
            revoked: read_cids("revoked", revoked)?,
            revocations: requests.into_iter().filter_map(Revocation::of).collect(),
            documents: Documents::default(),
        };
        let issuers: Vec<Did> = checks.revokers().cloned().collect();
        checks.look_up(host, issuers.iter());
        Ok(checks)
    }

    /// Looks up whoever of these issuers is a `did:web`, each once.
    pub fn look_up<'a>(&mut self, host: &mut dyn Host, issuers: impl Iterator<Item = &'a Did>) {
        for issuer in issuers {
            look_up(&mut self.documents, host, issuer);
        }
    }

    /// Whoever issued a revocation, or a delegation that came with one.
    fn revokers(&self) -> impl Iterator<Item = &Did> {
        self.revocations.iter().flat_map(|revocation| {
            let delegations = revocation.delegations().iter();
            let issuers = delegations.map(|token| &token.payload().issuer);
            issuers.chain([&revocation.invocation().payload().issuer])
        })
    }

    /// For the core.
    pub fn circumstances(&self) -> Circumstances<'_> {
        Circumstances {
            clock: self.clock,
            revoked: &self.revoked,
            revocations: &self.revocations,
            documents: &self.documents,
        }
    }

    /// Issuers that were looked up.
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    /// By which documents it was decided what these issuers and those of revocations signed, each once.
    pub fn used_documents<'a>(
        &'a self,
        issuers: impl Iterator<Item = &'a Did>,
    ) -> Vec<UsedDocument> {
        if self.documents.count() == 0 {
            return Vec::new();
        }
        let issuers: BTreeSet<&Did> = issuers.chain(self.revokers()).collect();
        let used = issuers.into_iter().filter_map(|did| {
            let digest = self.documents.digest(did)?;
            Some(UsedDocument {
                did: did.as_str().to_owned(),
                digest: base64::encode(digest),
            })
        });
        used.collect()
    }
}

/// The document of a `did:web` that an answer rests on: another document could give another answer.
#[derive(Serialize)]
pub struct UsedDocument {
    did: String,
    /// SHA-256 of the document as it was fetched, base64url.
    digest: String,
}

/// The issuers of what was looked up for tokens that are only shown.
pub fn documents_of(host: &mut dyn Host, tokens: &[Token]) -> Documents {
    let mut documents = Documents::default();
    for token in tokens {
        look_up(&mut documents, host, token.issuer());
    }
    documents
}

fn look_up(documents: &mut Documents, host: &mut dyn Host, issuer: &Did) {
    if issuer.method() != "web" || documents.contains(issuer) {
        return;
    }
    let keys = if documents.count() >= MAX_LOOKUPS {
        Err("too many others were looked up before it".to_owned())
    } else {
        match did_document::locate(issuer) {
            Err(error) => Err(error.to_string()),
            Ok(location) => host.fetch(&location.url).and_then(|document| {
                did_document::signing_keys(issuer, &document)
                    .map(|keys| LookedUp::of(keys, &document))
                    .map_err(|error| error.to_string())
            }),
        }
    };
    documents.insert(issuer.clone(), keys);
}

/// A list of CIDs in the input.
///
/// # Errors
/// `MalformedToken`, about the field.
pub fn read_cids(field: &str, texts: &[String]) -> Result<BTreeSet<Cid>, Refusal> {
    let cids = texts.iter().map(|text| Cid::parse(text));
    cids.collect::<Result<_, _>>()
        .map_err(|error| malformed(field, error))
}

/// Refuses what cannot be handed on exactly: one such token among many would leave all of them without an answer.
///
/// # Errors
/// `MalformedToken`, about the token.
pub fn refuse_without_form(value: &Ipld, cid: Cid) -> Result<(), TokenError> {
    if dag_json::has_form(value) {
        return Ok(());
    }
    let message = "This token has a map with the key “/”, which DAG-JSON keeps for links and bytes: what it says cannot be handed on.";
    Err(TokenError::malformed(message).about(cid))
}

/// A refused token as data: which rule, in words what is wrong, which token, what the rule wanted and what it met.
#[derive(Serialize)]
pub struct Broken {
    name: &'static str,
    message: String,
    cid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<DagJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<DagJson>,
}

impl From<TokenError> for Broken {
    fn from(error: TokenError) -> Self {
        let told = |value| Some(value).filter(dag_json::has_form).map(DagJson);
        let (expected, found) = match error.finding {
            Some(finding) => (told(finding.expected), told(finding.found)),
            None => (None, None),
        };
        Self {
            name: error.name.as_str(),
            message: error.message,
            cid: error.cid.map(|cid| cid.to_string()),
            expected,
            found,
        }
    }
}
