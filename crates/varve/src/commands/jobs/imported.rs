//! `varve jobs show` of an import: what became of its files.

use api::jobs::{Import, Summary};
use archive::Archive;
use serde::Serialize;

use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::{Align, Columns, amount, escape};

/// What a program is told.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    job: &'a Summary,
    import: &'a Import,
}

pub(super) fn show(job: &Summary, archive: &Archive, session: &mut Session) -> anyhow::Result<Exit> {
    let import = Import::read(archive, &job.job).unwrap_or_default();
    if session.globals.json {
        session.out.json(&Row { job, import: &import })?;
        session.out.finish()?;
        return Ok(Exit::Done);
    }
    let (name, collection) = (escape(&job.job), escape(&job.collection));
    session.out.line(format!("{name}: {}; an import into `{collection}`", job.state))?;
    session.out.line("")?;
    let columns = Columns::new([(Align::Left, 12), (Align::Right, 9)]);
    let nothing = String::new;
    let rows = [
        ("files", import.files, nothing()),
        ("  imported", import.imported, amount::bytes(import.bytes)),
        ("  salvaged", import.salvaged, nothing()),
        ("  known", import.known, "were in the archive before".to_owned()),
        ("  damaged", import.damaged, nothing()),
        ("  failed", import.failed, nothing()),
        ("captures", import.captures, nothing()),
    ];
    for (what, count, remark) in rows {
        session.out.line(columns.row([what, &amount::grouped(count), &remark]))?;
    }
    let began = job.started.get(..19).unwrap_or(&job.started).replace('T', " ");
    session.out.line("")?;
    session.out.line(format!("began {} UTC", escape(&began)))?;
    session.out.finish()?;
    session.talk.hint(&format!("`varve jobs log {name}` has a line for each file"));
    Ok(Exit::Done)
}
