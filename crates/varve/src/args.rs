//! The command line: the general options that hold for every verb, and how a wrong line is explained.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, Args, ColorChoice, CommandFactory, FromArgMatches, Parser, ValueEnum};

use crate::commands::Command;
use crate::exit::Exit;

/// One program for the whole life of a web archive.
///
/// Choose what to keep, harvest it, preserve every bit, find it, look at it as it was. It harvests sites into an
/// archive, takes archive files of others in and writes its own out, and shows any version of a page as it was: `varve up` is all of it
/// in a browser. It also reads, checks, mends and indexes WARC and ARC files, fetches pages, and reads what they link to and say.
#[derive(Parser)]
#[command(name = "varve", version, arg_required_else_help = true, propagate_version = false)]
#[command(after_long_help = Exit::help())]
pub(crate) struct Cli {
    #[command(flatten)]
    globals: Globals,
    #[command(subcommand)]
    command: Command,
}

/// The options that every verb understands, before or after its name.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "General options")]
pub(crate) struct Globals {
    /// The archive to work on [default: the nearest one, from the current folder upwards]
    #[arg(long, global = true, value_name = "DIR", env = "VARVE_ARCHIVE", hide_env_values = true)]
    pub(crate) archive: Option<PathBuf>,

    /// The settings to use, instead of the archive's varve.toml
    #[arg(long, global = true, value_name = "FILE", env = "VARVE_CONFIG", hide_env_values = true)]
    pub(crate) config: Option<PathBuf>,

    /// Print results as JSON, one object a line; verbs that print bytes or text as they are take no notice
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Say nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Say more: -v which files are read, -vv and -vvv what the parts report
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,

    /// When to use colours; NO_COLOR is obeyed unless this says otherwise
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) color: Color,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Reads a whole command line. The error may also be a wish for help or the version.
pub(crate) fn parse(line: impl IntoIterator<Item = OsString>) -> Result<(Globals, Command), clap::Error> {
    let line: Vec<OsString> = line.into_iter().collect();
    let matches = command().color(help_color(&line)).try_get_matches_from(line).map_err(discreet)?;
    let cli = Cli::from_arg_matches(&matches)?;
    Ok((cli.globals, cli.command))
}

/// A complaint that quotes a URL does not quote its password, whichever part of the line it is about.
fn discreet(mut error: clap::Error) -> clap::Error {
    for kind in [ContextKind::InvalidValue, ContextKind::InvalidArg, ContextKind::InvalidSubcommand] {
        if let Some(ContextValue::String(given)) = error.get(kind)
            && let Some((before, _)) = given.rsplit_once('@')
            // E-mail addresses have no colon.
            && before.contains(':')
        {
            let hidden = urlkey::hide_login(given).into_owned();
            error.insert(kind, ContextValue::String(hidden));
        }
    }
    error
}

/// The whole command line as clap sees it, for completions and manual pages too.
pub(crate) fn command() -> clap::Command {
    Cli::command()
}

/// Prints help to standard output, or what was wrong to standard error.
pub(crate) fn explain(stopped: &clap::Error) -> Exit {
    let printed = stopped.print();
    // Help that nobody reads to the end is no failure; help that could not be written is one.
    let is_lost = printed.is_err_and(|error| error.kind() != std::io::ErrorKind::BrokenPipe);
    match (stopped.use_stderr(), is_lost) {
        (true, _) => Exit::Usage,
        (false, true) => Exit::Failed,
        (false, false) => Exit::Done,
    }
}

/// Looks for `--color` before the line is parsed, because clap must know it to print help and complaints.
fn help_color(line: &[OsString]) -> ColorChoice {
    let mut words = line.iter().map(|word| word.to_string_lossy()).take_while(|word| word != "--");
    while let Some(word) = words.next() {
        let value = match word.split_once('=') {
            Some(("--color", value)) => Some(value.to_owned()),
            _ if word == "--color" => words.next().map(std::borrow::Cow::into_owned),
            _ => None,
        };
        match value.as_deref() {
            Some("always") => return ColorChoice::Always,
            Some("never") => return ColorChoice::Never,
            _ => {}
        }
    }
    ColorChoice::Auto
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &[&str], color: ColorChoice) {
        let line: Vec<OsString> = words.iter().map(OsString::from).collect();
        assert_eq!(help_color(&line), color, "{words:?}");
    }

    #[test]
    fn every_verb_is_well_formed() {
        command().debug_assert();
    }

    #[test]
    fn colour_is_known_before_parsing() {
        check(&["varve", "--help"], ColorChoice::Auto);
        check(&["varve", "--color", "never", "--help"], ColorChoice::Never);
        check(&["varve", "--color=always"], ColorChoice::Always);
        check(&["varve", "up", "--", "--color=always"], ColorChoice::Auto);
        check(&["varve", "--color"], ColorChoice::Auto);
    }
}
