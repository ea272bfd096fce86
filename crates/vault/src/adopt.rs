//! Files that lie in replicas and that the catalogue does not know: each is read wherever it lies, and taken up if it is clear what it
//! should be. So a catalogue that is lost is made again.

use std::collections::{BTreeMap, BTreeSet};

use catalogue::Happened;
use store::{Pace, Sealed};

use crate::error::{Error, told};
use crate::vault::Vault;

/// What came of a file that nobody knew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adopted {
    /// Which.
    pub file: String,
    /// Its checksum and length if it was taken up; why not, if it was not.
    pub outcome: Result<(String, u64), String>,
    /// Replicas that have something else under its name than was taken up.
    pub differ: Vec<String>,
}

/// What is said of a file by what lies in the replicas.
#[derive(Debug, Default)]
struct Testimony {
    /// What lists of checksums say.
    recorded: BTreeSet<String>,
    /// Which checksum each replica's copy has, and how long it is.
    found: Vec<(String, String, Option<u64>)>,
    /// Replicas that could not be asked.
    silent: Vec<String>,
}

impl Vault {
    /// Takes up files that lie in the replicas and that the catalogue does not know, those that `is_wanted`; each is told when it is done.
    /// They are wanted in every replica then: [`Vault::bring`] makes that so.
    ///
    /// # Errors
    /// When a replica cannot be listed, after all others were looked through, or the catalogue cannot be written.
    pub fn adopt(
        &self,
        is_wanted: &dyn Fn(&str) -> bool,
        reason: &str,
        each: &mut dyn FnMut(&Adopted),
        pace: Pace<'_>,
    ) -> Result<(), Error> {
        let _hold = self.hold()?;
        let mut unlisted = None;
        for place in &self.places {
            let mut names = Vec::new();
            // Listed first: a place need not be able to list and read at the same time.
            let mut failed = None;
            let listed = place.replica.each_name(&mut |name| {
                match self.catalogue.file(name) {
                    Ok(None) if is_wanted(name) => names.push(name.to_owned()),
                    Ok(_) => {}
                    Err(error) => {
                        failed = Some(Error::from(error));
                        return Err(store::Error::Stopped);
                    }
                }
                Ok(())
            });
            failed.map_or(Ok(()), Err)?;
            if let Err(error) = listed {
                // What it has is taken up when it can be listed; the others are the more needed.
                unlisted.get_or_insert(Error::at(&place.name)(error));
                continue;
            }
            for name in names {
                // Another place may have had it, too.
                if self.catalogue.file(&name)?.is_some() {
                    continue;
                }
                let adopted = self.adopt_one(&name, reason, &mut *pace)?;
                each(&adopted);
            }
        }
        unlisted.map_or(Ok(()), Err)
    }

    fn adopt_one(&self, name: &str, reason: &str, pace: Pace<'_>) -> Result<Adopted, Error> {
        let testimony = self.testimony(name, pace)?;
        let verdict = testimony.verdict();
        let differ = |sha256: &str| {
            let differ = testimony.found.iter().filter(|(_, found, _)| found != sha256);
            differ.map(|(replica, ..)| replica.clone()).collect()
        };
        let (sha256, bytes) = match verdict {
            Ok(verdict) => verdict,
            Err(why) => {
                return Ok(Adopted { file: name.to_owned(), outcome: Err(why), differ: Vec::new() });
            }
        };
        let differ: Vec<String> = differ(&sha256);
        let now = (self.clock)();
        let sealed = Sealed { name: name.to_owned(), bytes, sha256: sha256.clone() };
        let happened = Happened {
            what: format!("{reason}; {bytes} bytes, SHA-256 {sha256}"),
            ..self.happened("adopted", name, "", String::new())
        };
        self.catalogue.change(|change| {
            change.add_file(&sealed.name, sealed.bytes, &sealed.sha256, now)?;
            change.log(now, happened).map(drop)
        })?;
        Ok(Adopted { file: name.to_owned(), outcome: Ok((sha256, bytes)), differ })
    }

