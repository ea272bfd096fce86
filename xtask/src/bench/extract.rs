//! `cargo xtask bench extract`: links, titles and text of HTML pages, against resiliparse.
//!
//! The pages are real ones, from the shared vectors, again and again until they come to 200 MB. Both sides hold them in
//! memory, in UTF-8, before their clock starts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use super::contest::{Contest, Side};
use super::{judge, page};
use crate::places;
use crate::step::Step;

const CORPUS_BYTES: u64 = 200_000_000;
const ROUNDS: u32 = 3;

/// Takes the HTML out of the vectors: pages that lie there as files, and those inside WARC files.
const GATHER: &str = "\
import os, sys
from fastwarc.warc import ArchiveIterator, WarcRecordType
vectors, pages = sys.argv[1:]
seen = set()
def keep(page):
    if 512 <= len(page) <= 4 << 20 and page not in seen:
        text = page.decode('utf-8', 'replace').encode('utf-8')
        open(os.path.join(pages, f'{len(seen):05}.html'), 'wb').write(text)
        seen.add(page)
for folder, folders, files in os.walk(vectors):
    folders.sort()
    for name in sorted(files):
        path = os.path.join(folder, name)
        if name.endswith(('.html', '.htm')):
            keep(open(path, 'rb').read())
        elif name.endswith(('.warc', '.warc.gz')):
            try:
                for record in ArchiveIterator(path, record_types=WarcRecordType.response, parse_http=True):
                    plain = record.http_headers is not None and not record.http_headers.get('content-encoding')
                    if plain and record.http_content_type == 'text/html':
                        keep(record.reader.read())
            except Exception:
                pass  # Some of the files are damaged on purpose.
";

/// Reads all pages, then runs `work` over them so many times; the time is the last word.
const FRAME: &str = "\
import os, sys, time
from resiliparse.parse.html import HTMLTree
from resiliparse.extract.html2text import extract_plain_text
folder, rounds = sys.argv[1], int(sys.argv[2])
pages = [open(os.path.join(folder, name), encoding='utf-8').read() for name in sorted(os.listdir(folder))]
WORK
started = time.monotonic()
for _ in range(rounds):
    for page in pages:
        work(page)
print(time.monotonic() - started)
";

const TEXT: &str = "pages = [HTMLTree.parse(page) for page in pages]\nwork = extract_plain_text";
const LINKS: &str = "\
def work(page):
    tree = HTMLTree.parse(page)
    return [link.getattr('href') for link in tree.document.get_elements_by_tag_name('a')]";

pub(crate) fn run() -> anyhow::Result<()> {
    let python = crate::peers::make()?.join("bin").join("python");
    Step::cargo("build", "build --release --package extract --examples").run()?;
    let pages = pages(&python)?;
    let rounds = CORPUS_BYTES.div_ceil(size(&pages)?).to_string();
    let ours = |words: &[&str]| {
        let mut command = Command::new(places::target().join("release").join("examples").join("pages"));
        command.arg(&pages).args(["--rounds", &rounds]).args(words);
        Side::self_timed("varve", command)
    };
    let peer = |work: &str| {
        let mut command = Command::new(&python);
        command.args(["-c", &FRAME.replace("WORK", work)]).arg(&pages).arg(&rounds);
        Side::self_timed("resiliparse", command)
    };
    let contest =
        |what: &str, ours, peer, must, aim| Contest { what: what.to_owned(), ours, peer, must, aim };
    let contests = [
        contest(
            "links, those of scripts too, title and text, against `extract_plain_text` alone, its trees parsed before",
            ours(&[]),
            peer(TEXT),
            3.0,
            None,
        ),
        contest(
            "links of the markup alone, against parse + links",
            ours(&["--links", "--no-scripts"]),
            peer(LINKS),
            0.75,
            Some(1.0),
        ),
    ];
    let mut outcomes = Vec::new();
    for contest in contests {
        outcomes.push(contest.run(ROUNDS)?);
    }
    let table = page::table(&outcomes);
    println!("\n{table}");
    page::put("extract", &table)?;
    judge(&outcomes)
}

/// The folder with the pages, made if it is not there yet.
fn pages(python: &Path) -> anyhow::Result<PathBuf> {
    let folder = places::target().join("bench").join("pages");
    if folder.exists() {
        return Ok(folder);
    }
    let Some(vectors) = testkit::vectors::dir() else {
        bail!("this bench reads real pages, and they are in the shared vectors: set $VARVE_VECTORS");
    };
    let part = folder.with_extension("part");
    if part.exists() {
        fs::remove_dir_all(&part).with_context(|| format!("cannot remove `{}`", part.display()))?;
    }
    fs::create_dir_all(&part).with_context(|| format!("cannot make `{}`", part.display()))?;
    Step::new("pages", python).args(["-c", GATHER]).args([&vectors, &part]).run()?;
    fs::rename(&part, &folder).with_context(|| format!("cannot name `{}`", folder.display()))?;
    Ok(folder)
}

/// Bytes of all files in a folder.
fn size(folder: &Path) -> anyhow::Result<u64> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    let mut bytes = 0;
    for entry in entries {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes.max(1))
}
