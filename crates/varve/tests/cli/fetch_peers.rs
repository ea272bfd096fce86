//! What `varve fetch` writes is accepted by other people's programs, and is what `curl` gets. (Issue 3, acceptance 2.)
#![allow(clippy::print_stderr)]

use std::path::Path;
use std::process::Command;

use testkit::misbehave::Misbehave;
use testkit::site::{PAGES, Page, Site};

use crate::run::{Run, varve};

/// A page whose framing FastWARC cannot take off: it knows no chunk extensions ("Invalid chunk header").
const NOT_FOR_FASTWARC: &str = "/chunked";

/// Writes the payload of every response to a file of its number: as sent, and with framing and codings taken off. For the
/// second each record is opened by itself, because behind one that is both chunked and coded FastWARC finds no further one.
const FASTWARC: &str = "\
import sys
from fastwarc.warc import ArchiveIterator, WarcRecordType
file, folder, without, *urls = sys.argv[1:]
def write(record, ending):
    number = urls.index(record.headers['WARC-Target-URI'])
    with open(f'{folder}/{number}.{ending}', 'xb') as out:
        out.write(record.reader.read())
for record in ArchiveIterator(file, record_types=WarcRecordType.response, auto_decode='none'):
    write(record, 'sent')
    if not record.headers['WARC-Target-URI'].endswith(without):
        with open(file, 'rb') as stream:
            stream.seek(record.stream_pos)
            write(next(iter(ArchiveIterator(stream, auto_decode='all'))), 'plain')
";

/// The pages to fetch: all but those that ask for a pause of two minutes, which they would get.
fn pages() -> impl Iterator<Item = &'static Page> {
    PAGES.iter().filter(|page| !matches!(page.status, 429 | 503))
}

/// Fetches the pages of the site into `site.warc.gz`.
fn fetched(site: &Site) -> Run {
    let urls = pages().map(|page| site.url(page.path));
    let options =
        ["fetch", "--delay", "0", "--jobs", "1", "-o", "site.warc.gz", "--resolve"].map(str::to_owned);
    let mut run = varve(options.into_iter().chain([resolved(site)]).chain(urls));
    let output = run.output();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    run
}

/// Where the site's first host is, as curl and we spell it.
fn resolved(site: &Site) -> String {
    format!("www.varve.test:{}:127.0.0.1", site.address().port())
}

#[track_caller]
fn accepted(command: &mut Command) {
    let output = command.output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}

/// The body that curl gets, if there is a curl on this machine.
fn by_curl(site: &Site, url: &str, option: &str) -> Option<Vec<u8>> {
    let resolve = resolved(site);
    let arguments = ["--silent", "--show-error", "--noproxy", "*", "--resolve", &resolve, option, url];
    let output = Command::new("curl").args(arguments).output().ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "curl {url}: {said}");
    Some(output.stdout)
}

/// Whether this machine's curl knows all the codings. Where there is none, that is told, but not in CI.
fn curl_knows_codings() -> Option<bool> {
    let Ok(output) = Command::new("curl").arg("--version").output() else {
        let in_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!in_ci, "there is no curl to compare with");
        eprintln!("there is no curl; skipping the comparison with it");
        return None;
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(["libz", "brotli", "zstd"].iter().all(|name| said.contains(name)))
}

#[test]
fn what_fetch_writes_is_accepted() {
    let site = Site::start();
    let run = fetched(&site);
    let file = run.folder().join("site.warc.gz");
    let mut check = varve(["warc", "check", &file.to_string_lossy()]);
    let output = check.output();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let Some(warcio) = testkit::peers::program("warcio") else { return };
    accepted(Command::new(warcio).arg("check").arg(&file));
}

/// Misbehaviour that leaves something to archive. What fails outright would be followed by ever longer pauses.
const ODD: &[&str] = &[
    "no-reason-phrase",
    "lf-only",
    "blank-lines-first",
    "header-without-colon",
    "folded-header",
    "nul-in-header",
    "invalid-utf8-everywhere",
    "icy",
    "status-word",
    "early-close-in-head",
    "early-close-with-length",
    "body-with-304",
    "interim-several",
    "trailing-garbage",
    "length-and-chunked",
    "lengths-in-conflict",
    "chunk-size-bad",
    "chunk-cut",
    "chunk-trailers",
    "chunk-endless",
    "endless-body",
    "gzip-damaged",
    "reset-in-body",
];

/// Whatever a server does, the file that comes of it is sound; what broke off says so.
#[test]
fn what_fetch_writes_of_a_misbehaving_server_is_accepted() {
    let server = Misbehave::start();
    let urls = ODD.iter().map(|name| server.url(name));
    let options = [
        "fetch",
        "--allow-private",
        "--delay",
        "0",
        "--at-most",
        "100k",
        "--timeout",
        "20",
        "-o",
        "odd.warc.gz",
    ];
    let mut run = varve(options.map(str::to_owned).into_iter().chain(urls));
    let output = run.output();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let file = run.folder().join("odd.warc.gz");
    let output = varve(["warc", "check", &file.to_string_lossy()]).output();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let Some(warcio) = testkit::peers::program("warcio") else { return };
    accepted(Command::new(warcio).arg("check").arg(&file));
}

#[test]
fn fastwarc_and_curl_see_the_same_payload() {
    let Some(python) = testkit::peers::python() else { return };
    let site = Site::start();
    let run = fetched(&site);
    let urls: Vec<String> = pages().map(|page| site.url(page.path)).collect();
    let (file, folder) = (run.folder().join("site.warc.gz"), run.folder());
    accepted(
        Command::new(python).args(["-c", FASTWARC]).args([&file, folder]).arg(NOT_FOR_FASTWARC).args(&urls),
    );
    let knows_codings = curl_knows_codings();
    for (number, (page, url)) in pages().zip(&urls).enumerate() {
        let sent = read(folder, number, "sent");
        // The body of what the server sent: behind the first empty line.
        let wire = site.seen().into_iter().find(|seen| seen.target() == page.path).unwrap().reply;
        let head = wire.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        assert_eq!(sent.escape_ascii().to_string(), wire[head..].escape_ascii().to_string(), "{url}");
        // Chunks are never shown by curl as they were sent.
        if knows_codings.is_some() && !page.path.contains("chunked") {
            assert!(by_curl(&site, url, "--raw").unwrap() == sent, "{url}: as sent");
        }
        if knows_codings == Some(true) && page.path != NOT_FOR_FASTWARC {
            let plain = read(folder, number, "plain");
            assert!(by_curl(&site, url, "--compressed").unwrap() == plain, "{url}: without codings");
        }
    }
}

fn read(folder: &Path, number: usize, ending: &str) -> Vec<u8> {
    let path = folder.join(format!("{number}.{ending}"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
