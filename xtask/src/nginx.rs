//! A web server of a chore's own, on loopback, stopped when dropped.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use crate::{debian, places};

/// The server.
pub(crate) struct Nginx {
    program: PathBuf,
    folder: PathBuf,
    port: u16,
    process: Child,
}

/// What it serves.
pub(crate) struct Site<'a> {
    /// Its settings, logs and temporary files go to `<target>/bench/<name>`.
    pub(crate) name: &'a str,
    /// The files.
    pub(crate) root: &'a Path,
    /// Further settings within `server`.
    pub(crate) locations: &'a str,
    /// Whether every request is written down.
    pub(crate) is_logging: bool,
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Logged {
    /// Path and query, as they were asked for.
    pub(crate) target: String,
    pub(crate) status: u16,
    /// Of the body.
    pub(crate) bytes: u64,
    pub(crate) is_html: bool,
}

impl Nginx {
    pub(crate) fn start(site: &Site<'_>) -> anyhow::Result<Self> {
        let program = debian::find("nginx").context("there is no nginx on this machine")?;
        let folder = places::target().join("bench").join(site.name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let configuration = folder.join("nginx.conf");
        fs::write(&configuration, settings(site, &folder, port))
            .context("cannot write the server's settings")?;
        let process = Command::new(&program)
            .arg("-c")
            .arg(&configuration)
            .arg("-e")
            .arg(folder.join("error.log"))
            .stdin(Stdio::null())
            .spawn()
            .context("cannot start nginx")?;
        let server = Self { program, folder, port, process };
        server.wait()?;
        Ok(server)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// What was asked for since the last call of `forget`, in order.
    pub(crate) fn log(&self) -> anyhow::Result<Vec<Logged>> {
        let path = self.folder.join("access.log");
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
        text.lines().map(|line| parse(line).with_context(|| format!("the log has `{line}`"))).collect()
    }

    /// Empties the log. The server appends to it and does not mind.
    pub(crate) fn forget(&self) -> anyhow::Result<()> {
        File::create(self.folder.join("access.log")).context("cannot empty the log")?;
        Ok(())
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
        let configuration = self.folder.join("nginx.conf");
        let _ = Command::new(&self.program).arg("-c").arg(configuration).args(["-s", "stop"]).status();
        let _ = self.process.wait();
    }
}

/// As few settings as will do: what is not here is as nginx has it.
fn settings(site: &Site<'_>, folder: &Path, port: u16) -> String {
    let (folder, root, locations) = (folder.display(), site.root.display(), site.locations);
    let user = if debian::is_root() { "user root;\n" } else { "" };
    let log = match site.is_logging {
        true => format!(
            "log_format crawl '$status $body_bytes_sent $sent_http_content_type $request_uri'; \
             access_log {folder}/access.log crawl;"
        ),
        false => "access_log off;".to_owned(),
    };
    format!(
        "{user}daemon off;\nworker_processes auto;\npid {folder}/pid;\nerror_log {folder}/error.log;\n\
         events {{ worker_connections 1024; }}\n\
         http {{\n  {log}\n  sendfile on;\n  keepalive_requests 1000000000;\n\
         \x20 types {{ text/html html; text/css css; application/javascript js; application/json json;\n\
         \x20   image/jpeg jpg; image/png png; video/mp4 mp4; text/plain txt; }}\n\
         \x20 client_body_temp_path {folder}/temp;\n  proxy_temp_path {folder}/temp;\n  fastcgi_temp_path {folder}/temp;\n\
         \x20 uwsgi_temp_path {folder}/temp;\n  scgi_temp_path {folder}/temp;\n\
         \x20 server {{ listen 127.0.0.1:{port}; root {root};\n{locations} }}\n}}\n"
    )
}

/// Reads a line of the log.
fn parse(line: &str) -> Option<Logged> {
    let mut words = line.splitn(4, ' ');
    let (status, bytes) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let is_html = words.next()? == "text/html";
    Some(Logged { target: words.next()?.to_owned(), status, bytes, is_html })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_log_is_read() {
        let logged = parse("200 612 text/html /a b?c").unwrap();
        assert_eq!(logged, Logged { target: "/a b?c".to_owned(), status: 200, bytes: 612, is_html: true });
        assert_eq!(parse("200 612"), None);
    }
}
