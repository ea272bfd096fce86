//! Pages that are all the same: a server that answers every address with one page and says `200`.

use super::distinct::{Distinct, hash};
use super::{Caution, Named};

/// Counts the URLs of a host under which one payload came back. For the report: nothing is left out because of it.
#[derive(Debug)]
pub struct SameBody {
    most: u32,
    distinct: Distinct,
    over: Named<(String, String, String)>,
}

/// One payload under very many URLs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyReport {
    /// The host.
    pub host: String,
    /// The payload's digest.
    pub digest: String,
    /// One of the URLs.
    pub example: String,
    /// About how many URLs there are.
    pub about: u32,
}

impl SameBody {
    /// With room for some 16,000 payloads at once in at most two megabytes. [`SameBody::default`] takes 100 URLs for usual.
    #[must_use]
    pub fn new(most: u32) -> SameBody {
        SameBody { most, distinct: Distinct::new(1 << 14), over: Named::new() }
    }

    /// Counts a URL under which a payload came back, and warns if there are too many.
    pub fn note(&self, host: &str, digest: &str, url: &str) -> Option<Caution> {
        let key = hash((host, digest));
        let about = self.distinct.add(key, hash(url));
        if about <= self.most {
            return None;
        }
        self.over.tell(key, || (host.to_owned(), digest.to_owned(), url.to_owned()));
        Some(Caution { what: "URLs of one host with the same content", about, most: self.most })
    }

    /// The payloads that came back too often.
    #[must_use]
    pub fn report(&self) -> Vec<BodyReport> {
        let list = self.over.list().into_iter();
        list.map(|(key, (host, digest, example))| {
            let about = self.distinct.about(key).unwrap_or(self.most);
            BodyReport { host, digest, example, about }
        })
        .collect()
    }
}

impl Default for SameBody {
    fn default() -> SameBody {
        SameBody::new(100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page_under_very_many_urls_is_told_of() {
        let bodies = SameBody::default();
        for number in 0..1000 {
            bodies.note("example.org", "sha256:aa", &format!("http://example.org/{number}"));
            bodies.note("example.org", &format!("sha256:{number}"), &format!("http://example.org/b{number}"));
            bodies.note("example.com", "sha256:aa", "http://example.com/");
        }
        let report = bodies.report();
        assert_eq!(report.len(), 1);
        assert_eq!((report[0].host.as_str(), report[0].digest.as_str()), ("example.org", "sha256:aa"));
        assert!((800..1200).contains(&report[0].about), "{}", report[0].about);
    }
}
