//! `cargo xtask fuzz`: hostile bytes for every parser, as long as one likes.
//!
//! The ordinary tests run the same attacks over the stored seeds; this looks for new ones. It leaves what it grows and finds
//! in the target folder: `fuzz/README.md` says what to do with it.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, bail, ensure};

use crate::{places, tools};

/// Each target, with the folder of its seeds.
const TARGETS: [(&str, &str); 31] = [
    ("warc", "warc"),
    ("arc", "arc"),
    ("http_head", "http_head"),
    ("chunked", "chunked"),
    ("quick_deflate", "quick_deflate"),
    ("cdx", "cdx"),
    ("cdx_server", "cdx_server"),
    ("index", "warc"),
    ("index_segment", "index_segment"),
    ("wacz", "wacz"),
    ("package", "package"),
    ("url", "url"),
    ("response", "response"),
    ("robots", "robots"),
    ("sitemap", "sitemap"),
    ("html", "html"),
    ("css", "css"),
    ("js", "js"),
    ("xml", "xml"),
    ("pdf", "pdf"),
    ("identify", "identify"),
    ("rewrite_html", "rewrite_html"),
    ("rewrite_script", "rewrite_script"),
    ("rewrite_css", "rewrite_css"),
    ("scope_lists", "scope_lists"),
    ("filter_module", "filter_module"),
    ("diff_patch", "diff_patch"),
    ("diff_page", "diff_page"),
    ("diff_rules", "diff_rules"),
    ("diff_kept", "diff_kept"),
    ("watchlist", "watchlist"),
];

/// How long each target runs unless told otherwise.
const SECONDS: u32 = 600;

/// Runs the named targets, or all of them, for `--seconds N` each.
pub(crate) fn run(words: &[&str]) -> anyhow::Result<()> {
    let (names, seconds) = arguments(words)?;
    tools::install_fuzz()?;
    for (name, seeds) in TARGETS.iter().filter(|(name, _)| names.is_empty() || names.contains(name)) {
        run_target(name, seeds, seconds)?;
    }
    Ok(())
}

fn arguments<'a>(words: &[&'a str]) -> anyhow::Result<(Vec<&'a str>, u32)> {
    let (mut names, mut seconds) = (Vec::new(), SECONDS);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--seconds" => {
                let number = words.next().context("`--seconds` wants a number")?;
                seconds = number.parse().with_context(|| format!("`{number}` is no number of seconds"))?;
            }
            name if TARGETS.iter().any(|(known, _)| *known == name) => names.push(name),
            other => bail!("there is no target `{other}`, only {}", TARGETS.map(|(name, _)| name).join(", ")),
        }
    }
    Ok((names, seconds))
}

fn run_target(name: &str, seeds: &str, seconds: u32) -> anyhow::Result<()> {
    let grown = places::target().join("fuzz").join(name);
    let found = places::target().join("fuzz-findings").join(name);
    for folder in [&grown, &found] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    }
    println!("{name}: {seconds} s");
    // The crates are safe Rust but for one call, so the sanitizer would only make each try dearer; and without it any
    // compiler will do.
    let status = Command::new("cargo")
        .args(["fuzz", "run", "--sanitizer", "none", name])
        .arg(&grown)
        .arg(places::root().join("fuzz").join("corpus").join(seeds))
        .args(["--", "-max_len=65536", "-rss_limit_mb=2048", "-timeout=10", "-print_final_stats=1"])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", found.display()))
        .current_dir(places::root())
        .env("CARGO_TARGET_DIR", places::target().join("fuzz-build"))
        .env("PATH", places::search_path())
        // Readers have large buffers, which are cheap as fresh pages and dear when they must be wiped for each try.
        .env("MALLOC_MMAP_THRESHOLD_", "131072")
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "{name} has a finding in `{}`; see fuzz/README.md", found.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_and_seconds_are_told_apart() {
        assert_eq!(arguments(&[]).unwrap(), (vec![], SECONDS));
        assert_eq!(arguments(&["arc", "--seconds", "5", "url"]).unwrap(), (vec!["arc", "url"], 5));
        assert!(arguments(&["--seconds"]).is_err());
        assert!(arguments(&["ar"]).unwrap_err().to_string().contains("http_head"));
    }

    #[test]
    fn every_target_has_its_file_and_its_seeds() {
        let fuzz = places::root().join("fuzz");
        for (name, seeds) in TARGETS {
            assert!(fuzz.join("fuzz_targets").join(format!("{name}.rs")).is_file(), "{name}");
            assert!(fuzz.join("corpus").join(seeds).is_dir(), "{seeds}");
        }
        let files = fs::read_dir(fuzz.join("fuzz_targets")).unwrap().count();
        assert_eq!(files, TARGETS.len(), "a target is not listed");
    }
}
