//! The pages on watched pages. (E2–E6)

use crate::pretended::{FISH, fish};
use crate::served::{Served, TOKEN};
use crate::watched::Watched;

#[track_caller]
fn has(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
}

#[track_caller]
fn has_not(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(!page.contains(part), "{part} is in\n{page}");
    }
}

#[test]
fn an_empty_list_invites_to_add_the_first() {
    let page = Watched::nothing().page("/watches");
    has(
        &page,
        &[
            "Which page do you want to know about?",
            "action=\"/watches/new\"",
            "aria-current=\"page\">Watches</a>",
        ],
    );
    has_not(&page, &["<table"]);
}

#[test]
fn the_list_says_how_each_stands_in_words_and_as_a_picture() {
    let watched = Watched::with_a_past();
    watched.pretended.untold(2, "the mail server does not answer");
    let page = watched.page("/watches");
    has(
        &page,
        &[
            "<a class=\"name\" href=\"/watches/1\">Fish of the day</a>",
            "<a class=\"name\" href=\"/watches/2\">harbour.test/tides.bin</a>",
            "class=\"told good\"><span class=\"sign\" aria-hidden=\"true\">✓</span>unchanged</span>",
            "class=\"told bad\"><span class=\"sign\" aria-hidden=\"true\">✕</span>cannot be reached</span>",
            "not checked yet",
            "aria-label=\"Of the last 60 checks 1 found a change, and it was always there\"",
            "<span class=\"state state-paused\">paused</span>",
            "href=\"/watches?owner=ann\">ann</a>",
            "#siltmere</a>",
            "1 to be told",
            "6 hours ago",
            "data-poll=\"20\"",
        ],
    );
}

#[test]
fn watches_are_found_by_text_and_owner() {
    let watched = Watched::with_a_past();
    let page = watched.page("/watches?find=tides");
    has(&page, &["tides.bin", "value=\"tides\"", "All watches"]);
    has_not(&page, &["Fish of the day"]);
    has_not(&watched.page("/watches?owner=ann"), &["tides.bin"]);
    has(&watched.page("/watches?find=%3Ci%3E"), &["No watch is like that.", "value=\"&#60;i&#62;\""]);
    has(&watched.page("/watches?behind=4"), &["No watch further on.", "From the start"]);
    assert_eq!(watched.served.get(&format!("/watches?find={}", "a".repeat(400))).status, 413);
}

#[test]
fn what_comes_from_outside_is_escaped_everywhere() {
    let watched = Watched::with_a_past();
    watched.pretended.untold(3, "<i>no</i>");
    watched.pretended.tell(3, "changed", "<u>summary</u>");
    for path in [
        "/watches",
        "/watches/3",
        "/watches/3/edit",
        "/watches/3/remove",
        "/watches/3/difference",
        "/watches/3/difference?view=inline&noise=1&all=1",
        "/watches/new?url=%22%3E%3Cscript%3E",
    ] {
        let page = watched.page(path);
        has_not(&page, &["<script>", "<i>", "<u>", "<b>eve"]);
        has(&page, &["&#60;script&#62;"]);
    }
    has(&watched.page("/watches/3"), &["/api/v1/people/%3Cb%3Eeve%3C%2Fb%3E/feed.rss"]);
}

/// Issue 20, point 5: a form that is shown again shows no password that was typed into it.
#[test]
fn a_password_that_was_typed_is_on_no_page() {
    let watched = Watched::with_a_past();
    let page = watched.page("/watches/new?url=http%3A%2F%2Fme%3Asentinel%40fish.test%2F");
    has(&page, &["value=\"http://fish.test/\""]);
    let sent =
        watched.send("/watches/new", "do=save&words_min=many&url=http%3A%2F%2Fme%3Asentinel%40fish.test%2F");
    has(&sent.2, &["value=\"http://fish.test/\""]);
    has_not(&(page + &sent.2), &["sentinel"]);
}

