//! From what somebody writes to what a watch does: every mistake is found, and told with its field.

use api::FieldFault;
use api::watches::{NOBODY, WatchWish};
use notify::To;
use settings::{Every, Hours};
use urlkey::Login;
use watch::{How, Pace, Telling, Watch, Wish};

use super::fault::Fault;
use super::usual::Usual;

/// A page, and the user name and password that its URL had.
pub(crate) struct Page {
    pub(crate) url: String,
    pub(crate) login: Option<Login>,
}

/// A URL as people write it: `http://` may be left out.
pub(crate) fn page(text: &str) -> Result<Page, Fault> {
    let found = plan::one_url_with_login(text).map_err(anyhow::Error::from);
    let (url, login) = found.map_err(|error| Fault::field("/url", format!("{error:#}")))?;
    match url.scheme() {
        "http" | "https" => Ok(Page { url: url.into(), login }),
        _ => Err(Fault::field("/url", format!("`{url}` is no URL that can be watched"))),
    }
}

/// The same for those who fetch nothing: user name and password are dropped.
pub(crate) fn address(text: &str) -> Result<String, Fault> {
    Ok(page(text)?.url)
}

/// What a watch is to do. `now` is the watch as it is: an adaptive pace that stays goes on where it is.
pub(super) fn wish_of_row(row: &WatchWish, usual: &Usual, now: Option<&Watch>) -> Result<Wish, Fault> {
    let mut faults = Vec::new();
    if let Err(api::Error::Fields(found)) = row.check(&api::Limits::default()) {
        faults.extend(found);
    }
    let pace = match row.every.trim() {
        "" => usual.pace,
        text => text.parse::<Every>().map(|every| every.0).unwrap_or_else(|why| {
            faults.push(FieldFault::new("/every", why));
            usual.pace
        }),
    };
    let telling = telling(row, usual, &mut faults);
    if !faults.is_empty() {
        return Err(Fault::Fields(faults));
    }
    Ok(Wish {
        title: row.title.trim().to_owned(),
        tags: tags(&row.tags),
        notes: row.notes.clone(),
        pace: now.map_or(pace, |now| kept(pace, now.wish.pace)),
        how: How { force: row.force, head_first: row.head_first },
        rules: row.rules.clone(),
        telling,
        is_paused: row.paused,
    })
}

fn telling(row: &WatchWish, usual: &Usual, faults: &mut Vec<FieldFault>) -> Telling {
    let mut to: Vec<String> = Vec::new();
    let is_nobody = row.notify.iter().any(|text| text.trim() == NOBODY);
    for (number, text) in row.notify.iter().enumerate().filter(|(_, text)| text.trim() != NOBODY) {
        match text.parse::<To>() {
            // As it stands in lists it leads nowhere.
            Ok(_) if text.trim().ends_with("/…") => {
                faults.push(FieldFault::new(format!("/notify/{number}"), "write it in full"));
            }
            Ok(found) if to.contains(&found.full()) => {}
            Ok(found) => to.push(found.full()),
            Err(error) => faults.push(FieldFault::new(format!("/notify/{number}"), error.to_string())),
        }
    }
    if row.notify.is_empty() {
        to.clone_from(&usual.to);
    } else if is_nobody && !to.is_empty() {
        faults.push(FieldFault::new("/notify", "`none` stands alone"));
    }
    let quiet = match row.quiet.trim() {
        "" => usual.quiet.clone(),
        NOBODY => None,
        text => text.parse::<Hours>().map(|hours| Some(hours.0)).unwrap_or_else(|why| {
            faults.push(FieldFault::new("/quiet", why));
            None
        }),
    };
    let digest = match row.digest.trim() {
        "" => usual.digest,
        NOBODY => std::time::Duration::ZERO,
        text => match text.parse::<Every>() {
            Ok(Every(Pace::Every(time))) => time,
            Ok(_) => {
                faults.push(FieldFault::new("/digest", "it is one time, such as 24h or daily"));
                usual.digest
            }
            Err(why) => {
                faults.push(FieldFault::new("/digest", why));
                usual.digest
            }
        },
    };
    Telling { to, quiet, digest, gone_after: row.gone_after.unwrap_or(usual.gone_after) }
}

