//! A URL that is monitored: the use cases of the source, each as a function.

use diff::patch::{Effort, make};
use diff::{Habits, RuleSet};
use jiff::Timestamp;
use jiff::civil::Date;
use url::Url;

use crate::blocking::blocking;
use crate::change::Change;
use crate::check::Check;
use crate::comparing::{self, Comparison};
use crate::day::Day;
use crate::error::Error;
use crate::known::Known;
use crate::monitor::Monitor;
use crate::news::News;
use crate::payload::Payload;
use crate::person::Person;
use crate::settings::How;
use crate::version::{Version, Wanted};

/// Rows that are read at once.
const PAGE: u32 = 1_000;

/// A URL of a monitor, made by [`Monitor::resource`]. A clone is cheap and is the same URL.
#[derive(Debug, Clone)]
pub struct MonitoredResource {
    monitor: Monitor,
    url: Url,
}

impl MonitoredResource {
    pub(crate) fn new(monitor: Monitor, url: Url) -> MonitoredResource {
        MonitoredResource { monitor, url }
    }

    /// The URL, without a fragment.
    #[must_use]
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// UC6: has it checked now. Whatever the server does is an outcome of the check. Whoever asks within ten seconds is told the last
    /// result.
    ///
    /// # Errors
    /// When the check could not be written down.
    pub async fn check(&self) -> Result<Check, Error> {
        self.check_as(How::default()).await
    }

    /// UC6 with `force`: takes the document also if it is larger than usual.
    ///
    /// # Errors
    /// As [`check`](MonitoredResource::check).
    pub async fn check_forced(&self) -> Result<Check, Error> {
        self.check_as(How { force: true, ..How::default() }).await
    }

    /// UC6 in the way that is said.
    ///
    /// # Errors
    /// As [`check`](MonitoredResource::check).
    pub async fn check_as(&self, how: How) -> Result<Check, Error> {
        self.monitor.check(&self.url, how).await
    }

    /// UC6 for somebody, who knows of the newest version from then on.
    ///
    /// # Errors
    /// As [`check`](MonitoredResource::check).
    pub async fn check_for(&self, person: &Person, how: How) -> Result<Check, Error> {
        let check = self.check_as(how).await?;
        if let (true, Some(version)) = (check.outcome.is_had(), check.version) {
            let known = self.monitor.known(&self.url).await?;
            self.monitor.db().save_seen(person, known.id, version, self.monitor.now()).await?;
        }
        Ok(check)
    }

    /// Judges what checks of it have found, for those who watch it; what is worth telling of it. Whoever checks a URL that others may watch
    /// does that afterwards.
    ///
    /// # Errors
    /// When the database cannot be read or written. What was not judged is judged the next time.
    pub async fn judge(&self) -> Result<Vec<News>, Error> {
        match self.monitor.db().resource(self.url.as_str()).await? {
            Some(known) => self.monitor.judge_of(Some(known.id)).await,
            None => Ok(Vec::new()),
        }
    }

    /// UC2: the current version, after a check.
    ///
    /// # Errors
    /// [`Error::NotHad`] when it is not to be had now.
    pub async fn last_version(&self) -> Result<Version, Error> {
        let known = self.checked().await?;
        self.newest(&known).await
    }

    /// UC1: the version that held at a time, with the time since when: the oldest, if the time is before all. If it is after the newest,
    /// a check comes first. Or the version of a number.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the URL was never checked, [`Error::NoVersion`] when there is none, [`Error::NotHad`] when the check that
    /// had to come first brought nothing.
    pub async fn version(&self, wanted: impl Into<Wanted>) -> Result<Version, Error> {
        let known = self.monitor.known(&self.url).await?;
        let newest = self.newest(&known).await?;
        match wanted.into() {
            Wanted::Number(number) => self.numbered(&known, number).await,
            Wanted::At(at) => {
                if at > newest.at {
                    self.checked().await?;
                }
                match self.monitor.db().version_at(known.id, at).await? {
                    Some(version) => Ok(version),
                    None => self.numbered(&known, 1).await,
                }
            }
        }
    }

    /// So many versions behind this number, the oldest first; nothing is asked of the server.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the URL was never checked.
    pub async fn versions(&self, behind: u32, most: u32) -> Result<Vec<Version>, Error> {
        let known = self.monitor.known(&self.url).await?;
        self.monitor.db().versions(known.id, behind, most).await
    }

