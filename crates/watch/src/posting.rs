//! Telling people: what waits in the database goes out, and is tried again until it has.
//!
//! ```text
//! 1 what is due is put into a message, which gets its id and keeps it
//! 2 that it is tried is noted, and when it would be tried again
//! 3 the message is sent
//! 4 that it was sent is noted
//! ```
//! After a crash between 3 and 4 the same message is sent again with the same id, by which whoever gets it twice knows. Nothing is told twice
//! otherwise, and nothing is forgotten.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use ::db::Row;
use jiff::Timestamp;

use crate::blocking::blocking;
use crate::db::{BAD_PAUSE, get, number};
use crate::error::Error;
use crate::moment;
use crate::monitor::Monitor;
use crate::news::News;
use crate::telling::{Telling, quiet_until};
use crate::watching::read;

/// Messages that are looked at in one go.
const PAGE: u32 = 200;
/// News of one message.
const NEWS_MAX: usize = 50;
/// How long a message that failed is left alone; after each further failure twice as long …
const REST_FIRST: Duration = Duration::from_secs(60);
/// … up to this.
pub(crate) const REST_MAX: Duration = Duration::from_secs(6 * 3600);
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
    at: Timestamp,
}

impl Due {
    fn of(row: &Row) -> Result<Due, Error> {
        Ok(Due {
            id: get(row, "id")?,
            address: get(row, "address")?,
            owner: get(row, "owner")?,
            is_digest: get::<i64>(row, "is_digest")? != 0,
            message: get(row, "message")?,
            tries: number("tries", get(row, "tries")?)?,
            telling: read("notify", &get::<String>(row, "notify")?)?,
            at: moment::parse("due_at", get(row, "due_at")?)?,
        })
    }
}

impl Monitor {
    /// Sends all that is due. One process at a time does that for an archive.
    ///
    /// # Errors
    /// When the database cannot be read or written. That somebody cannot be told is no error: it is tried again.
    pub async fn post(&self, courier: &Arc<dyn Courier>) -> Result<Posted, Error> {
        self.bring_messages_forward().await?;
        let mut posted = Posted::default();
        // Whoever does not answer is not asked again in the same breath: others wait behind.
        let mut away: HashSet<String> = HashSet::new();
        loop {
            let now = self.now();
            let asked = ::db::query(include_str!("../sql/post_due.sql"));
            let asked = asked.bind(moment::to_number(now)).bind(PAGE);
            let (due, bad) = self.db().list_good("look for messages", asked, Due::of).await?;
            for id in &bad {
                self.put_off(*id, now.checked_add(BAD_PAUSE).unwrap_or(Timestamp::MAX)).await?;
            }
            if due.is_empty() && bad.is_empty() {
                return Ok(posted);
            }
            let (mut sealed, mut tried) = (HashSet::new(), HashSet::new());
            for due in due {
                // It went with one before, sealed just now or at an earlier try.
                if sealed.contains(&due.id)
                    || due.message.as_ref().is_some_and(|id| !tried.insert(id.clone()))
                {
                    continue;
                }
                if away.contains(way(&due.address)) {
                    self.put_off(due.id, now.checked_add(REST_FIRST).unwrap_or(Timestamp::MAX)).await?;
                } else if let Some(until) = self.quiet_until(&due, now) {
                    self.put_off(due.id, until).await?;
                } else if !self.send(&due, courier, &mut posted, &mut sealed).await? {
                    away.insert(way(&due.address).to_owned());
                }
            }
        }
    }

