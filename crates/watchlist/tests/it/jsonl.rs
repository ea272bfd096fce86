//! Our own export: how it is spelled, today and before.

use watchlist::{Entry, Limits, jsonl};

const HEAD: &str = "{\"varve-watchlist\":1}\n";

#[test]
fn rules_and_triggers_are_lines() {
    let entry = Entry {
        only: vec!["main".parse().unwrap()],
        never: vec!["text:visitors".parse().unwrap()],
        triggers: vec!["number down 0.1 Price:".parse().unwrap()],
        ..Entry::new("https://a.example/")
    };
    let text = jsonl::write(std::slice::from_ref(&entry));
    let line = r#"{"url":"https://a.example/","only":["css:main"],"never":["text:visitors"],"triggers":["number down 0.1 Price:"]}"#;
    assert_eq!(text, format!("{HEAD}{line}\n"));
    assert_eq!(jsonl::read(&text, &Limits::default()).unwrap().entries, [entry]);
}

#[test]
fn triggers_of_earlier_exports_are_read() {
    let line = r#"{"url":"https://a.example/","triggers":[{"appears":"x"},{"number":{"find":"Price:","line":"0.1","crossing":"down"}}]}"#;
    let list = jsonl::read(&format!("{HEAD}{line}\n"), &Limits::default()).unwrap();
    let triggers: Vec<String> = list.entries[0].triggers.iter().map(ToString::to_string).collect();
    assert_eq!(triggers, ["appears x", "number down 0.1 Price:"]);
}

#[test]
fn what_makes_no_sense_is_told_with_its_place() {
    for (field, why) in [
        (r#""only":["css: "]"#, "the rule `css: ` says nothing"),
        (r#""triggers":["sold out"]"#, "`sold out` is no trigger such as `appears sold out`"),
        (r#""triggers":["number up x y"]"#, "`x` is no number"),
    ] {
        let text = format!("{HEAD}{{\"url\":\"https://a.example/\",{field}}}\n");
        let error = jsonl::read(&text, &Limits::default()).unwrap_err().to_string();
        assert!(error.starts_with("line 2, column ") && error.contains(why), "{error}");
    }
}
