//! Who has used how much of which budget.
//!
//! A request is paid for when it is made, so that many at once cannot overdraw; bytes are known only afterwards.

use job::tally::domain_of;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use crate::budget::{Budget, Spent};
use crate::control::NewLimits;
use crate::settings::Budgets;

/// What was spent on one thing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) objects: u64,
    pub(crate) bytes: u64,
    /// When the first request was made.
    since: Option<Duration>,
    /// The bound that was met first.
    pub(crate) met: Option<Spent>,
}

/// Whose budget is used up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Bound {
    Job(Spent),
    Domain(Spent),
    Host(Spent),
    /// Of a part of the web that a sheet speaks of.
    Part(Spent),
}

/// A part of the web with a budget of its own.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    /// Its SURT prefix.
    pub(crate) prefix: &'a str,
    pub(crate) budget: Budget,
}

/// All accounts of a job.
#[derive(Debug, Default)]
pub(crate) struct Spending {
    pub(crate) budgets: Budgets,
    pub(crate) job: Account,
    domains: HashMap<String, Account>,
    hosts: HashMap<String, Account>,
    /// Budgets of single domains that the operator has set.
    own: HashMap<String, Budget>,
    /// Parts of the web with a budget by a sheet, by SURT prefix.
    parts: HashMap<String, Account>,
}

impl Account {
    fn check(&mut self, budget: &Budget, now: Duration) -> Result<(), Spent> {
        let time = self.since.map(|since| now.saturating_sub(since)).unwrap_or_default();
        match budget.spent(self.objects, self.bytes, time) {
            None => {
                self.met = None;
                Ok(())
            }
            Some(spent) => {
                self.met = Some(spent);
                Err(spent)
            }
        }
    }

    fn pay(&mut self, now: Duration) {
        self.objects += 1;
        self.since.get_or_insert(now);
    }
}

impl Spending {
    /// Nothing is spent, but the job's time runs from now on.
    pub(crate) fn new(budgets: Budgets, now: Duration) -> Spending {
        let job = Account { since: Some(now), ..Account::default() };
        Spending { budgets, job, ..Spending::default() }
    }

    /// A document that was fetched before the job was resumed.
    pub(crate) fn remember(&mut self, host: &str, part: Option<&str>, bytes: u64) {
        if let Some(part) = part {
            self.parts.entry(part.to_owned()).or_default();
        }
        self.domains.entry(domain_of(host).to_owned()).or_default();
        self.hosts.entry(host.to_owned()).or_default();
        self.each(host, part, |account| {
            account.objects += 1;
            account.bytes += bytes;
        });
    }

    /// Finds out which budgets were used up before the job was resumed.
    pub(crate) fn look(&mut self) {
        for (name, account) in &mut self.domains {
            let budget = self.own.get(name).copied().unwrap_or(self.budgets.domain);
            account.met = budget.spent(account.objects, account.bytes, Duration::ZERO);
        }
        for account in self.hosts.values_mut() {
            account.met = self.budgets.host.spent(account.objects, account.bytes, Duration::ZERO);
        }
    }

    /// Says whose budget is used up, if one is.
    pub(crate) fn check(&mut self, host: &str, part: Option<&Part<'_>>, now: Duration) -> Result<(), Bound> {
        let name = domain_of(host);
        if let Some(part) = part {
            let account = self.parts.entry(part.prefix.to_owned()).or_default();
            account.check(&part.budget, now).map_err(Bound::Part)?;
        }
        self.job.check(&self.budgets.job, now).map_err(Bound::Job)?;
        let budget = self.own.get(name).copied().unwrap_or(self.budgets.domain);
        if !self.domains.contains_key(name) {
            self.domains.insert(name.to_owned(), Account::default());
        }
        if !self.hosts.contains_key(host) {
            self.hosts.insert(host.to_owned(), Account::default());
        }
        let (Some(domain), Some(account)) = (self.domains.get_mut(name), self.hosts.get_mut(host)) else {
            return Ok(());
        };
        domain.check(&budget, now).map_err(Bound::Domain)?;
        account.check(&self.budgets.host, now).map_err(Bound::Host)
    }

    /// Pays for a request, or says whose budget is used up.
    pub(crate) fn pay(&mut self, host: &str, part: Option<&Part<'_>>, now: Duration) -> Result<(), Bound> {
        self.check(host, part, now)?;
        self.each(host, part.map(|part| part.prefix), |account| account.pay(now));
        Ok(())
    }

    /// The request came to nothing: the object is not counted.
    pub(crate) fn refund(&mut self, host: &str, part: Option<&str>) {
        self.each(host, part, |account| account.objects = account.objects.saturating_sub(1));
    }

    /// So many bytes came.
    pub(crate) fn receive(&mut self, host: &str, part: Option<&str>, bytes: u64) {
        self.each(host, part, |account| account.bytes += bytes);
    }

