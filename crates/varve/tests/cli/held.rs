//! A harvest in a process of its own, and a server that answers only when the test lets it.

use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::server::{Place, Server, reply};

use crate::run::{Run, varve};

/// Whatever has not come by then does not come any more.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// A web of any hosts. The front page of each leads to `/1`, `/2` and so on; robots.txt is answered at once.
pub(crate) struct Held {
    server: Server,
    gate: Arc<Gate>,
}

#[derive(Default)]
struct Gate {
    state: Mutex<State>,
    bell: Condvar,
}

#[derive(Default)]
struct State {
    /// Requests that came and answers that went, with their host and path.
    log: Vec<(Event, String)>,
    /// How many answers may still go.
    allowed: usize,
}

/// What a line of the log is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Asked,
    Answered,
}

impl Held {
    /// Answers nothing yet.
    pub(crate) fn start(pages: usize) -> Held {
        Held::start_at(&Place::default(), pages)
    }

    /// The same at another address.
    pub(crate) fn start_at(place: &Place, pages: usize) -> Held {
        let gate = Arc::new(Gate::default());
        let theirs = gate.clone();
        let server = Server::answering(place, move |wire, request| {
            if request.path() == "/robots.txt" {
                wire.send(&reply("404 Not Found", &[], b""))?;
                return Ok(true);
            }
            let place = format!("{}{}", request.host(), request.path());
            theirs.pass(&place);
            let links: String = (1..=pages).map(|page| format!("<a href='/{page}'>{page}</a>")).collect();
            let links = if request.path() == "/" { links } else { String::new() };
            let body = format!("<title>{place}</title>{links}");
            wire.send(&reply("200 OK", &[("Content-Type", "text/html")], body.as_bytes()))?;
            Ok(true)
        });
        Held { server, gate }
    }

    /// The front page of a host.
    pub(crate) fn url(&self, host: &str) -> String {
        format!("http://{host}:{}/", self.server.address().port())
    }

    /// Lets so many more answers go.
    pub(crate) fn let_through(&self, answers: usize) {
        let mut state = self.gate.state.lock().unwrap();
        state.allowed = state.allowed.saturating_add(answers);
        self.gate.bell.notify_all();
    }

    /// Answers everything from now on.
    pub(crate) fn open(&self) {
        self.let_through(usize::MAX);
    }

    /// Waits until so many requests have come.
    #[track_caller]
    pub(crate) fn wait_for(&self, requests: usize) {
        let state = self.gate.state.lock().unwrap();
        let too_few = |state: &mut State| state.asked() < requests;
        let (state, timeout) = self.gate.bell.wait_timeout_while(state, PATIENCE, too_few).unwrap();
        assert!(!timeout.timed_out(), "{} requests instead of {requests}", state.asked());
    }

    /// Everything that came and went, in order.
    pub(crate) fn log(&self) -> Vec<(Event, String)> {
        self.gate.state.lock().unwrap().log.clone()
    }

    /// How often this was asked for.
    pub(crate) fn asked_for(&self, place: &str) -> usize {
        self.log().iter().filter(|(event, given)| *event == Event::Asked && given == place).count()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Nobody waits in it when the server waits for its threads.
        self.open();
    }
}

impl Gate {
    fn pass(&self, place: &str) {
        let mut state = self.state.lock().unwrap();
        state.log.push((Event::Asked, place.to_owned()));
        self.bell.notify_all();
        let mut state = self.bell.wait_while(state, |state| state.allowed == 0).unwrap();
        if state.allowed < usize::MAX {
            state.allowed -= 1;
        }
        state.log.push((Event::Answered, place.to_owned()));
    }
}

impl State {
    fn asked(&self) -> usize {
        self.log.iter().filter(|(event, _)| *event == Event::Asked).count()
    }
}

/// An archive to harvest into.
pub(crate) struct Archive(Run);

impl Archive {
    pub(crate) fn new() -> Archive {
        let mut run = varve(["init", "a"]);
        assert_eq!(run.output().status.code(), Some(0));
        Archive(run)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.folder()
    }

    /// `varve` with this archive.
    pub(crate) fn varve(&self, words: &[&str]) -> Run {
        varve(words).env("VARVE_ARCHIVE", "a").inside(self.folder())
    }

    /// What it prints; it must succeed.
    #[track_caller]
    pub(crate) fn text(&self, words: &[&str]) -> String {
        let output = self.varve(words).output();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {told}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The rows that `--json` prints.
    #[track_caller]
    pub(crate) fn rows(&self, words: &[&str]) -> Vec<Value> {
        let text = self.text(&[words, &["--json"]].concat());
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Names and states of all jobs.
    pub(crate) fn jobs(&self) -> Vec<(String, String)> {
        let word = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
        self.rows(&["jobs", "ls"]).iter().map(|row| (word(row, "job"), word(row, "state"))).collect()
    }

    /// Begins a harvest, with no delay between requests.
    pub(crate) fn harvest(&self, words: &[&str]) -> Harvest {
        self.run(Command::new(env!("CARGO_BIN_EXE_varve")), words)
    }

    /// The same in a process with this many file descriptors.
    pub(crate) fn harvest_limited(&self, words: &[&str], descriptors: u32) -> Harvest {
        self.run(limited(descriptors), words)
    }

    fn run(&self, mut command: Command, words: &[&str]) -> Harvest {
        command.args(["harvest", "--delay", "0"]).args(words);
        command.env("VARVE_ARCHIVE", "a").env_remove("VARVE_CONFIG").env_remove("VARVE_LOG");
        command.current_dir(self.folder()).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        forward(child.stdout.take().unwrap(), sender.clone());
        forward(child.stderr.take().unwrap(), sender);
        Harvest { child, lines, said: String::new() }
    }
}

/// The program in a process that can have this many file descriptors and no more.
pub(crate) fn limited(descriptors: u32) -> Command {
    let mut command = Command::new("sh");
    command.args([
        "-c",
        &format!("ulimit -n {descriptors} && exec \"$@\""),
        "sh",
        env!("CARGO_BIN_EXE_varve"),
    ]);
    command
}

/// A harvest that runs in another process.
pub(crate) struct Harvest {
    child: Child,
    lines: Receiver<String>,
    said: String,
}

fn forward(from: impl Read + Send + 'static, to: Sender<String>) {
    thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if to.send(line).is_err() {
                return;
            }
        }
    });
}

impl Harvest {
    /// Presses Ctrl-C.
    pub(crate) fn interrupt(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    }

    /// Waits until it says a line with this in it.
    #[track_caller]
    pub(crate) fn until(&mut self, words: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let line = self.line(until).unwrap_or_else(|| panic!("no `{words}` in\n{}", self.said));
            if line.contains(words) {
                return line;
            }
        }
    }

    /// Waits for its end: exit code, and everything it said.
    #[track_caller]
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let until = Instant::now() + PATIENCE;
        while self.line(until).is_some() {}
        assert!(Instant::now() < until, "it does not end; it said\n{}", self.said);
        let code = self.child.wait().unwrap().code();
        (code, std::mem::take(&mut self.said))
    }

    fn line(&mut self, until: Instant) -> Option<String> {
        match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                self.said.push_str(&line);
                self.said.push('\n');
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }
}

impl Drop for Harvest {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
