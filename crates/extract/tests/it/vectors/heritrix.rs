//! Heritrix's extractors for scripts and XML, and its judgement of likely addresses.

use extract::{Limits, likely, script, xml};
use serde_json::{Value, json};

use super::{found, resolved, same};

pub(super) fn links(case: &Value) -> Option<(bool, Value)> {
    let input = &case["input"];
    let content = input["content"].as_str()?;
    let links = match input["content_type"].as_str()? {
        "text/javascript" => found(|links| script::links(content, links)),
        "text/xml" => found(|links| drop(xml::links(content, &Limits::default(), links))),
        _ => return None,
    };
    Some(same(resolved(&links, input["base"].as_str()?), &case["expect"]["links"]))
}

pub(super) fn likely(case: &Value) -> Option<(bool, Value)> {
    let text = case["input"].as_str()?;
    let ours = match case["op"].as_str()? {
        "is_likely_uri" => likely::may_be(text),
        "is_data_uri" => likely::is_data(text),
        _ => return None,
    };
    Some((case["expect"] == ours, json!(ours)))
}
