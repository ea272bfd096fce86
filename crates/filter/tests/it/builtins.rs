//! A7: the filters that are built in.

use filter::{Builtins, Chain, Error, Facts, Filter, Judgement, Languages};

use super::{dropped, page};

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[track_caller]
fn check_mime(include: &str, exclude: &str, mime: &str, is_kept: bool) {
    let filter = Filter::mime(&words(include), &words(exclude)).unwrap();
    let found = dropped(filter, &Facts { mime, claimed_mime: Some("x/y"), ..page() });
    assert_eq!(found.is_none(), is_kept, "{include} - {exclude}: {mime} {found:?}");
}

#[test]
fn a7_types_are_included_and_excluded_by_what_was_found() {
    check_mime("", "", "text/html", true);
    check_mime("image/*", "", "image/png", true);
    check_mime("image/*", "", "text/html", false);
    check_mime("", "image/*", "image/png", false);
    check_mime("image/*", "image/gif", "image/gif", false);
    check_mime("*", "video/* audio/*", "video/mp4", false);
    check_mime("*", "video/* audio/*", "text/html; charset=utf-8", true);
    check_mime("TEXT/HTML *+xml", "", "image/svg+xml", true);
    check_mime("text/html", "", "Text/HTML;charset=x", true);
    check_mime("x/y", "", "text/html", false);
    check_mime("text/html", "", "", false);
}

#[test]
fn a7_a_dropped_document_has_a_filter_and_a_reason() {
    let filter = Filter::mime(&[], &words("text/*")).unwrap();
    let expect = ("mime".to_owned(), "`text/html` is excluded by `text/*`".to_owned());
    assert_eq!(dropped(filter, &page()), Some(expect));
}

#[test]
fn sizes_have_two_ends() {
    for (min, max, bytes, is_kept) in [
        (None, None, 0, true),
        (Some(10), None, 9, false),
        (Some(10), Some(20), 20, true),
        (None, Some(20), 21, false),
    ] {
        let found = dropped(Filter::size(min, max), &Facts { bytes, ..page() });
        assert_eq!(found.is_none(), is_kept, "{min:?} {max:?} {bytes}");
    }
}

#[test]
fn statuses_are_in_and_out_and_what_has_none_is_kept() {
    for (include, exclude, status, is_kept) in [
        ("200 3xx", "", Some(301), true),
        ("200 3xx", "", Some(404), false),
        ("", "4xx 500-599", Some(503), false),
        ("", "4xx", Some(200), true),
        ("200", "", None, true),
    ] {
        let filter = Filter::status(&words(include), &words(exclude)).unwrap();
        assert_eq!(
            dropped(filter, &Facts { status, ..page() }).is_none(),
            is_kept,
            "{include} {exclude} {status:?}"
        );
    }
}

#[test]
fn urls_match_whole() {
    for (include, exclude, is_kept) in [
        (r".*\.html", "", true),
        (r".*\.htm", "", false),
        ("", r".*example\.org.*", false),
        ("", "example", true),
        (".*", "http://example.org/a.html|x", false),
    ] {
        let filter = Filter::url(&words(include), &words(exclude)).unwrap();
        assert_eq!(dropped(filter, &page()).is_none(), is_kept, "{include} {exclude}");
    }
}

#[test]
fn a_language_stands_for_its_kinds() {
    for (include, exclude, drop_unknown, language, is_kept) in [
        ("en cs", "", false, Some("en-GB"), true),
        ("EN", "", false, Some("en_US"), true),
        ("en-US", "", false, Some("en"), false),
        ("en", "", false, Some("eng"), false),
        ("", "en", false, Some("en"), false),
        ("en", "", false, None, true),
        ("en", "", true, None, false),
        ("*", "", false, Some("xx"), true),
    ] {
        let languages = Languages { include: words(include), exclude: words(exclude), drop_unknown };
        let filter = Filter::language(&languages).unwrap();
        let found = dropped(filter, &Facts { language, ..page() });
        assert_eq!(found.is_none(), is_kept, "{include} {exclude} {language:?}");
    }
}

#[test]
fn patterns_that_make_no_sense_are_refused() {
    let one = |text: &str| vec![text.to_owned()];
    for (error, expect) in [
        (
            Filter::mime(&one("html"), &[]).err(),
            "filter `mime`: `html` is no type such as `text/html` or `image/*`",
        ),
        (
            Filter::status(&one("2x"), &[]).err(),
            "filter `status`: `2x` is no status such as `200`, `4xx` or `500-599`",
        ),
        (Filter::url(&one("("), &[]).err(), "filter `url`: `(` is no regular expression"),
        (Filter::url(&one("(a{1000}){1000}"), &[]).err(), "filter `url`: `(a{1000}){1000}` is too large"),
        (
            Filter::language(&Languages { include: one("e n"), ..Languages::default() }).err(),
            "filter `language`: `e n` is no language such as `en` or `pt-BR`",
        ),
    ] {
        assert_eq!(error.map(|error: Error| error.to_string()).as_deref(), Some(expect));
    }
}

#[test]
fn a7_settings_make_a_chain_and_the_first_that_drops_ends_it() {
    let settings: Builtins = toml::from_str(
        "size = { max = 5000 }\nmime = { include = ['text/*'], exclude = ['text/css'] }\n\
         status = { exclude = ['4xx'] }\nlanguage = { include = ['en'], drop-unknown = true }\nurl = { exclude = ['.*x'] }",
    )
    .unwrap();
    let chain = Chain::new(settings.filters().unwrap());
    assert_eq!(chain.names().collect::<Vec<_>>(), ["status", "size", "mime", "language", "url"]);
    assert_eq!(chain.judge(&page()).unwrap(), Judgement::Keep);
    let by = |facts: &Facts<'_>| match chain.judge(facts).unwrap() {
        Judgement::Drop { by, .. } => by,
        Judgement::Keep => "nobody".to_owned(),
    };
    assert_eq!(by(&Facts { status: Some(404), bytes: 9999, ..page() }), "status");
    assert_eq!(by(&Facts { bytes: 9999, mime: "text/css", ..page() }), "size");
    assert_eq!(by(&Facts { mime: "text/css", ..page() }), "mime");
    assert!(toml::from_str::<Builtins>("mine = {}").is_err());
    assert!(Chain::default().is_empty());
}
