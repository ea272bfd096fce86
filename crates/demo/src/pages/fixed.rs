//! Pages that are written out, and the paper's first web site, which nobody has touched since.

use super::shell::{Head, shell};
use crate::answer::{Answer, HTML, HTML_1252};
use crate::edition::Edition;

/// One page that is written out.
pub(crate) struct Fixed {
    pub(crate) path: &'static str,
    title: &'static str,
    /// The first edition that has it and the last one.
    pub(crate) editions: (u8, u8),
    text: &'static str,
    /// Further elements of its head.
    more: &'static str,
}

const ALWAYS: (u8, u8) = (1, 3);

/// The pages inside the paper's frame.
pub(crate) const FIXED: &[Fixed] = &[
    Fixed {
        path: "/about.html",
        title: "About us",
        editions: ALWAYS,
        text: include_str!("../../site/pages/about.html"),
        more: "",
    },
    Fixed {
        path: "/map.html",
        title: "Map of Siltmere",
        editions: ALWAYS,
        text: include_str!("../../site/pages/map.html"),
        more: "<script src=\"/assets/map.js\" defer></script>\n",
    },
    Fixed {
        path: "/search.html",
        title: "Search",
        editions: ALWAYS,
        text: include_str!("../../site/pages/search.html"),
        more: "<script src=\"/assets/search.js\" defer></script>\n",
    },
    Fixed {
        path: "/water-levels.html",
        title: "Water levels",
        editions: ALWAYS,
        text: include_str!("../../site/pages/water-levels.html"),
        more: "",
    },
    Fixed {
        path: "/whats-on.html",
        title: "What’s on",
        editions: (1, 2),
        text: include_str!("../../site/pages/whats-on.html"),
        more: "",
    },
    Fixed {
        path: "/calendar/",
        title: "Calendar",
        editions: (3, 3),
        text: include_str!("../../site/pages/calendar.html"),
        more: "",
    },
];

/// The front page of the paper's first web site.
pub(crate) const OLD: &str = "/old/index.htm";

pub(crate) fn find(edition: Edition, path: &str) -> Option<Answer> {
    match path {
        OLD => Some(Answer::ok(HTML_1252, windows_1252(include_str!("../../site/old/index.htm")))),
        "/embed/level.html" => {
            Some(Answer::ok(HTML, include_bytes!("../../site/pages/level.html").as_slice()))
        }
        _ => framed(edition, path),
    }
}

fn framed(edition: Edition, path: &str) -> Option<Answer> {
    let page = FIXED.iter().find(|page| page.path == path)?;
    let (first, last) = page.editions;
    if !(first..=last).contains(&edition.number) {
        return None;
    }
    // The drawing is part of the page, so that the script can reach into it.
    let text = page.text.replace("{{map}}", include_str!("../../site/assets/map.svg"));
    let head = Head { title: page.title, path, more: page.more, ..Head::default() };
    Some(Answer::page(shell(edition, &head, &text)))
}

/// The text as the old site stored it. The page holds no character that this charset lacks; a test sees to it.
fn windows_1252(text: &str) -> Vec<u8> {
    text.chars()
        .map(|character| match character {
            '€' => 0x80,
            '…' => 0x85,
            '‘' => 0x91,
            '’' => 0x92,
            '“' => 0x93,
            '”' => 0x94,
            '•' => 0x95,
            '–' => 0x96,
            '—' => 0x97,
            '™' => 0x99,
            other => u8::try_from(u32::from(other)).unwrap_or(b'?'),
        })
        .collect()
}
