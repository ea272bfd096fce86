//! What every verb is given: the general options, a place for results, and a voice.

use std::env;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use crate::args::Globals;
use crate::keychain::{KEY_VARIABLE, Keychain, Keychains};
use crate::output::Output;
use crate::progress;
use crate::settings;
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
        let key_file = env::var_os(KEY_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
        let keychains = Keychains::new(key_file, talk.clone());
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

    /// The archive that the options name, or the one around here.
    pub(crate) fn archive(&self) -> anyhow::Result<archive::Archive> {
        settings::archive(self)
    }
}
