//! The one binary: it reads the arguments, runs one verb and turns the outcome into an exit code.

// Comments on arguments are help texts, which terminals show as they are: `<…>` around a URL would be shown too.
#![allow(rustdoc::bare_urls)]

mod access_rules;
mod adopted;
mod args;
mod check_lines;
mod clock;
mod collection;
mod commands;
mod crawl_ending;
mod crawl_progress;
mod difference;
mod exit;
mod flags;
mod hint;
mod interrupts;
mod job_lookup;
mod jobs;
mod logging;
mod memory;
mod moment;
mod new_archive;
mod new_file;
mod opening;
mod output;
mod pace;
mod progress;
mod reading;
mod record_id;
mod replication;
mod report;
mod rule_options;
mod session;
mod sign_in;
mod talk;
mod terminal;
mod usage;
mod version_option;
mod watching;

use std::process::ExitCode;

use crate::exit::Exit;
use crate::session::Session;

/// A crawl makes and drops many small pieces on many threads, which the C library's allocator is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    memory::keep_for_a_while();
    let (globals, command) = match args::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(stopped) => return args::explain(&stopped).into(),
    };
    let mut session = Session::new(globals);
    logging::start(&session.globals, session.talk.clone());
    let outcome = commands::run(command, &mut session).and_then(|exit| {
        session.out.finish()?;
        Ok(exit)
    });
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) if output::was_closed(&error) => Exit::Done.into(),
        Err(error) => {
            // What was found before the failure is still worth reading, and comes before the complaint. If it cannot
            // be written either, the first error is the one to tell.
            let _ = session.out.finish();
            report::failure(&session.talk, &error);
            if usage::is_wrong(&error) { Exit::Usage } else { Exit::Failed }.into()
        }
    }
}
