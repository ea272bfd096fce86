//! The facts without which a figure means nothing: on what, and of which commit.

use std::fs;
use std::process::Command;

use crate::places;

/// One line: processor, cores, memory, and the commit with its date.
pub(crate) fn facts() -> String {
    let processor = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".to_owned());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let memory = field("/proc/meminfo", "MemTotal").and_then(|text| gigabytes(&text));
    let memory = memory.map(|amount| format!(", {amount} GB of memory")).unwrap_or_default();
    format!("{processor}, {cores} cores{memory}; commit {}", commit().unwrap_or_else(|| "unknown".to_owned()))
}

/// The value of the first line `name : value` of a file.
fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix(':'))?;
    Some(value.trim().to_owned())
}

/// `24567890 kB` in whole gigabytes.
fn gigabytes(text: &str) -> Option<u64> {
    let kilobytes: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some((kilobytes * 1024 + 500_000_000) / 1_000_000_000)
}

/// The commit that is checked out, its date, and whether the files differ from it.
fn commit() -> Option<String> {
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).current_dir(places::root()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["show", "--no-patch", "--format=%h of %cs", "HEAD"])?;
    let is_changed =
        !git(&["status", "--porcelain", "--untracked-files=no", "--", "crates", "xtask"])?.is_empty();
    Some(if is_changed { format!("{commit}, with changes") } else { commit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_told_in_gigabytes() {
        assert_eq!(gigabytes("24567890 kB"), Some(25));
        assert_eq!(gigabytes(""), None);
    }
}