    /// Reads every copy of a file.
    fn testimony(&self, name: &str, pace: Pace<'_>) -> Result<Testimony, Error> {
        let mut testimony = Testimony::default();
        for place in &self.places {
            match place.replica.recorded(name) {
                Ok(recorded) => testimony.recorded.extend(recorded),
                Err(error) => testimony.silent.push(format!("{}: {}", place.name, told(&error))),
            }
            match place.replica.read(name, &mut *pace) {
                Ok(Some(found)) => testimony.found.push((place.name.clone(), found.sha256, found.bytes)),
                Ok(None) => {}
                Err(store::Error::Stopped) => return Err(Error::at(&place.name)(store::Error::Stopped)),
                Err(error) => testimony.silent.push(format!("{}: {}", place.name, told(&error))),
            }
        }
        Ok(testimony)
    }
}

impl Testimony {
    /// What the file should be: what the lists say, if they all say the same; else what most copies are. If neither is clear, why.
    fn verdict(&self) -> Result<(String, u64), String> {
        let sha256 = match (self.recorded.len(), self.recorded.first()) {
            (1, Some(recorded)) => recorded.clone(),
            (0, _) => self.majority()?,
            _ => {
                let lists: Vec<&str> = self.recorded.iter().map(String::as_str).collect();
                return Err(format!("lists of checksums contradict each other: {}", lists.join(", ")));
            }
        };
        let as_it_should_be = self.found.iter().filter(|(_, found, _)| *found == sha256);
        // That of a damaged copy is put right when a sound one is found.
        let lengths = as_it_should_be.chain(&self.found).find_map(|(.., bytes)| *bytes);
        match lengths {
            Some(bytes) => Ok((sha256, bytes)),
            None => {
                let silent = if self.silent.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", self.silent.join("; "))
                };
                Err(format!("no replica has a copy of it, only its checksum{silent}"))
            }
        }
    }

    fn majority(&self) -> Result<String, String> {
        let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
        self.found.iter().for_each(|(_, sha256, _)| *votes.entry(sha256).or_default() += 1);
        let most = votes.values().copied().max().unwrap_or(0);
        let mut winners = votes.into_iter().filter(|(_, count)| *count == most).map(|(sha256, _)| sha256);
        match (winners.next(), winners.next()) {
            (Some(sha256), None) => Ok(sha256.to_owned()),
            (None, _) => Err(format!("it could not be read: {}", self.silent.join("; "))),
            (Some(_), Some(_)) => {
                let copies: Vec<String> =
                    self.found.iter().map(|(replica, sha256, _)| format!("{sha256} in {replica}")).collect();
                Err(format!("its copies differ and none has a majority: {}", copies.join(", ")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn testimony(recorded: &[&str], found: &[(&str, &str, Option<u64>)]) -> Testimony {
        let found = found.iter().map(|(place, sum, bytes)| ((*place).to_owned(), (*sum).to_owned(), *bytes));
        Testimony {
            recorded: recorded.iter().map(|sum| (*sum).to_owned()).collect(),
            found: found.collect(),
            silent: Vec::new(),
        }
    }

    #[test]
    fn what_was_written_down_counts_for_more_than_what_lies_there() {
        let said =
            testimony(&["a"], &[("one", "b", Some(1)), ("two", "b", Some(1)), ("three", "a", Some(2))]);
        assert_eq!(said.verdict(), Ok(("a".to_owned(), 2)));
    }

    #[test]
    fn where_nothing_was_written_down_most_copies_decide() {
        let said = testimony(&[], &[("one", "b", Some(1)), ("two", "a", Some(2)), ("three", "b", Some(1))]);
        assert_eq!(said.verdict(), Ok(("b".to_owned(), 1)));
        let said = testimony(&[], &[("one", "b", Some(1)), ("two", "a", Some(2))]);
        assert!(said.verdict().unwrap_err().contains("none has a majority"));
    }

    #[test]
    fn contradicting_lists_and_checksums_alone_decide_nothing() {
        let said = testimony(&["a", "b"], &[("one", "b", Some(1))]);
        assert!(said.verdict().unwrap_err().contains("contradict"));
        let said = testimony(&["a"], &[("notary", "a", None)]);
        assert!(said.verdict().unwrap_err().contains("only its checksum"));
    }
}
