//! The program, run as it is or with something between it and the system that makes calls fail.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(180);
/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(1);
/// `kill -9`.
const SIGKILL: i32 = 9;

/// The program and what it finds in its environment.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) variables: Vec<(String, String)>,
}

/// What stands between the program and the system.
#[derive(Clone, Debug)]
pub(super) enum Around {
    /// Nothing.
    Nothing,
    /// strace, which makes calls fail or kills at them: its further words.
    Calls(Vec<String>),
    /// A clock that is so many days ahead.
    Clock(i64),
    /// No file gets longer than so many bytes: a write that would make it longer is short, the next one fails.
    Longest(u64),
    /// It is killed after so long.
    Killed(Duration),
}

/// A program that runs.
pub(super) struct Running {
    child: Child,
    words: String,
    out: File,
    error: File,
    /// What strace says.
    calls: Option<PathBuf>,
    /// When it is killed.
    killed_after: Option<Duration>,
    started: Instant,
}

/// How it ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// Its exit code; `None` if it was killed.
    pub(super) code: Option<i32>,
    /// Its results.
    pub(super) out: Vec<u8>,
    /// Its talk.
    pub(super) error: String,
    /// Whether calls were made to fail, or it was killed.
    pub(super) was_disturbed: bool,
    /// What was asked.
    pub(super) words: String,
}

impl Program {
    /// Runs it to its end.
    pub(super) fn run(&self, archive: &Path, words: &[&str], around: &Around) -> Result<Ended, String> {
        self.start(archive, words, around)?.end()
    }

    /// Starts it on an archive.
    pub(super) fn start(&self, archive: &Path, words: &[&str], around: &Around) -> Result<Running, String> {
        let cannot = |error: std::io::Error| format!("cannot run `{}`: {error}", words.join(" "));
        let calls = matches!(around, Around::Calls(_)).then(|| archive.with_extension("calls"));
        let mut command = self.command(around, calls.as_deref());
        command.args(words).arg("--archive").arg(archive);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        // A group of its own, so that a program that hangs is ended together with whatever is around it.
        command.process_group(0).stdin(Stdio::null());
        let (out, error) = (tempfile::tempfile().map_err(cannot)?, tempfile::tempfile().map_err(cannot)?);
        command.stdout(out.try_clone().map_err(cannot)?).stderr(error.try_clone().map_err(cannot)?);
        let killed_after = match around {
            Around::Killed(after) => Some(*after),
            _ => None,
        };
        let child = command.spawn().map_err(cannot)?;
        let words = words.join(" ");
        Ok(Running { child, words, out, error, calls, killed_after, started: Instant::now() })
    }

    fn command(&self, around: &Around, calls: Option<&Path>) -> Command {
        let mut command;
        match around {
            Around::Nothing | Around::Killed(_) => command = Command::new(&self.path),
            Around::Calls(words) => {
                command = Command::new("strace");
                command.args(["-f", "-e", "signal=none"]).args(words);
                if let Some(calls) = calls {
                    command.arg("-o").arg(calls);
                }
                command.arg("--").arg(&self.path);
            }
            Around::Clock(days) => {
                command = Command::new("faketime");
                // Pauses are measured by the other clock, which no jump reaches.
                command.args(["-m", "--exclude-monotonic", "-f", &format!("{days:+}d")]).arg(&self.path);
            }
            Around::Longest(bytes) => {
                command = Command::new("sh");
                // Counted in blocks of 512 bytes. Ignored, the signal leaves the call to fail.
                let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", bytes / 512);
                command.args(["-c", &script]).arg(&self.path);
            }
        }
        command
    }
}

impl Running {
    /// Waits for its end, or kills it when its time has come. One that does not end is an error.
    pub(super) fn end(mut self) -> Result<Ended, String> {
        let mut was_disturbed = false;
        let status = loop {
            let waited = self.child.try_wait().map_err(|error| error.to_string())?;
            if let Some(status) = waited {
                break status;
            }
            let elapsed = self.started.elapsed();
            if self.killed_after.take_if(|after| elapsed >= *after).is_some() {
                self.child.kill().map_err(|error| error.to_string())?;
                was_disturbed = true;
            }
            if elapsed > PATIENCE {
                return Err(format!("`{}` did not end within {} s", self.words, PATIENCE.as_secs()));
            }
            thread::park_timeout(LOOK);
        };
        let is_killed = status.signal() == Some(SIGKILL);
        if let Some(calls) = &self.calls {
            let said = fs::read_to_string(calls).unwrap_or_default();
            was_disturbed = is_killed || said.contains("(INJECTED)");
        }
        let out = whole(&mut self.out)?;
        let error = String::from_utf8_lossy(&whole(&mut self.error)?).into_owned();
        let words = self.words.clone();
        if error.contains("panicked") || (status.signal().is_some() && !is_killed) {
            return Err(format!("`{words}`: {status}: {error}"));
        }
        Ok(Ended { code: status.code(), out, error, was_disturbed, words })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            // Nothing outlives the test, neither strace nor what it traces.
            let group = format!("-{}", self.child.id());
            drop(Command::new("kill").args(["-9", "--", &group]).status());
            drop(self.child.wait());
        }
    }
}

impl Ended {
    pub(super) fn is_good(&self) -> bool {
        self.code == Some(0)
    }

    pub(super) fn is_killed(&self) -> bool {
        self.code.is_none()
    }

    /// An error where it failed.
    pub(super) fn good(self) -> Result<Ended, String> {
        if self.is_good() { Ok(self) } else { Err(self.told()) }
    }

    /// All that it said.
    pub(super) fn told(&self) -> String {
        let code = self.code.map_or("killed".to_owned(), |code| format!("exit code {code}"));
        format!("`{}`: {code}\n{}{}", self.words, String::from_utf8_lossy(&self.out), self.error)
    }
}

fn whole(file: &mut File) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    Ok(bytes)
}
