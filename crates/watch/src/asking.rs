//! Asking a server: politely, by what is known, along its redirects.

use std::time::Duration;

use fetch::gate::Door;
use fetch::{Exchange, Fetcher, Request, TrailEnd};
use tokio::sync::Semaphore;
use url::Url;

use crate::address::gate_host;
use crate::claims;
use crate::known::Known;
use crate::limits::Limits;
use crate::settings::How;

/// Who asks.
#[derive(Debug)]
pub(crate) struct Asker {
    pub(crate) fetcher: Fetcher,
    pub(crate) door: Door,
    /// Exchanges under way at once.
    pub(crate) slots: Semaphore,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Each exchange but the last redirects to the next.
    pub(crate) exchanges: Vec<Exchange>,
    /// Why there is no further one.
    pub(crate) end: TrailEnd,
    /// HEAD was enough.
    pub(crate) is_head: bool,
    /// How long all of it took.
    pub(crate) took: Duration,
}

impl Asker {
    /// Asks for a document (E1).
    pub(crate) async fn ask(&self, url: &Url, known: Option<&Known>, how: How, limits: &Limits) -> Answer {
        let was_large = known.is_some_and(|known| known.is_large) && !how.force;
        let mut took = Duration::ZERO;
        if how.head_first || was_large {
            let head = self.walk(Request::new("HEAD", url.clone())).await;
            if settles(&head, known, how, limits) {
                return Answer { is_head: true, ..head };
            }
            took = head.took;
        }
        let mut request = Request::get(url.clone());
        request.condition = known.map(Known::condition).unwrap_or_default();
        // The document must be taken once to be there at all.
        if how.force && known.is_some_and(|known| known.is_large) {
            request.condition = fetch::Condition::default();
        }
        request.body_bytes_max = Some(if how.force { limits.forced_bytes } else { limits.document_bytes });
        let answer = self.walk(request).await;
        Answer { took: took + answer.took, ..answer }
    }

    /// Follows redirects; the gate is asked before each request, and told how it went.
    async fn walk(&self, request: Request) -> Answer {
        let mut walk = self.fetcher.walk(request);
        let mut exchanges: Vec<Exchange> = Vec::new();
        while let Some(next) = walk.next_url() {
            let mut pass = self.door.enter(&gate_host(next), None).await;
            // Closed by nobody.
            let _slot = self.slots.acquire().await;
            pass.sending();
            let Some(exchange) = walk.step().await else { break };
            pass.done(exchange.went(self.fetcher.settings().clock.now()));
            exchanges.push(exchange);
        }
        let took = exchanges.iter().map(|exchange| exchange.times.total).sum();
        Answer { exchanges, end: walk.end(), is_head: false, took }
    }
}

/// Whether HEAD has told enough: the document is too large, or its length and digest are as before.
fn settles(answer: &Answer, known: Option<&Known>, how: How, limits: &Limits) -> bool {
    let Some(exchange) = answer.exchanges.last() else { return false };
    let is_good = answer.end == TrailEnd::Arrived
        && exchange.outcome.is_complete()
        && exchange.status().is_some_and(|status| (200..300).contains(&status));
    let Some(head) = exchange.head.as_ref().filter(|_| is_good) else { return false };
    let length = announced(head);
    if !how.force && length.is_some_and(|length| length > limits.document_bytes) {
        return true;
    }
    let digest = claims::text(&claims::of(head));
    known.is_some_and(|known| {
        known.newest > 0
            && length.is_some()
            && digest.is_some()
            && known.sent_length == length
            && known.sent_digest == digest
    })
}

/// The length that a head announces.
pub(crate) fn announced(head: &warc::HttpHead) -> Option<u64> {
    head.text("content-length")?.trim().parse().ok()
}
