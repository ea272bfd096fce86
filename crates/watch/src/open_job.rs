//! The job that takes the captures: an ordinary one of the archive, kept open for many checks.
//!
//! ```text
//! ARCHIVE/work/watch-20261118080000/
//!   lock               held by the process that writes it
//!   logs/checks.jsonl  every check of it, written for its metadata file when it is committed
//!   warc/              the archive's
//! ```
//! Each process has its own. One that was left by a process that is gone is resumed from the mark that the last transaction kept, which
//! cuts off whatever was not settled, and committed.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use ::db::Row;
use archive::{Archive, Committed, Content, Intake, Mark, Note, Packer};
use index::Commit;
use jiff::Timestamp;
use warc::{Algorithm, Hasher};

use crate::check::Check;
use crate::db::{Db, WATCH_LIST, get, json};
use crate::error::Error;
use crate::moment;
use crate::remaking::{CHECKS, WATCHES, WatchLine};
use crate::settings::Settings;
use crate::sha256::Sha256;
use crate::watching::Watch;

/// What a job's name begins with.
const NAME: &str = "watch-";
/// Checks that are read at once for the note.
const PAGE: u32 = 1_000;

/// A job that is written to.
#[derive(Debug)]
pub(crate) struct OpenJob {
    pub(crate) id: i64,
    name: String,
    began: Timestamp,
    pub(crate) packer: Packer,
    pub(crate) intake: Intake,
    _lock: File,
}

impl OpenJob {
    /// Begins a job of a name that no other has.
    pub(crate) async fn begin(db: &Db, archive: &Archive, settings: &Settings) -> Result<OpenJob, Error> {
        let began = moment::rounded(settings.now());
        let stamp = urlkey::time::to_14(began);
        let mut number = 1_u32;
        loop {
            let name = if number == 1 { format!("{NAME}{stamp}") } else { format!("{NAME}{stamp}-{number}") };
            number = number.saturating_add(1);
            // The lock comes before the row, so that nobody takes the row for one that was left behind.
            let Some(lock) = lock(archive, &name)? else { continue };
            if is_taken(db, &name).await? {
                leave(archive, &name);
                continue;
            }
            let begun = ::db::query(include_str!("../sql/job_begin.sql")).bind(name.clone());
            let row = db.write_returning("begin a job", begun.bind(moment::to_number(began))).await?;
            let id: i64 = get(&row.ok_or(Error::Closed)?, "id")?;
            match archive.begin(&name, &settings.about(began)) {
                Ok((packer, intake)) => return Ok(OpenJob { id, name, began, packer, intake, _lock: lock }),
                // Another database knew of it, or it was committed before this one was made.
                Err(archive::Error::JobExists(_)) => {
                    remove_row(db, id).await?;
                    leave(archive, &name);
                }
                Err(error) => {
                    // Nothing of it was ever settled.
                    remove(&archive.work().join(&name));
                    remove_row(db, id).await?;
                    return Err(error.into());
                }
            }
        }
    }

    /// Brings the captures into the archive, with a note of every check.
    pub(crate) async fn commit(
        self,
        db: &Db,
        archive: &Archive,
        settings: &Settings,
    ) -> Result<Committed, Error> {
        let OpenJob { id, name, began, packer, intake, _lock } = self;
        drop(packer);
        let folder = archive.work().join(&name);
        let log = folder.join("logs").join(CHECKS);
        let is_begun = intake.is_committing();
        let (checks, changed) = counts(db, id).await?;
        if !is_begun {
            write_log(db, id, &log).await?;
        }
        let mut notes = vec![Note::new(&name, "logs", CHECKS, "application/jsonl", Content::File(log))];
        let list = folder.join(WATCHES);
        if !is_begun {
            write_watches(db, id, &list).await?;
        }
        // One that is not there is left out.
        notes.push(Note::new(&name, "setup", WATCHES, "application/jsonl", Content::File(list)));
        let facts = [
            ("kind", archive::WATCH.to_owned()),
            ("checks", checks.to_string()),
            ("changed", changed.to_string()),
        ];
        let facts = facts.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let committed = archive.commit(intake, notes, Commit { name: name.clone(), at: began, facts })?;
        end(db, id, settings.now()).await?;
        remove(&folder);
        Ok(committed)
    }
}

/// Commits what processes have left that are gone. What cannot be taken up is told, and left as it is.
pub(crate) async fn recover(
    db: &Db,
    archive: &Archive,
    settings: &Settings,
) -> Result<Vec<Committed>, Error> {
    let asked = ::db::query(include_str!("../sql/job_open.sql"));
    let mut committed = Vec::new();
    for left in db.list("look for open jobs", asked, Left::of).await? {
        match left.take_up(db, archive, settings).await {
            Ok(taken) => committed.extend(taken),
            Err(error) => {
                tracing::error!("{}: the checks of this job are not in the archive: {error}", left.name)
            }
        }
    }
    Ok(committed)
}

/// A job that has no end yet.
struct Left {
    id: i64,
    name: String,
    began: Timestamp,
    mark: Option<Vec<u8>>,
}

impl Left {
    fn of(row: &Row) -> Result<Left, Error> {
        let began = moment::parse("began_at", get(row, "began_at")?)?;
        Ok(Left { id: get(row, "id")?, name: get(row, "name")?, began, mark: get(row, "mark")? })
    }

