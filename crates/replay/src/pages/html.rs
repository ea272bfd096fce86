//! The frame of our own pages, and text made safe to stand in them.

use std::fmt::Write as _;

use axum::http::{HeaderName, StatusCode, header};
use axum::response::Response;

use crate::memento::insert;
use crate::replay::Replay;

/// A page that is being written.
pub(crate) struct Page<'a> {
    pub(crate) replay: &'a Replay,
    pub(crate) status: StatusCode,
    /// For the window.
    pub(crate) title: &'a str,
    /// The collection that it is about, for the search box.
    pub(crate) collection: &'a str,
    /// What the search box begins with.
    pub(crate) url: &'a str,
    /// HTML.
    pub(crate) main: String,
}

impl Page<'_> {
    /// The answer. There is no script on it, and none can get there.
    pub(crate) fn answer(self) -> Response {
        let settings = self.replay.settings();
        let pages = settings.pages.as_str();
        let home = match pages.is_empty() {
            true => String::new(),
            false => format!("<a class=home href=\"{}/\">Archive home</a>", text(pages)),
        };
        let body = format!(
            "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width, initial-scale=1\">\
             <meta name=color-scheme content=\"light dark\"><title>{title}</title><link rel=icon href=\"/-/mark.svg\">\
             <link rel=stylesheet href=\"/-/pages.css\"></head><body><a class=skip href=\"#main\">Skip to content</a>\
             <header class=top><a class=brand href=\"/{collection}/\"><img src=\"/-/mark.svg\" alt=\"\" width=28 height=28><span>{collection}</span></a>\
             <form class=search action=\"/-/go\" role=search><input type=hidden name=in value=\"{collection}\">\
             <label class=unseen for=u>Address of an archived page</label>\
             <input id=u name=url type=text inputmode=url spellcheck=false autocapitalize=off autocomplete=off placeholder=\"example.org/page, or example.org/* for all below\" value=\"{url}\">\
             <button>Look up</button></form>{home}</header><main id=main>{main}</main>\
             <footer class=end><p>You are in a web archive. Pages are shown as they were captured; nothing here is live.</p></footer></body></html>",
            title = text(self.title),
            collection = text(self.collection),
            url = text(self.url),
            main = self.main,
        );
        let mut response = Response::new(body.into());
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        insert(headers, header::CONTENT_TYPE, "text/html; charset=utf-8");
        let policy = format!(
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; \
             frame-ancestors 'self' {pages}"
        );
        insert(headers, header::CONTENT_SECURITY_POLICY, policy.trim_end());
        insert(headers, header::REFERRER_POLICY, "same-origin");
        insert(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        insert(headers, HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
        insert(headers, header::CACHE_CONTROL, "private, max-age=30");
        response
    }
}

/// Text, for an element or an attribute in double quotes.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Nothing may turn the rest of a line round, or end it.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            letter if letter.is_control() && !matches!(letter, '\n' | '\t') => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

/// The same in ASCII, for a page of any charset.
pub(crate) fn ascii(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    for letter in html.chars() {
        if letter.is_ascii() {
            out.push(letter);
        } else {
            let _ = write!(out, "&#{};", u32::from(letter));
        }
    }
    out
}

/// A URL shortened in its middle, to be read.
pub(crate) fn shortened(url: &str, letters: usize) -> String {
    let count = url.chars().count();
    if count <= letters {
        return url.to_owned();
    }
    let half = letters / 2;
    let start: String = url.chars().take(half).collect();
    let end: String = url.chars().skip(count - half).collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_a_text() {
        assert_eq!(
            text("<a href=\"x\" onclick='y'>&"),
            "&lt;a href=&quot;x&quot; onclick=&#39;y&#39;&gt;&amp;"
        );
        assert_eq!(text("a\u{202e}b\u{1b}c"), "a\u{fffd}b\u{fffd}c");
        assert_eq!(ascii("é😀<"), "&#233;&#128512;<");
    }

    #[test]
    fn long_urls_lose_their_middle() {
        assert_eq!(shortened("http://example.org/", 30), "http://example.org/");
        assert_eq!(shortened("http://example.org/abcdef", 10), "http:…bcdef");
    }
}
