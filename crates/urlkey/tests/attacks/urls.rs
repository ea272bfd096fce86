//! Any bytes as a URL, as a set of prefixes, and as the body of a request.

use urlkey::request::{Dialect, request_query};
use urlkey::{
    HandyUrl, Match, Parts, PrefixSet, Rules, canonicalize, data_uri, openwayback, percent, query, repair,
    session,
};

pub(crate) fn attack(bytes: &[u8]) {
    bytes_as_they_are(bytes);
    let text = String::from_utf8_lossy(bytes);
    keys(&text);
    everything_else(&text);
    prefixes(&text);
    bodies(bytes);
}

fn bytes_as_they_are(bytes: &[u8]) {
    assert_eq!(Parts::parse(bytes).to_bytes(), bytes, "splitting and joining loses a byte");
    let _ = HandyUrl::parse(bytes).map(|handy| (handy.to_url(), handy.to_url_compact()));
    let parts = Parts::parse(bytes);
    let _ = (parts.ssurt(), parts.surt(true, true), parts.surt_ancestry());
    let _ = data_uri::DataUri::parse_bytes(bytes);
    let _ = (session::strip_path(bytes), session::strip_query(bytes), query::sort_fields(bytes));
    if let Ok(key) = urlkey::surt_bytes(bytes) {
        assert!(key.is_ascii() || bytes.starts_with(b"filedesc"), "{}", key.escape_ascii());
        assert!(!key.is_empty(), "a key of nothing");
    }
    assert_eq!(percent::decode(&percent::encode(bytes, |_| true)).as_ref(), bytes);
    assert_eq!(percent::decode_form(percent::encode_form(bytes).as_bytes()), bytes);
}

fn keys(text: &str) {
    let key = urlkey::surt(text);
    assert_eq!(key.as_ref().map(String::as_bytes).ok(), urlkey::surt_bytes(text.as_bytes()).ok().as_deref());
    for rules in Rules::ALL {
        let _ = urlkey::key_by(text, rules);
        let canonical = canonicalize(text, rules);
        // The URL standard promises that its own serialisation parses to the same again.
        if rules == Rules::Whatwg
            && let Ok(url) = canonical
        {
            assert_eq!(canonicalize(&url, rules).as_deref(), Ok(url.as_str()));
        }
    }
    for kind in [Match::Exact, Match::Prefix, Match::Host, Match::Domain] {
        if let Ok(range) = urlkey::key_range(text, kind) {
            assert!(range.start < range.end, "{text:?}: {range:?}");
        }
        let _ = urlkey::plain_range(text, kind);
    }
    if let (Ok(key), Ok(range)) = (key, urlkey::key_range(text, Match::Exact)) {
        let line = format!("{key} 20260102030405");
        assert!(range.start <= line && line < range.end, "{text:?}: {range:?} lacks its own key");
    }
}

fn everything_else(text: &str) {
    let (url, other) = text.split_once('\n').unwrap_or((text, ""));
    let _ = (urlkey::prefix_search(url), urlkey::implied_prefix(url), urlkey::full_surt(url));
    let _ = (urlkey::unsurt(url), urlkey::key_host(url), urlkey::topmost_assigned_surt(url));
    let _ = (urlkey::registrable_domain(url), urlkey::split_registrable(url), urlkey::is_authority(url));
    let _ = (openwayback::host(url), openwayback::user_info(url), openwayback::parent_folder(url));
    let _ = (openwayback::path(url), openwayback::strip_default_port(url), openwayback::fix_scheme(url));
    let _ = (repair::safe_url(url, Default::default()), repair::download_url(url, Default::default()));
    let _ = (repair::escape_illegal(url), repair::file_path(url), repair::add_http(url));
    let _ = (query::parameter(url, other, true), query::set_parameters(url, &[(other, url)], "&"));
    let _ = (urlkey::parse_whatwg(url, Some(other)), urlkey::to_ascii(url), data_uri::DataUri::parse(url));
    let _ =
        (percent::decode_utf8(url), urlkey::encode_query(url, encoding_rs::SHIFT_JIS), urlkey::split(url));
}

/// Every prefix of a set decides about itself.
fn prefixes(text: &str) {
    let set = PrefixSet::parse(text);
    for (prefix, decision) in set.iter() {
        assert_eq!(set.longest(prefix), Some((prefix, decision)));
        let longer = format!("{prefix}\u{10ffff}");
        assert!(set.longest(&longer).is_some_and(|(found, _)| found.len() >= prefix.len()), "{prefix:?}");
    }
    for line in text.lines() {
        let _ = set.decide(line);
    }
}

fn bodies(bytes: &[u8]) {
    for dialect in [Dialect::CdxjIndexer, Dialect::Pywb, Dialect::Jwarc] {
        for kind in [
            "application/json",
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=a",
            "x/y",
        ] {
            let query = request_query("POST", Some(kind), bytes, dialect).unwrap();
            assert!(query.starts_with("__wb_method=POST"));
            assert!(query.chars().count() <= 17 + urlkey::request::QUERY_CHARS_MAX);
        }
    }
}
