//! What a program used while it ran: time, processor time, memory.

use std::fs;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

/// The kernel counts processor time in these, on every machine that Linux runs on.
const TICK: Duration = Duration::from_millis(10);
/// How often the child's memory is looked at; the peak only grows, so little is missed.
const LOOK: Duration = Duration::from_millis(5);

/// What a run used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    pub(crate) time: Duration,
    /// User and system, with all its children.
    pub(crate) processor: Duration,
    /// The most resident memory of the program itself, as last seen before it ended.
    pub(crate) peak_bytes: u64,
}

/// Runs a command to its end. Nobody else may wait for a child meanwhile: the kernel tells the sum of all.
///
/// `usual` are the exit codes of a run that went to its end: wget has one of its own for "something was missing". One that
/// was ended by a signal never did, whatever it had done by then.
pub(crate) fn of(command: &mut Command, usual: &[i32]) -> anyhow::Result<Usage> {
    let before = processor_time().context("cannot read /proc/self/stat")?;
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {command:?}"))?;
    let mut stderr = child.stderr.take().context("the child has no standard error")?;
    // What it says is read while it runs, or a full pipe would stop it.
    let reader = thread::spawn(move || {
        let mut said = Vec::new();
        let _ = stderr.read_to_end(&mut said);
        said
    });
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak_bytes = 0;
    let status = loop {
        peak_bytes = peak(&status_file).unwrap_or(0).max(peak_bytes);
        match child.try_wait().context("cannot wait for a command")? {
            Some(status) => break status,
            None => thread::sleep(LOOK),
        }
    };
    let time = started.elapsed();
    let after = processor_time().context("cannot read /proc/self/stat")?;
    let said = reader.join().unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let last = said.lines().rev().take(5).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>();
    let is_whole = status.code().is_some_and(|code| usual.contains(&code));
    ensure!(is_whole, "{command:?} failed ({status}): {}", last.join("\n"));
    Ok(Usage { time, processor: after.saturating_sub(before), peak_bytes })
}

/// Processor time of all children that were waited for.
fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name that may hold anything, parentheses too; the fields wanted are numbers 16 and 17.
    let (_, rest) = text.rsplit_once(") ")?;
    let mut fields = rest.split(' ').skip(13);
    let mut ticks = || fields.next()?.parse::<u32>().ok();
    Some(TICK * (ticks()? + ticks()?))
}

/// The peak of a process, from its status file.
fn peak(status_file: &str) -> Option<u64> {
    let text = fs::read_to_string(status_file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_memory() {
        let mut command = Command::new("sh");
        command.args(["-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"]);
        let usage = of(&mut command, &[0]).unwrap();
        assert!(usage.processor > Duration::ZERO && usage.time > Duration::ZERO, "{usage:?}");
        assert!((100_000..100_000_000).contains(&usage.peak_bytes), "{usage:?}");
    }

    #[test]
    fn failure_is_told_unless_it_is_usual() {
        assert!(of(&mut Command::new("false"), &[0, 1]).is_ok());
        let failure =
            |script: &str| of(Command::new("sh").args(["-c", script]), &[0, 8]).unwrap_err().to_string();
        let error = failure("echo no >&2; exit 4");
        assert!(error.contains("exit status: 4") && error.ends_with("no"), "{error}");
        let error = failure("kill $$");
        assert!(error.contains("signal: 15"), "{error}");
    }
}
