//! Lychee's and webarchive-commons' cases of CSS and XML.

use extract::{Limits, css, xml};
use serde_json::Value;

use super::{found, references, same};

pub(super) fn links(case: &Value) -> Option<(bool, Value)> {
    let content = case["input"]["content"].as_str();
    let links = match case["op"].as_str()? {
        "extract_css" => found(|links| css::links(content.unwrap(), links)),
        "extract_xml" => found(|links| drop(xml::links(content.unwrap(), &Limits::default(), links))),
        _ => return None,
    };
    Some(same(references(&links), &case["expect"]))
}

pub(super) fn commons_css(case: &Value) -> Option<(bool, Value)> {
    let links = found(|links| css::links(case["input"].as_str().unwrap(), links));
    Some(same(references(&links), &case["expect"]))
}
