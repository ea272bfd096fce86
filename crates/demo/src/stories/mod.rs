//! What the paper reports: the stories, in which edition each appears, and what changes in it.

mod table;

pub(crate) use table::{STORIES, leads};

/// A part of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Town,
    Lake,
    Culture,
    Sport,
    /// New in the third edition.
    Walks,
}

impl Section {
    pub(crate) const ALL: [Section; 5] =
        [Section::Town, Section::Lake, Section::Culture, Section::Sport, Section::Walks];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Section::Town => "Town",
            Section::Lake => "Lake",
            Section::Culture => "Culture",
            Section::Sport => "Sport",
            Section::Walks => "Walks",
        }
    }

    pub(crate) fn path(self) -> &'static str {
        match self {
            Section::Town => "/town/",
            Section::Lake => "/lake/",
            Section::Culture => "/culture/",
            Section::Sport => "/sport/",
            Section::Walks => "/walks/",
        }
    }

    /// What the section is about, for the head of its page.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Section::Town => "Streets, council, bread: what happens between the square and the quay.",
            Section::Lake => "The Mere, those who live on it, and what lies at its bottom.",
            Section::Culture => "Books, clocks and other things that have to be wound up.",
            Section::Sport => "Mostly boats.",
            Section::Walks => "New: once a month one of us goes out, comes back and tells.",
        }
    }

    /// Whether the paper of this number has the section.
    pub(crate) fn is_in(self, edition: u8) -> bool {
        self != Section::Walks || edition >= 3
    }
}

/// How a picture lies on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// In two widths and two formats, for a `picture` element.
    Wide,
    /// One file with this ending.
    One(&'static str),
}

/// What is shown with a story.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picture {
    /// The name of its files below `/pictures/`.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// What it shows, for those who do not see it.
    pub(crate) alt: &'static str,
    pub(crate) caption: &'static str,
}

impl Picture {
    /// The file that every browser can show.
    pub(crate) fn path(&self) -> String {
        match self.kind {
            Kind::Wide => format!("/pictures/{}-480.jpg", self.name),
            Kind::One(ending) => format!("/pictures/{}.{ending}", self.name),
        }
    }
}

/// One article.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Story {
    /// The name of the page, without folder and ending.
    pub(crate) slug: &'static str,
    pub(crate) section: Section,
    pub(crate) headline: &'static str,
    /// The sentence under the headline.
    pub(crate) summary: &'static str,
    pub(crate) author: &'static str,
    /// Such as `2026-09-14`.
    pub(crate) date: &'static str,
    pub(crate) picture: Picture,
    /// The first edition that has it and the last one.
    pub(crate) editions: (u8, u8),
    /// The text as HTML.
    pub(crate) text: &'static str,
    /// The text from the second edition on, where it was corrected.
    pub(crate) corrected: Option<&'static str>,
}

impl Story {
    /// Such as `/2026/09/ferry-returns.html`.
    pub(crate) fn path(&self) -> String {
        let month = self.date.get(..7).unwrap_or(self.date).replace('-', "/");
        format!("/{month}/{}.html", self.slug)
    }

    /// Where its readers' comments are.
    pub(crate) fn comments_path(&self) -> String {
        format!("/data/comments/{}.json", self.slug)
    }

    pub(crate) fn is_in(&self, edition: u8) -> bool {
        (self.editions.0..=self.editions.1).contains(&edition)
    }

    pub(crate) fn text(&self, edition: u8) -> &'static str {
        self.corrected.filter(|_| edition >= 2).unwrap_or(self.text)
    }

    /// The date as the paper prints it: `14 September 2026`.
    pub(crate) fn day(&self) -> String {
        let mut parts = self.date.split('-');
        let year = parts.next().unwrap_or_default();
        let month = match parts.next() {
            Some("09") => "September",
            Some("10") => "October",
            _ => "November",
        };
        format!("{} {month} {year}", parts.next().unwrap_or_default().trim_start_matches('0'))
    }
}

/// The stories of an edition, newest first.
pub(crate) fn of(edition: u8) -> impl DoubleEndedIterator<Item = &'static Story> {
    STORIES.iter().filter(move |story| story.is_in(edition))
}

/// The story of this name, if the edition has it.
pub(crate) fn named(edition: u8, slug: &str) -> Option<&'static Story> {
    of(edition).find(|story| story.slug == slug)
}
