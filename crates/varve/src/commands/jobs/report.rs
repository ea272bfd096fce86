//! What the reports of a job say, in plain words and numbers. The files themselves keep the form that Heritrix gave them, because
//! other programs read it.

use std::collections::HashMap;
use std::io::Read;

use archive::Archive;
use serde::Serialize;

use super::log::open;

/// Of longer reports `varve jobs log` shows all.
const REPORT_BYTES_MAX: u64 = 256 << 20;

/// The counts of a whole job; what an older report does not tell is not known. Names are those of `varve harvest --json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Report {
    /// How it ended, in the words of the report.
    pub(super) ended: Option<String>,
    pub(super) started: Option<String>,
    pub(super) reported: Option<String>,
    /// How long it fetched.
    pub(super) seconds: Option<f64>,
    pub(super) start_urls: Option<u64>,
    /// Those of them that were answered.
    pub(super) start_urls_answered: Option<u64>,
    pub(super) hosts: Option<u64>,
    pub(super) documents: Option<u64>,
    pub(super) bytes: Option<u64>,
    pub(super) novel: Option<u64>,
    pub(super) novel_bytes: Option<u64>,
    /// Content that the archive had.
    pub(super) duplicates: Option<u64>,
    pub(super) duplicate_bytes: Option<u64>,
    /// Content that the server says has not changed.
    pub(super) not_modified: Option<u64>,
    pub(super) gone: Option<u64>,
    pub(super) filtered: Option<u64>,
    pub(super) failed: Option<u64>,
    /// What robots.txt forbids, or a budget had no room for.
    pub(super) left_out: Option<u64>,
    pub(super) queued: Option<u64>,
    pub(super) per_second: Option<f64>,
}

impl Report {
    /// Reads it from the report of a job; `None` if there is none.
    pub(super) fn read(archive: &Archive, job: &str) -> Option<Report> {
        Some(Report::parse(&text(archive, job, "crawl-report.txt")?))
    }

    fn parse(text: &str) -> Report {
        let rows: HashMap<&str, &str> = text.lines().filter_map(|line| line.split_once(": ")).collect();
        let words = |name: &str| rows.get(name).map(|value| (*value).to_owned());
        let count = |name: &str| rows.get(name)?.parse::<u64>().ok();
        let number = |name: &str| rows.get(name)?.trim_end_matches(" s").parse::<f64>().ok();
        Report {
            ended: words("Crawl Status"),
            started: words("Started"),
            reported: words("Reported"),
            seconds: number("Duration Time"),
            start_urls: count("Total Seeds"),
            start_urls_answered: count("Seeds Crawled"),
            hosts: count("Total Hosts Visited"),
            documents: count("URIs Successfully Processed"),
            bytes: count("Total Crawled Bytes"),
            novel: count("Novel URIs"),
            novel_bytes: count("Novel Crawled Bytes"),
            duplicates: count("Duplicate-by-hash URIs"),
            duplicate_bytes: count("Duplicate-by-hash Crawled Bytes"),
            not_modified: count("Not-modified URIs"),
            gone: count("Gone URIs"),
            filtered: count("Filtered URIs"),
            failed: count("URIs Failed to Process"),
            left_out: count("URIs Disregarded"),
            queued: count("URIs Queued"),
            per_second: number("Processed Docs/sec"),
        }
    }

    /// How it ended, as one says it.
    pub(super) fn ending(&self) -> &str {
        match self.ended.as_deref().unwrap_or_default() {
            "Finished" => "there was nothing more to fetch",
            "Finished - Limits of hosts or domains hit" => "the limits of some hosts or domains were met",
            "Finished - Maximum number of documents limit hit" => "the limit of documents was met",
            "Finished - Maximum number of bytes (file download) limit hit" => "the limit of bytes was met",
            "Finished - Maximum time elapsed" => "the limit of time was met",
            "Finished - No data for too long" => "nothing came for too long",
            "Stopped by the operator" => "it was stopped",
            other => other,
        }
    }
}

/// A line of the report by domain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Domain {
    pub(super) domain: String,
    pub(super) documents: u64,
    pub(super) bytes: u64,
    pub(super) failed: Option<u64>,
    pub(super) gone: Option<u64>,
    pub(super) stop_reason: String,
}

impl Domain {
    /// All of them, those with most documents first.
    pub(super) fn read(archive: &Archive, job: &str) -> Vec<Domain> {
        let text = text(archive, job, "domains-report.txt").unwrap_or_default();
        let mut domains: Vec<Domain> = text.lines().skip(1).filter_map(Domain::parse).collect();
        domains.sort_by(|a, b| (b.documents, &a.domain).cmp(&(a.documents, &b.domain)));
        domains
    }

    fn parse(line: &str) -> Option<Domain> {
        let mut fields = line.split(' ');
        Some(Domain {
            documents: fields.next()?.parse().ok()?,
            bytes: fields.next()?.parse().ok()?,
            domain: fields.next()?.to_owned(),
            stop_reason: fields.next()?.to_owned(),
            failed: fields.next().and_then(|count| count.parse().ok()),
            gone: fields.next().and_then(|count| count.parse().ok()),
        })
    }

    /// Why it ended, as one says it.
    pub(super) fn ending(&self) -> &str {
        match self.stop_reason.as_str() {
            "completed" => "nothing more to fetch",
            "object-limit" => "limit of documents",
            "size-limit" => "limit of bytes",
            "time-limit" => "limit of time",
            "unfinished" => "the job ended first",
            other => other,
        }
    }
}

fn text(archive: &Archive, job: &str, file: &str) -> Option<String> {
    let mut bytes = Vec::new();
    open(archive, job, file).ok()?.take(REPORT_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_as_numbers_and_what_is_missing_is_not_known() {
        let report =
            Report::parse("Crawl Status: Finished\nDuration Time: 0.175 s\nURIs Queued: 12\nNovel URIs: x\n");
        let expected = Report {
            ended: Some("Finished".to_owned()),
            seconds: Some(0.175),
            queued: Some(12),
            ..Report::default()
        };
        assert_eq!(report, expected);
        assert_eq!(report.ending(), "there was nothing more to fetch");
    }

    #[test]
    fn older_reports_by_domain_have_fewer_columns() {
        let domain = Domain::parse("3 364 example.org size-limit").unwrap();
        assert_eq!((domain.documents, domain.bytes, domain.failed), (3, 364, None));
        assert_eq!(domain.ending(), "limit of bytes");
        assert_eq!(Domain::parse("[#urls] [#bytes]"), None);
    }
}
