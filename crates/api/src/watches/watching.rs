//! The pages that are watched, as somebody may ask for them: within bounds, and only what the policy lets them see.

use std::fmt;
use std::sync::Arc;

use diff::RuleSet;
use jiff::Timestamp;
use tokio::sync::broadcast;

use super::pages::{CheckPage, NewsPage, VersionPage, WatchPage, cut};
use super::rows::{CheckRow, NewsRow, Preview, VersionRow, WatchRow};
use super::watcher::{Asked, Compared, DayRow, Document, Listed, NewsOf, Watcher, Which};
use super::wish::WatchWish;
use crate::answer::blocking;
use crate::{Api, Error, Visitor};

/// What is watched, for one who asks.
#[derive(Clone)]
pub struct Watching {
    api: Api,
    watcher: Arc<dyn Watcher>,
    visitor: Visitor,
}

impl Api {
    /// The pages that are watched, for one who asks.
    ///
    /// # Errors
    /// When nobody watches any here.
    pub fn watching(&self, visitor: Visitor) -> Result<Watching, Error> {
        Ok(Watching { api: self.clone(), watcher: Arc::clone(self.watcher()?), visitor })
    }
}

/// Every question fails with [`Error::NotFound`] where a watch, version, person or URL is not known, with [`Error::NotHad`] where a server
/// would have to give something and does not, and with [`Error::Forbidden`] where the policy says no.
#[allow(clippy::missing_errors_doc)]
impl Watching {
    /// Some of the watches, without secrets.
    pub async fn list(&self, wanted: Listed) -> Result<WatchPage, Error> {
        let most = self.rows(wanted.most);
        for text in wanted.owner.iter().chain(&wanted.find) {
            self.short(text)?;
        }
        let rows = self.watcher.list(Listed { most: most + 1, ..wanted }).await?;
        let (watches, next) = cut(rows, most, |row| row.id);
        Ok(WatchPage { watches: watches.into_iter().map(WatchRow::discreet).collect(), next })
    }

    /// One watch, with the addresses of webhooks in full: whoever changes it needs them.
    pub async fn show(&self, id: i64) -> Result<WatchRow, Error> {
        self.watcher.show(id).await
    }

    /// Begins to watch.
    pub async fn add(&self, wish: WatchWish) -> Result<WatchRow, Error> {
        let wish = self.checked(wish).await?;
        self.watcher.add(wish).await
    }

    /// Changes what is wanted of a watch.
    pub async fn change(&self, id: i64, wish: WatchWish) -> Result<WatchRow, Error> {
        let wish = self.checked(wish).await?;
        self.watcher.change(id, wish).await
    }

    /// Checks the page of a watch now.
    pub async fn check_watch(&self, id: i64) -> Result<CheckRow, Error> {
        self.watcher.check_watch(id).await
    }

    /// Ends a watch.
    pub async fn remove(&self, id: i64) -> Result<(), Error> {
        self.watcher.remove(id).await
    }

    /// What rules keep of a page.
    pub async fn preview(&self, wish: WatchWish) -> Result<Preview, Error> {
        let wish = self.checked(wish).await?;
        let preview = self.watcher.preview(wish).await?;
        self.may_see(&preview.version)?;
        Ok(preview)
    }

    /// Some of the news.
    pub async fn news(&self, of: NewsOf, before: Option<i64>, most: u32) -> Result<NewsPage, Error> {
        match &of {
            NewsOf::Watch(id) => drop(self.watcher.show(*id).await?),
            NewsOf::Person(name) => self.known(name).await?,
            NewsOf::All => {}
        }
        let most = most.clamp(1, self.api.limits().news);
        let rows = self.watcher.news(of, before, most + 1).await?;
        let (rows, next) = cut(rows, most, |row| row.id);
        Ok(NewsPage { news: rows.into_iter().map(|row| self.seen(row)).collect(), next })
    }

    /// News as they come.
    pub(crate) fn follow(&self) -> broadcast::Receiver<NewsRow> {
        self.watcher.follow()
    }

    /// UC6.
    pub async fn check(&self, url: String, person: Option<String>, force: bool) -> Result<CheckRow, Error> {
        let url = self.url(&url)?;
        person.iter().try_for_each(|name| self.name(name))?;
        self.watcher.check(url, person, force).await
    }

    /// UC1, UC2 and UC9.
    pub async fn version(&self, url: String, which: Which) -> Result<VersionRow, Error> {
        let url = self.url(&url)?;
        let version = self.watcher.version(url, which).await?;
        self.may_see(&version)?;
        Ok(version)
    }

    /// Some of the versions. What may not be seen is not among them.
    pub async fn versions(&self, url: String, before: Option<u32>, most: u32) -> Result<VersionPage, Error> {
        let url = self.url(&url)?;
        let most = self.rows(most);
        let rows = self.watcher.versions(url, before, most + 1).await?;
        let (mut versions, next) = cut(rows, most, |row| row.number);
        versions.retain(|version| self.may_see(version).is_ok());
        Ok(VersionPage { versions, next })
    }

    /// The document of a version.
    pub async fn document(&self, url: String, number: u32) -> Result<Document, Error> {
        let url = self.url(&url)?;
        self.version(url.clone(), Which::Number(number)).await?;
        self.watcher.document(url, number).await
    }

