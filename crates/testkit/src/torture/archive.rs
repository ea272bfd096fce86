//! An archive as a judge sees it: by its folders, and by what the program says of it.

// The files are ours and small, and a judge reads them whole.
#![allow(clippy::disallowed_methods)]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::corpus::Dice;
use crate::portal::{Portal, What};

/// So many documents are read back in each judgement.
const READ_BACK: usize = 5;

/// An archive folder, and the site that is in it.
#[derive(Clone, Debug)]
pub struct Archive {
    /// Where it is.
    pub folder: PathBuf,
    /// A URL of the only host in it.
    pub url: String,
}

/// What is known of a capture wherever and whenever it was made. Which of several equal documents is stored and which refers
/// to it depends on which came first, so that is not part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Known {
    /// What was asked for.
    pub url: String,
    /// How it was answered.
    pub status: u64,
    /// What came.
    pub digest: String,
}

/// What an archive holds that passed.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Every capture.
    pub captures: BTreeSet<Known>,
    /// Captures beyond the first of a URL, `robots.txt` aside: every process asks for that anew.
    pub repeats: u64,
    /// Records in all files.
    pub records: u64,
}

impl Archive {
    /// Makes it, empty.
    pub fn make(&self, program: &Path) -> Result<(), String> {
        self.said(program, [OsStr::new("init"), self.folder.as_os_str()].into_iter()).map(drop)
    }

    /// Whether there is a job that can be resumed.
    pub fn has_job(&self) -> bool {
        self.jobs().iter().any(|job| job.join("state").is_file())
    }

    /// Whether a job is being committed.
    pub fn is_committing(&self) -> bool {
        let says = |job: &PathBuf| fs::read_to_string(job.join("state")).unwrap_or_default();
        self.jobs().iter().any(|job| says(job).contains("\"committing\""))
    }

    /// Whether something was committed.
    pub fn has_commit(&self) -> bool {
        self.folder.join("index").join("MANIFEST").is_file()
    }

    fn jobs(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.join("work")).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| !path.ends_with("domains") && path.is_dir()).collect()
    }

    /// Everything that must hold of an archive when its job is done:
    ///
    /// - nothing of the job is left in `work/`;
    /// - `varve warc check` passes on all files of the store;
    /// - every line of the index leads to a record of the same URL, type and length;
    /// - every response and revisit of the store is in the index;
    /// - documents can be read back as the site has them (where it is given, with dice to choose some).
    pub fn judge(&self, program: &Path, site: Option<(&Portal, &mut Dice)>) -> Result<Judged, String> {
        // A folder without its state is what a kill leaves of one that was being made or removed: no job is in it.
        let is_job = |job: &PathBuf| job.join("state").exists() || job.join("warc").exists();
        let left: Vec<PathBuf> = self.jobs().into_iter().filter(is_job).collect();
        if !left.is_empty() {
            return Err(format!("a job is left in work/: {left:?}"));
        }
        let files = self.files()?;
        self.said(
            program,
            ["warc", "check"].into_iter().map(OsStr::new).chain(files.iter().map(|file| file.as_os_str())),
        )?;
        let records = self.records(program, &files)?;
        let lines = self.lines(program)?;
        let judged = agree(&lines, &records)?;
        if let Some((portal, dice)) = site {
            self.read_back(program, portal, dice)?;
        }
        Ok(judged)
    }

    /// The WARC files of the store.
    fn files(&self) -> Result<Vec<PathBuf>, String> {
        let store = self.folder.join("store");
        let list = |folder: &Path| -> Result<Vec<PathBuf>, String> {
            let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            Ok(entries.flatten().map(|entry| entry.path()).collect())
        };
        let mut files = Vec::new();
        for job in list(&store)?.into_iter().filter(|path| path.is_dir()) {
            files.extend(list(&job)?.into_iter().filter(|file| file.to_string_lossy().contains(".warc")));
        }
        files.sort();
        if files.is_empty() { Err("the store has no files".to_owned()) } else { Ok(files) }
    }

    /// The records of these files by their place: the file's name within the store, and the offset.
    fn records(&self, program: &Path, files: &[PathBuf]) -> Result<HashMap<(String, u64), Value>, String> {
        let mut records = HashMap::new();
        for file in files {
            let words = ["warc", "ls", "--json"].into_iter().map(OsStr::new).chain([file.as_os_str()]);
            let name = file.strip_prefix(self.folder.join("store")).unwrap_or(file);
            for row in rows(&self.said(program, words)?)? {
                let offset = row.get("offset").and_then(Value::as_u64).unwrap_or(u64::MAX);
                records.insert((name.to_string_lossy().into_owned(), offset), row);
            }
        }
        Ok(records)
    }

    /// The lines of the index.
    fn lines(&self, program: &Path) -> Result<Vec<Value>, String> {
        let words = ["cdx", self.url.as_str(), "--match", "host", "--json", "--archive"];
        rows(&self.said(program, words.into_iter().map(OsStr::new).chain([self.folder.as_os_str()]))?)
    }

    /// Some documents are as the site has them.
    fn read_back(&self, program: &Path, portal: &Portal, dice: &mut Dice) -> Result<(), String> {
        let all: Vec<What> = portal.everything().filter(|what| portal.body(*what).is_some()).collect();
        for _ in 0..READ_BACK {
            let place = usize::try_from(dice.below(all.len() as u64)).unwrap_or(0);
            let Some(what) = all.get(place).copied() else { continue };
            let url = format!("{}{}", self.url.trim_end_matches('/'), portal.path(what));
            let words = ["get", url.as_str(), "--archive"];
            let said =
                self.said(program, words.into_iter().map(OsStr::new).chain([self.folder.as_os_str()]))?;
            if Some(&said) != portal.body(what).as_ref() {
                return Err(format!("`varve get {url}` gives {} bytes that are not the site's", said.len()));
            }
        }
        Ok(())
    }

    /// What the program prints; an error where it fails.
    fn said<'a>(&self, program: &Path, words: impl Iterator<Item = &'a OsStr>) -> Result<Vec<u8>, String> {
        let mut command = Command::new(program);
        let output = command.args(words).output().map_err(|error| format!("{command:?}: {error}"))?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(format!(
                "{command:?}: {}\n{}{}",
                output.status,
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            )),
        }
    }
}

