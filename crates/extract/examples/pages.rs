//! Reads HTML files and counts what they hold: `pages DIR_OR_FILE [--links|--all] [--no-scripts] [--rounds N]`. What the
//! bench measures.
//!
//! Without a flag: links, title and text. `--links` has the links alone, `--all` everything that there is, the main text
//! too. Inline scripts are searched for links unless `--no-scripts` says otherwise.
//! The last word that it prints is the seconds that reading took, loading of the files not counted.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods)]

use std::fs;
use std::path::Path;
use std::time::Instant;

use extract::Limits;
use extract::html::{Reader, Wanted};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = Path::new(arguments.first().unwrap());
    let has = |flag: &str| arguments.iter().any(|word| word == flag);
    let rounds: usize = arguments
        .iter()
        .skip_while(|word| *word != "--rounds")
        .nth(1)
        .map_or(1, |rounds| rounds.parse().unwrap());
    let links = Wanted { scripts: !has("--no-scripts"), ..Wanted::LINKS };
    let wanted = match (has("--links"), has("--all")) {
        (true, _) => links,
        (_, true) => Wanted::ALL,
        _ => Wanted { about: true, text: true, ..links },
    };
    let pages = load(path);
    let limits = Limits::default();
    let (mut bytes, mut found, mut text, mut titles) = (0, 0, 0, 0);
    let start = Instant::now();
    for page in std::iter::repeat_n(&pages, rounds).flatten() {
        let mut reader = Reader::new(wanted, &limits);
        reader.write(page);
        let read = reader.finish();
        bytes += page.len();
        found += read.links.as_slice().len();
        text += read.text.len() + read.main_text.len();
        titles += usize::from(read.title.is_some());
    }
    let seconds = start.elapsed().as_secs_f64();
    let megabytes = bytes as f64 / 1e6;
    println!("{megabytes:.1} MB, {found} links, {titles} titles, {text} bytes of text, {seconds:.3}");
}

/// The files of a folder, or a file; what is not UTF-8 is made so.
fn load(path: &Path) -> Vec<String> {
    if path.is_dir() {
        let mut paths: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        return paths.iter().flat_map(|path| load(path)).collect();
    }
    vec![String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()]
}
