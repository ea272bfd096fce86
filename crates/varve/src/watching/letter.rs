//! What is news, as a letter: a line on top, then page by page what changed.

use std::fmt::Write as _;

use notify::Letter;
use watch::{Message, News, NewsKind};

use super::courier::Links;

/// The letter of a message.
pub(super) fn of(message: &Message, links: Option<&Links>) -> Letter {
    let at = message.news.iter().map(|news| news.at).max().unwrap_or_default();
    let (mut text, mut html) =
        (String::new(), String::from("<!doctype html>\n<html><head><meta charset=\"utf-8\"></head><body>\n"));
    for news in &message.news {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}\n{}\n{}\n\n", name(news), news.url, told(news));
        let _ = write!(
            html,
            "<h2>{}</h2>\n<p>{}<br>{}</p>\n",
            escaped(name(news)),
            escaped(&news.url),
            escaped(&told(news))
        );
        if !news.text.trim().is_empty() {
            let _ = write!(text, "{}\n\n", news.text.trim_end());
        }
        html.push_str(&news.html);
        if let Some(links) = links {
            let page = links.watch(news);
            let _ = write!(text, "{page}\n");
            let _ = write!(html, "<p><a href=\"{0}\">{0}</a></p>\n", escaped(&page));
        }
        text.push('\n');
    }
    let _ = write!(text, "-- \nwatched by varve for {}\n", message.owner);
    let _ = write!(html, "<p>watched by varve for {}</p>\n</body></html>\n", escaped(&message.owner));
    Letter { id: message.id.clone(), subject: subject(message), text, html: Some(html), at }
}

fn subject(message: &Message) -> String {
    match message.news.as_slice() {
        [news] => format!("{}: {}", name(news), told(news)),
        several => format!("{} changes of watched pages", several.len()),
    }
}

fn told(news: &News) -> String {
    match news.kind {
        NewsKind::Gone => format!("gone: {}", news.summary),
        _ => news.summary.clone(),
    }
}

fn name(news: &News) -> &str {
    if news.title.is_empty() { &news.url } else { &news.title }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
