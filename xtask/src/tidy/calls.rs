//! What code must not do where it stands: leaves touch nothing, few print, and nothing sleeps, waits to be written or is
//! skipped.

use regex::Regex;

use super::Fault;
use super::arrows::is_leaf;
use super::source::{matches, pattern};
use super::tree::{File, Tree};

/// Calls that are banned in some places. Naming a type (`File`, `IpAddr`) is fine; making one that
/// reaches outside is not.
struct Ban {
    /// What it looks like, as a regular expression over code without comments and strings.
    pattern: &'static str,
    message: &'static str,
    /// Whether it is looked for in unit tests too.
    in_tests: bool,
    /// Whether it holds in this file.
    holds: fn(&File) -> bool,
}

const SLEEP: &str = r"\bsleep\(";
const NO_SLEEP: &str = "no test sleeps: the clock is handed in";

const BANS: [Ban; 7] = [
    Ban {
        pattern: concat!(
            r"\b(fs|env|process)::[a-z]\w*|\b(fs|env|process)::\{[^}]*\b[a-z]\w*|\bFile::(open|create|options)\w*|\bOpenOptions\b",
            r"|\bCommand::new\b",
            r"|\b(Tcp|Udp|Unix)(Stream|Listener|Socket|Datagram)\b|\bToSocketAddrs\b|\btokio::",
            r"|\b(SystemTime|Instant|Timestamp|Zoned)::now\b",
        ),
        message: "a leaf takes bytes and gives values: it touches no file, network, environment, process or clock",
        in_tests: false,
        holds: |file| is_leaf(file.crate_name()) && file.path.contains("/src/"),
    },
    Ban {
        pattern: r"\be?print(ln)?!|\bdbg!|\bio::std(out|err)\(\)",
        message: "only `varve` prints",
        in_tests: false,
        holds: |file| !is_source_of(file, &["varve", "xtask", "testkit"]) && !file.is_test(),
    },
    Ban {
        pattern: r"\benv::(var|vars|var_os|args|args_os)\b",
        message: "only `varve` reads arguments, and only `settings` and `varve` the environment",
        in_tests: false,
        holds: |file| !is_source_of(file, &["settings", "varve", "xtask", "testkit"]) && !file.is_test(),
    },
    Ban {
        pattern: r"\b(todo|unimplemented)!",
        message: "what is not written yet is an issue, not a call",
        in_tests: true,
        holds: |_| true,
    },
    Ban {
        pattern: r"#\[ignore\b",
        message: "no test is skipped: a known fault is asserted as it is, with a note",
        in_tests: true,
        holds: |_| true,
    },
    Ban {
        pattern: r"\b(std::)?(hash::|collections::hash_map::)(\{[^}]*\b)?(RandomState|DefaultHasher)\b|\b(RandomState|DefaultHasher)::(new|default)\b",
        message: "SipHash is no random source: ids come from `uuid`, tokens and seeds from `getrandom`",
        in_tests: false,
        holds: |file| !file.is_test(),
    },
    Ban { pattern: SLEEP, message: NO_SLEEP, in_tests: true, holds: File::is_test },
];

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let bans: Vec<(Regex, &Ban)> = BANS.iter().map(|ban| (pattern(ban.pattern), ban)).collect();
    let sleep = pattern(SLEEP);
    let rust = tree.files.iter().filter(|file| file.is_rust());
    rust.flat_map(|file| [banned(file, &bans), slept_in_unit_tests(file, &sleep)].concat()).collect()
}

fn banned(file: &File, bans: &[(Regex, &Ban)]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (pattern, ban) in bans.iter().filter(|(_, ban)| (ban.holds)(file)) {
        let code = if ban.in_tests { &file.code } else { &file.code_without_tests };
        for (line, text) in matches(pattern, code) {
            faults.push(Fault::new(&file.path, line, format!("`{text}`: {}", ban.message)));
        }
    }
    faults
}

