//! What was repaired, or would be.

use api::vault::{RemedyRow, Status, Task};
use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::pace;
use crate::error::Fault;
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

#[derive(Template)]
#[template(path = "vault/repairs.html")]
struct Repairs {
    frame: Frame,
    runs: Vec<Run>,
    /// Whether one is under way or waits.
    is_busy: bool,
    /// Copies that are missing or have changed, as far as that is known.
    wrong: u64,
    token: String,
}

/// What was done, or would be, in one go.
struct Run {
    at: String,
    is_dry: bool,
    done: u64,
    left: u64,
    rows: Vec<Row>,
}

struct Row {
    file: String,
    replica: String,
    was: &'static str,
    outcome: &'static str,
    mood: &'static str,
    why: Option<String>,
}

/// `GET /preservation/repairs`
pub(crate) async fn show(State(pages): State<Pages>) -> Result<Response, Fault> {
    let (status, remedies) = pages
        .ask(|api| {
            let keeping = api.keeping()?;
            Ok((keeping.status()?, keeping.remedies().remedies))
        })
        .await?;
    let mut frame = Frame::new(&pages, "Repairs", "vault");
    frame.poll_s = pace(status.is_busy());
    page(&Repairs {
        frame,
        runs: runs(remedies),
        is_busy: is_repairing(&status),
        wrong: status.replicas.iter().map(|replica| replica.missing + replica.changed).sum(),
        token: pages.token().to_owned(),
    })
}

fn is_repairing(status: &Status) -> bool {
    let is_repair = |task: &Task| matches!(task, Task::Repair { .. });
    status.waiting.iter().any(is_repair) || status.doing.iter().any(|doing| is_repair(&doing.task))
}

/// What was done in one go has one time.
fn runs(remedies: Vec<RemedyRow>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for remedy in remedies {
        let is_left = matches!(remedy.outcome, "undecided" | "failed");
        let row = Row {
            outcome: said(remedy.outcome),
            mood: if is_left { "bad" } else { "good" },
            file: remedy.file,
            replica: remedy.replica,
            was: remedy.was,
            why: remedy.why,
        };
        let (done, left) = (u64::from(!is_left), u64::from(is_left));
        match runs.last_mut() {
            Some(run) if run.at == remedy.at && run.is_dry == remedy.dry => {
                (run.done, run.left) = (run.done + done, run.left + left);
                run.rows.push(row);
            }
            _ => runs.push(Run { at: remedy.at, is_dry: remedy.dry, done, left, rows: vec![row] }),
        }
    }
    runs
}

fn said(outcome: &str) -> &'static str {
    match outcome {
        "possible" => "can be repaired",
        "repaired" => "repaired",
        "sound" => "sound after all",
        "undecided" => "not clear what is right",
        _ => "failed",
    }
}
