//! Whoever is asked about a page: has it changed, what changed, was it there? UC1 to UC9, each as one function.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use api::watches::{Asked, Compared, DayRow, Document, Which};
use diff::RuleSet;
use jiff::civil::Date;
use plan::Keychain;
use urlkey::Login;
use watch::{Change, Check, How, Monitor, MonitoredResource, Person, Version, Watch};

use super::fault::Fault;
use super::rows::{day_row, difference_row};
use super::usual::Usual;
use super::wishes::{Page, address, page};

/// A document that is longer is read by replay or `varve get`, not in one piece.
const DOCUMENT_BYTES_MAX: u64 = 64 << 20;

/// Of documents up to this length it is said how long the patch would be; of longer ones that takes too long.
const PATCH_BYTES_MAX: u64 = 1 << 20;

/// Watches of one URL that are told of.
const WATCHES_MAX: u32 = 100;

/// The monitor of an archive, and what holds for a watch that does not say otherwise. A clone is the same.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) monitor: Monitor,
    pub(crate) usual: Arc<Usual>,
    /// User names and passwords of sites.
    pub(crate) keychain: Keychain,
    /// Whether somebody has asked for a check, so that there may be captures which nobody brings into the archive yet.
    pub(crate) has_checked: Arc<AtomicBool>,
}

/// By which rules two versions are compared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looking {
    /// By those of this watch, and by what it has learned to be noise; by none without it.
    pub(crate) watch: Option<i64>,
    /// By these instead.
    pub(crate) rules: Option<RuleSet>,
    /// What is known to change at every visit counts as well.
    pub(crate) noise: bool,
}

impl Desk {
    pub(super) fn resource(&self, url: &str) -> Result<MonitoredResource, Fault> {
        Ok(self.monitor.resource(&address(url)?)?)
    }

    /// A page that is to be fetched: user name and password of its URL are stored.
    pub(crate) async fn visit(&self, url: &str) -> Result<String, Fault> {
        let Page { url, login } = page(url)?;
        self.keep(login.into_iter().collect()).await?;
        Ok(url)
    }

    /// Stores user names and passwords.
    pub(super) async fn keep(&self, logins: Vec<Login>) -> Result<(), Fault> {
        if logins.is_empty() {
            return Ok(());
        }
        let keychain = self.keychain.clone();
        let kept = tokio::task::spawn_blocking(move || keychain.keep(&logins)).await;
        kept.map_err(|_| watch::Error::Closed)?.map_err(|error| Fault::NotStored(error.into()))
    }

    /// Somebody who asks; whoever has no name is as the settings have it.
    pub(crate) async fn person(&self, name: Option<&str>) -> Result<Person, Fault> {
        let name = name.filter(|name| !name.trim().is_empty()).unwrap_or(&self.usual.person);
        Ok(self.monitor.person(name).await?)
    }

    /// UC6 and UC7. Those who watch the page are told what is news by their rules.
    pub(crate) async fn check(&self, url: &str, person: Option<&str>, how: How) -> Result<Check, Fault> {
        let resource = self.resource(&self.visit(url).await?)?;
        let check = match person {
            Some(name) => resource.check_for(&self.person(Some(name)).await?, how).await?,
            None => resource.check_as(how).await?,
        };
        self.noted(&resource, &check).await;
        Ok(check)
    }

    /// UC6 of many pages at once, and UC3 if somebody asks: whether each has changed since this person last asked; `None` if that was never.
    pub(crate) async fn check_many(
        &self,
        urls: &[String],
        person: Option<&str>,
        how: How,
    ) -> Result<Vec<Result<(Check, Option<bool>), Fault>>, Fault> {
        let mut asked = Vec::with_capacity(urls.len());
        for url in urls {
            asked.push(self.visit(url).await?);
        }
        let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
        let checks = self.monitor.check_many(&asked, how).await;
        for (url, check) in urls.iter().zip(&checks) {
            if let Ok(check) = check {
                self.noted(&self.resource(url)?, check).await;
            }
        }
        let person = match person {
            Some(name) => Some(self.person(Some(name)).await?),
            None => None,
        };
        let mut told = Vec::new();
        for (url, check) in urls.iter().zip(checks) {
            told.push(match (check, &person) {
                (Ok(check), Some(person)) => {
                    let mine = self.resource(url)?.seen_since(person, &check).await;
                    mine.map(|mine| (check, mine)).map_err(Fault::from)
                }
                (check, _) => check.map(|check| (check, None)).map_err(Fault::from),
            });
        }
        Ok(told)
    }

