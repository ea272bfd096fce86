//! changedetection.io.

use std::time::Duration;

use watchlist::{Limits, Pace, changedetection};

use super::{left_out, list, one, rules, triggers};

/// Everything in one file, as older versions keep it.
const WHOLE: &str = r#"{
  "app_guid": "x",
  "settings": {
    "application": {
      "global_ignore_text": ["cookie"],
      "notification_urls": ["mailto://everybody@example.org"],
      "notification_title": "Changed!",
      "tags": {"11111111-2222-3333-4444-555555555555": {"title": "Prices", "subtractive_selectors": [".ad"]}}
    },
    "requests": {"time_between_check": {"weeks": null, "days": null, "hours": 3, "minutes": null, "seconds": null}}
  },
  "watching": {
    "aaaa": {
      "url": "https://example.org/shop", "title": "Shop", "paused": true, "method": "POST", "body": "a=1",
      "headers": {"Accept-Language": "da"}, "tags": ["11111111-2222-3333-4444-555555555555"],
      "include_filters": [".price", "//h1", "xpath:(//h2)[1]", "json:$.a", "jq:.b[].c", "jqraw:.a | length"],
      "subtractive_selectors": ["nav", "//aside"],
      "ignore_text": ["visitors", "/\\d+ left/"], "extract_text": ["/(\\d+) kr/", "In stock."],
      "trigger_text": ["sold out", "/back (in|soon)/i"], "text_should_not_be_present": ["waiting"],
      "conditions": [
        {"field": "extracted_number", "operator": "<", "value": "99.5"},
        {"field": "page_filtered_text", "operator": "length_min", "value": "10"},
        {"field": "", "operator": "None", "value": ""}
      ],
      "time_between_check_use_default": false,
      "time_between_check": {"weeks": 0, "days": 1, "hours": "2", "minutes": null, "seconds": 0},
      "notification_urls": ["tgram://bot/room"],
      "last_checked": 12, "previous_md5": "x", "check_unique_lines": false
    },
    "bbbb": {
      "url": "source:https://example.org/js", "time_between_check_use_default": true, "fetch_backend": "html_webdriver",
      "browser_steps": [{"operation": "Goto site"}, {"operation": "Click element", "selector": "a"}],
      "processor": "restock_diff", "proxy": "tor", "check_unique_lines": true, "filter_text_removed": false,
      "time_schedule_limit": {"enabled": true}, "notification_muted": true, "llm_intent": "only prices"
    },
    "cccc": {"url": ""}
  }
}"#;

#[test]
fn a_whole_file_is_read() {
    let list = list(WHOLE);
    assert_eq!(list.entries.len(), 2);
    let shop = &list.entries[0];
    assert_eq!((shop.url.as_str(), shop.title.as_deref()), ("https://example.org/shop", Some("Shop")));
    assert!(shop.is_paused);
    assert_eq!((shop.method.as_deref(), shop.body.as_deref()), (Some("POST"), Some("a=1")));
    assert_eq!(shop.headers, [("Accept-Language".to_owned(), "da".to_owned())]);
    assert_eq!(shop.tags, ["Prices"]);
    assert_eq!(shop.pace, Pace::Every(Duration::from_secs(26 * 3600)));
    assert_eq!(shop.notify, ["tgram://bot/room"]);
    assert_eq!(
        rules(&shop.only),
        [
            "css:.price",
            "xpath://h1",
            "xpath:(//h2)[1]",
            "json:$.a",
            "json:$.b[*].c",
            r"regex:/(\d+) kr/i",
            r"regex:/In stock\./i"
        ]
    );
    assert_eq!(
        rules(&shop.never),
        ["css:nav", "xpath://aside", "css:.ad", "text:visitors", r"regex:/\d+ left/i", "text:cookie"]
    );
    assert_eq!(
        triggers(&shop.triggers),
        [
            "appears sold out",
            "appears /back (in|soon)/i",
            "disappears waiting",
            r"number down 99.5 /(\d[\d.,]*)/"
        ]
    );
    assert_eq!(
        shop.unsupported,
        [
            "`include_filters`: the jq query `.a | length` is more than a path",
            "`conditions`: `page_filtered_text length_min 10` is not understood",
        ]
    );
}

#[test]
fn what_is_not_done_is_told() {
    let list = list(WHOLE);
    let page = &list.entries[1];
    assert_eq!(page.pace, Pace::Every(Duration::from_secs(3 * 3600)));
    assert!(page.notify.is_empty());
    let told = page.unsupported.join("\n");
    for word in [
        "source:",
        "notification_muted",
        "fetch_backend",
        "browser_steps",
        "restock_diff",
        "tor",
        "check_unique_lines",
        "filter_text_removed",
        "time_schedule_limit",
        "only prices",
    ] {
        assert!(told.contains(word), "{word} is not told:\n{told}");
    }
    assert_eq!(page.unsupported.len(), 10, "{told}");
    assert_eq!(
        left_out(&list),
        [
            "settings.application.notification_title: notifications are worded here",
            "watching.cccc: it has no URL"
        ]
    );
}

#[test]
fn files_of_a_folder_belong_together() {
    let files = [
        (
            "w/watch.json",
            r#"{"uuid": "w", "url": "https://example.org/", "tags": ["t", "99999999-2222-3333-4444-555555555555"]}"#,
        ),
        (
            "t/tag.json",
            r#"{"uuid": "t", "title": "News", "ignore_text": ["ad"], "notification_urls": ["mailto://a@example.org"]}"#,
        ),
        (
            "changedetection.json",
            r#"{"settings": {"requests": {"time_between_check": {"minutes": 30}}, "application": {"tags": {}}}}"#,
        ),
        ("w/other.json", "[1]"),
    ];
    let list = changedetection::read_files(files, &Limits::default()).unwrap();
    let entry = &list.entries[0];
    assert_eq!(entry.tags, ["News"]);
    assert_eq!(rules(&entry.never), ["text:ad"]);
    assert_eq!(entry.notify, ["mailto://a@example.org"]);
    assert_eq!(entry.pace, Pace::Every(Duration::from_secs(1800)));
    assert_eq!(entry.unsupported.len(), 1);
    assert_eq!(left_out(&list), ["w/other.json: this is no file of changedetection.io"]);
}

#[test]
fn a_fault_names_its_file() {
    let error =
        changedetection::read_files([("a/watch.json", "{\n \"url\": ")], &Limits::default()).unwrap_err();
    assert!(error.to_string().starts_with("a/watch.json, line 2, column"), "{error}");
}

#[test]
fn a_watch_alone_and_old_tags_are_read() {
    let entry = one(
        r#"{"uuid": "w", "url": "https://example.org/", "tag": "one, two", "headers": "A: b\nC: d: e", "title": null, "page_title": "Home"}"#,
    );
    assert_eq!(entry.tags, ["one", "two"]);
    assert_eq!(entry.headers[1], ("C".to_owned(), "d: e".to_owned()));
    assert_eq!(entry.title.as_deref(), Some("Home"));
    assert_eq!(entry.unsupported, <[&str; 0]>::default());
}

#[test]
fn what_the_api_answers_is_read() {
    let list =
        list(r#"{"11111111-2222-3333-4444-555555555555": {"url": "https://example.org/", "paused": false}}"#);
    assert_eq!(list.entries[0].url, "https://example.org/");
}