#[test]
fn a_watch_has_its_past() {
    let watched = Watched::with_a_past();
    let page = watched.page("/watches/1");
    has(
        &page,
        &[
            "<h1>Fish of the day</h1>",
            "rel=\"noreferrer noopener external\">http://fish.test/prices</a>",
            "In the last year it was there at 352 of 360 checks (97.7 %), and it changed 8 times.",
            "<title>16 Jan 2027: not there, 4 checks</title>",
            "Days on which it was not always there",
            "<b>15 Jan 2027</b>: not there at 2 of 4 checks",
            "/web/20270117120000/http://fish.test/prices\">as it was</a>",
            "/difference?from=8&amp;to=9\">what changed</a>",
            "/api/v1/monitor/document?url=http%3A//fish.test/prices&amp;number=9",
            "See what changed",
            "href=\"/api/v1/watches/1/feed.rss?key=ffeedd",
            "href=\"/api/v1/people/ann/feed.atom?key=ffeedd",
            "“sold out” appears",
            "<code>.advert</code>",
            "not at 22:00-07:00 Europe/Prague",
            "action=\"/watches/1/check\"",
            "action=\"/watches/1/pause\"",
            "href=\"/watches/1/remove\"",
            "Nobody answers.",
        ],
    );
    let older = watched.page("/watches/1?versions=3&news=4&checks=9");
    has(&older, &["The newest"]);
    let fresh = watched.page("/watches/4");
    has(&fresh, &["not checked yet", "action=\"/watches/4/resume\"", "It is paused."]);
    for path in
        ["/watches/99", "/watches/x", "/watches/99/edit", "/watches/99/difference", "/watches/99/remove"]
    {
        assert_eq!(watched.served.get(path).status, 404, "{path}");
    }
    assert_eq!(Served::empty().get("/watches").status, 404, "nobody watches there");
}

#[test]
fn buttons_check_pause_and_remove() {
    let watched = Watched::with_a_past();
    watched.pretended.serve(FISH, "text/html", fish("sold out", "", 9).as_bytes());
    assert_eq!(watched.send("/watches/1/check", ""), (303, "/watches/1".to_owned(), String::new()));
    has(&watched.page("/watches/1"), &["●</span>changed</span>", "in 6 hours"]);
    assert_eq!(watched.send("/watches/1/pause", "").0, 303);
    has(&watched.page("/watches/1"), &["state-paused", "action=\"/watches/1/resume\""]);
    assert_eq!(watched.send("/watches/1/resume", "").0, 303);
    has(&watched.page("/watches/1"), &["action=\"/watches/1/pause\""]);
    assert_eq!(watched.send("/watches/1/burn", "").0, 404);
    has(
        &watched.page("/watches/1/remove"),
        &["Stop watching Fish of the day?", "its 10 versions are in the archive", "id=\"confirm\""],
    );
    assert_eq!(watched.send("/watches/1/remove", ""), (303, "/watches".to_owned(), String::new()));
    assert_eq!(watched.served.get("/watches/1").status, 404);
}

#[test]
fn forms_need_their_token_and_our_origin() {
    let watched = Watched::with_a_past();
    let own = watched.served.origin();
    for path in
        ["/watches/new", "/watches/1/edit", "/watches/1/check", "/watches/1/pause", "/watches/1/remove"]
    {
        assert_eq!(watched.served.post(path, &own, "url=http://a.test/").status, 403, "{path}");
        let good = format!("token={TOKEN}&url=http://a.test/");
        assert_eq!(watched.served.post(path, "http://evil.example", &good).status, 403, "{path}");
    }
    has(&watched.page("/watches/1"), &["action=\"/watches/1/pause\""]);
}

