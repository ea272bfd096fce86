//! The records of a capture, packed.

use std::io::{self, Read};
use std::path::Path;

use bytes::Bytes;
use fetch::{Exchange, Ids, Kept};
use jiff::Timestamp;
use warc::{Algorithm, Digest, Draft, Hasher, Name, Profile, RecordType, Version};

use super::lines::shortened;
use super::member::{Member, press, spill};
use super::worth;
use crate::about::About;
use crate::capture::Capture;
use crate::error::Error;
use crate::original::Original;

/// What a response's record is made from, or a revisit's in its place.
#[derive(Debug, Clone)]
pub(super) struct Makings {
    /// Header of the response's record.
    pub(super) draft: Draft,
    /// The answer's own head.
    pub(super) head: Bytes,
    /// The whole answer; `None` where the record is made already.
    pub(super) response: Option<Kept>,
    /// How hard it is worth packing.
    pub(super) level: u32,
}

impl Makings {
    /// Of an exchange of which something came.
    pub(super) fn new(
        about: &About,
        capture: &Capture<'_>,
        url: &str,
        date: Timestamp,
        ids: Ids<'_>,
        digest: Option<&Digest>,
    ) -> Result<Makings, Error> {
        let exchange = capture.exchange;
        let mut draft = exchange
            .header(&RecordType::Response, ids.response, url, date)
            .concurrent_to(ids.request)
            .content_type("application/http; msgtype=response");
        if let Some(truncated) = exchange.outcome.truncated() {
            draft = draft.with(Name::Truncated, truncated.name());
        }
        if let Some(digest) = digest {
            draft = draft.payload_digest(digest);
        }
        if is_media_type(capture.mime) {
            draft = draft.with(Name::IdentifiedPayloadType, capture.mime);
        }
        let head = match exchange.response.in_memory() {
            Some(bytes) => {
                let length = usize::try_from(exchange.head_bytes).unwrap_or(usize::MAX).min(bytes.len());
                bytes.slice(..length)
            }
            None => {
                let mut head = Vec::new();
                let mut start = exchange.response.reader().take(exchange.head_bytes);
                start.read_to_end(&mut head).map_err(warc_read)?;
                Bytes::from(head)
            }
        };
        let level = worth::of_answer(about.gzip_level, capture.mime, exchange);
        Ok(Makings { draft, head, response: Some(exchange.response.clone()), level })
    }

    /// The record with the payload.
    pub(super) fn response(
        &self,
        about: &About,
        folder: &Path,
        block: Option<&Digest>,
    ) -> Result<Member, Error> {
        let kept = self.response.clone().unwrap_or_default();
        match kept.in_memory().filter(|bytes| bytes.len() as u64 <= about.limits.memory_bytes) {
            Some(bytes) => {
                let digest = block.cloned().unwrap_or_else(|| Digest::of(Algorithm::Sha256, &bytes));
                let draft = self.draft.clone().block_digest(&digest);
                let mut member = Vec::with_capacity(bytes.len() / 3 + 1024);
                press(&draft, &bytes, self.level, &mut member)?;
                Ok(Member::Memory(member))
            }
            None => {
                let digest = match block {
                    Some(digest) => digest.clone(),
                    None => digest_of(kept.reader()).map_err(warc_read)?,
                };
                let draft = self.draft.clone().block_digest(&digest);
                spill(&draft, kept.len(), kept.reader(), self.level, about, folder).map(Member::Spilled)
            }
        }
    }

    /// The record that refers to another one's payload. The block is the head; of a 304 that is all there is.
    pub(super) fn revisit(
        &self,
        about: &About,
        profile: &Profile,
        original: &Original,
        payload: Option<&str>,
    ) -> Result<Member, Error> {
        let mut draft = self
            .draft
            .clone()
            .with(Name::RecordType, RecordType::Revisit.name())
            .revisit_of(profile, &original.url, original.date, original.record_id.as_deref())
            .block_digest(&Digest::of(Algorithm::Sha256, &self.head));
        if let Some(payload) = payload {
            draft = draft.with(Name::PayloadDigest, payload);
        }
        if *profile == Profile::IdenticalPayloadDigest {
            draft = draft.with(Name::Truncated, warc::Truncated::Length.name());
        }
        let mut member = Vec::with_capacity(1024);
        press(&draft, &self.head, worth::of_small(about.gzip_level), &mut member)?;
        Ok(Member::Memory(member))
    }
}

