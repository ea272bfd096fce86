//! The list of what the site holds.

/// The names it answers to. Nothing below `.test` exists outside.
pub const HOSTS: [&str; 3] = ["www.varve.test", "static.varve.test", "other.varve.test"];

/// One thing that the site holds.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The path to ask for.
    pub path: &'static str,
    /// What a plain `GET` is answered with.
    pub status: u16,
    /// Its `Content-Type` without parameters; empty where there is none.
    pub media_type: &'static str,
    /// Whether front page or sitemap lead here.
    pub is_linked: bool,
    /// What is special about it.
    pub what: &'static str,
}

const fn linked(path: &'static str, media_type: &'static str, what: &'static str) -> Page {
    Page { path, status: 200, media_type, is_linked: true, what }
}

const fn hidden(path: &'static str, status: u16, media_type: &'static str, what: &'static str) -> Page {
    Page { path, status, media_type, is_linked: false, what }
}

const HTML: &str = "text/html";
const TEXT: &str = "text/plain";

/// Everything that the site holds, but what is made up on demand: `/large?bytes=N`, `/redirect/N`, `/set-cookie?…`.
pub const PAGES: &[Page] = &[
    linked("/", HTML, "the front page: links, images, a style sheet, a script, a feed"),
    linked("/about", HTML, "a page that is never gone: ETag and Last-Modified, 304 when asked for changes"),
    linked("/articles/1", HTML, "an article with a picture in several sizes"),
    linked("/articles/2", HTML, "an article that links to the other host"),
    linked("/style.css", "text/css", "a style sheet that imports another and shows a picture"),
    linked("/more.css", "text/css", "the one that is imported"),
    linked("/script.js", "application/javascript", "a script with URLs in strings"),
    linked("/data.json", "application/json", "what the script loads"),
    linked("/image.png", "image/png", "a picture of one pixel"),
    linked("/image.svg", "image/svg+xml", "a drawing that links"),
    linked("/paper.pdf", "application/pdf", "a document with a link in it"),
    linked("/feed.xml", "application/rss+xml", "the news"),
    hidden("/robots.txt", 200, TEXT, "allows all but /private/, names the sitemap"),
    hidden("/sitemap.xml", 200, "application/xml", "all that is linked"),
    linked("/coded/gzip", HTML, "Content-Encoding: gzip"),
    linked("/coded/deflate", HTML, "Content-Encoding: deflate, with the zlib wrapper"),
    linked("/coded/br", HTML, "Content-Encoding: br"),
    linked("/coded/zstd", HTML, "Content-Encoding: zstd"),
    linked("/coded/gzip-chunked", HTML, "gzip in many small chunks"),
    linked("/chunked", HTML, "Transfer-Encoding: chunked, with extensions and a trailer"),
    linked("/http10", HTML, "HTTP/1.0 without a length: ends with the connection"),
    linked("/http10-keep-alive", HTML, "HTTP/1.0 with a length and Connection: keep-alive"),
    linked("/utf16", HTML, "a page in UTF-16 with a byte order mark"),
    linked("/latin1", HTML, "a page in ISO 8859-1"),
    linked("/empty", TEXT, "a body of no bytes"),
    linked("/headers", HTML, "fields in odd spelling and order, some twice, one folded"),
    linked("/ranges", TEXT, "a text that can be had in parts"),
    linked("/large", "application/octet-stream", "three megabytes, or as many as `?bytes=` says"),
    hidden("/no-content", 204, "", "204, no body"),
    hidden("/redirect", 301, HTML, "to /about, with a short page"),
    hidden("/redirect-relative", 302, HTML, "to `articles/1`, relative and without a slash"),
    hidden("/redirect-other-host", 307, HTML, "to the other host"),
    hidden("/redirect/3", 302, HTML, "the first of so many redirects before /about"),
    hidden("/set-cookie", 302, HTML, "sets cookies and redirects to /show-cookies"),
    hidden("/show-cookies", 200, TEXT, "the cookies that were sent, as text"),
    hidden("/secret", 401, HTML, "asks for Basic credentials: `archive` and `open sesame`"),
    hidden("/gone", 410, HTML, "410 with a page"),
    hidden("/missing", 404, HTML, "404 with a page"),
    hidden("/broken", 500, HTML, "500 with a page"),
    hidden("/busy", 503, HTML, "503 with Retry-After"),
    hidden("/too-many", 429, HTML, "429 with Retry-After"),
    hidden("/private/page", 200, HTML, "what robots.txt keeps robots from"),
];
