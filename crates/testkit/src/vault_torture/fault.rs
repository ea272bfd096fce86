//! What goes wrong while the program is at work, as dice choose it.

use std::path::PathBuf;
use std::time::Duration;

use super::house::House;
use super::program::Around;
use crate::corpus::Dice;
use crate::s3;

/// What goes wrong.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// Nothing.
    Calm,
    /// The program is killed when it makes a call for the so-and-so-many-th time.
    KillAtCall { calls: &'static str, when: u64, is_near: bool },
    /// The program is killed after so long.
    KillAtMoment(Duration),
    /// A call about one of the archive's files or folders fails.
    Refused { calls: Calls, error: &'static str, when: u64, is_onwards: bool },
    /// A write that the disk says it has done, and has not.
    LostWrite { when: u64 },
    /// No file gets longer than so many bytes: writes are short.
    Short(u64),
    /// A disk has only so many bytes left.
    Full { is_attic: bool, left: u64 },
    /// Requests to the server of the bucket fail.
    Requests { fault: s3::Fault, method: Option<&'static str>, count: usize },
    /// The server of the bucket is not there.
    ServerGone,
    /// The disk of a replica is not there.
    Unmounted { is_attic: bool },
    /// The clock is so many days ahead.
    Clock(i64),
}

/// Calls of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    Write,
    Sync,
    Read,
    Name,
}

/// What may be between the program and the system on this machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Means {
    /// Disks of their own that can be filled.
    pub(super) has_disks: bool,
    /// faketime.
    pub(super) has_clock: bool,
}

/// Calls at which the program is killed: those that change something, or send it.
const KILLING: [&str; 6] = [
    "write,pwrite64",
    "fsync,fdatasync",
    "rename,renameat,renameat2,unlink,unlinkat",
    "openat,mkdir,ftruncate,fchmod",
    "sendto,writev",
    "read,pread64",
];

impl Calls {
    fn names(self) -> &'static str {
        match self {
            Calls::Write => "write,pwrite64",
            Calls::Sync => "fsync,fdatasync",
            Calls::Read => "read,pread64",
            Calls::Name => "openat,rename,unlink,mkdir,ftruncate,fchmod",
        }
    }
}

impl Fault {
    pub(super) fn choose(dice: &mut Dice, means: Means) -> Fault {
        match dice.below(25) {
            0 => Fault::Calm,
            1..=5 => {
                let is_near = dice.percent(65);
                let calls = KILLING.get(index(dice, KILLING.len())).copied().unwrap_or("write");
                // Counted for each thread and each call by itself.
                let when = dice.size(1, if is_near { 10 } else { 30 }) as u64;
                Fault::KillAtCall { calls, when, is_near }
            }
            6 => Fault::KillAtMoment(Duration::from_micros(dice.below(400_000))),
            7..=10 => {
                let calls = [Calls::Write, Calls::Sync, Calls::Read, Calls::Name];
                let calls = calls.get(index(dice, calls.len())).copied().unwrap_or(Calls::Write);
                let is_onwards = dice.percent(30);
                Fault::Refused { calls, error: "EIO", when: dice.size(1, 24) as u64, is_onwards }
            }
            11 | 12 => {
                let calls = if dice.percent(70) { Calls::Write } else { Calls::Name };
                Fault::Refused { calls, error: "ENOSPC", when: dice.size(1, 24) as u64, is_onwards: true }
            }
            13 => Fault::LostWrite { when: dice.between(1, 3) },
            14 => Fault::Short(512 * dice.size(1, 1 << 12) as u64),
            15 | 16 if means.has_disks => {
                Fault::Full { is_attic: dice.percent(50), left: 4096 * dice.below(400) }
            }
            17 => Fault::ServerGone,
            18 => Fault::Unmounted { is_attic: dice.percent(60) },
            19 | 20 if means.has_clock => {
                let days = dice.between(1, 5000).cast_signed();
                Fault::Clock(if dice.percent(50) { days } else { -days })
            }
            _ => {
                let fault = s3::Fault::ALL.get(index(dice, s3::Fault::ALL.len())).copied();
                let fault = fault.unwrap_or(s3::Fault::Close);
                let method = [None, None, Some("GET"), Some("PUT"), Some("HEAD")];
                let method = method.get(index(dice, method.len())).copied().flatten();
                // Who waits in vain waits as long as the settings say.
                let most = if fault == s3::Fault::Hang { 2 } else { 8 };
                Fault::Requests { fault, method, count: dice.size(1, most) }
            }
        }
    }

