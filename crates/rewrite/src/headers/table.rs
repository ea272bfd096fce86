//! Which header is treated how: a table.

/// What becomes of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It passes.
    Kept,
    /// It is kept under another name.
    Renamed,
    /// It holds one address.
    Address,
    /// It holds links with parameters.
    Links,
    /// It holds a delay and an address.
    Refresh,
    /// It sets a cookie.
    Cookie,
}

/// Families of headers that act on the replay as a whole, by how they begin.
const FAMILIES: [&str; 8] = [
    "access-control-",
    "attribution-reporting-",
    "content-security-policy",
    "cross-origin-",
    "proxy-",
    "public-key-pins",
    "sec-",
    "x-webkit-csp",
];

#[rustfmt::skip]
const RENAMED: [&str; 56] = [
    // The connection.
    "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "http2-settings", "alt-svc", "alt-used",
    // Caching, which is the archive's to say.
    "age", "cache-control", "cdn-cache-control", "surrogate-control", "clear-site-data", "date", "etag", "expires",
    "last-modified", "pragma", "vary", "via", "warning", "no-vary-search",
    // Digests, which no longer hold.
    "content-digest", "content-md5", "digest", "repr-digest", "signature", "signature-input",
    // Who may do what.
    "accept-ch", "critical-ch", "authentication-info", "www-authenticate", "document-policy", "expect-ct", "feature-policy",
    "nel", "origin-agent-cluster", "origin-trial", "p3p", "permissions-policy", "referrer-policy", "report-to",
    "reporting-endpoints", "require-document-policy", "service-worker-allowed", "set-cookie2", "set-login",
    "speculation-rules", "strict-transport-security", "supports-loading-mode", "timing-allow-origin",
    "x-content-security-policy", "x-frame-options", "x-xss-protection", "server",
];

pub(super) fn fate(name: &str) -> Fate {
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "location" | "content-location" | "sourcemap" | "x-sourcemap" => Fate::Address,
        "link" => Fate::Links,
        "refresh" => Fate::Refresh,
        "set-cookie" => Fate::Cookie,
        name if RENAMED.contains(&name) => Fate::Renamed,
        name if FAMILIES.iter().any(|family| name.starts_with(family)) => Fate::Renamed,
        _ => Fate::Kept,
    }
}
