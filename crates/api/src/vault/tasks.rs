//! What can be done about files, and by which words it is asked for.

use catalogue::AuditKind;
use serde::{Deserialize, Serialize};
use supervisor::Task;

use super::Keeping;
use crate::error::Error;

/// The same in JSON, and in a form of the pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskRow {
    task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    replica: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dry: Option<bool>,
}

/// By its words: which task, of which replica, and what an audit is to look at. Checksums, unless that is said.
///
/// # Errors
/// When there is no such task, or what it needs is missing.
pub fn parse_task(
    task: &str,
    replica: Option<&str>,
    kind: Option<&str>,
    is_dry: bool,
) -> Result<Task, Error> {
    if is_dry && task != "repair" {
        return Err(wrong("only a `repair` can be `dry`"));
    }
    match task {
        "bring" => Ok(Task::Bring),
        "backup" => Ok(Task::BackUp),
        "repair" => Ok(Task::Repair { is_dry }),
        "audit" => {
            let replica = replica.filter(|replica| !replica.is_empty());
            let replica = replica.ok_or_else(|| wrong("an audit needs the name of a `replica`"))?;
            let kind = match kind {
                None | Some("checksum") => AuditKind::Checksum,
                Some("presence") => AuditKind::Presence,
                Some(_) => return Err(wrong("the `kind` of an audit is `presence` or `checksum`")),
            };
            Ok(Task::Audit { replica: replica.to_owned(), kind })
        }
        _ => Err(wrong("a `task` is `bring`, `audit`, `repair` or `backup`")),
    }
}

impl TaskRow {
    pub(crate) fn of(task: &Task) -> TaskRow {
        let mut row = TaskRow { task: task.name().to_owned(), ..TaskRow::default() };
        match task {
            Task::Audit { replica, kind } => {
                row.replica = Some(replica.clone());
                row.kind = Some(kind.name().to_owned());
            }
            Task::Repair { is_dry } => row.dry = Some(*is_dry),
            Task::Bring | Task::BackUp => {}
        }
        row
    }

    pub(crate) fn task(&self) -> Result<Task, Error> {
        let TaskRow { task, replica, kind, dry } = self;
        parse_task(task, replica.as_deref(), kind.as_deref(), dry.unwrap_or(false))
    }
}

impl Keeping {
    /// Wants something done. It is done behind what was wanted before; how it gets on, [`Keeping::status`] tells.
    ///
    /// # Errors
    /// When there is no such replica, or nothing more is begun.
    pub fn ask(&self, task: Task) -> Result<(), Error> {
        self.check(&task)?;
        Ok(self.keeper.ask(task)?)
    }

    /// Whether it could be done.
    ///
    /// # Errors
    /// When there is no such replica.
    pub fn check(&self, task: &Task) -> Result<(), Error> {
        let Task::Audit { replica, .. } = task else { return Ok(()) };
        if self.keeper.vault().places().iter().any(|place| place.name == *replica) {
            return Ok(());
        }
        Err(wrong(&format!("there is no replica `{replica}`")))
    }
}

fn wrong(message: &str) -> Error {
    Error::Wrong { message: message.to_owned(), hint: None }
}
