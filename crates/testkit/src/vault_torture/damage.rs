//! What happens to copies while nobody looks: a bit flips, an end is lost, a file disappears.

use std::fs;
use std::path::{Path, PathBuf};

use super::fault::index;
use super::house::{House, JOB, PLACES, SUMS};
use crate::corpus::Dice;

/// Damage that was done.
#[derive(Clone, Debug)]
pub(super) struct Damage {
    /// How, for the table.
    pub(super) name: &'static str,
    /// In which place.
    pub(super) place: &'static str,
    /// Which copies are not what they were.
    pub(super) files: Vec<String>,
    /// What lay there before, where only a hand can put it back.
    pub(super) before: Option<(PathBuf, Vec<u8>)>,
}

/// What is done to a file.
#[derive(Clone, Copy, Debug)]
enum Blow {
    Flip,
    Cut,
    Delete,
}

impl Blow {
    fn choose(dice: &mut Dice) -> Blow {
        match dice.below(4) {
            0 | 1 => Blow::Flip,
            2 => Blow::Cut,
            _ => Blow::Delete,
        }
    }

    fn name(self, is_list: bool) -> &'static str {
        match (self, is_list) {
            (Blow::Flip, false) => "bit flipped in a copy",
            (Blow::Cut, false) => "copy truncated",
            (Blow::Delete, false) => "copy deleted",
            (Blow::Flip, true) => "bit flipped in a list of checksums",
            (Blow::Cut, true) => "list of checksums truncated",
            (Blow::Delete, true) => "list of checksums deleted",
        }
    }

    /// Strikes. A file of no bytes can neither be flipped nor cut; it gets one.
    fn strike(self, path: &Path, dice: &mut Dice) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("cannot damage {}: {error}", path.display());
        let mut bytes = fs::read(path).map_err(failed)?;
        // Kept files are read-only: one that is made anew is not.
        fs::remove_file(path).map_err(failed)?;
        let at = index(dice, bytes.len());
        match self {
            Blow::Delete => return Ok(()),
            _ if bytes.is_empty() => bytes.push(0),
            Blow::Flip => {
                let bit = 1 << dice.below(8);
                bytes.get_mut(at).into_iter().for_each(|byte| *byte ^= bit);
            }
            Blow::Cut => bytes.truncate(at),
        }
        fs::write(path, bytes).map_err(failed)
    }
}

/// Damages one copy of a file that every replica has.
pub(super) fn to_copy(
    house: &House,
    file: &str,
    place: &'static str,
    dice: &mut Dice,
) -> Result<Damage, String> {
    let blow = Blow::choose(dice);
    if place == "notary" {
        return to_notary(house, blow, dice);
    }
    blow.strike(&house.folder(place).join(file), dice)?;
    Ok(Damage { name: blow.name(false), place, files: vec![file.to_owned()], before: None })
}

/// Damages copies of a file in two places at once, so that nobody can tell by the copies alone which is right.
pub(super) fn to_two(house: &House, file: &str, dice: &mut Dice) -> Result<Vec<Damage>, String> {
    let spared = index(dice, 3);
    let full = PLACES.into_iter().take(3).enumerate().filter(|(number, _)| *number != spared);
    full.map(|(_, place)| {
        Blow::Flip.strike(&house.folder(place).join(file), dice)?;
        Ok(Damage {
            name: "bits flipped in two copies at once",
            place,
            files: vec![file.to_owned()],
            before: None,
        })
    })
    .collect()
}

/// Damages the list of a replica that has nothing else.
fn to_notary(house: &House, blow: Blow, dice: &mut Dice) -> Result<Damage, String> {
    let before = house.listed();
    blow.strike(&house.notary.join(JOB).join(SUMS), dice)?;
    let after = house.listed();
    // Names that an earlier flip has made up are nobody's.
    let is_known = |file: &String| house.known.contains_key(file);
    let is_other = |file: &&String| is_known(file) && after.get(*file) != before.get(*file);
    let files = before.keys().filter(is_other).cloned().collect();
    Ok(Damage { name: blow.name(true), place: "notary", files, before: None })
}

/// Damages what lies beside the copies: a list of checksums, or the note that says whose a folder is.
pub(super) fn beside(house: &House, dice: &mut Dice) -> Result<Damage, String> {
    if dice.percent(60) {
        let place = if dice.percent(50) { "store" } else { "attic" };
        let blow = Blow::choose(dice);
        blow.strike(&house.folder(place).join(JOB).join(SUMS), dice)?;
        return Ok(Damage { name: blow.name(true), place, files: Vec::new(), before: None });
    }
    let place = PLACES.get(index(dice, PLACES.len())).copied().unwrap_or("attic");
    let path = house.folder(place).join("FORMAT");
    let before = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    // A flipped bit or a lost end; that it is not there means another thing: see the disk that is not mounted.
    if dice.percent(50) { Blow::Flip } else { Blow::Cut }.strike(&path, dice)?;
    let before = Some((path, before));
    Ok(Damage { name: "note of the format damaged", place, files: Vec::new(), before })
}