    async fn take_up(
        &self,
        db: &Db,
        archive: &Archive,
        settings: &Settings,
    ) -> Result<Option<Committed>, Error> {
        let Left { id, name, began, mark } = self;
        let Some(lock) = lock(archive, name)? else { return Ok(None) };
        let folder = archive.work().join(name);
        let Some(mark) = mark else {
            // Nothing of it was ever settled.
            archive.discard(name)?;
            remove_row(db, *id).await?;
            return Ok(None);
        };
        let mark = Mark::from_bytes(mark.clone());
        match archive.resume(name, &settings.about(*began), &mark) {
            Ok((packer, intake)) => {
                let job = OpenJob { id: *id, name: name.clone(), began: *began, packer, intake, _lock: lock };
                job.commit(db, archive, settings).await.map(Some)
            }
            Err(archive::Error::IsCommitted(_)) => {
                end(db, *id, settings.now()).await?;
                remove(&folder);
                Ok(None)
            }
            Err(archive::Error::NoJob(_)) => {
                // Somebody has removed it; what the database says of it is all that is left.
                tracing::error!("{name}: the captures of this job are gone from {}", folder.display());
                end(db, *id, settings.now()).await?;
                leave(archive, name);
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The lock of a job's folder, which is made; `None` if another process has it.
fn lock(archive: &Archive, name: &str) -> Result<Option<File>, Error> {
    let folder = archive.work().join(name);
    archive.make_work()?;
    if !private::make_folder(&folder).map_err(Error::file(&folder))? {
        private::check_folder(&folder).map_err(Error::file(&folder))?;
    }
    Ok(job::lock::take(&folder.join("lock"))?)
}

/// Takes a folder away again that was made for a lock alone; one that holds more stays.
fn leave(archive: &Archive, name: &str) {
    let folder = archive.work().join(name);
    let holds_more = fs::read_dir(&folder)
        .is_ok_and(|mut entries| entries.any(|entry| entry.is_ok_and(|entry| entry.file_name() != "lock")));
    if !holds_more {
        remove(&folder);
    }
}

async fn is_taken(db: &Db, name: &str) -> Result<bool, Error> {
    let asked = ::db::query(include_str!("../sql/job_named.sql")).bind(name.to_owned());
    Ok(db.one("look for a job", asked, |_| Ok(())).await?.is_some())
}

async fn remove_row(db: &Db, id: i64) -> Result<(), Error> {
    let asked = ::db::query(include_str!("../sql/job_remove.sql")).bind(id);
    db.write("remove a job", asked).await.map(drop)
}

async fn end(db: &Db, id: i64, at: Timestamp) -> Result<(), Error> {
    let asked = ::db::query(include_str!("../sql/job_end.sql")).bind(id).bind(moment::to_number(at));
    db.write("end a job", asked).await.map(drop)
}

/// Checks of a job, and how many of them found something new.
async fn counts(db: &Db, id: i64) -> Result<(i64, i64), Error> {
    let asked = ::db::query(include_str!("../sql/job_counts.sql")).bind(id);
    let counts = db.one("count checks", asked, |row| Ok((get(row, "checks")?, get(row, "changed")?))).await?;
    Ok(counts.unwrap_or((0, 0)))
}

/// A new file in a job's folder.
fn create(path: &Path) -> std::io::Result<File> {
    private::options().write(true).create(true).truncate(true).open(path)
}

/// Writes every check of a job down as a line.
async fn write_log(db: &Db, id: i64, path: &Path) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    private::make_folder(folder).map_err(Error::file(folder))?;
    let mut file = BufWriter::new(create(path).map_err(Error::file(path))?);
    let mut behind = 0_i64;
    loop {
        let asked = ::db::query(include_str!("../sql/job_looks.sql")).bind(id).bind(behind).bind(PAGE);
        let rows = db.rows("list checks", asked).await?;
        let Some(last) = rows.last() else { break };
        behind = get(last, "id")?;
        for row in &rows {
            writeln!(file, "{}", Check::of(row)?.to_line()).map_err(Error::file(path))?;
        }
    }
    file.flush().map_err(Error::file(path))
}

/// Writes the watches down as they are, unless the metadata of an earlier job have the same.
async fn write_watches(db: &Db, id: i64, path: &Path) -> Result<(), Error> {
    let (mut hasher, mut behind) = (Hasher::new(Algorithm::Sha256), 0_i64);
    let mut file = BufWriter::new(create(path).map_err(Error::file(path))?);
    loop {
        let asked = ::db::query(WATCH_LIST).bind(behind);
        let asked = asked.bind(None::<String>).bind(None::<String>).bind(PAGE);
        let rows = db.rows("list watches", asked).await?;
        let Some(last) = rows.last() else { break };
        behind = get(last, "id")?;
        for row in &rows {
            // What makes no sense is told by whoever looks what is due.
            let Ok(watch) = Watch::of(row) else { continue };
            let line = json(&WatchLine::of(watch)) + "\n";
            hasher.update(line.as_bytes());
            file.write_all(line.as_bytes()).map_err(Error::file(path))?;
        }
    }
    file.flush().map_err(Error::file(path))?;
    let digest = Sha256::of(&hasher.finish()).map(|digest| digest.bytes().to_vec());
    let asked = ::db::query(include_str!("../sql/job_watches.sql"));
    let before = db.one("list watches", asked, |row| get::<Option<Vec<u8>>>(row, "watches")).await?.flatten();
    if before == digest || (before.is_none() && behind == 0) {
        return std::fs::remove_file(path).map_err(Error::file(path));
    }
    let noted = ::db::query(include_str!("../sql/job_noted.sql")).bind(id).bind(digest);
    db.write("list watches", noted).await.map(drop)
}

/// What is left of a folder after its commit is in nobody's way.
fn remove(folder: &Path) {
    if let Err(error) = fs::remove_dir_all(folder) {
        tracing::warn!("{}: not removed: {error}", folder.display());
    }
}
