//! What is told of a change, whatever it cites: it stays within its bytes, and hostile text within the fragment.

use diff::{Document, Habits, Limits, Page, RuleSet, Rules, Trigger, compare, lines, words};
use proptest::prelude::*;

/// Texts that would like to be markup, and some that are not.
fn hostile() -> impl Strategy<Value = String> {
    let pieces = [
        "</del>",
        "</p>",
        "<script>",
        "<!--",
        "-->",
        "]]>",
        "&lt;",
        "&",
        "\"",
        "'",
        "<ins ",
        ">",
        "\u{202e}",
        "\u{2028}",
        "\0",
        "\r\n",
        "\n",
        "\u{1b}[2J",
        "\u{feff}",
        "cod",
        "eel ",
        " 12 ",
        "sold out",
        "æ你🐟",
        "Subject: x\r\n\r\n",
        "{+",
        "-]",
    ];
    let piece =
        prop_oneof![4 => prop::sample::select(pieces.to_vec()).prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Only our own elements, closed as they were opened; nothing else that a browser would act upon.
fn is_safe(html: &str) -> Result<(), TestCaseError> {
    let (mut open, mut rest) = (Vec::new(), html);
    while let Some(at) = rest.find(['<', '>', '&', '"', '\'']) {
        let tail = &rest[at..];
        let known = [
            "<p>", "</p>", "<del>", "</del>", "<ins>", "</ins>", "<br>", "&amp;", "&lt;", "&gt;", "&quot;",
            "&#39;",
        ];
        let found = known.iter().find(|known| tail.starts_with(**known));
        prop_assert!(found.is_some(), "{tail}");
        let found = found.unwrap();
        match (found.strip_prefix("</"), found.strip_prefix('<')) {
            (Some(name), _) => prop_assert_eq!(open.pop(), Some(name)),
            (None, Some(name)) if name != "br>" => open.push(name),
            _ => {}
        }
        rest = &tail[found.len()..];
    }
    prop_assert!(open.is_empty(), "{open:?} in {html}");
    prop_assert!(!html.contains(|char: char| is_hostile(char) && char != '\n'), "{html:?}");
    // As a browser reads it.
    let page = Page::read(&format!("<main>{html}</main><i>end</i>"), &Limits::default());
    let text = page.text();
    prop_assert!(text.trim_end().ends_with("end"), "{text}");
    Ok(())
}

fn is_hostile(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
}

fn documents(old: &str, new: &str) -> Vec<(Document, Document)> {
    let limits = Limits::default();
    let json = |text: &str| Document::Json(serde_json::json!({ "fish": text, text: [text] }));
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let page = |text: &str| {
        let text = escaped(text);
        Document::page(
            &format!("<title>{text}</title><p>{text}<p>Cod <a href='/{}'>now</a>", text.replace('\'', "")),
            &limits,
        )
    };
    vec![
        (page(old), page(new)),
        (Document::page(old, &limits), Document::page(new, &limits)),
        (json(old), json(new)),
        (Document::text(old), Document::text(new)),
        (page(old), Document::text(new)),
    ]
}

proptest! {
    #[test]
    fn hostile_text_never_leaves_the_fragment(old in hostile(), new in hostile(), bytes_max in 0_usize..600) {
        let limits = Limits::default();
        let set = RuleSet { noise: true, margins: true, ..RuleSet::default() };
        let rules = Rules::new(&set, &limits).unwrap();
        for (old, new) in documents(&old, &new) {
            let outcome = compare(&old, &new, &rules, &Habits::default()).unwrap();
            for bytes_max in [bytes_max, 1 << 20] {
                let html = outcome.html(bytes_max);
                prop_assert!(html.len() <= bytes_max);
                is_safe(&html)?;
                let text = outcome.text(bytes_max);
                prop_assert!(text.len() <= bytes_max);
                prop_assert!(!text.contains(|char: char| is_hostile(char) && char != '\n'));
            }
            prop_assert_eq!(outcome.html(1 << 20).is_empty(), outcome.findings().next().is_none());
            let summary = outcome.summary();
            prop_assert!(summary.chars().count() <= 120 && !summary.is_empty());
            prop_assert!(!summary.contains(is_hostile), "{summary:?}");
        }
        for difference in [lines(&old, &new, &limits), words(&old, &new, &limits)] {
            for bytes_max in [bytes_max, 1 << 20] {
                let html = difference.html(2, bytes_max);
                prop_assert!(html.len() <= bytes_max);
                is_safe(&html)?;
            }
        }
    }

    #[test]
    fn a_summary_of_triggers_is_one_short_line(find in hostile()) {
        let limits = Limits::default();
        let set = RuleSet { triggers: vec![Trigger::Appears(find.clone())], ..RuleSet::default() };
        if let Ok(rules) = Rules::new(&set, &limits) {
            let (old, new) = (Document::text("nothing"), Document::text(&format!("now {find}")));
            let summary = compare(&old, &new, &rules, &Habits::default()).unwrap().summary();
            prop_assert!(summary.chars().count() <= 120 && !summary.contains(is_hostile), "{summary:?}");
        }
    }
}

#[test]
fn much_that_changed_is_told_briefly() {
    let limits = Limits::default();
    let old: String = (0..20_000).map(|number| format!("<p>cod number {number} swims</p>")).collect();
    let new = old.replace("swims", "rests");
    let (old, new) = (Document::page(&old, &limits), Document::page(&new, &limits));
    let outcome = compare(&old, &new, &Rules::none(&limits), &Habits::default()).unwrap();
    let html = outcome.html(4000);
    assert!(html.len() <= 4000 && html.len() > 3800, "{}", html.len());
    assert!(html.starts_with("<p>cod number 0 <del>swims</del> <ins>rests</ins></p>\n<p>"), "{html}");
    assert!(html.contains(" more changes</p>"), "{html}");
    assert_eq!(outcome.summary(), "10000 words changed: “rests”");
}
