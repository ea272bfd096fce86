//! What the default rules, ranges, prefixes and requests promise, a table for each.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, missing_docs)]

use urlkey::request::{Dialect, request_query, url_with_request};
use urlkey::{Decision, Error, Match, PrefixSet, Rules, SurtForm, key_range, surt};

#[track_caller]
fn check(url: &str, key: &str) {
    assert_eq!(surt(url).unwrap(), key, "{url}");
}

#[test]
fn scheme_and_user_and_fragment_do_not_count() {
    check("http://example.org/a", "org,example)/a");
    check("https://example.org/a", "org,example)/a");
    check("ftp://user:pass@example.org/a#b", "org,example)/a");
    check("http://example.org/a#", "org,example)/a");
}

#[test]
fn what_is_missing_or_doubled_is_mended() {
    check("example.org", "org,example)/");
    check("//example.org/a", "org,example)/a");
    check("http:/example.org/a", "org,example)/a");
    check("http:////example.org/a", "org,example)/a");
    check("http://https://example.org/a", "org,example)/a");
    check("  http://example.org/a\n", "org,example)/a");
    check("http://exam\nple.org/\ta", "org,example)/a");
}

#[test]
fn default_port_is_dropped() {
    check("http://example.org:80/", "org,example)/");
    check("https://example.org:443/", "org,example)/");
    check("http://example.org:443/", "org,example:443)/");
    check("http://example.org:/", "org,example)/");
    check("ftp://example.org:21/", "org,example:21)/");
}

#[test]
fn www_is_dropped_once() {
    check("http://www.example.org/", "org,example)/");
    check("http://www7.example.org/", "org,example)/");
    check("http://www.www.example.org/", "org,example,www)/");
    check("http://wwwexample.org/", "org,wwwexample)/");
}

#[test]
fn hosts_are_brought_to_one_form() {
    check("http://EXAMPLE.org/", "org,example)/");
    check("http://.example..org./", "org,example)/");
    check("http://%65xample.org/", "org,example)/");
    check("http://bücher.example/", "example,xn--bcher-kva)/");
    check("http://faß.example/", "example,fass)/");
    check("http://3279880203/blah", "11,0,127,195)/blah");
    check("http://127.1/", "1,0,0,127)/");
    check("http://[2001:DB8::1]:8080/", "2001:db8::1:8080)/");
}

#[test]
fn paths_are_brought_to_one_form() {
    check("http://example.org", "org,example)/");
    check("http://example.org/A/./b//../C/", "org,example)/a/b/c");
    check("http://example.org/%7Ea/%2561", "org,example)/~a/a");
    check("http://example.org/a b/é", "org,example)/a%20b/%c3%a9");
    check("http://example.org/(S(4hqa0555fwsecu455xqckv45))/a.aspx", "org,example)/a.aspx");
}

#[test]
fn queries_are_sorted_and_session_ids_go() {
    check("http://example.org/?B=2&a=1&b=1", "org,example)/?a=1&b=1&b=2");
    check("http://example.org/?", "org,example)/");
    check("http://example.org/?a=1&jsessionid=0123456789abcdefghijklemopqrstuv", "org,example)/?&a=1");
    check("http://example.org/?cfid=1&cftoken=2&a", "org,example)/?a");
}

#[test]
fn what_has_no_host_keeps_its_scheme() {
    check("", "-");
    check("urn:ISBN:1", "urn:isbn:1");
    check("dns:www.example.org", "dns:www.example.org");
    check("mailto:a@example.org", "mailto:a@example.org");
    check("warcinfo:a.warc.gz", "warcinfo:a.warc.gz");
    check("filedesc://A.arc.gz", "filedesc://A.arc.gz");
}

#[test]
fn what_is_no_port_is_named_and_the_url_is_its_own_key() {
    let url = "http://example.org:port/";
    assert_eq!(surt(url), Err(Error::BadPort { port: "port".to_owned() }));
    assert_eq!(surt("http://example.org:65536/").unwrap_err().to_string(), "`65536` is not a port number");
    assert_eq!(surt(" "), Err(Error::Blank));
    assert_eq!(urlkey::key(url), url);
}

#[test]
fn bytes_that_are_not_utf8_have_keys_too() {
    assert_eq!(urlkey::surt_bytes(b"http://example.org/caf\xe9?\xff").unwrap(), b"org,example)/caf%e9?%ff");
}