    /// UC1, UC2 and UC9.
    pub(crate) async fn version(&self, url: &str, which: Which) -> Result<Version, Fault> {
        let resource = self.resource(url)?;
        match which {
            Which::Current => self.asking(&resource, resource.last_version()).await,
            Which::At(at) => self.asking(&resource, resource.version(at)).await,
            Which::Number(number) => Ok(resource.version(number).await?),
            Which::Reachable => self.asking(&resource, resource.last_reachable_version()).await,
        }
    }

    pub(crate) async fn versions(
        &self,
        url: &str,
        before: Option<u32>,
        most: u32,
    ) -> Result<Vec<Version>, Fault> {
        Ok(self.resource(url)?.versions_before(before, most).await?)
    }

    /// The document of a version, to be read.
    pub(crate) async fn payload(&self, url: &str, version: &Version) -> Result<watch::Payload, Fault> {
        Ok(self.resource(url)?.payload(version).await?)
    }

    pub(crate) async fn document(&self, url: &str, number: u32) -> Result<Document, Fault> {
        let resource = self.resource(url)?;
        let version = resource.version(number).await?;
        if version.length > DOCUMENT_BYTES_MAX {
            let message =
                format!("version {number} has {} bytes, which is too long for one piece", version.length);
            let hint = Some("replay shows it, and `varve get` writes it to a file".to_owned());
            return Err(Fault::Wrong { message, hint });
        }
        let mut payload = resource.payload(&version).await?;
        let reading = tokio::task::spawn_blocking(move || {
            let mut bytes = Vec::new();
            payload.read_to_end(&mut bytes).map(|_| bytes)
        });
        let lost = || Fault::Watch(watch::Error::Lost { url: resource.url().to_owned(), number });
        let bytes = reading.await.map_err(|_| watch::Error::Closed)?.map_err(|_| lost())?;
        Ok(Document { media_type: version.media_type, bytes })
    }

    /// UC3 and UC4: by the rules of that person's watch of it, if there is one and nothing else is said.
    pub(crate) async fn changes(
        &self,
        url: &str,
        person: Option<&str>,
        looking: &Looking,
    ) -> Result<Compared, Fault> {
        let resource = self.resource(url)?;
        let person = self.person(person).await?;
        let change = self.asking(&resource, resource.changes_since_my_last_check(&person)).await?;
        let own = match looking.watch {
            Some(watch) => Some(watch),
            None => self.watch_of(person.name(), resource.url()).await?.map(|watch| watch.id),
        };
        self.compared(&resource, &change, &Looking { watch: own, ..looking.clone() }).await
    }

    /// UC5.
    pub(crate) async fn difference(
        &self,
        url: &str,
        from: Which,
        to: Which,
        looking: &Looking,
    ) -> Result<Compared, Fault> {
        let before = self.version(url, from).await?;
        let after = self.version(url, to).await?;
        let change = Change { before, after, is_first: false };
        self.compared(&self.resource(url)?, &change, looking).await
    }

    /// The same, as the API asks for it.
    pub(crate) async fn asked(&self, asked: &Asked) -> Result<Compared, Fault> {
        let looking = Looking { watch: asked.watch, rules: asked.rules.clone(), noise: false };
        self.difference(&asked.url, asked.from, asked.to, &looking).await
    }

