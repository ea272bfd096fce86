//! changedetection.io: `url-watches.json`, which holds everything, or the files of newer versions: `changedetection.json` with the
//! settings, and a folder for each watch and each tag with `watch.json` or `tag.json` in it. A backup holds the same files.

mod rules;
mod watch;

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::decode::check;
use crate::draft::Drafts;
use crate::json::{is_said, object, parse, texts};
use crate::{Error, Limits, List, Place};

type Fields = Map<String, Value>;

/// Reads one file: everything, one watch, or what its API answers when asked for all watches.
///
/// # Errors
/// If it is no JSON.
pub fn read(text: &str, limits: &Limits) -> Result<List, Error> {
    read_files([("", text)], limits)
}

/// Reads files of a data folder or backup, each with its name, in any order. Others than those of watches, tags and settings may be
/// among them: they are left out and told.
///
/// ```
/// use watchlist::{Limits, changedetection};
///
/// let files = [
///     ("a1/watch.json", r#"{"uuid": "a1", "url": "https://example.org/", "tags": ["b2"]}"#),
///     ("b2/tag.json", r#"{"uuid": "b2", "title": "prices", "overrides_watch": false}"#),
/// ];
/// let list = changedetection::read_files(files, &Limits::default())?;
/// assert_eq!(list.entries[0].tags, ["prices"]);
/// # Ok::<(), watchlist::Error>(())
/// ```
///
/// # Errors
/// If one of them is no JSON, or they are too large together; the message names the file.
pub fn read_files<'f>(
    files: impl IntoIterator<Item = (&'f str, &'f str)>,
    limits: &Limits,
) -> Result<List, Error> {
    let mut folder = Folder::default();
    let mut drafts = Drafts::new(limits);
    let mut bytes = 0_usize;
    for (name, text) in files {
        bytes = bytes.saturating_add(text.len());
        if bytes > limits.bytes_max {
            return Err(Error::TooLarge { bytes, max: limits.bytes_max });
        }
        let document = check(text, limits).and_then(parse).map_err(|error| named(error, name))?;
        if let Err(why) = folder.add(name, document) {
            drafts.leave_out(
                Place::Path(if name.is_empty() { "the file".to_owned() } else { name.to_owned() }),
                why,
            )?;
        }
    }
    folder.told(&mut drafts)?;
    for (place, fields) in &folder.watches {
        let entry = watch::entry(fields, &folder);
        drafts.add(Place::Path(place.clone()), entry)?;
    }
    Ok(drafts.finish())
}

/// The same fault, with the file's name before its place.
fn named(error: Error, name: &str) -> Error {
    match error {
        Error::Syntax { place, why } if !name.is_empty() => {
            Error::Syntax { place: Place::Path(format!("{name}, {place}")), why }
        }
        other => other,
    }
}

/// All that files say together.
#[derive(Default)]
struct Folder {
    watches: Vec<(String, Fields)>,
    tags: HashMap<String, Fields>,
    application: Fields,
    requests: Fields,
}

impl Folder {
    fn add(&mut self, name: &str, document: Value) -> Result<(), &'static str> {
        let Value::Object(mut fields) = document else { return Err("this is no file of changedetection.io") };
        let is_tag = name.ends_with("tag.json") || fields.contains_key("overrides_watch");
        let prefix = if name.is_empty() { String::new() } else { format!("{name}: ") };
        if let Some(Value::Object(mut settings)) = fields.remove("settings") {
            self.settings(&mut settings);
            if let Some(Value::Object(watching)) = fields.remove("watching") {
                self.all(&format!("{prefix}watching."), watching);
            }
        } else if let Some(Value::Object(watching)) = fields.remove("watching") {
            self.all(&format!("{prefix}watching."), watching);
        } else if is_tag {
            let uuid = fields.get("uuid").and_then(Value::as_str).unwrap_or_default().to_owned();
            self.tags.insert(uuid, fields);
        } else if fields.get("url").is_some_and(Value::is_string) {
            let uuid = fields.get("uuid").and_then(Value::as_str).unwrap_or("the watch");
            let place = if name.is_empty() { uuid.to_owned() } else { name.to_owned() };
            self.watches.push((place, fields));
        } else if !fields.is_empty() && fields.values().all(|value| value.get("url").is_some()) {
            self.all(&prefix, fields);
        } else {
            return Err("this is no file of changedetection.io");
        }
        Ok(())
    }

    fn all(&mut self, prefix: &str, watching: Fields) {
        for (uuid, watch) in watching {
            // What is no object has no URL, which is told like any other.
            let fields = match watch {
                Value::Object(fields) => fields,
                _ => Fields::new(),
            };
            self.watches.push((format!("{prefix}{uuid}"), fields));
        }
    }

    fn settings(&mut self, settings: &mut Fields) {
        if let Some(Value::Object(mut application)) = settings.remove("application") {
            if let Some(Value::Object(tags)) = application.remove("tags") {
                self.tags.extend(tags.into_iter().filter_map(|(uuid, tag)| match tag {
                    Value::Object(fields) => Some((uuid, fields)),
                    _ => None,
                }));
            }
            self.application = application;
        }
        if let Some(Value::Object(requests)) = settings.remove("requests") {
            self.requests = requests;
        }
    }

    /// Says what of the settings is not taken over.
    fn told(&self, drafts: &mut Drafts<'_>) -> Result<(), Error> {
        let all = [("settings.application", &self.application), ("settings.requests", &self.requests)];
        const TOLD: [(&str, &str); 8] = [
            ("extra_proxies", "proxies are said for the whole program"),
            ("proxy", "proxies are said for the whole program"),
            ("extra_browsers", "there is no browser"),
            ("notification_title", "notifications are worded here"),
            ("notification_body", "notifications are worded here"),
            ("password", "users sign in otherwise"),
            ("default_ua", "what a program calls itself is said for the whole of it"),
            ("jitter_seconds", "checks are spread evenly"),
        ];
        for (path, fields) in all {
            for (name, why) in TOLD {
                if fields.get(name).is_some_and(|value| is_said(value) && value.as_f64() != Some(0.0)) {
                    drafts.leave_out(Place::Path(format!("{path}.{name}")), why)?;
                }
            }
        }
        Ok(())
    }

    /// The texts of a field: the watch's own, its tags', and of the settings if there is a name for it.
    fn texts(&self, watch: &Fields, name: &str, global: Option<&str>) -> Vec<String> {
        let mut all = texts(watch.get(name));
        for tag in self.tags_of(watch) {
            all.extend(texts(tag.get(name)));
        }
        if let Some(global) = global {
            all.extend(texts(self.application.get(global)));
        }
        all
    }

    fn tags_of<'s>(&'s self, watch: &'s Fields) -> impl Iterator<Item = &'s Fields> {
        let uuids = watch.get("tags").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        uuids.iter().filter_map(Value::as_str).filter_map(|uuid| self.tags.get(uuid))
    }

    /// How often pages are checked if they do not say it themselves.
    fn usual_pause(&self) -> Option<&Fields> {
        object(&self.requests, "time_between_check")
    }
}
