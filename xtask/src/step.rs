//! One step of a chore: a command that runs quietly, with its time on one line, and says everything only if it fails.

use std::ffi::OsStr;
use std::io::{self, Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use crate::places;

/// A command with a name for people.
pub(crate) struct Step {
    name: String,
    words: Vec<String>,
    command: Command,
    closing: fn(&str) -> bool,
}

impl Step {
    /// A step that runs `program` in the root of the workspace.
    pub(crate) fn new(name: &str, program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(&program);
        command.current_dir(places::root()).stdin(Stdio::null());
        command.env("CARGO_TARGET_DIR", places::target()).env("PATH", places::search_path());
        let words = vec![program.as_ref().to_string_lossy().into_owned()];
        Self { name: name.to_owned(), words, command, closing: |_| false }
    }

    /// A step that runs cargo, with the words of one line.
    pub(crate) fn cargo(name: &str, line: &str) -> Self {
        Self::new(name, "cargo").args(line.split_whitespace())
    }

    /// Adds arguments.
    pub(crate) fn args<Word: AsRef<OsStr>>(mut self, words: impl IntoIterator<Item = Word>) -> Self {
        for word in words {
            self.words.push(word.as_ref().to_string_lossy().into_owned());
            self.command.arg(word);
        }
        self
    }

    /// Sets a variable of the environment.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.words.insert(0, format!("{name}='{}'", value.as_ref().to_string_lossy()));
        self.command.env(name, value);
        self
    }

    /// Which lines of a successful run are shown all the same, such as a test runner's summary.
    pub(crate) fn closing(mut self, is_closing: fn(&str) -> bool) -> Self {
        self.closing = is_closing;
        self
    }

    /// Runs it. On failure the output is printed whole, with the line that runs it again.
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        print!("{:<12}", self.name);
        // A name that cannot be shown early is shown late.
        let _ = io::stdout().flush();
        let started = Instant::now();
        let (success, output) = self.output()?;
        println!("{:>8}  {}", seconds(started.elapsed()), if success { "ok" } else { "FAILED" });
        let output = String::from_utf8_lossy(&output);
        if success {
            output.lines().filter(|line| (self.closing)(line)).for_each(|line| println!("  {}", line.trim()));
            return Ok(());
        }
        println!("{}", output.trim_end());
        bail!("`{}` failed; to run it again:\n  {}", self.name, self.words.join(" "))
    }

    /// The outcome, with standard output and standard error as they came.
    fn output(&mut self) -> anyhow::Result<(bool, Vec<u8>)> {
        let (mut reader, writer) = io::pipe().context("cannot make a pipe")?;
        let second = writer.try_clone().context("cannot make a pipe")?;
        let mut child = self
            .command
            .stdout(writer)
            .stderr(second)
            .spawn()
            .with_context(|| format!("cannot run `{}`", self.words.join(" ")))?;
        // The command still holds the writing ends; the pipe ends only when they are gone.
        self.command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut output = Vec::new();
        reader.read_to_end(&mut output).context("cannot read a command's output")?;
        Ok((child.wait().context("cannot wait for a command")?.success(), output))
    }
}

/// A duration as people read it.
pub(crate) fn seconds(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        // In tenths of a second two short times would look the same.
        0.0..0.2 => format!("{:.0} ms", seconds * 1e3),
        0.0..100.0 => format!("{seconds:.1} s"),
        _ => format!("{:.1} min", seconds / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_outputs_are_kept_in_order() {
        let mut step = Step::new("shell", "sh").args(["-c", "echo one; echo two >&2; exit 3"]);
        assert_eq!(step.output().unwrap(), (false, b"one\ntwo\n".to_vec()));
    }

    #[test]
    fn short_times_are_told_apart() {
        let shown = |millis| seconds(Duration::from_millis(millis));
        assert_eq!([shown(31), shown(2000), shown(120_000)], ["31 ms", "2.0 s", "2.0 min"]);
    }

    #[test]
    fn a_failure_says_how_to_run_it_again() {
        let error = Step::new("shell", "false").args(["a"]).env("B", "c").run().unwrap_err();
        assert_eq!(error.to_string(), "`shell` failed; to run it again:\n  B='c' false a");
    }
}
