//! Somebody's own program: it is given a file on standard input, and what it prints is the result.
//!
//! It runs in a process group of its own, which is killed whole when its time is up, when it prints more than it may, and when it has
//! ended: nothing that it started and that stays in the group goes on. That is done by this program: if it is killed itself, or ends at once at
//! a second Ctrl-C, nobody does it.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{self, Child, ChildStderr, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::reading::Reading;
use crate::source::Source;
use crate::task::{Done, Failure, Task};
use crate::watch::{LOOK_EVERY, Watch};

/// Bytes of what it says on standard error that are kept: the last ones, for there stands why it failed.
const SAID_BYTES_MAX: usize = 4 << 10;
/// Bytes that are taken from it in one go.
const PIECE_BYTES: usize = 64 << 10;

/// How often it is looked whether what a program left behind, and could not be ended, lets go of its output.
const LOOKS_MAX: u32 = 100;

/// What this program may find in its environment and nobody else needs: somebody's own program may be anything, and tell anybody.
const SECRETS: [&str; 6] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "VARVE_CREDENTIAL",
    "VARVE_SMTP_PASSWORD",
    "VARVE_WEBHOOK_SECRET",
];

/// Runs a program for each file.
///
/// Besides what the environment has anyway, but for the secrets of this program, it finds `VARVE_FILE` (`<job>/<file>`), `VARVE_JOB` and `VARVE_SHA256` in it. A file fails if
/// the program does not end with 0.
#[derive(Debug, Clone)]
pub struct Command {
    program: OsString,
    arguments: Vec<OsString>,
}

impl Command {
    /// This program with these arguments; no shell is asked.
    #[must_use]
    pub fn new(program: OsString, arguments: Vec<OsString>) -> Command {
        Command { program, arguments }
    }

    /// The program with its arguments, in an environment without secrets.
    fn discreet(&self) -> process::Command {
        let mut command = process::Command::new(&self.program);
        command.args(&self.arguments);
        for name in SECRETS {
            command.env_remove(name);
        }
        command
    }

    fn spawn(&self, file: &Reading) -> io::Result<Child> {
        self.discreet()
            .env("VARVE_FILE", &file.file().name)
            .env("VARVE_JOB", file.job())
            .env("VARVE_SHA256", &file.file().sha256)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
    }
}

impl Task for Command {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        let shown = self.program.to_string_lossy().into_owned();
        let child = self.spawn(file).map_err(|error| Failure(format!("cannot run `{shown}`: {error}")))?;
        let mut running = Running { child, status: None };
        let (stdin, stdout) = (running.child.stdin.take(), running.child.stdout.take());
        let stderr = running.child.stderr.take();
        let (Some(stdin), Some(mut stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err(Failure("it has no standard input and output".to_owned()));
        };
        // None of these threads is waited for without looking at the clock: somebody else may hold the other end.
        let fed = file.take_source().map(|source| feed(source, stdin));
        let said = listen(stderr);
        let (sender, pieces) = mpsc::sync_channel(2);
        thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE_BYTES];
                match stdout.read(&mut piece) {
                    Ok(0) => return,
                    Ok(count) => piece.truncate(count),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(_) => return,
                }
                if sender.send(piece).is_err() {
                    return;
                }
            }
        });
        let watch = file.watch().clone();
        let written = running.take_output(&pieces, &watch, result);
        let status = written.and_then(|()| running.wait(&watch));
        running.end();
        // Its end of the pipe is closed by now, so that whoever fed it comes back.
        if let Some(source) = fed.and_then(|fed| patiently(&fed, &watch, u32::MAX)) {
            file.give_back(source);
        }
        let status = status?;
        if status.success() {
            return Ok(Done::Sound);
        }
        let said = patiently(&said, &watch, LOOKS_MAX).unwrap_or_default();
        Err(Failure(told(&shown, status, &said)))
    }
}

/// A program under way. It does not outlive this.
struct Running {
    child: Child,
    status: Option<ExitStatus>,
}