#[test]
fn a_form_becomes_a_watch_and_is_changed() {
    let watched = Watched::nothing();
    let form = "do=save&url=fish.test%2Fprices&title=Fish&tags=a%2C+b&every=1h&only=main%0D%0A&never=.advert\
                &words_min=2&share_min=5&margins=1&trigger_find=sold+out&trigger_kind=appears&trigger_line=\
                &trigger_find=Cod%3A&trigger_kind=down&trigger_line=9.5&notify=mailto%3Aann%40example.org&gone_after=3";
    assert_eq!(watched.send("/watches/new", form).1, "/watches/1");
    let row = watched.served.get("/api/v1/watches/1").body;
    has(
        &row,
        &[
            r#""url":"http://fish.test/prices","owner":"me","title":"Fish","tags":["a","b"]"#,
            r#""only":["main"],"never":[".advert"],"words_min":2,"share_min":0.05,"margins":true"#,
            r#""triggers":["appears sold out","number down 9.5 Cod:"]"#,
            r#""gone_after":3"#,
        ],
    );
    let edit = watched.page("/watches/1/edit");
    has(
        &edit,
        &[
            "value=\"http://fish.test/prices\"",
            " readonly>",
            ">main</textarea>",
            "value=\"9.5\"",
            "<option value=\"down\" selected>",
            "value=\"5\"",
            "name=\"margins\" value=\"1\" checked",
        ],
    );
    let (status, place, _) =
        watched.send("/watches/1/edit", "do=save&url=http://evil.test/&title=Cod&every=1h");
    assert_eq!((status, place.as_str()), (303, "/watches/1"));
    has(&watched.page("/watches/1"), &["<h1>Cod</h1>", "http://fish.test/prices"]);
    let again = watched.send("/watches/new", "do=save&url=fish.test%2Fprices");
    has(&again.2, &["`me` watches http://fish.test/prices already.", "role=\"alert\""]);
}

/// Only whoever changes a watch sees the addresses of its webhooks.
#[test]
fn the_page_says_who_is_told_without_secrets() {
    let watched = Watched::nothing();
    watched.send("/watches/new", "do=save&url=a.test&notify=https%3A%2F%2Fhooks.example.org%2FT0%2Fsecret");
    let page = watched.page("/watches/1");
    has(&page, &["<span class=\"line\">https://hooks.example.org/…</span>"]);
    has_not(&page, &["secret"]);
    has_not(&watched.page("/watches"), &["secret"]);
    has(&watched.page("/watches/1/edit"), &["https://hooks.example.org/T0/secret"]);
    // What is empty tells nobody: what the settings say was taken over when it began.
    for nobody in ["", "&notify=none&quiet=none&digest=none"] {
        watched.send("/watches/1/edit", &format!("do=save&url=a.test{nobody}"));
        let page = watched.page("/watches/1");
        has(&page, &["<dt>Who is told</dt><dd>nobody; its news stand here and in its feed</dd>"]);
        has_not(&page, &["as the settings say", "not at", "put together"]);
    }
    has(&watched.page("/watches/new"), &["those that the settings name are taken over now"]);
}

#[test]
fn what_is_wrong_stands_beside_its_field() {
    let watched = Watched::nothing();
    let form = "do=save&url=&only=main%0D%0Aregex%3A%2Fa%28%3Cb%3E%2F&every=%22%3E&words_min=few";
    let (status, _, page) = watched.send("/watches/new", form);
    assert_eq!(status, 422);
    has(&page, &["“few” is no whole number.", "value=\"&#34;&#62;\"", "value=\"few\""]);
    let (status, _, page) = watched.send("/watches/new", &form.replace("few", "3"));
    assert_eq!(status, 422);
    has(
        &page,
        &[
            "2 things are wrong; each is said beside its field.",
            "id=\"fault-url\" data-part role=\"status\"><p>It is needed.",
            "<p>Line 2: ",
            "<code>regex:/a<mark>(</mark>&#60;b&#62;/</code>",
        ],
    );
    let (_, _, page) = watched.send("/watches/new", "do=save&url=a.test&every=sometimes");
    has(&page, &["id=\"fault-every\" data-part role=\"status\"><p>It is a pause such as `1h`"]);
    let (_, _, page) = watched.send("/watches/new", "do=save&url=no+such+thing");
    has(&page, &["That is no URL that can be watched"]);
}

#[test]
fn a_preview_shows_what_the_rules_keep() {
    let watched = Watched::nothing();
    watched.pretended.serve(FISH, "text/html", b"<main><p>cod &lt;b&gt;<p class=advert>nets</main>");
    let form = format!("url={FISH}&never=.advert");
    let (status, _, page) = watched.send("/watches/new", &format!("do=preview&{form}"));
    assert_eq!(status, 200);
    has(&page, &[">cod &#60;b&#62;\n</pre>", "1 line is left out", ">.advert</textarea>"]);
    let (_, _, page) = watched.send("/watches/new", &format!("do=preview&url={FISH}&only=.nothing"));
    has(&page, &["Nothing is left of the page by these rules."]);
    let (status, _, page) = watched.send("/watches/new", "do=preview&url=http://nobody.test/");
    assert_eq!(status, 200);
    has(&page, &["http://nobody.test/ is not to be had: nobody answers."]);
    has(&watched.page("/watches"), &["Which page do you want to know about?"]);
}