/// Appends the request, what is wrong with the certificate, and what is known besides.
pub(super) fn companions(
    about: &About,
    capture: &Capture<'_>,
    url: &str,
    date: Timestamp,
    ids: Ids<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let exchange = capture.exchange;
    if !exchange.request.is_empty() {
        let draft = exchange
            .header(&RecordType::Request, ids.request, url, date)
            .concurrent_to(ids.response)
            .content_type("application/http; msgtype=request")
            .block_digest(&Digest::of(Algorithm::Sha256, &exchange.request));
        press(&draft, &exchange.request, worth::of_small(about.gzip_level), out)?;
    }
    if let Some(mut ready) = exchange.certificate_record(&about.id(), ids) {
        let mut block = Vec::new();
        ready.block.read_to_end(&mut block).map_err(warc_read)?;
        let digest = Digest::of(Algorithm::Sha256, &block);
        let draft = at(ready.draft, date).target_uri(url).block_digest(&digest);
        press(&draft, &block, worth::of_small(about.gzip_level), out)?;
    }
    if about.metadata {
        let block = metadata(capture);
        let draft = Draft::new(Version::Warc1_1, &RecordType::Metadata, &about.id(), date)
            .target_uri(url)
            .concurrent_to(ids.response)
            .content_type("application/warc-fields")
            .block_digest(&Digest::of(Algorithm::Sha256, &block));
        press(&draft, &block, worth::of_small(about.gzip_level), out)?;
    }
    Ok(())
}

/// The name servers' answer: its record, and the digest of what it says.
pub(super) fn dns(about: &About, answer: &fetch::dns::Answer, id: &str) -> Result<(Vec<u8>, String), Error> {
    let block = answer.text().into_bytes();
    let digest = Digest::of(Algorithm::Sha256, &block);
    let draft = answer.record(id, None).draft.block_digest(&digest).payload_digest(&digest);
    let mut member = Vec::new();
    press(&at(draft, to_millisecond(answer.at)), &block, worth::of_small(about.gzip_level), &mut member)?;
    Ok((member, digest.to_string()))
}

/// Digest of the body as it was sent; `None` where there is none to speak of.
pub(super) fn payload_digest(exchange: &Exchange) -> Result<Option<Digest>, Error> {
    if exchange.body_bytes() == 0 {
        return Ok(None);
    }
    if let Some(digest) = sha256(&exchange.digests.payload) {
        return Ok(Some(digest.clone()));
    }
    match exchange.response.in_memory() {
        Some(bytes) => {
            let head = usize::try_from(exchange.head_bytes).unwrap_or(usize::MAX);
            Ok(Some(Digest::of(Algorithm::Sha256, bytes.get(head..).unwrap_or_default())))
        }
        None => digest_of(exchange.body()).map(Some).map_err(warc_read),
    }
}

/// The digest that we write, if it has been computed already.
pub(super) fn sha256(digests: &[Digest]) -> Option<&Digest> {
    digests.iter().find(|digest| digest.algorithm() == Algorithm::Sha256)
}

/// To the millisecond: what a line of the index tells, and no more.
pub(super) fn to_millisecond(time: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(time.as_millisecond()).unwrap_or(time)
}

fn at(draft: Draft, date: Timestamp) -> Draft {
    draft.with(Name::Date, &urlkey::time::to_warc_date_precise(date))
}

fn warc_read(source: io::Error) -> Error {
    Error::Record(warc::Error::Read { offset: 0, source })
}

fn digest_of(mut source: impl Read) -> io::Result<Digest> {
    let mut hasher = Hasher::new(Algorithm::Sha256);
    let mut piece = vec![0; 256 << 10];
    loop {
        match source.read(&mut piece) {
            Ok(0) => return Ok(hasher.finish()),
            Ok(count) => hasher.update(piece.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// How it was found and where it leads, as Heritrix writes it.
fn metadata(capture: &Capture<'_>) -> Vec<u8> {
    let total = capture.exchange.times.total.as_millis().to_string();
    let mut fields: Vec<(&str, &str)> = Vec::new();
    fields.extend(capture.via.map(|via| ("via", via)));
    let hops = shortened(capture.hops);
    fields.push(("hopsFromSeed", &hops));
    fields.push(("fetchTimeMs", &total));
    let outlinks: Vec<String> = capture
        .outlinks
        .unwrap_or_default()
        .iter()
        .map(|link| format!("{} {} {}", link.url, link.hop, link.context))
        .collect();
    fields.extend(outlinks.iter().map(|link| ("outlink", link.as_str())));
    warc::warcinfo_block(&fields)
}

fn is_media_type(mime: &str) -> bool {
    let is_token =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_graphic() && byte != b';');
    mime.len() <= 200 && mime.split_once('/').is_some_and(|(kind, format)| is_token(kind) && is_token(format))
}
