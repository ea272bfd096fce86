//! The log: what the parts report by `tracing`, on standard error.
//!
//! `-v` shows which files are read, `-vv` and `-vvv` what else there is; `$VARVE_LOG` takes a filter such as `warc=debug` and
//! overrules them. A person at a terminal is spared the time on each line unless `-vv` asks for detail.

use std::env;
use std::io;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use urlkey::hide_logins;

use crate::args::Globals;
use crate::talk::Talk;

/// Starts the log. A filter that cannot be read is said and not fatal.
pub(crate) fn start(globals: &Globals, talk: Talk) {
    let level = match globals.verbose {
        _ if globals.quiet => "error",
        0 => "warn",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let wanted = env::var("VARVE_LOG").ok().filter(|filter| !filter.trim().is_empty());
    let filter = wanted.as_deref().unwrap_or(level);
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|error| {
        talk.warning(&format!("$VARVE_LOG is not understood ({error}); logging at `{level}`"));
        EnvFilter::new(level)
    });
    let with_time = !talk.is_terminal() || globals.verbose >= 2;
    let base = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(talk.is_coloured())
        .with_writer(Lines(talk));
    // Only tests start the log twice in one process, and then the first one serves.
    let _ = if with_time {
        tracing::subscriber::set_global_default(base.finish())
    } else {
        tracing::subscriber::set_global_default(base.without_time().finish())
    };
}

/// Hands each log line to the voice, which lets it pass above the progress bars.
struct Lines(Talk);

impl<'writer> MakeWriter<'writer> for Lines {
    type Writer = Line;

    fn make_writer(&'writer self) -> Line {
        Line(self.0.clone())
    }
}

/// The writer of one log line; `tracing-subscriber` writes a line in one call.
struct Line(Talk);

impl io::Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.raw(hide_logins(&String::from_utf8_lossy(bytes)).as_bytes());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
