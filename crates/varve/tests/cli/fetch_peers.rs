//! What `varve fetch` writes is accepted by other people's programs, and is what `curl` gets. (Issue 3, acceptance 2.)

use std::path::Path;
use std::process::Command;

use testkit::site::{PAGES, Site};

use crate::run::{Run, varve};

/// Writes the payload of every response to a file of its number: as sent, and with framing and codings taken off.
const FASTWARC: &str = "\
import sys
from fastwarc.warc import ArchiveIterator, WarcRecordType
for ending, decode in (('sent', 'none'), ('plain', 'all')):
    records = ArchiveIterator(sys.argv[1], record_types=WarcRecordType.response, auto_decode=decode)
    for number, record in enumerate(records):
        with open(f'{sys.argv[2]}/{number}.{ending}', 'wb') as file:
            file.write(record.reader.read())
        with open(f'{sys.argv[2]}/{number}.url', 'w') as file:
            file.write(record.headers['WARC-Target-URI'])
";

/// Fetches every page of the site into `site.warc.gz`.
fn fetched(site: &Site) -> Run {
    let urls = PAGES.iter().map(|page| site.url(page.path));
    let options = ["fetch", "--allow-private", "-o", "site.warc.gz", "--resolve"].map(str::to_owned);
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

#[test]
fn fastwarc_and_curl_see_the_same_payload() {
    let Some(python) = testkit::peers::python() else { return };
    let site = Site::start();
    let run = fetched(&site);
    accepted(Command::new(python).args(["-c", FASTWARC]).arg(run.folder().join("site.warc.gz")).arg(run.folder()));
    let knows_codings = curl_knows_codings();
    for (number, page) in PAGES.iter().enumerate() {
        let url = site.url(page.path);
        let file = |ending: &str| read(run.folder(), number, ending);
        assert_eq!(file("url"), url.as_bytes());
        // The body of what the server sent: behind the first empty line.
        let wire = site.seen().into_iter().find(|seen| seen.target() == page.path).unwrap().reply;
        let head = wire.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        assert_eq!(file("sent").escape_ascii().to_string(), wire[head..].escape_ascii().to_string(), "{url}");
        if knows_codings.is_some() && !page.path.contains("chunked") {
            assert!(by_curl(&site, &url, "--raw").unwrap() == file("sent"), "{url}: as sent");
        }
        if knows_codings == Some(true) {
            assert!(by_curl(&site, &url, "--compressed").unwrap() == file("plain"), "{url}: without codings");
        }
    }
}

fn read(folder: &Path, number: usize, ending: &str) -> Vec<u8> {
    std::fs::read(folder.join(format!("{number}.{ending}"))).unwrap()
}
