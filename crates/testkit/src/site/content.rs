//! What the pages say.

use super::pages::PAGES;

/// A small HTML page.
pub fn page_of(title: &str, text: &str) -> Vec<u8> {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body><h1>{title}</h1><p>{text}</p><p><a href=\"/\">Home</a></p></body>\n</html>\n"
    )
    .into_bytes()
}

/// The front page of a host. It leads to everything that is linked.
pub(super) fn front(host: &str) -> Vec<u8> {
    let links: String = PAGES
        .iter()
        .filter(|page| page.is_linked && page.path != "/")
        .map(|page| format!("<li><a href=\"{}\">{}</a></li>\n", page.path, page.what))
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>Welcome to {host}</title>\n\
         <link rel=\"stylesheet\" href=\"/style.css\">\n\
         <link rel=\"alternate\" type=\"application/rss+xml\" href=\"/feed.xml\">\n\
         <script src=\"/script.js\" defer></script>\n</head>\n<body>\n<h1>Welcome to {host}</h1>\n\
         <img src=\"/image.png\" alt=\"a pixel\">\n<ul>\n{links}</ul>\n</body>\n</html>\n"
    )
    .into_bytes()
}

/// The files of the site, each with its type.
pub(super) fn file(path: &str) -> Option<(&'static str, Vec<u8>)> {
    const HTML: &str = "text/html; charset=utf-8";
    Some(match path {
        "/articles/1" => (
            HTML,
            article("One", "<img src=\"/image.png\" srcset=\"/image.png 1x, /image.png?2x 2x\" alt=\"\">"),
        ),
        "/articles/2" => (HTML, article("Two", "<a href=\"http://other.varve.test/about\">Elsewhere</a>")),
        "/private/page" => (HTML, page_of("Private", "For people only.")),
        "/style.css" => {
            ("text/css", b"@import \"more.css\";\nbody { background: url('/image.png'); }\n".to_vec())
        }
        "/more.css" => ("text/css; charset=utf-8", b"h1 { color: teal; }\n".to_vec()),
        "/script.js" => {
            ("application/javascript", b"fetch(\"/data.json\").then(answer => answer.json());\n".to_vec())
        }
        "/data.json" => ("application/json", b"{\"next\": \"/articles/2\", \"count\": 2}\n".to_vec()),
        "/image.png" => ("image/png", image()),
        "/image.svg" => ("image/svg+xml", SVG.into()),
        "/paper.pdf" => ("application/pdf", PDF.into()),
        "/feed.xml" => ("application/rss+xml; charset=utf-8", FEED.into()),
        "/robots.txt" => {
            ("text/plain", b"User-agent: *\nDisallow: /private/\nSitemap: /sitemap.xml\n".to_vec())
        }
        "/sitemap.xml" => ("application/xml", sitemap()),
        "/utf16" => ("text/html", utf16_page()),
        "/latin1" => {
            ("text/html; charset=iso-8859-1", b"<title>Caf\xe9</title><p>Na\xefve caf\xe9.</p>\n".to_vec())
        }
        _ => return None,
    })
}

/// A page long enough that packing it is worth while.
pub(super) fn long_page() -> Vec<u8> {
    let text: String =
        (0..400).map(|line| format!("<p>Line {line} of a page that says little at length.</p>\n")).collect();
    page_of("A long page", &text)
}

/// A page in UTF-16, little end first, with a byte order mark.
pub fn utf16_page() -> Vec<u8> {
    let text =
        "\u{feff}<html><title>Sixteen \u{2013} \u{1f333}</title><p><a href=\"/about\">About</a></p></html>";
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// So many bytes that do not repeat soon and do not compress well.
pub fn large(bytes: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut noise = Vec::with_capacity(bytes + 8);
    while noise.len() < bytes {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        noise.extend_from_slice(&state.to_le_bytes());
    }
    noise.truncate(bytes);
    noise
}

/// A PNG of one pixel.
pub fn image() -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut piece = |name: &[u8; 4], data: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(name);
        crc.update(data);
        png.extend_from_slice(&u32::try_from(data.len()).unwrap_or(0).to_be_bytes());
        png.extend_from_slice(name);
        png.extend_from_slice(data);
        png.extend_from_slice(&crc.sum().to_be_bytes());
    };
    // One by one pixel, eight bits of grey.
    piece(b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
    // A zlib stream with one stored block: filter 0, grey 128.
    piece(b"IDAT", &[0x78, 0x01, 0x01, 2, 0, 0xfd, 0xff, 0, 128, 0x00, 0x83, 0x00, 0x81]);
    piece(b"IEND", &[]);
    png
}

fn article(number: &str, extra: &str) -> Vec<u8> {
    page_of(
        &format!("Article {number}"),
        &format!("Something happened. {extra} <a href=\"/articles/2#end\">Next</a>"),
    )
}

fn sitemap() -> Vec<u8> {
    let entries: String = PAGES
        .iter()
        .filter(|page| page.is_linked)
        .map(|page| format!("<url><loc>http://www.varve.test{}</loc></url>\n", page.path))
        .collect();
    let start = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    format!("<?xml version=\"1.0\"?>\n{start}\n{entries}</urlset>\n").into_bytes()
}

const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">\
<a href=\"/about\"><circle r=\"4\"/></a></svg>\n";

const FEED: &str = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel>\
<title>News</title><link>http://www.varve.test/</link>\
<item><title>One</title><link>http://www.varve.test/articles/1</link></item></channel></rss>\n";

const PDF: &str = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n\
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]\
/A<</S/URI/URI(http://www.varve.test/about)>>>>]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";
