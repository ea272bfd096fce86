//! What the made-up servers have to say: pages, styles, scripts, data, images and larger things.

use std::fmt::Write as _;

use super::Kind;
use super::dice::Dice;
use super::site::Site;
use super::words::Words;

/// A body and what the head says of it.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) status: &'static str,
    pub(super) media_type: &'static str,
    pub(super) location: Option<String>,
    pub(super) bytes: Vec<u8>,
}

/// A body of this kind. Lookups and revisits have none.
pub(super) fn make(kind: Kind, site: &Site, words: &Words, dice: &mut Dice) -> Body {
    let ok = |media_type, bytes| Body { status: "200 OK", media_type, location: None, bytes };
    match kind {
        Kind::Dns | Kind::Revisit { .. } => ok("text/plain", Vec::new()),
        Kind::Robots => ok("text/plain", robots(site, words, dice).into_bytes()),
        Kind::Page => {
            // The larger of two: most pages are some ten kilobytes, few are tiny.
            let size = dice.size(2_000, 200_000).max(dice.size(2_000, 200_000));
            ok("text/html; charset=UTF-8", page(site, words, dice, size).into_bytes())
        }
        Kind::Style => ok("text/css", style(words, dice).into_bytes()),
        Kind::Script => ok("application/javascript; charset=utf-8", script(words, dice).into_bytes()),
        Kind::Data => ok("application/json", data(words, dice).into_bytes()),
        Kind::Image => image(dice),
        Kind::Document => ok("application/pdf", document(words, dice)),
        Kind::Video => ok("video/mp4", video(dice)),
        Kind::Redirect => redirect(site, words, dice),
        Kind::Missing => {
            let bytes = page(site, words, dice, 2_000).into_bytes();
            Body { status: "404 Not Found", ..ok("text/html; charset=UTF-8", bytes) }
        }
    }
}

/// An HTML page of at least this many bytes.
fn page(site: &Site, words: &Words, dice: &mut Dice, size: usize) -> String {
    let mut html = String::with_capacity(size + 4000);
    html.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"UTF-8\">\n<title>");
    words.phrase(dice, &mut html, 6);
    let _ =
        write!(html, " | {}</title>\n<meta name=\"generator\" content=\"{}\">\n", site.host, site.generator);
    html.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.push_str("<link rel=\"stylesheet\" href=\"/assets/css/main.css\" media=\"all\">\n</head>\n<body class=\"single\">\n");
    html.push_str(&site.menu);
    html.push_str("<main id=\"content\">\n");
    while html.len() < size {
        block(site, words, dice, &mut html);
    }
    html.push_str("</main>\n<script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}</script>\n");
    html.push_str("<footer><p>All rights reserved.</p></footer>\n</body>\n</html>\n");
    html
}

/// One part of a page. As on real pages, there is more markup than text.
fn block(site: &Site, words: &Words, dice: &mut Dice, html: &mut String) {
    match dice.below(12) {
        0 => {
            let _ = write!(html, "<h2 id=\"section-{}\" class=\"wp-block-heading\">", dice.below(1000));
            words.phrase(dice, html, 5);
            html.push_str("</h2>\n");
        }
        1 => {
            html.push_str("<table class=\"table table-striped table-hover\">\n");
            for row in 0..dice.between(3, 20) {
                let (word, number) = (words.one(dice), dice.below(100_000));
                let _ = writeln!(
                    html,
                    "<tr class=\"row\"><td>{row}</td><td>{word}</td><td class=\"num\">{number}</td></tr>"
                );
            }
            html.push_str("</table>\n");
        }
        2..4 => links(site, words, dice, html),
        4..8 => (0..dice.between(2, 6)).for_each(|_| card(words, dice, html)),
        _ => {
            html.push_str("<p class=\"has-text-color wp-block-paragraph\">");
            for _ in 0..dice.between(2, 6) {
                words.sentence(dice, html);
            }
            html.push_str("</p>\n");
        }
    }
}

fn links(site: &Site, words: &Words, dice: &mut Dice, html: &mut String) {
    html.push_str("<ul class=\"list-unstyled related-links\">\n");
    for _ in 0..dice.between(3, 12) {
        let Site { scheme, host, .. } = site;
        let name = words.name(dice);
        let _ = write!(
            html,
            "<li class=\"related-links__item\"><a class=\"related-links__link\" href=\"{scheme}://{host}/{name}/\">"
        );
        words.phrase(dice, html, 4);
        html.push_str("</a></li>\n");
    }
    html.push_str("</ul>\n");
}

/// A teaser with a picture, the brick that most front pages are built of.
fn card(words: &Words, dice: &mut Dice, html: &mut String) {
    let (one, two) = (words.name(dice), words.name(dice));
    let id = dice.below(100_000);
    html.push_str(
        "<div class=\"col-12 col-md-6 col-lg-4 mb-4\"><article class=\"card card--teaser h-100\">\n",
    );
    let _ = writeln!(
        html,
        "<a href=\"/{one}/{two}-{id}.html\" class=\"card__image-link\" tabindex=\"-1\" aria-hidden=\"true\">"
    );
    let _ = writeln!(
        html,
        "<img loading=\"lazy\" decoding=\"async\" width=\"640\" height=\"360\" class=\"card__image img-fluid\" src=\"/media/2026/03/{one}-{id}-640x360.jpg\" srcset=\"/media/2026/03/{one}-{id}-640x360.jpg 640w, /media/2026/03/{one}-{id}-1280x720.jpg 1280w\" alt=\"\"></a>"
    );
    let _ = write!(
        html,
        "<div class=\"card__body\"><h3 class=\"card__title\"><a href=\"/{one}/{two}-{id}.html\">"
    );
    words.phrase(dice, html, 6);
    html.push_str("</a></h3>\n<p class=\"card__text\">");
    words.sentence(dice, html);
    html.push_str("</p></div></article></div>\n");
}

