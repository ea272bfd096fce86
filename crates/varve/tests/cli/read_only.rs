//! An archive that cannot be written: on a read-only mount, or of somebody else. All that only reads works there.
//!
//! The tests may run as root, whom no permission stops. So the program runs as a user who owns nothing here, from a folder that this user may
//! enter.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::watching::World;

/// Who owns nothing.
const NOBODY: u32 = 65_534;

struct ReadOnly {
    world: World,
    program: PathBuf,
    _folder: tempfile::TempDir,
}

impl ReadOnly {
    fn new(world: World) -> ReadOnly {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("varve");
        let built = Path::new(env!("CARGO_BIN_EXE_varve"));
        if fs::hard_link(built, &program).is_err() {
            fs::copy(built, &program).unwrap();
        }
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let archive = ReadOnly { world, program, _folder: folder };
        archive.allow(0o444, 0o555);
        archive
    }

    /// Sets what may be done with all files and folders.
    fn allow(&self, files: u32, folders: u32) {
        let mut left = vec![self.world.path().to_owned()];
        while let Some(path) = left.pop() {
            let is_folder = path.is_dir();
            if is_folder {
                fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
                left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            let mode = if is_folder { folders } else { files };
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        }
    }

    /// All files and folders, in order.
    fn files(&self) -> Vec<PathBuf> {
        let (mut left, mut files) = (vec![self.world.path().to_owned()], Vec::new());
        while let Some(path) = left.pop() {
            if path.is_dir() {
                left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            files.push(path);
        }
        files.sort();
        files
    }

    /// Exit code, and all that it says.
    fn said(&self, words: &[&str]) -> (i32, String) {
        let mut command = Command::new(&self.program);
        command.args(words).current_dir(self.world.path()).env("TERM", "dumb").env("NO_COLOR", "1");
        for name in ["VARVE_ARCHIVE", "VARVE_CONFIG", "VARVE_LOG"] {
            command.env_remove(name);
        }
        if fs::metadata("/proc/self").unwrap().uid() == 0 {
            command.uid(NOBODY).gid(NOBODY);
        }
        let output = command.output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(said).unwrap())
    }
}

impl Drop for ReadOnly {
    fn drop(&mut self) {
        self.allow(0o644, 0o755);
    }
}

/// An archive with a watched page of two versions.
fn watched() -> World {
    let world = World::new();
    let url = world.url();
    world.site.page("/", "<p>one");
    assert_eq!(world.out(&["watch", "add", &url, "--title", "Home"]).0, 0);
    assert_eq!(world.out(&["check", &url]).0, 0);
    world.site.page("/", "<p>two");
    assert_eq!(world.out(&["check", &url]).0, 3);
    world
}

#[test]
fn watch_ls_and_all_that_only_reads_work_on_a_read_only_archive() {
    let world = watched();
    let url = world.url();
    let archive = ReadOnly::new(world);
    let before = archive.files();
    for (words, exit, told) in [
        (vec!["watch", "ls"], 0, url.as_str()),
        (vec!["watch", "ls", "--json"], 0, "\"title\":\"Home\""),
        (vec!["watch", "show", "1"], 0, "Home"),
        (vec!["watch", "export"], 0, "Home"),
        (vec!["versions", &url], 0, "200"),
        (vec!["versions", "--numbered", &url], 0, "v2"),
        (vec!["diff", &url, "v1", "v2"], 3, "two"),
        (vec!["available", &url, "--history"], 0, ""),
        (vec!["get", &url, "--at", "v1"], 0, "<p>one"),
        (vec!["jobs", "ls"], 0, ""),
    ] {
        let (code, said) = archive.said(&words);
        assert!(code == exit && said.contains(told), "{words:?}: {code}\n{said}");
    }
    // Changes are refused, and say why.
    for words in [vec!["watch", "pause", "1"], vec!["watch", "rm", "1"], vec!["check", &url]] {
        let (code, said) = archive.said(&words);
        assert!(code == 1 && said.contains("the archive is read-only"), "{words:?}: {code}\n{said}");
    }
    assert_eq!(archive.files(), before);
}

/// It was copied before anything in it was watched.
#[test]
fn watch_ls_prints_an_empty_list_of_a_read_only_archive_without_watches() {
    let archive = ReadOnly::new(World::new());
    let before = archive.files();
    assert!(!before.iter().any(|path| path.ends_with("watch.db")), "{before:?}");
    for words in [vec!["watch", "ls"], vec!["watch", "ls", "--json"], vec!["watch", "export"]] {
        let (code, said) = archive.said(&words);
        assert!(code == 0 && !said.contains("error"), "{words:?}: {code}\n{said}");
    }
    let (code, said) = archive.said(&["watch", "show", "1"]);
    assert!(code != 0 && !said.contains("denied"), "{code}\n{said}");
    let (code, said) = archive.said(&["watch", "add", &archive.world.url()]);
    assert!(code == 1 && said.contains("the archive is read-only"), "{code}\n{said}");
    assert_eq!(archive.files(), before);
}

/// A crash has left a WAL, and nothing can be written beside it.
#[test]
fn watch_ls_reads_a_wal_that_a_crash_has_left() {
    let world = watched();
    let url = world.url();
    // An empty one is what a process leaves that was killed right after it has opened the database.
    fs::write(world.path().join("watch.db-wal"), "").unwrap();
    let archive = ReadOnly::new(world);
    let (code, said) = archive.said(&["watch", "ls"]);
    assert!(code == 0 && said.contains(&url), "{code}\n{said}");
}
