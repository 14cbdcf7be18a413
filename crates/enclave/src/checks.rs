//! What a check depends on, as the host names it: times, revocations, proofs, and issuers to look up.

use std::collections::BTreeSet;

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::base64;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::codec::dag_json::{self, DagJson};
use keyhole_ucan::error::TokenError;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::did_document::{self, DocumentError, Documents, LookedUp};
use keyhole_ucan::time::{Clock, DEFAULT_SKEW};
use keyhole_ucan::token::checked_delegations::CheckedDelegations;
use keyhole_ucan::token::delegation::Delegation;
use keyhole_ucan::token::payload::Signed;
use keyhole_ucan::token::read::{self, Token};
use keyhole_ucan::validation::chain::Circumstances;
use keyhole_ucan::validation::request::Request;
use keyhole_ucan::validation::revocation::Revocation;
use keyhole_ucan::work_budget::{Budget, Cost, TooMuchWork};

use serde::Serialize;

use crate::answers::told;
use crate::host::{self, Fetched, Host};
use crate::inputs::{charge_texts, read_cids};
use crate::refusal::Refusal;
use crate::strangers_text::StrangersText;

/// What a check depends on. A text in `revocations`, `revoked` or `seen` that can't be read is refused: ignoring it
/// could let a revoked token through.
pub struct Checks {
    clock: Clock,
    revoked: BTreeSet<Cid>,
    revocations: Vec<Revocation>,
    documents: Documents,
}

impl Checks {
    /// Reads what doesn't depend on the tokens being checked.
    ///
    /// # Errors
    /// `MalformedToken` for a text that isn't a CID, or one in `revocations` that isn't one invocation with its proofs, or
    /// revokes without naming a token; OPERATION_FAILED for a wrong clock.
    pub fn read(
        known: &mut CheckedDelegations,
        host: &mut dyn Host,
        now: Option<i64>,
        skew: Option<u32>,
        revoked: &[String],
        revocations: &[StrangersText],
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        charge_texts(revocations, budget)?;
        let revocations = revocations.iter().map(|text| {
            read::text_with(text, known, budget)
                .and_then(Request::read)
                .and_then(Revocation::of)
                .map_err(|error| Refusal::about("revocations", error))
        });
        let revocations: Vec<Option<Revocation>> = revocations.collect::<Result<_, _>>()?;
        let checks = Self {
            clock: Clock {
                now: match now {
                    Some(now) => now,
                    None => i64::try_from(host::now(host)?).unwrap_or(i64::MAX),
                },
                skew: skew.unwrap_or(DEFAULT_SKEW),
            },
            revoked: read_cids("revoked", revoked, budget)?,
            revocations: revocations.into_iter().flatten().collect(),
            documents: Documents::default(),
        };
        Ok(checks)
    }

    /// Looks up each of these issuers that is a `did:web`, once.
    pub fn look_up<'a>(
        &mut self,
        host: &mut dyn Host,
        issuers: impl IntoIterator<Item = &'a Did>,
        budget: &Budget,
    ) {
        for issuer in issuers {
            self.look_up_one(host, issuer, budget);
        }
    }

    fn look_up_one(&mut self, host: &mut dyn Host, issuer: &Did, budget: &Budget) {
        if look_up(&mut self.documents, host, issuer, budget).is_err() {
            self.documents.insert_too_costly(issuer.clone());
        }
    }

    /// Looks up the issuers that are needed to judge the revocations of a path's links.
    ///
    /// # Errors
    /// `TooMuchWork`.
    pub fn look_up_revokers(
        &mut self,
        host: &mut dyn Host,
        path: &[&Signed<Delegation>],
        budget: &Budget,
    ) -> Result<(), TokenError> {
        if path.is_empty() {
            return Ok(());
        }
        for at in 0..self.revocations.len() {
            let revocation = self.revocations.get(at);
            let unknown = revocation
                .map(|revocation| revocation.unknown_issuers(path, &self.documents, budget));
            for issuer in unknown.transpose()?.unwrap_or_default() {
                self.look_up_one(host, &issuer, budget);
            }
        }
        Ok(())
    }

    /// The issuers of the revocations, and of the delegations that came with them.
    fn revokers(&self) -> impl Iterator<Item = &Did> {
        self.revocations.iter().flat_map(|revocation| {
            let delegations = revocation.delegations().iter();
            let issuers = delegations.map(|token| &token.payload().issuer);
            issuers.chain([&revocation.invocation().payload().issuer])
        })
    }

    /// The circumstances, for the core.
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

    /// The documents that decided what these issuers and those of revocations signed, each once.
    ///
    /// # Errors
    /// `TooMuchWork`.
    pub fn used_documents<'a>(
        &'a self,
        issuers: impl Iterator<Item = &'a Did>,
        budget: &Budget,
    ) -> Result<Vec<UsedDocument>, TokenError> {
        if self.documents.count() == 0 {
            return Ok(Vec::new());
        }
        let mut used: Vec<&Did> = Vec::new();
        for did in issuers.chain(self.revokers()) {
            budget.spend(Cost::Steps(1 + used.len()))?;
            if !used.contains(&did) {
                used.push(did);
            }
        }
        used.sort_unstable();
        let used = used.into_iter().filter_map(|did| {
            let digest = self.documents.digest(did)?;
            let length = did.as_str().len() + 80;
            Some(budget.spend(Cost::Answered(length)).map(|()| UsedDocument {
                did: did.as_str().to_owned(),
                digest: base64::encode(digest),
            }))
        });
        Ok(used.collect::<Result<_, _>>()?)
    }
}

