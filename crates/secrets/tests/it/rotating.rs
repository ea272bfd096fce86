//! A new key: whatever kills the process in the middle, every secret can be read, and the next attempt ends well.

use std::env;
use std::path::Path;
use std::process::Command;

use secrets::{Error, NEXT_SUFFIX, Rotated, Stage};

use crate::world::{World, at, login, secrets_in};

/// The folder that the child process is to work in, and how far it comes.
const CHILD: &str = "VARVE_TEST_ROTATE";
const STAGES: [Stage; 4] = [Stage::KeyWritten, Stage::Encrypting, Stage::Encrypted, Stage::Done];

#[test]
fn a_new_key_reads_everything() {
    let world = World::new();
    world.set(&[login("a.example", "ann", "pw1"), login("b.example", "bob", "pw2")]);
    let before = world.key();
    assert_eq!(world.secrets().rotate(|_| Ok(())).unwrap(), Rotated { encrypted: 2, unreadable: 0 });
    assert_ne!(world.key(), before);
    assert_eq!(world.readable(), [login("a.example", "ann", "pw1"), login("b.example", "bob", "pw2")]);
    assert_eq!(world.secrets().list().unwrap()[0].set_at, at(1_800_000_000_000));
}

#[test]
fn an_error_at_any_step_leaves_everything_readable() {
    for stage in STAGES {
        let world = World::new();
        world.set(&[login("a.example", "ann", "pw1")]);
        let stopped =
            world.secrets().rotate(|at| if at == stage { Err(Error::Crypto("go on")) } else { Ok(()) });
        assert!(stopped.is_err());
        check(&world, stage);
    }
}

/// As kill -9: no destructor runs, and what SQLite has not written is lost.
#[test]
fn a_kill_at_any_step_leaves_everything_readable() {
    if let Ok(child) = env::var(CHILD) {
        let (stage, folder) = child.split_once(' ').unwrap();
        let stage = STAGES[stage.parse::<usize>().unwrap()];
        let _ = secrets_in(Path::new(folder))
            .rotate(|at| if at == stage { std::process::abort() } else { Ok(()) });
        panic!("it came to its end");
    }
    for (number, stage) in STAGES.into_iter().enumerate() {
        let world = World::new();
        world.set(&[login("a.example", "ann", "pw1")]);
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(["--exact", "rotating::a_kill_at_any_step_leaves_everything_readable"]);
        child.env(CHILD, format!("{number} {}", world.folder().display()));
        let output = child.output().unwrap();
        assert_eq!(output.status.code(), None, "{stage:?}: {output:?}");
        check(&world, stage);
    }
}

/// What holds after a process has stopped there.
#[track_caller]
fn check(world: &World, stage: Stage) {
    let is_whole = |more: &[&str]| {
        let mut expected = vec![login("a.example", "ann", "pw1")];
        expected.extend(more.iter().map(|host| login(host, "me", "pw")));
        assert_eq!(world.readable(), expected, "{stage:?}");
    };
    is_whole(&[]);
    // What is stored before anybody tries again can be read, too.
    world.set(&[login("b.example", "me", "pw")]);
    is_whole(&["b.example"]);
    assert_eq!(world.secrets().rotate(|_| Ok(())).unwrap(), Rotated { encrypted: 2, unreadable: 0 });
    is_whole(&["b.example"]);
    assert!(!world.path(&format!("secrets.key{NEXT_SUFFIX}")).exists(), "{stage:?}");
}

#[test]
fn secrets_of_a_lost_key_stay_as_they_are() {
    let world = World::new();
    world.set(&[login("a.example", "ann", "pw1")]);
    let lost = world.key();
    std::fs::remove_file(world.path("secrets.key")).unwrap();
    world.set(&[login("b.example", "bob", "pw2")]);
    assert_eq!(world.secrets().rotate(|_| Ok(())).unwrap(), Rotated { encrypted: 1, unreadable: 1 });
    std::fs::write(world.path("secrets.key"), lost).unwrap();
    assert_eq!(world.readable(), [login("a.example", "ann", "pw1")]);
}

/// Secrets that are stored while the key is replaced are encrypted with a key that stays.
#[test]
fn secrets_are_stored_while_the_key_is_replaced() {
    let world = World::new();
    world.set(&[login("a.example", "me", "pw")]);
    std::thread::scope(|scope| {
        scope.spawn(|| (0..10).for_each(|_| assert!(world.secrets().rotate(|_| Ok(())).is_ok())));
        for number in 0..20 {
            world.set(&[login(&format!("{number}.example"), "me", "pw")]);
            assert_eq!(world.readable().len(), number + 2);
        }
    });
    assert_eq!(world.readable().len(), 21);
}
