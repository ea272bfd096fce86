//! Figures that are no contests: sizes, the worst cases, and the source's table.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, ensure};

use super::{SIMILAR, SIZE_MAX, WORST, WORST_SECONDS_MAX, ours, pair};

/// Sizes of patches, all of which are applied; and the worst ratio.
pub(super) fn sizes(folder: &Path) -> anyhow::Result<(String, f64)> {
    let mut table = String::from(
        "| size of the patch, 5 MB | varve | zstd --patch-from | bsdiff | of the smaller | at most |\n|---|---|---|---|---|---|\n",
    );
    let mut worst = 0_f64;
    for (name, what) in SIMILAR {
        let [old, new] = pair(folder, name);
        let [vpch, zst, bsdiff, back] =
            ["vpch", "zst", "bsdiff", "back"].map(|end| folder.join(format!("{name}.{end}")));
        run(Command::new(ours()).arg("patch").args([&old, &new, &vpch]))?;
        run(Command::new(ours()).arg("apply").args([&old, &vpch, &back]))?;
        ensure!(fs::read(&back)? == fs::read(&new)?, "the patch of {name} does not lead back");
        let mut zstd = Command::new("zstd");
        zstd.args(["-q", "-f"]).arg(format!("--patch-from={}", old.display())).arg(&new).arg("-o").arg(&zst);
        run(&mut zstd)?;
        run(Command::new("bsdiff").args([&old, &new, &bsdiff]))?;
        let [ours, zstd, bsdiff] = [size(&vpch)?, size(&zst)?, size(&bsdiff)?];
        let ratio = ours as f64 / zstd.min(bsdiff).max(1) as f64;
        worst = worst.max(ratio);
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| {what} | {ours} | {zstd} | {bsdiff} | {ratio:.2} | {SIZE_MAX:.1} |");
    }
    Ok((table, worst))
}

/// Pairs that are as bad as can be, by each unit; and the longest time.
pub(super) fn worst(folder: &Path) -> anyhow::Result<(String, f64)> {
    let mut table =
        String::from("| two files of 10 MB | by | time | the answer | at most |\n|---|---|---|---|---|\n");
    let mut worst = 0_f64;
    for (name, what) in WORST {
        let [old, new] = pair(folder, name);
        for unit in ["lines", "words", "chars"] {
            let started = Instant::now();
            let output = Command::new(ours()).arg(unit).args([&old, &new]).arg("--time").output()?;
            let seconds = started.elapsed().as_secs_f64();
            worst = worst.max(seconds);
            let said = String::from_utf8_lossy(&output.stdout);
            ensure!(output.status.success(), "`difference {unit}` failed at {name}");
            let answer = if said.starts_with("coarse true") { "coarse, and says so" } else { "in full" };
            let _ =
                writeln!(table, "| {what} | {unit} | {seconds:.2} s | {answer} | {WORST_SECONDS_MAX:.1} s |");
        }
    }
    Ok((table, worst))
}

/// The source's table: each version with each other, both ways round.
pub(super) fn documents(folder: &Path) -> anyhow::Result<String> {
    let mut table = String::from(
        "| each document with each other | patches | varve | xdelta3 | bsdiff | varve | xdelta3 | bsdiff |\n|---|---|---|---|---|---|---|---|\n",
    );
    let sets = [
        ("unrelated", 8, "unrelated"),
        ("lorem", 8, "versions of 100 paragraphs (LI)"),
        ("thesis", 5, "versions of a thesis with pictures (BC)"),
    ];
    for (name, count, what) in sets {
        for end in ["odt", "pdf"] {
            let files: Vec<PathBuf> =
                (0..count).map(|number| folder.join(format!("{name}-{number}.{end}"))).collect();
            let (ours, xdelta, bsdiff) =
                (all(&files, ours_command)?, all(&files, xdelta_command)?, all(&files, bsdiff_command)?);
            let patches = count * (count - 1);
            let time = |sum: (f64, u64)| format!("{:.2} s", sum.0);
            let kilobytes = |sum: (f64, u64)| format!("{} KB", sum.1.div_ceil(1000));
            let _ = writeln!(
                table,
                "| {what}, {} | {patches} | {} | {} | {} | {} | {} | {} |",
                end.to_uppercase(),
                time(ours),
                time(xdelta),
                time(bsdiff),
                kilobytes(ours),
                kilobytes(xdelta),
                kilobytes(bsdiff)
            );
        }
    }
    Ok(table)
}

/// Seconds and bytes of all patches together.
fn all(files: &[PathBuf], command: fn(&Path, &Path, &Path) -> Command) -> anyhow::Result<(f64, u64)> {
    let Some(first) = files.first() else { return Ok((0.0, 0)) };
    let to = first.with_extension("patch");
    let (mut seconds, mut bytes) = (0.0, 0);
    for old in files {
        for new in files.iter().filter(|new| *new != old) {
            let started = Instant::now();
            run(&mut command(old, new, &to))?;
            seconds += started.elapsed().as_secs_f64();
            bytes += size(&to)?;
        }
    }
    Ok((seconds, bytes))
}

fn ours_command(old: &Path, new: &Path, to: &Path) -> Command {
    let mut command = Command::new(ours());
    command.arg("patch").args([old, new, to]);
    command
}

fn xdelta_command(old: &Path, new: &Path, to: &Path) -> Command {
    let mut command = Command::new("xdelta3");
    command.args(["-q", "-f", "-e", "-s"]).args([old, new, to]);
    command
}

fn bsdiff_command(old: &Path, new: &Path, to: &Path) -> Command {
    let mut command = Command::new("bsdiff");
    command.args([old, new, to]);
    command
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    ensure!(status.with_context(|| format!("cannot run {name}"))?.success(), "{name} failed");
    Ok(())
}

fn size(path: &Path) -> anyhow::Result<u64> {
    Ok(fs::metadata(path).with_context(|| format!("cannot read `{}`", path.display()))?.len())
}
