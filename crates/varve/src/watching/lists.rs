//! Watches as they stand in the lists of others, and in ours.

use api::watches::{NOBODY, WatchWish};
use diff::RuleSet;
use notify::To;
use watchlist::{Entry, Pace};

use settings::Hours;

/// What an entry of a list wants, and what of it cannot be done here.
pub(crate) fn wish_of(entry: &Entry, owner: &str) -> (WatchWish, Vec<String>) {
    let mut lost = entry.unsupported.clone();
    let method = entry.method.as_ref().filter(|method| !method.eq_ignore_ascii_case("GET"));
    if let Some(method) = method {
        lost.push(format!("pages are asked for by GET, not by {method}"));
    }
    // What GET brings is another document.
    let is_another = method.is_some() || entry.body.is_some();
    if is_another && !entry.is_paused {
        lost.push("it is paused, because another document would be watched".to_owned());
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
            _ if to == NOBODY => notify.push(to.clone()),
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
        paused: entry.is_paused || is_another,
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

/// A watch as an entry of a list, and what the list cannot say of it. After how many checks without the page somebody is told is only said to
/// be lost where it is not as usual.
pub(crate) fn entry_of(wish: &WatchWish, gone_after_usual: u32) -> (Entry, Vec<String>) {
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
        (wish.quiet == NOBODY, "that there are no hours of quiet"),
        (wish.digest == NOBODY, "that mails are sent at once"),
        (!["", NOBODY].contains(&wish.digest.as_str()), "how long mails are put together"),
        (
            wish.gone_after.is_some_and(|count| count != gone_after_usual),
            "after how many checks without it somebody is told",
        ),
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
        // Also that nobody is: what is not said is as usual.
        notify: wish.notify.clone(),
        quiet: wish.quiet.parse().ok(),
        notes: text(&wish.notes),
        ..Entry::default()
    };
    (entry, lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GONE_AFTER: u32 = 3;

    /// All that a list can say.
    fn said() -> WatchWish {
        WatchWish {
            url: "https://example.org/".to_owned(),
            owner: "me".to_owned(),
            title: "A".to_owned(),
            tags: vec!["news".to_owned(), "b c".to_owned()],
            notes: "two\nlines".to_owned(),
            every: "adaptive 1h..24h".to_owned(),
            rules: RuleSet {
                only: vec!["css:main".to_owned()],
                never: vec!["xpath://aside".to_owned(), "text:cookies".to_owned()],
                triggers: vec!["appears sold out".parse().unwrap()],
                ..RuleSet::default()
            },
            notify: vec!["mailto:ann@example.org".to_owned(), "https://hooks.example.org/T0/x".to_owned()],
            quiet: "22:00-07:00 UTC".to_owned(),
            paused: true,
            ..WatchWish::default()
        }
    }

    /// Through a list and back; what is lost.
    fn through(wish: &WatchWish) -> (WatchWish, Vec<String>) {
        let (entry, lost) = entry_of(wish, GONE_AFTER);
        let text = watchlist::jsonl::write(&[entry]);
        let list = watchlist::jsonl::read(&text, &watchlist::Limits::default()).unwrap();
        let (read, unsupported) = wish_of(&list.entries[0], &wish.owner);
        assert_eq!(unsupported, [""; 0]);
        (read, lost)
    }

    #[test]
    fn a_watch_that_is_exported_is_imported_as_it_was() {
        assert_eq!(through(&said()), (said(), Vec::new()));
        // Whom nobody is told of stays silent, whatever the settings say there.
        let silent = WatchWish { notify: vec![NOBODY.to_owned()], ..said() };
        assert_eq!(through(&silent), (silent, Vec::new()));
        let usual = WatchWish { gone_after: Some(GONE_AFTER), ..said() };
        assert_eq!(through(&usual), (said(), Vec::new()));
    }

    /// Whatever of a watch does not come back is told; a field that is new has to be looked at here.
    #[test]
    fn nothing_is_lost_silently() {
        let WatchWish {
            url: _,
            owner: _,
            title: _,
            tags: _,
            notes: _,
            every: _,
            head_first: _,
            force: _,
            paused: _,
            rules:
                RuleSet { only: _, never: _, words_min: _, share_min: _, margins: _, noise: _, triggers: _ },
            notify: _,
            quiet: _,
            digest: _,
            gone_after: _,
        } = said();
        let rules = |rules: RuleSet| WatchWish { rules, ..said() };
        let unsaid = [
            (rules(RuleSet { words_min: 3, ..said().rules }), "the least number of words"),
            (rules(RuleSet { share_min: 0.1, ..said().rules }), "the least share of words"),
            (rules(RuleSet { margins: true, ..said().rules }), "that margins count"),
            (rules(RuleSet { noise: true, ..said().rules }), "that noise counts"),
            (WatchWish { head_first: true, ..said() }, "that the head is asked for first"),
            (WatchWish { force: true, ..said() }, "that large documents are taken"),
            (WatchWish { quiet: NOBODY.to_owned(), ..said() }, "that there are no hours of quiet"),
            (WatchWish { digest: NOBODY.to_owned(), ..said() }, "that mails are sent at once"),
            (WatchWish { digest: "24h".to_owned(), ..said() }, "how long mails are put together"),
            (
                WatchWish { gone_after: Some(0), ..said() },
                "after how many checks without it somebody is told",
            ),
        ];
        for (wish, what) in unsaid {
            let (read, lost) = through(&wish);
            assert_ne!(read, wish, "{what}");
            assert_eq!(lost, [what]);
        }
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
        assert_eq!((lost.len(), wish.quiet.as_str(), wish.paused), (7, "", true));
        assert_eq!(wish.notify, ["mailto:ann@example.org"]);
        assert!(!lost.join(" ").contains("secret"));
    }
}
