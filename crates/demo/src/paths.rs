//! Every path of the site, for those who want to walk all of it.

use crate::files::FILES;
use crate::pages::{FIXED, OLD};
use crate::stories::{self, STORIES, Section};

/// Searches that the paper's own pages link to.
pub(crate) const SEARCHES: [&str; 3] =
    ["/search.html?q=bridge", "/search.html?q=ferry", "/search.html?q=lake"];

/// What there is besides pages and files.
const OTHERS: &[&str] = &[
    "/embed/level.html",
    "/data/weather.json",
    "/data/levels.json",
    "/data/search.json",
    "/data/places.json",
    "/files/ferry-timetable.pdf",
    "/feed.xml",
    "/sitemap.xml",
    "/robots.txt",
];

/// Every path that some edition has, sorted, searches that are linked included.
pub fn paths() -> Vec<String> {
    let mut paths: Vec<String> = (1..=3).flat_map(pages).collect();
    paths.extend(STORIES.iter().map(|story| story.comments_path()));
    let fixed = OTHERS.iter().chain(&SEARCHES).copied();
    paths.extend(fixed.chain(FILES.iter().map(|file| file.path)).map(str::to_owned));
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// The pages that people read in this edition.
pub(crate) fn pages(edition: u8) -> impl Iterator<Item = String> {
    let sections = Section::ALL.into_iter().filter(move |section| section.is_in(edition));
    let fixed = FIXED.iter().filter(move |page| (page.editions.0..=page.editions.1).contains(&edition));
    let named = ["/"].into_iter().chain(sections.map(Section::path)).chain(fixed.map(|page| page.path));
    let stories = stories::of(edition).map(|story| story.path());
    named.chain([OLD]).map(str::to_owned).chain(stories)
}
