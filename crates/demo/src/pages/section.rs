//! The page of a section: its stories, newest first.

use super::picture::{Load, picture};
use super::shell::{Head, shell};
use crate::edition::Edition;
use crate::stories::{self, Section, Story};

pub(crate) fn page(edition: Edition, section: Section) -> String {
    let stories = stories::of(edition.number).filter(|story| story.section == section);
    let teasers: String = stories.map(|story| teaser(story, Load::Lazy)).collect();
    let body = format!(
        "<main><header class=\"section-head\"><h1>{}</h1><p>{}</p></header>\n<div class=\"grid\">\n{teasers}</div></main>",
        section.name(),
        section.about()
    );
    let head =
        Head { title: section.name(), description: section.about(), path: section.path(), ..Head::default() };
    shell(edition, &head, &body)
}

/// A story in a list of several.
pub(crate) fn teaser(story: &Story, load: Load) -> String {
    format!(
        "<article class=\"teaser\"><a class=\"shot\" href=\"{path}\" tabindex=\"-1\" aria-hidden=\"true\">{picture}</a>\
         <p class=\"kicker\">{section}</p><h3><a href=\"{path}\">{headline}</a></h3>\
         <p class=\"summary\">{summary}</p></article>\n",
        path = story.path(),
        picture = picture(&story.picture, "(min-width: 60em) 20em, 100vw", load),
        section = story.section.name(),
        headline = story.headline,
        summary = story.summary,
    )
}
