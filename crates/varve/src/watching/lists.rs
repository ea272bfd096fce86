//! Watches as they stand in the lists of others, and in ours.

use api::watches::WatchWish;
use diff::RuleSet;
use notify::To;
use watchlist::{Entry, Pace};

use crate::settings::Hours;

/// What an entry of a list wants, and what of it cannot be done here.
pub(crate) fn wish_of(entry: &Entry, owner: &str) -> (WatchWish, Vec<String>) {
    let mut lost = entry.unsupported.clone();
    if let Some(method) = entry.method.as_ref().filter(|method| !method.eq_ignore_ascii_case("GET")) {
        lost.push(format!("pages are asked for by GET, not by {method}"));
    }
    if !entry.headers.is_empty() {
        let names: Vec<&str> = entry.headers.iter().map(|(name, _)| name.as_str()).collect();
        lost.push(format!("no header fields of its own are sent: {}", names.join(", ")));
    }
    if entry.body.is_some() {
        lost.push("nothing is sent along".to_owned());
    }
    let mut notify = Vec::new();
    for to in &entry.notify {
        match to.parse::<To>() {
            Ok(to) => notify.push(to.full()),
            Err(error) => lost.push(format!("somebody is not told: {error}")),
        }
    }
    let mut quiet = entry.quiet.as_ref().map(ToString::to_string).unwrap_or_default();
    if let Some(why) =
        Some(&quiet).filter(|quiet| !quiet.is_empty()).and_then(|quiet| quiet.parse::<Hours>().err())
    {
        lost.push(format!("no hours of quiet: {why}"));
        quiet.clear();
    }
    // The folder is a word by which it is found, as well.
    let folder = Some(entry.folder.join("/")).filter(|folder| !folder.is_empty());
    let tags = entry.tags.iter().cloned().chain(folder).collect();
    let wish = WatchWish {
        url: entry.url.clone(),
        owner: owner.to_owned(),
        title: entry.title.clone().unwrap_or_default(),
        tags,
        notes: entry.notes.clone().unwrap_or_default(),
        every: match entry.pace {
            Pace::Usual => String::new(),
            pace => pace.to_string(),
        },
        paused: entry.is_paused,
        rules: RuleSet {
            only: entry.only.iter().map(ToString::to_string).collect(),
            never: entry.never.iter().map(ToString::to_string).collect(),
            triggers: entry.triggers.clone(),
            ..RuleSet::default()
        },
        notify,
        quiet,
        ..WatchWish::default()
    };
    (wish, lost)
}

/// A watch as an entry of a list, and what the list cannot say of it.
pub(crate) fn entry_of(wish: &WatchWish) -> (Entry, Vec<String>) {
    let mut lost = Vec::new();
    let mut rules = |texts: &[String]| -> Vec<watchlist::Rule> {
        let read = texts.iter().filter_map(|text| match text.parse() {
            Ok(rule) => Some(rule),
            Err(error) => {
                lost.push(format!("{error}"));
                None
            }
        });
        read.collect()
    };
    let (only, never) = (rules(&wish.rules.only), rules(&wish.rules.never));
    let RuleSet { words_min, share_min, margins, noise, .. } = &wish.rules;
    let unsaid = [
        (*words_min > 0, "the least number of words"),
        (*share_min > 0.0, "the least share of words"),
        (*margins, "that margins count"),
        (*noise, "that noise counts"),
        (wish.head_first, "that the head is asked for first"),
        (wish.force, "that large documents are taken"),
        (!wish.digest.is_empty() && wish.digest != "none", "how long mails are put together"),
    ];
    lost.extend(unsaid.into_iter().filter(|(is_said, _)| *is_said).map(|(_, what)| what.to_owned()));
    let text = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let entry = Entry {
        url: wish.url.clone(),
        title: text(&wish.title),
        tags: wish.tags.clone(),
        pace: wish.every.parse().unwrap_or_default(),
        is_paused: wish.paused,
        only,
        never,
        triggers: wish.rules.triggers.clone(),
        notify: wish.notify.iter().filter(|to| *to != "none").cloned().collect(),
        quiet: wish.quiet.parse().ok(),
        notes: text(&wish.notes),
        ..Entry::default()
    };
    (entry, lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_that_is_exported_is_imported_as_it_was() {
        let wish = WatchWish {
            url: "https://example.org/".to_owned(),
            owner: "me".to_owned(),
            title: "A".to_owned(),
            tags: vec!["news".to_owned()],
            every: "adaptive 1h..24h".to_owned(),
            rules: RuleSet {
                only: vec!["css:main".to_owned()],
                triggers: vec!["appears sold out".parse().unwrap()],
                ..RuleSet::default()
            },
            notify: vec!["mailto:ann@example.org".to_owned()],
            quiet: "22:00-07:00 UTC".to_owned(),
            paused: true,
            ..WatchWish::default()
        };
        let (entry, lost) = entry_of(&wish);
        assert_eq!(lost, [""; 0]);
        assert_eq!(wish_of(&entry, "me"), (wish, Vec::new()));
    }

    #[test]
    fn what_cannot_be_done_is_told() {
        let entry = Entry {
            method: Some("POST".to_owned()),
            headers: vec![("Cookie".to_owned(), "secret".to_owned())],
            body: Some("x".to_owned()),
            notify: vec!["slack://secret/secret".to_owned(), "ann@example.org".to_owned()],
            quiet: "22:00-07:00 Mars".parse().ok(),
            unsupported: vec!["line 3: no browser".to_owned()],
            ..Entry::new("https://example.org/")
        };
        let (wish, lost) = wish_of(&entry, "me");
        assert_eq!((lost.len(), wish.quiet.as_str()), (6, ""));
        assert_eq!(wish.notify, ["mailto:ann@example.org"]);
        assert!(!lost.join(" ").contains("secret"));
    }
}
