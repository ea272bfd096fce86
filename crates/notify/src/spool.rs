//! What waits, on disk, so that it is not lost with the program.
//!
//! ```text
//! notices/
//!   SESSION/            one for each running program that has something to tell
//!     lock              held by it; who can take it may take over what is left there
//!     ID.json           a message that waits
//!     .ID               one that is being written; left there, if the program was killed meanwhile
//!   sent-XXXXXXXX.json  when a channel was last used, for the limit of the program that starts next
//! ```
//!
//! The limit holds for programs that run one after another. Of two that run at a time each has its own, and the times are those of the one that
//! sent last: nobody waits for another's lock in order to tell something.
//!
//! `docs/formats/notices.md` says what is in the files.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::json::JsonGroup;
use crate::lane::Parcel;
use crate::limits::SPOOLED_BYTES_MAX;
use crate::message::Message;

/// The version of the files.
const FORMAT: u32 = 1;

/// A message that waits, as it is written.
#[derive(Serialize, Deserialize)]
struct Written {
    format: u32,
    channel: String,
    id: String,
    since: String,
    tries: u32,
    groups: Vec<JsonGroup>,
}

/// When a channel was used, as it is written.
#[derive(Serialize, Deserialize)]
struct WrittenSent {
    format: u32,
    channel: String,
    sent: Vec<String>,
}

/// The folder.
#[derive(Debug)]
pub(crate) struct Spool {
    root: PathBuf,
    own: Mutex<Option<Own>>,
}

/// What belongs to this program.
#[derive(Debug)]
struct Own {
    folder: PathBuf,
    _lock: File,
}

/// What an earlier program has left.
#[derive(Debug, Default)]
pub(crate) struct Leftovers {
    /// Messages, each with its channel's name.
    pub(crate) parcels: Vec<(String, Parcel)>,
    /// Files that could not be understood; they stay, under another name.
    pub(crate) damaged: Vec<PathBuf>,
}

impl Spool {
    /// In this folder, which is made when there is something to put into it.
    pub(crate) fn new(root: &Path) -> Spool {
        Spool { root: root.to_owned(), own: Mutex::new(None) }
    }

    /// Takes over what programs have left that do not run any more.
    pub(crate) fn take_over(&self) -> io::Result<Leftovers> {
        let mut found = Leftovers::default();
        let own =
            self.own.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|own| own.folder.clone());
        for folder in entries(&self.root)? {
            let is_own = own.as_ref() == Some(&folder);
            if is_own || !folder.is_dir() || name(&folder).starts_with('.') {
                continue;
            }
            // Whoever has just ended, and taken its folder along, has left nothing.
            let Ok(lock) = private::options().create(true).append(true).open(folder.join("lock")) else {
                continue;
            };
            if lock.try_lock().is_err() {
                continue;
            }
            let (halves, whole): (Vec<PathBuf>, Vec<PathBuf>) =
                entries(&folder)?.into_iter().partition(|path| name(path).starts_with('.'));
            // What was being written when its program was killed. That it is in the way must not keep the others from being told.
            halves.iter().for_each(|path| drop(fs::remove_file(path)));
            for path in whole.into_iter().filter(|path| path.extension().is_some_and(|end| end == "json")) {
                match read(&path) {
                    Some(parcel) => {
                        fs::rename(&path, self.folder()?.join(path.file_name().unwrap_or_default()))?;
                        found.parcels.push(parcel);
                    }
                    None => {
                        let aside = self.root.join(format!("{}.damaged", name(&path)));
                        fs::rename(&path, &aside)?;
                        found.damaged.push(aside);
                    }
                }
            }
            let _ = fs::remove_file(folder.join("lock"));
            // What is not ours stays, and its folder with it.
            let _ = fs::remove_dir(&folder);
        }
        found.parcels.sort_by_key(|(_, parcel)| parcel.since);
        Ok(found)
    }

    /// Keeps a message as it is now.
    pub(crate) fn keep(&self, channel: &str, parcel: &Parcel) -> io::Result<()> {
        let Parcel { message, since, tries, .. } = parcel;
        let written = Written {
            format: FORMAT,
            channel: channel.to_owned(),
            id: message.id.clone(),
            since: since.to_string(),
            tries: *tries,
            groups: message.groups.iter().map(JsonGroup::of).collect(),
        };
        let folder = self.folder()?;
        let place = folder.join(format!("{}.json", message.id));
        replace(&folder, &place, &serde_json::to_vec_pretty(&written)?)
    }

    /// A message is no more.
    pub(crate) fn remove(&self, id: &str) -> io::Result<()> {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(own) = own.as_ref() else { return Ok(()) };
        match fs::remove_file(own.folder.join(format!("{id}.json"))) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            outcome => outcome,
        }
    }

    /// When a channel was used lately; nothing if that cannot be read.
    pub(crate) fn sent(&self, channel: &str) -> Vec<Timestamp> {
        let read = || {
            let written: WrittenSent =
                serde_json::from_slice(&bytes(&self.root.join(sent_name(channel)))?).ok()?;
            let is_ours = written.format <= FORMAT && written.channel == channel;
            is_ours.then(|| written.sent.iter().filter_map(|at| at.parse().ok()).take(10_000).collect())
        };
        read().unwrap_or_default()
    }

    /// Keeps when a channel was used.
    pub(crate) fn keep_sent(&self, channel: &str, sent: impl Iterator<Item = Timestamp>) -> io::Result<()> {
        let sent = sent.map(|at| at.to_string()).collect();
        let written = WrittenSent { format: FORMAT, channel: channel.to_owned(), sent };
        let place = self.root.join(sent_name(channel));
        replace(&self.folder()?, &place, &serde_json::to_vec_pretty(&written)?)
    }

    /// The folder of this program, made if it is not there.
    fn folder(&self) -> io::Result<PathBuf> {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = &*own {
            return Ok(own.folder.clone());
        }
        fs::create_dir_all(self.root.parent().unwrap_or(&self.root))?;
        private::make_folder(&self.root)?;
        let id = crate::notifier::new_id();
        let (hidden, folder) = (self.root.join(format!(".{id}")), self.root.join(id));
        private::make_folder(&hidden)?;
        let lock = private::options().write(true).create_new(true).open(hidden.join("lock"))?;
        lock.lock()?;
        // Nobody looks at it before it has its name, and then it is locked.
        fs::rename(&hidden, &folder)?;
        *own = Some(Own { folder: folder.clone(), _lock: lock });
        Ok(folder)
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        let own = self.own.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(own) = own else { return };
        let is_empty = entries(&own.folder).is_ok_and(|found| found.len() == 1);
        if is_empty {
            // Whoever comes next removes it otherwise.
            let _ = fs::remove_file(own.folder.join("lock"));
            let _ = fs::remove_dir(&own.folder);
        }
    }
}

