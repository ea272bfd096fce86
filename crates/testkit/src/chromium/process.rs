//! The browser as a program: started with a profile that is thrown away, told to be silent, stopped by its id.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// So long it may take until it listens. A loaded machine needs many seconds.
const START_MAX: Duration = Duration::from_secs(120);
/// So long it may take to end by itself once it has been asked to; then it is stopped.
const END_MAX: Duration = Duration::from_secs(5);

/// Names that resolve; all others do not exist.
const RESOLVER: &str = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE [::1]";

/// No screen, no questions, no talk with its makers, and the same picture on every machine.
const FLAGS: [&str; 27] = [
    "--headless=new",
    "--remote-debugging-port=0",
    RESOLVER,
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--no-pings",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-features=AutofillServerCommunication,CertificateTransparencyComponentUpdater,MediaRouter,\
     OptimizationHints,Translate",
    "--disable-gpu",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    "--password-store=basic",
    "--autoplay-policy=no-user-gesture-required",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--hide-scrollbars",
    "--mute-audio",
];

/// A running browser.
#[derive(Debug)]
pub(super) struct Process {
    child: Mutex<Child>,
    address: String,
    /// Removed when this is dropped, after the browser's end.
    _profile: tempfile::TempDir,
}

impl Process {
    pub(super) fn start(program: &Path) -> io::Result<Process> {
        let profile = tempfile::Builder::new().prefix("varve-chromium-").tempdir()?;
        let mut command = Command::new(program);
        command.args(FLAGS).arg(format!("--user-data-dir={}", profile.path().display()));
        // In containers and for the administrator its sandbox does not work; it sees nothing but our own pages.
        command.arg("--no-sandbox").arg("about:blank");
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let talk = child.stderr.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (found, address) = mpsc::channel();
        // Reads on to the end: a full pipe would stop the browser.
        thread::spawn(move || {
            for line in BufReader::new(talk).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line);
                if let Some((_, address)) = line.split_once("DevTools listening on ") {
                    drop(found.send(address.trim().to_owned()));
                }
            }
        });
        match address.recv_timeout(START_MAX) {
            Ok(address) => Ok(Process { child: Mutex::new(child), address, _profile: profile }),
            Err(_) => {
                drop(child.kill());
                drop(child.wait());
                Err(io::Error::other("it did not say where it listens"))
            }
        }
    }

    /// Where it listens, as a `ws://` address.
    pub(super) fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let child = self.child.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let started = std::time::Instant::now();
        while started.elapsed() < END_MAX {
            match child.try_wait() {
                Ok(None) => thread::park_timeout(Duration::from_millis(20)),
                Ok(Some(_)) | Err(_) => return,
            }
        }
        drop(child.kill());
        drop(child.wait());
    }
}
