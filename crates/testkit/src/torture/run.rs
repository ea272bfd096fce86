//! One run of the program, watched closely enough to be killed at a moment.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often it is looked at.
const LOOK: Duration = Duration::from_micros(500);

/// A program that runs.
pub(super) struct Run {
    child: Child,
    said: Option<JoinHandle<Vec<u8>>>,
}

/// How it ended.
pub(super) struct Ended {
    pub(super) is_success: bool,
    pub(super) said: String,
}

impl Run {
    /// Starts the program on an archive.
    pub(super) fn start<'a>(
        program: &Path,
        archive: &Path,
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<Run, String> {
        let mut command = Command::new(program);
        command.args(words.into_iter().map(OsStr::new)).arg("--archive").arg(archive);
        let cannot = |error: io::Error| format!("cannot run the program: {error}");
        let (mut reader, writer) = io::pipe().map_err(cannot)?;
        let second = writer.try_clone().map_err(cannot)?;
        let child = command.stdin(Stdio::null()).stdout(writer).stderr(second).spawn().map_err(cannot)?;
        // Read while it runs, or a full pipe would stop it. The pipe ends when the command, which holds its other end, is gone.
        let said = thread::spawn(move || {
            let mut said = Vec::new();
            drop(reader.read_to_end(&mut said));
            said
        });
        Ok(Run { child, said: Some(said) })
    }

    pub(super) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits until something holds, but not beyond the end of the program nor for longer than this; whether it holds.
    pub(super) fn until(&mut self, at_most: Duration, mut holds: impl FnMut() -> bool) -> bool {
        let started = Instant::now();
        loop {
            if holds() {
                return true;
            }
            if !self.is_running() || started.elapsed() >= at_most {
                return false;
            }
            thread::park_timeout(LOOK.min(at_most.saturating_sub(started.elapsed())));
        }
    }

    /// `kill -9`.
    pub(super) fn kill(&mut self) -> Result<(), String> {
        self.child.kill().and_then(|()| self.child.wait()).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Waits for its end. One that does not end is killed, and that is an error.
    pub(super) fn end(&mut self, at_most: Duration) -> Result<Ended, String> {
        self.until(at_most, || false);
        match self.child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => {
                let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
                let said = format!("{status}: {}", String::from_utf8_lossy(&said));
                Ok(Ended { is_success: status.success(), said })
            }
            None => {
                self.kill()?;
                Err(format!("the program did not end within {} s", at_most.as_secs()))
            }
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // Nothing outlives the test; one that has ended already cannot be killed, and that is fine.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
