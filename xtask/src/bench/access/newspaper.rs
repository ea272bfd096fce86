//! The site that is served from the archive: pages of 20 KB with links, pictures, styles and scripts, and one large file.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::Context as _;

/// Pages of it.
pub(super) const PAGES: usize = 1_000;
/// Bytes of a page, about.
const PAGE_BYTES: usize = 20_000;
/// Bytes of the large file, which does not compress.
pub(super) const LARGE_BYTES: u64 = 50_000_000;
/// Where the large file is.
pub(super) const LARGE: &str = "/large.bin";

/// The path of a page.
pub(super) fn path(number: usize) -> String {
    format!("/articles/{:02}/story-{number}.html", number % 40)
}

/// Writes the site into a folder.
pub(super) fn write(folder: &Path) -> anyhow::Result<()> {
    let put = |path: &str, text: &str| -> anyhow::Result<()> {
        let file = folder.join(path.trim_start_matches('/'));
        if let Some(above) = file.parent() {
            fs::create_dir_all(above).with_context(|| format!("cannot make `{}`", above.display()))?;
        }
        fs::write(&file, text).with_context(|| format!("cannot write `{}`", file.display()))
    };
    let mut front = String::from("<!DOCTYPE html><title>All stories</title><ul>\n");
    for number in 0..PAGES {
        let _ = writeln!(front, "<li><a href=\"{}\">Story {number}</a>", path(number));
        put(&path(number), &page(number))?;
    }
    let _ = writeln!(front, "</ul><a href=\"{LARGE}\">The archive of all photographs</a>");
    put("/index.html", &front)?;
    large(&folder.join(LARGE.trim_start_matches('/')))
}

/// A page as newspapers have them: a third of its bytes is markup with addresses in it.
fn page(number: usize) -> String {
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>Story {number}</title>\n\
         <link rel=stylesheet href=\"/style/site.css\"><link rel=icon href=\"/favicon.ico\">\n\
         <style>body {{ background: url(/style/paper.png) }} .lead {{ background-image: url('/img/lead{number}.jpg') }}</style>\n\
         <script>var section = {number}; if (location.hash) {{ window.onhashchange = function () {{ show(location.hash) }} }}</script>\n\
         <script src=\"/script/site.js\" defer></script></head>\n<body onload=\"ready('{number}')\">\n"
    );
    let mut part = 0;
    while text.len() < PAGE_BYTES - 200 {
        part += 1;
        let other = (number * 7 + part * 13) % PAGES;
        let _ = writeln!(
            text,
            "<article class=\"part p{part}\"><h2><a href=\"{}\">Story {other} and what came of it</a></h2>\n\
             <img src=\"/img/{other}-small.jpg\" srcset=\"/img/{other}-small.jpg 400w, /img/{other}-large.jpg 1200w\" alt=\"\">\n\
             <p style=\"color: #222\">The council of the town met on day {part} and spoke for {other} minutes about the bridge, \
             which has been closed since the flood of last spring. Nobody who was asked could say when it will be open again, \
             and the ferry, it was told, is no help to those who work on the other side of the river.</p>\n\
             <p>More on <a href=\"../{:02}/story-{other}.html#p{part}\">the bridge</a> and on \
             <a href=\"http://other.example/page?id={other}&amp;part={part}\">the ferry</a>.</p></article>",
            path(other),
            other % 40,
        );
    }
    text.push_str("</body></html>\n");
    text
}

/// Bytes that do not repeat, by the generator of Marsaglia.
fn large(path: &Path) -> anyhow::Result<()> {
    let failed = || format!("cannot write `{}`", path.display());
    let mut file = BufWriter::new(File::create(path).with_context(failed)?);
    let mut state = 88_172_645_463_325_252_u64;
    for _ in 0..LARGE_BYTES / 8 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        file.write_all(&state.to_le_bytes()).with_context(failed)?;
    }
    file.flush().with_context(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_the_size_that_is_told() {
        for number in [0, 1, 500, PAGES - 1] {
            let bytes = page(number).len();
            assert!((PAGE_BYTES - 1_000..PAGE_BYTES + 1_000).contains(&bytes), "{bytes}");
        }
    }
}
