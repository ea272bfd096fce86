//! A real S3 server on loopback, started by the test and stopped with it, and a proxy before it that makes things go wrong.
//!
//! The server is s3s-fs, which `cargo xtask test` installs into the target folder. Its objects are plain files, so a test can look at
//! them and damage them.

// A skipped test must not be silent.
#![allow(clippy::print_stderr)]

mod faults;
mod process;

use std::env;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

pub use faults::{Fault, Faults};

use self::process::Process;
use crate::peers;

/// What the program is called.
pub const PROGRAM: &str = "s3s-fs";
/// The bucket that is there from the start.
pub const BUCKET: &str = "sediment";
/// Public half of the credentials that the server takes.
pub const ACCESS_KEY: &str = "testkit-access";
/// Secret half.
pub const SECRET_KEY: &str = "testkit-secret";

/// An S3 server that runs as long as this value lives, unless it is stopped.
#[derive(Debug)]
pub struct S3 {
    program: PathBuf,
    folder: tempfile::TempDir,
    address: SocketAddr,
    process: Mutex<Option<Process>>,
}

impl S3 {
    /// Starts a server with an empty bucket in a temporary folder.
    ///
    /// Where the program is not installed, `None`, and one line on standard error says so.
    ///
    /// # Panics
    /// When it does not start; and when it is missing and `$CI` is `true`: there a test that was skipped must not look like one that
    /// passed.
    #[track_caller]
    pub fn start() -> Option<S3> {
        let program = program()?;
        let folder = tempfile::Builder::new().prefix("varve-s3-").tempdir().expect("a temporary folder");
        fs::create_dir(folder.path().join(BUCKET)).expect("a folder for the bucket");
        let process = Process::start(&program, folder.path(), 0);
        let address = process.address();
        Some(S3 { program, folder, address, process: Mutex::new(Some(process)) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The same as clients want to have it.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where the bucket's objects lie, each a file of its name.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().join(BUCKET)
    }

    /// Whatever the server keeps beside the bucket: parts of uploads that are not complete, above all.
    ///
    /// # Panics
    /// When the folder cannot be read.
    pub fn leftovers(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("the server's folder");
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> =
            names.filter(|name| name.contains("upload") || name.contains(".part")).collect();
        names.sort();
        names
    }

    /// Stops it: from now on nobody is there. What it keeps stays.
    pub fn stop(&self) {
        self.process.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Starts it again, at the same port.
    ///
    /// # Panics
    /// When it does not start.
    #[track_caller]
    pub fn restart(&self) {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        process.take();
        *process = Some(Process::start(&self.program, self.folder.path(), self.address.port()));
    }
}

/// The program: from the search path, or else from where `cargo xtask test` installs it.
fn program() -> Option<PathBuf> {
    static TOLD: Once = Once::new();
    let path = env::var_os("PATH").unwrap_or_default();
    let installed = peers::folder().parent().map(|target| target.join("tools").join("bin"));
    let mut folders = env::split_paths(&path).chain(installed);
    let found = folders.find_map(|folder| Some(folder.join(PROGRAM)).filter(|program| is_program(program)));
    if found.is_none() {
        let in_ci = env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!in_ci, "no {PROGRAM} on this machine: `cargo xtask test` installs it");
        TOLD.call_once(|| {
            eprintln!("testkit: no {PROGRAM}; skipping what needs it (`cargo xtask test` installs it)");
        });
    }
    found
}

fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    fn ask(address: SocketAddr, method: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        write!(stream, "{method} /{BUCKET}/a HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    #[test]
    fn a_server_can_be_stopped_and_started_again() {
        let Some(server) = S3::start() else { return };
        let refused = ask(server.address(), "GET").unwrap();
        assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
        server.stop();
        assert!(ask(server.address(), "GET").is_err());
        server.restart();
        assert!(ask(server.address(), "GET").unwrap().starts_with("HTTP/1.1 403"));
    }

    #[test]
    fn faults_come_as_often_as_they_were_asked_for() {
        let Some(server) = S3::start() else { return };
        let faults = Faults::before(server.address());
        assert!(ask(faults.address(), "GET").unwrap().starts_with("HTTP/1.1 403"));
        faults.next(Fault::Status(503), 2);
        for _ in 0..2 {
            assert!(ask(faults.address(), "GET").unwrap().starts_with("HTTP/1.1 503"));
        }
        assert!(ask(faults.address(), "GET").unwrap().starts_with("HTTP/1.1 403"));
        faults.next_of("HEAD", Fault::Close, 1);
        assert!(ask(faults.address(), "GET").unwrap().starts_with("HTTP/1.1 403"));
        assert_eq!(ask(faults.address(), "HEAD").unwrap_or_default(), "");
        faults.next(Fault::CutAnswer, 1);
        let whole = ask(faults.address(), "GET").unwrap();
        let cut = ask(faults.address(), "GET").unwrap();
        // The first was cut: shorter than the second, which is whole.
        assert!(whole.len() < cut.len(), "{whole}\n{cut}");
        assert_eq!(faults.happened(), 4);
        assert!(faults.waiting() == 0);
    }
}