fn robots(site: &Site, words: &Words, dice: &mut Dice) -> String {
    let mut text = String::from("User-agent: *\n");
    for _ in 0..dice.between(0, 12) {
        let _ = writeln!(text, "Disallow: /{}/", words.name(dice));
    }
    let _ = write!(
        text,
        "Crawl-delay: {}\nSitemap: {}://{}/sitemap.xml\n",
        dice.between(1, 10),
        site.scheme,
        site.host
    );
    text
}

fn style(words: &Words, dice: &mut Dice) -> String {
    const PROPERTIES: [&str; 8] = [
        "margin:0 auto",
        "padding:0 15px",
        "display:flex",
        "color:#333",
        "font-size:1rem",
        "border:0",
        "float:left",
        "width:100%",
    ];
    let size = dice.size(5_000, 300_000);
    let mut css = String::with_capacity(size + 200);
    while css.len() < size {
        let _ = write!(css, ".{}-{}", words.name(dice), words.one(dice));
        if dice.percent(30) {
            css.push_str(":hover");
        }
        css.push('{');
        for _ in 0..dice.between(1, 6) {
            css.push_str(dice.pick(&PROPERTIES));
            css.push(';');
        }
        let _ = writeln!(css, "background:#{:06x};top:{}px}}", dice.below(1 << 24), dice.below(400));
    }
    css
}

fn script(words: &Words, dice: &mut Dice) -> String {
    let size = dice.size(5_000, 300_000);
    let mut code = String::with_capacity(size + 400);
    code.push_str("/*! @license MIT */!function(e,t){\"use strict\";");
    while code.len() < size {
        let (one, two) = (words.name(dice), words.name(dice));
        let number = dice.below(10_000);
        let _ = match dice.below(4) {
            0 => write!(code, "function {one}(e,t){{return void 0===e?t:e.{two}({number})}}"),
            1 => write!(
                code,
                "var {one}=document.querySelectorAll(\".{two}\");for(var i=0;i<{one}.length;i++)t({one}[i],{number});"
            ),
            2 => write!(
                code,
                "e.prototype.{one}=function(n){{if(!n||n.{two}>{number})throw new Error(\"{one} {two}\");return this}};"
            ),
            _ => write!(
                code,
                "t.{one}={{\"{two}\":{number},\"enabled\":!0,\"label\":\"{}\"}};",
                words.one(dice)
            ),
        };
    }
    code.push_str("}(window,document);\n");
    code
}

fn data(words: &Words, dice: &mut Dice) -> String {
    let size = dice.size(1_000, 100_000);
    let mut json = String::with_capacity(size + 400);
    json.push_str("{\"items\":[");
    while json.len() < size {
        let id = dice.below(10_000_000);
        let _ = write!(
            json,
            "{{\"id\":{id},\"slug\":\"{}\",\"price\":{}.{:02},\"title\":\"",
            words.name(dice),
            id % 900,
            id % 100
        );
        words.phrase(dice, &mut json, 6);
        let _ = write!(
            json,
            "\",\"tags\":[\"{}\",\"{}\"],\"stock\":{}}},",
            words.one(dice),
            words.one(dice),
            dice.percent(50)
        );
    }
    json.push_str("{}],\"next\":null}\n");
    json
}

fn image(dice: &mut Dice) -> Body {
    const JPEG: &[u8] =
        b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xdb\x00\x43\x00";
    const PNG: &[u8] =
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x04\x00\x00\x00\x03\x00\x08\x02\x00\x00\x00";
    let size = dice.size(5_000, 500_000);
    let webp = [b"RIFF".as_slice(), &u32::try_from(size).unwrap_or(0).to_le_bytes(), b"WEBPVP8 "].concat();
    let (media_type, magic) = match dice.below(10) {
        0..6 => ("image/jpeg", JPEG),
        6..9 => ("image/png", PNG),
        _ => ("image/webp", webp.as_slice()),
    };
    let mut bytes = magic.to_vec();
    dice.noise(&mut bytes, size);
    Body { status: "200 OK", media_type, location: None, bytes }
}

/// Text between packed streams, as most PDFs are.
fn document(words: &Words, dice: &mut Dice) -> Vec<u8> {
    let size = dice.size(100_000, 3_000_000);
    let mut bytes = b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut number = 0;
    while bytes.len() < size {
        number += 1;
        let length = dice.size(1_000, 60_000);
        let mut text = format!("{number} 0 obj\n<< /Title (");
        words.phrase(dice, &mut text, 8);
        let _ = write!(text, ") /Filter /FlateDecode /Length {length} >>\nstream\n");
        bytes.extend_from_slice(text.as_bytes());
        dice.noise(&mut bytes, length);
        bytes.extend_from_slice(b"\nendstream\nendobj\n");
    }
    bytes.extend_from_slice(b"%%EOF\n");
    bytes
}

fn video(dice: &mut Dice) -> Vec<u8> {
    let mut bytes = b"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isomiso2avc1mp41".to_vec();
    let size = dice.size(1_000_000, 20_000_000);
    dice.noise(&mut bytes, size);
    bytes
}

fn redirect(site: &Site, words: &Words, dice: &mut Dice) -> Body {
    let location = format!("{}://{}/{}/", site.scheme, site.host, words.name(dice));
    let html = format!(
        "<html><head><title>Moved</title></head><body><a href=\"{location}\">here</a></body></html>\n"
    );
    let status = dice.pick(&["301 Moved Permanently", "302 Found", "307 Temporary Redirect"]);
    Body { status, media_type: "text/html", location: Some(location), bytes: html.into_bytes() }
}