    /// UC3: whether it changed since this person last asked; `None` if that was never. A check comes first, and the person knows of the
    /// newest version from then on.
    ///
    /// # Errors
    /// [`Error::NotHad`] when it is not to be had now.
    pub async fn changed_since_my_last_check(&self, person: &Person) -> Result<Option<bool>, Error> {
        let change = self.changes_since_my_last_check(person).await?;
        Ok((!change.is_first).then(|| !change.is_empty()))
    }

    /// UC4: what changed since this person last asked: the version of then and the current one. Asking again at once gives the empty change,
    /// and so does the very first time.
    ///
    /// # Errors
    /// [`Error::NotHad`] when it is not to be had now.
    pub async fn changes_since_my_last_check(&self, person: &Person) -> Result<Change, Error> {
        let known = self.checked().await?;
        self.since_seen(person, &known, known.newest).await
    }

    /// UC3 after a check that was made already: whether what it found is another document than this person last saw; `None` if they never saw
    /// one, or the check had none. The person knows of it from then on.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub async fn seen_since(&self, person: &Person, check: &Check) -> Result<Option<bool>, Error> {
        let Some(version) = check.version.filter(|_| check.outcome.is_had()) else { return Ok(None) };
        let known = self.monitor.known(&self.url).await?;
        let change = self.since_seen(person, &known, version).await?;
        Ok((!change.is_first).then(|| !change.is_empty()))
    }

    /// UC5: what changed from one time, or version, to another. Each is found as by [`version`](MonitoredResource::version).
    ///
    /// # Errors
    /// As [`version`](MonitoredResource::version).
    pub async fn difference(&self, from: impl Into<Wanted>, to: impl Into<Wanted>) -> Result<Change, Error> {
        let (before, after) = (self.version(from).await?, self.version(to).await?);
        Ok(Change { before, after, is_first: false })
    }

    /// UC7: whether it can be reached now, after a check.
    ///
    /// # Errors
    /// When the check could not be written down.
    pub async fn available(&self) -> Result<bool, Error> {
        Ok(self.check().await?.is_available())
    }

    /// Whether it could be reached at the last check that was made by this time; `None` if there was none.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the URL was never checked.
    pub async fn available_at(&self, at: Timestamp) -> Result<Option<bool>, Error> {
        let known = self.monitor.known(&self.url).await?;
        Ok(self.monitor.db().check_at(known.id, at).await?.map(|check| check.is_available()))
    }

    /// UC8: when it was checked, and whether it could be reached then: all of it, the oldest first.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the URL was never checked.
    pub async fn availability(&self) -> Result<Vec<(Timestamp, bool)>, Error> {
        let mut history = Vec::new();
        let mut behind = 0;
        loop {
            let checks = self.checks(behind, PAGE).await?;
            let Some(last) = checks.last() else { break };
            behind = last.id;
            history.extend(checks.iter().map(|check| (check.at, check.is_available())));
        }
        if history.is_empty() { Err(Error::Unknown(self.url.to_string())) } else { Ok(history) }
    }

    /// So many checks behind the one with this id, the oldest first.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the URL was never checked.
    pub async fn checks(&self, behind: i64, most: u32) -> Result<Vec<Check>, Error> {
        let known = self.monitor.known(&self.url).await?;
        self.monitor.db().checks(known.id, behind, most).await
    }

    /// UC9: the last version that could be had. A check comes first, and need not succeed.
    ///
    /// # Errors
    /// [`Error::NoVersion`] when there has never been a document.
    pub async fn last_reachable_version(&self) -> Result<Version, Error> {
        self.check().await?;
        self.newest(&self.monitor.known(&self.url).await?).await
    }

    /// When it was last checked; `None` if never.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn last_checked(&self) -> Result<Option<Timestamp>, Error> {
        Ok(self.monitor.db().resource(self.url.as_str()).await?.and_then(|known| known.checked_at))
    }

    /// The document of a version, checked to be what it was.
    ///
    /// # Errors
    /// [`Error::Lost`] when neither cache nor archive have it any more.
    pub async fn payload(&self, version: &Version) -> Result<Payload, Error> {
        self.monitor.payload(&self.url, version).await
    }

    /// What differs between two versions, by rules, and by what was learned of a watch.
    ///
    /// # Errors
    /// [`Error::Lost`] when one of them cannot be read any more.
    pub async fn compare(
        &self,
        change: &Change,
        rules: &RuleSet,
        watch: Option<i64>,
    ) -> Result<Comparison, Error> {
        let habits = match watch {
            Some(watch) => self.monitor.habits(watch).await?,
            None => Habits::default(),
        };
        self.monitor.compare(&self.url, change, rules, &habits).await
    }

    /// The patch that makes the newer version of the older one (E4).
    ///
    /// # Errors
    /// [`Error::Lost`] when one of them cannot be read any more, [`Error::TooLong`] when they are too long for a patch.
    pub async fn patch(&self, change: &Change) -> Result<Vec<u8>, Error> {
        let (before, after) = (&change.before, &change.after);
        let too_long = || Error::TooLong(self.url.to_string());
        let old = self.monitor.bytes(&self.url, before).await?.ok_or_else(too_long)?;
        let new = self.monitor.bytes(&self.url, after).await?.ok_or_else(too_long)?;
        let limits = diff::Limits::default();
        let made = blocking(move || make(&old, &new, Effort::Thorough, &limits)).await?;
        made.map(|patch| patch.bytes).map_err(|_| too_long())
    }

    /// What rules keep of a version, as a reader sees it, and how many lines they do not keep; `None` if it is no text.
    ///
    /// # Errors
    /// [`Error::Rule`] when a rule makes no sense, [`Error::Lost`] when the version cannot be read any more.
    pub async fn kept(&self, version: &Version, rules: &RuleSet) -> Result<Option<(String, usize)>, Error> {
        let rules = diff::Rules::new(rules, &diff::Limits::default()).map_err(Error::rule)?;
        let Some(bytes) = self.monitor.bytes(&self.url, version).await? else { return Ok(None) };
        let version = version.clone();
        blocking(move || comparing::kept(&bytes, &version, &rules)).await?.map_err(Error::rule)
    }

    /// So many versions before this number, the newest first; nothing is asked of the server.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the URL was never checked.
    pub async fn versions_before(&self, before: Option<u32>, most: u32) -> Result<Vec<Version>, Error> {
        let known = self.monitor.known(&self.url).await?;
        self.monitor.db().versions_before(known.id, before.unwrap_or(u32::MAX), most).await
    }

    /// So many checks before the one with this id, the newest first.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the URL was never checked.
    pub async fn checks_before(&self, before: Option<i64>, most: u32) -> Result<Vec<Check>, Error> {
        let known = self.monitor.known(&self.url).await?;
        self.monitor.db().checks_before(known.id, before.unwrap_or(i64::MAX), most).await
    }

    /// UC8 for a picture: how each day went, from this one on, in UTC. Days without checks are left out.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the URL was never checked.
    pub async fn days(&self, from: Date) -> Result<Vec<Day>, Error> {
        let known = self.monitor.known(&self.url).await?;
        self.monitor.db().days(known.id, from).await
    }

    /// From what a person has seen last to this version, which they have seen then.
    async fn since_seen(&self, person: &Person, known: &Known, number: u32) -> Result<Change, Error> {
        let after = self.numbered(known, number).await?;
        let seen = self.monitor.db().seen(person, known.id).await?;
        let before = match seen {
            Some(number) => self.numbered(known, number).await?,
            None => after.clone(),
        };
        self.monitor.db().save_seen(person, known.id, after.number, self.monitor.now()).await?;
        Ok(Change { before, after, is_first: seen.is_none() })
    }

    /// Checks it; what is known then, if the document was had.
    async fn checked(&self) -> Result<Known, Error> {
        let check = self.check().await?;
        if !check.outcome.is_had() {
            return Err(Error::NotHad(Box::new(check)));
        }
        self.monitor.known(&self.url).await
    }

    async fn newest(&self, known: &Known) -> Result<Version, Error> {
        self.numbered(known, known.newest).await
    }

    async fn numbered(&self, known: &Known, number: u32) -> Result<Version, Error> {
        let version = self.monitor.db().version(known.id, number).await?;
        version.ok_or_else(|| Error::NoVersion(self.url.to_string()))
    }
}
