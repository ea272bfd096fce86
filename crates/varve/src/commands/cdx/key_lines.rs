//! Reads files of CDX and CDXJ lines for the verbs that work on them: plain or packed with gzip, or standard input.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use settings::Input;
use warc::Coding;

use crate::hint::with_hint;
use crate::progress::Progress;
use crate::session::Session;

/// A file of lines, opened.
pub(super) struct KeyLines {
    /// As the user wrote it; `-` for standard input.
    pub(super) name: String,
    pub(super) lines: Box<dyn BufRead>,
}

/// Opens all files, with one progress bar for them; it is to be finished by the caller.
pub(super) fn open_all(
    session: &Session,
    paths: &[PathBuf],
    label: &str,
) -> anyhow::Result<(Vec<KeyLines>, Progress)> {
    let inputs = paths.iter().map(|path| Input::open(path)).collect::<Result<Vec<Input>, _>>()?;
    let total = inputs.iter().map(|input| input.size_bytes).sum();
    let progress = Progress::bytes(&session.talk, label, total);
    let opened: anyhow::Result<Vec<KeyLines>> =
        inputs.into_iter().map(|input| open(input, progress.clone())).collect();
    Ok((opened?, progress))
}

fn open(input: Input, progress: Progress) -> anyhow::Result<KeyLines> {
    let name = input.name.clone();
    let source: Box<dyn BufRead + Send> =
        Box::new(BufReader::with_capacity(64 << 10, progress.around(input)));
    // Told by the first bytes. An index of any length is welcome: its lines are bounded, and none is kept.
    let plain =
        warc::decoder(source, &[Coding::Gzip], u64::MAX).with_context(|| format!("cannot read `{name}`"))?;
    Ok(KeyLines { name, lines: Box::new(BufReader::with_capacity(64 << 10, plain)) })
}

/// Which file an error of a merge speaks of, and the way out.
pub(super) fn explain(error: cdx::Error, files: &[String]) -> anyhow::Error {
    let name = |input: usize| files.get(input).map_or("?", String::as_str);
    match &error {
        cdx::Error::OutOfOrder { input, line } => {
            let what =
                anyhow!("`{}` is not sorted: line {line} sorts before the line above it", name(*input));
            with_hint(what, format!("`varve cdx sort {} -o sorted` sorts it", name(*input)))
        }
        cdx::Error::HeadersDiffer { input, expected, found } => {
            let what =
                anyhow!("`{}` has the columns `{found}`, the files before it `{expected}`", name(*input));
            with_hint(what, "lines of different columns cannot stand in one index")
        }
        _ => anyhow::Error::new(error).context("cannot read the lines"),
    }
}

/// The first bytes of a file, at most so many.
pub(super) fn first_bytes(source: impl Read, count: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}
