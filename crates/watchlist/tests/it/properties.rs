//! What is written is read again, whatever it is.

use std::time::Duration;

use jiff::civil::Time;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use watchlist::{Crossing, Entry, Limits, Pace, Quiet, Rule, RuleKind, Trigger, jsonl, opml, table};

fn pace() -> impl Strategy<Value = Pace> {
    let pause = || {
        (0..3_153_600_000_u64, 0..1_000_000_000_u32)
            .prop_map(|(seconds, nanos)| Duration::new(seconds, nanos.max(1)))
    };
    prop_oneof![
        Just(Pace::Usual),
        pause().prop_map(Pace::Every),
        (pause(), pause()).prop_map(|(a, b)| Pace::Adaptive { least: a.min(b), most: a.max(b) }),
    ]
}

/// Texts of any characters but NUL, which no list holds.
fn any_text() -> BoxedStrategy<String> {
    any::<String>().prop_map(|text| text.replace('\0', "")).boxed()
}

fn rule(text: impl Strategy<Value = String>) -> impl Strategy<Value = Rule> {
    let kinds = [RuleKind::Css, RuleKind::XPath, RuleKind::Regex, RuleKind::JsonPath, RuleKind::Text];
    (prop::sample::select(kinds.to_vec()), text)
        .prop_map(|(kind, text)| Rule::new(kind, if text.trim().is_empty() { "x".to_owned() } else { text }))
}

fn trigger(text: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = Trigger> {
    let crossing = prop::sample::select(vec![Crossing::Up, Crossing::Down, Crossing::Either]);
    let line = any::<f64>().prop_filter("numbers", |line| line.is_finite());
    let said = |text: String| if text.trim().is_empty() { "x".to_owned() } else { text };
    prop_oneof![
        text.clone().prop_map(move |text| Trigger::Appears(said(text))),
        text.clone().prop_map(move |text| Trigger::Disappears(said(text))),
        (text, line, crossing).prop_map(move |(find, line, crossing)| Trigger::Number {
            find: said(find),
            line,
            crossing
        }),
    ]
}

fn quiet() -> impl Strategy<Value = Quiet> {
    let time = || (0..24_i8, 0..60_i8, 0..60_i8).prop_map(|(h, m, s)| Time::constant(h, m, s, 0));
    (time(), time(), of("[A-Z][a-z]{2,8}/[A-Z][a-z_]{2,8}")).prop_map(|(from, to, zone)| Quiet {
        from,
        to,
        zone,
    })
}

fn entry(text: impl Strategy<Value = String> + Clone + 'static) -> impl Strategy<Value = Entry> {
    let url = "https://[a-z]{1,8}\\.example/[a-z0-9/?&=%,;\"']{0,20}";
    let names = (
        url,
        of(text.clone()),
        of(text.clone()),
        any::<bool>(),
        vec(text.clone(), 0..3),
        vec(text.clone(), 0..3),
    );
    let rules = (
        pace(),
        any::<bool>(),
        vec(rule(text.clone()), 0..3),
        vec(rule(text.clone()), 0..3),
        vec(trigger(text.clone()), 0..3),
    );
    let request = (of("[A-Z]{3,5}"), vec((text.clone(), text.clone()), 0..3), of(text.clone()));
    let rest = (vec(text.clone(), 0..3), of(quiet()), of(text.clone()), vec(text, 0..3));
    (names, rules, request, rest).prop_map(|(names, rules, request, rest)| Entry {
        url: names.0,
        title: names.1,
        page: names.2,
        is_feed: names.3,
        folder: names.4,
        tags: names.5,
        pace: rules.0,
        is_paused: rules.1,
        only: rules.2,
        never: rules.3,
        triggers: rules.4,
        method: request.0,
        headers: request.1,
        body: request.2,
        notify: rest.0,
        quiet: rest.1,
        notes: rest.2,
        unsupported: rest.3,
    })
}

proptest! {
    #[test]
    fn our_export_loses_nothing(entries in vec(entry(any_text()), 0..5)) {
        let text = jsonl::write(&entries);
        prop_assert_eq!(jsonl::read(&text, &Limits::default()).unwrap().entries, entries);
    }

    #[test]
    fn a_table_of_plain_texts_loses_nothing(entries in vec(entry("[a-zæ=@'][a-zæ ,;\"'/]{0,8}[a-zæ]"), 0..5)) {
        let mut entries = entries;
        // Fields of a request have no blanks or colons of their own around them.
        entries.iter_mut().for_each(|entry| entry.headers.retain(|(name, value)| name.trim() == name && value.trim() == value));
        let written = table::write(&entries);
        prop_assert_eq!(&written.lost, &Vec::<String>::new());
        let list = table::read(&written.text, &Limits::default()).unwrap();
        prop_assert_eq!(list.entries, entries);
    }

    #[test]
    fn a_table_of_any_texts_reads_back(entries in vec(entry(any_text()), 0..3)) {
        let written = table::write(&entries);
        let list = table::read(&written.text, &Limits::default()).unwrap();
        prop_assert_eq!(list.entries.len(), entries.len());
    }

    #[test]
    fn opml_of_any_texts_reads_back(entries in vec(entry(any_text()), 0..5)) {
        let written = opml::write("t", &entries);
        let list = opml::read(&written.text, &Limits::default()).unwrap();
        let mut expect: Vec<_> = entries.iter().map(|entry| entry.url.clone()).collect();
        let mut urls: Vec<_> = list.entries.into_iter().map(|entry| entry.url).collect();
        expect.sort();
        urls.sort();
        prop_assert_eq!(urls, expect);
    }
}