#[test]
fn a_surt_can_be_written_in_other_forms() {
    let written =
        |form| String::from_utf8(urlkey::surt_with(b"http://www.1.2.3.4/A?B", form).unwrap()).unwrap();
    let usual = SurtForm::default();
    assert_eq!(written(usual), "4,3,2,1)/a?b");
    assert_eq!(written(SurtForm { reverse_ipv4: false, ..usual }), "1.2.3.4)/a?b");
    assert_eq!(written(SurtForm { scheme: true, trailing_comma: true, ..usual }), "http://(4,3,2,1,)/a?b");
    assert_eq!(written(SurtForm { strip_www: false, lowercase_query: false, ..usual }), "4,3,2,1,www)/a?B");
}

#[test]
fn rule_sets_differ_where_their_peers_do() {
    let url = "HTTP://user@www.Example.org:80/A//B/?b=2&a=1#c";
    for (rules, canonical) in [
        (Rules::Wayback, "http://example.org/a/b?a=1&b=2"),
        (Rules::Google, "HTTP://user@www.example.org:80/A/B/?b=2&a=1"),
        (Rules::IaOrdinary, "http://user@www.example.org/A/B/?b=2&a=1"),
        (Rules::IaAggressive, "http://example.org/a/b?a=1&b=2"),
        (Rules::OutbackCdx, "http://example.org/a/b?a=1&b=2"),
        (Rules::OpenWayback, "example.org/a/b/?b=2&a=1"),
        (Rules::UrlcanonSemantic, "http://www.example.org/A/B/?a=1&b=2"),
        (Rules::UrlcanonSemanticPrecise, "http://www.example.org/A/B/?a=1&b=2#c"),
        (Rules::UrlcanonAggressive, "http://example.org/a/b?a=1&b=2"),
        (Rules::Scrapy, "http://user@www.example.org:80/A//B/?a=1&b=2"),
        (Rules::Whatwg, "http://user@www.example.org/A//B/?b=2&a=1#c"),
    ] {
        assert_eq!(urlkey::canonicalize(url, rules).unwrap(), canonical, "{rules}");
    }
}

/// The examples that Google publishes with its rules: <https://developers.google.com/safe-browsing/v4/urls-hashing>.
#[test]
fn the_examples_of_safe_browsing_hold() {
    for (url, canonical) in [
        ("http://host/%25%32%35", "http://host/%25"),
        ("http://host/%25%32%35%25%32%35", "http://host/%25%25"),
        ("http://host/%2525252525252525", "http://host/%25"),
        ("http://host/asdf%25%32%35asd", "http://host/asdf%25asd"),
        ("http://host/%%%25%32%35asd%%", "http://host/%25%25%25asd%25%25"),
        ("http://www.google.com/", "http://www.google.com/"),
        (
            "http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/",
            "http://168.188.99.26/.secure/www.ebay.com/",
        ),
        (
            "http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B",
            "http://host%23.com/~a!b@c%23d$e%25f^00&11*22(33)44_55+",
        ),
        ("http://3279880203/blah", "http://195.127.0.11/blah"),
        ("http://www.google.com/blah/..", "http://www.google.com/"),
        ("www.google.com/", "http://www.google.com/"),
        ("www.google.com", "http://www.google.com/"),
        ("http://www.evil.com/blah#frag", "http://www.evil.com/blah"),
        ("http://www.GOOgle.com/", "http://www.google.com/"),
        ("http://www.google.com.../", "http://www.google.com/"),
        ("http://www.google.com/foo\tbar\rbaz\n2", "http://www.google.com/foobarbaz2"),
        ("http://www.google.com/q?r?s", "http://www.google.com/q?r?s"),
        ("http://evil.com/foo;", "http://evil.com/foo;"),
        ("http://evil.com/foo?bar;", "http://evil.com/foo?bar;"),
        ("http://notrailingslash.com", "http://notrailingslash.com/"),
        ("http://www.gotaport.com:1234/", "http://www.gotaport.com:1234/"),
        ("  http://www.google.com/  ", "http://www.google.com/"),
        ("http:// leadingspace.com/", "http://%20leadingspace.com/"),
        ("%20leadingspace.com/", "http://%20leadingspace.com/"),
        ("https://www.securesite.com/", "https://www.securesite.com/"),
        ("http://host.com/ab%23cd", "http://host.com/ab%23cd"),
        ("http://host.com//twoslashes?more//slashes", "http://host.com/twoslashes?more//slashes"),
    ] {
        for rules in [Rules::Google, Rules::IaOrdinary, Rules::UrlcanonGoogle] {
            assert_eq!(urlkey::canonicalize(url, rules).unwrap(), canonical, "{rules}: {url}");
        }
    }
}

#[test]
fn rule_sets_are_found_by_name() {
    for rules in Rules::ALL {
        assert_eq!(rules.to_string().parse(), Ok(rules));
    }
    assert!("pandora".parse::<Rules>().is_err());
}