    /// When there is something to send next.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next_post(&self) -> Result<Option<Timestamp>, Error> {
        let asked = ::db::query(include_str!("../sql/post_next.sql"));
        let next = self.db().one("look for messages", asked, |row| get::<Option<i64>>(row, "due_at")).await?;
        next.flatten().map(|at| moment::parse("due_at", at)).transpose()
    }

    /// The end of the hours of quiet that something comes in.
    fn quiet_until(&self, due: &Due, now: Timestamp) -> Option<Timestamp> {
        quiet_until(due.telling.quiet.as_ref()?, now, &self.settings().zone)
    }

    async fn put_off(&self, id: i64, until: Timestamp) -> Result<(), Error> {
        let asked = ::db::query(include_str!("../sql/post_postpone.sql")).bind(id);
        self.db().write("put a message off", asked.bind(moment::to_number(until))).await.map(drop)
    }

    /// Sends a message; whether somebody was there to take it.
    async fn send(
        &self,
        due: &Due,
        courier: &Arc<dyn Courier>,
        posted: &mut Posted,
        sealed: &mut HashSet<i64>,
    ) -> Result<bool, Error> {
        let now = self.now();
        let id = match &due.message {
            Some(id) => id.clone(),
            None => self.seal(due, now, sealed).await?,
        };
        let asked = ::db::query(include_str!("../sql/news_of_message.sql")).bind(id.clone());
        let news = self.db().list("look for news", asked, News::of).await?;
        let Some(first) = news.first() else { return Ok(true) };
        let message = Message { id: id.clone(), to: due.address.clone(), owner: first.owner.clone(), news };
        // Whoever cannot note that must not send: it would go out again and again.
        let rest = REST_FIRST.saturating_mul(1 << due.tries.min(16)).min(REST_MAX);
        let next = now.checked_add(rest).unwrap_or(Timestamp::MAX);
        let asked = ::db::query(include_str!("../sql/post_try.sql")).bind(id.clone());
        self.db().write("note what is sent", asked.bind(moment::to_number(next))).await?;
        let courier = Arc::clone(courier);
        match blocking(move || courier.deliver(&message)).await? {
            Ok(()) => {
                let asked = ::db::query(include_str!("../sql/post_sent.sql")).bind(id);
                self.db().write("note what was sent", asked.bind(moment::to_number(self.now()))).await?;
                posted.sent += 1;
                Ok(true)
            }
            Err(Undelivered { why, is_final }) => {
                let is_given_up = is_final || due.tries.saturating_add(1) >= TRIES_MAX;
                let asked = ::db::query(include_str!("../sql/post_failed.sql")).bind(id);
                let asked = asked.bind(why).bind(i64::from(is_given_up));
                self.db().write("note what was not sent", asked).await?;
                *(if is_given_up { &mut posted.given_up } else { &mut posted.failed }) += 1;
                Ok(is_final)
            }
        }
    }

    /// Puts what goes together into one message; its id. By mail that is all that is due to an address, and with a digest all that waits for one
    /// as long; what is in hours of quiet stays out.
    async fn seal(&self, due: &Due, now: Timestamp, sealed: &mut HashSet<i64>) -> Result<String, Error> {
        let mut together = vec![due.id];
        if !is_program(&due.address) {
            let asked = ::db::query(include_str!("../sql/post_waiting.sql")).bind(due.address.clone());
            let asked = asked.bind(due.owner).bind(moment::to_number(now)).bind(PAGE);
            let (others, _) = self.db().list_good("look for messages", asked, Due::of).await?;
            let goes_along = |other: &Due| {
                let is_due = other.at <= now;
                let is_same = due.is_digest && other.is_digest && other.telling.digest == due.telling.digest;
                other.id != due.id && (is_due || is_same) && self.quiet_until(other, now).is_none()
            };
            together.extend(others.iter().filter(|other| goes_along(other)).map(|other| other.id));
            together.truncate(NEWS_MAX);
        }
        let id = self.new_id();
        let failed = || Error::database("put a message together");
        let mut sealing = self.db().begin().await?;
        for post in &together {
            let asked = ::db::query(include_str!("../sql/post_alone.sql")).bind(id.clone()).bind(*post);
            asked.execute(&mut sealing).await.map_err(failed())?;
        }
        sealing.commit().await.map_err(failed())?;
        sealed.extend(together);
        Ok(id)
    }
}

/// By which way something goes: all mail by one server.
fn way(address: &str) -> &str {
    if is_program(address) { address } else { "mail" }
}
