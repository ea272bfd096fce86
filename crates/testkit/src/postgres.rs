//! A real PostgreSQL server in a temporary folder: one for each process of tests, and a database for each test.
//!
//! It listens on a Unix socket alone and runs as an unprivileged user. It ends with the process of the tests, however that ends: a shell
//! that waits for the end of its input stops it and removes the folder.

#![allow(clippy::print_stderr)]

use std::cell::Cell;
use std::env;
use std::fs;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Once, OnceLock};

/// Counts servers of this process, and databases of a server.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// A server that runs.
#[derive(Debug)]
pub struct Server {
    programs: PathBuf,
    folder: PathBuf,
    words: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// It ends by itself when `words` is closed.
    _shell: Child,
}

impl Server {
    /// Starts a server of its own, for a test that stops it. `None` where PostgreSQL is not installed.
    ///
    /// # Panics
    /// When it does not start, or is not installed and `$CI` is `true`: there a test that was skipped must not look like one that passed.
    #[must_use]
    pub fn start() -> Option<Server> {
        let programs = programs()?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("varve-postgres-{}-{count}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap_or_else(|error| panic!("cannot make {}: {error}", folder.display()));
        let user = user();
        let version = programs.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let owner = user.map_or_else(|| "own".to_owned(), |(user, _)| user.to_string());
        let template = env::temp_dir().join(format!("varve-postgres-template-{version}-{owner}"));
        let mut shell = Command::new("sh");
        shell.args(["-c", include_str!("postgres.sh"), "postgres.sh"]);
        shell.args([&programs, &template, &folder]).current_dir(env::temp_dir());
        // Whoever kills the process of the tests with its group leaves the shell alone, which then tidies up.
        shell.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some((user, group)) = user {
            chown(&folder, Some(user), Some(group)).expect("the folder gets another owner");
            shell.uid(user).gid(group);
        }
        let mut shell = shell.spawn().expect("sh runs");
        let (words, answers) = (shell.stdin.take().expect("piped"), shell.stdout.take().expect("piped"));
        let mut server = Server { programs, folder, words, answers: BufReader::new(answers), _shell: shell };
        server.go_on();
        Some(server)
    }

    /// Stops the server as a crash does: connections break.
    pub fn stop(&mut self) {
        self.tell("stop");
    }

    /// Starts the server again.
    pub fn go_on(&mut self) {
        self.tell("start");
    }

    fn tell(&mut self, word: &str) {
        writeln!(self.words, "{word}").expect("the shell reads");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("the shell answers");
        let log = || read(&self.folder.join("log"));
        assert_eq!(answer.trim(), "done", "PostgreSQL: {word} failed\n{}", log());
    }

    /// Makes an empty database; its URL.
    ///
    /// # Panics
    /// When the server refuses.
    pub fn database(&self) -> String {
        let name = format!("test{}", COUNT.fetch_add(1, Ordering::Relaxed));
        self.say("postgres", &format!("CREATE DATABASE {name}"));
        format!("postgres://varve@localhost/{name}?host={}", self.folder.display())
    }

    fn say(&self, database: &str, statements: &str) -> String {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.arg("-h").arg(&self.folder).args([
            "-U",
            "varve",
            "-d",
            database,
            "-qAtX",
            "-v",
            "ON_ERROR_STOP=1",
        ]);
        let output = psql.args(["-c", statements]).stdin(Stdio::null()).output().expect("psql runs");
        assert!(output.status.success(), "{statements}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// An empty database on the server of this process, which is started when the first is wanted: its URL. `None` where PostgreSQL is not
/// installed.
///
/// # Panics
/// As [`Server::start`].
#[must_use]
pub fn database() -> Option<String> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(Server::start).as_ref().map(Server::database)
}

/// The databases that a suite runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    Sqlite,
    /// A server.
    Postgres,
}

thread_local! {
    static KIND: Cell<Kind> = const { Cell::new(Kind::Sqlite) };
}

/// The kind of database that the test of this thread is to use: see [`on_both_databases!`](crate::on_both_databases).
#[must_use]
pub fn kind() -> Kind {
    KIND.get()
}

/// Runs a test on a kind of database, if that is installed.
pub fn run<T>(kind: Kind, test: impl FnOnce() -> T) {
    if kind == Kind::Postgres && programs().is_none() {
        return;
    }
    KIND.set(kind);
    test();
    KIND.set(Kind::Sqlite);
}

/// Makes tests of functions, each once on SQLite and once on PostgreSQL. The functions ask [`kind`] for which they are to open.
///
/// ```
/// mod opening {
///     pub(crate) fn what_was_put_in_is_there_again() {}
/// }
/// testkit::on_both_databases! { opening: what_was_put_in_is_there_again }
/// # fn main() {}
/// ```
#[macro_export]
// The functions are of the crate that has the tests.
#[allow(clippy::crate_in_macro_def)]
macro_rules! on_both_databases {
    ($($module:ident: $($test:ident),+ $(,)?);+ $(;)?) => {
        mod sqlite {
            $(mod $module {
                $(#[test]
                fn $test() {
                    $crate::postgres::run($crate::postgres::Kind::Sqlite, crate::$module::$test);
                })+
            })+
        }
        mod postgres {
            $(mod $module {
                $(#[test]
                fn $test() {
                    $crate::postgres::run($crate::postgres::Kind::Postgres, crate::$module::$test);
                })+
            })+
        }
    };
}

/// As [`on_both_databases!`](crate::on_both_databases), of asynchronous functions.
#[macro_export]
#[allow(clippy::crate_in_macro_def)]
macro_rules! on_both_databases_async {
    ($wait:path; $($module:ident: $($test:ident),+ $(,)?);+ $(;)?) => {
        mod sqlite {
            $(mod $module {
                $(#[test]
                fn $test() {
                    $crate::postgres::run($crate::postgres::Kind::Sqlite, || $wait(crate::$module::$test()));
                })+
            })+
        }
        mod postgres {
            $(mod $module {
                $(#[test]
                fn $test() {
                    $crate::postgres::run($crate::postgres::Kind::Postgres, || $wait(crate::$module::$test()));
                })+
            })+
        }
    };
}

/// The folder with the programs of the newest version that Debian has installed.
fn programs() -> Option<PathBuf> {
    static TOLD: Once = Once::new();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let number = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
    let newest = versions
        .map(|version| version.path())
        .filter(|path| path.join("bin/initdb").is_file())
        .max_by_key(number);
    if let Some(newest) = newest {
        return Some(newest.join("bin"));
    }
    let in_ci = env::var_os("CI").is_some_and(|value| value == "true");
    assert!(!in_ci, "no PostgreSQL here: `cargo xtask test` installs it");
    TOLD.call_once(|| {
        eprintln!("testkit: no PostgreSQL here; skipping what needs it (`cargo xtask test` installs it)");
    });
    None
}

/// The beginning of a text file; empty if it cannot be read.
fn read(path: &Path) -> String {
    let mut text = String::new();
    let _ = File::open(path).and_then(|file| file.take(1 << 20).read_to_string(&mut text));
    text
}

/// The user and group that the server runs as, where this process is root's: PostgreSQL refuses that.
fn user() -> Option<(u32, u32)> {
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    if !is_root {
        return None;
    }
    let users = read(Path::new("/etc/passwd"));
    let of = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut fields = line.split(':').skip(2).map(str::parse);
        Some((fields.next()?.ok()?, fields.next()?.ok()?))
    };
    Some(of("postgres").or_else(|| of("nobody")).unwrap_or((65_534, 65_534)))
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn each_database_is_empty_and_a_stopped_server_comes_back() {
        let Some(mut server) = Server::start() else { return };
        let (one, other) = (server.database(), server.database());
        assert_ne!(one, other);
        let name = |url: &str| url.split(['/', '?']).nth(3).unwrap().to_owned();
        server.say(&name(&one), "CREATE TABLE t (x int)");
        let tables =
            |url: &str| server.say(&name(url), "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'");
        assert_eq!((tables(&one).trim(), tables(&other).trim()), ("1", "0"));
        let socket = server.folder.join(".s.PGSQL.5432");
        server.stop();
        assert!(UnixStream::connect(&socket).is_err());
        server.go_on();
        assert!(UnixStream::connect(&socket).is_ok());
    }

    #[test]
    fn nothing_is_left_of_a_server_whose_process_is_gone() {
        let Some(server) = Server::start() else { return };
        let Server { folder, words, mut answers, .. } = server;
        // As when the process ends, however it ends: its end of the pipe is closed.
        drop(words);
        let mut rest = String::new();
        answers.read_line(&mut rest).unwrap();
        assert_eq!(rest, "");
        assert!(!folder.exists());
    }
}
