//! `cargo xtask bench diff`: texts against GNU diff, patches against `zstd --patch-from`, bsdiff and xdelta3.

mod data;
mod tables;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::ensure;

use super::contest::{Contest, Outcome, Side};
use super::{judge, page};
use crate::step::Step;
use crate::{debian, places};

const ROUNDS: u32 = 7;
/// Of the time of GNU diff, turned into a speed.
const LINES_MUST: f64 = 1.0 / 1.5;
/// Of the time of `zstd --patch-from`, turned into a speed.
const PATCH_MUST: f64 = 1.0 / 1.2;
/// Of the smaller of zstd's patch and bsdiff's.
const SIZE_MAX: f64 = 1.1;
/// However bad a pair is.
const WORST_SECONDS_MAX: f64 = 2.0;

/// Similar files of 5 MB, and what they are like.
const SIMILAR: [(&str, &str); 4] = [
    ("text", "text, every twentieth line another"),
    ("edited", "text, 300 words overwritten"),
    ("program", "program, 250 functions longer and every call moved"),
    ("packed", "packed data, 40 places replaced"),
];

/// Pairs of 10 MB that have nothing in common.
const WORST: [(&str, &str); 3] = [
    ("unrelated", "two unrelated texts"),
    ("few-kinds", "5,000,000 lines of eight kinds in no order"),
    ("one-line", "one line each"),
];

pub(crate) fn run() -> anyhow::Result<()> {
    debian::install(&debian::FOR_BENCH_DIFF)?;
    let python = crate::peers::make()?.join("bin").join("python");
    Step::cargo("build", "build --release --package diff --examples").run()?;
    let folder = data::folder(&python)?;
    let mut outcomes = vec![lines(&folder)?];
    for (name, what) in SIMILAR {
        outcomes.push(patch(&folder, name, what)?);
    }
    let mut table = page::table(&outcomes);
    let (sizes, worst_size) = tables::sizes(&folder)?;
    let (worst, worst_seconds) = tables::worst(&folder)?;
    for part in [sizes, worst, tables::documents(&folder)?] {
        table.push('\n');
        table.push_str(&part);
    }
    println!("\n{table}");
    page::put("diff", &table)?;
    ensure!(
        worst_size <= SIZE_MAX,
        "a patch has {worst_size:.2} times the size of the smaller of the others"
    );
    ensure!(worst_seconds <= WORST_SECONDS_MAX, "the worst pair takes {worst_seconds:.1} s");
    judge(&outcomes)
}

fn lines(folder: &Path) -> anyhow::Result<Outcome> {
    let sides = |program: &mut Command| {
        program.arg(folder.join("lines.old")).arg(folder.join("lines.new")).output().is_ok()
    };
    let mut gnu = Command::new("sh");
    // It ends with 1 where files differ.
    gnu.args(["-c", "diff -u \"$0\" \"$1\"; test $? -eq 1"]);
    let mut ours = Command::new(ours());
    ours.arg("lines");
    ensure!(sides(&mut gnu) && sides(&mut ours), "cannot compare lines");
    Contest {
        what: "unified difference of 100,000 lines, 5,000 places".to_owned(),
        ours: Side::new("varve", ours),
        peer: Side::new("GNU diff", gnu),
        must: LINES_MUST,
        aim: Some(1.0),
    }
    .run(ROUNDS)
}

fn patch(folder: &Path, name: &str, what: &str) -> anyhow::Result<Outcome> {
    let [old, new] = pair(folder, name);
    let mut zstd = Command::new("zstd");
    zstd.args(["-q", "-f"]).arg(format!("--patch-from={}", old.display())).arg(&new);
    zstd.arg("-o").arg(folder.join(format!("{name}.zst")));
    let mut ours = Command::new(ours());
    ours.arg("patch").args([old, new, folder.join(format!("{name}.vpch"))]);
    Contest {
        what: format!("patch, 5 MB: {what}"),
        ours: Side::new("varve", ours),
        peer: Side::new("zstd --patch-from", zstd),
        must: PATCH_MUST,
        aim: Some(1.0),
    }
    .run(ROUNDS)
}

fn pair(folder: &Path, name: &str) -> [PathBuf; 2] {
    [folder.join(format!("{name}.old")), folder.join(format!("{name}.new"))]
}

fn ours() -> PathBuf {
    places::target().join("release").join("examples").join("difference")
}
