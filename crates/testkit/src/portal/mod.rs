//! A large web site made up from a number: pages that link to each other, pictures, styles, scripts, and what goes wrong.
//!
//! The same numbers give the same bytes on every machine. From the front page everything is reached by links that any
//! crawler sees, but for what only the scripts name ([`What::Data`]). Pages form a tree with eight children each, so the
//! last is never far from the first, and each links across to others at random.
//!
//! | what | how many, of *n* pages | why |
//! |---|---|---|
//! | pages | *n* | median 20 KB, some twenty links each |
//! | the same again under another path or query | *n*/20 each | identical contents |
//! | pictures | *n*/5 | nothing packs them smaller |
//! | styles, each with a background; scripts, each with its data | 40 each | links that are not in HTML |
//! | links to nothing (404) and redirects | *n*/40 each | what every crawl meets |
//! | a film of 3 MB | 1 | more than is kept in memory |

mod content;
mod folder;
#[cfg(feature = "servers")]
mod serve;

use std::fmt::Write as _;

use crate::corpus::{Dice, Words};

#[cfg(feature = "servers")]
pub use serve::Serving;

/// Children of a page in the tree.
const CHILDREN: u64 = 8;
/// Pages that every page links to.
const MENU: u64 = 5;
/// So many pages share a picture.
const PAGES_PER_IMAGE: u64 = 5;
/// How many styles there are, and scripts.
const ASSETS: u64 = 40;
/// Parts of the site, which are folders.
const SECTIONS: u64 = 100;

/// The site.
#[derive(Clone, Debug)]
pub struct Portal {
    pages: u64,
    seed: u64,
    words: Words,
}

/// Something that a link leads to, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// A page; 0 is the front page.
    Page(u64),
    /// The same page under another path.
    Print(u64),
    /// The same page with a query behind its path.
    Query(u64),
    /// A picture.
    Image(u64),
    /// The picture that a style names.
    Background(u64),
    /// A style sheet.
    Style(u64),
    /// A script.
    Script(u64),
    /// What a script names in a string; not everybody sees that.
    Data(u64),
    /// The one large file.
    Film,
    /// Not there.
    Missing(u64),
    /// A redirect to a page.
    Redirect(u64),
}

impl Portal {
    /// A site of so many pages, at least one.
    pub fn new(pages: u64) -> Portal {
        const SEED: u64 = 4;
        Portal { pages: pages.max(1), seed: SEED, words: Words::new(SEED) }
    }