    async fn compared(
        &self,
        resource: &MonitoredResource,
        change: &Change,
        looking: &Looking,
    ) -> Result<Compared, Fault> {
        let mut rules = match (&looking.rules, looking.watch) {
            (Some(rules), _) => rules.clone(),
            (None, Some(watch)) => self.monitor.watch(watch).await?.wish.rules,
            (None, None) => RuleSet::default(),
        };
        rules.noise |= looking.noise;
        // A watch was looked at when it was added; what somebody tries is told to be wrong.
        if looking.rules.is_some() {
            diff::Rules::new(&rules, &diff::Limits::default())
                .map_err(|error| watch::Error::Rule(Arc::new(error)))?;
        }
        let compared = resource.compare(change, &rules, looking.watch).await?;
        let is_short = change.before.length.max(change.after.length) <= PATCH_BYTES_MAX;
        let patch_bytes = match is_short && !change.is_empty() {
            true => resource.patch(change).await.ok().map(|patch| patch.len() as u64),
            false => None,
        };
        let row = difference_row(resource.url(), change, &compared, &rules, patch_bytes);
        Ok(Compared { row, old_text: compared.old_text, new_text: compared.new_text })
    }

    /// The patch that makes the one version of the other (E4).
    pub(crate) async fn patch(&self, url: &str, from: Which, to: Which) -> Result<Vec<u8>, Fault> {
        let before = self.version(url, from).await?;
        let after = self.version(url, to).await?;
        Ok(self.resource(url)?.patch(&Change { before, after, is_first: false }).await?)
    }

    /// UC8.
    pub(crate) async fn checks(
        &self,
        url: &str,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<Check>, Fault> {
        Ok(self.resource(url)?.checks_before(before, most).await?)
    }

    /// UC8 for a picture.
    pub(crate) async fn days(&self, url: &str, from: Date) -> Result<Vec<DayRow>, Fault> {
        Ok(self.resource(url)?.days(from).await?.iter().map(day_row).collect())
    }

    /// The watch of a URL that somebody has.
    pub(crate) async fn watch_of(&self, owner: &str, url: &str) -> Result<Option<Watch>, Fault> {
        Ok(self.monitor.watches_named(url, Some(owner), 1).await?.into_iter().next())
    }

    /// The watches of a URL: that of one person, or those of all.
    pub(crate) async fn watches_of(&self, url: &str, owner: Option<&str>) -> Result<Vec<Watch>, Fault> {
        Ok(self.monitor.watches_named(url, owner, WATCHES_MAX).await?)
    }

    /// Asks something that may take a check; if one was made, those who watch hear of it.
    pub(super) async fn asking<T>(
        &self,
        resource: &MonitoredResource,
        question: impl Future<Output = Result<T, watch::Error>>,
    ) -> Result<T, Fault> {
        let before = last_check(resource).await?;
        let answer = question.await;
        if last_check(resource).await? != before {
            self.judge(resource).await;
        }
        Ok(answer?)
    }

    /// After a check: if the server was really asked, those who watch hear of it.
    async fn noted(&self, resource: &MonitoredResource, check: &Check) {
        if !check.is_repeated {
            self.judge(resource).await;
        }
    }

    /// A check was made: its captures are to come into the archive soon.
    pub(super) fn has_check(&self) {
        self.has_checked.store(true, Ordering::SeqCst);
    }

    /// What was found of a page is judged for those who watch it. If that fails, it is done by whoever makes the rounds next.
    async fn judge(&self, resource: &MonitoredResource) {
        self.has_check();
        if let Err(error) = resource.judge().await {
            tracing::warn!("what was found is judged later: {error}");
        }
    }
}

/// The number of the last check; nothing if there never was one.
async fn last_check(resource: &MonitoredResource) -> Result<Option<i64>, Fault> {
    match resource.checks_before(None, 1).await {
        Ok(checks) => Ok(checks.first().map(|check| check.id)),
        Err(watch::Error::Unknown(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests;
