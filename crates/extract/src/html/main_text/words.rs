//! What names of classes, roles and elements say about the text inside: a table.

use std::ops::BitOr;

use super::super::element::Element;
use super::super::names::Names;

/// What is said, as bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Words(u8);

impl Words {
    /// Probably not the page's own text.
    pub(super) const UNLIKELY: Words = Words(1);
    /// Perhaps the page's own, whatever else is said.
    pub(super) const PERHAPS: Words = Words(2);
    /// The names are those of text.
    pub(super) const GOOD: Words = Words(4);
    /// The names are those of what is beside text.
    pub(super) const BAD: Words = Words(8);
    /// Surely not the page's own text.
    pub(super) const NEVER: Words = Words(16);

    /// Whether this is said.
    pub(super) fn has(self, said: Words) -> bool {
        self.0 & said.0 != 0
    }

    /// What class names or an id say. They are taken apart where the case changes and at everything that is no letter.
    pub(super) fn of_names(names: &str) -> Words {
        let mut said = Words::default();
        let mut rest = names.as_bytes();
        // Lists of classes that go on for ever say nothing more.
        for _ in 0..64 {
            let start = rest.iter().position(u8::is_ascii_alphabetic).unwrap_or(rest.len());
            let word = rest.get(start..).unwrap_or_default();
            let upper = word.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
            let lower = word.iter().skip(upper).take_while(|byte| byte.is_ascii_lowercase()).count();
            let Some((word, behind)) = word.split_at_checked(upper + lower) else { break };
            if word.is_empty() {
                break;
            }
            said = said | Words::of_word(word);
            rest = behind;
        }
        said
    }

    fn of_word(word: &[u8]) -> Words {
        match usize::from(NAMES.number(word)) {
            0 => Words::default(),
            number if number <= UNLIKELY_BAD => Words::UNLIKELY | Words::BAD,
            number if number <= UNLIKELY_BAD + UNLIKELY => Words::UNLIKELY,
            number if number <= UNLIKELY_BAD + UNLIKELY + BAD => Words::BAD,
            number if number <= UNLIKELY_BAD + UNLIKELY + BAD + GOOD_PERHAPS => Words::GOOD | Words::PERHAPS,
            number if number <= UNLIKELY_BAD + UNLIKELY + BAD + GOOD_PERHAPS + GOOD => Words::GOOD,
            _ => Words::PERHAPS,
        }
    }

    /// What a role says.
    pub(super) fn of_role(role: &str) -> Words {
        const ASIDE: [&str; 10] = [
            "menu",
            "menubar",
            "complementary",
            "navigation",
            "alert",
            "alertdialog",
            "dialog",
            "banner",
            "contentinfo",
            "search",
        ];
        let role = role.trim_ascii();
        match role {
            "" => Words::default(),
            "main" | "article" => Words::GOOD | Words::PERHAPS,
            role if ASIDE.contains(&role) => Words::NEVER,
            _ => Words::default(),
        }
    }

    /// What the element itself says.
    pub(super) fn of_element(element: Element) -> Words {
        match element {
            Element::Article | Element::Main => Words::PERHAPS,
            Element::Nav | Element::Aside | Element::Footer | Element::Form | Element::Fieldset => {
                Words::NEVER
            }
            Element::Button | Element::Select | Element::Menu | Element::Dialog | Element::Search => {
                Words::NEVER
            }
            _ => Words::default(),
        }
    }
}

impl BitOr for Words {
    type Output = Words;

    fn bitor(self, other: Words) -> Words {
        Words(self.0 | other.0)
    }
}

const UNLIKELY_BAD: usize = 40;
const UNLIKELY: usize = 34;
const BAD: usize = 12;
const GOOD_PERHAPS: usize = 9;
const GOOD: usize = 9;
const PERHAPS: usize = 4;

/// In the order of the counts above.
static NAMES: Names<{ UNLIKELY_BAD + UNLIKELY + BAD + GOOD_PERHAPS + GOOD + PERHAPS }> = Names::new([
    // Unlikely and bad.
    "ad",
    "ads",
    "advert",
    "advertisement",
    "advertising",
    "banner",
    "combx",
    "comment",
    "comments",
    "contact",
    "cookie",
    "cookies",
    "consent",
    "footer",
    "footnote",
    "gdpr",
    "hidden",
    "masthead",
    "newsletter",
    "outbrain",
    "popup",
    "promo",
    "promos",
    "promotion",
    "related",
    "share",
    "sharing",
    "shoutbox",
    "sidebar",
    "skyscraper",
    "social",
    "sponsor",
    "sponsored",
    "subscribe",
    "taboola",
    "tags",
    "widget",
    "widgets",
    "disqus",
    "recommended",
    // Unlikely.
    "agegate",
    "breadcrumb",
    "breadcrumbs",
    "community",
    "copyright",
    "extra",
    "header",
    "legends",
    "login",
    "menu",
    "menus",
    "modal",
    "nav",
    "navbar",
    "navigation",
    "pager",
    "pagination",
    "poll",
    "popular",
    "rail",
    "related-posts",
    "remark",
    "replies",
    "reply",
    "rss",
    "search",
    "signup",
    "sitemap",
    "skip",
    "supplemental",
    "toolbar",
    "trending",
    "tweet",
    "yom",
    // Bad.
    "hid",
    "com",
    "foot",
    "media",
    "meta",
    "scroll",
    "shopping",
    "tool",
    "toc",
    "byline",
    "caption",
    "credits",
    // Good, and perhaps.
    "article",
    "body",
    "content",
    "main",
    "entry",
    "hentry",
    "post",
    "story",
    "text",
    // Good.
    "blog",
    "page",
    "paragraph",
    "prose",
    "news",
    "instapaper",
    "mw",
    "readable",
    "document",
    // Perhaps.
    "and",
    "column",
    "shadow",
    "mathjax",
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &str, said: &[Words]) {
        let found = Words::of_names(names);
        for bit in [Words::UNLIKELY, Words::PERHAPS, Words::GOOD, Words::BAD] {
            assert_eq!(found.has(bit), said.contains(&bit), "{names}: {found:?}");
        }
    }

    #[test]
    fn names_are_taken_apart() {
        check("post-content", &[Words::GOOD, Words::PERHAPS]);
        check("articleBody", &[Words::GOOD, Words::PERHAPS]);
        check("js sideBar_x sidebar2", &[Words::UNLIKELY, Words::BAD]);
        check("col-md-6 clearfix", &[]);
        check("", &[]);
    }

    #[test]
    fn the_first_and_last_of_each_kind_are_what_they_are() {
        check("ad", &[Words::UNLIKELY, Words::BAD]);
        check("recommended", &[Words::UNLIKELY, Words::BAD]);
        check("agegate", &[Words::UNLIKELY]);
        check("yom", &[Words::UNLIKELY]);
        check("hid", &[Words::BAD]);
        check("credits", &[Words::BAD]);
        check("article", &[Words::GOOD, Words::PERHAPS]);
        check("text", &[Words::GOOD, Words::PERHAPS]);
        check("blog", &[Words::GOOD]);
        check("document", &[Words::GOOD]);
        check("and", &[Words::PERHAPS]);
    }
}
