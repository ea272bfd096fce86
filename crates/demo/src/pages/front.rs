//! The front page: what opens the paper, what else is in it, and the boxes that scripts fill.

use super::picture::{Load, picture};
use super::section::teaser;
use super::shell::{Head, shell};
use crate::edition::Edition;
use crate::stories::{self, Story};

/// How many stories stand below those that open the paper: two rows of them.
const REST: usize = 8;
const ABOUT: &str = "News from Siltmere and the shores of the Mere, every Monday since 1923.";
const MORE: &str = "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"The Siltmere Lantern\" href=\"http://www.siltmere.example/feed.xml\">
<link rel=\"preload\" as=\"fetch\" href=\"/data/weather.json\" crossorigin=\"anonymous\">
";

pub(crate) fn page(edition: Edition) -> String {
    let leads = stories::leads(edition.number);
    let first = leads.iter().take(1).filter_map(|slug| stories::named(edition.number, slug)).map(lead);
    let seconds = leads.iter().skip(1).filter_map(|slug| stories::named(edition.number, slug));
    let rest = stories::of(edition.number).filter(|story| !leads.contains(&story.slug)).take(REST);
    let body = include_str!("../../site/pages/front.html")
        .replace("{{lead}}", &first.collect::<String>())
        .replace("{{seconds}}", &seconds.map(|story| teaser(story, Load::Lazy)).collect::<String>())
        .replace("{{rest}}", &rest.map(|story| teaser(story, Load::ByScript)).collect::<String>())
        .replace("{{notice}}", notice(edition));
    let head = Head {
        title: "Siltmere news",
        description: ABOUT,
        path: "/",
        picture: "/pictures/ferry-480.jpg",
        more: MORE,
    };
    shell(edition, &head, &body)
}

/// The story that opens the paper.
fn lead(story: &Story) -> String {
    format!(
        "<article class=\"lead\"><a class=\"shot\" href=\"{path}\" tabindex=\"-1\" aria-hidden=\"true\">{picture}</a>\
         <div><p class=\"kicker\">{section}</p><h2><a href=\"{path}\">{headline}</a></h2>\
         <p class=\"summary\">{summary}</p>{opening}<p class=\"by\">{author} · {day}</p></div></article>\n",
        path = story.path(),
        picture = picture(&story.picture, "(min-width: 60em) 40em, 100vw", Load::Now),
        section = story.section.name(),
        headline = story.headline,
        summary = story.summary,
        opening = opening(story.text),
        author = story.author,
        day = story.day(),
    )
}

/// The first paragraph of a text.
fn opening(text: &str) -> &str {
    let end = text.find("</p>").map_or(0, |at| at + "</p>".len());
    text.get(..end).unwrap_or_default()
}

/// What the editor has to say this week.
fn notice(edition: Edition) -> &'static str {
    match edition.number {
        1 => "The office on Lantern Square is open on Mondays and Thursdays. Bring news, or cake.",
        2 => {
            "Our cellar is wet and our server is slow. The paper comes out all the same. Thank you for the buckets."
        }
        _ => "The bridge is open, the cellar is dry, and there is a new section, for which boots are needed.",
    }
}
