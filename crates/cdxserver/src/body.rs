//! From an answer that is being made to the body of a response: at once where it is short, else part by part as the client takes it.

use std::io::{self, Write as _};

use api::Scan;
use api::blocking;
use api::stepwise::{Part, Progress, Source, Stepwise};
use api::{Error, Limits};
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::answer::Answer;

/// Rows that are looked at on a thread of their own, before somebody looks whether the client is still there.
pub(crate) const ROWS_PER_STEP: usize = 50_000;

/// The response for an answer. What a few rows answer is made here and now: handing it to another thread takes longer.
pub(crate) async fn respond(mut answer: Answer, limits: &Limits, may_pack: bool) -> Result<Response, Error> {
    let content_type = answer.output.content_type();
    let mut out = Vec::with_capacity(1024);
    let mut progress = answer.fill(&mut out, limits.chunk_bytes, limits.rows_at_once)?;
    let (scan, watch) = (answer.scan().clone(), answer.scan().watch());
    // It may prove too long for its order, which can only be said before the head has gone out.
    while answer.is_gathering() {
        let (chunk_bytes, turn) = (limits.chunk_bytes, scan.first_turn().await?);
        (answer, out, progress) = blocking(move || {
            let progress = answer.fill(&mut out, chunk_bytes, ROWS_PER_STEP)?;
            drop(turn);
            Ok((answer, out, progress))
        })
        .await?;
    }
    if progress == Progress::Over {
        watch.finish();
        let is_packed = may_pack && out.len() >= limits.packed_bytes;
        let out = if is_packed { packed(&out)? } else { out };
        return Ok(response(Body::from(out), content_type, is_packed));
    }
    let mut making = Making { answer, packer: may_pack.then(packer), chunk_bytes: limits.chunk_bytes };
    let first = making.pack(out, Progress::More).map_err(unpackable)?;
    Ok(response(Body::from_stream(Stepwise::after(first, making).watched_by(watch)), content_type, may_pack))
}

/// Whether a client takes packed answers.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused = matches!(quality.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000");
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

/// A response with this body. Archived text is shown as text, whatever it looks like.
pub(crate) fn response(body: Body, content_type: &'static str, is_packed: bool) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::OK;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_packed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

fn packer() -> GzEncoder<Vec<u8>> {
    GzEncoder::new(Vec::new(), Compression::fast())
}

fn packed(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut packer = packer();
    packer.write_all(bytes).and_then(|()| packer.finish()).map_err(unpackable)
}

/// Packing in memory does not fail; if it does all the same, that is a fault of ours.
fn unpackable(error: io::Error) -> Error {
    tracing::error!("an answer could not be packed: {error}");
    Error::Archive(archive::Error::Panicked)
}

/// An answer, and perhaps what packs it.
struct Making {
    answer: Answer,
    packer: Option<GzEncoder<Vec<u8>>>,
    chunk_bytes: usize,
}

impl Source for Making {
    fn scan(&self) -> Option<Scan> {
        Some(self.answer.scan().clone())
    }

    fn next(&mut self) -> io::Result<Part> {
        let mut out = Vec::with_capacity(self.chunk_bytes + 1024);
        let progress = self.answer.fill(&mut out, self.chunk_bytes, ROWS_PER_STEP).map_err(|error| {
            error.log();
            io::Error::other(error)
        })?;
        Ok((self.pack(out, progress)?, progress))
    }
}

impl Making {
    fn pack(&mut self, out: Vec<u8>, progress: Progress) -> io::Result<Vec<u8>> {
        let Some(packer) = &mut self.packer else { return Ok(out) };
        packer.write_all(&out)?;
        if progress == Progress::Over {
            packer.try_finish()?;
        }
        Ok(std::mem::take(packer.get_mut()))
    }
}
