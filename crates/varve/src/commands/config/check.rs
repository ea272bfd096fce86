//! `varve config check`: everything that is wrong with the settings, at once.

use std::path::Path;

use anyhow::anyhow;
use serde::Serialize;
use settings::Problem;
use supervisor::notifying;

use crate::clock::now;
use crate::exit::Exit;
use crate::hint::hints;
use crate::session::Session;
use crate::terminal::escape;
use crate::watching;

/// Look for mistakes in the settings
///
/// Each mistake is told with its line. The settings are looked at as a harvest would: with each of their profiles, with the
/// files of sheets and traps that they name, and with their filters. The exit code is 1 if there is a mistake, or no file.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// A mistake for programs.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

pub(crate) fn run(_: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let place = session.find_settings();
    let path = place.settings.clone().ok_or_else(settings::no_archive)?;
    let problems = match settings::read(&path).map_err(|unreadable| anyhow!("{unreadable}"))? {
        Ok(file) => look_closer(&path, &place.loaded(Some(file))),
        Err(problems) => problems.0,
    };
    for problem in &problems {
        tell(problem, session)?;
    }
    if !problems.is_empty() {
        return Ok(Exit::Failed);
    }
    if !session.globals.json {
        session.out.line(format_args!("{}: sound", escape(&path.display().to_string())))?;
    }
    Ok(Exit::Done)
}

/// What shows only when the settings are used: profiles that are not there, files and filters that are not or are wrong.
fn look_closer(path: &Path, loaded: &settings::Loaded) -> Vec<Problem> {
    let problem = |error: anyhow::Error| {
        let hint = hints(&error).first().map(|hint| (*hint).to_owned());
        let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        Problem { path: path.to_owned(), line: 0, message: causes.join(": "), hint }
    };
    let notices = notifying::check(&loaded.file.notify.values()).err();
    let replicas = loaded.file.replicas.iter().filter_map(|(layer, line)| {
        let (message, hint) = supervisor::named(layer).err()?;
        Some(Problem { path: path.to_owned(), line: *line, message, hint: Some(hint.to_owned()) })
    });
    let apart = loaded.archive().ok().and_then(|folder| supervisor::check_apart(folder, &loaded.file).err());
    let apart = apart.map(|(message, line)| {
        let hint = Some(supervisor::APART.to_owned());
        Problem { path: path.to_owned(), line, message, hint }
    });
    let planned = plan::check(loaded, &fetch::Clock::new(now));
    let all = planned
        .into_iter()
        .map(anyhow::Error::from)
        .chain(notices.map(anyhow::Error::from))
        .chain(watching::check(&loaded.file))
        .map(problem);
    all.chain(replicas).chain(apart).collect()
}

/// Results, because they are what was asked for.
fn tell(problem: &Problem, session: &mut Session) -> anyhow::Result<()> {
    if session.globals.json {
        let line = (problem.line > 0).then_some(problem.line);
        let hint = problem.hint.as_deref();
        return session.out.json(&Row { file: &problem.path, line, error: &problem.message, hint });
    }
    session.out.line(escape(&problem.to_string()))?;
    match &problem.hint {
        Some(hint) => session.out.line(format_args!("  {} {}", session.paint.good("hint:"), escape(hint))),
        None => Ok(()),
    }
}
