//! `varve diff`: what changed in a page, since I last looked or between two times.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use api::watches::{Compared, Which};
use clap::ValueEnum;
use diff::RuleSet;

use crate::difference::Shown;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::new_file::NewFile;
use crate::rule_options::Rules;
use crate::session::Session;
use crate::terminal::bytes;
use crate::usage::wrong;
use crate::version_option::parse_version;
use crate::watching::{Asking, Desk, Looking, Ready};

/// Show what changed in a page
///
/// Without a time: what changed since I last asked. The page is checked first; asking again at once shows nothing. With one time: from then
/// to now. With two: from the one to the other. A time before all versions means the oldest one, and one after the newest means that the page
/// is checked first. The page must have been checked before, by `varve check`, `varve diff` or a watch.
///
/// Compared is what a reader sees. What changes at every visit is left out, and so is what the rules of my watch of the page leave out.
/// The exit code is 0 if nothing changed that counts, 3 if something did, and 4 if the page is not to be had.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The page
    #[arg(value_name = "URL")]
    url: String,

    /// From when: a version such as v3, or a time such as 2026, 20261116043246, 2026-11-16 or 2026-11-16T04:32:46Z
    #[arg(value_name = "T1", value_parser = parse_version)]
    from: Option<Which>,

    /// Until when, likewise [default: now]
    #[arg(value_name = "T2", value_parser = parse_version)]
    to: Option<Which>,

    /// How it is shown
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Whose last look it is, and whose watch of the page has the rules [default: me, or as `[watch]` says]
    #[arg(long, value_name = "NAME")]
    person: Option<String>,

    /// Write it to this file, whole or not at all
    #[arg(short, long = "output", value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replace the file if it is there
    #[arg(long, requires = "out")]
    force: bool,

    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    asking: Asking,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines that went and lines that came, as `diff -u` has them
    #[default]
    Unified,
    /// The older one on the left, the newer on the right
    Side,
    /// A page with what went and what came marked
    Html,
    /// For programs; so does --json
    Json,
    /// The bytes that make the newer document of the older one
    Patch,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    if args.format == Format::Patch && args.out.is_none() && session.out.is_terminal() {
        return Err(wrong(anyhow!("a patch is bytes, which a terminal cannot show")))
            .hint("`-o FILE` writes it to a file");
    }
    let format = if session.globals.json { Format::Json } else { args.format };
    let ready = Ready::of(&args.asking, session)?;
    let (found, after) = ready.ask(session, async |desk| look(desk, &args, format).await)?;
    let (compared, patch) = match found {
        Ok(found) => found,
        Err(error) => {
            crate::report::failure(&session.talk, &error);
            after.finish(session);
            return Ok(Exit::Missing);
        }
    };
    let shown = Shown { compared: &compared, noise: args.rules.noise };
    match (format, &args.out) {
        (Format::Unified, None) => shown.unified(session)?,
        (Format::Side, None) => shown.side(session)?,
        (Format::Json, None) => session.out.json(&compared.row)?,
        (format, path) => {
            let made = match format {
                Format::Patch => patch.unwrap_or_default(),
                Format::Html => compared.html(args.rules.noise).into_bytes(),
                Format::Json => serde_json::to_vec(&compared.row)?,
                Format::Side => shown.sides(false).into_bytes(),
                Format::Unified => compared.unified(args.rules.noise).into_bytes(),
            };
            write(&made, path.as_deref(), args.force, session)?;
        }
    }
    session.out.finish()?;
    shown.remark(session);
    after.finish(session);
    Ok(if compared.row.meaningful { Exit::Changed } else { Exit::Done })
}

/// What was compared, with the patch if that is wanted; or why the page is not to be had.
type Found = Result<(Compared, Option<Vec<u8>>), anyhow::Error>;

/// Compares by the rules of my watch of the page, with those of the command line laid over them.
async fn look(desk: &Desk, args: &Args, format: Format) -> anyhow::Result<Found> {
    let mut looking = Looking { noise: args.rules.noise, ..Looking::default() };
    let person = args.person.as_deref().unwrap_or(&desk.usual.person).to_owned();
    let url = desk.visit(&args.url).await?;
    let watch = desk.watch_of(&person, &url).await?;
    looking.watch = watch.as_ref().map(|watch| watch.id);
    if !args.rules.is_empty() {
        let mut rules = watch.map_or_else(RuleSet::default, |watch| watch.wish.rules);
        args.rules.clone().lay(&mut rules)?;
        looking.rules = Some(rules);
    }
    let compared = match args.from {
        None => desk.changes(&url, Some(&person), &looking).await,
        Some(from) => desk.difference(&url, from, args.to.unwrap_or(Which::Current), &looking).await,
    };
    let compared = match compared {
        Err(fault) if fault.is_missing() => return Ok(Err(fault.into())),
        compared => compared?,
    };
    let row = &compared.row;
    let (from, to) = (Which::Number(row.before.number), Which::Number(row.after.number));
    let patch = match format {
        Format::Patch => Some(desk.patch(&url, from, to).await?),
        _ => None,
    };
    Ok(Ok((compared, patch)))
}

/// Writes it to a file, or as it is to standard output.
fn write(made: &[u8], path: Option<&Path>, force: bool, session: &mut Session) -> anyhow::Result<()> {
    let Some(path) = path else {
        return session.out.write_all(made).context("cannot write to standard output");
    };
    let mut file = NewFile::create(path, force)?;
    file.write_all(made).context("cannot write the difference")?;
    file.finish()?;
    session.talk.note(&format!("{} written to {}", bytes(made.len() as u64), path.display()));
    Ok(())
}
