//! What the site tells programs: its news as RSS, a list of its pages, and what robots may do.

use crate::FRONT;
use crate::answer::Answer;
use crate::edition::Edition;
use crate::paths::pages;
use crate::stories;

const RSS: &str = "application/rss+xml; charset=utf-8";
const XML: &str = "application/xml";
const TEXT: &str = "text/plain; charset=utf-8";

/// How many stories the feed has.
const NEWEST: usize = 8;

pub(crate) fn find(edition: Edition, path: &str) -> Option<Answer> {
    let (content_type, text) = match path {
        "/feed.xml" => (RSS, feed(edition)),
        "/sitemap.xml" => (XML, sitemap(edition)),
        "/robots.txt" => (TEXT, format!("User-agent: *\nDisallow: /staff/\n\nSitemap: {FRONT}sitemap.xml\n")),
        _ => return None,
    };
    Some(Answer::ok(content_type, text.into_bytes()))
}

fn feed(edition: Edition) -> String {
    let origin = FRONT.trim_end_matches('/');
    let items: String = stories::of(edition.number)
        .take(NEWEST)
        .map(|story| {
            format!(
                "<item><title>{}</title><link>{origin}{path}</link><guid>{origin}{path}</guid>\
                 <pubDate>{} 06:00:00 GMT</pubDate><description>{}</description></item>\n",
                story.headline,
                mail_date(story.date),
                story.summary,
                path = story.path(),
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel><title>The Siltmere Lantern</title>\
         <link>{FRONT}</link><description>News from Siltmere, every Monday</description><language>en</language>\n\
         {items}</channel></rss>\n"
    )
}

fn sitemap(edition: Edition) -> String {
    let origin = FRONT.trim_end_matches('/');
    let urls: String =
        pages(edition.number).map(|path| format!("<url><loc>{origin}{path}</loc></url>\n")).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
    )
}

/// `2026-09-14` as mail and feeds have it: `14 Sep 2026`.
fn mail_date(date: &str) -> String {
    let mut parts = date.split('-');
    let year = parts.next().unwrap_or_default();
    let month = match parts.next() {
        Some("09") => "Sep",
        Some("10") => "Oct",
        _ => "Nov",
    };
    format!("{} {month} {year}", parts.next().unwrap_or_default())
}
