//! Endless host names under one domain: `a1.example.org`, `a2.example.org`, each with links to the next.

use super::distinct::{Distinct, hash};
use super::{Caution, Named};

/// Counts the hosts of each registrable domain.
#[derive(Debug)]
pub struct Hosts {
    most: u32,
    distinct: Distinct,
    over: Named<String>,
}

/// A domain with too many hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostsReport {
    /// The registrable domain.
    pub domain: String,
    /// About how many hosts were seen.
    pub about: u32,
}

impl Hosts {
    /// With room for some 16,000 domains at once in at most two megabytes. [`Hosts::default`] takes 2,000 hosts for usual: a
    /// large university has that many, a site does not. Places where everybody has a host of their own, such as
    /// `github.io`, are no registrable domains.
    #[must_use]
    pub fn new(most: u32) -> Hosts {
        Hosts { most, distinct: Distinct::new(1 << 14), over: Named::new() }
    }

    /// Counts a host, and warns if its domain has too many. Addresses are nobody's hosts.
    pub fn note(&self, host: &str) -> Option<Caution> {
        let domain = urlkey::registrable_domain(host)?;
        if domain.len() == host.len() {
            return None;
        }
        let key = hash(domain);
        let about = self.distinct.add(key, hash(host));
        if about <= self.most {
            return None;
        }
        self.over.tell(key, || domain.to_owned());
        Some(Caution { what: "hosts under one domain", about, most: self.most })
    }

    /// The domains with too many hosts.
    #[must_use]
    pub fn report(&self) -> Vec<HostsReport> {
        let about = |key| self.distinct.about(key).unwrap_or(self.most);
        self.over.list().into_iter().map(|(key, domain)| HostsReport { domain, about: about(key) }).collect()
    }
}

impl Default for Hosts {
    fn default() -> Hosts {
        Hosts::new(2000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_with_endless_hosts_is_told_of_and_others_are_not() {
        let hosts = Hosts::new(100);
        let told = (0..1000).filter(|number| hosts.note(&format!("h{number}.example.org")).is_some()).count();
        assert!((850..=920).contains(&told), "{told}");
        assert!((0..1000).all(|number| hosts.note(&format!("h{number}.github.io")).is_none()));
        assert!((0..1000).all(|_| hosts.note("www.example.com").is_none()));
        assert_eq!(hosts.note("127.0.0.1"), None);
        let report = hosts.report();
        assert_eq!(report.len(), 1);
        assert_eq!(report[0].domain, "example.org");
        assert!(report[0].about > 800);
    }
}
