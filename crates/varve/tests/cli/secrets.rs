//! Issue 20, point 5: user names and passwords in URLs are used, and are in no file and no line but the encrypted table.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use insta::assert_snapshot;
use testkit::server::{Place, Server, reply};

use crate::run::{Run, varve};

/// What no file and no line may contain, in any spelling.
const MARK: &str = "sentinel";
/// User name and password as they stand in a URL, and as they are sent: `sentinel-user:p@ss sentinel`.
const LOGIN: &str = "sentinel-user:p%40ss%20sentinel";
const BASIC: &str = "c2VudGluZWwtdXNlcjpwQHNzIHNlbnRpbmVs";

const SETTINGS: &str =
    "[harvest]\nallow_private = true\ndelay = 0\ndelay_min = 0\n[watch]\nagain_after = 0\n";

/// A site that answers nobody without the password, and says who came without it. `/held` waits until it is let go.
struct Locked {
    server: Server,
    gate: Arc<(Mutex<Gate>, Condvar)>,
}

#[derive(Default)]
struct Gate {
    refused: Vec<String>,
    is_held_asked: bool,
    is_open: bool,
}

impl Locked {
    fn start() -> Locked {
        let gate: Arc<(Mutex<Gate>, Condvar)> = Arc::default();
        let theirs = gate.clone();
        let server = Server::answering(&Place::default(), move |wire, request| {
            let (state, bell) = &*theirs;
            let path = request.path().to_owned();
            if request.field("authorization") != Some(&format!("Basic {BASIC}")) {
                state.lock().unwrap().refused.push(path);
                wire.send(&reply("401 Unauthorized", &[("WWW-Authenticate", "Basic")], b"no"))?;
                return Ok(true);
            }
            if path == "/held" {
                let mut state = state.lock().unwrap();
                state.is_held_asked = true;
                bell.notify_all();
                drop(bell.wait_while(state, |state| !state.is_open).unwrap());
            }
            let answer = match path.as_str() {
                "/robots.txt" => reply("404 Not Found", &[], b""),
                "/moved" => reply("302 Found", &[("Location", "/a")], b""),
                "/" => {
                    let links = "<a href=/a>a</a><a href=/moved>b</a><a href=/held>c</a>";
                    reply("200 OK", &[("Content-Type", "text/html")], links.as_bytes())
                }
                _ => reply("200 OK", &[("Content-Type", "text/html")], format!("<p>{path}").as_bytes()),
            };
            wire.send(&answer)?;
            Ok(true)
        });
        Locked { server, gate }
    }

    /// A site that holds nobody back.
    fn open() -> Locked {
        let site = Locked::start();
        site.let_go();
        site
    }

    fn let_go(&self) {
        // Also where a test has failed meanwhile.
        self.gate.0.lock().unwrap_or_else(PoisonError::into_inner).is_open = true;
        self.gate.1.notify_all();
    }

    fn wait_for_held(&self) {
        let state = self.gate.0.lock().unwrap();
        let patience = crate::held::PATIENCE;
        let asked = self.gate.1.wait_timeout_while(state, patience, |state| !state.is_held_asked).unwrap();
        assert!(!asked.1.timed_out());
    }

    fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// With user name and password.
    fn secret_url(&self, path: &str) -> String {
        self.url(path).replace("http://", &format!("http://{LOGIN}@"))
    }

    fn origin(&self) -> String {
        self.url("")
    }

    /// Those who came without the password.
    fn refused(&self) -> Vec<String> {
        self.gate.0.lock().unwrap().refused.clone()
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        self.let_go();
    }
}

/// An archive, and all that was said about it.
struct World {
    folder: tempfile::TempDir,
    said: Vec<u8>,
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        archive::Archive::create(folder.path()).unwrap();
        fs::write(folder.path().join("varve.toml"), SETTINGS).unwrap();
        World { folder, said: Vec::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, words: &[&str]) -> Run {
        varve(words).inside(self.folder.path())
    }

