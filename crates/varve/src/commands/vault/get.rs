//! `varve vault get`: a file out of the vault, checked before its first byte is given.

use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use supervisor::hinted;

use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::interrupts::Interrupts;
use crate::new_file::NewFile;
use crate::pace::Pace;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::{counted, escape};

/// Get a file, from the first replica that has it as it should be
///
/// The whole file is read and compared with its checksum before the first byte is written, and once more while it is written, so that
/// nothing is ever given for what was kept that is not: if it turns out only then, the exit code is 1, and no file is left. A copy that is not what was
/// kept is passed over, told, and written down for repair.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which file: JOB/NAME
    #[arg(value_name = "FILE")]
    name: String,

    /// Begin behind so many bytes: 4096, 1MB
    #[arg(long, value_name = "SIZE", default_value = "0", value_parser = settings::parse_bytes)]
    offset: u64,

    /// Give so many bytes at most: 4096, 1MB
    #[arg(long, value_name = "SIZE", value_parser = settings::parse_bytes)]
    length: Option<u64>,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    force: bool,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = session.kept()?;
    let interrupts = Interrupts::listen()?;
    let total = kept.vault.catalogue().file(&args.name)?.map(|file| file.bytes);
    if let Some(total) = total.filter(|total| args.offset > *total) {
        let (name, total) = (escape(&args.name), counted(total, "byte"));
        return Err(anyhow!("`{name}` ends before that: it has {total}")).hint("`--offset` is at most that");
    }
    let mut pace = Pace::new(&interrupts, Progress::bytes(&session.talk, "checking", total), None);
    let sound = kept.vault.read(&args.name, args.offset, &mut |bytes| pace.read(bytes));
    pace.finish();
    let sound = sound.map_err(hinted)?;
    for (replica, why) in &sound.passed_over {
        session.talk.warning(&format!("replica `{}` was passed over: {}", escape(replica), escape(why)));
    }
    if !sound.passed_over.is_empty() {
        super::repair::advise(session);
    }
    let mut source = sound.source.take(args.length.unwrap_or(u64::MAX));
    match &args.output {
        Some(path) => {
            let mut file = NewFile::create(path, args.force)?;
            io::copy(&mut source, &mut file).with_context(|| format!("cannot write `{}`", path.display()))?;
            check_rest(source.into_inner(), &args.name)?;
            file.finish()?;
        }
        None => {
            io::copy(&mut source, &mut session.out).context("cannot write to standard output")?;
            session.out.flush().context("cannot write to standard output")?;
            check_rest(source.into_inner(), &args.name)?;
        }
    }
    Ok(Exit::Done)
}

/// Reads what was not wanted: only at its end is it known whether what was given came as it is kept.
fn check_rest(mut rest: impl io::Read, name: &str) -> anyhow::Result<()> {
    io::copy(&mut rest, &mut io::sink()).with_context(|| format!("cannot read `{}`", escape(name)))?;
    Ok(())
}
