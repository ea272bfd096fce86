//! Runs the built program the same way everywhere and turns what it says into one text.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// One run to be: arguments, environment, standard input, and a folder of its own to run in.
pub(crate) struct Run {
    command: Command,
    stdin: Vec<u8>,
    folder: TempDir,
    /// Another folder that it runs in.
    other: Option<PathBuf>,
}

/// `varve` with these arguments, in an empty folder and an environment that knows nothing of the tester's taste.
pub(crate) fn varve<Word: AsRef<OsStr>>(words: impl IntoIterator<Item = Word>) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_varve"));
    command.args(words).current_dir(folder.path());
    for name in [
        "VARVE_ARCHIVE",
        "VARVE_CONFIG",
        "VARVE_LOG",
        "VARVE_SECRETS_KEY_FILE",
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "COLUMNS",
        "RUST_BACKTRACE",
    ] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm").env("LANG", "C.UTF-8");
    Run { command, stdin: Vec::new(), folder, other: None }
}

impl Run {
    /// Sets a variable of the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it in this folder, where others have run before.
    pub(crate) fn inside(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self.other = Some(folder.to_owned());
        self
    }

    /// What standard input holds; otherwise it is empty.
    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Puts a file into the folder of the run.
    pub(crate) fn file(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.folder().join(name), bytes).unwrap();
        self
    }

    /// The folder of the run.
    pub(crate) fn folder(&self) -> &Path {
        self.other.as_deref().unwrap_or(self.folder.path())
    }

    /// Runs it to its end.
    pub(crate) fn output(&mut self) -> Output {
        let pipe = Stdio::piped;
        let mut child = self.command.stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let bytes = std::mem::take(&mut self.stdin);
        // From a thread, because the program may answer before it has read everything.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output
    }

    /// Runs it and shows everything it did, ready for a snapshot. The folder's name becomes `[FOLDER]`.
    pub(crate) fn shown(&mut self) -> String {
        let output = self.output();
        let folder = self.folder().display().to_string();
        let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&folder, "[FOLDER]");
        format!(
            "exit: {}\n----- stdout -----\n{}----- stderr -----\n{}",
            output.status.code().map_or_else(|| "signal".to_owned(), |code| code.to_string()),
            show(&output.stdout),
            show(&output.stderr),
        )
    }
}
