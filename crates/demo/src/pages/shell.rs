//! What surrounds every page: head, masthead, navigation, foot.

use crate::FRONT;
use crate::edition::Edition;
use crate::stories::Section;

/// What a page says in its head.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Head<'a> {
    pub(crate) title: &'a str,
    /// A sentence for search engines; empty where there is none to say.
    pub(crate) description: &'a str,
    /// The path of the page; empty for pages that are no place to return to.
    pub(crate) path: &'a str,
    /// The path of the picture that stands for the page elsewhere.
    pub(crate) picture: &'a str,
    /// Further elements of the head.
    pub(crate) more: &'a str,
}

impl Head<'_> {
    fn html(&self) -> String {
        let origin = FRONT.trim_end_matches('/');
        let mut html = format!("<title>{} · The Siltmere Lantern</title>\n", self.title);
        if !self.description.is_empty() {
            html.push_str(&format!("<meta name=\"description\" content=\"{}\">\n", self.description));
        }
        if !self.path.is_empty() {
            html.push_str(&format!("<link rel=\"canonical\" href=\"{origin}{}\">\n", self.path));
            html.push_str(&format!("<meta property=\"og:title\" content=\"{}\">\n", self.title));
            html.push_str(&format!("<meta property=\"og:url\" content=\"{origin}{}\">\n", self.path));
        }
        if !self.picture.is_empty() {
            html.push_str(&format!("<meta property=\"og:image\" content=\"{origin}{}\">\n", self.picture));
        }
        html.push_str(self.more);
        html
    }
}

/// A whole page. `body` is what stands between masthead and foot, with its own `main`.
pub(crate) fn shell(edition: Edition, head: &Head<'_>, body: &str) -> String {
    let mut navigation = String::new();
    for section in Section::ALL.into_iter().filter(|section| section.is_in(edition.number)) {
        let current = if head.path == section.path() { " aria-current=\"page\"" } else { "" };
        navigation.push_str(&format!("<a href=\"{}\"{current}>{}</a>\n", section.path(), section.name()));
    }
    let whats_on = if edition.number >= 3 { "/calendar/" } else { "/whats-on.html" };
    include_str!("../../site/pages/shell.html")
        .replace("{{head}}", &head.html())
        .replace("{{day}}", edition.day)
        .replace("{{number}}", &(5398 + u32::from(edition.number) * 4).to_string())
        .replace("{{sections}}", &navigation)
        .replace("{{whats-on}}", whats_on)
        // Last, so that a page's own braces stay as they are.
        .replace("{{body}}", body)
}
