//! Many requests over a few connections, by wrk: how many a second, and how long they take.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};

/// As many as the issue of access says.
const CONNECTIONS: &str = "16";
const SECONDS: &str = "6s";

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Load {
    pub(super) per_second: f64,
    pub(super) median: Duration,
    pub(super) p99: Duration,
}

/// Asks for these targets in turn, for some seconds. Every answer must be of the 200s.
pub(super) fn run(origin: &str, targets: &[String], folder: &Path) -> anyhow::Result<Load> {
    let script = folder.join("targets.lua");
    fs::write(&script, lua(targets)).with_context(|| format!("cannot write `{}`", script.display()))?;
    let output = Command::new("wrk")
        .args([
            "--threads",
            "1",
            "--connections",
            CONNECTIONS,
            "--duration",
            SECONDS,
            "--latency",
            "--script",
        ])
        .arg(&script)
        .arg(origin)
        .output()
        .context("cannot run wrk")?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "wrk failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    parse(&said).with_context(|| format!("of {origin}: {}", said.trim()))
}

/// The targets as a script: each thread goes through all of them, again and again.
fn lua(targets: &[String]) -> String {
    let mut text = String::from("local targets = {\n");
    for target in targets {
        let _ = writeln!(text, "  [[{target}]],");
    }
    text.push_str(
        "}\nlocal at = 0\nfunction request()\n  at = at % #targets + 1\n  return wrk.format(\"GET\", targets[at])\nend\n",
    );
    text
}

fn parse(said: &str) -> anyhow::Result<Load> {
    // uwsgi closes the connection behind every answer, which wrk calls an error of reading.
    let is_bad = |line: &&str| {
        let errors = line.trim().strip_prefix("Socket errors:");
        let counts = errors.into_iter().flat_map(|errors| errors.split(',').map(str::trim));
        line.contains("Non-2xx")
            || counts.into_iter().any(|count| !count.starts_with("read ") && !count.ends_with(" 0"))
    };
    if let Some(line) = said.lines().find(is_bad) {
        bail!("not every answer was good: {}", line.trim());
    }
    let value = |name: &str| {
        let lines = said.lines().filter_map(|line| line.trim().strip_prefix(name));
        lines.map(str::trim).next().with_context(|| format!("wrk does not tell `{name}`"))
    };
    Ok(Load {
        per_second: value("Requests/sec:")?.parse().context("no number of requests")?,
        median: duration(value("50%")?)?,
        p99: duration(value("99%")?)?,
    })
}

/// `1.23ms`, `456.00us`, `1.20s`.
fn duration(text: &str) -> anyhow::Result<Duration> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let number: f64 = digits.parse().with_context(|| format!("`{text}` is no time"))?;
    let seconds = match text.get(digits.len()..).unwrap_or_default() {
        "us" => number / 1e6,
        "ms" => number / 1e3,
        "s" => number,
        "m" => number * 60.0,
        unit => bail!("`{unit}` is no unit of time"),
    };
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_wrk_says_is_understood() {
        let said = "Running 6s test @ http://localhost:1/\n  Latency Distribution\n     50%  456.00us\n     75%    1.02ms\n\
                    \n     99%    1.20s\n  100 requests in 6.00s, 1.00MB read\nRequests/sec:   1234.50\n";
        let load = parse(said).unwrap();
        assert_eq!(load.per_second, 1234.5);
        assert_eq!((load.median, load.p99), (Duration::from_micros(456), Duration::from_millis(1200)));
        assert!(parse(&format!("{said}\n  Non-2xx or 3xx responses: 3\n")).is_err());
        assert!(parse(&format!("{said}\n  Socket errors: connect 0, read 3, write 0, timeout 0\n")).is_ok());
        assert!(parse(&format!("{said}\n  Socket errors: connect 0, read 3, write 0, timeout 1\n")).is_err());
        assert!(parse("nothing").is_err());
    }
}
