//! The page that says what exactly will be done, and asks whether it should be.

use api::vault::{Keeping, Status, Task, Wanted, parse_task};
use askama::Template;
use axum::extract::{Form, Path, Query, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;

use crate::error::Fault;
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So many copies are named; how many there are more is said.
const NAMED: u32 = 20;

#[derive(Template)]
#[template(path = "vault/confirm.html")]
struct Confirm {
    frame: Frame,
    task: &'static str,
    replica: String,
    kind: &'static str,
    is_dry: bool,
    question: Question,
    token: String,
}

/// What is asked.
#[derive(Default)]
struct Question {
    heading: String,
    /// What will be done, a sentence or two each.
    facts: Vec<String>,
    /// Copies that it is about: file, replica, state.
    copies: Vec<(String, String, &'static str)>,
    more: u64,
    /// What the button says; `None` if there is nothing to do.
    button: Option<&'static str>,
}

/// What a form or an address says.
#[derive(Deserialize)]
pub(crate) struct Said {
    #[serde(default)]
    token: String,
    replica: Option<String>,
    kind: Option<String>,
    #[serde(default)]
    dry: bool,
}

impl Said {
    fn task(&self, name: &str) -> Result<Task, Fault> {
        Ok(parse_task(name, self.replica.as_deref(), self.kind.as_deref(), self.dry)?)
    }
}

/// `GET /preservation/tasks/{task}?replica=…&kind=…&dry=…`
pub(crate) async fn confirm(
    State(pages): State<Pages>,
    Path(name): Path<String>,
    Query(said): Query<Said>,
) -> Result<Response, Fault> {
    let task = said.task(&name)?;
    let asked = task.clone();
    let question = pages
        .ask(move |api| {
            let keeping = api.keeping()?;
            keeping.check(&asked)?;
            question(&keeping, &asked)
        })
        .await?;
    let (replica, kind) = match &task {
        Task::Audit { replica, kind } => (replica.clone(), kind.name()),
        _ => (String::new(), ""),
    };
    page(&Confirm {
        frame: Frame::new(&pages, &question.heading, "vault"),
        task: task.name(),
        replica,
        kind,
        is_dry: said.dry,
        question,
        token: pages.token().to_owned(),
    })
}

/// `POST /preservation/tasks/{task}`
pub(crate) async fn ask(
    State(pages): State<Pages>,
    Path(name): Path<String>,
    Form(said): Form<Said>,
) -> Result<Response, Fault> {
    pages.check(&said.token)?;
    let task = said.task(&name)?;
    let place = if name == "repair" { "/preservation/repairs" } else { "/preservation#now" };
    pages.ask(move |api| api.keeping()?.ask(task)).await?;
    Ok(Redirect::to(place).into_response())
}

fn question(keeping: &Keeping, task: &Task) -> Result<Question, api::Error> {
    let status = keeping.status()?;
    Ok(match task {
        Task::Bring => bring(&status),
        Task::Audit { replica, kind } => audit(&status, replica, kind.name(), keeping.habits().repairs),
        Task::Repair { is_dry } => repair(keeping, &status, *is_dry)?,
        Task::BackUp => back_up(keeping.habits().backups),
    })
}

fn bring(status: &Status) -> Question {
    let sum = |of: fn(&api::vault::ReplicaRow) -> u64| status.replicas.iter().map(of).sum::<u64>();
    let (on_the_way, failed) = (sum(|replica| replica.on_the_way), sum(|replica| replica.failed));
    let count = on_the_way + failed;
    if count == 0 {
        return Question {
            heading: "There is nothing to bring".to_owned(),
            facts: vec!["Every replica has been given every file. What is missing or has changed since is a matter for repair.".to_owned()],
            ..Question::default()
        };
    }
    let mut facts = vec![format!(
        "{} made now, from the first replica that has the file, and read back before {} counted.",
        copies(count, "copy is", "copies are"),
        if count == 1 { "it is" } else { "they are" }
    )];
    if failed > 0 {
        facts.push(format!(
            "{} failed before and would be tried later.",
            copies(failed, "of them has", "of them have")
        ));
    }
    facts.push(
        "Nothing is overwritten: where another file lies under the same name, it stays, and you are told."
            .to_owned(),
    );
    Question {
        heading: "Bring the files to the replicas now?".to_owned(),
        facts,
        button: Some("Bring now"),
        ..Question::default()
    }
}

fn audit(status: &Status, replica: &str, kind: &str, repairs: bool) -> Question {
    // Every file is recorded in every replica, whether or not it was copied there yet.
    let (files, bytes) = (status.files, status.bytes);
    let then = match repairs {
        true => {
            "What is missing or has changed is written down, and repaired by itself if it is clear what is right."
        }
        false => "What is missing or has changed is written down. Nothing is repaired by it.",
    };
    let (heading, fact, button) = if kind == "presence" {
        let fact = format!(
            "It is looked whether {} there and of the right length, and whether there are files that nobody knows.",
            copies(files, "file is", "files are each")
        );
        (format!("Look through {replica}?"), fact, "Check presence")
    } else {
        let fact = format!(
            "{} read to the end, {} in all, and its checksum compared with the recorded one. That may take long, and can be gone on with after a restart.",
            copies(files, "file is", "files are each"),
            filters::size(bytes)
        );
        (format!("Read all of {replica}?"), fact, "Check checksums")
    };
    Question { heading, facts: vec![fact, then.to_owned()], button: Some(button), ..Question::default() }
}

fn repair(keeping: &Keeping, status: &Status, is_dry: bool) -> Result<Question, api::Error> {
    let mut question = Question::default();
    let (mut missing, mut changed) = (0, 0);
    for replica in &status.replicas {
        (missing, changed) = (missing + replica.missing, changed + replica.changed);
        for (word, count) in [("missing", replica.missing), ("changed", replica.changed)] {
            let room = NAMED.saturating_sub(u32::try_from(question.copies.len()).unwrap_or(NAMED));
            if count == 0 || room == 0 {
                continue;
            }
            let bad = Wanted::bad(Some(&replica.name), Some(word))?;
            let files = keeping.files(&Wanted { behind: String::new(), most: room, bad })?.files;
            question.copies.extend(files.into_iter().map(|file| (file.name, replica.name.clone(), word)));
        }
    }
    let count = missing + changed;
    if count == 0 {
        question.heading = "There is nothing to repair".to_owned();
        question.facts.push(
            "No copy is known to be missing or changed. An audit finds out whether that is so.".to_owned(),
        );
        return Ok(question);
    }
    question.more = count.saturating_sub(question.copies.len() as u64);
    let which = copies(count, "copy", "copies");
    if is_dry {
        question.heading = format!("See what a repair of {which} would do?");
        question.facts.push(
            "Nothing is touched. What every replica has of these files is read, which may take long, and it is told which copies can be repaired, and why others cannot."
                .to_owned(),
        );
        question.button = Some("See what repair would do");
        return Ok(question);
    }
    question.heading = format!("Repair {which}?");
    if missing > 0 {
        question.facts.push(format!(
            "{} missing: copied anew from a sound replica, and read back.",
            copies(missing, "copy is", "copies are")
        ));
    }
    if changed > 0 {
        question.facts.push(format!(
            "{} changed: the bad copy is set aside, never deleted, and replaced from a sound replica.",
            copies(changed, "copy has", "copies have")
        ));
    }
    question.facts.push(
        "A copy is touched only if the recorded checksum and most of the replicas agree, and if it is still what the audit found. Else it is left as it is, and you are told why."
            .to_owned(),
    );
    question.button = Some("Repair");
    Ok(question)
}

fn back_up(kept: u64) -> Question {
    let kept = copies(kept, "such copy is", "such copies are");
    Question {
        heading: "Copy the catalogue of files?".to_owned(),
        facts: vec![
            "The catalogue knows every file, its checksum and its story. A copy of it, as of now, is written to the folder backups in the archive.".to_owned(),
            format!("The newest {kept} kept; older ones are removed."),
        ],
        button: Some("Back up"),
        ..Question::default()
    }
}

fn copies(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", filters::number(count), if count == 1 { one } else { many })
}