#[test]
fn rules_are_tested_on_the_last_two_versions() {
    let watched = Watched::with_a_past();
    let (_, _, page) = watched.send("/watches/1/edit", "do=test&only=text%3Aherring");
    has(
        &page,
        &[
            "The last change would not be told.",
            "Nothing that these rules keep is another.",
            "From version 8",
        ],
    );
    let form = "do=test&trigger_find=13.00&trigger_kind=appears&trigger_line=";
    let (_, _, page) = watched.send("/watches/1/edit", form);
    has(&page, &["The last change would", "to 9 of"]);
    let (_, _, page) = watched.send("/watches/new", "do=test&url=http://never.test/");
    has(&page, &["There are no two versions yet."]);
    let (status, _, page) = watched.send("/watches/1/edit", "do=test&only=regex%3A%2Fa%28%2F");
    assert_eq!(status, 200, "it was only to be looked at");
    has(&page, &["<code>regex:/a<mark>(</mark>/</code>"]);
}

#[test]
fn a_difference_is_shown_side_by_side_and_inline_without_noise() {
    let watched = Watched::with_a_past();
    let page = watched.page("/watches/1/difference?from=1&to=2");
    has(
        &page,
        &[
            "From version 1 to 2",
            "worth telling by the rules of this watch.",
            "Set off: `sold out` appeared.",
            "<del>",
            "<ins>sold out</ins>",
            "1 change is left out as noise.",
            "aria-current=\"true\">Side by side</a>",
            "Later change →</a>",
            "aria-disabled=\"true\">← Earlier change",
            "/web/20261116120000/http://fish.test/prices\">as it was</a>",
            "<option value=\"1\" selected>",
            "/watches/1/patch?from=1&amp;to=2",
            "the same</td>",
        ],
    );
    has_not(&page, &["1201 visitors"]);
    let noisy = watched.page("/watches/1/difference?from=1&to=2&noise=1&view=inline");
    has(&noisy, &["visitors", "<td>a counter</td>", "aria-current=\"true\">Inline</a>", "Leave it out"]);
    let all = watched.page("/watches/1/difference?from=1&to=2&all=1");
    has(&all, &["Fresh from the boats", "Only what differs"]);
    has_not(&all, &["class=\"gap\""]);
    has(
        &watched.page("/watches/1/difference"),
        &["From version 8 to 9", "aria-disabled=\"true\">Later change"],
    );
    has(&watched.page("/watches/1/difference?from=3&to=3"), &["Both are the same, byte for byte."]);
    has(&watched.page("/watches/1/difference?from=9&to=1"), &["From version 9 to 1"]);
    assert_eq!(watched.served.get("/watches/1/difference?from=1&to=99").status, 404);
    has(&watched.page("/watches/4/difference"), &["There is no version yet"]);
}

#[test]
fn what_is_no_text_says_so_and_has_a_patch() {
    let watched = Watched::with_a_past();
    let page = watched.page("/watches/2/difference");
    has(
        &page,
        &["they are no texts that could be compared", "2,000 bytes; then", "2,040 bytes", "A patch</a> of "],
    );
    let patch = watched.served.get("/watches/2/patch?from=1&to=2");
    assert_eq!(patch.status, 200);
    has(
        &patch.head,
        &[
            "content-disposition: attachment; filename=\"version-1-to-2.patch\"",
            "content-type: application/octet-stream",
            "x-content-type-options: nosniff",
        ],
    );
}

#[test]
fn the_script_of_the_form_is_ours() {
    let watched = Watched::nothing();
    let page = watched.page("/watches/new?url=http://a.test/");
    has(&page, &["<script src=\"/assets/preview.js?", "value=\"http://a.test/\""]);
    assert_eq!(watched.served.get("/assets/preview.js").status, 200);
}
