//! One exchange on one line, for people and for programs.

use fetch::{Exchange, Outcome, TrailEnd};
use serde::Serialize;
use url::Url;

use crate::terminal::{Align, Columns, bytes};

/// An exchange as `--json` prints it.
#[derive(Serialize)]
pub(super) struct Row {
    url: String,
    method: String,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    status: Option<u16>,
    body_bytes: u64,
    response_bytes: u64,
    milliseconds: u64,
    first_byte_milliseconds: Option<u64>,
    start: String,
    #[serde(rename = "type")]
    media_type: Option<String>,
    redirect: Option<String>,
    ip: Option<String>,
    is_reused: bool,
    protocol: Option<&'static str>,
    tls: Option<&'static str>,
    cipher: Option<String>,
    certificate: Option<&'static str>,
    digest: Option<String>,
    oddities: Vec<String>,
}

impl Row {
    pub(super) fn of(exchange: &Exchange) -> Row {
        let milliseconds = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let tls = exchange.tls.as_deref();
        Row {
            url: shown(&exchange.url),
            method: exchange.method.clone(),
            outcome: exchange.outcome.code(),
            reason: (!exchange.outcome.is_complete()).then(|| exchange.outcome.to_string()),
            status: exchange.status(),
            body_bytes: exchange.body_bytes(),
            response_bytes: exchange.response.len(),
            milliseconds: milliseconds(exchange.times.total),
            first_byte_milliseconds: exchange.times.first_byte.map(milliseconds),
            start: urlkey::time::to_warc_date_precise(exchange.times.start),
            media_type: exchange.media_type(),
            redirect: exchange.redirect.as_ref().map(shown),
            ip: exchange.peer.map(|peer| peer.ip().to_string()),
            is_reused: exchange.is_reused,
            protocol: exchange.version.and_then(fetch::http1::Version::protocol),
            tls: tls.map(|tls| tls.version),
            cipher: tls.map(|tls| tls.cipher.clone()),
            certificate: tls.map(|tls| tls.certificate.code()),
            digest: exchange.digests.payload.first().map(ToString::to_string),
            oddities: exchange.oddities.iter().map(ToString::to_string).collect(),
        }
    }
}

/// What was no URL, as `--json` prints it.
#[derive(Serialize)]
pub(super) struct BadRow<'a> {
    url: &'a str,
    outcome: &'static str,
    reason: &'a str,
}

impl<'a> BadRow<'a> {
    pub(super) fn new(text: &'a str, reason: &'a str) -> BadRow<'a> {
        BadRow { url: text, outcome: "bad-url", reason }
    }
}

/// A URL as it is printed: a password is not for the screen, nor for whoever keeps what is printed.
pub(super) fn shown(url: &Url) -> String {
    fetch::without_password(url).into()
}

/// Status or what went wrong, bytes of the body, time, type, URL, and what is to be said about it.
pub(super) fn line(exchange: &Exchange) -> String {
    let columns = Columns::new([
        // Wide enough for the words of what usually goes wrong.
        (Align::Left, 16),
        (Align::Right, 9),
        (Align::Right, 9),
        (Align::Left, 24),
        (Align::Left, 0),
    ]);
    let status = match (exchange.status(), &exchange.outcome) {
        (Some(status), _) => status.to_string(),
        (None, Outcome::Complete) => "-".to_owned(),
        (None, outcome) => outcome.code().to_owned(),
    };
    let time = format!("{} ms", exchange.times.total.as_millis());
    let media = exchange.media_type().unwrap_or_else(|| "-".to_owned());
    let mut said = shown(&exchange.url);
    if let Some(target) = &exchange.redirect {
        said.push_str(&format!(" -> {}", shown(target)));
    }
    if !exchange.outcome.is_complete() {
        said.push_str(&format!(" ({})", exchange.outcome));
    }
    if let Some(tls) = exchange.tls.as_ref().filter(|tls| tls.certificate != fetch::tls::Verdict::Valid) {
        said.push_str(&format!(" (certificate: {})", tls.certificate));
    }
    columns.row([status.as_str(), &bytes(exchange.body_bytes()), &time, &media, &said])
}

/// What is to be said about a chain of redirects that did not arrive.
pub(super) fn trail_problem(end: TrailEnd) -> Option<&'static str> {
    match end {
        TrailEnd::Arrived => None,
        TrailEnd::TooMany => Some("redirects once too often; not followed any further"),
        TrailEnd::Loop => Some("redirects in a circle; not followed any further"),
        TrailEnd::OtherScheme => Some("redirects to what is not fetched"),
        _ => Some("redirects; not followed any further"),
    }
}
