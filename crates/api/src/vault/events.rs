//! What happened to the files, from the log in which nothing can be changed unseen.

use serde::Serialize;

use super::Keeping;
use crate::error::Error;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// Counted from 1, without gaps.
    pub number: u64,
    /// When.
    pub at: String,
    /// What kind of thing, in a word or two.
    pub kind: String,
    /// Which file, if it was about one.
    pub file: Option<String>,
    /// In which replica, if it was about one.
    pub replica: Option<String>,
    /// Who did it.
    pub who: String,
    /// The particulars, as prose.
    pub what: String,
    /// What stands for it and all before it.
    pub hash: String,
}

/// Some of the events, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EventPage {
    /// The events.
    pub events: Vec<Event>,
    /// How many there are in all.
    pub total: u64,
    /// Older ones are those before this number; `None` at the end.
    pub next: Option<u64>,
}

/// The newest events about a file, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Story {
    /// The events.
    pub events: Vec<Event>,
    /// Whether there may be older ones.
    pub is_cut: bool,
}

impl Keeping {
    /// Some of the events before a number, or the newest.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn events(&self, before: Option<u64>, most: u32) -> Result<EventPage, Error> {
        let most = most.min(self.limits.kept_events).max(1);
        let catalogue = self.catalogue();
        let total = catalogue.newest_events(1)?.first().map_or(0, |event| event.number);
        // Numbers have no gaps, so that those before one are known without looking.
        let last = before.map_or(total, |before| before.saturating_sub(1)).min(total);
        let behind = last.saturating_sub(u64::from(most));
        let mut events: Vec<Event> = Vec::new();
        let count = u32::try_from(last - behind).unwrap_or(most);
        if count > 0 {
            events.extend(catalogue.events(behind, count)?.into_iter().map(Event::of));
        }
        events.reverse();
        Ok(EventPage { events, total, next: (behind > 0).then_some(behind + 1) })
    }

    /// The newest events about a file.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn story(&self, file: &str, most: u32) -> Result<Story, Error> {
        let most = most.min(self.limits.kept_events).max(1);
        let events = self.catalogue().events_of(file, most)?;
        let is_cut = events.len() >= most as usize;
        Ok(Story { events: events.into_iter().map(Event::of).collect(), is_cut })
    }
}

impl Event {
    fn of(event: catalogue::Event) -> Event {
        let said = |text: String| Some(text).filter(|text| !text.is_empty());
        let happened = event.happened;
        Event {
            number: event.number,
            at: event.at.to_string(),
            kind: happened.kind,
            file: said(happened.file),
            replica: said(happened.replica),
            who: happened.who,
            what: happened.what,
            hash: event.hash.to_string(),
        }
    }
}
