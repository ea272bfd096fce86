//! Writing checks down: one transaction for a group, with the mark of the job that has their captures.

use std::time::Duration;

use ::db::{Row, Statement, Transaction};
use archive::{Mark, Placed};
use jiff::Timestamp;

use crate::check::{Check, Outcome};
use crate::db::{Db, get, stored};
use crate::error::Error;
use crate::judging::{Document, Judged, Meaning};
use crate::known::{Known, Record};
use crate::moment;
use crate::standing::Standing;

/// An answer that was asked for so long before a later one is not late: somebody has put a clock back.
const LATE_MAX: Duration = Duration::from_secs(600);

/// Settles a group: all of it, or nothing.
pub(crate) async fn settle(
    db: &Db,
    job: i64,
    group: &[(Judged, Option<Placed>)],
    mark: &Mark,
    now: Timestamp,
) -> Result<Vec<Settled>, Error> {
    let failed = || Error::database("write checks down");
    let transaction = db.begin().await?;
    let mut settling = Settling { transaction, job, now };
    let mut settled = Vec::with_capacity(group.len());
    for (judged, placed) in group {
        settled.push(settling.one(judged, placed.as_ref()).await?);
    }
    let marked = ::db::query(include_str!("../sql/job_mark.sql")).bind(job);
    settling.write("keep a job's mark", marked.bind(mark.as_bytes().to_vec())).await?;
    settling.transaction.commit().await.map_err(failed())?;
    Ok(settled)
}

/// A check that is written down.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) check: Check,
    /// The URL's number.
    pub(crate) resource: i64,
    /// Whether it is to be judged for somebody who watches.
    pub(crate) is_news: bool,
}

struct Settling {
    transaction: Transaction,
    job: i64,
    now: Timestamp,
}

impl Settling {
    async fn one(&mut self, judged: &Judged, placed: Option<&Placed>) -> Result<Settled, Error> {
        let mut known = self.known(judged).await?;
        // Another process has asked later and was answered sooner: what it knows is newer. A check from the future is no later one: the
        // clock was ahead.
        let late = known.checked_at.is_some_and(|last| {
            judged.at < last && last <= self.now && last.duration_since(judged.at).unsigned_abs() < LATE_MAX
        });
        let mut why = judged.why.clone();
        let (outcome, document) = match &judged.meaning {
            Meaning::Document(document) if late && known.newest > 0 => {
                why = Some("answered after a later check had been; the newest version stays".to_owned());
                (Outcome::Unchanged, Some(document))
            }
            Meaning::AsBefore { .. } if late => (Outcome::Unchanged, None),
            Meaning::Document(document) => {
                (self.document(&mut known, judged, document, placed).await?, Some(document))
            }
            Meaning::AsBefore { etag, last_modified } => {
                // What was not said again holds on.
                known.etag = etag.clone().or(known.etag);
                known.last_modified = last_modified.clone().or(known.last_modified);
                (Outcome::Unchanged, None)
            }
            Meaning::Unavailable => (Outcome::Unavailable, None),
            Meaning::Unreachable => (Outcome::Unreachable, None),
            Meaning::TooLarge { head } => {
                let has_changed = known.large_head.as_ref().is_some_and(|before| before != head);
                (known.is_large, known.large_head) = (true, Some(head.clone()));
                (Outcome::TooLarge { has_changed }, None)
            }
            Meaning::Cut(digest) => {
                known.cut_digest = Some(*digest);
                (Outcome::Incomplete, None)
            }
        };
        let mut check = Check {
            id: 0,
            url: judged.url.clone(),
            at: judged.at,
            outcome,
            status: judged.status,
            final_url: judged.final_url.clone(),
            redirects: judged.redirects,
            digest: document.map(|document| document.digest),
            length: document.map(|document| document.length),
            version: Some(known.newest).filter(|newest| *newest > 0),
            took: judged.took,
            why,
            faults: judged.faults.clone(),
            head: judged.head.clone(),
            is_repeated: false,
        };
        check.id = self.add_check(known.id, &check).await?;
        if !late {
            (known.last_check, known.checked_at) = (Some(check.id), Some(check.at));
        }
        self.save(&known).await?;
        let is_news = self.next_due(&known, &check).await?;
        Ok(Settled { check, resource: known.id, is_news })
    }

    /// What is known, as of this transaction: another process may have been quicker.
    async fn known(&mut self, judged: &Judged) -> Result<Known, Error> {
        let find = || ::db::query(include_str!("../sql/resource_find.sql")).bind(judged.url.clone());
        if let Some(row) = self.read("look for a URL", find()).await? {
            return Known::of(&row);
        }
        let added = ::db::query(include_str!("../sql/resource_add.sql")).bind(judged.url.clone());
        let added = added.bind(urlkey::key(&judged.url)).bind(moment::to_number(judged.at));
        self.write("add a URL", added).await?;
        let row = self.read("look for a URL", find()).await?;
        Known::of(&row.ok_or_else(|| Error::Unknown(judged.url.clone()))?)
    }