/// The document of a `did:web` that an answer depends on: another document could give another answer.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsedDocument {
    did: String,
    /// SHA-256 of the document as it was fetched, base64url.
    digest: String,
}

/// Looks up the issuers of tokens that are only shown. Past the lookup limit, an issuer is unknown.
pub fn documents_of(host: &mut dyn Host, tokens: &[Token], budget: &Budget) -> Documents {
    let mut documents = Documents::default();
    for token in tokens {
        let _ = look_up(&mut documents, host, token.issuer(), budget);
    }
    documents
}

/// Looks up the issuers of tokens whose answer must not depend on the others that were given.
///
/// # Errors
/// [`TooMuchWork`] past the lookup limit, or if there is no work left to read a document.
pub fn documents_of_all<'a>(
    host: &mut dyn Host,
    tokens: impl IntoIterator<Item = &'a Token>,
    budget: &Budget,
) -> Result<Documents, TooMuchWork> {
    let mut documents = Documents::default();
    for token in tokens {
        look_up(&mut documents, host, token.issuer(), budget)?;
    }
    Ok(documents)
}

/// Only actual requests count.
///
/// # Errors
/// [`TooMuchWork`] if this invocation of a batch has no lookup left, or there is no work left to read the document.
fn look_up(
    documents: &mut Documents,
    host: &mut dyn Host,
    issuer: &Did,
    budget: &Budget,
) -> Result<(), TooMuchWork> {
    if issuer.method() != "web" || documents.contains(issuer) {
        return Ok(());
    }
    let location = match did_document::locate(issuer) {
        Ok(location) => location,
        Err(error) => {
            documents.insert(issuer.clone(), Err(error.to_string()));
            return Ok(());
        }
    };
    if !budget.affords(Cost::Lookup) {
        return Err(TooMuchWork);
    }
    let keys = match host.fetch(&location.url) {
        Fetched::NotAsked(why) => {
            // The way from the plugin to the host and back.
            budget.spend(Cost::Steps(250))?;
            Err(why)
        }
        Fetched::Failed(why) => {
            budget.spend(Cost::Lookup)?;
            Err(why)
        }
        Fetched::Document(document) => {
            budget.spend(Cost::Lookup)?;
            match did_document::signing_keys_within(issuer, &document, budget) {
                Err(DocumentError::TooMuchWork) => {
                    // It was requested, so don't request it again.
                    let why = DocumentError::TooMuchWork.to_string();
                    documents.insert(issuer.clone(), Err(why));
                    return Err(TooMuchWork);
                }
                keys => keys
                    .map(|keys| LookedUp::of(keys, &document))
                    .map_err(|error| error.to_string()),
            }
        }
    };
    documents.insert(issuer.clone(), keys);
    Ok(())
}

/// Refuses what can't be passed on exactly: one such token among many would leave all of them without an answer.
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

/// A refused token as data: the rule, the reason in words, the token, and what the rule expected and found.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "TokenError"))]
pub struct Broken {
    #[cfg_attr(
        feature = "schema",
        schemars(with = "keyhole_ucan::error::TokenErrorName")
    )]
    name: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<keyhole_ucan::error::Why>")
    )]
    why: Option<&'static str>,
    cid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<DagJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<DagJson>,
}

impl Broken {
    /// The refusal as far as the answer has room: if there is little left, only its name and a sentence.
    pub fn within(error: TokenError, budget: &Budget) -> Self {
        let message = told(Ipld::String(error.message), budget).ok();
        let message = match message {
            Some(DagJson(Ipld::String(message))) => message,
            _ => "There is no room in this answer to say why.".to_owned(),
        };
        let told = |value| {
            let value = Some(value).filter(dag_json::has_form)?;
            told(value, budget).ok()
        };
        let (expected, found) = match error.finding {
            Some(finding) => (told(finding.expected), told(finding.found)),
            None => (None, None),
        };
        Self {
            name: error.name.as_str(),
            message,
            why: error.why.map(keyhole_ucan::error::Why::as_str),
            cid: error.cid.map(|cid| cid.to_string()),
            expected,
            found,
        }
    }
}
