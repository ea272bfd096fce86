//! What a crawl has done so far, counted from its log: in all, by host, by type, by status (B12, D10).

use std::collections::{BTreeMap, HashMap};

use crate::log::{Line, note, status};

/// Counts of one thing: URLs and their bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub urls: u64,
    /// Bytes of them, as sent.
    pub bytes: u64,
}

impl Count {
    fn add(&mut self, bytes: u64) {
        self.urls += 1;
        self.bytes += bytes;
    }

    /// Adds what another has counted.
    pub fn merge(&mut self, other: Count) {
        self.urls += other.urls;
        self.bytes += other.bytes;
    }
}

/// What is counted of a host, and of all together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Answered, whatever the status.
    pub got: Count,
    /// Of these, content that the archive did not have.
    pub novel: Count,
    /// Of these, content that was known.
    pub duplicate: Count,
    /// Of these, what the server said has not changed.
    pub not_modified: Count,
    /// Of these, what was there before and is gone.
    pub gone: u64,
    /// Of these, what a filter has dropped.
    pub filtered: Count,
    /// Not answered, and given up.
    pub failed: u64,
    /// Forbidden by robots.txt.
    pub robots: u64,
    /// Not asked for because a budget was used up.
    pub over_budget: u64,
}

impl Counts {
    fn add(&mut self, line: &Line<'_>) {
        match line.status {
            status::ROBOTS => self.robots += 1,
            status::QUOTA => self.over_budget += 1,
            failed if failed <= 0 => self.failed += 1,
            _ => self.answered(line),
        }
    }

    fn answered(&mut self, line: &Line<'_>) {
        self.got.add(line.bytes);
        self.gone += u64::from(line.has(note::GONE));
        let kind = if line.filtered_by().is_some() {
            &mut self.filtered
        } else if line.has(note::NOT_MODIFIED) {
            &mut self.not_modified
        } else if line.has(note::DUPLICATE) {
            &mut self.duplicate
        } else {
            &mut self.novel
        };
        kind.add(line.bytes);
    }

    /// Adds what another has counted.
    pub fn merge(&mut self, other: &Counts) {
        self.got.merge(other.got);
        self.novel.merge(other.novel);
        self.duplicate.merge(other.duplicate);
        self.not_modified.merge(other.not_modified);
        self.filtered.merge(other.filtered);
        self.gone += other.gone;
        self.failed += other.failed;
        self.robots += other.robots;
        self.over_budget += other.over_budget;
    }
}

/// Media types that are counted apart; the rest is counted together, because servers may invent any number.
const TYPES_MAX: usize = 1_000;

/// All counts of a crawl.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// In all.
    pub total: Counts,
    /// By host, as the gate names it.
    pub hosts: HashMap<String, Counts>,
    /// By media type, as found.
    pub types: HashMap<String, Count>,
    /// By status.
    pub statuses: BTreeMap<i32, u64>,
}

impl Tally {
    /// Counts what was queued of a host and is not asked for, because a budget is used up.
    pub fn leave_out(&mut self, host: &str, urls: u64) {
        self.total.over_budget += urls;
        self.hosts.entry(host.to_owned()).or_default().over_budget += urls;
    }

    /// Counts a line of the log.
    pub fn add(&mut self, host: &str, line: &Line<'_>) {
        self.total.add(line);
        match self.hosts.get_mut(host) {
            Some(counts) => counts.add(line),
            None => self.hosts.entry(host.to_owned()).or_default().add(line),
        }
        *self.statuses.entry(line.status).or_default() += 1;
        if line.status <= 0 {
            return;
        }
        match self.types.get_mut(line.mime.as_ref()) {
            Some(count) => count.add(line.bytes),
            None => {
                let name = if self.types.len() < TYPES_MAX { line.mime.as_ref() } else { "other" };
                self.types.entry(name.to_owned()).or_default().add(line.bytes);
            }
        }
    }

    /// The counts by registrable domain; a host without one stands for itself.
    #[must_use]
    pub fn domains(&self) -> BTreeMap<String, Counts> {
        let mut domains: BTreeMap<String, Counts> = BTreeMap::new();
        for (host, counts) in &self.hosts {
            domains.entry(domain_of(host).to_owned()).or_default().merge(counts);
        }
        domains
    }
}

/// The registrable domain of a host, or the host itself where there is none; ports do not count.
#[must_use]
pub fn domain_of(host: &str) -> &str {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    urlkey::registrable_domain(name).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(status: i32, bytes: u64, mime: &'static str, notes: &[&'static str]) -> Line<'static> {
        Line {
            at: jiff::Timestamp::UNIX_EPOCH,
            status,
            bytes,
            url: "http://a.example.org/".into(),
            hops: "".into(),
            via: None,
            mime: mime.into(),
            fetch: None,
            digest: None,
            notes: notes.iter().map(|note| (*note).into()).collect(),
            place: None,
        }
    }

    #[test]
    fn b12_everything_is_counted_once_by_host_type_and_status() {
        let mut tally = Tally::default();
        tally.add("a.example.org", &line(200, 10, "text/html", &[]));
        tally.add("a.example.org", &line(200, 20, "image/png", &[note::DUPLICATE]));
        tally.add("b.example.org:81", &line(404, 5, "text/html", &[note::GONE]));
        tally.add("b.example.org:81", &line(304, 0, "text/html", &[note::NOT_MODIFIED]));
        tally.add("b.example.org:81", &line(200, 7, "video/mp4", &["filtered:mime"]));
        tally.add("c.test", &line(-2, 0, "", &[]));
        tally.add("c.test", &line(status::ROBOTS, 0, "", &[]));
        let total = tally.total;
        assert_eq!((total.got.urls, total.got.bytes, total.failed, total.robots), (5, 42, 1, 1));
        assert_eq!((total.novel.urls, total.duplicate.bytes, total.not_modified.urls), (2, 20, 1));
        assert_eq!((total.gone, total.filtered.urls), (1, 1));
        let domains = tally.domains();
        assert_eq!(domains.keys().collect::<Vec<_>>(), ["c.test", "example.org"]);
        assert_eq!(domains["example.org"].got.urls, 5);
        assert_eq!(tally.types["text/html"].urls, 3);
        assert_eq!(tally.statuses[&200], 3);
    }

    #[test]
    fn hosts_are_reduced_to_what_can_be_registered() {
        for (host, domain) in [
            ("www.example.co.uk", "example.co.uk"),
            ("www.example.org:8080", "example.org"),
            ("127.0.0.1:80", "127.0.0.1"),
            ("[::1]", "[::1]"),
            ("localhost", "localhost"),
        ] {
            assert_eq!(domain_of(host), domain);
        }
    }
}
