//! How much memory a run takes. In a program of its own, so that nobody else's is counted.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use batch::{Done, Failure, Origin, Reading, Settings, Task, run};
use store::Sealed;

/// Gives everything back.
struct Echo;

impl Task for Echo {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        io::copy(file, result)?;
        Ok(Done::Sound)
    }
}

/// The most that this process has taken, in KiB.
fn most_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn memory_does_not_grow_with_files_or_results() {
    const FILE_BYTES: u64 = 64 << 20;
    let origin = Origin::new(|_| Ok(Box::new(io::repeat(b'x').take(FILE_BYTES))));
    let files =
        (0..6).map(|number| Sealed { name: format!("job/{number}"), bytes: 0, sha256: String::new() });
    let room = tempfile::tempdir().unwrap();
    let mut settings = Settings::new(room.path().to_owned(), Arc::new(|| Duration::ZERO));
    settings.threads = NonZeroUsize::new(4).unwrap();
    let report =
        run(files, &origin, &Echo, &settings, &mut io::sink(), &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((report.bytes, report.result_bytes), (6 * FILE_BYTES, 6 * FILE_BYTES));
    let most = most_kib();
    assert!(most < 48 << 10, "{most} KiB");
}
