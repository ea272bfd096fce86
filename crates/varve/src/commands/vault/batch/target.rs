//! Where the result goes, and the list of what failed.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use super::what::What;
use crate::hint::with_hint;
use crate::new_file::NewFile;
use crate::output::Output;
use crate::session::Session;
use crate::terminal::Lines;
use crate::usage::wrong;

/// Where the result goes.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct Target {
    /// Write the result to this file instead of standard output
    #[arg(short, long = "output", value_name = "OUT", global = true)]
    pub(super) out: Option<PathBuf>,

    /// Write which files failed, and why, to this file: one JSON object a line
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) failed: Option<PathBuf>,

    /// Replace files that are there
    #[arg(long, global = true)]
    pub(super) force: bool,
}

/// The result on its way.
pub(super) enum Sink<'a> {
    File(NewFile),
    Output(&'a mut Output),
    /// For a person, line by line.
    Shown(Lines<&'a mut Output>),
}

impl Target {
    /// Whether the result can go there at all.
    pub(super) fn check(&self, what: &What, session: &Session) -> anyhow::Result<()> {
        if what.is_packed() && self.file().is_none() && session.out.is_terminal() {
            let error = wrong(anyhow!("the result is a packed WARC file, and not for a terminal"));
            return Err(with_hint(error, "`-o FILE` writes it to a file"));
        }
        Ok(())
    }

    /// The file that it goes to, if it goes to one.
    pub(super) fn file(&self) -> Option<&Path> {
        self.out.as_deref().filter(|out| out.as_os_str() != "-")
    }

    pub(super) fn open<'a>(&self, session: &'a mut Session) -> anyhow::Result<Sink<'a>> {
        Ok(match self.file() {
            Some(path) => Sink::File(NewFile::create(path, self.force)?),
            None if session.out.is_terminal() => Sink::Shown(Lines::new(&mut session.out)),
            None => Sink::Output(&mut session.out),
        })
    }

    /// Where results wait for their turn: beside the file, for there must be room for them anyway.
    pub(super) fn room(&self) -> PathBuf {
        match self.file().and_then(Path::parent) {
            Some(folder) if folder.as_os_str().is_empty() => PathBuf::from("."),
            Some(folder) => folder.to_owned(),
            None => std::env::temp_dir(),
        }
    }
}

impl Sink<'_> {
    /// All is written.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Sink::File(file) => file.finish(),
            Sink::Output(out) => out.finish(),
            Sink::Shown(lines) => lines.finish().context("cannot write to standard output"),
        }
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::File(file) => file.write(bytes),
            Sink::Output(out) => out.write(bytes),
            Sink::Shown(lines) => lines.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::File(file) => file.flush(),
            Sink::Output(out) => out.flush(),
            Sink::Shown(lines) => lines.flush(),
        }
    }
}