/// A message that waits, with its channel's name; `None` if it cannot be understood.
fn read(path: &Path) -> Option<(String, Parcel)> {
    let written: Written = serde_json::from_slice(&bytes(path)?).ok()?;
    let is_sound = written.format <= FORMAT
        && path.file_stem().is_some_and(|stem| stem == written.id.as_str())
        && written.id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && !written.groups.is_empty();
    if !is_sound {
        return None;
    }
    let groups = written.groups.into_iter().map(JsonGroup::read).collect::<Option<Vec<_>>>()?;
    let message = Message { id: written.id, groups };
    let (since, tries) = (written.since.parse().ok()?, written.tries);
    Some((written.channel, Parcel { message, since, tries, aside_until: None, is_kept: true }))
}

/// A file's bytes, if it is not too long for one of ours.
fn bytes(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    private::read(path).ok()?.take(SPOOLED_BYTES_MAX + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= SPOOLED_BYTES_MAX).then_some(bytes)
}

/// Puts a file in the place of another, whole. It is written in the program's own folder, under a name that nobody else has.
fn replace(own: &Path, place: &Path, bytes: &[u8]) -> io::Result<()> {
    let hidden = own.join(format!(".{}", crate::notifier::new_id()));
    let mut file = private::options().write(true).create_new(true).open(&hidden)?;
    let written =
        file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&hidden, place));
    if written.is_err() {
        // A full disk must not fill up with halves.
        let _ = fs::remove_file(&hidden);
    }
    written?;
    File::open(place.parent().unwrap_or(own))?.sync_all()
}

