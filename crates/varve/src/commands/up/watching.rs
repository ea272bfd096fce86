//! Watched pages in `varve up`: what the pages and the API ask, and the rounds.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use api::Error;
use api::watches::{
    Answer, Asked, CheckRow, Compared, DayRow, Document, Listed, NewsOf, NewsRow, Preview, VersionRow,
    WatchRow, WatchWish, Watcher, Which,
};
use jiff::civil::Date;
use supervisor::Harvester;
use tokio::runtime::Runtime;
use tokio::sync::{broadcast, watch as signal};
use tokio::task::JoinHandle;
use watch::{Event, How, Rounds, Tempo};

use crate::session::Session;
use crate::talk::Talk;
use crate::terminal::{counted, escape};
use crate::watching::{Asking, Desk, Fault, Links, Looking, Post, Ready, check_row, news_row, version_row};

/// How often it is looked whether whoever makes the rounds has ended.
const TAKE_OVER_EVERY: Duration = Duration::from_secs(10);

/// How often it is looked for news: whoever else writes into the archive tells nobody.
const NEWS_EVERY: Duration = Duration::from_secs(1);

/// What somebody had checked by hand is in the archive, and so in replay, after this at the latest. The rounds bring in their own.
const COMMIT_EVERY: Duration = Duration::from_secs(3);

/// News that are looked for at once, and that somebody who follows slowly may be behind.
const NEWS: usize = 500;