    /// Everything there is to fetch, each once.
    pub fn everything(&self) -> impl Iterator<Item = What> + '_ {
        let of_page = move |number: u64| {
            let copies = [
                self.has_print(number).then_some(What::Print(number)),
                self.has_query(number).then_some(What::Query(number)),
                self.has_missing(number).then_some(What::Missing(number)),
                self.has_redirect(number).then_some(What::Redirect(number)),
                number.is_multiple_of(PAGES_PER_IMAGE).then_some(What::Image(number / PAGES_PER_IMAGE)),
            ];
            [Some(What::Page(number))].into_iter().chain(copies).flatten()
        };
        let of_asset = |number| {
            [What::Style(number), What::Background(number), What::Script(number), What::Data(number)]
        };
        let pages = (0..self.pages).flat_map(of_page);
        pages.chain((0..self.pages.min(ASSETS)).flat_map(of_asset)).chain([What::Film])
    }

    /// Its path, with the query if it has one.
    pub fn path(&self, what: What) -> String {
        match what {
            What::Page(0) => "/".to_owned(),
            What::Page(number) => format!("/{}/{}.html", self.section(number), self.slug(number)),
            What::Print(number) => format!("/print/{}.html", self.slug(number)),
            What::Query(number) => format!("{}?view=wide", self.path(What::Page(number))),
            What::Image(number) => format!("/media/{:02}/picture-{number}.jpg", number % 64),
            What::Background(number) => format!("/media/background-{number}.png"),
            What::Style(number) => format!("/assets/style-{number}.css"),
            What::Script(number) => format!("/assets/script-{number}.js"),
            What::Data(number) => format!("/data/list-{number}.json"),
            What::Film => "/media/film.mp4".to_owned(),
            What::Missing(number) => format!("/lost/{}.html", self.slug(number)),
            What::Redirect(number) => format!("/go/{number}"),
        }
    }

    /// What it holds; nothing where it is not there or leads elsewhere.
    pub fn body(&self, what: What) -> Option<Vec<u8>> {
        match what {
            What::Page(number) | What::Print(number) | What::Query(number) => {
                Some(content::page(self, number).into_bytes())
            }
            What::Image(number) => Some(content::image(&mut self.dice(number, 5), content::JPEG)),
            What::Background(number) => Some(content::image(&mut self.dice(number, 6), content::PNG)),
            What::Style(number) => Some(content::style(self, number).into_bytes()),
            What::Script(number) => Some(content::script(self, number).into_bytes()),
            What::Data(number) => Some(content::data(self, number).into_bytes()),
            What::Film => Some(content::film(&mut self.dice(0, 11))),
            What::Missing(_) | What::Redirect(_) => None,
        }
    }

    /// Where a redirect leads.
    pub fn target(&self, what: What) -> Option<String> {
        match what {
            What::Redirect(number) => Some(self.path(What::Page(self.dice(number, 7).below(self.pages)))),
            _ => None,
        }
    }

    /// The links of a page, in the order in which they stand there: navigation, not what is embedded.
    fn links(&self, number: u64) -> Vec<String> {
        let mut dice = self.dice(number, 3);
        let mut links: Vec<String> =
            (0..MENU.min(self.pages)).map(|page| self.path(What::Page(page))).collect();
        let children = number * CHILDREN + 1..=number * CHILDREN + CHILDREN;
        links.extend(children.filter(|child| *child < self.pages).map(|child| self.path(What::Page(child))));
        let copies = [
            (self.has_print(number), What::Print(number)),
            (self.has_query(number), What::Query(number)),
            (self.has_missing(number), What::Missing(number)),
            (self.has_redirect(number), What::Redirect(number)),
            (number == 0, What::Film),
        ];
        links.extend(copies.into_iter().filter(|(is_there, _)| *is_there).map(|(_, what)| self.path(what)));
        while links.len() < 20 {
            let mut link = self.path(What::Page(dice.below(self.pages)));
            if dice.percent(10) {
                let _ = write!(link, "#part-{}", dice.below(5));
            }
            links.push(link);
        }
        links
    }

    fn has_print(&self, number: u64) -> bool {
        number % 20 == 7
    }

    fn has_query(&self, number: u64) -> bool {
        number % 20 == 11
    }

    fn has_missing(&self, number: u64) -> bool {
        number % 40 == 3
    }

    fn has_redirect(&self, number: u64) -> bool {
        number % 40 == 5
    }

    fn section(&self, number: u64) -> String {
        let section = number % SECTIONS;
        format!("{}-{section}", self.words.name(&mut self.dice(section, 1)))
    }

    fn slug(&self, number: u64) -> String {
        let mut dice = self.dice(number, 2);
        format!("{}-{}-{number}", self.words.name(&mut dice), self.words.name(&mut dice))
    }

    /// A source of numbers for one thing and one purpose.
    fn dice(&self, number: u64, purpose: u64) -> Dice {
        Dice::new(&[self.seed, number, purpose])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    /// Every quoted or bracketed path in a text.
    fn paths_in(text: &str) -> HashSet<String> {
        let pieces = text.split(['"', '(', ')', '\'']);
        pieces
            .filter(|piece| piece.starts_with('/') && !piece.contains([' ', '<']))
            .map(|piece| piece.split('#').next().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn everything_is_reached_from_the_front_page_and_nothing_else() {
        let portal = Portal::new(300);
        let by_path: HashMap<String, What> =
            portal.everything().map(|what| (portal.path(what), what)).collect();
        let (mut seen, mut queue) = (HashSet::from(["/".to_owned()]), vec!["/".to_owned()]);
        while let Some(path) = queue.pop() {
            let what = *by_path.get(&path).unwrap_or_else(|| panic!("{path} is not of the site"));
            let further = match (portal.body(what), what) {
                (Some(_), What::Image(_) | What::Background(_) | What::Film) => HashSet::new(),
                (Some(body), _) => paths_in(std::str::from_utf8(&body).unwrap()),
                (None, _) => portal.target(what).into_iter().collect(),
            };
            queue.extend(further.into_iter().filter(|path| seen.insert(path.clone())));
        }
        assert_eq!(seen.len(), by_path.len());
    }

    #[test]
    fn pages_have_some_twenty_links_and_twenty_kilobytes() {
        let portal = Portal::new(2000);
        let mut sizes: Vec<usize> =
            (0..401).map(|number| portal.body(What::Page(number)).unwrap().len()).collect();
        sizes.sort_unstable();
        assert!((17_000..=23_000).contains(&sizes[200]), "{}", sizes[200]);
        assert!((0..400).all(|number| (20..=24).contains(&portal.links(number).len())));
    }

    #[test]
    fn copies_are_the_same() {
        let portal = Portal::new(100);
        assert_eq!(portal.body(What::Print(7)), portal.body(What::Page(7)));
        assert_ne!(portal.body(What::Page(8)), portal.body(What::Page(7)));
        assert_eq!(portal.path(What::Query(11)), portal.path(What::Page(11)) + "?view=wide");
    }
}