/// What is in a folder; nothing, if it is not there.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(found) => found.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The file of a channel; its name may have anything in it.
fn sent_name(channel: &str) -> String {
    let digest = HEXLOWER.encode(&Sha256::digest(channel.as_bytes()));
    format!("sent-{}.json", digest.get(..8).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notice::{Notice, Severity};

    fn parcel(id: &str) -> Parcel {
        let at = "2026-11-18T03:00:00Z".parse().unwrap();
        let notice = Notice::new(at, "audit", Severity::Alarm, "ä \"file\"").line("l").about("k", "v");
        let mut message = Message::of(id.to_owned(), notice);
        message.add_uncounted(41);
        Parcel { message, since: at, tries: 3, aside_until: None, is_kept: true }
    }

    #[test]
    fn what_a_program_leaves_the_next_takes_over() {
        let folder = tempfile::tempdir().unwrap();
        let first = Spool::new(folder.path());
        first.keep("mail", &parcel("0a")).unwrap();
        first.keep("mail", &parcel("0b")).unwrap();
        first.remove("0b").unwrap();
        // As long as it runs, nobody else has it.
        let second = Spool::new(folder.path());
        assert!(second.take_over().unwrap().parcels.is_empty());
        drop(first);
        let found = second.take_over().unwrap();
        assert_eq!(found.parcels, [("mail".to_owned(), parcel("0a"))]);
        assert!(Spool::new(folder.path()).take_over().unwrap().parcels.is_empty());
        second.remove("0a").unwrap();
        drop(second);
        assert!(entries(folder.path()).unwrap().is_empty());
    }

    #[test]
    fn other_users_cannot_read_what_waits() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("notices");
        // As an earlier version made it.
        fs::create_dir(&root).unwrap();
        let spool = Spool::new(&root);
        spool.keep("mail", &parcel("0a")).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o7777;
        let own = spool.folder().unwrap();
        assert_eq!([mode(&root), mode(&own), mode(&own.join("0a.json"))], [0o700, 0o700, 0o600]);
    }

    #[test]
    fn a_damaged_file_is_kept_aside_and_told() {
        let folder = tempfile::tempdir().unwrap();
        let first = Spool::new(folder.path());
        first.keep("mail", &parcel("0a")).unwrap();
        let own = first.folder().unwrap();
        for (name, text) in [("0b", "{"), ("0c", "{\"format\": 2}"), ("0d", "")] {
            fs::write(own.join(format!("{name}.json")), text).unwrap();
        }
        // Its name is not the one inside.
        fs::copy(own.join("0a.json"), own.join("0e.json")).unwrap();
        drop(first);
        let found = Spool::new(folder.path()).take_over().unwrap();
        assert_eq!((found.parcels.len(), found.damaged.len()), (1, 4));
        assert!(found.damaged.iter().all(|path| path.exists()));
    }

    #[test]
    fn what_was_half_written_is_cleaned_up_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let first = Spool::new(folder.path());
        first.keep("mail", &parcel("0a")).unwrap();
        let own = first.folder().unwrap();
        for name in [".0a.json", ".0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0"] {
            fs::write(own.join(name), "{\"format\": 1, \"chan").unwrap();
        }
        drop(first);
        let second = Spool::new(folder.path());
        let found = second.take_over().unwrap();
        assert_eq!((found.parcels.len(), found.damaged.len()), (1, 0));
        assert!(!own.exists());
        second.remove("0a").unwrap();
        drop(second);
        assert!(entries(folder.path()).unwrap().is_empty());
    }

    /// The example of docs/formats/notices.md. Later formats must still read it.
    #[test]
    fn a_message_of_format_1_is_read_for_ever() {
        let page = include_str!("../../../docs/formats/notices.md");
        let json = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let session = folder.path().join("an-earlier-program");
        fs::create_dir(&session).unwrap();
        fs::write(session.join("0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0.json"), json).unwrap();
        let found = Spool::new(folder.path()).take_over().unwrap();
        let (channel, parcel) = &found.parcels[0];
        assert_eq!((channel.as_str(), parcel.tries), ("mail to ann@library.example", 1));
        assert_eq!(parcel.message.subject(), "a.warc.gz is missing from `cellar` (and 1,204 more)");
        let about = [("replica", "cellar"), ("file", "job/a.warc.gz")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()));
        assert_eq!(parcel.message.groups[0].notices[0].about, about);
    }

    proptest! {
        #[test]
        fn no_bytes_in_a_file_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0_usize..2000) {
            let folder = tempfile::tempdir().unwrap();
            let spool = Spool::new(folder.path());
            spool.keep("mail", &parcel("0a")).unwrap();
            let path = spool.folder().unwrap().join("0a.json");
            let mut file = super::bytes(&path).unwrap();
            let cut = cut.min(file.len());
            file.splice(cut..(cut + bytes.len()).min(file.len()), bytes);
            fs::write(&path, file).unwrap();
            drop(spool);
            let found = Spool::new(folder.path()).take_over().unwrap();
            prop_assert_eq!(found.parcels.len() + found.damaged.len(), 1);
        }
    }

    #[test]
    fn when_a_channel_was_used_is_known_to_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let at: Timestamp = "2026-11-18T03:00:00Z".parse().unwrap();
        Spool::new(folder.path()).keep_sent("mail to a@b.c", [at].into_iter()).unwrap();
        assert_eq!(Spool::new(folder.path()).sent("mail to a@b.c"), [at]);
        assert!(Spool::new(folder.path()).sent("mail to d@b.c").is_empty());
    }
}