/// A unit test that sleeps does so in what `code_without_tests` lacks.
fn slept_in_unit_tests(file: &File, sleep: &Regex) -> Vec<Fault> {
    if file.is_test() {
        return Vec::new();
    }
    let outside = matches(sleep, &file.code_without_tests);
    let inside = matches(sleep, &file.code).into_iter().filter(|found| !outside.contains(found));
    inside.map(|(line, _)| Fault::new(&file.path, line, NO_SLEEP)).collect()
}

/// Whether the file is part of what one of these crates ships, not of its tests and benches.
fn is_source_of(file: &File, crates: &[&str]) -> bool {
    crates.contains(&file.crate_name()) && file.path.contains("/src/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_text(path: &str, text: &str, faults: usize) {
        let found = check(&Tree::of(&[(path, text)]));
        assert_eq!(found.len(), faults, "{path}: {text}: {found:?}");
    }

    #[test]
    fn leaves_touch_nothing() {
        check_text("crates/warc/src/a.rs", "let f = std::fs::File::open(p);", 1);
        check_text(
            "crates/warc/src/a.rs",
            "impl Durable for std::fs::File { fn sync(&self) { self.sync_all() } }",
            0,
        );
        check_text("crates/warc/src/a.rs", "use std::{fmt, fs};\nlet x = fs::read(p);", 1);
        check_text("crates/warc/src/a.rs", "use std::fs::{File, read};", 1);
        check_text("crates/warc/src/a.rs", "process::exit(1); let v = env!(NAME);", 1);
        check_text("crates/warc/src/a.rs", "// std::fs is not used\nlet s = \"tokio::\";", 0);
        check_text("crates/warc/src/a.rs", "#[cfg(test)]\nmod tests { fn a() { fs::read(p); } }", 0);
        check_text("crates/warc/tests/a.rs", "fs::read(p);", 0);
        check_text("crates/warc/examples/a.rs", "println!(); env::args();", 0);
        check_text("crates/warc/benches/a.rs", "Instant::now();", 0);
        check_text("crates/warc/src/a.rs", "use std::net::{IpAddr, TcpStream};", 1);
        check_text("crates/store/src/a.rs", "fs::read(p);", 0);
    }

    #[test]
    fn only_the_binary_prints_and_reads_the_environment() {
        check_text("crates/store/src/a.rs", "println!();", 1);
        check_text("crates/store/src/a.rs", "let x = env::var(NAME); let y = env!(NAME);", 1);
        check_text("crates/varve/src/a.rs", "println!(); std::env::args();", 0);
        check_text("crates/store/tests/a.rs", "eprintln!();", 0);
    }

    #[test]
    fn ids_and_tokens_do_not_come_from_siphash() {
        let path = "crates/store/src/a.rs";
        check_text(path, "use std::hash::{BuildHasher as _, Hasher as _, RandomState};", 1);
        check_text(path, "use std::hash::RandomState;", 1);
        check_text(path, "use std::collections::hash_map::DefaultHasher;", 1);
        check_text(path, "use std::collections::hash_map::{Entry, RandomState};", 1);
        check_text(path, "let id = RandomState::new().build_hasher().finish();", 1);
        check_text(path, "let mut hasher = DefaultHasher::new();", 1);
        check_text(path, "met: HashMap<Url, u64, foldhash::fast::RandomState>,", 0);
        check_text("crates/store/tests/a.rs", "use std::hash::RandomState;", 0);
        check_text(path, "#[cfg(test)]\nmod tests { use std::hash::RandomState; }", 0);
    }

    #[test]
    fn nothing_is_left_open_skipped_or_slept_over() {
        check_text("crates/varve/src/a.rs", "todo!()", 1);
        check_text("crates/store/tests/a.rs", "#[ignore]\n#[test] fn a() { thread::sleep(x) }", 2);
        check_text(
            "crates/store/src/a.rs",
            "thread::sleep(x);\n#[cfg(test)]\nmod tests { fn a() { sleep(y); } }",
            1,
        );
    }
}
