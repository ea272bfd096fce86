//! The head of an answer: what of the archived one is passed on, and what keeps the page in its place.
//!
//! Nothing of what was archived reaches the browser under its own name, unless it is on the short list of what a page cannot do
//! without. So a header that nobody has thought of yet is harmless as well.

use archive::Found;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use rewrite::{Modifier, Place};

use super::media_type::MediaType;
use crate::visit::Visit;

/// What the archived answer may say for itself, after rewriting, beside its type. Cookies are not among it: nobody would read them,
/// and those of many sites at one origin would fill the heads of requests. Pages are told of theirs by `script.rs`.
const PASSED_ON: [&str; 5] =
    ["content-language", "content-disposition", "content-range", "location", "refresh"];

/// Before the name of a field that is only told.
const TOLD: &str = "x-archive-orig-";
const ORIGINAL_TYPE: HeaderName = HeaderName::from_static("x-archive-orig-content-type");

/// No scripts, no forms, and an origin of its own.
const SANDBOX: &str = "; sandbox";

/// What no archived page has a use for in an archive.
const PERMISSIONS: &str = "accelerometer=(), bluetooth=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), \
    magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), serial=(), usb=()";

/// The archived head but for its type, rewritten; of a payload that is passed on as it was sent with its coding.
pub(crate) fn archived(visit: &Visit, found: &Found, place: Option<&Place>, is_raw: bool) -> HeaderMap {
    let mut fields = HeaderMap::new();
    let Some(head) = &found.head else { return fields };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut left = visit.replay.limits().head_bytes;
    let fits = |(name, value): &(&[u8], &[u8])| {
        let length = name.len() + value.len() + TOLD.len();
        let fits = left >= length;
        left = left.saturating_sub(if fits { length } else { 0 });
        fits
    };
    let other = head.fields().filter(|(name, _)| !name.eq_ignore_ascii_case(b"content-type"));
    for (name, value) in other.filter(fits) {
        let (name, value) = (text(name).to_ascii_lowercase(), text(value));
        let mut put = |name: String, value: String| {
            // What is no name or value of a header could be two of them.
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
                fields.append(name, value);
            }
        };
        let is_coding = is_raw && name == "content-encoding";
        match place {
            _ if is_coding || name.starts_with(TOLD) => put(name, value),
            // What leads somewhere does so only where it can be led into the archive.
            Some(place) if PASSED_ON.contains(&name.as_str()) => {
                rewrite::headers(place, &[(name, value)])
                    .into_iter()
                    .for_each(|(name, value)| put(name, value));
            }
            _ => put(format!("{TOLD}{name}"), value),
        }
    }
    fields
}

/// Puts in the type that was decided on. What the archived answer said instead is told.
pub(crate) fn typed(
    fields: &mut HeaderMap,
    media_type: &MediaType,
    claims: &[String],
    (modifier, used_as): (Modifier, Modifier),
) {
    if modifier == Modifier::Raw {
        // Passed on as it was, unusable or not: nothing runs in it, and nobody guesses what it is.
        for value in claims.iter().filter_map(|value| HeaderValue::try_from(value.as_str()).ok()) {
            fields.append(header::CONTENT_TYPE, value);
        }
    } else {
        insert(fields, header::CONTENT_TYPE, media_type.header());
        for value in claims.iter().filter(|value| value.trim() != media_type.header()) {
            if let Ok(value) = HeaderValue::try_from(value.as_str()) {
                fields.append(ORIGINAL_TYPE, value);
            }
        }
    }
    if media_type.may_forbid_sniffing(used_as) {
        insert(fields, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    }
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

/// Lets no script run in what goes out without the shim: it would not know where it is. The document has an origin of its own, so that
/// no other gets hold of the browser's functions, unpatched, through it.
pub(crate) fn silence(fields: &mut HeaderMap) {
    let policy = fields.get(header::CONTENT_SECURITY_POLICY).and_then(|policy| policy.to_str().ok());
    if let Some(policy) = policy.filter(|policy| !policy.contains(SANDBOX)) {
        let policy = format!("{policy}{SANDBOX}");
        insert(fields, header::CONTENT_SECURITY_POLICY, &policy);
    }
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
        policy.push_str(SANDBOX);
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
