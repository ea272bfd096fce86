//! What is done with each file: what is built in, and what users bring along.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::batch::tasks::{Cdx, Checksum, Count, Form, Grep, List, Mime, Validate, Wat, Wet};
use ::batch::{Command, Level, Limits, Module, Task};
use anyhow::{Context as _, anyhow};
use clap::Subcommand;

use crate::hint::WithHint as _;
use crate::session::Session;
use crate::usage::wrong;

#[derive(Subcommand)]
pub(super) enum What {
    /// Read each file and print its SHA-256, as sha256sum does
    Checksum,
    /// Count records by type, captures and bytes, of each file and of all together
    Count,
    /// List name, length and checksum of each file, without reading it
    List,
    /// Write an index line for each capture, as `varve cdx make` does
    Cdx(CdxArgs),
    /// Search payloads that are text, whatever their charset, for a regular expression
    Grep(GrepArgs),
    /// Count documents by the type they are found to be and the type they are said to be
    Mime,
    /// Check each file against the standards and its own digests, as `varve warc check` does
    Validate,
    /// Write the text of pages as one WARC file of conversion records, as Common Crawl's WET files are
    Wet,
    /// Write headers, titles and links of records as one WARC file of JSON metadata, as Common Crawl's WAT files are
    Wat,
    /// Hand the records of each file to a WebAssembly module (see docs/batch.md)
    Wasm(WasmArgs),
    /// Run a program for each file, which it reads on standard input; what it prints is the result
    ///
    /// VARVE_FILE, VARVE_JOB and VARVE_SHA256 in its environment say which file it is. If it does not end with 0, the file has failed,
    /// and the end of what it says on standard error is told. When its time is up it is ended, with all that it started.
    Run(RunArgs),
}

#[derive(clap::Args)]
pub(super) struct CdxArgs {
    /// Name files with their job in front, as the archive's own index does
    #[arg(long)]
    with_job: bool,
}

#[derive(clap::Args)]
pub(super) struct GrepArgs {
    /// A regular expression, as the Rust crate `regex` has them
    #[arg(value_name = "PATTERN")]
    pattern: String,

    /// Upper and lower case are the same
    #[arg(short, long)]
    ignore_case: bool,

    /// At most this many lines of each record
    #[arg(short, long, value_name = "N", default_value_t = 10)]
    max_count: usize,
}

#[derive(clap::Args)]
pub(super) struct WasmArgs {
    /// The module
    #[arg(value_name = "MODULE")]
    module: PathBuf,
}

#[derive(clap::Args)]
pub(super) struct RunArgs {
    /// The program and its arguments
    #[arg(value_name = "COMMAND", last = true, required = true)]
    command: Vec<OsString>,
}

impl What {
    /// Makes it ready.
    pub(super) fn task(&self, session: &Session) -> anyhow::Result<Box<dyn Task>> {
        let form = if session.globals.json { Form::Json } else { Form::Text };
        Ok(match self {
            What::Checksum => Box::new(Checksum),
            What::Count => Box::new(Count { form }),
            What::List => Box::new(List { form }),
            What::Cdx(args) => Box::new(Cdx { with_job: args.with_job, ..Cdx::default() }),
            What::Grep(args) => {
                let made = Grep::new(&args.pattern, args.ignore_case, form).map_err(wrong);
                let mut grep = made
                    .hint("`\\` before a character takes its special meaning away, as in `example\\.org`")?;
                grep.lines_max = args.max_count;
                Box::new(grep)
            }
            What::Mime => Box::new(Mime { form }),
            What::Validate => Box::new(Validate { form }),
            What::Wet => Box::new(Wet),
            What::Wat => Box::new(Wat),
            What::Wasm(args) => Box::new(module(&args.module, session)?),
            What::Run(args) => {
                let mut words = args.command.iter().cloned();
                // There is one, because it is required.
                let program = words.next().unwrap_or_default();
                if !is_program(&program) {
                    let error = wrong(anyhow!("there is no program `{}`", program.to_string_lossy()));
                    return Err(error).hint("name one on the PATH, or its whole path; it must be executable");
                }
                Box::new(Command::new(program, words.collect()))
            }
        })
    }

    /// Whether the result is a packed file, which nobody can read on a terminal.
    pub(super) fn is_packed(&self) -> bool {
        matches!(self, What::Wet | What::Wat)
    }
}

/// Whether such a program can be started: else it would fail for each file anew.
fn is_program(name: &OsStr) -> bool {
    let is_one = |path: &Path| {
        fs::metadata(path).is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
    };
    if name.as_encoded_bytes().contains(&b'/') {
        return is_one(Path::new(name));
    }
    // Without a PATH the system has one of its own.
    env::var_os("PATH").is_none_or(|all| env::split_paths(&all).any(|folder| is_one(&folder.join(name))))
}

fn module(path: &Path, session: &Session) -> anyhow::Result<Module> {
    let limits = Limits::default();
    let context = || format!("cannot read `{}`", path.display());
    let mut wasm = Vec::new();
    let file = File::open(path).map_err(wrong).with_context(context).hint("is there such a file?")?;
    // One byte more shows that it is too long.
    file.take(limits.module_bytes_max as u64 + 1).read_to_end(&mut wasm).with_context(context)?;
    let (talk, is_verbose) = (session.talk.clone(), session.globals.verbose > 0);
    let log = move |file: &str, level: Level, line: &str| match level {
        Level::Warn | Level::Error => talk.warning(&format!("{file}: {line}")),
        Level::Debug | Level::Info if is_verbose => talk.note(&format!("{file}: {line}")),
        Level::Debug | Level::Info => {}
    };
    Module::new(&path.to_string_lossy(), &wasm, limits, Some(Arc::new(log)))
        .map_err(wrong)
        .hint("docs/batch.md says what a module has to have")
}
