//! Compares a record's digests with its bytes while they are read.
//!
//! What the payload digest covers is told differently by different writers: for a chunked response the standard means
//! the body without chunk framing, most tools hash it as stored. Either is accepted; see docs/formats/warc.md.

use crate::digest::{Digest, Hasher};
use crate::fault::{Fault, FaultKind};
use crate::http::{Dechunker, HttpHead};
use crate::record::{Head, Name, RecordType};

#[derive(Debug)]
pub(crate) struct Verifier {
    block: Option<(Digest, Hasher)>,
    payload: Option<Payload>,
}

#[derive(Debug)]
struct Payload {
    expected: Digest,
    stored: Hasher,
    /// The same without chunk framing, where the head says that there is some.
    unchunked: Option<(Dechunker, Hasher)>,
    /// The start of an HTTP message whose head has not come whole; `None` once the payload has begun.
    head: Option<Vec<u8>>,
    head_bytes_max: usize,
}

impl Verifier {
    /// For the record of this head; digests that cannot be compared are left out.
    pub(crate) fn new(head: &Head, head_bytes_max: usize) -> Verifier {
        let block = head.block_digest().and_then(Result::ok);
        // A revisit's payload lies elsewhere, and a segment's digest is that of all segments together.
        let comparable =
            *head.record_type() != RecordType::Revisit && head.get(Name::SegmentNumber).is_none();
        let payload =
            head.payload_digest().and_then(Result::ok).filter(|_| comparable).map(|expected| Payload {
                stored: Hasher::new(expected.algorithm()),
                expected,
                unchunked: None,
                head: head.holds_http().then(Vec::new),
                head_bytes_max,
            });
        Verifier { block: block.map(|digest| (digest.clone(), Hasher::new(digest.algorithm()))), payload }
    }

    /// Takes in further bytes of the block.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        if let Some((_, hasher)) = &mut self.block {
            hasher.update(bytes);
        }
        if let Some(payload) = &mut self.payload {
            payload.update(bytes);
        }
    }

    /// Says what does not agree.
    pub(crate) fn finish(self, offset: u64, faults: &mut dyn FnMut(Fault)) {
        if let Some((expected, hasher)) = self.block {
            let found = hasher.finish();
            if found != expected {
                let message = format!("the block's digest is {found}, its header says {expected}");
                faults(Fault::new(offset, FaultKind::BlockDigest, message));
            }
        }
        if let Some(payload) = self.payload {
            let expected = payload.expected.clone();
            if let Some(found) = payload.mismatch() {
                let message = format!("the payload's digest is {found}, its header says {expected}");
                faults(Fault::new(offset, FaultKind::PayloadDigest, message));
            }
        }
    }
}

impl Payload {
    fn update(&mut self, bytes: &[u8]) {
        let Some(mut held) = self.head.take() else {
            return self.hash(bytes);
        };
        // Nearly always the whole head comes at once, and nothing is copied.
        if held.is_empty()
            && let Some((head, length)) = HttpHead::parse_whole(bytes)
        {
            return self.begin(&head, bytes.get(length..).unwrap_or_default());
        }
        held.extend_from_slice(bytes);
        match HttpHead::parse_whole(&held) {
            Some((head, length)) => self.begin(&head, held.get(length..).unwrap_or_default()),
            None if held.len() < self.head_bytes_max && HttpHead::may_start(&held) => self.head = Some(held),
            None => self.hash(&held),
        }
    }

    fn begin(&mut self, head: &HttpHead, body: &[u8]) {
        if head.is_chunked() {
            self.unchunked = Some((Dechunker::default(), Hasher::new(self.expected.algorithm())));
        }
        self.hash(body);
    }

    fn hash(&mut self, bytes: &[u8]) {
        self.stored.update(bytes);
        if let Some((chunks, hasher)) = &mut self.unchunked {
            chunks.feed(bytes, &mut |body| hasher.update(body));
        }
    }

    /// The digest as stored, if neither reading of "payload" agrees.
    fn mismatch(mut self) -> Option<Digest> {
        // Held back to the end as the start of a head: one without its blank line, or a payload that never had a head.
        if let Some(held) = self.head.take()
            && HttpHead::parse(&held).is_none()
        {
            self.hash(&held);
        }
        let found = self.stored.finish();
        if found == self.expected {
            return None;
        }
        if let Some((mut chunks, mut hasher)) = self.unchunked {
            chunks.end(&mut |body| hasher.update(body));
            if hasher.finish() == self.expected {
                return None;
            }
        }
        Some(found)
    }
}
