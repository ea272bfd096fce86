//! One POST request, of which only the status of the answer matters.

use url::Url;

use super::Webhook;
use crate::error::Error;
use crate::wire::Wire;

/// The most interim answers before the one that counts.
const INTERIM_MAX: usize = 10;

/// Sends it. Redirects are not followed: what is told here is told to nobody else.
pub(super) fn post(webhook: &Webhook, fields: &[(&str, String)], body: &[u8]) -> Result<(), Error> {
    let Webhook { allowed, roots, limits, .. } = webhook;
    let url = &webhook.hook.0;
    let wrong = |why: &str| Error::Given { text: url.scheme().to_owned(), why: why.to_owned() };
    let host = url.host_str().ok_or_else(|| wrong("it has no host"))?;
    let port = url.port_or_known_default().ok_or_else(|| wrong("it has no port"))?;
    let mut wire = Wire::connect(host, port, allowed, limits)?;
    if url.scheme() == "https" {
        wire = wire.secure(roots)?;
    }
    let sent = wire.send(&[head(url, fields, body.len()).as_bytes(), body].concat());
    // Who refuses it early may do so before all of it is there, and says why.
    let outcome = match (sent, status(&mut wire)) {
        (Err(error), Err(Error::BrokeOff { .. })) => Err(error),
        (_, outcome) => outcome,
    };
    wire.finish();
    outcome
}

fn head(url: &Url, fields: &[(&str, String)], length: usize) -> String {
    let authority = match (url.host_str().unwrap_or_default(), url.port()) {
        (host, Some(port)) => format!("{host}:{port}"),
        (host, None) => host.to_owned(),
    };
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut head = format!("POST {}{query} HTTP/1.1\r\nhost: {authority}\r\n", url.path());
    head.push_str(concat!("user-agent: varve/", env!("CARGO_PKG_VERSION"), "\r\nconnection: close\r\n"));
    head.push_str(&format!("content-length: {length}\r\n"));
    for (name, value) in fields {
        // None of ours has any; that one came in from outside must not make two of it.
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    head
}

/// What the answer means.
fn status(wire: &mut Wire) -> Result<(), Error> {
    for _ in 0..INTERIM_MAX {
        let line = wire.line()?;
        let answer: String = line.chars().filter(|c| !c.is_control()).take(200).collect();
        let code = line.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)?.parse::<u16>().ok());
        let host = wire.shown().to_owned();
        match code {
            Some(100..200) => while !wire.line()?.is_empty() {},
            Some(200..300) => return Ok(()),
            Some(code) => {
                // Too early, too often, or not now: it may be different later.
                let is_final = !matches!(code, 408 | 425 | 429 | 500..);
                return Err(Error::Refused { host, step: "the event".to_owned(), answer, is_final });
            }
            None => return Err(Error::Strange { host, answer }),
        }
    }
    Err(Error::TooMuch { host: wire.shown().to_owned() })
}
