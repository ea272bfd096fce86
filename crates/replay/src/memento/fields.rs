//! The head of an answer: what of the archived one is passed on, and what keeps the page in its place.
//!
//! Nothing of what was archived reaches the browser under its own name, unless it is on the short list of what a page cannot do
//! without. So a header that nobody has thought of yet is harmless as well.

use archive::Found;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use rewrite::{Modifier, Place};

use crate::visit::Visit;

/// What the archived answer may say for itself, after rewriting.
const PASSED_ON: [&str; 7] = [
    "content-type",
    "content-language",
    "content-disposition",
    "content-range",
    "location",
    "refresh",
    "set-cookie",
];

/// Before the name of a field that is only told.
const TOLD: &str = "x-archive-orig-";

/// What no archived page has a use for in an archive.
const PERMISSIONS: &str = "accelerometer=(), bluetooth=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), \
    magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), serial=(), usb=()";

/// The archived head, rewritten; of a payload that is passed on as it was sent with its coding.
pub(crate) fn archived(visit: &Visit, found: &Found, place: Option<&Place>, is_raw: bool) -> HeaderMap {
    let mut fields = HeaderMap::new();
    let Some(head) = &found.head else {
        insert(&mut fields, header::CONTENT_TYPE, &found.mime);
        return fields;
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut left = visit.replay.limits().head_bytes;
    let fits = |(name, value): &(&[u8], &[u8])| {
        let length = name.len() + value.len() + TOLD.len();
        let fits = left >= length;
        left = left.saturating_sub(if fits { length } else { 0 });
        fits
    };
    let sent: Vec<(String, String)> =
        head.fields().filter(fits).map(|(name, value)| (text(name), text(value))).collect();
    let rewritten = match place {
        Some(place) => rewrite::headers(place, &sent),
        None => sent,
    };
    for (name, value) in rewritten {
        let name = name.to_ascii_lowercase();
        let is_coding = is_raw && name == "content-encoding";
        let is_passed_on = PASSED_ON.contains(&name.as_str()) || name.starts_with(TOLD) || is_coding;
        let name = if is_passed_on { name } else { format!("{TOLD}{name}") };
        // What is no name or value of a header could be two of them.
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            fields.append(name, value);
        }
    }
    if !fields.contains_key(header::CONTENT_TYPE) {
        insert(&mut fields, header::CONTENT_TYPE, &found.mime);
    }
    fields
}

/// What keeps a page of the archive from reaching, or being reached by, anything else.
pub(crate) fn guard(visit: &Visit, modifier: Modifier, fields: &mut HeaderMap) {
    insert(fields, header::CONTENT_SECURITY_POLICY, &policy(&visit.replay.settings().pages, modifier));
    // The address of a page leads what escapes from it back to its time, and is nobody else's business.
    insert(fields, header::REFERRER_POLICY, "same-origin");
    insert(fields, HeaderName::from_static("x-dns-prefetch-control"), "off");
    insert(fields, HeaderName::from_static("permissions-policy"), PERMISSIONS);
    // Whoever opened it, the pages above all, cannot be led elsewhere by it.
    insert(fields, HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
}

/// Lets nothing be loaded, sent or embedded that is not the archive's.
fn policy(pages: &str, modifier: Modifier) -> String {
    let within = "'self' 'unsafe-inline' 'unsafe-eval' data: blob:";
    let mut policy = format!(
        "default-src {within}; script-src {within}; style-src {within}; img-src {within}; connect-src 'self' data: blob:; \
         frame-src 'self' data: blob:; worker-src 'self' blob:; object-src 'self' data: blob:; form-action 'self'; \
         base-uri 'self'; manifest-src 'self'; frame-ancestors 'self' {pages}"
    );
    if modifier == Modifier::Raw {
        // Not rewritten and not meant to be looked at: its scripts have nothing to run for, and nobody's cookies to read.
        policy.push_str("; sandbox");
    }
    policy.trim_end().to_owned()
}

/// Puts a field in, in the place of any other of this name; a value that cannot be one is left out.
pub(crate) fn insert(fields: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::try_from(value)
        && !value.is_empty()
    {
        fields.insert(name, value);
    }
}
