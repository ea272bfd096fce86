//! What differs between two versions, as a reader sees it.

use std::io::Read as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use diff::{Document, Habits, Limits, Outcome, RuleSet, Rules};
use extract::charset::{Charset, Decoder};
use extract::mime::Mime;

use crate::blocking::blocking;
use crate::change::Change;
use crate::error::Error;
use crate::monitor::Monitor;
use crate::version::Version;

/// What differs between two versions.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What the rules make of it; `None` if one of the two is no text, or too long to be compared.
    pub outcome: Option<Outcome>,
    /// What the rules keep of the older one.
    pub old_text: String,
    /// And of the newer one.
    pub new_text: String,
    /// Why a rule was not heeded, if one was not.
    pub fault: Option<String>,
}

impl Comparison {
    /// Whether the change is worth telling. One that cannot be read is, unless somebody waits for a text.
    #[must_use]
    pub fn is_meaningful(&self, rules: &RuleSet) -> bool {
        match &self.outcome {
            Some(outcome) => outcome.is_meaningful(),
            None => !rules.has_triggers(),
        }
    }
}

/// A document as text; `None` if it is none. Not for a thread that others wait for.
pub(crate) fn text(bytes: &[u8], version: &Version) -> Option<String> {
    let named = match version.charset.as_str() {
        "" => version.media_type.clone(),
        charset => format!("{}; charset={charset}", version.media_type),
    };
    let charset = Charset::find(bytes, &Mime::parse(&named)?)?;
    // What has these is called text and is none.
    let is_binary = bytes.get(..8192).unwrap_or(bytes).contains(&0) && charset.encoding.is_ascii_compatible();
    (!is_binary).then(|| Decoder::new(charset.encoding).decode(bytes, true).into_owned())
}

/// A document to be compared by what it says.
fn document(bytes: &[u8], version: &Version, limits: &Limits) -> Option<Document> {
    Document::of_type(&version.media_type, &text(bytes, version)?, limits).ok()
}

/// Compares two documents. Not for a thread that others wait for.
pub(crate) fn compare(
    (old, old_version): (&[u8], &Version),
    (new, new_version): (&[u8], &Version),
    rules: &RuleSet,
    habits: &Habits,
) -> Comparison {
    let limits = Limits::default();
    let (rules, mut fault) = match Rules::new(rules, &limits) {
        Ok(rules) => (rules, None),
        Err(error) => (Rules::none(&limits), Some(error.to_string())),
    };
    let none = |fault| Comparison { outcome: None, old_text: String::new(), new_text: String::new(), fault };
    let (Some(old), Some(new)) = (document(old, old_version, &limits), document(new, new_version, &limits))
    else {
        return none(fault);
    };
    let outcome = diff::compare(&old, &new, &rules, habits).or_else(|error| {
        fault = Some(error.to_string());
        diff::compare(&old, &new, &Rules::none(&limits), habits)
    });
    let kept = |document: &Document| rules.text(document).unwrap_or_default();
    Comparison { outcome: outcome.ok(), old_text: kept(&old), new_text: kept(&new), fault }
}

/// What rules keep of a document, and how many lines they do not; `None` if it is no text.
pub(crate) fn kept(
    bytes: &[u8],
    version: &Version,
    rules: &Rules,
) -> Result<Option<(String, usize)>, diff::Error> {
    let limits = Limits::default();
    let Some(document) = document(bytes, version, &limits) else { return Ok(None) };
    let all = Rules::none(&limits).text(&document)?.lines().count();
    let text = rules.text(&document)?;
    let left_out = all.saturating_sub(text.lines().count());
    Ok(Some((text, left_out)))
}

impl Monitor {
    /// The bytes of a version, if they are not too many to be compared.
    pub(crate) async fn bytes(&self, url: &url::Url, version: &Version) -> Result<Option<Vec<u8>>, Error> {
        if version.length > Limits::default().text_bytes_max as u64 {
            return Ok(None);
        }
        let mut payload = self.payload(url, version).await?;
        let lost = || Error::Lost { url: url.to_string(), number: version.number };
        let read = blocking(move || {
            let mut bytes = Vec::new();
            payload.read_to_end(&mut bytes).map(|_| bytes)
        });
        read.await?.map(Some).map_err(|_| lost())
    }

    /// Compares two versions by rules.
    pub(crate) async fn compare(
        &self,
        url: &url::Url,
        change: &Change,
        rules: &RuleSet,
        habits: &Habits,
    ) -> Result<Comparison, Error> {
        let (old, new) = (self.bytes(url, &change.before).await?, self.bytes(url, &change.after).await?);
        let Some((old, new)) = old.zip(new) else {
            let (old_text, new_text) = (String::new(), String::new());
            return Ok(Comparison { outcome: None, old_text, new_text, fault: None });
        };
        let (change, rules, habits) = (change.clone(), rules.clone(), habits.clone());
        // A page that nobody foresaw is told as changed, and keeps nobody from the others.
        let comparing = move || {
            let compared = || compare((&old, &change.before), (&new, &change.after), &rules, &habits);
            catch_unwind(AssertUnwindSafe(compared))
        };
        Ok(blocking(comparing).await?.unwrap_or_else(|_| {
            let fault = Some("the comparison has failed; this is a fault of the program".to_owned());
            Comparison { outcome: None, old_text: String::new(), new_text: String::new(), fault }
        }))
    }
}
