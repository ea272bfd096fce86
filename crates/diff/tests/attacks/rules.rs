//! Any line as a rule of every kind: it is refused with a place in it, or works within its bounds.

use diff::{Document, Error, Limits, RuleSet, Rules, Trigger};

const PAGE: &str = "<html><body><div id=a class='x y'><p>one<p lang=en>two <b>bold</b></div>\
    <ul><li>1<li>2<li>10</ul><a href='/q?r'>link</a><table><tr><td>12 &euro;</table></body></html>";

/// Tries each line of the bytes.
pub(crate) fn attack(bytes: &[u8]) {
    let limits = Limits {
        xpath_steps_max: 20_000,
        regex_bytes_max: 1 << 16,
        regex_steps_max: 1 << 22,
        ..Limits::default()
    };
    let documents = [
        Document::page(PAGE, &limits),
        Document::json(r#"{"a": [1, {"b": "c"}], "d": null}"#, &limits).unwrap(),
        Document::text("one\ntwo 2\nthree 3.5\n"),
    ];
    for line in String::from_utf8_lossy(bytes).lines().take(64) {
        for kind in ["", "css:", "xpath:", "json:", "regex:", "text:"] {
            let rule = format!("{kind}{line}");
            for set in [
                RuleSet { only: vec![rule.clone()], ..RuleSet::default() },
                RuleSet { never: vec![rule.clone()], ..RuleSet::default() },
            ] {
                check(&set, &rule, &documents, &limits);
            }
        }
        let triggers = vec![
            Trigger::Appears(line.to_owned()),
            Trigger::Number { find: line.to_owned(), line: 3.0, crossing: diff::Crossing::Up },
        ];
        let set = RuleSet { triggers, ..RuleSet::default() };
        if let Ok(rules) = Rules::new(&set, &limits) {
            match diff::compare(&documents[0], &documents[2], &rules, &diff::Habits::default()) {
                Ok(_) | Err(Error::TooSlow { .. }) => {}
                Err(other) => panic!("{line}: {other}"),
            }
        }
    }
}

fn check(set: &RuleSet, rule: &str, documents: &[Document], limits: &Limits) {
    let rules = match Rules::new(set, limits) {
        Ok(rules) => rules,
        Err(Error::Rule { at, why, .. }) => {
            assert!(at >= 1 && at <= rule.chars().count() + 1, "{rule}: {at} {why}");
            assert!(!why.is_empty(), "{rule}");
            return;
        }
        Err(other) => panic!("{rule}: {other}"),
    };
    for document in documents {
        match (rules.text(document), rules.markup(document)) {
            (Err(Error::TooSlow { .. } | Error::Rule { .. }), _)
            | (_, Err(Error::TooSlow { .. } | Error::Rule { .. })) => {}
            (text, markup) => {
                text.unwrap();
                markup.unwrap();
            }
        }
    }
}