    /// Runs it with everything logged; it must end with this exit code.
    #[track_caller]
    fn ends(&mut self, exit: i32, words: &[&str]) -> String {
        let output = self.run(words).env("VARVE_LOG", "trace").output();
        self.heard(&output);
        assert_eq!(output.status.code(), Some(exit), "{words:?}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    fn heard(&mut self, output: &Output) {
        self.said.extend_from_slice(&output.stdout);
        self.said.extend_from_slice(&output.stderr);
    }

    /// Nothing of the login is in what was said or in any file but those that the test itself has written.
    #[track_caller]
    fn is_clean(&self, own: &[&str]) {
        assert!(!has_login(&self.said), "{}", String::from_utf8_lossy(&self.said));
        let mut files = Vec::new();
        list(self.folder.path(), &mut files);
        assert!(files.len() > 3, "{files:?}");
        for path in files {
            let name = path.file_name().unwrap().to_str().unwrap();
            if !own.contains(&name) {
                assert!(!unpacked(&path).iter().any(|bytes| has_login(bytes)), "{}", path.display());
            }
        }
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn has_login(bytes: &[u8]) -> bool {
    let lower = bytes.to_ascii_lowercase();
    // Base64 without its end, which depends on what follows.
    let base64 = BASIC.as_bytes().get(..20).unwrap().to_ascii_lowercase();
    [MARK.as_bytes(), &base64].iter().any(|mark| lower.windows(mark.len()).any(|window| window == *mark))
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(&path, files)
        } else if path.is_file() {
            files.push(path)
        }
    }
}

/// A file as it is, and what its gzip or zstd members unpack to.
fn unpacked(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(path).unwrap();
    let mut plain = Vec::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let _ = flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain);
    } else if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        let _ = zstd::stream::read::Decoder::new(bytes.as_slice()).unwrap().read_to_end(&mut plain);
    }
    vec![bytes, plain]
}

/// Point 5: every way in, and nothing stays anywhere but in the table.
#[test]
fn issue_20_passwords_of_urls_are_used_and_written_nowhere() {
    let mut world = World::new();
    // A site for each way in, so that none lives on what another has stored.
    let sites: [Locked; 9] = std::array::from_fn(|_| Locked::open());
    let [line, list, watched, imported, checked, there, compared, fetched, tried] = &sites;

    world.ends(0, &["harvest", &line.secret_url("/"), "-vvv"]);
    fs::write(world.path("own-seeds.txt"), format!("# ours\n{}\n", list.secret_url("/"))).unwrap();
    world.ends(0, &["harvest", "--seeds", "own-seeds.txt"]);

    world.ends(0, &["watch", "add", &watched.secret_url("/a")]);
    fs::write(world.path("own-list.txt"), format!("{}\n", imported.secret_url("/a"))).unwrap();
    world.ends(0, &["watch", "import", "own-list.txt", "--dry-run", "--json"]);
    assert_eq!(world.ends(0, &["secrets", "ls"]).lines().count(), 3);
    world.ends(0, &["watch", "import", "own-list.txt", "--json"]);
    world.ends(0, &["watch", "run", "--once"]);
    world.ends(0, &["watch", "ls"]);
    world.ends(0, &["watch", "export"]);

    world.ends(0, &["check", &checked.secret_url("/a")]);
    world.ends(0, &["check", &checked.url("/a"), "--json"]);
    world.ends(0, &["available", &there.secret_url("/moved")]);
    world.ends(0, &["watch", "test", &tried.secret_url("/a"), "--json"]);
    world.ends(0, &["check", &compared.secret_url("/a")]);
    world.ends(0, &["diff", &compared.secret_url("/a")]);
    world.ends(
        0,
        &["fetch", &fetched.secret_url("/moved"), "-L", "-o", "page.warc.gz", "--allow-private", "-vvv"],
    );

    for words in [
        &["jobs", "ls"][..],
        &["jobs", "show", "last"],
        &["jobs", "log", "last", "seeds.txt"],
        &["jobs", "log", "last", "job.toml"],
        &["versions", &line.secret_url("/a")],
        &["secrets", "ls", "--json"],
        &["config", "show"],
    ] {
        let output = world.run(words).output();
        world.heard(&output);
    }
    for site in &sites {
        assert_eq!(site.refused(), [""; 0], "{}", site.origin());
    }
    // `varve fetch` keeps nothing, and all others have stored theirs.
    assert_eq!(world.ends(0, &["secrets", "ls"]).lines().count(), sites.len() - 1);
    world.is_clean(&["own-seeds.txt", "own-list.txt"]);
    let mode = |name: &str| fs::metadata(world.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("secrets.key"), mode("secrets.db")), (0o600, 0o600));
}

