//! The socket in a job's folder: a second terminal looks at a running crawl and steers it.
//!
//! One line of JSON asks, one answers. The path of a socket may have no more than some hundred bytes, which a folder deep
//! below others does not leave; so it is reached through the open folder (`/proc/self/fd/…`).

use std::fs::{File, Permissions};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::limits::LimitChange;
use crate::progress::Progress;

/// Its name in the job's folder.
const NAME: &str = "control";

/// A longer line is no question of ours.
const LINE_MAX: u64 = 64 << 10;

/// How long the other side may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Jobs that are asked at the same time.
pub const ASKED_MAX: usize = 256;

/// What may be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub enum Command {
    /// How it gets on.
    Status,
    /// Begin nothing new.
    Pause,
    /// Go on.
    Resume,
    /// End, so that it can be resumed.
    Stop,
    /// Other limits.
    Limits(LimitChange),
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// How the crawl gets on.
    pub progress: Option<Progress>,
    /// Why the command was not carried out.
    pub error: Option<String>,
}

/// Asks the process that runs a job.
///
/// # Errors
/// [`Error::NotRunning`] if there is none.
pub fn ask(folder: &Path, command: &Command) -> Result<Progress, Error> {
    let name = || folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stream = connect(folder).map_err(|_| Error::NotRunning { name: name() })?;
    let reply = exchange(stream, command).map_err(|error| Error::Refused(error.to_string()))?;
    match reply {
        Reply { error: Some(error), .. } => Err(Error::Refused(error)),
        Reply { progress: Some(progress), .. } => Ok(progress),
        Reply { .. } => Err(Error::Refused("nothing".to_owned())),
    }
}

/// Asks the processes of several jobs how they get on, all at the same time, and waits until all have answered or `patience` is over. `None`
/// stands for those that did not answer, and for those behind the first [`ASKED_MAX`].
#[must_use]
pub fn ask_all(folders: Vec<PathBuf>, patience: Duration) -> Vec<Option<Progress>> {
    let mut answers = vec![None; folders.len()];
    let (events, received) = mpsc::channel();
    let mut waiting = 0;
    for (number, folder) in folders.into_iter().enumerate().take(ASKED_MAX) {
        let events = events.clone();
        let ask = move || drop(events.send(Some((number, ask(&folder, &Command::Status).ok()))));
        // Without another thread the job counts as silent.
        waiting += usize::from(thread::Builder::new().spawn(ask).is_ok());
    }
    let (finished, is_finished) = mpsc::channel::<()>();
    let time_out = move || {
        if is_finished.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
            drop(events.send(None));
        }
    };
    if thread::Builder::new().spawn(time_out).is_err() {
        return answers;
    }
    while waiting > 0
        && let Ok(Some((number, answer))) = received.recv()
    {
        waiting -= 1;
        if let Some(place) = answers.get_mut(number) {
            *place = answer;
        }
    }
    drop(finished);
    answers
}

fn exchange(mut stream: UnixStream, command: &Command) -> io::Result<Reply> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut line = serde_json::to_vec(command)?;
    line.push(b'\n');
    stream.write_all(&line)?;
    let mut answer = String::new();
    BufReader::new(stream).take(LINE_MAX).read_line(&mut answer)?;
    Ok(serde_json::from_str(&answer)?)
}

/// A short way to the socket; it leads there for as long as the folder is open.
fn short(folder: &Path) -> io::Result<(File, PathBuf)> {
    let open = File::open(folder)?;
    let path = PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()));
    let path = if path.exists() { path } else { folder.to_owned() };
    Ok((open, path.join(NAME)))
}