impl Running {
    /// Takes what it prints, until it has closed its output or ended.
    fn take_output(
        &mut self,
        pieces: &Receiver<Vec<u8>>,
        watch: &Watch,
        result: &mut dyn Write,
    ) -> Result<(), Failure> {
        // Looks since it ended.
        let mut looks = 0;
        loop {
            if watch.over().is_some() {
                return Err(Failure("its time is up".to_owned()));
            }
            match pieces.recv_timeout(LOOK_EVERY) {
                Ok(piece) => result.write_all(&piece)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) if !self.has_ended() => {}
                // Those that it left behind must not hold the output open. Who has left the group cannot be ended with it, and may still
                // print; then nobody knows whether this was all.
                Err(RecvTimeoutError::Timeout) if looks < LOOKS_MAX => {
                    self.kill();
                    looks += 1;
                }
                Err(RecvTimeoutError::Timeout) => {
                    let why = "it ended, and something that it started keeps its output open";
                    return Err(Failure(why.to_owned()));
                }
            }
        }
    }

    /// Waits until it ends.
    fn wait(&mut self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let mut pause = Duration::from_micros(200);
        while !self.has_ended() {
            if watch.over().is_some() {
                return Err(Failure("its time is up".to_owned()));
            }
            thread::park_timeout(pause);
            pause = LOOK_EVERY.min(pause * 2);
        }
        self.end();
        self.status.ok_or_else(|| Failure("nobody knows how it ended".to_owned()))
    }

    /// Whether it has ended, without letting go of its number: until that the group can be called by it.
    fn has_ended(&self) -> bool {
        let Some(pid) = self.pid() else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        self.status.is_some() || !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
    }

    fn kill(&self) {
        if let Some(pid) = self.pid().filter(|_| self.status.is_none()) {
            // Where nobody is left, that is what was wanted.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    /// Ends it and all that it started, and lets go of it.
    fn end(&mut self) {
        if self.status.is_none() {
            self.kill();
            // It may have gone to another group itself.
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
    }

    fn pid(&self) -> Option<Pid> {
        Pid::from_raw(i32::try_from(self.child.id()).ok()?)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// Feeds the file to the program on a thread of its own; gives it back when all was taken, or no more is wanted.
fn feed(mut source: Source, mut stdin: ChildStdin) -> Receiver<Source> {
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut piece = vec![0; PIECE_BYTES];
        while let Ok(count) = source.read(&mut piece)
            && count > 0
        {
            // A program that has seen enough closes its input. That is its right.
            if stdin.write_all(piece.get(..count).unwrap_or_default()).is_err() {
                break;
            }
        }
        drop(stdin);
        let _ = sender.send(source);
    });
    receiver
}

/// Keeps the last of what the program says on standard error.
fn listen(mut stderr: ChildStderr) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let (mut said, mut buffer) = (Vec::new(), [0; 4 << 10]);
        while let Ok(count) = stderr.read(&mut buffer)
            && count > 0
        {
            said.extend_from_slice(buffer.get(..count).unwrap_or_default());
            let too_many = said.len().saturating_sub(SAID_BYTES_MAX);
            said.drain(..too_many);
        }
        let _ = sender.send(said);
    });
    receiver
}

/// What a thread has to give, as long as there is time, and no longer than so many looks.
fn patiently<T>(receiver: &Receiver<T>, watch: &Watch, looks_max: u32) -> Option<T> {
    for _ in 0..looks_max {
        match receiver.recv_timeout(LOOK_EVERY) {
            Ok(value) => return Some(value),
            Err(RecvTimeoutError::Timeout) if watch.over().is_none() => {}
            Err(_) => return None,
        }
    }
    None
}

/// How a program ended that did not do it, with the last it said.
fn told(program: &str, status: ExitStatus, said: &[u8]) -> String {
    let mut text = match (status.code(), status.signal()) {
        (Some(code), _) => format!("`{program}` ended with {code}"),
        (None, Some(signal)) => format!("`{program}` was ended by signal {signal}"),
        (None, None) => format!("`{program}` did not end well"),
    };
    let said = String::from_utf8_lossy(said);
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let said = lines.join(" / ");
    if !said.is_empty() {
        let _ = write!(text, ": {said}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_not_given_secrets() {
        let command = Command::new("env".into(), Vec::new()).discreet();
        for name in SECRETS {
            assert!(command.get_envs().any(|(key, value)| key == name && value.is_none()), "{name}");
        }
    }
}
