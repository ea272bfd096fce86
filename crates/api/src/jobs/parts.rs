//! What a job's documents were: by status, by media type, by host; and what became of its seeds.
//!
//! Of a job that has written its reports they are taken from there, of one under way from its log.

use archive::Archive;
use job::tally::Tally;
use serde::Serialize;
use urlkey::remove_logins;

use super::files;

/// Reports of hosts may be long.
const REPORT_BYTES_MAX: u64 = 64 << 20;

/// How many documents have something in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What: a status, a media type, a host.
    pub name: String,
    /// How many.
    pub urls: u64,
    /// Bytes of them; not counted by status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// A start URL, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seed {
    /// Where it began.
    pub url: String,
    /// What was answered; negative if nobody did, nothing if it is not known yet.
    pub status: Option<i32>,
    /// Where it sent us.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect: Option<String>,
}

/// All parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Parts {
    /// By status.
    pub statuses: Vec<Part>,
    /// By media type.
    pub types: Vec<Part>,
    /// By host.
    pub hosts: Vec<Part>,
}

impl Parts {
    /// From the reports of a job; `None` if there are none.
    #[must_use]
    pub fn read(archive: &Archive, job: &str) -> Option<Parts> {
        let rows = |file: &str, read: fn(&str) -> Option<Part>| {
            let text = files::text(archive, job, file, REPORT_BYTES_MAX)?;
            Some(text.lines().skip(1).filter_map(read).collect::<Vec<Part>>())
        };
        Some(Parts {
            statuses: rows("responsecode-report.txt", status)?,
            types: rows("mimetype-report.txt", part)?,
            hosts: rows("hosts-report.txt", part)?,
        })
    }

    /// From what was counted.
    #[must_use]
    pub fn counted(tally: &Tally) -> Parts {
        let part = |name: &str, urls, bytes| Part { name: name.to_owned(), urls, bytes };
        let statuses = tally.statuses.iter().map(|(status, urls)| part(&status.to_string(), *urls, None));
        let types = tally.types.iter().map(|(name, count)| part(name, count.urls, Some(count.bytes)));
        let hosts =
            tally.hosts.iter().map(|(name, counts)| part(name, counts.got.urls, Some(counts.got.bytes)));
        Parts {
            statuses: most_first(statuses.collect()),
            types: most_first(types.collect()),
            hosts: most_first(hosts.collect()),
        }
    }

    /// Only the largest of each.
    #[must_use]
    pub fn top(mut self, most: usize) -> Parts {
        for parts in [&mut self.statuses, &mut self.types, &mut self.hosts] {
            parts.truncate(most);
        }
        self
    }
}

/// The start URLs of a job. What became of them is known when it has written its reports.
pub(super) fn seeds(archive: &Archive, job: &str) -> Vec<Seed> {
    match files::text(archive, job, "seeds-report.txt", REPORT_BYTES_MAX) {
        Some(report) => report.lines().skip(1).filter_map(seed).collect(),
        None => {
            let list = files::text(archive, job, "seeds.txt", REPORT_BYTES_MAX).unwrap_or_default();
            let urls = list.lines().filter(|line| !line.starts_with(['+', '-', '#']) && !line.is_empty());
            // Lists of earlier versions may have passwords in them.
            let seed = |url: &str| remove_logins(url).into_owned();
            urls.map(|url| Seed { url: seed(url), status: None, redirect: None }).collect()
        }
    }
}

fn most_first(mut parts: Vec<Part>) -> Vec<Part> {
    parts.sort_by(|a, b| (b.urls, &a.name).cmp(&(a.urls, &b.name)));
    parts
}

/// `[#urls] [#bytes] [name] …`
fn part(line: &str) -> Option<Part> {
    let mut fields = line.split(' ');
    let urls = fields.next()?.parse().ok()?;
    let bytes = fields.next()?.parse().ok()?;
    Some(Part { name: fields.next()?.to_owned(), urls, bytes: Some(bytes) })
}

/// `[#urls] [rescode]`
fn status(line: &str) -> Option<Part> {
    let (urls, name) = line.split_once(' ')?;
    Some(Part { name: name.to_owned(), urls: urls.parse().ok()?, bytes: None })
}

/// `[code] [status] [seed] [redirect]`
fn seed(line: &str) -> Option<Seed> {
    let mut fields = line.split(' ');
    let status = fields.next()?.parse().ok()?;
    let _word = fields.next()?;
    let url = fields.next()?.to_owned();
    Some(Seed { url, status: Some(status), redirect: fields.next().map(str::to_owned) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_reports_are_read_and_their_heads_are_not() {
        let html = Part { name: "text/html".to_owned(), urls: 12, bytes: Some(3400) };
        assert_eq!(part("12 3400 text/html"), Some(html));
        assert_eq!(part("[#urls] [#bytes] [mime-types]"), None);
        let gone = Part { name: "404".to_owned(), urls: 3, bytes: None };
        assert_eq!(status("3 404"), Some(gone));
        let moved = Seed {
            url: "http://a.example/".to_owned(),
            status: Some(301),
            redirect: Some("http://b.example/".to_owned()),
        };
        assert_eq!(seed("301 CRAWLED http://a.example/ http://b.example/"), Some(moved));
        assert_eq!(seed("[code] [status] [seed]"), None);
    }
}