/// Point 5: a harvest that is killed finds the password again when it is resumed.
#[test]
fn issue_20_a_resumed_harvest_finds_the_password_again() {
    let mut world = World::new();
    let site = Locked::start();
    let mut child = begin(&world, &["harvest", &site.secret_url("/")]);
    site.wait_for_held();
    child.kill().unwrap();
    world.heard(&child.wait_with_output().unwrap());
    world.is_clean(&[]);
    site.let_go();
    world.ends(0, &["harvest", "--resume", "last"]);
    assert_eq!(world.ends(0, &["get", &site.url("/held")]), "<p>/held");
    assert_eq!(site.refused(), [""; 0]);
    world.is_clean(&[]);
}

fn begin(world: &World, words: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_varve"));
    command.args(words).current_dir(world.folder.path()).env_remove("VARVE_ARCHIVE").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Point 5: a job of an earlier version has the password in its list of seeds; resuming it moves it out.
#[test]
fn issue_20_a_job_of_an_earlier_version_loses_the_password_when_it_is_resumed() {
    let mut world = World::new();
    let site = Locked::start();
    let mut child = begin(&world, &["harvest", &site.url("/")]);
    // Without a password the first page is refused, and a job with nothing to do ends; so one is stored for the beginning.
    let _ = child.wait().unwrap();
    world.ends(0, &["secrets", "set", &site.secret_url("/")]);
    let mut child = begin(&world, &["harvest", &site.url("/")]);
    site.wait_for_held();
    child.kill().unwrap();
    child.wait().unwrap();
    world.ends(0, &["secrets", "rm", &site.origin()]);
    let work = fs::read_dir(world.path("work")).unwrap().map(|entry| entry.unwrap().path());
    let seeds = work.map(|folder| folder.join("seeds.txt")).find(|path| path.is_file()).unwrap();
    fs::write(&seeds, format!("{}\n", site.secret_url("/"))).unwrap();
    site.let_go();
    world.ends(0, &["harvest", "--resume", "last"]);
    assert_eq!(world.ends(0, &["get", &site.url("/held")]), "<p>/held");
    world.is_clean(&[]);
}

/// Losing the key means that passwords must be entered again, nothing else.
#[test]
fn issue_20_without_the_key_requests_go_without_the_password_and_say_so_once() {
    let mut world = World::new();
    let site = Locked::open();
    world.ends(0, &["check", &site.secret_url("/a"), &site.secret_url("/b")]);
    fs::remove_file(world.path("secrets.key")).unwrap();
    let output = world.run(&["check", &site.url("/a"), &site.url("/b")]).output();
    let warning = format!(
        "warning: {0}: the stored password cannot be read (its key is missing); requests go without it. \
         `varve secrets set {0}` stores it again",
        site.origin()
    );
    assert_eq!(said(&output).matches(&warning).count(), 1, "{}", said(&output));
    assert_eq!((output.status.code(), site.refused().len()), (Some(4), 2));
    assert!(world.ends(0, &["secrets", "ls"]).contains("key missing"));
    // Entered again, from standard input.
    let output =
        world.run(&["secrets", "set", &site.origin()]).stdin("sentinel-user\np@ss sentinel\n").output();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    world.heard(&output);
    world.ends(0, &["check", &site.url("/a"), &site.url("/b")]);
    assert_eq!(site.refused().len(), 2);
    world.is_clean(&[]);
}

#[test]
fn issue_20_the_key_may_lie_elsewhere_and_be_replaced() {
    let mut world = World::new();
    let (site, elsewhere) = (Locked::open(), tempfile::tempdir().unwrap());
    let key = elsewhere.path().join("key");
    let run = |words: &[&str]| {
        let output = world.run(words).env("VARVE_SECRETS_KEY_FILE", key.to_str().unwrap()).output();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", said(&output));
        output
    };
    run(&["check", &site.secret_url("/a")]);
    let before = fs::read(&key).unwrap();
    assert!(!world.path("secrets.key").exists());
    let told = String::from_utf8(run(&["secrets", "rotate"]).stdout).unwrap();
    assert_eq!(told, "new key; 1 password encrypted with it\n");
    assert_ne!(fs::read(&key).unwrap(), before);
    run(&["check", &site.url("/a")]);
    assert_eq!(site.refused(), [""; 0]);
    world.ends(0, &["secrets", "rm", &site.url("/a")]);
    world.ends(1, &["secrets", "rm", &site.url("/a")]);
    world.is_clean(&[]);
}

/// What is wrong with a URL is told without its password, however it is written.
#[test]
fn issue_20_no_complaint_quotes_a_password() {
    let mut world = World::new();
    fs::write(world.path("own-seeds.txt"), "http://me:sentinel@example.org/a b\n").unwrap();
    fs::write(world.path("own-bad.toml"), "[harvest]\nproxy = \"ftp://me:sentinel@proxy/\"\n").unwrap();
    for (exit, words) in [
        (2, &["harvest", "http://me:sentinel@example.org:x/"][..]),
        (2, &["harvest", "http://me:sent/inel:sentinel@example.org/"]),
        (2, &["harvest", "ftp://me:sentinel@example.org/"]),
        (2, &["harvest", "me:sentinel@example.org"]),
        (1, &["harvest", "--seeds", "own-seeds.txt"]),
        (2, &["harvest", "example.org", "--proxy", "ftp://me:sentinel@proxy/"]),
        (2, &["watch", "add", "http://me:sentinel@example.org:x/"]),
        (2, &["check", "ftp://me:sentinel@example.org/"]),
        (2, &["fetch", "http://a.example/", "--proxy", "ftp://me:sen/sentinel@proxy/"]),
        (1, &["fetch", "http://me:sentinel@example.org:x/", "ftp://me:sentinel@example.org/", "--json"]),
        (2, &["secrets", "set", "ftp://me:sentinel@example.org/"]),
        (2, &["http://me:sentinel@example.org/"]),
        (2, &["jobs", "ls", "http://me:sentinel@example.org/"]),
        (2, &["fetch", "http://a.example/", "--proxy", "me:sentinel@proxy:x"]),
        (1, &["--config", "own-bad.toml", "config", "check"]),
    ] {
        world.ends(exit, words);
    }
    fs::write(world.path("varve.toml"), "[harvest]\nproxy = \"http://me:sentinel@proxy:3128\"\n").unwrap();
    let told = world.ends(0, &["config", "show"]);
    assert!(told.contains(" \"http://…@proxy:3128\""), "{told}");
    world.is_clean(&["own-seeds.txt", "own-bad.toml", "varve.toml"]);
}

/// A page may name passwords in its links. Its bytes are kept; our own records of it have the links without them.
#[test]
fn issue_20_links_and_redirects_of_pages_bring_no_password() {
    let mut world = World::new();
    let server = Server::answering(&Place::default(), |wire, request| {
        let host = request.field("host").unwrap_or_default().to_owned();
        let to = format!("http://linked:linkword@{host}/there");
        let page = format!("<a href='http://linked:linkword@{host}/a'>a</a><a href=/moved>b</a>");
        let html = ("Content-Type", "text/html");
        wire.send(&match request.path() {
            "/" => reply("200 OK", &[html], page.as_bytes()),
            "/moved" => reply("302 Found", &[("Location", &to)], b""),
            _ if request.field("authorization").is_some() => reply("500 Told", &[], b""),
            _ => reply("200 OK", &[html], b"<p>plain"),
        })?;
        Ok(true)
    });
    world.ends(0, &["harvest", &server.url("/"), "--outlinks"]);
    world.ends(0, &["check", &server.url("/moved")]);
    assert_eq!(world.ends(0, &["get", &server.url("/a")]), "<p>plain");
    assert_eq!(world.ends(0, &["get", &server.url("/there")]), "<p>plain");
    assert!(!String::from_utf8_lossy(&world.said).contains("linkword"));
    let mut files = Vec::new();
    list(world.folder.path(), &mut files);
    let mut outlinks = 0;
    for bytes in files.iter().flat_map(|path| unpacked(path)) {
        let text = String::from_utf8_lossy(&bytes);
        let with_password = text.lines().filter(|line| line.contains("linkword"));
        // The page and the redirect themselves.
        let ours: Vec<&str> =
            with_password.filter(|line| !line.starts_with("<a") && !line.starts_with("Location:")).collect();
        assert_eq!(ours, [""; 0]);
        outlinks += text.lines().filter(|line| line.starts_with("outlink: ") && line.contains("/a ")).count();
    }
    assert_eq!(outlinks, 1);
}

#[test]
fn help_of_secrets() {
    assert_snapshot!(varve(["secrets", "--help"]).shown());
}

#[test]
fn help_of_secrets_ls() {
    assert_snapshot!(varve(["secrets", "ls", "--help"]).shown());
}

#[test]
fn help_of_secrets_set() {
    assert_snapshot!(varve(["secrets", "set", "--help"]).shown());
}

#[test]
fn help_of_secrets_rm() {
    assert_snapshot!(varve(["secrets", "rm", "--help"]).shown());
}

#[test]
fn help_of_secrets_rotate() {
    assert_snapshot!(varve(["secrets", "rotate", "--help"]).shown());
}
