//! Changes that become visible all together.

use std::future::Future;

use db::{Row, Statement, Transaction};
use jiff::Timestamp;
use tokio::runtime::Runtime;

use crate::audit::{Audit, AuditKind, AuditState};
use crate::catalogue::latest_due;
use crate::copy::{Moved, State};
use crate::error::Error;
use crate::event::{Event, Happened, Hash};
use crate::file::{File, stored};
use crate::replica::{Kind, Replica};

/// Changes under way: see [`crate::Catalogue::change`]. Dropped before the end, nothing of them remains.
#[derive(Debug)]
pub struct Change<'a> {
    transaction: Transaction,
    runtime: &'a Runtime,
}

impl<'a> Change<'a> {
    pub(crate) fn new(transaction: Transaction, runtime: &'a Runtime) -> Change<'a> {
        Change { transaction, runtime }
    }

    pub(crate) fn commit(self) -> Result<(), Error> {
        self.runtime.block_on(self.transaction.commit()).map_err(Error::database("keep a change"))
    }

    /// Makes a replica known; all files are wanted in it. One that is known stays as it is.
    ///
    /// # Errors
    /// When one of this name is of another kind, or the database cannot write.
    pub fn add_replica(&mut self, replica: &Replica, at: Timestamp) -> Result<(), Error> {
        let Replica { name, kind } = replica;
        let added = db::query(include_str!("../sql/replica_add.sql"));
        let added = added.bind(name.clone()).bind(kind.name()).bind(at);
        let is_new = self.write("add a replica", added)? > 0;
        let (id, found) = self.replica(name)?;
        if found != *kind {
            return Err(Error::OtherKind(name.clone()));
        }
        if is_new {
            let wanted = db::query(include_str!("../sql/copy_want_all.sql"));
            self.write("want copies", wanted.bind(id).bind(at))?;
        }
        Ok(())
    }

    /// Forgets a replica and all that is known of its copies. The files in it stay where they are.
    ///
    /// # Errors
    /// When there is none, or the database cannot write.
    pub fn remove_replica(&mut self, name: &str) -> Result<(), Error> {
        let removed = db::query(include_str!("../sql/replica_remove.sql")).bind(name.to_owned());
        match self.write("remove a replica", removed)? {
            0 => Err(Error::NoReplica(name.to_owned())),
            _ => Ok(()),
        }
    }

    /// Takes note of a file; it is wanted in every replica. The same file again is what it was.
    ///
    /// # Errors
    /// When another file of this name is known, or the database cannot write.
    pub fn add_file(&mut self, name: &str, bytes: u64, sha256: &str, at: Timestamp) -> Result<File, Error> {
        let added = db::query(include_str!("../sql/file_add.sql"));
        let added = added.bind(name.to_owned()).bind(stored(bytes)).bind(sha256.to_owned()).bind(at);
        self.write("add a file", added)?;
        let file = self.file(name)?;
        if (file.bytes, file.sha256.as_str()) != (bytes, sha256) {
            return Err(Error::Taken(name.to_owned()));
        }
        let wanted = db::query(include_str!("../sql/copy_want_everywhere.sql"));
        self.write("want copies", wanted.bind(file.id).bind(at))?;
        Ok(file)
    }

    /// Puts right what is recorded of a file. All its copies are wanted again, so that each is read before it counts.
    ///
    /// # Errors
    /// When the database cannot write.
    pub fn correct_file(
        &mut self,
        file: &File,
        bytes: u64,
        sha256: &str,
        at: Timestamp,
    ) -> Result<(), Error> {
        let corrected = db::query(include_str!("../sql/file_correct.sql")).bind(file.id);
        self.write("correct a file", corrected.bind(stored(bytes)).bind(sha256.to_owned()))?;
        let wanted = db::query(include_str!("../sql/copy_want_again.sql")).bind(file.id);
        self.write("want copies", wanted.bind(at))?;
        Ok(())
    }

    /// Forgets a file and its copies.
    ///
    /// # Errors
    /// When the database cannot write.
    pub fn remove_file(&mut self, file: &File) -> Result<(), Error> {
        // Its copies first: what is counted of them needs to know how long it was.
        let copies = db::query(include_str!("../sql/copy_remove.sql")).bind(file.id);
        self.write("remove copies", copies)?;
        let removed = db::query(include_str!("../sql/file_remove.sql")).bind(file.id);
        self.write("remove a file", removed)?;
        Ok(())
    }

    /// Moves a copy from one state to another. `false` where it is in another state than was said, and stays there: somebody else
    /// was quicker.
    ///
    /// # Errors
    /// When there is no such replica, no way leads from the one state to the other, or the database cannot write.
    pub fn move_copy(&mut self, file: &File, replica: &str, moved: &Moved) -> Result<bool, Error> {
        let (id, _) = self.replica(replica)?;
        if !moved.from.leads_to(moved.to) {
            let found = format!("{} to {}", moved.from, moved.to);
            return Err(Error::Damaged { what: "move", found });
        }
        let asked = db::query(include_str!("../sql/copy_find.sql")).bind(file.id).bind(id);
        let Some(row) = self.read("look for a copy", asked)? else { return Ok(false) };
        let failed = || Error::database("read a copy's row");
        let tries: i64 = row.get("tries").map_err(failed())?;
        let due: Timestamp = row.get("due_us").map_err(failed())?;
        let checked: i64 = row.get("checked_us").map_err(failed())?;
        let tries = match moved.to {
            State::Failed => tries.saturating_add(1),
            State::Verified => 0,
            _ => tries,
        };
        let due = match moved.to {
            State::Failed => moved.retry_at.unwrap_or(moved.at),
            State::Wanted => moved.at,
            _ => due,
        };
        let checked = if moved.to == State::Verified { moved.at.as_microsecond() } else { checked };
        let change = db::query(include_str!("../sql/copy_move.sql")).bind(file.id).bind(id);
        let change = change.bind(moved.from.name()).bind(moved.to.name());
        let change = change.bind(moved.found.clone()).bind(moved.why.clone());
        Ok(self.write("move a copy", change.bind(tries).bind(due).bind(checked))? > 0)
    }

    /// Copies that are not there yet are due from this time on, however long their pause was to be.
    ///
    /// # Errors
    /// When the database cannot write.
    pub fn hurry(&mut self, at: Timestamp) -> Result<(), Error> {
        let hurried = db::query(include_str!("../sql/copy_hurry.sql")).bind(at);
        self.write("hurry copies", hurried).map(drop)
    }

    /// Whatever is due in a replica by now is due at a later time.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot write.
    pub fn put_off(&mut self, replica: &str, now: Timestamp, until: Timestamp) -> Result<(), Error> {
        let (id, _) = self.replica(replica)?;
        let put_off = db::query(include_str!("../sql/copy_put_off.sql")).bind(id);
        let put_off = put_off.bind(now).bind(until);
        let put_off = put_off.bind(latest_due(now));
        self.write("put copies off", put_off).map(drop)
    }

    /// Puts right how long a file is.
    ///
    /// # Errors
    /// When the database cannot write.
    pub fn set_length(&mut self, file: &File, bytes: u64) -> Result<(), Error> {
        let corrected = db::query(include_str!("../sql/file_length.sql")).bind(file.id);
        self.write("correct a file", corrected.bind(stored(bytes))).map(drop)
    }

    /// Accepts every file of which each copy is verified, as when a replica was given up.
    ///
    /// # Errors
    /// When the database cannot write.
    pub fn accept_all(&mut self, at: Timestamp) -> Result<u64, Error> {
        let accepted = db::query(include_str!("../sql/file_accept_all.sql"));
        self.write("accept files", accepted.bind(at))
    }

    /// Accepts a file if each of its copies is verified; says whether it became accepted by that.
    ///
    /// # Errors
    /// When the database cannot write.
    pub fn accept(&mut self, file: &File, at: Timestamp) -> Result<bool, Error> {
        let accepted = db::query(include_str!("../sql/file_accept.sql"));
        Ok(self.write("accept a file", accepted.bind(file.id).bind(at))? > 0)
    }

    /// Begins an audit. What was checked at a time that is yet to come was checked by a clock that was ahead, and counts as not checked:
    /// else nobody would look at it until then.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot write.
    pub fn begin_audit(&mut self, replica: &str, kind: AuditKind, at: Timestamp) -> Result<Audit, Error> {
        let (id, _) = self.replica(replica)?;
        let doubted = db::query(include_str!("../sql/copy_doubt.sql"));
        self.write("doubt what was checked", doubted.bind(id).bind(at))?;
        let begun = db::query(include_str!("../sql/audit_begin.sql"));
        self.write("begin an audit", begun.bind(id).bind(kind.name()).bind(at))?;
        let asked = db::query(include_str!("../sql/audit_last.sql")).bind(id).bind(1_u32);
        let row = self.read("look for an audit", asked)?;
        row.as_ref().map(Audit::of).unwrap_or_else(|| Err(Error::NoReplica(replica.to_owned())))
    }

    /// Keeps how far an audit has come.
    ///
    /// # Errors
    /// When the database cannot write.
    pub fn save_audit(&mut self, audit: &Audit) -> Result<(), Error> {
        let ended = audit.ended_at.filter(|_| audit.state != AuditState::Running);
        let saved = db::query(include_str!("../sql/audit_save.sql")).bind(audit.id);
        let saved = saved.bind(audit.state.name()).bind(ended).bind(audit.reached.clone());
        let saved = saved.bind(stored(audit.files)).bind(stored(audit.bytes)).bind(stored(audit.missing));
        let saved = saved.bind(stored(audit.changed)).bind(stored(audit.resized)).bind(stored(audit.unknown));
        let saved = saved.bind(stored(audit.not_copied));
        self.write("keep an audit", saved)?;
        Ok(())
    }

    /// Writes down something that happened.
    ///
    /// # Errors
    /// When the database cannot write.
    pub fn log(&mut self, at: Timestamp, happened: Happened) -> Result<Event, Error> {
        let row = self.read("look for an event", db::query(include_str!("../sql/event_last.sql")))?;
        let last = row.as_ref().map(last_of).transpose()?;
        let event = Event::behind(last, at, happened.without_zero_bytes());
        let Happened { kind, file, replica, who, what } = event.happened.clone();
        let added = db::query(include_str!("../sql/event_add.sql"));
        let added = added.bind(stored(event.number)).bind(at).bind(kind).bind(file);
        let added = added.bind(replica).bind(who).bind(what).bind(event.hash.bytes().to_vec());
        self.write("write an event down", added)?;
        Ok(event)
    }

    fn file(&mut self, name: &str) -> Result<File, Error> {
        let asked = db::query(include_str!("../sql/file_find.sql")).bind(name.to_owned());
        let row = self.read("look for a file", asked)?;
        File::of(&row.ok_or_else(|| Error::NoFile(name.to_owned()))?)
    }

    fn replica(&mut self, name: &str) -> Result<(i64, Kind), Error> {
        let asked = db::query(include_str!("../sql/replica_find.sql")).bind(name.to_owned());
        let row = self.read("look for a replica", asked)?.ok_or_else(|| Error::NoReplica(name.to_owned()))?;
        let failed = || Error::database("read a replica's row");
        let kind: String = row.get("kind").map_err(failed())?;
        Ok((row.get("id").map_err(failed())?, Kind::parse(&kind)?))
    }

    fn read(&mut self, what: &'static str, asked: Statement) -> Result<Option<Row>, Error> {
        wait(self.runtime, asked.fetch_optional(&mut self.transaction)).map_err(Error::database(what))
    }

    fn write(&mut self, what: &'static str, asked: Statement) -> Result<u64, Error> {
        wait(self.runtime, asked.execute(&mut self.transaction)).map_err(Error::database(what))
    }
}

fn wait<T>(runtime: &Runtime, work: impl Future<Output = T>) -> T {
    runtime.block_on(work)
}

fn last_of(row: &Row) -> Result<(u64, Hash), Error> {
    let failed = || Error::database("read an event's row");
    let hash: Vec<u8> = row.get("hash").map_err(failed())?;
    Ok((row.get("number").map_err(failed())?, Hash::of_bytes(&hash)?))
}
