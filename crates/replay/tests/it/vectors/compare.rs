//! Two answers to one question: what counts, and what does not.
//!
//! Ours lead to the exact address of a capture where pywb shows it at once, with the address in `Content-Location`: that way is
//! followed. 302 and 307 are one. Texts of the user interface do not count; addresses into the archive do, by where they lead.

use std::collections::BTreeSet;

use serde_json::Value;

use super::recorded::expected_headers;
use crate::world::{Answer, Server, links};

/// Whether ours says the same.
pub(super) fn agrees(server: &Server, exchange: &Value) -> Result<(), String> {
    let expected = expected_headers(exchange);
    let status = exchange["expect"]["status"].as_u64().unwrap_or_default();
    let is_way = |status: u64| matches!(status, 302 | 307);
    let leads_within = is_way(status) && !expected.contains_key("memento-datetime");
    let (answer, vary) = ask(server, exchange, leads_within)?;
    let ours = u64::from(answer.status);
    let is_framed = exchange["expect"]["text"].as_str().is_some_and(|text| text.contains("wb_frame.js"));
    if ours != status && !(is_way(ours) && is_way(status)) {
        return Err(format!("status {ours} where {status} was"));
    }
    // What pywb shows in a frame of its own has the facts of the capture in the frame.
    if let Some(time) = expected.get("memento-datetime")
        && answer.header("memento-datetime") != Some(time)
    {
        return Err(format!("time {:?} where {time} was", answer.header("memento-datetime")));
    }
    for name in ["location", "content-location"] {
        let (theirs, our) = (expected.get(name), answer.header(name));
        if let Some(theirs) = theirs
            && our.map(place) != Some(place(theirs))
            && our.map(|our| place(our).1)
                != Some(place(theirs).1.clone()).filter(|_| place(theirs).0.len() < 14)
        {
            return Err(format!("{name} {our:?} where {theirs} was"));
        }
    }
    if expected.get("vary").is_some_and(|vary| vary.contains("accept-datetime"))
        && status == 200
        && !is_map(exchange)
        && !vary
    {
        return Err("does not vary by Accept-Datetime".to_owned());
    }
    let theirs = relations(expected.get("link").map(String::as_str).unwrap_or_default());
    let ours = relations(answer.header("link").unwrap_or_default());
    let lacking: Vec<_> = theirs.iter().filter(|link| !ours.contains(*link) && !is_framed).collect();
    if !lacking.is_empty() && !leads_within {
        return Err(format!("links {lacking:?} are not among {ours:?}"));
    }
    body(exchange, &answer, is_framed)
}

fn is_map(exchange: &Value) -> bool {
    exchange["input"]["path"].as_str().is_some_and(|path| path.contains("/timemap/"))
}

/// Asks, and goes where that leads; whether any answer on the way varies by time.
fn ask(server: &Server, exchange: &Value, leads_within: bool) -> Result<(Answer, bool), String> {
    let input = &exchange["input"];
    let text = |name: &str| input[name].as_str().unwrap_or_default();
    let headers = input["headers"].as_object().cloned().unwrap_or_default();
    let headers: Vec<(String, String)> = headers
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()))
        .collect();
    let headers: Vec<(&str, &str)> =
        headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut path = text("path").to_owned();
    let mut vary = false;
    for _ in 0..4 {
        let answer = server.ask(text("method"), &path, &headers, text("body").as_bytes());
        vary |=
            answer.header("vary").is_some_and(|vary| vary.to_ascii_lowercase().contains("accept-datetime"));
        let is_way = matches!(answer.status, 302 | 307) && answer.header("memento-datetime").is_none();
        if !is_way || leads_within {
            return Ok((answer, vary));
        }
        let location = answer.expect("location");
        path = location.strip_prefix("http://localhost:80").unwrap_or(location).to_owned();
    }
    Err("leads in a circle".to_owned())
}

/// Time and URL of an address into the archive.
fn place(address: &str) -> (String, String) {
    let path = address.strip_prefix("http://localhost:80").unwrap_or(address);
    let rest = path.strip_prefix('/').and_then(|path| path.split_once('/')).map_or(path, |(_, rest)| rest);
    let word = rest.split('/').next().unwrap_or_default();
    let time: String = word.chars().take_while(char::is_ascii_digit).collect();
    let has_time = !time.is_empty() || word.ends_with('_');
    let url = if has_time { rest.get(word.len() + 1..).unwrap_or_default() } else { rest };
    (time, url.to_owned())
}

/// What links say: their relation, and time and URL of what they lead to.
fn relations(text: &str) -> BTreeSet<(String, (String, String))> {
    let mut relations = BTreeSet::new();
    for (relation, addresses) in links(text) {
        for address in addresses {
            let place = if relation == "original" { (String::new(), address) } else { place(&address) };
            relations.insert((relation.clone(), place));
        }
    }
    relations
}

/// What the text of an answer leads to must be led to by ours.
fn body(exchange: &Value, answer: &Answer, is_framed: bool) -> Result<(), String> {
    let text = exchange["expect"]["text"].as_str().unwrap_or_default();
    if is_map(exchange) && answer.status == 200 {
        let (theirs, ours) = (relations(text), relations(&answer.text()));
        let lacking: Vec<_> = theirs.iter().filter(|link| !ours.contains(*link)).collect();
        return if lacking.is_empty() { Ok(()) } else { Err(format!("the TimeMap lacks {lacking:?}")) };
    }
    let is_memento = answer.header("memento-datetime").is_some() && !is_framed;
    if !is_memento || answer.status != 200 {
        return Ok(());
    }
    let (theirs, ours) = (archived(text), archived(&answer.text()));
    let lacking: Vec<_> = theirs.iter().filter(|url| !ours.contains(*url)).collect();
    if lacking.is_empty() { Ok(()) } else { Err(format!("the page does not lead to {lacking:?}")) }
}

/// URLs that a page leads to within the archive.
fn archived(text: &str) -> BTreeSet<String> {
    let mut urls = BTreeSet::new();
    for (at, _) in text.match_indices("/pywb/") {
        let rest = &text[at + "/pywb/".len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let line_start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        // What pywb puts into every page.
        let is_of_the_frame = text[line_start..at].contains("wbinfo")
            || text[line_start..at].ends_with("<base href=\"http://localhost:80");
        let Some((_, url)) = rest.split_once('/').filter(|(word, _)| digits > 0 && word.len() <= 18) else {
            continue;
        };
        let end = url.find(['"', '\'', ')', '<', ' ', '\\', '>']).unwrap_or(url.len());
        // The text of the vector may be cut off there.
        if end < url.len() && !is_of_the_frame {
            urls.insert(url[..end].replace("&amp;", "&").to_owned());
        }
    }
    urls
}
