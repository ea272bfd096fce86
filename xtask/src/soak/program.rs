//! `varve up` in a process of its own, and what is asked of its API.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};

use super::http::Connection;
use crate::places;

const SETTINGS: &str = "\
[harvest]
allow_private = true
delay = 0
delay_min = 0
per_host = 1
retries = 0
";

/// How often the state of a harvest is asked for.
const POLL_EVERY: Duration = Duration::from_millis(250);
/// Failed polls in a row after which a harvest counts as failed. The attack may be on the listener that answers them.
const POLL_FAILURES_MAX: usize = 40;
/// No more of the log is read.
const LOG_BYTES_MAX: u64 = 16 << 20;

/// The program that is soaked.
pub(super) struct Program {
    child: Mutex<Child>,
    id: u32,
    /// Where the token for the API is, if there is one.
    token: Option<PathBuf>,
    /// Where it writes its log.
    log: PathBuf,
    pub(super) pages: Listener,
    pub(super) replay: Listener,
}

/// One of its listeners.
#[derive(Clone, Debug)]
pub(super) struct Listener {
    pub(super) address: SocketAddr,
    pub(super) host: String,
}

impl Program {
    /// Starts it on an archive in this folder.
    pub(super) fn start(folder: &Path, is_debug: bool) -> anyhow::Result<Program> {
        let profile = if is_debug { "debug" } else { "release" };
        let program = places::target().join(profile).join("varve");
        let (archive, log) = (folder.join("archive"), folder.join("stderr"));
        let made = Command::new(&program).args(["init", "--quiet"]).arg(&archive).status();
        ensure!(made.context("cannot run `varve init`")?.success(), "`varve init` failed");
        fs::write(archive.join("varve.toml"), SETTINGS).context("cannot write the settings")?;
        let mut child = Command::new(&program)
            .args(["up", "--json", "--no-open", "--port", "0", "--replay-port", "0", "--archive"])
            .arg(&archive)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log)?)
            .spawn()
            .context("cannot start `varve up`")?;
        let mut line = String::new();
        let out = child.stdout.take().context("`varve up` has no output")?;
        BufReader::new(out).read_line(&mut line).context("`varve up` printed nothing")?;
        let row: Value = serde_json::from_str(&line).with_context(|| {
            format!("`varve up` did not start: {line}{}", read_log(&log).unwrap_or_default())
        })?;
        let (pages, replay) = (listener(&row, "pages")?, listener(&row, "replay")?);
        let token = row.get("token_file").and_then(Value::as_str).map(|path| archive.join(path));
        let id = child.id();
        Ok(Program { child: Mutex::new(child), id, token, log, pages, replay })
    }

    pub(super) fn id(&self) -> u32 {
        self.id
    }

    pub(super) fn is_alive(&self) -> bool {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(child.try_wait(), Ok(None))
    }

    /// Harvests a site and waits until it is committed.
    pub(super) async fn harvest(&self, url: &str) -> anyhow::Result<()> {
        let begun = self.api("POST /api/v1/jobs", &json!({ "urls": [url], "scope": "host" })).await?;
        let job = begun.pointer("/jobs/0").and_then(Value::as_str).context("no job")?.to_owned();
        let mut failures = 0;
        loop {
            tokio::time::sleep(POLL_EVERY).await;
            let shown = match self.api(&format!("GET /api/v1/jobs/{job}"), &Value::Null).await {
                Ok(shown) => shown,
                Err(_) if failures < POLL_FAILURES_MAX => {
                    failures += 1;
                    continue;
                }
                Err(error) => return Err(error),
            };
            failures = 0;
            match shown.get("state").and_then(Value::as_str) {
                Some("committed") => return Ok(()),
                Some("waiting" | "new" | "running" | "finished" | "committing") => {}
                other => bail!("{job} is {other:?}: {}", shown.get("why").unwrap_or(&Value::Null)),
            }
        }
    }

    /// The lines of its log that are errors or warnings.
    pub(super) fn logged_errors(&self) -> anyhow::Result<Vec<String>> {
        let is_error = |line: &&str| {
            [" ERROR ", " WARN ", "error: ", "warning: "].iter().any(|level| line.contains(level))
        };
        Ok(read_log(&self.log)?.lines().filter(is_error).map(str::to_owned).collect())
    }

    /// Watches a page.
    pub(super) async fn watch(&self, url: &str, every: Duration) -> anyhow::Result<()> {
        let wish = json!({ "url": url, "every": format!("{}s", every.as_secs()) });
        self.api("POST /api/v1/watches", &wish).await.map(drop)
    }

    /// The captures of what has this URL at its begin: timestamp and URL.
    pub(super) async fn captures(&self, url: &str) -> anyhow::Result<Vec<(String, String)>> {
        let mut connection = Connection::open(self.pages.address, &self.pages.host).await?;
        let line = format!("GET /cdx?url={url}&fl=timestamp,url&output=text");
        let (status, body) = connection.ask(&line, "", "").await?;
        let text = String::from_utf8_lossy(&body);
        ensure!(status == 200, "{status} {text}");
        let pairs = text.lines().filter_map(|line| line.split_once(' '));
        let pairs = pairs.filter(|(_, url)| !url.ends_with("robots.txt"));
        Ok(pairs.map(|(time, url)| (time.to_owned(), url.to_owned())).collect())
    }

    async fn api(&self, line: &str, body: &Value) -> anyhow::Result<Value> {
        let mut connection = Connection::open(self.pages.address, &self.pages.host).await?;
        let token = match &self.token {
            Some(path) => format!("Authorization: Bearer {}\r\n", token(path)?),
            None => String::new(),
        };
        let (more, body) = match body {
            Value::Null => (token, String::new()),
            body => (format!("{token}Content-Type: application/json\r\n"), body.to_string()),
        };
        let (status, answer) = connection.ask(line, &more, &body).await.with_context(|| line.to_owned())?;
        let text = String::from_utf8_lossy(&answer);
        ensure!((200..300).contains(&status), "{line}: {status} {text}");
        serde_json::from_str(&text).with_context(|| format!("{line}: not JSON: {text}"))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn read_log(path: &Path) -> anyhow::Result<String> {
    let mut log = Vec::new();
    fs::File::open(path).context("no log")?.take(LOG_BYTES_MAX).read_to_end(&mut log)?;
    Ok(String::from_utf8_lossy(&log).into_owned())
}

/// The token in the file that `varve up` wrote.
fn token(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    fs::File::open(path).context("no token file")?.take(64 << 10).read_to_string(&mut text)?;
    let running: Value = serde_json::from_str(&text).context("the token file is not JSON")?;
    Ok(running.get("token").and_then(Value::as_str).context("no token in its file")?.to_owned())
}

fn listener(row: &Value, name: &str) -> anyhow::Result<Listener> {
    let url = row.get(name).and_then(Value::as_str).with_context(|| format!("no `{name}` in {row}"))?;
    let host = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let port = host.rsplit(':').next().and_then(|port| port.parse().ok()).context("no port")?;
    Ok(Listener { address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)), host })
}