    /// What is put around the program by it. `files` are those that it works at.
    pub(super) fn around(&self, house: &House, files: &[String]) -> Around {
        let calls = |calls: &str, what: String, paths: Vec<PathBuf>| {
            let inject = format!("inject={calls}:{what}");
            let mut words = vec!["-e".to_owned(), format!("trace={calls}"), "-e".to_owned(), inject];
            // Faster by far; but strace 6.1 with it forgets signals that are not for the first call.
            if !what.starts_with("signal") {
                words.insert(0, "--seccomp-bpf".to_owned());
            }
            for path in paths {
                words.extend(["-P".to_owned(), path.to_string_lossy().into_owned()]);
            }
            Around::Calls(words)
        };
        match self {
            Fault::KillAtCall { calls: names, when, is_near } => {
                let paths = if *is_near { house.paths(files) } else { Vec::new() };
                calls(names, format!("signal=SIGKILL:when={when}"), paths)
            }
            Fault::Refused { calls: which, error, when, is_onwards } => {
                let onwards = if *is_onwards { "+" } else { "" };
                calls(which.names(), format!("error={error}:when={when}{onwards}"), house.paths(files))
            }
            // Only copies: what a database makes of a disk that lies is not to be mended by anybody.
            Fault::LostWrite { when } => calls("write", format!("retval=1:when={when}"), house.parts(files)),
            Fault::Short(bytes) => Around::Longest(*bytes),
            Fault::KillAtMoment(after) => Around::Killed(*after),
            Fault::Clock(days) => Around::Clock(*days),
            _ => Around::Nothing,
        }
    }

    /// What it is called in the table.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Fault::Calm => "nothing",
            Fault::KillAtCall { .. } => "kill -9 at a system call",
            Fault::KillAtMoment(_) => "kill -9 at a moment",
            Fault::Refused { error: "ENOSPC", .. } => "full disk, said by the system",
            Fault::Refused { calls: Calls::Write, .. } => "EIO on write",
            Fault::Refused { calls: Calls::Sync, .. } => "EIO on fsync",
            Fault::Refused { calls: Calls::Read, .. } => "EIO on read",
            Fault::Refused { calls: Calls::Name, .. } => "EIO on open, rename, unlink, mkdir",
            Fault::LostWrite { .. } => "write that the disk has lost",
            Fault::Short(_) => "short write",
            Fault::Full { .. } => "full disk",
            Fault::Requests { fault, .. } => match fault {
                s3::Fault::Status(500) => "S3 answers 500",
                s3::Fault::Status(_) => "S3 answers 503",
                s3::Fault::Hang => "S3 does not answer in time",
                s3::Fault::Close => "S3 connection closed",
                s3::Fault::CutRequest => "S3 request cut",
                s3::Fault::FlipRequest => "S3 request with a flipped bit",
                s3::Fault::LoseAnswer => "S3 answer lost",
                s3::Fault::CutAnswer => "S3 answer cut",
                s3::Fault::FlipAnswer => "S3 answer with a flipped bit",
            },
            Fault::ServerGone => "S3 server gone",
            Fault::Unmounted { .. } => "disk of a replica not mounted",
            Fault::Clock(days) if *days > 0 => "clock years ahead",
            Fault::Clock(_) => "clock years behind",
        }
    }
}

/// The place of one in a list that is so long.
pub(super) fn index(dice: &mut Dice, length: usize) -> usize {
    usize::try_from(dice.below(length as u64)).unwrap_or(0)
}
