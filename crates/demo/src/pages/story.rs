//! The page of one story, with its picture, its text and a place for readers' comments.

use super::picture::{Load, picture};
use super::section::teaser;
use super::shell::{Head, shell};
use crate::edition::Edition;
use crate::stories::{self, Story};
use crate::{FRONT, comments};

/// How many other stories stand below one.
const OTHERS: usize = 4;

pub(crate) fn page(edition: Edition, story: &Story) -> String {
    let (path, image) = (story.path(), story.picture.path());
    let same = stories::of(edition.number).filter(|other| other.section == story.section);
    let further = stories::of(edition.number).filter(|other| other.section != story.section);
    let others = same.chain(further).filter(|other| other.slug != story.slug).take(OTHERS);
    let body = include_str!("../../site/pages/story.html")
        .replace("{{section-path}}", story.section.path())
        .replace("{{section}}", story.section.name())
        .replace("{{headline}}", story.headline)
        .replace("{{summary}}", story.summary)
        .replace("{{author}}", story.author)
        .replace("{{date}}", story.date)
        .replace("{{day}}", &story.day())
        .replace("{{picture}}", &picture(&story.picture, "(min-width: 60em) 46em, 100vw", Load::Now))
        .replace("{{caption}}", story.picture.caption)
        .replace("{{comments}}", &comments_at(edition, story))
        .replace("{{others}}", &others.map(|other| teaser(other, Load::Lazy)).collect::<String>())
        .replace("{{text}}", story.text(edition.number));
    let head = Head {
        title: story.headline,
        description: story.summary,
        path: &path,
        picture: &image,
        more: "<meta property=\"og:type\" content=\"article\">\n",
    };
    shell(edition, &head, &body)
}

/// Where the script finds what readers said, in full, as many sites have it; empty where nobody said anything.
fn comments_at(edition: Edition, story: &Story) -> String {
    match comments::on(story.slug, edition.number).next() {
        Some(_) => format!(
            "<section class=\"comments\" id=\"comments\" data-src=\"{}{}\"><h2>What readers say</h2>\
             <p class=\"waiting\">Comments are shown by a script.</p></section>",
            FRONT.trim_end_matches('/'),
            story.comments_path()
        ),
        None => String::new(),
    }
}