fn connect(folder: &Path) -> io::Result<UnixStream> {
    let (open, path) = short(folder)?;
    let (socket, owner) = (path.symlink_metadata()?, open.metadata()?.uid());
    // Somebody else who answers there would hear what we ask, and could make up the answers.
    if !socket.file_type().is_socket() || socket.uid() != owner {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    UnixStream::connect(path)
}

/// How often the thread that waits for callers looks whether it is to end.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Listens until the value is dropped.
#[derive(Debug)]
pub struct Listening {
    path: PathBuf,
    is_over: Arc<AtomicBool>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        // The folder may be gone already.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Begins to answer for the process that runs a job: each command is carried out or refused, and then it is told how the job gets on. Only
/// the owner can call.
///
/// # Errors
/// When there can be no socket in the folder.
pub fn listen(
    folder: &Path,
    obey: impl Fn(Command) -> Result<Option<Progress>, String> + Send + 'static,
) -> Result<Listening, Error> {
    let path = folder.join(NAME);
    // What a killed process has left.
    let _ = std::fs::remove_file(&path);
    let listener = short(folder).and_then(|(_open, path)| {
        let listener = UnixListener::bind(&path)?;
        std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        Ok(listener)
    });
    let listener = listener.map_err(Error::file(&path))?;
    listener.set_nonblocking(true).map_err(Error::file(&path))?;
    let is_over = Arc::new(AtomicBool::new(false));
    let listening = Listening { path, is_over: is_over.clone() };
    thread::spawn(move || {
        while !is_over.load(Ordering::Acquire) {
            match listener.accept() {
                // A caller that misbehaves hurts nobody but itself.
                Ok((stream, _)) => drop(answer(&stream, &obey)),
                Err(_) => thread::sleep(LOOK_EVERY),
            }
        }
    });
    Ok(listening)
}

fn answer(
    mut stream: &UnixStream,
    obey: &impl Fn(Command) -> Result<Option<Progress>, String>,
) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut line = String::new();
    BufReader::new(stream).take(LINE_MAX).read_line(&mut line)?;
    let reply = match serde_json::from_str::<Command>(&line) {
        Ok(command) => match obey(command) {
            Ok(progress) => Reply { progress, error: None },
            Err(error) => Reply { progress: None, error: Some(error) },
        },
        Err(error) => Reply { progress: None, error: Some(format!("this is no command: {error}")) },
    };
    let mut line = serde_json::to_vec(&reply)?;
    line.push(b'\n');
    stream.write_all(&line)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    /// Answers with what was asked, as the state.
    fn listen_in(folder: &Path) -> Listening {
        let state = |command: Command| format!("{command:?}");
        let obey = move |command| Ok(Some(Progress { state: state(command), ..Progress::default() }));
        listen(folder, obey).unwrap()
    }

    #[test]
    fn a_command_arrives_as_it_was_sent_and_the_answer_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let listening = listen_in(folder.path());
        let domain = Some("*".to_owned());
        let limits = Command::Limits(LimitChange { domain, objects: Some(5), bytes: None, seconds: Some(9) });
        for command in [Command::Status, Command::Pause, Command::Resume, Command::Stop, limits] {
            assert_eq!(ask(folder.path(), &command).unwrap().state, format!("{command:?}"));
        }
        drop(listening);
        assert!(matches!(ask(folder.path(), &Command::Status), Err(Error::NotRunning { .. })));
    }

    #[test]
    fn all_jobs_are_asked_at_the_same_time() {
        let folders: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
        // Each answers only when all have been asked.
        let barrier = Arc::new(Barrier::new(folders.len()));
        let listen = |number: usize| {
            let barrier = Arc::clone(&barrier);
            let obey = move |_| {
                barrier.wait();
                Ok(Some(Progress { state: number.to_string(), ..Progress::default() }))
            };
            listen(folders[number].path(), obey).unwrap()
        };
        let _listening: Vec<_> = (0..folders.len()).map(listen).collect();
        let paths = folders.iter().map(|folder| folder.path().to_owned()).collect();
        let states: Vec<_> =
            ask_all(paths, PATIENCE).into_iter().map(|progress| progress.unwrap().state).collect();
        assert_eq!(states, ["0", "1", "2"]);
    }

    #[test]
    fn a_process_that_does_not_answer_delays_the_others_no_longer_than_the_deadline() {
        let [silent, absent, fine] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let _silent = UnixListener::bind(silent.path().join(NAME)).unwrap();
        let _fine = listen_in(fine.path());
        let paths = [&silent, &absent, &fine].map(|folder| folder.path().to_owned());
        let answers = ask_all(paths.into(), Duration::from_secs(1));
        let answered: Vec<bool> = answers.iter().map(Option::is_some).collect();
        assert_eq!(answered, [false, false, true]);
    }

    #[test]
    fn a_caller_that_talks_nonsense_is_told_so_and_hurts_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let _listening = listen_in(folder.path());
        let mut stream = UnixStream::connect(folder.path().join(NAME)).unwrap();
        stream.write_all(b"{\"command\":\"dance\"}\n").unwrap();
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer).unwrap();
        assert!(answer.contains("this is no command"), "{answer}");
        assert_eq!(ask(folder.path(), &Command::Stop).unwrap().state, "Stop");
    }

    #[test]
    fn a_command_that_is_refused_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let _listening = listen(folder.path(), |_| Err("the disk is full".to_owned())).unwrap();
        let error = ask(folder.path(), &Command::Pause).unwrap_err();
        assert!(matches!(error, Error::Refused(why) if why == "the disk is full"));
    }

    #[test]
    fn a_folder_deep_below_others_has_a_socket_as_well() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("d".repeat(100)).join("e".repeat(100));
        std::fs::create_dir_all(&deep).unwrap();
        let _listening = listen_in(&deep);
        assert_eq!(ask(&deep, &Command::Status).unwrap().state, "Status");
    }

    #[test]
    fn the_socket_is_for_its_owner_alone_and_a_link_is_not_asked() {
        let folder = tempfile::tempdir().unwrap();
        let _listening = listen_in(folder.path());
        let mode = folder.path().join(NAME).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o600);
        let other = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(folder.path().join(NAME), other.path().join(NAME)).unwrap();
        assert!(matches!(ask(other.path(), &Command::Stop), Err(Error::NotRunning { .. })));
    }
}