#[test]
fn ranges_hold_what_they_should() {
    let url = "http://example.com/path/";
    for (kind, start, end) in [
        (Match::Exact, "com,example)/path", "com,example)/path!"),
        (Match::Prefix, "com,example)/path/", "com,example)/path0"),
        (Match::Host, "com,example)/", "com,example*"),
        (Match::Domain, "com,example)/", "com,example-"),
    ] {
        let range = key_range(url, kind).unwrap();
        assert_eq!((range.start.as_str(), range.end.as_str()), (start, end));
    }
    assert_eq!(key_range("com", Match::Domain).unwrap().start, "com,");
}

#[test]
fn the_longest_prefix_decides_b10() {
    let scope = PrefixSet::parse(
        "# seeds\nexample.org\nhttps://one.two.three/a/b.html  # a comment\n\
         +http://(net,example,\n-http://(net,example,bad,\n+http://(net,example,bad,good,)/\n-http://example.org/private/\n",
    );
    for (url, decision) in [
        ("http://example.org/", Some(Decision::Accept)),
        ("https://sub.example.org/x", Some(Decision::Accept)),
        ("http://example.org/private/x", Some(Decision::Reject)),
        ("http://example.org/privately", Some(Decision::Accept)),
        ("http://example.organic/", None),
        ("http://one.two.three/a/", Some(Decision::Accept)),
        ("http://one.two.three/", None),
        ("http://www.example.net/", Some(Decision::Accept)),
        ("http://bad.example.net/", Some(Decision::Reject)),
        ("http://good.bad.example.net/", Some(Decision::Accept)),
    ] {
        assert_eq!(scope.decide(url), decision, "{url}");
    }
}

#[test]
fn prefixes_are_implied_as_heritrix_does() {
    for (seed, prefix) in [
        ("example.org", "http://(org,example,"),
        ("example.org/", "http://(org,example,)/"),
        ("http://example.org:8080", "http://(org,example,:8080"),
        ("https://Example.org/a/b", "http://(org,example,)/a/"),
        ("http://127.0.0.1/", "http://(127.0.0.1)/"),
    ] {
        assert_eq!(urlkey::implied_prefix(seed), prefix, "{seed}");
    }
}

#[test]
fn owners_are_found() {
    for (host, domain) in [
        ("www.example.co.uk", Some("example.co.uk")),
        ("example.co.uk", Some("example.co.uk")),
        ("co.uk", None),
        ("127.0.0.1", None),
        ("[::1]", None),
        ("", None),
    ] {
        assert_eq!(urlkey::registrable_domain(host), domain, "{host}");
    }
    assert_eq!(urlkey::public_suffix("www.example.co.uk"), Some("co.uk"));
}

#[test]
fn bodies_become_queries_in_each_dialect() {
    let json = br#"{"a": "b", "c": {"a": 44.0}, "d": [true, null]}"#;
    for (dialect, query) in [
        (Dialect::CdxjIndexer, "__wb_method=POST&a=b&a.2_=44.0&d=True&d.2_=None"),
        (Dialect::Pywb, "__wb_method=POST&a=b&a.2_=44&d=true&d.2_=null"),
        (Dialect::Jwarc, "__wb_method=POST&a=b&a.2_=44.0&d=True&d.2_=None"),
    ] {
        assert_eq!(request_query("POST", Some("application/json"), json, dialect).unwrap(), query);
    }
    assert_eq!(request_query("GET", None, b"", Dialect::Pywb), None);
    assert_eq!(request_query("POST", None, b"", Dialect::Pywb).unwrap(), "__wb_method=POST");
    assert_eq!(
        request_query("POST", None, b"", Dialect::CdxjIndexer).unwrap(),
        "__wb_method=POST&__wb_post_data="
    );
    assert_eq!(request_query("HEAD", None, b"", Dialect::CdxjIndexer).unwrap(), "__wb_method=HEAD");
}

#[test]
fn parts_of_a_form_become_fields() {
    let body = b"--x\r\nContent-Disposition: form-data; name=\"a b\"\r\n\r\n1 & 2\r\n\
        --x\r\nContent-Disposition: form-data; filename=\"f\"; name=\"file\"\r\nContent-Type: image/png\r\n\r\n\xff\r\n--x--\r\n";
    let kind = Some("multipart/form-data; boundary=x");
    let url = url_with_request("http://example.org/", "POST", kind, body, Dialect::default());
    assert_eq!(url, "http://example.org/?__wb_method=POST&a+b=1+%26+2&file=%FF");
}

#[test]
fn long_bodies_are_cut() {
    let query = request_query("PUT", None, &[b'a'; 100_000], Dialect::default()).unwrap();
    assert_eq!(query.len(), "__wb_method=PUT&".len() + urlkey::request::QUERY_CHARS_MAX);
}
