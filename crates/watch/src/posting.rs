//! Telling people: what waits in the database goes out, and is tried again until it has.
//!
//! ```text
//! 1 what is due is put into a message, which gets its id and keeps it
//! 2 the message is sent
//! 3 the database is told
//! ```
//! After a crash between 2 and 3 the same message is sent again with the same id, by which whoever gets it twice knows. Nothing is told twice
//! otherwise, and nothing is forgotten.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use sqlx::sqlite::SqliteRow;

use crate::db::{get, number};
use crate::error::Error;
use crate::moment;
use crate::monitor::Monitor;
use crate::news::News;
use crate::telling::{Telling, quiet_until};
use crate::watching::read;

/// Messages that are looked at in one go.
const PAGE: u32 = 200;
/// News of one message.
const NEWS_MAX: u32 = 50;
/// How long a message that failed is left alone; after each further failure twice as long …
const REST_FIRST: Duration = Duration::from_secs(60);
/// … up to this.
const REST_MAX: Duration = Duration::from_secs(6 * 3600);
/// How often a message is tried: for about three days.
const TRIES_MAX: u32 = 20;

/// Sends messages. Waits for servers: it is called on a thread that may.
pub trait Courier: Send + Sync {
    /// Sends one.
    ///
    /// # Errors
    /// Why it could not be.
    fn deliver(&self, message: &Message) -> Result<(), Undelivered>;
}

/// What goes to one address in one piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its own, which stays the same however often it is tried.
    pub id: String,
    /// Where to: an address of a [`Telling`].
    pub to: String,
    /// Of whose watches it tells.
    pub owner: String,
    /// What it tells, the oldest first. To a program it is one.
    pub news: Vec<News>,
}

/// Why a message was not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undelivered {
    /// In words, without secrets.
    pub why: String,
    /// It would fail again.
    pub is_final: bool,
}

/// What became of all that was due.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Posted {
    /// Messages that went.
    pub sent: u64,
    /// Messages that are tried again.
    pub failed: u64,
    /// Messages that are not.
    pub given_up: u64,
}

/// Whether a program reads there, which is told each thing by itself.
pub(crate) fn is_program(address: &str) -> bool {
    !address.starts_with("mailto:")
}

/// Something that is due.
struct Due {
    id: i64,
    address: String,
    owner: i64,
    is_digest: bool,
    message: Option<String>,
    tries: u32,
    telling: Telling,
}

impl Due {
    fn of(row: &SqliteRow) -> Result<Due, Error> {
        Ok(Due {
            id: get(row, 0)?,
            address: get(row, 1)?,
            owner: get(row, 2)?,
            is_digest: get::<i64>(row, 3)? != 0,
            message: get(row, 4)?,
            tries: number("tries", get(row, 5)?)?,
            telling: read("notify", &get::<String>(row, 6)?)?,
        })
    }
}

impl Monitor {
    /// Sends all that is due. One process at a time does that for an archive.
    ///
    /// # Errors
    /// When the database cannot be read or written. That somebody cannot be told is no error: it is tried again.
    pub async fn post(&self, courier: &Arc<dyn Courier>) -> Result<Posted, Error> {
        let mut posted = Posted::default();
        loop {
            let now = self.now();
            let asked = sqlx::query(include_str!("../sql/sqlite/post_due.sql"));
            let asked = asked.bind(moment::to_number(now)).bind(PAGE);
            let due = self.db().list("look for messages", asked, Due::of).await?;
            if due.is_empty() {
                return Ok(posted);
            }
            let mut done: Vec<String> = Vec::new();
            for due in due {
                // It went with one before.
                let is_grouped = due.message.is_none() && !is_program(&due.address);
                let key = due.message.clone().unwrap_or_else(|| format!("{} {}", due.owner, due.address));
                if (is_grouped || due.message.is_some()) && done.contains(&key) {
                    continue;
                }
                if self.is_quiet(&due, now).await? {
                    continue;
                }
                done.push(key);
                self.send(&due, courier, &mut posted).await?;
            }
        }
    }

    /// When there is something to send next.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next_post(&self) -> Result<Option<Timestamp>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/post_next.sql"));
        let next = self.db().one("look for messages", asked, |row| get::<Option<i64>>(row, 0)).await?;
        next.flatten().map(|at| moment::parse("due_at", at)).transpose()
    }

    /// Puts something off that comes in hours of quiet.
    async fn is_quiet(&self, due: &Due, now: Timestamp) -> Result<bool, Error> {
        let until = due.telling.quiet.as_ref().and_then(|quiet| quiet_until(quiet, now));
        let Some(until) = until else { return Ok(false) };
        let asked = sqlx::query(include_str!("../sql/sqlite/post_postpone.sql")).bind(due.id);
        self.db().write("put a message off", asked.bind(moment::to_number(until))).await?;
        Ok(true)
    }

    async fn send(&self, due: &Due, courier: &Arc<dyn Courier>, posted: &mut Posted) -> Result<(), Error> {
        let id = match &due.message {
            Some(id) => id.clone(),
            None => self.seal(due).await?,
        };
        let asked = sqlx::query(include_str!("../sql/sqlite/news_of_message.sql")).bind(id.clone());
        let news = self.db().list("look for news", asked, News::of).await?;
        let Some(first) = news.first() else { return Ok(()) };
        let message = Message { id, to: due.address.clone(), owner: first.owner.clone(), news };
        let (sent, courier) = (message.clone(), Arc::clone(courier));
        let sending = tokio::task::spawn_blocking(move || courier.deliver(&sent));
        let delivered = match sending.await {
            Ok(delivered) => delivered,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => return Err(Error::Closed),
        };
        let now = self.now();
        match delivered {
            Ok(()) => {
                let asked = sqlx::query(include_str!("../sql/sqlite/post_sent.sql")).bind(message.id);
                self.db().write("note what was sent", asked.bind(moment::to_number(now))).await?;
                posted.sent += 1;
            }
            Err(Undelivered { why, is_final }) => {
                let is_given_up = is_final || due.tries.saturating_add(1) >= TRIES_MAX;
                let rest = REST_FIRST.saturating_mul(1 << due.tries.min(16)).min(REST_MAX);
                let next = now.checked_add(rest).unwrap_or(Timestamp::MAX);
                let asked = sqlx::query(include_str!("../sql/sqlite/post_failed.sql")).bind(message.id);
                let asked = asked.bind(moment::to_number(next)).bind(why).bind(i64::from(is_given_up));
                self.db().write("note what was not sent", asked).await?;
                *(if is_given_up { &mut posted.given_up } else { &mut posted.failed }) += 1;
            }
        }
        Ok(())
    }

    /// Puts what goes together into one message; its id.
    async fn seal(&self, due: &Due) -> Result<String, Error> {
        let id = self.new_id();
        let asked = if is_program(&due.address) {
            sqlx::query(include_str!("../sql/sqlite/post_alone.sql")).bind(id.clone()).bind(due.id)
        } else {
            sqlx::query(include_str!("../sql/sqlite/post_group.sql"))
                .bind(id.clone())
                .bind(due.address.clone())
                .bind(due.owner)
                .bind(moment::to_number(self.now()))
                .bind(i64::from(due.is_digest))
                .bind(NEWS_MAX)
        };
        self.db().write("put a message together", asked).await?;
        Ok(id)
    }
}
