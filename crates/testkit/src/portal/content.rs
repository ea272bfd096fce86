//! What the pages, styles, scripts and pictures of the site hold.

use std::fmt::Write as _;

use super::{ASSETS, PAGES_PER_IMAGE, Portal, What};
use crate::corpus::Dice;

pub(super) const JPEG: &[u8] =
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xdb\x00\x43\x00";
pub(super) const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x04\x00\x00\x00\x03\x00\x08\x02\x00\x00\x00";

/// A page: navigation, then text with its links spread over it, then a footer.
pub(super) fn page(portal: &Portal, number: u64) -> String {
    let mut dice = portal.dice(number, 4);
    let words = &portal.words;
    // Each doubling is as likely as the next; half of all pages lie below twenty kilobytes.
    let size = dice.size(3_400, 54_400);
    let mut html = String::with_capacity(size + 2_000);
    html.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    words.phrase(&mut dice, &mut html, 5);
    let asset = number % ASSETS.min(portal.pages);
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        html,
        "</title>\n<link rel=\"stylesheet\" href=\"{}\">\n<script src=\"{}\" defer></script>\n</head>\n\
         <body class=\"page page-{number}\">\n<main>\n<img src=\"{}\" width=\"640\" alt=\"\">\n",
        portal.path(What::Style(asset)),
        portal.path(What::Script(asset)),
        portal.path(What::Image(number / PAGES_PER_IMAGE)),
    );
    let links = portal.links(number);
    let step = size / (links.len() + 1);
    for (place, link) in links.iter().enumerate() {
        while html.len() < step * place {
            paragraph(portal, &mut dice, &mut html);
        }
        let _ = write!(html, "<p class=\"related\"><a class=\"related__link\" href=\"{link}\">");
        words.phrase(&mut dice, &mut html, 4);
        html.push_str("</a></p>\n");
    }
    while html.len() < size {
        paragraph(portal, &mut dice, &mut html);
    }
    html.push_str("</main>\n<footer><p>Nobody wrote this.</p></footer>\n</body>\n</html>\n");
    html
}

fn paragraph(portal: &Portal, dice: &mut Dice, html: &mut String) {
    let _ = write!(html, "<p id=\"part-{}\" class=\"text text--{}\">", dice.below(1000), dice.below(8));
    for _ in 0..dice.between(1, 4) {
        portal.words.sentence(dice, html);
    }
    html.push_str("</p>\n");
}

/// A style sheet that names a picture.
pub(super) fn style(portal: &Portal, number: u64) -> String {
    let mut dice = portal.dice(number, 8);
    let mut css =
        format!("body {{ background: url(\"{}\") no-repeat; }}\n", portal.path(What::Background(number)));
    let size = dice.size(2_000, 16_000);
    while css.len() < size {
        let name = portal.words.name(&mut dice);
        let _ = writeln!(
            css,
            ".{name}-{} {{ color: #{:06x}; margin: {}px; }}",
            dice.below(100),
            dice.below(1 << 24),
            dice.below(40)
        );
    }
    css
}

/// A script that names a list.
pub(super) fn script(portal: &Portal, number: u64) -> String {
    let mut dice = portal.dice(number, 9);
    let mut code = format!("\"use strict\";\nfetch(\"{}\").then(show);\n", portal.path(What::Data(number)));
    let size = dice.size(2_000, 16_000);
    while code.len() < size {
        let (one, two) = (portal.words.name(&mut dice), portal.words.name(&mut dice));
        let _ = writeln!(code, "function {one}(e, t) {{ return e.{two} > {} ? t : e; }}", dice.below(10_000));
    }
    code
}

/// The list.
pub(super) fn data(portal: &Portal, number: u64) -> String {
    let mut dice = portal.dice(number, 10);
    let items: Vec<String> = (0..dice.between(5, 50))
        .map(|id| format!("{{\"id\": {id}, \"name\": \"{}\"}}", portal.words.name(&mut dice)))
        .collect();
    format!("{{\"items\": [{}]}}\n", items.join(", "))
}

/// A picture that starts like one; the rest is noise.
pub(super) fn image(dice: &mut Dice, magic: &[u8]) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    let size = dice.size(4_000, 64_000);
    dice.noise(&mut bytes, size);
    bytes
}

/// A film that starts like one.
pub(super) fn film(dice: &mut Dice) -> Vec<u8> {
    let mut bytes = b"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isomiso2avc1mp41".to_vec();
    dice.noise(&mut bytes, 3_000_000);
    bytes
}
