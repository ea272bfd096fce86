//! `cdxj-indexer.jsonl` and `pywb-indexing.jsonl`: archive files and the index of each.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use cdx::{Capture, Extra, Format, Layout, Value as CdxValue};
use cdx_indexer::{Error, Fields, Indexer, Options, Records, Style};
use serde_json::Value;
use testkit::differences::Tally;
use warc::{Algorithm, Digest, Reader};

/// The folder of WARC, ARC and CDX vectors.
fn folder() -> Option<PathBuf> {
    testkit::vectors::dir().map(|dir| dir.join("01-warc-arc"))
}

/// The vectors of a file, each with a name.
fn questions(file: &str) -> Vec<(String, Value)> {
    let Some(folder) = folder() else { return Vec::new() };
    let vectors = testkit::vectors::jsonl(folder.join("cdx-queries").join(file));
    vectors.into_iter().enumerate().map(|(at, vector)| (format!("{file}:{}", at + 1), vector)).collect()
}

/// There is none that we differ from on purpose.
fn tally() -> Tally {
    Tally::against("")
}

/// Indexes a file; bad records are passed over, as both programs do.
fn captures(path: &Path, filename: &str, options: &Options) -> Result<Vec<Capture<'static>>, Error> {
    let reading = warc::Options { lenient: true, ..warc::Options::default() };
    let mut reader = Reader::new(File::open(path).unwrap(), reading)?;
    let mut indexer = Indexer::new(filename, options.clone())?;
    let mut captures = Vec::new();
    while let Some(record) = reader.next_record()? {
        indexer.push(record, &mut |capture| captures.push(capture))?;
    }
    indexer.finish(&mut |capture| captures.push(capture));
    Ok(captures)
}

fn text(format: &Format, captures: &[Capture<'_>]) -> String {
    let mut out = format.header().map(|header| format!("{header}\n")).unwrap_or_default().into_bytes();
    for capture in captures {
        format.write(capture, &mut out);
        out.push(b'\n');
    }
    String::from_utf8(out).unwrap()
}

/// What `cdxj-indexer --digest-records` adds: the caller has the file, so it is the caller's to do.
fn add_record_digests(path: &Path, captures: &mut [Capture<'static>]) {
    let file = fs::read(path).unwrap();
    for capture in captures {
        let start = capture.offset.unwrap() as usize;
        let record = &file[start..start + capture.length.unwrap() as usize];
        let digest = format!("sha256:{}", Digest::of(Algorithm::Sha256, record).hex());
        capture.extra.push(Extra::new("recordDigest", CdxValue::Text(digest.into())));
    }
}

fn cdxj_index(file: &str, input: &Value) -> String {
    let path = folder().unwrap().join("cdxj-indexer-data").join(file);
    let asked = &input["options"];
    let names = |option: &str| {
        asked[option].as_str().map(|names| names.split(',').map(str::to_owned).collect::<Vec<_>>())
    };
    let has_flag =
        |flag: &str| input["cli"].as_array().is_some_and(|flags| flags.iter().any(|given| given == flag));
    let is_cdx9 = asked["cdx09"] == Value::Bool(true);
    let options = Options {
        records: if asked["records"] == "all" { Records::All } else { Records::Usual },
        post_append: asked["post_append"] == Value::Bool(true) || has_flag("-p"),
        fields: match (names("fields"), names("replace_fields")) {
            (Some(names), _) => Fields::Also(names),
            (_, Some(names)) => Fields::Only(names),
            _ => Fields::Usual,
        },
        bare_digests: is_cdx9,
        ..Options::default()
    };
    // The vectors were made where the files lie in `test/data`.
    let filename = if asked["dir_root"].is_string() { format!("test/data/{file}") } else { file.to_owned() };
    let mut captures = captures(&path, &filename, &options).unwrap();
    if has_flag("-d") {
        add_record_digests(&path, &mut captures);
    }
    text(&if is_cdx9 { Format::Cdx(Layout::cdx9()) } else { Format::Cdxj }, &captures)
}

#[test]
fn archive_files_are_indexed_as_cdxj_indexer_does() {
    let mut tally = tally();
    for (name, vector) in questions("cdxj-indexer.jsonl") {
        let files = vector["input"]["files"].as_array().unwrap();
        let found: String =
            files.iter().map(|file| cdxj_index(file.as_str().unwrap(), &vector["input"])).collect();
        tally.note(&name, &found, vector["expect"].as_str().unwrap());
    }
    tally.settle();
}

#[test]
fn archive_files_are_indexed_as_pywb_does() {
    let mut tally = tally();
    for (name, vector) in questions("pywb-indexing.jsonl") {
        let input = &vector["input"];
        let file = input.as_str().unwrap_or_else(|| input["args"][0].as_str().unwrap());
        let path = folder().unwrap().join("pywb-sample_archive/warcs").join(file);
        let has = |option: &str| input["kw"][option] == Value::Bool(true);
        let options = Options {
            style: Style::Pywb,
            records: if has("include_all") { Records::All } else { Records::Usual },
            post_append: has("append_post"),
            minimal: has("minimal"),
            verify_http: has("verify_http"),
            ..Options::default()
        };
        let found = match captures(&path, file, &options) {
            Ok(captures) => text(&Format::Cdx(Layout::cdx11()), &captures).trim_end().to_owned(),
            Err(error) => format!("an error: {error}"),
        };
        // That there is an error is what counts; its words are our own.
        let expect = match &vector["expect"] {
            Value::String(text) => text.clone(),
            expect if expect["error"].is_string() && found.starts_with("an error: ") => found.clone(),
            expect => expect.to_string(),
        };
        tally.note(&name, &found, &expect);
    }
    tally.settle();
}
