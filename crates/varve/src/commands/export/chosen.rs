//! Which captures are meant, and where they go: the options of all kinds of export.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use archive::{Archive, Stop};
use cdx::query::TimeRange;
use clap::ValueEnum;
use transfer::export::{Exported, Public, Selection, Settings};
use urlkey::Match;

use crate::access_rules::Followed;
use crate::hint::WithHint as _;
use crate::interrupts::Interrupts;
use crate::session::Session;
use crate::terminal::counted;
use crate::usage::wrong;

/// How a time is written, for whoever wrote something else.
const TIME: &str = "a time is 1 to 14 digits: year, month, day, hour, minute, second";

/// What to do where not everybody may see what was chosen.
pub(super) const ALL: &str =
    "`--all` writes also what `access.rules` keeps from the public: staff may hand it out";

/// Which captures are meant, and where they go.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct Chosen {
    /// The file to write
    #[arg(short, long = "output", value_name = "OUT")]
    pub(super) out: PathBuf,

    /// Replace the file if it is there
    #[arg(long)]
    pub(super) force: bool,

    /// Only captures of this URL; http://example.org/a* means --match prefix, *.example.org means --match domain [default: all]
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// How much around the URL is meant
    #[arg(short, long = "match", value_enum, value_name = "HOW", requires = "url")]
    matching: Option<How>,

    /// Only captures that this job brought: a harvest or an import
    #[arg(long, value_name = "JOB")]
    job: Option<String>,

    /// Also what `access.rules` keeps from the public: for staff, who may hand out everything
    #[arg(long)]
    all: bool,

    /// Captures of this collection
    #[arg(short, long, value_name = "NAME", default_value = archive::WEB)]
    collection: String,

    /// Not before this time: 1 to 14 digits, so 2014 is its first second
    #[arg(long, value_name = "TIME")]
    from: Option<String>,

    /// Not after this time: 1 to 14 digits, so 2014 is its last second
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
}

/// How much around a URL is meant.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum How {
    /// This URL (the default)
    Exact,
    /// Every URL that begins like it
    Prefix,
    /// Every URL of its host
    Host,
    /// Every URL of its host and of the hosts below it
    Domain,
}

impl Chosen {
    /// What the archive is asked for.
    pub(super) fn selection(&self, archive: &Archive) -> anyhow::Result<Selection> {
        let range = match &self.url {
            Some(url) => {
                let (url, matching) = self.meant(url);
                let range = urlkey::key_range(url, matching).map_err(wrong);
                Some(range.with_context(|| format!("cannot look for `{url}`"))?)
            }
            None => None,
        };
        let time = TimeRange::parse(self.from.as_deref(), self.to.as_deref()).map_err(wrong).hint(TIME)?;
        let public = match self.all {
            true => None,
            false => {
                Some(Public { rules: Followed::open(archive.folder())?.rules(), now: crate::clock::now() })
            }
        };
        Ok(Selection { collection: self.collection.clone(), range, time, job: self.job.clone(), public })
    }

    /// Whether it goes to standard output.
    pub(super) fn is_piped(&self) -> bool {
        self.out.as_os_str() == "-"
    }

    /// The folder that the file is to lie in.
    fn folder(&self) -> PathBuf {
        let folder = self.out.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new(".")).to_owned()
    }

    /// The usual, until somebody presses Ctrl-C.
    pub(super) fn settings(&self, interrupts: &Interrupts) -> Settings {
        let interrupts = interrupts.clone();
        Settings { stop: Stop::when(move || interrupts.is_wanted()), ..Settings::new(self.folder()) }
    }

    /// That there is nothing to write.
    pub(super) fn nothing(&self, exported: &Exported, session: &Session) -> anyhow::Result<()> {
        if exported.unreadable_count > 0 {
            super::done::tell_unreadable(exported, session);
            let count = counted(exported.unreadable_count, "capture");
            return Err(anyhow!("{count} could not be read, and nothing was written"))
                .hint("files that were imported with `--reference` must stay where they were");
        }
        if exported.withheld > 0 {
            return Err(anyhow!("not everybody may see what was chosen, and nothing was written")).hint(ALL);
        }
        Err(anyhow!("the archive has no such capture, and nothing was written"))
            .hint("leave out some of `--url`, `--job`, `--from` and `--to`, or name another `--collection`")
    }

    fn meant<'a>(&self, url: &'a str) -> (&'a str, Match) {
        match (self.matching, url.strip_prefix("*."), url.strip_suffix('*')) {
            (None, Some(domain), _) => (domain, Match::Domain),
            (None, _, Some(prefix)) => (prefix, Match::Prefix),
            (how, ..) => {
                let matching = match how.unwrap_or(How::Exact) {
                    How::Exact => Match::Exact,
                    How::Prefix => Match::Prefix,
                    How::Host => Match::Host,
                    How::Domain => Match::Domain,
                };
                (url, matching)
            }
        }
    }
}
