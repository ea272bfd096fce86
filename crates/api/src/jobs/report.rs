//! What the reports of a job say, in plain words and numbers. The files themselves keep the form that Heritrix gave them, because
//! other programs read it.

use std::collections::HashMap;

use archive::Archive;
use serde::Serialize;

use super::files;

/// A longer report is read this far; as a file it can be had whole.
const REPORT_BYTES_MAX: u64 = 256 << 20;

/// The counts of a whole job; what an older report does not tell is not known. Names are those of `varve harvest --json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// How it ended, in the words of the report.
    pub ended: Option<String>,
    /// When it began.
    pub started: Option<String>,
    /// When the report was written.
    pub reported: Option<String>,
    /// How long it fetched.
    pub seconds: Option<f64>,
    /// Start URLs.
    pub start_urls: Option<u64>,
    /// Those of them that were answered.
    pub start_urls_answered: Option<u64>,
    /// Hosts that answered.
    pub hosts: Option<u64>,
    /// Answers.
    pub documents: Option<u64>,
    /// Bytes of them.
    pub bytes: Option<u64>,
    /// Answers with new content.
    pub novel: Option<u64>,
    /// Bytes of those.
    pub novel_bytes: Option<u64>,
    /// Content that the archive had.
    pub duplicates: Option<u64>,
    /// Bytes of those.
    pub duplicate_bytes: Option<u64>,
    /// Content that the server says has not changed.
    pub not_modified: Option<u64>,
    /// Documents that are gone.
    pub gone: Option<u64>,
    /// Documents that a filter has dropped.
    pub filtered: Option<u64>,
    /// URLs that nobody answered for.
    pub failed: Option<u64>,
    /// What robots.txt forbids, or a budget had no room for.
    pub left_out: Option<u64>,
    /// URLs that still waited.
    pub queued: Option<u64>,
    /// Answers in a second.
    pub per_second: Option<f64>,
}

impl Report {
    /// Reads it from the report of a job; `None` if there is none.
    pub fn read(archive: &Archive, job: &str) -> Option<Report> {
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
    pub fn ending(&self) -> &str {
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
pub struct Domain {
    /// Its name.
    pub domain: String,
    /// Answers.
    pub documents: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// URLs that nobody answered for.
    pub failed: Option<u64>,
    /// Documents that are gone.
    pub gone: Option<u64>,
    /// Why it ended, in the word of the report.
    pub stop_reason: String,
}

impl Domain {
    /// All of them, those with most documents first.
    pub fn read(archive: &Archive, job: &str) -> Vec<Domain> {
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
    pub fn ending(&self) -> &str {
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
    files::text(archive, job, file, REPORT_BYTES_MAX)
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
