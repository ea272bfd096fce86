//! Whatever comes in, nothing panics, and what must hold of any input holds.

#![allow(missing_docs)]

use proptest::prelude::*;
use urlkey::request::{Dialect, request_query};
use urlkey::{
    HandyUrl, Match, Parts, PrefixSet, Rules, data_uri, openwayback, percent, query, repair, session, time,
};

/// Texts that look like URLs often enough to get past the first check.
fn urlish() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("http://".to_owned()),
        Just("https:/".to_owned()),
        Just("www.".to_owned()),
        Just("example.org".to_owned()),
        Just("%25".to_owned()),
        Just("%2e%2E".to_owned()),
        Just("/../".to_owned()),
        Just("?a=1&sid=0123456789abcdef0123456789abcdef".to_owned()),
        Just("[::1]:80".to_owned()),
        Just("127.1".to_owned()),
        Just("/(4hqa0555fwsecu455xqckv45)/x.aspx".to_owned()),
        "[/?#&=:@%.\\\\ \t\n()\\[\\]]{1,4}",
        "\\PC{0,6}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn keys_of_any_text_are_ascii_and_stable(url in urlish()) {
        if let Ok(key) = urlkey::surt(&url) {
            prop_assert!(key.is_ascii() || url.starts_with("filedesc"), "{key:?}");
            prop_assert_eq!(urlkey::surt_bytes(url.as_bytes()).unwrap(), key.as_bytes());
        }
        for rules in Rules::ALL {
            let _ = urlkey::canonicalize(&url, rules);
            let _ = urlkey::key_by(&url, rules);
        }
    }

    #[test]
    fn any_bytes_are_taken(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = urlkey::surt_bytes(&bytes);
        let _ = HandyUrl::parse(&bytes).map(|handy| (handy.to_url(), handy.to_url_compact()));
        for rules in Rules::ALL {
            let _ = urlkey::canonicalize_bytes(&bytes, rules);
        }
        let parts = Parts::parse(&bytes);
        prop_assert_eq!(parts.to_bytes(), bytes.clone());
        let _ = (parts.ssurt(), parts.surt(true, true), parts.surt_ancestry());
        let _ = data_uri::DataUri::parse_bytes(&bytes);
        let _ = (session::strip_path(&bytes), session::strip_query(&bytes), query::sort_fields(&bytes));
    }

    #[test]
    fn splitting_and_joining_is_the_identity(url in urlish()) {
        prop_assert_eq!(Parts::parse(url.as_bytes()).to_bytes(), url.as_bytes());
    }

    #[test]
    fn every_other_function_takes_any_text(url in urlish(), other in urlish()) {
        for kind in [Match::Exact, Match::Prefix, Match::Host, Match::Domain] {
            if let Ok(range) = urlkey::key_range(&url, kind) {
                prop_assert!(range.start < range.end, "{range:?}");
            }
            let _ = urlkey::plain_range(&url, kind);
        }
        let set = PrefixSet::parse(&format!("{other}\n-{url}\n+{other}"));
        let _ = (set.decide(&url), set.decide(&other));
        let _ = (urlkey::prefix_search(&url), urlkey::implied_prefix(&url), urlkey::full_surt(&url));
        let _ = (urlkey::unsurt(&url), urlkey::key_host(&url), urlkey::topmost_assigned_surt(&url));
        let _ = (urlkey::registrable_domain(&url), urlkey::split_registrable(&url), urlkey::is_authority(&url));
        let _ = (openwayback::host(&url), openwayback::user_info(&url), openwayback::parent_folder(&url));
        let _ = (openwayback::path(&url), openwayback::strip_default_port(&url), openwayback::fix_scheme(&url));
        let _ = (repair::safe_url(&url, Default::default()), repair::download_url(&url, Default::default()));
        let _ = (repair::escape_illegal(&url), repair::file_path(&url), repair::add_http(&url));
        let _ = (query::parameter(&url, &other, true), query::set_parameters(&url, &[(&other, &url)], "&"));
        let _ = (urlkey::parse_whatwg(&url, Some(&other)), urlkey::to_ascii(&url), data_uri::DataUri::parse(&url));
        let _ = (percent::decode_utf8(&url), urlkey::encode_query(&url, encoding_rs::SHIFT_JIS));
    }

    #[test]
    fn safe_urls_stay_as_they_are(url in urlish()) {
        if let Ok(safe) = repair::safe_url(&url, Default::default())
            && let Ok(again) = repair::safe_url(&safe, Default::default())
            && safe.is_ascii()
        {
            prop_assert_eq!(again, safe);
        }
    }

    #[test]
    fn bodies_of_any_kind_become_short_queries(
        body in prop::collection::vec(any::<u8>(), 0..300),
        kind in prop_oneof![
            Just("application/json"), Just("text/plain"), Just("application/x-www-form-urlencoded"),
            Just("multipart/form-data; boundary=a"), Just("multipart/form-data"), Just("")
        ],
    ) {
        for dialect in [Dialect::CdxjIndexer, Dialect::Pywb, Dialect::Jwarc] {
            let query = request_query("POST", Some(kind), &body, dialect).unwrap_or_default();
            prop_assert!(query.starts_with("__wb_method=POST"));
        }
    }

    #[test]
    fn times_of_any_text_are_an_error_or_a_time(text in "[-0-9TZ:. +A-Za-z,/]{0,32}|\\PC{0,20}") {
        let _ = (time::parse_warc_date(&text), time::parse_iso(&text), time::parse_http_date(&text));
        let _ = (time::parse_14(&text), time::parse_14_latest(&text), time::parse_14_clamped(&text));
        prop_assert_eq!(time::pad_latest(&text).len(), 14);
        if let Ok(timestamp) = time::parse_lenient(&text) {
            prop_assert!(time::parse_iso(&time::to_warc_date(timestamp)).is_ok());
        }
    }
}

/// Texts made to take long. If any step were quadratic, this test would not come back.
#[test]
fn hostile_texts_take_no_longer_than_others() {
    let long = |piece: &str| piece.repeat((1 << 15) / piece.len());
    for text in [
        long("%25"),
        "http://a/".to_owned() + &long("25%"),
        "http://a/?".to_owned() + &long("cfid="),
        "http://a/?".to_owned() + &long("cfid=1&cftoken=&"),
        "http://a/?".to_owned() + &long("b&a&"),
        "http://a".to_owned() + &long("/(4hqa0555fwsecu455xqckv45)"),
        "http://a".to_owned() + &long("/(a(4hqa0555fwsecu455xqckv45))") + "?.aspx",
        "http://a".to_owned() + &long("/.."),
        "http://".to_owned() + &long("a."),
        "http://".to_owned() + &long("é."),
        long("http://"),
    ] {
        for rules in Rules::ALL {
            let _ = urlkey::key_by(&text, rules);
        }
        let _ = (urlkey::prefix_search(&text), Parts::parse(text.as_bytes()).surt_ancestry());
    }
}
