//! An exchange as WARC records: request, response, the answer of the name servers, and what is wrong with a certificate.
//!
//! The headers are made here; blocks are read from the kept bytes while they are written, so no response is ever whole in
//! memory. Ids are handed in.

use std::io::Read;

use jiff::Timestamp;
use warc::{Algorithm, Digest, Draft, Name, RecordType, Version};

use crate::dns::Answer;
use crate::exchange::Exchange;
use crate::request::without_password;
use crate::tls::Verdict;

/// A record that is ready to be written: `writer.write_from(&record.draft, record.length, record.block)`.
pub struct Ready<'a> {
    /// Its header.
    pub draft: Draft,
    /// Bytes of its block.
    pub length: u64,
    /// Its block.
    pub block: Box<dyn Read + Send + 'a>,
}

/// The ids that the records of an exchange get: URIs such as `urn:uuid:…`, without angle brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ids<'a> {
    /// Of the request's record.
    pub request: &'a str,
    /// Of the response's.
    pub response: &'a str,
    /// Of the warcinfo record of the file, if there is one.
    pub warcinfo: Option<&'a str>,
}

impl Exchange {
    /// The record of the response; `None` if nothing of it came.
    #[must_use]
    pub fn response_record(&self, ids: Ids<'_>) -> Option<Ready<'_>> {
        let length = self.response.len();
        if length == 0 {
            return None;
        }
        let mut draft = self.draft(&RecordType::Response, ids.response, ids);
        draft = draft.content_type("application/http; msgtype=response");
        if let Some(truncated) = self.outcome.truncated() {
            draft = draft.with(Name::Truncated, truncated.name());
        }
        if let Some(digest) = preferred(&self.digests.payload) {
            draft = draft.payload_digest(digest);
        }
        if let Some(digest) = preferred(&self.digests.block) {
            draft = draft.block_digest(digest);
        }
        Some(Ready { draft, length, block: Box::new(self.response.reader()) })
    }

    /// The record of the request; `None` if it was not sent.
    #[must_use]
    pub fn request_record(&self, ids: Ids<'_>) -> Option<Ready<'_>> {
        if self.request.is_empty() {
            return None;
        }
        let mut draft = self.draft(&RecordType::Request, ids.request, ids);
        draft = draft.content_type("application/http; msgtype=request");
        if !self.response.is_empty() {
            draft = draft.concurrent_to(ids.response);
        }
        let algorithms = [&self.digests.block, &self.digests.payload];
        let algorithm = algorithms.into_iter().flatten().next().map_or(Algorithm::Sha1, Digest::algorithm);
        let draft = draft.block_digest(&Digest::of(algorithm, &self.request));
        Some(Ready { draft, length: self.request.len() as u64, block: Box::new(self.request.as_ref()) })
    }

    /// A record that says what is wrong with the server's certificate; `None` if nothing is, or nothing was answered.
    #[must_use]
    pub fn certificate_record(&self, id: &str, ids: Ids<'_>) -> Option<Ready<'static>> {
        let tls = self.tls.as_ref().filter(|tls| tls.certificate != Verdict::Valid)?;
        if self.response.is_empty() {
            return None;
        }
        let own = tls.chain.first().map(|der| Digest::of(Algorithm::Sha256, der).to_string());
        let block = warc::warcinfo_block(&[
            ("certificate", tls.certificate.code()),
            ("certificate-reason", &tls.certificate.to_string()),
            ("certificate-digest", own.as_deref().unwrap_or_default()),
        ]);
        let draft = self
            .draft(&RecordType::Metadata, id, ids)
            .content_type("application/warc-fields")
            .concurrent_to(ids.response)
            .block_digest(&Digest::of(Algorithm::Sha1, &block));
        Some(Ready { draft, length: block.len() as u64, block: Box::new(std::io::Cursor::new(block)) })
    }

    fn draft(&self, kind: &RecordType, id: &str, ids: Ids<'_>) -> Draft {
        let mut url = without_password(&self.url);
        url.set_fragment(None);
        let mut draft = self.header(kind, id, url.as_str(), self.times.start);
        if let Some(warcinfo) = ids.warcinfo {
            draft = draft.warcinfo_id(warcinfo);
        }
        if *kind == RecordType::Response {
            draft = draft.concurrent_to(ids.request);
        }
        draft
    }

    /// What all records of an exchange say: what they are, and how the exchange was made. For those who write records their own
    /// way; `url` is the address without password and fragment, `date` when it began.
    #[must_use]
    pub fn header(&self, kind: &RecordType, id: &str, url: &str, date: Timestamp) -> Draft {
        let mut draft = Draft::new(Version::Warc1_1, kind, id, date).target_uri(url);
        // A proxy's address is not the server's.
        if let Some(peer) = self.peer.filter(|_| !self.by_proxy) {
            draft = draft.ip_address(peer.ip().to_canonical());
        }
        if let Some(protocol) = self.version.and_then(crate::http1::Version::protocol) {
            draft = draft.with(Name::Protocol, protocol);
        }
        if let Some(tls) = &self.tls {
            draft = draft.with(Name::Protocol, tls.version).with(Name::CipherSuite, &tls.cipher);
        }
        draft
    }
}

impl Answer {
    /// The record of a lookup, as Heritrix writes it: a response of type `text/dns`.
    #[must_use]
    pub fn record(&self, id: &str, warcinfo: Option<&str>) -> Ready<'static> {
        let text = self.text().into_bytes();
        let digest = Digest::of(Algorithm::Sha1, &text);
        let mut draft = Draft::new(Version::Warc1_1, &RecordType::Response, id, self.at)
            .target_uri(&format!("dns:{}", self.name))
            .content_type("text/dns")
            .block_digest(&digest)
            .payload_digest(&digest);
        if let Some(warcinfo) = warcinfo {
            draft = draft.warcinfo_id(warcinfo);
        }
        if let Some(server) = self.server {
            draft = draft.ip_address(server.ip());
        }
        Ready { draft, length: text.len() as u64, block: Box::new(std::io::Cursor::new(text)) }
    }
}

/// A record has one digest of a kind: SHA-1 if it was asked for, because other programs expect that.
fn preferred(digests: &[Digest]) -> Option<&Digest> {
    digests.iter().find(|digest| digest.algorithm() == Algorithm::Sha1).or_else(|| digests.first())
}
