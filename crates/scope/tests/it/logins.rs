//! Issue 20, point 5: user names and passwords in seed lists are handed out, and are in no URL, prefix, message or `Debug`.

use scope::{Error, Seeds};

#[test]
fn passwords_leave_the_seeds() {
    let list = "http://me:sentinel@example.org/a\nexample.com\n+https://me:sentinel@b.example/\n\
                -http://you:sentinel@example.org/private/\n";
    let mut seeds = Seeds::parse(list).unwrap();
    assert!(!format!("{seeds:?}").contains("sentinel"), "{seeds:?}");
    let urls: Vec<&str> = seeds.urls().iter().map(url::Url::as_str).collect();
    assert_eq!(urls, ["http://example.org/a", "http://example.com/", "https://b.example/"]);
    let origins: Vec<String> = seeds.take_logins().into_iter().map(|login| login.origin).collect();
    assert_eq!(origins, ["http://example.org", "https://b.example"]);
    assert!(seeds.take_logins().is_empty());
}

#[test]
fn messages_about_seeds_quote_no_password() {
    for line in [
        "http://me:sentinel@example.org:x/",
        "http://me:sen tinel:sentinel@example.org/",
        "me:sentinel@a.example",
    ] {
        let Err(Error::Seed { text, .. }) = Seeds::parse(line) else { panic!("{line} is a seed") };
        assert!(!text.contains("sentinel") && text.contains("…@"), "{text}");
    }
}