/// Whether index and store say the same.
fn agree(lines: &[Value], records: &HashMap<(String, u64), Value>) -> Result<Judged, String> {
    let mut named = BTreeSet::new();
    let mut captures = BTreeSet::new();
    let mut times: BTreeMap<&str, u64> = BTreeMap::new();
    for line in lines {
        let text = |name: &str| line[name].as_str().ok_or_else(|| format!("{line} has no {name}"));
        let place = (text("file")?.to_owned(), line["offset"].as_u64().unwrap_or(u64::MAX));
        let record = records.get(&place).ok_or_else(|| format!("the index leads to no record: {line}"))?;
        let is_capture = matches!(record["type"].as_str(), Some("response" | "revisit"));
        if !is_capture || record["uri"] != line["url"] || record["length"] != line["length"] {
            return Err(format!("the index leads to another record: {line}, {record}"));
        }
        if !named.insert(place) {
            return Err(format!("the index has a record twice: {line}"));
        }
        let url = text("url")?;
        let status = line["status"].as_u64().or_else(|| line["status"].as_str()?.parse().ok()).unwrap_or(0);
        captures.insert(Known { url: url.to_owned(), status, digest: text("digest")?.to_owned() });
        *times.entry(url).or_default() += 1;
    }
    for (place, record) in records {
        let is_capture = matches!(record["type"].as_str(), Some("response" | "revisit"));
        let is_http = record["uri"].as_str().is_some_and(|uri| uri.starts_with("http"));
        if is_capture && is_http && !named.contains(place) {
            return Err(format!("a record of the store is not in the index: {record}"));
        }
    }
    let repeats = times.iter().filter(|(url, _)| !url.ends_with("/robots.txt")).map(|(_, times)| times - 1);
    Ok(Judged { repeats: repeats.sum(), captures, records: records.len() as u64 })
}

/// The rows of a list, one a line.
fn rows(said: &[u8]) -> Result<Vec<Value>, String> {
    let text = String::from_utf8_lossy(said);
    let parse = |line: &str| serde_json::from_str(line).map_err(|error| format!("{error}: {line}"));
    text.lines().filter(|line| !line.is_empty()).map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record(offset: u64, kind: &str, uri: &str) -> ((String, u64), Value) {
        let row = json!({"type": kind, "uri": uri, "length": 10, "offset": offset});
        (("job/a.warc.gz".to_owned(), offset), row)
    }

    fn line(offset: u64, url: &str) -> Value {
        json!({"url": url, "status": 200, "digest": "sha256:A", "file": "job/a.warc.gz", "offset": offset, "length": 10})
    }

    #[track_caller]
    fn check(lines: &[Value], expected: &str) {
        let records = HashMap::from([
            record(0, "warcinfo", ""),
            record(5, "response", "http://a.test/"),
            record(9, "revisit", "http://a.test/b"),
            record(12, "response", "dns:a.test"),
        ]);
        match agree(lines, &records) {
            Ok(judged) => assert_eq!(format!("{} {}", judged.captures.len(), judged.repeats), expected),
            Err(fault) => assert!(fault.starts_with(expected), "{fault}"),
        }
    }

    #[test]
    fn index_and_store_must_agree() {
        let both = [line(5, "http://a.test/"), line(9, "http://a.test/b")];
        check(&both, "2 0");
        check(&both[..1], "a record of the store is not in the index");
        check(&[line(6, "http://a.test/")], "the index leads to no record");
        check(&[line(9, "http://a.test/")], "the index leads to another record");
        check(&[both[0].clone(), both[0].clone()], "the index has a record twice");
    }

    #[test]
    fn a_second_capture_is_a_repeat_but_not_of_robots() {
        let records = HashMap::from([
            record(1, "response", "http://a.test/"),
            record(2, "response", "http://a.test/"),
            record(3, "response", "http://a.test/robots.txt"),
            record(4, "response", "http://a.test/robots.txt"),
        ]);
        let lines: Vec<Value> =
            records.iter().map(|((_, at), record)| line(*at, record["uri"].as_str().unwrap())).collect();
        let judged = agree(&lines, &records).unwrap();
        assert_eq!((judged.captures.len(), judged.repeats, judged.records), (2, 1, 4));
    }
}