    /// UC3 and UC4.
    pub async fn changes(&self, url: String, person: String) -> Result<Compared, Error> {
        let url = self.url(&url)?;
        self.name(&person)?;
        let compared = self.watcher.changes(url, person).await?;
        self.may_see_both(compared)
    }

    /// UC5.
    pub async fn difference(&self, mut asked: Asked) -> Result<Compared, Error> {
        asked.url = self.url(&asked.url)?;
        self.rules(asked.rules.as_ref()).await?;
        let compared = self.watcher.difference(asked).await?;
        self.may_see_both(compared)
    }

    /// The patch that makes one version of the other, with the numbers of both.
    pub async fn patch(&self, url: String, from: Which, to: Which) -> Result<(u32, u32, Vec<u8>), Error> {
        let url = self.url(&url)?;
        let from = self.version(url.clone(), from).await?.number;
        let to = self.version(url.clone(), to).await?.number;
        let bytes = self.watcher.patch(url, Which::Number(from), Which::Number(to)).await?;
        Ok((from, to, bytes))
    }

    /// UC8.
    pub async fn checks(&self, url: String, before: Option<i64>, most: u32) -> Result<CheckPage, Error> {
        let url = self.url(&url)?;
        let most = self.rows(most);
        let rows = self.watcher.checks(url, before, most + 1).await?;
        let (checks, next) = cut(rows, most, |row| row.id);
        Ok(CheckPage { checks, next })
    }

    /// UC8 for a picture.
    pub async fn days(&self, url: String, from: jiff::civil::Date) -> Result<Vec<DayRow>, Error> {
        let url = self.url(&url)?;
        self.watcher.days(url, from).await
    }

    /// E3.
    pub async fn is_name_taken(&self, name: String) -> Result<bool, Error> {
        self.name(&name)?;
        self.watcher.is_name_taken(name).await
    }

    /// These rules make sense.
    pub(super) async fn rules(&self, rules: Option<&RuleSet>) -> Result<(), Error> {
        let Some(rules) = rules.cloned() else { return Ok(()) };
        blocking(move || WatchWish { rules, ..WatchWish::default() }.check_rules()).await
    }

    /// There is somebody of that name.
    pub(crate) async fn known(&self, name: &str) -> Result<(), Error> {
        match self.is_name_taken(name.to_owned()).await? {
            true => Ok(()),
            false => Err(Error::NotFound(format!("nobody is called `{name}`"))),
        }
    }

    /// News without what whoever asks may not see.
    pub(crate) fn seen(&self, mut row: NewsRow) -> NewsRow {
        let (before, after) = &row.timestamps;
        let is_hidden = [before, after].into_iter().flatten().any(|digits| {
            let at = urlkey::time::parse_14(digits).ok();
            !self.api.decide(&self.visitor, &urlkey::key(&row.url), at).is_allowed()
        });
        if is_hidden {
            (row.text, row.html) = (String::new(), String::new());
            row.summary = "what changed may not be shown".to_owned();
        }
        row
    }

    async fn checked(&self, wish: WatchWish) -> Result<WatchWish, Error> {
        let limits = self.api.limits().clone();
        // Patterns are compiled.
        let mut wish = blocking(move || wish.check(&limits).map(|()| wish)).await?;
        wish.url = urlkey::add_default_scheme(wish.url.trim()).into_owned();
        Ok(wish)
    }

    fn may_see_both(&self, compared: Compared) -> Result<Compared, Error> {
        self.may_see(&compared.row.before)?;
        self.may_see(&compared.row.after)?;
        Ok(compared)
    }

    fn may_see(&self, version: &VersionRow) -> Result<(), Error> {
        let at: Option<Timestamp> = version.time.parse().ok();
        match self.api.decide(&self.visitor, &urlkey::key(&version.url), at).is_allowed() {
            true => Ok(()),
            false => Err(Error::Forbidden(format!("version {} may not be shown", version.number))),
        }
    }

    fn rows(&self, most: u32) -> u32 {
        most.clamp(1, self.api.limits().watch_rows)
    }

    /// A URL that is not too long; `http://` may be left out.
    fn url(&self, url: &str) -> Result<String, Error> {
        let (url, max) = (url.trim(), self.api.limits().url_bytes);
        match (url.is_empty(), url.len() > max) {
            (true, _) => Err(Error::bad("a `url` is needed")),
            (_, true) => Err(Error::TooLarge(format!("a URL of more than {max} bytes is not taken"))),
            _ => Ok(urlkey::add_default_scheme(url).into_owned()),
        }
    }

    fn name(&self, name: &str) -> Result<(), Error> {
        let max = self.api.limits().name_chars;
        let is_name = !name.trim().is_empty() && !name.chars().any(char::is_control);
        match (is_name, name.chars().nth(max).is_some()) {
            (true, false) => Ok(()),
            (true, true) => Err(Error::TooLarge(format!("a name has at most {max} characters"))),
            _ => Err(Error::bad("a name is not empty, and has no control characters")),
        }
    }

    fn short(&self, text: &str) -> Result<(), Error> {
        match text.chars().nth(self.api.limits().words_chars) {
            Some(_) => Err(Error::TooLarge("what is looked for is too long".to_owned())),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Watching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watching").field("visitor", &self.visitor).finish_non_exhaustive()
    }
}