/// Watches pages.
pub(super) struct Watching {
    desk: Desk,
    /// Nothing once the end has come, so that those who follow do not wait.
    news: Arc<Mutex<Option<broadcast::Sender<NewsRow>>>>,
    is_over: signal::Sender<bool>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl Watching {
    /// Opens the monitor of the archive and begins the rounds, unless somebody else makes them.
    pub(super) fn start(
        runtime: &Runtime,
        harvester: &Harvester,
        links: Links,
        session: &Session,
    ) -> anyhow::Result<Watching> {
        // What there is to say of the settings was said.
        let mut ready = Ready::of(&Asking::default(), &session.quiet())?;
        ready.settings.door = Some(harvester.politeness(ready.settings.gate).door());
        let talk = session.talk.clone();
        let post = Post::new(&ready.file, ready.archive.folder(), Some(links))?;
        let mut tempo = ready.tempo();
        tempo.courier = Some(Arc::new(post));
        tempo.listener = Arc::new(move |event| tell(&event, &talk));
        let desk = runtime.block_on(ready.open())?;
        let (sender, _) = broadcast::channel(NEWS);
        let news = Arc::new(Mutex::new(Some(sender)));
        let is_over = signal::Sender::new(false);
        let tasks = vec![
            runtime.spawn(rounds(desk.clone(), tempo, is_over.subscribe(), session.talk.clone())),
            runtime.spawn(follow(desk.clone(), Arc::clone(&news), is_over.subscribe())),
            runtime.spawn(bring_in(desk.clone(), is_over.subscribe())),
        ];
        Ok(Watching { desk, news, is_over, tasks: Mutex::new(tasks) })
    }

    /// Begins no more checks, and lets those go who follow.
    pub(super) fn stop(&self) {
        self.is_over.send_replace(true);
        self.news.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Waits until what was captured is in the archive.
    pub(super) fn end(&self, runtime: &Runtime) {
        self.stop();
        let tasks = std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        let desk = self.desk.clone();
        runtime.block_on(async move {
            for task in tasks {
                let _ = task.await;
            }
            // What was checked at the very end.
            if let Err(error) = desk.monitor.commit().await {
                tracing::error!("what was checked comes into the archive later: {error}");
            }
            desk.monitor.close().await;
        });
    }

    /// Has the desk do something, in a future of its own.
    fn ask<T: Send + 'static, F>(&self, work: impl FnOnce(Desk) -> F) -> Answer<T>
    where
        F: Future<Output = Result<T, Fault>> + Send + 'static,
    {
        let work = work(self.desk.clone());
        Box::pin(async move { work.await.map_err(Error::from) })
    }
}

/// Makes the rounds; as long as somebody else does, waits for their end.
async fn rounds(desk: Desk, tempo: Tempo, mut is_over: signal::Receiver<bool>, talk: Talk) {
    let mut is_told = false;
    while !*is_over.borrow() {
        match Rounds::begin(&desk.monitor, tempo.clone()).await {
            Ok(Some(rounds)) => {
                let mut ended = is_over.clone();
                let end = async move { drop(ended.wait_for(|is_over| *is_over).await) };
                if let Err(error) = rounds.run(end).await {
                    talk.error(&format!("what was checked is not in the archive yet: {error}"));
                }
                return;
            }
            Ok(None) if !is_told => {
                is_told = true;
                talk.note(
                    "another process makes the rounds of the watched pages; when it ends, this one does",
                );
            }
            Ok(None) => {}
            Err(error) => talk.warning(&format!("the rounds are not made yet: {error}")),
        }
        let _ = tokio::time::timeout(TAKE_OVER_EVERY, is_over.wait_for(|is_over| *is_over)).await;
    }
}

/// Passes news on to those who follow, whoever has found them.
async fn follow(
    desk: Desk,
    followers: Arc<Mutex<Option<broadcast::Sender<NewsRow>>>>,
    mut is_over: signal::Receiver<bool>,
) {
    let mut last = None;
    while !*is_over.borrow() {
        let found = match last {
            Some(last) => desk.monitor.news_behind(last, NEWS as u32).await,
            None => desk.monitor.last_news().await.map(|id| {
                last = Some(id);
                Vec::new()
            }),
        };
        match found {
            Ok(news) => {
                last = news.last().map(|news| news.id).or(last);
                if let Some(sender) = &*followers.lock().unwrap_or_else(PoisonError::into_inner) {
                    // Nobody may be listening.
                    news.iter().for_each(|news| drop(sender.send(news_row(news))));
                }
            }
            Err(error) => tracing::warn!("news cannot be read: {error}"),
        }
        let _ = tokio::time::timeout(NEWS_EVERY, is_over.wait_for(|is_over| *is_over)).await;
    }
}

/// Brings captures into the archive that the rounds do not know of.
async fn bring_in(desk: Desk, mut is_over: signal::Receiver<bool>) {
    while !*is_over.borrow() {
        let _ = tokio::time::timeout(COMMIT_EVERY, is_over.wait_for(|is_over| *is_over)).await;
        if desk.has_checked.swap(false, Ordering::SeqCst)
            && let Err(error) = desk.monitor.commit().await
        {
            tracing::warn!("what was checked comes into the archive later: {error}");
            desk.has_checked.store(true, Ordering::SeqCst);
        }
    }
}

/// What of the rounds is said on the screen.
fn tell(event: &Event<'_>, talk: &Talk) {
    match event {
        Event::NotChecked(watch, error) => {
            talk.warning(&format!("watch {}, {}: not checked: {error}", watch.id, escape(&watch.url)));
        }
        Event::Posted(posted) if posted.given_up > 0 => {
            let messages = counted(posted.given_up, "message");
            talk.warning(&format!(
                "{messages} of watched pages could not be sent; the page of each watch tells why"
            ));
        }
        Event::Trouble(error) => talk.warning(&format!("watching: {error}; it is tried again")),
        _ => {}
    }
}

impl Watcher for Watching {
    fn check(&self, url: String, person: Option<String>, force: bool) -> Answer<CheckRow> {
        let how = How { force, ..How::default() };
        self.ask(|desk| async move { Ok(check_row(&desk.check(&url, person.as_deref(), how).await?)) })
    }

    fn version(&self, url: String, which: Which) -> Answer<VersionRow> {
        self.ask(|desk| async move { Ok(version_row(&desk.version(&url, which).await?)) })
    }

    fn versions(&self, url: String, before: Option<u32>, most: u32) -> Answer<Vec<VersionRow>> {
        self.ask(|desk| async move {
            Ok(desk.versions(&url, before, most).await?.iter().map(version_row).collect())
        })
    }

    fn document(&self, url: String, number: u32) -> Answer<Document> {
        self.ask(|desk| async move { desk.document(&url, number).await })
    }

    fn changes(&self, url: String, person: String) -> Answer<Compared> {
        self.ask(|desk| async move { desk.changes(&url, Some(&person), &Looking::default()).await })
    }

    fn difference(&self, asked: Asked) -> Answer<Compared> {
        self.ask(|desk| async move { desk.asked(&asked).await })
    }

    fn patch(&self, url: String, from: Which, to: Which) -> Answer<Vec<u8>> {
        self.ask(|desk| async move { desk.patch(&url, from, to).await })
    }

    fn checks(&self, url: String, before: Option<i64>, most: u32) -> Answer<Vec<CheckRow>> {
        self.ask(
            |desk| async move { Ok(desk.checks(&url, before, most).await?.iter().map(check_row).collect()) },
        )
    }

    fn days(&self, url: String, from: Date) -> Answer<Vec<DayRow>> {
        self.ask(|desk| async move { desk.days(&url, from).await })
    }

    fn is_name_taken(&self, name: String) -> Answer<bool> {
        self.ask(|desk| async move { Ok(desk.monitor.is_name_taken(&name).await?) })
    }

    fn list(&self, wanted: Listed) -> Answer<Vec<WatchRow>> {
        self.ask(|desk| async move { desk.list(&wanted).await })
    }

    fn show(&self, id: i64) -> Answer<WatchRow> {
        self.ask(|desk| async move { desk.show(id).await })
    }

    fn add(&self, wish: WatchWish) -> Answer<WatchRow> {
        self.ask(|desk| async move { desk.add(&wish).await })
    }

    fn change(&self, id: i64, wish: WatchWish) -> Answer<WatchRow> {
        self.ask(|desk| async move { desk.change(id, &wish).await })
    }

    fn check_watch(&self, id: i64) -> Answer<CheckRow> {
        self.ask(|desk| async move { Ok(check_row(&desk.check_watch(id).await?)) })
    }

    fn remove(&self, id: i64) -> Answer<()> {
        self.ask(|desk| async move { desk.remove(id).await })
    }

    fn preview(&self, wish: WatchWish) -> Answer<Preview> {
        self.ask(|desk| async move { desk.preview(&wish).await })
    }

    fn news(&self, of: NewsOf, before: Option<i64>, most: u32) -> Answer<Vec<NewsRow>> {
        self.ask(|desk| async move { desk.news(&of, before, most).await })
    }

    fn follow(&self) -> broadcast::Receiver<NewsRow> {
        match &*self.news.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(sender) => sender.subscribe(),
            None => broadcast::channel(1).1,
        }
    }
}
