//! The user names and passwords of an archive's sites: taken out of URLs that people give, stored encrypted, and found again for each request.
//!
//! Other processes may store some, too: whether the database has changed is looked at a few times a second at most.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use fetch::{Clock, CredentialSource, Credentials};
use jiff::Timestamp;
use secrets::{EntryState, Secrets};
use settings::{Error, Explain as _, Voice, with_hint};
use urlkey::Login;

/// The key, beside `varve.toml`, unless the environment names another.
pub const KEY_NAME: &str = "secrets.key";
/// The database of an archive.
const DATABASE_NAME: &str = "secrets.db";

/// How often it is looked whether somebody else has changed something.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// A file that was written this long ago has another time stamp after its next change.
const SETTLED_AFTER: Duration = Duration::from_secs(2);

/// All keychains of the process, one for each archive, so that nothing is warned of twice. Clones are the same.
#[derive(Clone)]
pub struct Keychains {
    by_archive: Arc<Mutex<BTreeMap<PathBuf, Keychain>>>,
    key_file: Option<PathBuf>,
    voice: Voice,
    clock: Clock,
}

/// The secrets of one archive. Clones are the same.
#[derive(Clone)]
pub struct Keychain(Arc<Inner>);

struct Inner {
    secrets: Secrets,
    voice: Voice,
    clock: Clock,
    known: Mutex<Known>,
}

/// What was last read.
#[derive(Default)]
struct Known {
    logins: HashMap<String, Login>,
    /// Origins whose secret cannot be read, and why.
    unreadable: HashMap<String, &'static str>,
    /// Those that were warned of.
    warned: BTreeSet<String>,
    looked_at: Option<Timestamp>,
    stamp: Stamp,
}

/// By which a change of the database or of the key shows.
#[derive(Default, PartialEq, Eq)]
struct Stamp {
    database: Option<FileStamp>,
    key: Option<FileStamp>,
}

/// A file as `stat` shows it. The database is never opened here: closing it would drop the locks that SQLite holds in this process.
#[derive(PartialEq, Eq)]
struct FileStamp {
    inode: u64,
    bytes: u64,
    written_at: SystemTime,
}

impl Keychains {
    /// All keychains of the process. Without a key file each archive has its own.
    #[must_use]
    pub fn new(key_file: Option<PathBuf>, voice: Voice, clock: Clock) -> Keychains {
        Keychains { by_archive: Arc::default(), key_file, voice, clock }
    }

    /// The secrets of the archive in this folder.
    #[must_use]
    pub fn of(&self, archive: &Path) -> Keychain {
        let folder = fs::canonicalize(archive).unwrap_or_else(|_| archive.to_owned());
        let mut all = self.by_archive.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || {
            let key = self.key_file.clone().unwrap_or_else(|| archive.join(KEY_NAME));
            let secrets = Secrets::new(&archive.join(DATABASE_NAME), &key);
            let (voice, clock) = (self.voice.clone(), self.clock.clone());
            Keychain(Arc::new(Inner { secrets, voice, clock, known: Mutex::default() }))
        };
        all.entry(folder).or_insert_with(made).clone()
    }
}

impl Keychain {
    /// The secrets themselves.
    #[must_use]
    pub fn secrets(&self) -> &Secrets {
        &self.0.secrets
    }

    /// Stores user names and passwords that stood in URLs. They are used from now on.
    ///
    /// # Errors
    /// When the database or its key cannot be used.
    pub fn keep(&self, logins: &[Login]) -> Result<(), Error> {
        let Some(first) = logins.first() else { return Ok(()) };
        let stored = self.0.secrets.set(logins, self.0.clock.now());
        stored
            .map_err(|error| self.hinted(error))
            .with_context(|| format!("cannot store the user name and password of {}", first.origin))?;
        self.0.lock().looked_at = None;
        Ok(())
    }

    /// For whoever fetches.
    #[must_use]
    pub fn credentials(&self) -> Credentials {
        Credentials::new(self.0.clone())
    }

    /// An error with the way out of it.
    #[must_use]
    pub fn hinted(&self, error: secrets::Error) -> Error {
        let hint = match &error {
            secrets::Error::KeyFile { path, .. } => Some(format!(
                "restore `{0}` from a copy, or remove it: then a new key is made, and stored passwords have to be entered again",
                path.display()
            )),
            _ => None,
        };
        match hint {
            Some(hint) => with_hint(error, hint),
            None => Error::of(error),
        }
    }
}

impl CredentialSource for Inner {
    fn find(&self, origin: &str) -> Option<Login> {
        let mut known = self.lock();
        // Also where the clock was set back.
        if known.looked_at.is_none_or(|at| self.clock.now().duration_since(at).unsigned_abs() >= LOOK_EVERY) {
            self.look(&mut known);
        }
        if let Some(why) = known.unreadable.get(origin).copied()
            && known.warned.insert(origin.to_owned())
        {
            self.voice.warning(&format!(
                "{origin}: the stored password cannot be read ({why}); requests go without it. `varve secrets set {origin}` stores it again"
            ));
        }
        known.logins.get(origin).cloned()
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the secrets again if they have changed.
    fn look(&self, known: &mut Known) {
        known.looked_at = Some(self.clock.now());
        let stamp = self.stamp();
        if stamp == known.stamp {
            return;
        }
        let entries = match self.secrets.list() {
            Ok(entries) => entries,
            Err(error) => {
                if known.warned.insert(String::new()) {
                    self.voice.warning(&format!(
                        "stored passwords cannot be read, requests go without them: {error}"
                    ));
                }
                return;
            }
        };
        // Two changes in a short time may have one time stamp: the next look reads again.
        known.stamp = if stamp.is_settled(self.clock.now()) { stamp } else { Stamp::default() };
        (known.logins, known.unreadable) = Default::default();
        for entry in entries {
            match entry.state {
                EntryState::Readable(login) => drop(known.logins.insert(entry.origin, login)),
                state => drop(known.unreadable.insert(entry.origin, why(&state))),
            }
        }
    }

    fn stamp(&self) -> Stamp {
        Stamp {
            database: FileStamp::read(self.secrets.database()),
            key: FileStamp::read(self.secrets.key_file()),
        }
    }
}

impl Stamp {
    /// Whether both files were written long enough ago that another change would show.
    fn is_settled(&self, now: Timestamp) -> bool {
        let is_old = |file: &FileStamp| {
            SystemTime::from(now).duration_since(file.written_at).is_ok_and(|age| age > SETTLED_AFTER)
        };
        self.database.iter().chain(&self.key).all(is_old)
    }
}

impl FileStamp {
    fn read(path: &Path) -> Option<FileStamp> {
        let file = fs::metadata(path).ok()?;
        Some(FileStamp { inode: file.ino(), bytes: file.len(), written_at: file.modified().ok()? })
    }
}

/// Why a secret cannot be read.
#[must_use]
pub fn why(state: &EntryState) -> &'static str {
    match state {
        EntryState::Readable(_) => "",
        EntryState::KeyMissing => "its key is missing",
        _ => "it is damaged",
    }
}
