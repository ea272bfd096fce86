//! What every verb is given: the general options, a place for results, and a voice.

use std::env;
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;

use archive::Archive;
use fetch::Clock;
use plan::{Keychain, Keychains, Planner};
use supervisor::Kept;

use crate::args::Globals;
use crate::clock::now;
use crate::opening;
use crate::output::Output;
use crate::progress;
use crate::record_id;
use crate::report;
use crate::talk::Talk;
use crate::terminal::Paint;

/// One run of the program.
pub(crate) struct Session {
    /// The general options.
    pub(crate) globals: Globals,
    /// Results, and nothing else.
    pub(crate) out: Output,
    /// Warnings, progress, errors.
    pub(crate) talk: Talk,
    /// Colours for what goes to standard output.
    pub(crate) paint: Paint,
    keychains: Keychains,
}

impl Session {
    /// Looks at the terminal and the environment once; nothing after this asks again.
    pub(crate) fn new(globals: Globals) -> Self {
        let stdout_is_terminal = std::io::stdout().is_terminal();
        let stderr_is_terminal = std::io::stderr().is_terminal();
        let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|value| value == "dumb");
        let paint = |is_terminal: bool| Paint::decide(globals.color, is_terminal && !dumb, no_color);

        let json_on_screen = globals.json && stdout_is_terminal;
        let bars = progress::bars(stderr_is_terminal && !dumb && !globals.quiet && !json_on_screen);
        let talk = Talk::new(paint(stderr_is_terminal), globals.quiet, stderr_is_terminal, bars.clone());
        let out = Output::stdout(stdout_is_terminal, bars);
        let key_file = settings::environment::key_file();
        let keychains = Keychains::new(key_file, talk.voice(), Clock::new(now));
        Self { out, talk, paint: paint(stdout_is_terminal), globals, keychains }
    }

    /// The same run, for what says nothing but errors: settings were warned of once.
    pub(crate) fn quiet(&self) -> Self {
        let globals = Globals { quiet: true, ..self.globals.clone() };
        Self { keychains: self.keychains.clone(), ..Self::new(globals) }
    }

    /// The user names and passwords of the archive in this folder.
    pub(crate) fn keychain(&self, archive: &Path) -> Keychain {
        self.keychains.of(archive)
    }

    /// Where archive and settings are by the general options.
    pub(crate) fn find_settings(&self) -> settings::Place {
        settings::find(&self.search())
    }

    /// The settings that apply. Where there are none, a warning says so, and the built-in settings apply.
    pub(crate) fn load_settings(&self) -> anyhow::Result<settings::Loaded> {
        Ok(settings::load(&self.search(), &self.talk.voice())?)
    }

    /// The settings for those who need little of them: no message where there are none.
    pub(crate) fn read_settings(&self) -> anyhow::Result<settings::File> {
        Ok(settings::said(&self.search())?)
    }

    /// The archive that the options name, or the one around here, with its replicas. Files that nobody has taken note of are noted.
    /// Files can be kept without indexes, so a lost or damaged index is a warning.
    pub(crate) fn kept(&self) -> anyhow::Result<Kept> {
        let loaded = self.load_settings()?;
        let folder = loaded.archive()?;
        let archive =
            supervisor::open(folder).or_else(|error| match Archive::open_without_indexes(folder) {
                Ok(archive) => {
                    report::warning(&self.talk, &error.into());
                    Ok(archive)
                }
                Err(_) => Err(error),
            })?;
        let kept = Kept::of(archive, &loaded.file, Clock::new(now))?;
        kept.take_stock()?;
        Ok(kept)
    }

    /// Makes plans for the archive of the settings that apply.
    pub(crate) fn planner(&self) -> anyhow::Result<Planner> {
        let loaded = self.load_settings()?;
        let archive = supervisor::open(loaded.archive()?)?;
        Ok(self.planner_by(archive, loaded))
    }

    /// The same for an archive that is open.
    pub(crate) fn planner_of(&self, archive: Archive) -> anyhow::Result<Planner> {
        Ok(self.planner_by(archive, self.load_settings()?))
    }

    fn planner_by(&self, archive: Archive, loaded: settings::Loaded) -> Planner {
        let keychain = self.keychain(archive.folder());
        let (clock, ids) = (Clock::new(now), Arc::new(record_id::new));
        Planner { archive, loaded, keychain, clock, ids, voice: self.talk.voice() }
    }

    pub(crate) fn search(&self) -> settings::Search {
        settings::Search { config: self.globals.config.clone(), archive: self.globals.archive.clone() }
    }

    /// The archive that the options name, or the one around here.
    pub(crate) fn archive(&self) -> anyhow::Result<archive::Archive> {
        opening::archive(self)
    }
}