    /// A document came: it is a version, or it is the newest one again.
    async fn document(
        &mut self,
        known: &mut Known,
        judged: &Judged,
        document: &Document,
        placed: Option<&Placed>,
    ) -> Result<Outcome, Error> {
        known.asked_url = Some(document.url.clone());
        known.etag.clone_from(&document.etag);
        known.last_modified.clone_from(&document.last_modified);
        (known.sent_length, known.sent_digest) = (document.sent_length, document.sent_digest.clone());
        (known.is_large, known.large_head, known.cut_digest) = (false, Some(document.told.clone()), None);
        if known.digest == Some(document.digest) {
            return Ok(Outcome::Unchanged);
        }
        let outcome = if known.newest == 0 { Outcome::First } else { Outcome::Changed };
        known.newest = known.newest.saturating_add(1);
        known.digest = Some(document.digest);
        known.media_type.clone_from(&judged.mime);
        known.record = placed.map(|placed| record(judged, document, placed));
        let payload = placed.and_then(|placed| placed.digest.clone());
        let added = ::db::query(include_str!("../sql/version_add.sql")).bind(known.id).bind(known.newest);
        let added = added.bind(moment::to_number(judged.at)).bind(document.digest.bytes().to_vec());
        let added = added.bind(stored(document.length)).bind(judged.mime.clone());
        let added = added.bind(document.last_modified.clone()).bind(document.url.clone());
        let added = added.bind(payload).bind(self.job).bind(judged.charset.clone());
        self.write("add a version", added).await?;
        Ok(outcome)
    }

    async fn add_check(&mut self, resource: i64, check: &Check) -> Result<i64, Error> {
        let faults: Vec<&str> = check.faults.iter().map(|fault| fault.code()).collect();
        let took = i64::try_from(check.took.as_millis()).unwrap_or(i64::MAX);
        let added = ::db::query(include_str!("../sql/look_add.sql")).bind(resource).bind(self.job);
        let added = added.bind(moment::to_number(check.at)).bind(check.outcome.code());
        let added =
            added.bind(check.status.map(i64::from)).bind(check.final_url.clone()).bind(check.redirects);
        let added = added.bind(check.digest.map(|digest| digest.bytes().to_vec()));
        let added = added.bind(check.length.map(stored)).bind(check.version.unwrap_or(0)).bind(took);
        let added = added.bind(check.why.clone()).bind(faults.join(" ")).bind(check.head.clone());
        let row = self.read("write a check down", added).await?;
        get(&row.ok_or_else(|| Error::Unknown(check.url.clone()))?, "id")
    }

    async fn save(&mut self, known: &Known) -> Result<(), Error> {
        let record = known.record.clone();
        let saved = ::db::query(include_str!("../sql/resource_save.sql")).bind(known.id).bind(known.newest);
        let saved =
            saved.bind(known.digest.map(|digest| digest.bytes().to_vec())).bind(known.asked_url.clone());
        let saved = saved.bind(known.etag.clone()).bind(known.last_modified.clone());
        let saved = saved.bind(known.sent_length.map(stored)).bind(known.sent_digest.clone());
        let saved = saved.bind(record.as_ref().map(|record| moment::to_number(record.at)));
        let saved = saved.bind(record.as_ref().map(|record| record.url.clone()));
        let saved = saved.bind(record.as_ref().and_then(|record| record.file.clone()));
        let saved = saved.bind(record.as_ref().and_then(|record| record.offset).map(stored));
        let saved = saved.bind(record.as_ref().and_then(|record| record.length).map(stored));
        let saved = saved.bind(record.and_then(|record| record.payload)).bind(known.media_type.clone());
        let saved = saved.bind(i64::from(known.is_large)).bind(known.large_head.clone());
        let saved = saved.bind(known.cut_digest.map(|digest| digest.bytes().to_vec()));
        let saved = saved.bind(known.last_check).bind(known.checked_at.map(moment::to_number));
        self.write("keep what is known of a URL", saved).await
    }

    /// When those who watch this URL want it checked again. Says whether there is something to judge for one of them.
    async fn next_due(&mut self, known: &Known, check: &Check) -> Result<bool, Error> {
        let asked = ::db::query(include_str!("../sql/watch_of.sql")).bind(known.id);
        let rows = asked.fetch_all(&mut self.transaction).await;
        let mut is_news = false;
        for row in rows.map_err(Error::database("look for watches"))? {
            let mut standing = Standing::of(&row)?;
            standing.after(known.newest, check);
            is_news |= standing.is_news(known.newest);
            let due = check.at.checked_add(standing.pace.pause()).unwrap_or(Timestamp::MAX);
            let saved = ::db::query(include_str!("../sql/watch_next.sql")).bind(standing.id);
            let saved = saved.bind(standing.pace.numbers().0).bind(moment::to_number(due));
            let saved = saved.bind(standing.judged).bind(standing.missed);
            self.write("say when a watch is due", saved.bind(standing.calm).bind(standing.large)).await?;
        }
        Ok(is_news)
    }

    async fn read(&mut self, what: &'static str, asked: Statement) -> Result<Option<Row>, Error> {
        asked.fetch_optional(&mut self.transaction).await.map_err(Error::database(what))
    }

    async fn write(&mut self, what: &'static str, asked: Statement) -> Result<(), Error> {
        asked.execute(&mut self.transaction).await.map(drop).map_err(Error::database(what))
    }
}

/// The record that holds a document's payload: its own, or an earlier one that the archive has.
fn record(judged: &Judged, document: &Document, placed: &Placed) -> Record {
    let payload = placed.digest.clone();
    match &placed.original {
        Some(original) => Record {
            at: original.date,
            url: original.url.clone(),
            file: original.file.clone(),
            offset: original.offset,
            length: original.length,
            payload,
        },
        None => Record {
            at: judged.at,
            url: document.url.clone(),
            file: Some(placed.file.clone()),
            offset: Some(placed.offset),
            length: Some(placed.length),
            payload,
        },
    }
}
