//! The two servers of the contest: ours, and pywb under uwsgi, each stopped when dropped.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use crate::step::Step;
use crate::{peers, places};

/// pywb is served by this; it is no peer of the tests.
const UWSGI: &str = "uwsgi==2.0.31";
/// How long a server may take to listen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that runs.
pub(super) struct Server {
    process: Child,
    /// Where captures are replayed.
    pub(super) replay: String,
    /// Where lines of the index are had.
    pub(super) index: String,
}

impl Server {
    /// `varve up` on an archive.
    pub(super) fn ours(archive: &Path) -> anyhow::Result<Server> {
        let mut process = Command::new(places::target().join("release").join("varve"))
            .args(["up", "--json", "--no-open", "--port", "0", "--replay-port", "0", "--archive"])
            .arg(archive)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .context("cannot start `varve up`")?;
        let out = process.stdout.take().context("`varve up` has no output")?;
        let mut server = Server { process, replay: String::new(), index: String::new() };
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).context("`varve up` says nothing")?;
        let said: Value = serde_json::from_str(&line).with_context(|| format!("not JSON: `{line}`"))?;
        let origin = |name: &str| {
            let url = said.get(name).and_then(Value::as_str);
            url.map(|url| url.trim_end_matches('/').to_owned())
                .with_context(|| format!("no `{name}` in {line}"))
        };
        server.replay = origin("replay")?;
        server.index = origin("pages")?;
        Ok(server)
    }

    /// pywb with two processes on the same files.
    pub(super) fn pywb(folder: &Path, files: &[PathBuf]) -> anyhow::Result<Server> {
        let peers = peers::make()?;
        let program = |name: &str| peers.join("bin").join(name);
        if !program("uwsgi").exists() {
            let words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", UWSGI];
            Step::new("uwsgi", program("python")).args(words).run()?;
        }
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| format!("cannot empty `{}`", folder.display()))?;
        }
        fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
        let manage = |words: &[&str], files: &[PathBuf]| -> anyhow::Result<()> {
            let mut command = Command::new(program("wb-manager"));
            let output = command.args(words).args(files).current_dir(folder).output();
            let output = output.context("cannot run wb-manager")?;
            let said = String::from_utf8_lossy(&output.stderr);
            ensure!(output.status.success(), "wb-manager {words:?} failed: {}", said.trim());
            Ok(())
        };
        manage(&["init", "bench"], &[])?;
        manage(&["add", "bench"], files)?;
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let process = Command::new(program("uwsgi"))
            .args([
                "--http-socket",
                &format!("127.0.0.1:{port}"),
                "--module",
                "pywb.apps.wayback:application",
            ])
            .args(["--master", "--processes", "2", "--gevent", "100", "--gevent-early-monkey-patch"])
            .args(["--buffer-size", "65536", "--die-on-term", "--disable-logging"])
            .arg("--venv")
            .arg(&peers)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.join("uwsgi.log")).context("cannot make a log for uwsgi")?)
            .spawn()
            .context("cannot start uwsgi")?;
        let origin = format!("http://127.0.0.1:{port}");
        let mut server = Server { process, replay: origin.clone(), index: origin };
        server.wait(port).with_context(|| format!("see `{}`", folder.join("uwsgi.log").display()))?;
        Ok(server)
    }

    /// Of the process, as the kernel knows it.
    pub(super) fn peak_bytes(&self) -> anyhow::Result<u64> {
        let path = format!("/proc/{}/status", self.process.id());
        let status = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes =
            line.and_then(|line| line.split_whitespace().next()).and_then(|word| word.parse::<u64>().ok());
        Ok(kilobytes.with_context(|| format!("{path} tells no peak"))? * 1024)
    }

    fn wait(&mut self, port: u16) -> anyhow::Result<()> {
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if let Some(status) = self.process.try_wait()? {
                bail!("it ended at once: {status}");
            }
            ensure!(started.elapsed() < PATIENCE, "it does not listen after {} s", PATIENCE.as_secs());
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // uwsgi's master takes its workers along, which a kill would leave behind.
        let _ = Command::new("kill").arg(self.process.id().to_string()).status();
        let _ = self.process.wait();
    }
}
