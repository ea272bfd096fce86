//! The pages that people read, and where each lies.

mod fixed;
mod front;
mod picture;
mod section;
mod shell;
mod story;

use crate::answer::Answer;
use crate::edition::Edition;
use crate::stories::{self, Section};
use shell::{Head, shell};

pub(crate) use fixed::{FIXED, OLD};

/// The page at this path.
pub(crate) fn find(edition: Edition, path: &str) -> Option<Answer> {
    let number = edition.number;
    match path {
        // The paper remembers that one has been here; the script that sets the size of text adds a cookie of its own.
        "/" => Some(
            Answer::page(front::page(edition))
                .with("Set-Cookie", "reader=welcome; Path=/; Max-Age=31536000; SameSite=Lax")
                .with("Cache-Control", "max-age=60"),
        ),
        // Half the town looked at it in the week of the flood.
        "/water-levels.html" if number == 2 => Some(broken(edition)),
        "/whats-on.html" if number >= 3 => Some(moved(edition, "/calendar/")),
        _ => story(edition, path)
            .or_else(|| section_page(edition, path))
            .or_else(|| fixed::find(edition, path)),
    }
}

/// The page that says that there is none.
pub(crate) fn missing(edition: Edition) -> Answer {
    let head = Head { title: "Not in this edition", ..Head::default() };
    Answer::page(shell(edition, &head, include_str!("../../site/pages/missing.html"))).with_status(404)
}

fn broken(edition: Edition) -> Answer {
    let head = Head { title: "Under water", ..Head::default() };
    Answer::page(shell(edition, &head, include_str!("../../site/pages/broken.html"))).with_status(500)
}

fn moved(edition: Edition, to: &'static str) -> Answer {
    let head = Head { title: "Moved", ..Head::default() };
    let body = format!(
        "<main class=\"plain\"><h1>Moved</h1><p>This page is <a href=\"{to}\">here</a> now.</p></main>"
    );
    Answer::page(shell(edition, &head, &body)).with_status(301).with("Location", to)
}

fn story(edition: Edition, path: &str) -> Option<Answer> {
    let story = stories::of(edition.number).find(|story| story.path() == path)?;
    Some(Answer::page(story::page(edition, story)))
}

fn section_page(edition: Edition, path: &str) -> Option<Answer> {
    let mut sections = Section::ALL.into_iter().filter(|section| section.is_in(edition.number));
    let section = sections.find(|section| section.path() == path)?;
    Some(Answer::page(section::page(edition, section)))
}
