//! The watches themselves: begun, changed, ended, tried; and the news of them.

use api::watches::{Listed, NewsOf, NewsRow, Preview, WatchRow, WatchWish};
use jiff::Timestamp;
use urlkey::Login;
use watch::{Check, Watch, Wish};

use super::desk::Desk;
use super::fault::Fault;
use super::rows::{news_row, version_row, watch_row, wish_row};
use super::wishes::{Page, page, wish_of_row};

/// Checks that are told of a watch, for a picture.
const RECENT: u32 = 30;

/// Bytes of what rules keep that are shown.
const PREVIEW_BYTES: usize = 64 << 10;

/// A watch that is to begin.
pub(crate) struct Begun {
    pub(crate) url: String,
    pub(crate) wish: Wish,
    /// User name and password of its site.
    pub(crate) login: Option<Login>,
}

impl Desk {
    /// Some of the watches, without secrets.
    pub(crate) async fn list(&self, wanted: &Listed) -> Result<Vec<WatchRow>, Fault> {
        let Listed { owner, find, behind, most } = wanted;
        let watches = self.monitor.find_watches(owner.as_deref(), find.as_deref(), *behind, *most).await?;
        let mut rows = Vec::with_capacity(watches.len());
        for watch in &watches {
            rows.push(self.row(watch).await?.discreet());
        }
        Ok(rows)
    }

    pub(crate) async fn show(&self, id: i64) -> Result<WatchRow, Fault> {
        self.row(&self.monitor.watch(id).await?).await
    }

    pub(crate) async fn row(&self, watch: &Watch) -> Result<WatchRow, Fault> {
        let state = self.monitor.state(watch.id, RECENT).await?;
        Ok(watch_row(watch, &state, &self.usual))
    }

    /// What is wanted of a watch, with secrets.
    pub(crate) fn wish(&self, watch: &Watch) -> WatchWish {
        wish_row(watch, &self.usual)
    }

    /// Begins to watch.
    pub(crate) async fn add(&self, wish: &WatchWish) -> Result<WatchRow, Fault> {
        let Begun { url, wish: made, login } = self.read_wish(wish)?;
        self.keep(login.into_iter().collect()).await?;
        let owner = self.person(Some(&wish.owner)).await?;
        let watch = self.monitor.add_watch(&owner, &url, &made).await?;
        self.row(&watch).await
    }

    /// Begins to watch many pages for somebody, each due at its time first: all in one step. The number of each watch, or why there is none.
    pub(crate) async fn add_many(
        &self,
        owner: &str,
        begun: &[(Begun, Timestamp)],
    ) -> Result<Vec<Result<i64, watch::Error>>, Fault> {
        let owner = self.person(Some(owner)).await?;
        self.keep(begun.iter().filter_map(|(begun, _)| begun.login.clone()).collect()).await?;
        let watches: Vec<_> =
            begun.iter().map(|(begun, due)| (begun.url.as_str(), &begun.wish, *due)).collect();
        Ok(self.monitor.add_watches(&owner, &watches).await?)
    }

    /// What is wanted of a watch that is to begin, or what is wrong with it.
    pub(crate) fn read_wish(&self, wish: &WatchWish) -> Result<Begun, Fault> {
        let Page { url, login } = page(&wish.url)?;
        Ok(Begun { url, wish: wish_of_row(wish, &self.usual, None)?, login })
    }

    /// Changes what is wanted of a watch; its URL and its owner stay. Whoever shortens its pause, or lets it go on, need not wait for what
    /// was said before.
    pub(crate) async fn change(&self, id: i64, wish: &WatchWish) -> Result<WatchRow, Fault> {
        let mut watch = self.monitor.watch(id).await?;
        let before = watch.wish.clone();
        watch.wish = wish_of_row(wish, &self.usual, Some(&watch))?;
        if before.pace != watch.wish.pace || before.is_paused && !watch.wish.is_paused {
            let last = self.monitor.state(id, 1).await?.last;
            let next = last.and_then(|check| check.at.checked_add(watch.wish.pace.pause()).ok());
            watch.due_at = next.unwrap_or(watch.added_at);
        }
        self.monitor.change_watch(&watch).await?;
        self.show(id).await
    }

    /// Checks the page of a watch now, as if it were due.
    pub(crate) async fn check_watch(&self, id: i64) -> Result<Check, Fault> {
        let (check, _) = self.monitor.check_watch(id).await?;
        if !check.is_repeated {
            self.has_check();
        }
        Ok(check)
    }

    pub(crate) async fn remove(&self, id: i64) -> Result<(), Fault> {
        Ok(self.monitor.remove_watch(id).await?)
    }

    /// What rules keep of a page. The server is asked if the page was never had.
    pub(crate) async fn preview(&self, wish: &WatchWish) -> Result<Preview, Fault> {
        wish_of_row(wish, &self.usual, None)?;
        let resource = self.resource(&self.visit(&wish.url).await?)?;
        let known = match resource.versions_before(None, 1).await {
            Ok(versions) => versions.into_iter().next(),
            Err(watch::Error::Unknown(_)) => None,
            Err(error) => return Err(error.into()),
        };
        let version = match known {
            Some(version) => version,
            None => self.asking(&resource, resource.last_version()).await?,
        };
        let Some((kept, left_out)) = resource.kept(&version, &wish.rules).await? else {
            let message = format!("{} is no text, so that rules keep nothing of it", resource.url());
            let hint = "without rules any other document there is a change";
            return Err(Fault::Wrong { message, hint: Some(hint.to_owned()) });
        };
        let end = kept.floor_char_boundary(PREVIEW_BYTES);
        let is_cut = end < kept.len();
        let kept = kept.get(..end).unwrap_or_default().to_owned();
        Ok(Preview { version: version_row(&version), kept, left_out, is_cut })
    }

    /// So many news before the one with this id, the newest first.
    pub(crate) async fn news(
        &self,
        of: &NewsOf,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<NewsRow>, Fault> {
        let (watch, person) = match of {
            NewsOf::All => (None, None),
            NewsOf::Watch(id) => (Some(*id), None),
            NewsOf::Person(name) => (None, Some(name.as_str())),
        };
        Ok(self.monitor.news(watch, person, before, most).await?.iter().map(news_row).collect())
    }
}
