//! urlwatch: `urls.yaml`, a document for each job.
//!
//! ```text
//! name: Prices
//! url: https://example.org/shop
//! filter:
//!   - css: .price
//!   - html2text
//! ---
//! url: https://example.org/news
//! ```

mod filters;

use url::form_urlencoded;

use crate::decode::check;
use crate::draft::{Drafts, said};
use crate::yaml::{self, Node, Value};
use crate::{Entry, Error, Limits, List, Place};

/// Reads a list of jobs.
///
/// # Errors
/// If it is no YAML, nested too deep, or blown up by aliases. Jobs that watch no page are left out and told.
pub fn read(text: &str, limits: &Limits) -> Result<List, Error> {
    let text = check(text, limits)?;
    let mut drafts = Drafts::new(limits);
    for document in yaml::documents(text, limits)? {
        match document.value {
            // Not how urlwatch writes it, but easily written by hand.
            Value::List(jobs) => jobs.iter().try_for_each(|node| job(node, &mut drafts))?,
            _ => job(&document, &mut drafts)?,
        }
    }
    Ok(drafts.finish())
}

fn job(node: &Node, drafts: &mut Drafts<'_>) -> Result<(), Error> {
    let place = Place::line(node.line);
    let text = |name: &str| node.field(name).and_then(Node::text).and_then(said);
    let is_shell = text("kind").is_some_and(|kind| kind == "shell");
    if let Some(command) = text("command").filter(|_| is_shell || node.field("url").is_none()) {
        let command = crate::error::excerpt(&command);
        return drafts.leave_out(place, format!("the job runs the command `{command}`, which is no page"));
    }
    let Some(url) = text("url").or_else(|| text("navigate")) else {
        return drafts.leave_out(place, "there is no `url` and no `navigate`");
    };
    let mut entry = Entry::new(url);
    if node.field("navigate").is_some() || text("kind").is_some_and(|kind| kind == "browser") {
        entry.tell(told(node, "the page is fetched without a browser, so that scripts do not run"));
    }
    for (name, value) in node.fields() {
        if !value.is_nothing() {
            field(&mut entry, name, value);
        }
    }
    if entry.body.is_some() && entry.method.is_none() {
        entry.method = Some("POST".to_owned());
    }
    drafts.add(place, entry)
}

fn field(entry: &mut Entry, name: &str, value: &Node) {
    let text = || value.text().map(str::to_owned);
    match name {
        "url" | "navigate" | "kind" => {}
        "name" => entry.title = text(),
        "note" => entry.notes = text(),
        "user_visible_url" | "url_for_human" => entry.page = text(),
        "enabled" => entry.is_paused = value.is_yes() == Some(false),
        "tags" => tags(entry, value),
        "method" => entry.method = text(),
        "data" => data(entry, value),
        "headers" => headers(entry, value),
        "cookies" => cookies(entry, value),
        "useragent" => entry.headers.extend(text().map(|agent| ("User-Agent".to_owned(), agent))),
        "filter" => filters::take(entry, value),
        // What holds here anyway: certificates are noted and borne, new pages are kept as the first version.
        "ssl_no_verify" => {}
        _ if value.is_yes() == Some(false) => {}
        _ => entry.tell(told(value, &not_done(name, value))),
    }
}

fn not_done(name: &str, value: &Node) -> String {
    let why = match name {
        "diff_filter" => "all of a difference counts, added and taken away",
        "diff_tool" => "differences are made here",
        "max_tries" => "how often a page is tried again is said for the whole program",
        "compared_versions" => "a page is compared with its last version only",
        "treat_new_as_changed" => "the first version of a page is no change",
        "ignore_cached" => "servers are asked whether a page has changed",
        "http_proxy" | "https_proxy" => "proxies are said for the whole program",
        "encoding" => "the charset is found out",
        "timeout" => "how long is waited is said for the whole program",
        "ignore_connection_errors"
        | "ignore_http_error_codes"
        | "ignore_timeout_errors"
        | "ignore_too_many_redirects"
        | "ignore_incomplete_reads" => "every failure is noted",
        "wait_until" | "wait_for" | "browser" | "use_browser" => "there is no browser",
        "stderr" | "command" => "no commands are run",
        _ => "this is not understood",
    };
    format!("`{name}: {}`: {why}", value.shown())
}

/// A thing that is not done, with its line.
fn told(node: &Node, what: &str) -> String {
    format!("line {}: {what}", node.line)
}

fn tags(entry: &mut Entry, value: &Node) {
    match &value.value {
        Value::List(items) => items.iter().filter_map(Node::text).for_each(|tag| entry.tag(tag)),
        _ => value.text().unwrap_or_default().split(',').for_each(|tag| entry.tag(tag)),
    }
}

fn data(entry: &mut Entry, value: &Node) {
    match &value.value {
        Value::Map(_) => {
            let fields = value.fields().map(|(name, value)| (name, value.text().unwrap_or_default()));
            entry.body = Some(form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish());
            entry.headers.push(("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned()));
        }
        Value::Scalar(text, _) => entry.body = Some(text.clone()),
        Value::List(_) => entry.tell(told(value, "`data` is a list, which cannot be sent")),
    }
}

fn headers(entry: &mut Entry, value: &Node) {
    for (name, value) in value.fields() {
        match value.text() {
            Some(text) => entry.headers.push((name.to_owned(), text.to_owned())),
            None => entry.tell(told(value, &format!("the header `{name}` has no value"))),
        }
    }
    if !matches!(value.value, Value::Map(_)) {
        entry.tell(told(value, "`headers` is no map of names and values"));
    }
}

fn cookies(entry: &mut Entry, value: &Node) {
    let pairs: Vec<String> =
        value.fields().filter_map(|(name, value)| Some(format!("{name}={}", value.text()?))).collect();
    if pairs.is_empty() {
        entry.tell(told(value, "`cookies` is no map of names and values"));
    } else {
        entry.headers.push(("Cookie".to_owned(), pairs.join("; ")));
    }
}
