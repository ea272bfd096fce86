//! `outbackcdx-filters.jsonl`: filters and collapsing as OutbackCDX has them.

use cdx::query::{Collapse, Filter};
use cdx::{Capture, Field};
use serde_json::Value;

use crate::differences::tally;

fn capture(record: &Value) -> Capture<'static> {
    let mut capture = Capture::default();
    for (name, value) in record.as_object().unwrap() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        capture.set_text(&Field::named(name), text.into()).unwrap();
    }
    capture
}

#[test]
fn filters_and_collapsing_are_those_of_outbackcdx() {
    let mut tally = tally();
    for (name, vector) in crate::questions("outbackcdx-filters.jsonl") {
        let input = &vector["input"];
        let found = match vector["op"].as_str().unwrap() {
            "cdx_filter" => {
                let filter = Filter::outback(input["filter"].as_str().unwrap()).unwrap();
                Value::from(filter.accepts(&capture(&input["record"])))
            }
            "cdx_collapse_to_first" => {
                let mut collapse = Collapse::by_field(input["collapse"].as_str().unwrap()).unwrap();
                let records = input["records"].as_array().unwrap();
                records.iter().map(|record| collapse.accepts(&capture(record))).collect()
            }
            other => panic!("{name}: {other}"),
        };
        tally.note(&name, &found.to_string(), &vector["expect"].to_string());
    }
    tally.settle();
}
