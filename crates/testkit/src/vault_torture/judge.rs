//! What must hold when a round is over, judged from outside: by the bytes on the disks and in the server's folder, and by the log.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::damage::Damage;
use super::house::{House, sum_of};
use super::program::{Around, Program};

/// Kinds of events that say of a copy that something is wrong with it.
const TELLING: [&str; 4] = ["missing", "changed", "refused", "failed"];

/// What the log says.
#[derive(Debug)]
pub(super) struct Log {
    events: Vec<Value>,
}

impl Log {
    /// Reads all of it, and lets it be verified.
    pub(super) fn read(house: &House, program: &Program) -> Result<Log, String> {
        let read = |words: &[&str]| program.run(&house.archive, words, &Around::Nothing)?.good();
        read(&["vault", "log", "verify", "--quiet"])?;
        let said = read(&["vault", "log", "ls", "--json", "-n", "0"])?;
        Ok(Log { events: rows(&said.out)? })
    }

    /// The number of its last event.
    pub(super) fn last(&self) -> u64 {
        self.events.last().and_then(|event| event["number"].as_u64()).unwrap_or(0)
    }

    /// How many events of a kind came behind one.
    pub(super) fn count(&self, kind: &str, behind: u64) -> u64 {
        self.behind(behind).filter(|event| event["kind"] == kind).count() as u64
    }

    /// Files that were accepted, with the checksum that was noted last.
    fn accepted(&self) -> BTreeMap<String, String> {
        let mut noted: BTreeMap<&str, &str> = BTreeMap::new();
        let mut accepted = BTreeSet::new();
        for event in &self.events {
            let text = |name: &str| event[name].as_str().unwrap_or_default();
            if let Some((_, sha256)) =
                text("what").rsplit_once("SHA-256 ").filter(|_| text("kind") == "noted")
            {
                noted.insert(text("file"), sha256);
            }
            if text("kind") == "accepted" {
                accepted.insert(text("file"));
            }
        }
        let with_sum =
            |file: &str| (file.to_owned(), noted.get(file).copied().unwrap_or_default().to_owned());
        accepted.into_iter().map(with_sum).collect()
    }

    fn behind(&self, number: u64) -> impl Iterator<Item = &Value> {
        self.events.iter().filter(move |event| event["number"].as_u64().is_some_and(|own| own > number))
    }
}

/// Everything that must hold:
///
/// - every file that the program or the log called accepted lies byte for byte in every place, and its checksum at the notary's;
/// - a file is gone from where it came from only if it was accepted;
/// - of each damage that was done there is an event, about that file in that place, behind the time when it was done;
/// - the catalogue opens, and says that all is well.
pub(super) fn judge(
    house: &House,
    program: &Program,
    log: &Log,
    (damages, since): (&[Damage], u64),
) -> Result<(), String> {
    let mut expected = log.accepted();
    for (name, known) in &house.known {
        if !known.is_accepted {
            if !known.source.exists() {
                return Err(format!("{name} was not accepted, and is gone from where it came from"));
            }
            continue;
        }
        let noted = expected.insert(name.clone(), known.sha256.clone());
        if noted.as_ref() != Some(&known.sha256) {
            return Err(format!("{name} was accepted, and the log says {noted:?} of it"));
        }
    }
    let listed = house.listed();
    for (name, sha256) in &expected {
        for place in ["store", "attic", "bucket"] {
            let path = house.folder(place).join(name);
            match sum_of(&path) {
                Some(found) if found == *sha256 => {}
                Some(found) => {
                    return Err(format!("{name} in {place} has SHA-256 {found} instead of {sha256}"));
                }
                None => return Err(format!("{name} is not in {place}")),
            }
        }
        if listed.get(name) != Some(sha256) {
            return Err(format!("the notary has {:?} of {name} instead of {sha256}", listed.get(name)));
        }
    }
    for damage in damages {
        for file in &damage.files {
            let tells = |event: &Value| {
                event["file"] == file.as_str()
                    && event["replica"] == damage.place
                    && TELLING.iter().any(|kind| event["kind"] == *kind)
            };
            if !log.behind(since).any(tells) {
                return Err(format!("the log says nothing of {}: {file} in {}", damage.name, damage.place));
            }
        }
    }
    program.run(&house.archive, &["vault", "status"], &Around::Nothing)?.good()?;
    Ok(())
}

/// The rows of a list, one a line.
pub(super) fn rows(said: &[u8]) -> Result<Vec<Value>, String> {
    let text = String::from_utf8_lossy(said);
    let parse = |line: &str| serde_json::from_str(line).map_err(|error| format!("{error}: {line}"));
    text.lines().filter(|line| !line.is_empty()).map(parse).collect()
}
