//! One watch.

use serde_json::Value;

use super::{Fields, Folder, rules};
use crate::json::{is_said, is_yes, number, object, shown, text, texts};
use crate::{Entry, Pace};

/// What a watch says.
pub(super) fn entry(fields: &Fields, folder: &Folder) -> Entry {
    let field = |name: &str| fields.get(name).and_then(text);
    let mut entry = Entry {
        url: field("url").unwrap_or_default(),
        title: field("title").or_else(|| field("page_title")),
        page: field("link_to_open"),
        is_paused: is_yes(fields.get("paused")),
        method: field("method").filter(|method| !method.eq_ignore_ascii_case("GET")),
        body: field("body"),
        notes: field("notes"),
        ..Entry::default()
    };
    crate::url_list::plain_source(&mut entry);
    tags(&mut entry, fields, folder);
    pace(&mut entry, fields, folder);
    headers(&mut entry, fields);
    notify(&mut entry, fields, folder);
    rules::take(&mut entry, fields, folder);
    others(&mut entry, fields);
    entry
}

fn tags(entry: &mut Entry, fields: &Fields, folder: &Folder) {
    // Names in old versions, ids of tags in new ones.
    for name in texts(fields.get("tag")) {
        name.split(',').for_each(|tag| entry.tag(tag));
    }
    for uuid in texts(fields.get("tags")) {
        match folder.tags.get(&uuid) {
            Some(tag) => match tag.get("title").and_then(text) {
                Some(title) => entry.tag(&title),
                None => entry.tell(format!("`tags`: the tag `{uuid}` has no name")),
            },
            None if is_uuid(&uuid) => {
                entry.tell(format!("`tags`: nothing says what the tag `{uuid}` is called"))
            }
            None => entry.tag(&uuid),
        }
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

fn pace(entry: &mut Entry, fields: &Fields, folder: &Folder) {
    let own = object(fields, "time_between_check");
    let is_default = fields.get("time_between_check_use_default").is_none_or(|value| is_yes(Some(value)));
    // Before there was such a choice, a time of one's own was one.
    let has_choice = fields.contains_key("time_between_check_use_default");
    let own = own.filter(|own| seconds(own) > 0.0 && (!is_default || !has_choice));
    let Some(time) = own.or_else(|| folder.usual_pause()) else { return };
    match Pace::every(seconds(time)) {
        Ok(pace) => entry.pace = pace,
        Err(why) => entry.tell(format!("`time_between_check`: {why}")),
    }
}

fn seconds(time: &Fields) -> f64 {
    let units =
        [("weeks", 604_800.0), ("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0), ("seconds", 1.0)];
    units.into_iter().map(|(unit, length)| time.get(unit).and_then(number).unwrap_or(0.0) * length).sum()
}

fn headers(entry: &mut Entry, fields: &Fields) {
    match fields.get("headers") {
        Some(Value::Object(headers)) => {
            let pairs = headers.iter().filter_map(|(name, value)| Some((name.clone(), text(value)?)));
            entry.headers.extend(pairs);
        }
        value => {
            for line in texts(value) {
                match line.split_once(':') {
                    Some((name, value)) => {
                        entry.headers.push((name.trim().to_owned(), value.trim().to_owned()))
                    }
                    None => entry.tell(format!("`headers`: `{}` has no colon", crate::error::excerpt(&line))),
                }
            }
        }
    }
}

/// The watch's own addresses, or its tags', or those of the settings.
fn notify(entry: &mut Entry, fields: &Fields, folder: &Folder) {
    let own = texts(fields.get("notification_urls"));
    let tags =
        || folder.tags_of(fields).flat_map(|tag| texts(tag.get("notification_urls"))).collect::<Vec<_>>();
    let all = || texts(folder.application.get("notification_urls"));
    entry.notify =
        [own, tags(), all()].into_iter().find(|addresses| !addresses.is_empty()).unwrap_or_default();
    if is_yes(fields.get("notification_muted")) {
        entry.notify.clear();
        entry.tell("`notification_muted`: nobody is told, so that no address was taken over");
    }
}

/// What is said of everything else, unless it is what changedetection.io takes by itself.
fn others(entry: &mut Entry, fields: &Fields) {
    for (name, value) in fields {
        let why = match name.as_str() {
            "browser_steps" if steps(value) => "there is no browser to click and type",
            "webdriver_delay" | "webdriver_js_execute_code" => "there is no browser",
            "fetch_backend" if !matches!(value.as_str(), Some("system" | "html_requests" | "")) => {
                "the page is fetched without a browser, so that scripts do not run"
            }
            "processor" if !matches!(value.as_str(), Some("text_json_diff" | "")) => {
                "its text is compared, not stock, price or picture"
            }
            "proxy" => "proxies are said for the whole program",
            "ignore_status_codes" => "failures are noted, and are no versions",
            "notification_title" | "notification_body" => "notifications are worded here",
            "notification_screenshot" => "there are no pictures of pages",
            "notification_format" if !is_usual_format(value) => "notifications are sent as text and as HTML",
            "filter_text_added" | "filter_text_removed" | "filter_text_replaced"
                if value == &Value::Bool(false) =>
            {
                entry.tell(format!("`{name}`: lines that are added, taken away and replaced all count"));
                continue;
            }
            "check_unique_lines" => "a page is compared with its last version, not with all",
            "sort_text_alphabetically" | "remove_duplicate_lines" => "lines stay as they are",
            "time_schedule_limit" if is_yes(value.get("enabled")) => {
                "pages are checked at all hours and on all days"
            }
            "llm_intent" | "llm_prefilter" | "llm_change_summary" => "no language model is asked",
            "price_change_threshold_percent" | "price_change_custom_include_filters" => {
                "prices are not followed"
            }
            "track_ldjson_price_data" if is_yes(Some(value)) => "prices are not followed",
            "history_snapshot_max_length" => "all versions are kept",
            _ => continue,
        };
        if is_said(value) {
            entry.tell(format!("`{name}`: `{}`: {why}", shown(value)));
        }
    }
}

/// Whether any step does something; an untouched form leaves two that do not.
fn steps(value: &Value) -> bool {
    let steps = value.as_array().map(Vec::as_slice).unwrap_or_default();
    steps.iter().any(|step| {
        !matches!(step.get("operation").and_then(Value::as_str), Some("Choose one" | "Goto site" | ""))
    })
}

fn is_usual_format(value: &Value) -> bool {
    value.as_str().is_none_or(|word| word.to_lowercase().starts_with("system") || word.is_empty())
}
