//! Distill: its export, `{"client": …, "data": [{"name", "uri", "config", "tags", "schedule"}]}`, where `config` and `schedule` are
//! JSON within strings. What is known of it is what changedetection.io imports.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::decode::check;
use crate::draft::Drafts;
use crate::json::{is_said, is_yes, number, parse, shown, text, texts};
use crate::{Entry, Error, Limits, List, Pace, Place, RuleKind};

/// Reads an export.
///
/// # Errors
/// If it is no JSON, or has no list `data`.
pub fn read(source: &str, limits: &Limits) -> Result<List, Error> {
    let document = parse(check(source, limits)?)?;
    let Some(Value::Array(items)) = document.get("data") else {
        return Err(Error::syntax(
            Place::line(1),
            "there is no list `data`, so this is no export of Distill",
        ));
    };
    let mut drafts = Drafts::new(limits);
    for (number, item) in items.iter().enumerate() {
        let place = Place::Path(format!("data[{number}]"));
        match item.as_object() {
            Some(fields) => drafts.add(place, monitor(fields))?,
            None => drafts.leave_out(place, "this is no monitor")?,
        }
    }
    Ok(drafts.finish())
}

fn monitor(fields: &Map<String, Value>) -> Entry {
    let mut entry = Entry::default();
    for (name, value) in fields {
        match name.as_str() {
            "uri" => entry.url = text(value).unwrap_or_default(),
            "name" => entry.title = text(value),
            "tags" => texts(Some(value)).iter().for_each(|tag| entry.tag(tag)),
            "config" => config(&mut entry, value),
            "schedule" => schedule(&mut entry, value),
            // What it is to Distill, and when it was saved.
            "id" | "ts" | "state" | "content_type" | "client_id" | "user_id" => {}
            _ if !is_said(value) => {}
            _ => entry.tell(format!("`{name}`: `{}` is not understood", shown(value))),
        }
    }
    entry
}

/// JSON, or JSON within a string.
fn inner(value: &Value) -> Option<Cow<'_, Value>> {
    match value {
        Value::String(text) => serde_json::from_str(text).ok().map(Cow::Owned),
        Value::Object(_) => Some(Cow::Borrowed(value)),
        _ => None,
    }
}

fn config(entry: &mut Entry, value: &Value) {
    let Some(config) = inner(value) else {
        return entry.tell("`config` is no JSON");
    };
    for (number, selection) in list(&config, "selections").enumerate() {
        if is_yes(selection.get("dynamic")) {
            entry.tell(format!(
                "`selections[{number}].dynamic`: there is no browser, so that scripts do not run"
            ));
        }
        for frame in list(selection, "frames") {
            if frame.get("index").and_then(number_of).is_some_and(|index| index != 0.0) {
                entry.tell(format!("`selections[{number}]`: frames within the page are not looked at"));
                continue;
            }
            list(frame, "includes").for_each(|part| choose(entry, part, false));
            list(frame, "excludes").for_each(|part| choose(entry, part, true));
        }
    }
    for name in ["regexp", "conditions"] {
        if let Some(value) = config.get(name).filter(|value| is_said(value)) {
            let says = value.get("expr").is_none_or(is_said);
            if says {
                entry.tell(format!("`config.{name}`: `{}` is not understood", shown(value)));
            }
        }
    }
}

fn number_of(value: &Value) -> Option<f64> {
    number(value)
}

fn list<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default().iter()
}

fn choose(entry: &mut Entry, part: &Value, is_never: bool) {
    let expression = part.get("expr").and_then(text).unwrap_or_default();
    let kind = match part.get("type").and_then(Value::as_str) {
        Some("css") | None => RuleKind::Css,
        Some("xpath") => RuleKind::XPath,
        Some(other) => {
            let other = crate::error::excerpt(other);
            return entry.tell(format!("`config`: parts are not chosen by `{other}`"));
        }
    };
    if is_never { entry.never(kind, expression) } else { entry.only(kind, expression) }
}

fn schedule(entry: &mut Entry, value: &Value) {
    let schedule = inner(value);
    let interval = schedule
        .as_deref()
        .filter(|schedule| schedule.get("type").is_none_or(|kind| kind == "INTERVAL"))
        .and_then(|schedule| schedule.get("params")?.get("interval").and_then(number));
    match interval.map(Pace::every) {
        Some(Ok(pace)) => entry.pace = pace,
        Some(Err(why)) => entry.tell(format!("`schedule`: {why}")),
        None if is_said(value) => entry.tell(format!("`schedule`: `{}` is no interval", shown(value))),
        None => {}
    }
}
