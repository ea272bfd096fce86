//! `cargo xtask bench fetch`: exchanges with a local nginx, against wrk, and the gate with many hosts.
//!
//! wrk throws away what it reads; we keep the raw bytes and hash them. Both have the same number of connections, and
//! share the machine with the server.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};

use super::contest::{Contest, Side};
use super::{judge, page};
use crate::step::Step;
use crate::{debian, places};

const PAGE_BYTES: usize = 20_000;
const CONNECTIONS: usize = 64;
const SECONDS: usize = 5;
const ROUNDS: u32 = 3;

/// What the gate may need for a hundred thousand hosts.
const GATE_BYTES_MAX: u64 = 60_000_000;
const GATE_NANOSECONDS_MAX: f64 = 5_000.0;

pub(crate) fn run() -> anyhow::Result<()> {
    debian::install(&debian::FOR_BENCH_FETCH)?;
    Step::cargo("build", "build --release --package fetch --examples").run()?;
    let server = Nginx::start()?;
    let url = server.url();

    let mut ours = Command::new(example("pull"));
    ours.arg(&url).args(["--connections", &CONNECTIONS.to_string(), "--seconds", &SECONDS.to_string()]);
    let mut peer = Command::new("sh");
    // The last word is the time that a hundred thousand exchanges take.
    let script = format!(
        "wrk --threads 2 --connections {CONNECTIONS} --duration {SECONDS}s '{url}' \
         | awk '/Requests.sec:/ {{ print 100000 / $2 }}'"
    );
    peer.args(["-c", &script]);
    let contest = Contest {
        what: format!("100,000 pages of {} KB, {CONNECTIONS} connections kept alive", PAGE_BYTES / 1000),
        ours: Side::self_timed("varve, bytes kept and hashed", ours),
        peer: Side::self_timed("wrk", peer),
        must: 0.6,
        aim: None,
    };
    let outcomes = [contest.run(ROUNDS)?];
    drop(server);

    let (gate, is_small_and_quick) = gate()?;
    let table = page::table(&outcomes) + &gate;
    println!("\n{table}");
    page::put("fetch", &table)?;
    ensure!(is_small_and_quick, "the gate is larger or slower than it may be");
    judge(&outcomes)
}

/// The lines on the gate, and whether it is as small and quick as it must be. The example ends with two words: bytes of
/// memory and nanoseconds of a decision.
fn gate() -> anyhow::Result<(String, bool)> {
    let output =
        Command::new(example("gate")).stderr(Stdio::inherit()).output().context("cannot run `gate`")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let mut words = said.split_whitespace().rev();
    let nanoseconds: Option<f64> = words.next().and_then(|word| word.parse().ok());
    let bytes: Option<u64> = words.next().and_then(|word| word.parse().ok());
    let (Some(nanoseconds), Some(bytes)) = (nanoseconds, bytes) else {
        bail!("`gate` does not tell its figures: `{}`", said.trim());
    };
    let lines = format!(
        "\n| the gate with 100,000 hosts | measured | at most |\n|---|---|---|\n\
         | memory | {} MB | {} MB |\n| a decision: which host is next, and how it went | {nanoseconds:.0} ns | {} ns |\n",
        bytes / 1_000_000,
        GATE_BYTES_MAX / 1_000_000,
        GATE_NANOSECONDS_MAX,
    );
    Ok((lines, bytes <= GATE_BYTES_MAX && nanoseconds <= GATE_NANOSECONDS_MAX))
}

fn example(name: &str) -> PathBuf {
    places::target().join("release").join("examples").join(name)
}

/// A web server of this run's own, on loopback, stopped when dropped.
struct Nginx {
    program: PathBuf,
    configuration: PathBuf,
    port: u16,
    process: Child,
}

impl Nginx {
    fn start() -> anyhow::Result<Self> {
        let program = debian::find("nginx").context("there is no nginx on this machine")?;
        let folder = places::target().join("bench").join("nginx");
        fs::create_dir_all(folder.join("html"))
            .with_context(|| format!("cannot make `{}`", folder.display()))?;
        let page: String =
            "All work and no play makes a dull page. ".chars().cycle().take(PAGE_BYTES).collect();
        fs::write(folder.join("html").join("page.html"), page).context("cannot write the page")?;
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let configuration = folder.join("nginx.conf");
        fs::write(&configuration, settings(&folder, port)).context("cannot write the server's settings")?;
        let process = Command::new(&program)
            .arg("-c")
            .arg(&configuration)
            .arg("-e")
            .arg(folder.join("error.log"))
            .stdin(Stdio::null())
            .spawn()
            .context("cannot start nginx")?;
        let server = Self { program, configuration, port, process };
        server.wait()?;
        Ok(server)
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/page.html", self.port)
    }

    fn wait(&self) -> anyhow::Result<()> {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(10) {
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return Ok(());
            }
            std::thread::yield_now();
        }
        bail!("nginx does not answer")
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Its workers outlive a killed master, so it is asked to stop; nothing more can be done about one that will not.
        let _ = Command::new(&self.program).arg("-c").arg(&self.configuration).args(["-s", "stop"]).status();
        let _ = self.process.wait();
    }
}

/// As few settings as will do: what is not here is as nginx has it.
fn settings(folder: &Path, port: u16) -> String {
    let folder = folder.display();
    let user = if debian::is_root() { "user root;\n" } else { "" };
    format!(
        "{user}daemon off;\nworker_processes auto;\npid {folder}/pid;\nerror_log {folder}/error.log;\n\
         events {{ worker_connections 1024; }}\n\
         http {{\n  access_log off;\n  sendfile on;\n  keepalive_requests 1000000000;\n  types {{ text/html html; }}\n\
         \x20 client_body_temp_path {folder}/temp;\n  proxy_temp_path {folder}/temp;\n  fastcgi_temp_path {folder}/temp;\n\
         \x20 uwsgi_temp_path {folder}/temp;\n  scgi_temp_path {folder}/temp;\n\
         \x20 server {{ listen 127.0.0.1:{port}; root {folder}/html; }}\n}}\n"
    )
}
