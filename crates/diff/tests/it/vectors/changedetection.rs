//! What changedetection.io does with pages: text, titles, XPath, lines that are ignored.

use diff::{Document, Limits, Page, RuleSet, Rules};
use serde_json::Value;

use super::{folder, squeezed};

/// Why a case is not for us; `None` if it is.
fn reason(case: &Value) -> Option<&'static str> {
    let arguments = &case["input"]["args"];
    let expression = arguments[0].as_str().unwrap_or_default();
    match case["op"].as_str()? {
        "extract_title" if !arguments[0]["$bytes"].is_string() && !arguments[0].is_string() => {
            Some("is about a type of Python")
        }
        "extract_title" if case["expect"].as_str().is_some_and(|title| title.len() >= 2000) => {
            Some("titles are cut after two thousand characters there; ours are bounded by the page")
        }
        "html_to_text" if case["input"]["kw"]["render_anchor_tag_content"] == true => {
            Some("where links lead is compared as attributes, and not mixed into the text")
        }
        "html_to_text" if case["input"]["kw"]["is_rss"] == true => {
            Some("feeds are XML here, and compared as such")
        }
        _ if case["expect"].as_str().is_some_and(|expect| expect.contains("&xxe;")) => Some(
            "an entity that is not known is text here, and written as `&amp;xxe;`; nothing is opened either way",
        ),
        _ if expression.contains(" div 3") => {
            Some("numbers are doubles, and not decimals of twenty-eight digits")
        }
        _ => None,
    }
}

#[test]
fn changedetection_cases_pass_or_have_a_reason() {
    let Some(folder) = folder() else { return };
    let (mut passed, mut reasons, mut failed) = (0, Vec::new(), Vec::new());
    for case in testkit::vectors::jsonl(folder.join("changedetection-html-tools.jsonl")) {
        if let Some(reason) = reason(&case) {
            reasons.push(reason);
            continue;
        }
        match run(&case) {
            Ok(()) => passed += 1,
            Err(why) => failed.push(format!("{} {}: {why}", case["op"], case["input"]["args"][0])),
        }
    }
    println!("{passed} passed, {} not for us: {reasons:?}", reasons.len());
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

fn run(case: &Value) -> Result<(), String> {
    let limits = Limits::default();
    let argument = |at: usize| {
        let argument = &case["input"]["args"][at];
        argument["$bytes"].as_str().or(argument.as_str()).unwrap_or_default()
    };
    let is = |found: String, expect: &str| {
        if found == expect { Ok(()) } else { Err(format!("{found:?} and not {expect:?}")) }
    };
    match case["op"].as_str().unwrap() {
        "extract_title" => {
            let found = Page::read(argument(0), &limits).title();
            if found.as_deref() == case["expect"].as_str() { Ok(()) } else { Err(format!("{found:?}")) }
        }
        "html_to_text" => {
            // Its indentation and blank lines are a matter of taste; the lines are not.
            let lines = |text: &str| -> Vec<String> {
                text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
            };
            let found = lines(&Page::read(argument(0), &limits).text());
            is(found.join("\n"), &lines(case["expect"].as_str().unwrap()).join("\n"))
        }
        "xpath_filter" | "xpath1_filter" => {
            let set = RuleSet { only: vec![format!("xpath:{}", argument(0))], ..RuleSet::default() };
            let rules = Rules::new(&set, &limits).map_err(|error| error.to_string())?;
            let is_xml = case["input"]["kw"]["is_xml"] == true;
            let page =
                if is_xml { Page::read_xml(argument(1), &limits) } else { Page::read(argument(1), &limits) };
            let found = rules.markup(&Document::Page(page)).map_err(|error| error.to_string())?;
            is(squeezed(&found.concat()), &squeezed(&case["expect"].as_str().unwrap().replace("<br>", "")))
        }
        "strip_ignore_text" => ignored(case, argument(0), &limits),
        other => Err(format!("no such operation: {other}")),
    }
}

/// Lines that are ignored: texts, and patterns between slashes, which are blind to case unless they have flags.
fn ignored(case: &Value, text: &str, limits: &Limits) -> Result<(), String> {
    let rules = case["input"]["args"][1].as_array().unwrap().iter().map(|rule| {
        let rule = rule.as_str().unwrap();
        match rule.strip_prefix('/').and_then(|rest| rest.rsplit_once('/')) {
            Some((inner, "")) => format!("regex:/{inner}/i"),
            Some(_) => format!("regex:{rule}"),
            None => format!("text:{rule}"),
        }
    });
    let set = RuleSet { never: rules.collect(), ..RuleSet::default() };
    let rules = Rules::new(&set, limits).map_err(|error| error.to_string())?;
    let kept = rules.text(&Document::text(text)).map_err(|error| error.to_string())?;
    let found = if case["input"]["kw"]["mode"] == "line numbers" {
        let mut kept = kept.lines().peekable();
        let gone = text.lines().enumerate().filter(|(_, line)| kept.next_if_eq(line).is_none());
        Value::from(gone.map(|(at, _)| at + 1).collect::<Vec<_>>())
    } else {
        Value::from(kept)
    };
    let plain = |value: &Value| value.as_str().map(|text| text.trim_end().to_owned());
    let same =
        found == case["expect"] || (plain(&found).is_some() && plain(&found) == plain(&case["expect"]));
    if same { Ok(()) } else { Err(format!("{found} and not {}", case["expect"])) }
}
