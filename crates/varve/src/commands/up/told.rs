//! What `varve up` says: where to look, and at its end what was left.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::serving::Served;
use crate::session::Session;
use crate::sign_in::{self, Running};
use crate::terminal::escape;

/// Where to look.
pub(super) struct Told<'a> {
    pub(super) served: &'a Served,
    pub(super) running: &'a Running,
    pub(super) archive: &'a Path,
    pub(super) is_demo: bool,
}

#[derive(Serialize)]
struct Row<'a> {
    archive: &'a Path,
    pages: &'a str,
    /// The address that signs a browser in.
    sign_in: String,
    replay: &'a str,
    api: String,
    token_file: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    demo: Option<String>,
}

impl Told<'_> {
    pub(super) fn print(&self, session: &mut Session) -> anyhow::Result<()> {
        let Served { pages, replay, .. } = self.served;
        let versions = self.is_demo.then(|| format!("{replay}web/*/{}", demo::FRONT));
        if session.globals.json {
            let (sign_in, api) = (self.running.sign_in(), format!("{pages}api/v1/"));
            let (archive, token_file) = (self.archive, sign_in::path(self.archive));
            session.out.json(&Row { archive, pages, sign_in, replay, api, token_file, demo: versions })?;
            return session.out.finish();
        }
        let shown = self.archive.display().to_string();
        session.out.line(format!("archive  {}", escape(&shown)))?;
        session.out.line(format!("pages    {}", session.paint.strong(&self.running.sign_in())))?;
        session.out.line(format!("replay   {replay}"))?;
        if let Some(versions) = versions {
            session.out.line(format!("sample   {versions}"))?;
        }
        session.out.finish()?;
        session.talk.note("Ctrl-C ends it");
        Ok(())
    }
}

/// What can be gone on with.
pub(super) fn left(jobs: &[String], session: &Session) {
    for job in jobs {
        session.talk.note(&format!(
            "{job}: stopped; `varve harvest --resume {job}`, or its page in `varve up`, goes on with it"
        ));
    }
}

/// Whoever sits before a screen is shown the pages, unless they say otherwise.
pub(super) fn is_browser_wanted(open: bool, no_open: bool, session: &Session) -> bool {
    let has_screen = || {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        cfg!(target_os = "macos") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
    };
    open || !no_open && session.out.is_terminal() && has_screen()
}