/// An adaptive pace with the bounds that it has goes on where it is.
fn kept(wanted: Pace, now: Pace) -> Pace {
    match (wanted, now) {
        (
            Pace::Adaptive { least, most, .. },
            Pace::Adaptive { least: least_now, most: most_now, now: pause },
        ) if (least, most) == (least_now, most_now) => Pace::Adaptive { least, most, now: pause },
        _ => wanted,
    }
}

/// Tags without blanks around them, each once.
fn tags(texts: &[String]) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for text in texts {
        let tag = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !tag.is_empty() && !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::rows::wish_row;
    use super::*;

    fn usual() -> Usual {
        Usual {
            pace: Pace::Every(Duration::from_secs(3600)),
            to: vec!["mailto:ann@example.org".to_owned()],
            quiet: Some("22:00-07:00 UTC".parse().unwrap()),
            digest: Duration::from_secs(86_400),
            gone_after: 3,
            person: "me".to_owned(),
        }
    }

    fn watch(wish: Wish) -> Watch {
        let (url, owner) = ("http://a.test/".to_owned(), "me".to_owned());
        Watch {
            id: 1,
            owner,
            url,
            wish,
            due_at: jiff::Timestamp::UNIX_EPOCH,
            added_at: jiff::Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn what_is_not_said_is_as_the_settings_have_it() {
        let row = WatchWish { url: "http://a.test/".to_owned(), ..WatchWish::default() };
        let wish = wish_of_row(&row, &usual(), None).unwrap();
        assert_eq!((wish.pace, &wish.telling.to), (usual().pace, &usual().to));
        assert_eq!((wish.telling.digest, wish.telling.gone_after), (usual().digest, 3));
    }

    /// What is told of a watch can be wanted of it, and nothing changes, whatever the settings say.
    #[test]
    fn what_is_told_can_be_wanted_again() {
        let none = || "none".to_owned();
        let rows = [
            WatchWish::default(),
            WatchWish { notify: vec![none()], quiet: none(), digest: none(), ..WatchWish::default() },
            WatchWish {
                every: "adaptive 10m..24h".to_owned(),
                notify: vec!["bob@example.org".to_owned(), "https://hooks.example.org/x".to_owned()],
                quiet: "12:00-13:00 Europe/Prague".to_owned(),
                digest: "2h".to_owned(),
                gone_after: Some(0),
                tags: vec![" a  b ".to_owned(), "a b".to_owned()],
                ..WatchWish::default()
            },
        ];
        let bare = Usual { to: Vec::new(), quiet: None, digest: Duration::ZERO, ..usual() };
        for usual in [usual(), bare] {
            for row in &rows {
                let row = WatchWish { url: "http://a.test/".to_owned(), ..row.clone() };
                let watch = watch(wish_of_row(&row, &usual, None).unwrap());
                let again = wish_of_row(&wish_row(&watch, &usual), &usual, Some(&watch)).unwrap();
                assert_eq!(again, watch.wish);
            }
        }
    }

    #[test]
    fn every_mistake_is_told_with_its_field() {
        let row = WatchWish {
            url: "http://a.test/".to_owned(),
            every: "often".to_owned(),
            notify: vec!["ann@example.org".to_owned(), "slack://x".to_owned()],
            quiet: "22:00-07:00 Mars".to_owned(),
            digest: "adaptive 1h..2h".to_owned(),
            ..WatchWish::default()
        };
        let Err(Fault::Fields(faults)) = wish_of_row(&row, &usual(), None) else {
            panic!("nothing is wrong")
        };
        let pointers: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(pointers, ["/every", "/notify/1", "/quiet", "/digest"]);
    }

    /// A watch that somebody gives a new title goes on where it is.
    #[test]
    fn an_adaptive_pace_that_stays_goes_on_where_it_is() {
        let hours = |count: u64| Duration::from_secs(3600 * count);
        let now = Pace::Adaptive { least: hours(1), most: hours(24), now: hours(20) };
        let watch = watch(Wish { pace: now, ..Wish::default() });
        let row = WatchWish { title: "A".to_owned(), ..wish_row(&watch, &usual()) };
        assert_eq!(wish_of_row(&row, &usual(), Some(&watch)).unwrap().pace, now);
        let row = WatchWish { every: "adaptive 2h..24h".to_owned(), ..row };
        assert_eq!(wish_of_row(&row, &usual(), Some(&watch)).unwrap().pace.pause(), hours(8));
    }
}
