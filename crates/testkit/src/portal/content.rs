//! What the pages, styles, scripts and pictures of the site hold.

use std::fmt::Write as _;

use super::{ASSETS, PAGES_PER_IMAGE, Portal, What};
use crate::corpus::Dice;

pub(super) const JPEG: &[u8] =
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xdb\x00\x43\x00";
pub(super) const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x04\x00\x00\x00\x03\x00\x08\x02\x00\x00\x00";

/// What stands at the head of every page behind its title, as a content management system leaves it.
const HEAD: &str = r#"<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="WordPress 6.7">
<meta name="robots" content="index, follow, max-image-preview:large, max-snippet:-1, max-video-preview:-1">
<meta property="og:locale" content="en_GB">
<meta property="og:type" content="article">
<meta property="og:site_name" content="A made-up place">
<meta name="twitter:card" content="summary_large_image">
<style id="global-styles-inline-css">:root{--preset--color--black:#000;--preset--color--white:#fff;
--preset--color--pale-pink:#f78da7;--preset--color--vivid-red:#cf2e2e;--preset--font-size--small:13px;
--preset--font-size--medium:20px;--preset--font-size--large:36px;--preset--spacing--20:0.44rem;
--preset--spacing--30:0.67rem;--preset--spacing--40:1rem;--preset--spacing--50:1.5rem}</style>
"#;

/// What stands at the end of every page.
const FOOT: &str = r#"</main>
<footer class="site-footer" role="contentinfo"><div class="site-footer__inner container">
<p class="site-footer__text">Nobody wrote this. All rights reserved by nobody.</p></div></footer>
<script>window.dataLayer=window.dataLayer||[];function note(){dataLayer.push(arguments)}note("js",new Date());
document.querySelectorAll(".card__image").forEach(function(image){image.addEventListener("load",function(){
image.classList.add("is-loaded")})});</script>
</body>
</html>
"#;

/// A page: as on real ones there is more markup than text, and gzip makes a quarter of it. Its links are spread
/// over all of it.
pub(super) fn page(portal: &Portal, number: u64) -> String {
    let mut dice = portal.dice(number, 4);
    // Each doubling is as likely as the next; half of all pages lie below twenty kilobytes.
    let size = dice.size(3_400, 54_400);
    let mut html = String::with_capacity(size + 2_000);
    html.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    portal.words.phrase(&mut dice, &mut html, 5);
    let asset = number % ASSETS.min(portal.pages);
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        html,
        "</title>\n{HEAD}<link rel=\"stylesheet\" href=\"{}\">\n<script src=\"{}\" defer></script>\n</head>\n\
         <body class=\"page page-id-{number}\">\n<main id=\"content\" class=\"site-main\">\n\
         <img class=\"card__image\" src=\"{}\" width=\"640\" alt=\"\">\n",
        portal.path(What::Style(asset)),
        portal.path(What::Script(asset)),
        portal.path(What::Image(number / PAGES_PER_IMAGE)),
    );
    let links = portal.links(number);
    let step = size / (links.len() + 1);
    for (place, link) in links.iter().enumerate() {
        while html.len() < step * place {
            block(portal, &mut dice, &mut html);
        }
        card(portal, link, &mut dice, &mut html);
    }
    while html.len() < size {
        block(portal, &mut dice, &mut html);
    }
    html.push_str(FOOT);
    html
}

/// A teaser that links to something.
fn card(portal: &Portal, link: &str, dice: &mut Dice, html: &mut String) {
    html.push_str(
        "<div class=\"col-12 col-md-6 col-lg-4 mb-4\"><article class=\"card card--teaser h-100\">\n",
    );
    let _ =
        write!(html, "<h3 class=\"card__title\"><a class=\"card__link\" href=\"{link}\" rel=\"bookmark\">");
    portal.words.phrase(dice, html, 3);
    html.push_str("</a></h3>\n</article></div>\n");
}

/// A part of the page that links to nothing.
fn block(portal: &Portal, dice: &mut Dice, html: &mut String) {
    match dice.below(6) {
        0 => {
            html.push_str("<table class=\"table table-striped table-hover\">\n");
            for row in 0..dice.between(3, 12) {
                let (word, number) = (portal.words.one(dice), dice.below(1000));
                let _ = writeln!(
                    html,
                    "<tr class=\"table__row\"><td class=\"table__number\">{row}</td><td \
                     class=\"table__word\">{word}</td><td class=\"table__number\">{number}</td></tr>"
                );
            }
            html.push_str("</table>\n");
        }
        1 => {
            html.push_str("<ul class=\"list list--unstyled related-topics\">\n");
            for _ in 0..dice.between(3, 10) {
                html.push_str(
                    "<li class=\"list__item related-topics__item\"><span class=\"badge badge--pill\">",
                );
                portal.words.phrase(dice, html, 2);
                html.push_str("</span></li>\n");
            }
            html.push_str("</ul>\n");
        }
        _ => {
            html.push_str("<p class=\"has-text-color wp-block-paragraph\">");
            (0..dice.between(1, 5)).for_each(|_| portal.words.sentence(dice, html));
            html.push_str("</p>\n");
        }
    }
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
