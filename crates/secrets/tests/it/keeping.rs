//! Secrets are kept, found again, replaced and removed; only their owner can read the files.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use secrets::{EntryState, Error, Key};

use crate::world::{World, at, login};

#[test]
fn secrets_are_found_again_and_replaced_by_origin() {
    let world = World::new();
    assert_eq!(world.readable(), []);
    assert_eq!(fs::read_dir(world.folder()).unwrap().count(), 0, "reading makes no file");
    world.set(&[login("b.example", "bob", "pw2"), login("a.example", "ann", "pw1")]);
    world.set(&[login("b.example", "bob", "pw3")]);
    assert_eq!(world.readable(), [login("a.example", "ann", "pw1"), login("b.example", "bob", "pw3")]);
    assert_eq!(world.secrets().list().unwrap()[0].set_at, at(1_800_000_000_000));
    assert!(world.secrets().remove("https://b.example").unwrap());
    assert!(!world.secrets().remove("https://b.example").unwrap());
    assert_eq!(world.readable(), [login("a.example", "ann", "pw1")]);
}

#[test]
fn only_the_owner_can_read_the_files() {
    let world = World::new();
    world.set(&[login("a.example", "ann", "pw1")]);
    world.secrets().rotate(|_| Ok(())).unwrap();
    for entry in fs::read_dir(world.folder()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.path());
    }
}

#[test]
fn modes_are_corrected_whenever_the_files_are_opened() {
    let world = World::new();
    let names = ["secrets.key", "secrets.db"];
    let open_to_all = || {
        for name in names {
            fs::set_permissions(world.path(name), fs::Permissions::from_mode(0o644)).unwrap();
        }
    };
    let check = |by: &str| {
        for name in names {
            let mode = world.path(name).metadata().unwrap().permissions().mode() & 0o7777;
            assert_eq!(mode, 0o600, "{name}, opened to {by}");
        }
    };
    world.set(&[login("a.example", "ann", "pw1")]);
    open_to_all();
    world.secrets().list().unwrap();
    check("list");
    open_to_all();
    world.set(&[login("a.example", "ann", "pw2")]);
    check("set");
    open_to_all();
    world.secrets().rotate(|_| Ok(())).unwrap();
    check("rotate");
    // Somebody opens the database to others while the key is replaced.
    let open_database = |_| {
        fs::set_permissions(world.path("secrets.db"), fs::Permissions::from_mode(0o644)).unwrap();
        Ok(())
    };
    world.secrets().rotate(open_database).unwrap();
    check("rotate again");
}

#[test]
fn neither_user_name_nor_password_is_in_any_file() {
    let world = World::new();
    world.set(&[login("a.example", "SENTINEL-user", "SENTINEL-password")]);
    for entry in fs::read_dir(world.folder()).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(8).any(|window| window == b"SENTINEL"));
    }
}

/// Losing the key means that secrets must be entered again, nothing else.
#[test]
fn a_lost_key_loses_the_secrets_alone() {
    let world = World::new();
    world.set(&[login("a.example", "ann", "pw1"), login("b.example", "bob", "pw2")]);
    let lost = fs::read(world.path("secrets.key")).unwrap();
    fs::remove_file(world.path("secrets.key")).unwrap();
    let states: Vec<EntryState> =
        world.secrets().list().unwrap().into_iter().map(|entry| entry.state).collect();
    assert_eq!(states, [EntryState::KeyMissing, EntryState::KeyMissing]);
    // One is entered again, under a new key.
    world.set(&[login("a.example", "ann", "pw3")]);
    assert_eq!(world.readable(), [login("a.example", "ann", "pw3")]);
    assert_ne!(fs::read(world.path("secrets.key")).unwrap(), lost);
    // The old key is found, and put back: what it was for can be read.
    fs::write(world.path("secrets.key"), lost).unwrap();
    assert_eq!(world.readable(), [login("b.example", "bob", "pw2")]);
}

#[test]
fn a_wrong_key_is_told_apart_from_damage() {
    let world = World::new();
    world.set(&[login("a.example", "ann", "pw1")]);
    let right = world.key();
    fs::write(world.path("secrets.key"), Key::generate().unwrap().text()).unwrap();
    assert_eq!(world.secrets().list().unwrap()[0].state, EntryState::KeyMissing);
    fs::write(world.path("secrets.key"), right).unwrap();
    // A bit of the encrypted bytes flips.
    let path = world.path("secrets.db");
    let mut bytes = fs::read(&path).unwrap();
    let origin = b"https://a.example";
    let place = bytes.windows(origin.len()).position(|window| window == origin).unwrap();
    bytes[place + origin.len() + 16 + 12 + 20] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert_eq!(world.secrets().list().unwrap()[0].state, EntryState::Damaged);
}

#[test]
fn a_key_file_that_is_none_is_not_replaced() {
    let world = World::new();
    fs::write(world.path("secrets.key"), "hello").unwrap();
    let set = world.secrets().set(&[login("a.example", "ann", "pw1")], at(0));
    assert!(matches!(set, Err(Error::KeyFile { .. })), "{set:?}");
    assert_eq!(world.key(), "hello");
    assert!(world.secrets().list().unwrap().is_empty());
}

#[test]
fn a_database_of_a_later_version_is_left_alone() {
    let world = World::new();
    world.set(&[login("a.example", "ann", "pw1")]);
    let path = world.path("secrets.db");
    let mut bytes = fs::read(&path).unwrap();
    // Where SQLite keeps `user_version`: https://www.sqlite.org/fileformat2.html#user_version_number
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(world.secrets().list(), Err(Error::Later { found: 99, .. })));
    assert!(matches!(world.secrets().set(&[login("b.example", "b", "c")], at(0)), Err(Error::Later { .. })));
}

#[test]
fn many_may_store_the_first_secret_at_once() {
    let world = World::new();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let world = &world;
            scope.spawn(move || world.set(&[login(&format!("{number}.example"), "me", "pw")]));
        }
    });
    assert_eq!(world.readable().len(), 8);
}