    /// The operator has changed limits.
    pub(crate) fn change(&mut self, limits: NewLimits) {
        let NewLimits { job, domain, domains } = limits;
        self.budgets.job = self.budgets.job.changed_by(job.unwrap_or_default());
        self.budgets.domain = self.budgets.domain.changed_by(domain.unwrap_or_default());
        for (name, budget) in domains {
            let before = self.own.get(&name).copied().unwrap_or(self.budgets.domain);
            self.own.insert(name, before.changed_by(budget));
        }
    }

    /// The budgets of single domains that the operator has set.
    pub(crate) fn own(&self) -> BTreeMap<&str, Budget> {
        self.own.iter().map(|(name, budget)| (name.as_str(), *budget)).collect()
    }

    /// Whether the job as a whole may go on.
    pub(crate) fn check_job(&mut self, now: Duration) -> Option<Spent> {
        self.job.check(&self.budgets.job, now).err()
    }

    /// The bounds that domains, or hosts of them, have met.
    pub(crate) fn met(&self) -> BTreeMap<String, Spent> {
        let hosts = self.hosts.iter().map(|(host, account)| (domain_of(host), account.met));
        let domains = self.domains.iter().map(|(name, account)| (name.as_str(), account.met));
        // That of the domain itself counts more.
        let met = hosts.chain(domains).filter_map(|(name, met)| Some((name.to_owned(), met?)));
        met.collect()
    }

    /// What is left of the bytes that a host may still be asked for.
    pub(crate) fn bytes_left(&self, host: &str) -> Option<u64> {
        let name = domain_of(host);
        let domain = self.own.get(name).copied().unwrap_or(self.budgets.domain);
        let left = |budget: &Budget, account: Option<&Account>| {
            budget.bytes.map(|most| most.saturating_sub(account.map_or(0, |account| account.bytes)))
        };
        [
            left(&self.budgets.job, Some(&self.job)),
            left(&domain, self.domains.get(name)),
            left(&self.budgets.host, self.hosts.get(host)),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn each(&mut self, host: &str, part: Option<&str>, change: impl Fn(&mut Account)) {
        change(&mut self.job);
        part.and_then(|part| self.parts.get_mut(part)).map(&change);
        self.domains.get_mut(domain_of(host)).map(&change);
        self.hosts.get_mut(host).map(&change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(100);

    fn of_domain(objects: u64) -> Spending {
        let domain = Budget { objects: Some(objects), ..Budget::default() };
        Spending::new(Budgets { domain, ..Budgets::default() }, NOW)
    }

    #[test]
    fn b11_a_domain_is_paid_for_by_all_its_hosts() {
        let mut spending = of_domain(2);
        assert_eq!(spending.pay("a.example.org", None, NOW), Ok(()));
        assert_eq!(spending.pay("b.example.org", None, NOW), Ok(()));
        assert_eq!(spending.pay("a.example.org", None, NOW), Err(Bound::Domain(Spent::Objects)));
        assert_eq!(spending.pay("a.example.net", None, NOW), Ok(()));
        assert_eq!(spending.met().get("example.org"), Some(&Spent::Objects));
        assert_eq!(spending.met().get("example.net"), None);
    }

    #[test]
    fn b11_a_raised_budget_lets_it_go_on() {
        let mut spending = of_domain(1);
        assert_eq!(spending.pay("example.org", None, NOW), Ok(()));
        assert!(spending.pay("example.org", None, NOW).is_err());
        let domains = vec![("example.org".to_owned(), Budget { objects: Some(5), ..Budget::default() })];
        spending.change(NewLimits { domains, ..NewLimits::default() });
        assert_eq!(spending.pay("example.org", None, NOW), Ok(()));
        assert_eq!(spending.met().get("example.org"), None);
    }

    #[test]
    fn what_came_to_nothing_is_given_back_and_bytes_count_afterwards() {
        let job = Budget { objects: Some(1), bytes: Some(10), time: Some(Duration::from_secs(50)) };
        let mut spending = Spending::new(Budgets { job, ..Budgets::default() }, NOW);
        assert_eq!(spending.pay("example.org", None, NOW), Ok(()));
        spending.refund("example.org", None);
        assert_eq!(spending.check_job(NOW), None);
        spending.receive("example.org", None, 10);
        assert_eq!(spending.check_job(NOW), Some(Spent::Bytes));
        assert_eq!(spending.job.met, Some(Spent::Bytes));
        spending.job.bytes = 0;
        assert_eq!(spending.check_job(NOW + Duration::from_secs(50)), Some(Spent::Time));
    }

    #[test]
    fn b9_a_sheet_gives_a_part_of_the_web_a_budget_of_its_own() {
        let mut spending = of_domain(10);
        let part =
            Part { prefix: "org,example,)/a", budget: Budget { objects: Some(1), ..Budget::default() } };
        assert_eq!(spending.pay("example.org", Some(&part), NOW), Ok(()));
        assert_eq!(spending.pay("example.org", Some(&part), NOW), Err(Bound::Part(Spent::Objects)));
        assert_eq!(spending.pay("example.org", None, NOW), Ok(()));
        assert_eq!(spending.job.objects, 2);
    }
}
