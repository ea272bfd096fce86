//! What scripts ask for: weather, water levels, comments, places of the map, and the index that the search reads.

use crate::answer::{Answer, JSON};
use crate::comments;
use crate::edition::Edition;
use crate::stories;

/// Readings of the gauge, in centimetres, for the fourteen days before each edition.
const LEVELS_CM: [[u16; 14]; 3] = [
    [171, 172, 171, 173, 175, 174, 174, 176, 178, 177, 177, 176, 178, 178],
    [180, 181, 181, 183, 186, 189, 193, 196, 199, 206, 221, 238, 245, 241],
    [205, 203, 200, 199, 197, 196, 194, 193, 191, 190, 188, 187, 186, 185],
];

/// The file at this path, if it is one that scripts ask for.
pub(crate) fn find(edition: Edition, path: &str) -> Option<Answer> {
    let text = match path {
        "/data/weather.json" => weather(edition).to_owned(),
        "/data/levels.json" => levels(edition),
        "/data/search.json" => index(edition),
        "/data/places.json" => include_str!("../site/assets/places.json").to_owned(),
        _ => comments_on(edition, path)?,
    };
    Some(Answer::ok(JSON, text.into_bytes()))
}

fn weather(edition: Edition) -> &'static str {
    match edition.number {
        1 => {
            r#"{"sky":"sun","words":"Mist at first, then sun","high":19,"low":9,"wind":"light, south-west","water":17.5}"#
        }
        2 => {
            r#"{"sky":"rain","words":"Showers, clearing from the west","high":11,"low":6,"wind":"fresh, west","water":12.0}"#
        }
        _ => {
            r#"{"sky":"frost","words":"Clear, with frost in the hollows","high":6,"low":-2,"wind":"still","water":7.5}"#
        }
    }
}

fn levels(edition: Edition) -> String {
    let readings = LEVELS_CM.get(usize::from(edition.number).saturating_sub(1)).copied().unwrap_or_default();
    let readings: Vec<String> = readings.iter().map(u16::to_string).collect();
    let day = edition.published.get(..10).unwrap_or_default();
    format!(r#"{{"gauge":"Town Quay","mean":178,"until":"{day}","readings":[{}]}}"#, readings.join(","))
}

/// Headline, summary and address of everything in the paper.
fn index(edition: Edition) -> String {
    let entries = stories::of(edition.number).map(|story| {
        format!(
            r#"{{"url":{},"title":{},"summary":{},"section":{},"day":{}}}"#,
            quoted(&story.path()),
            quoted(story.headline),
            quoted(story.summary),
            quoted(story.section.name()),
            quoted(&story.day()),
        )
    });
    format!("[{}]", entries.collect::<Vec<_>>().join(",\n"))
}

fn comments_on(edition: Edition, path: &str) -> Option<String> {
    let story = stories::of(edition.number).find(|story| story.comments_path() == path)?;
    let comments: Vec<String> = comments::on(story.slug, edition.number)
        .map(|comment| {
            let (name, date, text) = (quoted(comment.name), quoted(comment.date), quoted(comment.text));
            format!(r#"{{"name":{name},"date":{date},"text":{text}}}"#)
        })
        .collect();
    (!comments.is_empty()).then(|| format!("[{}]", comments.join(",\n")))
}

/// A string as JSON has it. Ours hold no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
