//! One round: damage, work with a fault, peace, judgement.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::damage::{self, Damage};
use super::disks::Disks;
use super::fault::{Fault, Means, index};
use super::figures::Figures;
use super::house::{House, JOB, Known, PLACES, hex, sum_of};
use super::judge::{Log, judge, rows};
use super::program::{Around, Ended, Program};
use crate::corpus::Dice;
use crate::s3::{self, Faults, S3};

/// So often is audited, repaired and brought before all must be quiet.
const TURNS: u32 = 5;
/// Longer files than this are brought to the bucket in parts.
const PART_BYTES: usize = 8 << 20;

/// What a round is played with.
pub(super) struct Round<'a> {
    pub(super) program: &'a Program,
    pub(super) server: &'a S3,
    pub(super) faults: &'a Faults,
    pub(super) disks: Option<&'a Disks>,
    pub(super) means: Means,
    pub(super) seed: u64,
}

/// What the program is asked to do while something goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Put,
    Import,
    Audit,
    Repair,
    Bring,
}

impl Round<'_> {
    /// Plays it.
    pub(super) fn play(
        &self,
        house: &mut House,
        dice: &mut Dice,
        figures: &mut Figures,
    ) -> Result<(), String> {
        let since = if house.rounds == 0 { 0 } else { Log::read(house, self.program)?.last() };
        let damages = self.damage(house, dice, figures)?;
        let (aside, before) = (house.aside(), house.sums());
        let fault = Fault::choose(dice, self.means);
        let story = format!("{fault:?}; {damages:?}");
        let told = |error: String| format!("{error}\nin a round with {story}");

        let new = self.new_files(house, dice).map_err(told)?;
        self.begin(&fault, house).map_err(told)?;
        let worked = self.work(house, (&fault, &new, &damages), dice, figures);
        self.end(&fault, house).map_err(told)?;
        worked.map_err(told)?;

        self.put_back(&damages).map_err(told)?;
        let is_undecided = damages.iter().filter(|damage| damage.name.contains("two copies")).count() == 2;
        if is_undecided {
            self.decide(house, &damages, figures).map_err(told)?;
        }
        if house.known.values().any(|known| !known.is_accepted) {
            // What never arrived whole anywhere can only come from where it came from.
            drop(self.settle(house));
            self.put_again(house, figures).map_err(told)?;
        }
        self.settle(house).map_err(told)?;
        let log = Log::read(house, self.program).map_err(told)?;
        judge(house, self.program, &log, (&damages, since)).map_err(told)?;
        for entry in fs::read_dir(&house.inbox).into_iter().flatten().flatten() {
            drop(fs::remove_file(entry.path()));
        }
        figures.repaired += log.count("repaired", since);
        let (files, bytes) = house.sums();
        figures.files += files - before.0;
        figures.bytes += bytes - before.1;
        if let Some(gone) = aside.iter().find(|path| !path.exists()) {
            return Err(told(format!("{} was kept aside and is gone", gone.display())));
        }
        Ok(())
    }

    /// Damages what lies there, or nothing.
    fn damage(&self, house: &House, dice: &mut Dice, figures: &mut Figures) -> Result<Vec<Damage>, String> {
        let accepted = house.accepted();
        let Some(file) = accepted.get(index(dice, accepted.len())) else { return Ok(Vec::new()) };
        let damages = match dice.below(10) {
            0..=5 => {
                let place = PLACES.get(index(dice, PLACES.len())).copied().unwrap_or("store");
                vec![damage::to_copy(house, file, place, dice)?]
            }
            6 => damage::to_two(house, file, dice)?,
            7 => vec![damage::beside(house, dice)?],
            _ => Vec::new(),
        };
        if let Some(damage) = damages.first() {
            figures.count(damage.name, true);
        }
        Ok(damages)
    }

    /// Files that are to be handed in.
    fn new_files(&self, house: &House, dice: &mut Dice) -> Result<Vec<PathBuf>, String> {
        (0..dice.between(1, 3))
            .map(|number| {
                let length = match dice.below(40) {
                    0 => 0,
                    1 => PART_BYTES + dice.size(1, 1 << 20),
                    2..=4 => dice.size(1 << 18, 3 << 20),
                    _ => dice.size(1, 1 << 17),
                };
                let mut bytes = Vec::with_capacity(length + 8);
                while bytes.len() < length {
                    bytes.extend_from_slice(&dice.between(0, u64::MAX - 1).to_le_bytes());
                }
                bytes.truncate(length);
                let path = house.inbox.join(format!("file-{}-{number}.bin", self.seed));
                fs::write(&path, bytes).map_err(|error| error.to_string())?;
                Ok(path)
            })
            .collect()
    }

    /// Makes it go wrong.
    fn begin(&self, fault: &Fault, house: &House) -> Result<(), String> {
        match fault {
            Fault::Full { is_attic, left } => self.disks.map_or(Ok(()), |disks| disks.fill(*is_attic, *left)),
            Fault::Requests { fault, method, count } => {
                match method {
                    Some(method) => self.faults.next_of(method, *fault, *count),
                    None => self.faults.next(*fault, *count),
                }
                Ok(())
            }
            Fault::ServerGone => {
                self.server.stop();
                Ok(())
            }
            Fault::Unmounted { is_attic } if house.rounds > 0 => {
                let folder = if *is_attic { &house.attic } else { &house.notary };
                let away = folder.with_extension("away");
                fs::rename(folder, &away)
                    .and_then(|()| fs::create_dir(folder))
                    .map_err(|error| error.to_string())
            }
            _ => Ok(()),
        }
    }

    /// Makes it right again.
    fn end(&self, fault: &Fault, house: &House) -> Result<(), String> {
        self.faults.calm();
        match fault {
            Fault::Full { .. } => self.disks.into_iter().for_each(Disks::give_room),
            Fault::ServerGone => self.server.restart(),
            Fault::Unmounted { is_attic } if house.rounds > 0 => {
                let folder = if *is_attic { &house.attic } else { &house.notary };
                let left: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
                if let Some(left) = left.first() {
                    return Err(format!("{} was written where no disk was", left.path().display()));
                }
                let back =
                    fs::remove_dir(folder).and_then(|()| fs::rename(folder.with_extension("away"), folder));
                back.map_err(|error| error.to_string())?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Lets the program do things while it goes wrong.
    fn work(
        &self,
        house: &mut House,
        (fault, new, damages): (&Fault, &[PathBuf], &[Damage]),
        dice: &mut Dice,
        figures: &mut Figures,
    ) -> Result<(), String> {
        let mut verbs = vec![Verb::Put];
        if !damages.is_empty() {
            // In one of the orders in which it may come about.
            verbs.insert(index(dice, 2), Verb::Audit);
            verbs.push(Verb::Repair);
        }
        match dice.below(12) {
            0 => verbs.push(Verb::Import),
            1 => verbs.push(Verb::Audit),
            2 => verbs.push(Verb::Bring),
            _ => {}
        }
        // Calls fail and kills come in one run, chosen among all, so that each verb is struck as it should be.
        let struck = index(dice, verbs.len());
        let happened = self.faults.happened();
        let mut came_to_pass = !matches!(fault.around(house, &[]), Around::Calls(_) | Around::Killed(_));
        let files: Vec<String> = new.iter().map(|path| name_of(path)).collect();
        let touched: Vec<String> =
            files.iter().cloned().chain(damages.iter().flat_map(|damage| damage.files.clone())).collect();
        for (number, verb) in verbs.into_iter().enumerate() {
            let is_struck = number == struck || matches!(fault, Fault::Clock(_) | Fault::Short(_));
            let around = if is_struck { fault.around(house, &touched) } else { Around::Nothing };
            let beside = self.beside(house, dice)?;
            let ended = self.ask(house, verb, new, &around, dice)?;
            if let Some((running, source)) = beside {
                self.beside_ended(house, (running.end()?, source), figures)?;
            }
            figures.kills += u64::from(ended.is_killed());
            figures.disturbed += u64::from(ended.was_disturbed && !ended.is_killed());
            came_to_pass |= ended.was_disturbed;
            if dice.percent(50) {
                self.read_one(house, (fault, damages), dice, figures)?;
            }
        }
        if let Fault::Requests { .. } = fault {
            came_to_pass = self.faults.happened() > happened;
        }
        if !matches!(fault, Fault::Calm) {
            figures.count(fault.name(), came_to_pass);
        }
        Ok(())
    }

    fn ask(
        &self,
        house: &mut House,
        verb: Verb,
        new: &[PathBuf],
        around: &Around,
        dice: &mut Dice,
    ) -> Result<Ended, String> {
        let run = |words: &[&str]| self.program.run(&house.archive, words, around);
        match verb {
            Verb::Audit => run(&["vault", "audit", "--quiet"]),
            Verb::Repair => run(&["vault", "repair", "--quiet"]),
            Verb::Bring => run(&["vault", "bring", "--now", "--quiet"]),
            Verb::Import => {
                let path = house.inbox.join(format!("crawl-{}.warc", self.seed));
                fs::write(&path, warc(self.seed, dice)).map_err(|error| error.to_string())?;
                run(&["import", &path.to_string_lossy(), "--quiet"])
            }
            Verb::Put => self.put(house, new, around, dice.percent(30)),
        }
    }

    /// Hands files in, and believes what is said of them.
    fn put(
        &self,
        house: &mut House,
        paths: &[PathBuf],
        around: &Around,
        moves: bool,
    ) -> Result<Ended, String> {
        for path in paths {
            house.known.entry(name_of(path)).or_insert(Known::of(path)?);
        }
        let texts: Vec<String> = paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let mut words = vec!["vault", "put", "--json", "--quiet"];
        words.extend(texts.iter().map(String::as_str));
        if moves {
            words.push("--move");
        }
        let ended = self.program.run(&house.archive, &words, around)?;
        // A last line may be cut, where the program was killed or had no room for it; what could not be kept is told with why.
        let whole = ended.out.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let told = rows(ended.out.get(..whole).unwrap_or_default())?;
        for row in told.into_iter().filter(|row| row["why"].is_null()) {
            let known = row.get("file").and_then(Value::as_str).and_then(|name| house.known.get_mut(name));
            let known = known.ok_or_else(|| format!("{row} is about no file of ours"))?;
            if row.get("sha256").and_then(Value::as_str) != Some(&known.sha256) {
                return Err(format!("{row} is not {}", known.sha256));
            }
            known.is_accepted |= row.get("accepted").and_then(Value::as_bool) == Some(true);
        }
        Ok(ended)
    }

    /// Now and then somebody else is at it at the same time.
    fn beside(
        &self,
        house: &House,
        dice: &mut Dice,
    ) -> Result<Option<(super::program::Running, Option<PathBuf>)>, String> {
        if !dice.percent(15) {
            return Ok(None);
        }
        let start = |words: &[&str]| self.program.start(&house.archive, words, &Around::Nothing);
        let (running, source) = match dice.below(4) {
            0 => (start(&["vault", "audit", "--quiet"])?, None),
            1 => (start(&["vault", "repair", "--quiet"])?, None),
            2 => (start(&["vault", "bring", "--now", "--quiet"])?, None),
            _ => {
                let path = house.inbox.join(format!("beside-{}-{}.bin", self.seed, dice.below(1 << 40)));
                let bytes = dice.between(0, u64::MAX - 1).to_le_bytes().repeat(dice.size(1, 5000));
                fs::write(&path, bytes).map_err(|error| error.to_string())?;
                (start(&["vault", "put", "--quiet", &path.to_string_lossy()])?, Some(path))
            }
        };
        Ok(Some((running, source)))
    }

    fn beside_ended(
        &self,
        house: &mut House,
        (ended, source): (Ended, Option<PathBuf>),
        figures: &mut Figures,
    ) -> Result<(), String> {
        let is_refused = ended.error.contains("another process is");
        figures.beside_refused += u64::from(is_refused);
        figures.beside += u64::from(!is_refused);
        if let Some(path) = source {
            let known = Known { is_accepted: ended.is_good(), ..Known::of(&path)? };
            house.known.insert(name_of(&path), known);
        }
        Ok(())
    }

    /// Reads a file out of the vault, whatever may be wrong: it is right, or is not given.
    fn read_one(
        &self,
        house: &House,
        (fault, damages): (&Fault, &[Damage]),
        dice: &mut Dice,
        figures: &mut Figures,
    ) -> Result<(), String> {
        let accepted = house.accepted();
        let damaged = damages.first().and_then(|damage| damage.files.first()).filter(|_| dice.percent(70));
        let Some(name) = damaged.or_else(|| accepted.get(index(dice, accepted.len()))) else { return Ok(()) };
        let is_lied_to = damages.len() == 2 && dice.percent(50);
        if is_lied_to {
            // With two copies damaged the third, which may be the server's, is the one that is read.
            let lie = if dice.percent(70) { s3::Fault::FlipAnswer } else { s3::Fault::CutAnswer };
            self.faults.next_of("GET", lie, dice.size(1, 4));
        }
        let around = match fault {
            Fault::Refused { .. } if dice.percent(50) => fault.around(house, std::slice::from_ref(name)),
            _ => Around::Nothing,
        };
        let to = house.inbox.join("read.bin");
        drop(fs::remove_file(&to));
        let path = to.to_string_lossy().into_owned();
        let is_file = dice.percent(50);
        let words = ["vault", "get", name, "--quiet", "-o", &path];
        let words = if is_file { &words[..] } else { &words[..4] };
        let ended = self.program.run(&house.archive, words, &around)?;
        let given = match is_file {
            true => fs::read(&to).ok(),
            false => ended.is_good().then(|| ended.out.clone()),
        };
        let known = house.known.get(name).ok_or_else(|| format!("{name} is not known"))?;
        match given {
            Some(bytes) if hex(&bytes) != known.sha256 => {
                return Err(format!(
                    "{} bytes of {name} were given that are not it: {}",
                    bytes.len(),
                    ended.told()
                ));
            }
            Some(_) if !ended.is_good() => return Err(format!("given, and failed: {}", ended.told())),
            Some(_) => figures.right += 1,
            None if ended.is_good() => return Err(format!("good, and not given: {}", ended.told())),
            None => figures.refused += 1,
        }
        let is_whole = |damage: &Damage| damage.before.is_none();
        let is_calm = matches!(around, Around::Nothing) && matches!(fault, Fault::Calm) && !is_lied_to;
        if is_calm && damages.iter().all(is_whole) && !ended.is_good() {
            return Err(format!("a sound copy is there, and it was not given: {}", ended.told()));
        }
        Ok(())
    }

    /// What only a hand can mend is mended by hand.
    fn put_back(&self, damages: &[Damage]) -> Result<(), String> {
        for (path, bytes) in damages.iter().filter_map(|damage| damage.before.as_ref()) {
            fs::write(path, bytes).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Two copies of three are damaged: nothing is to be touched until somebody has decided, and that is what is done then.
    fn decide(&self, house: &House, damages: &[Damage], figures: &mut Figures) -> Result<(), String> {
        self.run(house, &["vault", "audit", "--quiet"])?;
        let repaired = self.run(house, &["vault", "repair", "--json", "--quiet"])?;
        let remedies = rows(&repaired.out)?;
        for damage in damages {
            let Some(file) = damage.files.first() else { continue };
            let path = house.folder(damage.place).join(file);
            let found = sum_of(&path);
            if found.is_none() || found.as_ref() == house.known.get(file).map(|known| &known.sha256) {
                // Repaired, or taken aside to be, while the other could not be read, and so contradicted nobody.
                continue;
            }
            let is_about = |row: &&Value| row["file"] == file.as_str() && row["replica"] == damage.place;
            let outcome = remedies.iter().find(is_about).map(|row| row["outcome"].clone());
            if outcome != Some(Value::from("undecided")) {
                return Err(format!("two copies differ, and repair says {outcome:?}: {}", repaired.told()));
            }
            figures.undecided += 1;
        }
        for damage in damages {
            let Some(file) = damage.files.first() else { continue };
            let path = house.folder(damage.place).join(file);
            let is_right = |found: &String| house.known.get(file).is_some_and(|known| known.sha256 == *found);
            let Some(sha256) = sum_of(&path).filter(|found| !is_right(found)) else { continue };
            let words = ["vault", "forget", file, "--replica", damage.place, "--sha256", &sha256, "--reason"];
            let words: Vec<&str> = words.into_iter().chain(["damaged on purpose"]).collect();
            self.run(house, &words)?.good()?;
        }
        Ok(())
    }

    /// In peace, everything becomes as it should be.
    fn settle(&self, house: &House) -> Result<(), String> {
        let mut last = String::new();
        for _ in 0..TURNS {
            let audit = self.run(house, &["vault", "audit", "--json", "--quiet"])?;
            let is_sound = |row: &Value| {
                let wrong = ["missing", "changed", "wrong_size"].iter().map(|name| row[*name].as_u64());
                wrong.map(|count| count.unwrap_or(1)).sum::<u64>() == 0 && row["state"] == "done"
            };
            let audits = rows(&audit.out)?;
            let status = self.run(house, &["vault", "status", "--json"])?;
            let stands = rows(&status.out)?.into_iter().next().unwrap_or_default();
            if audits.len() == PLACES.len()
                && audits.iter().all(is_sound)
                && status.is_good()
                && is_whole(&stands)
            {
                return Ok(());
            }
            let repair = self.run(house, &["vault", "repair", "--json", "--quiet"])?;
            let bring = self.run(house, &["vault", "bring", "--now", "--json", "--quiet"])?;
            last = [audit, status, repair, bring].map(|ended| ended.told()).join("\n");
        }
        Err(format!("it does not become quiet:\n{last}"))
    }

    /// What was handed in and not accepted is handed in again, which must succeed.
    fn put_again(&self, house: &mut House, figures: &mut Figures) -> Result<(), String> {
        let left: BTreeSet<PathBuf> = house
            .known
            .values()
            .filter(|known| !known.is_accepted)
            .map(|known| known.source.clone())
            .collect();
        for path in &left {
            if !path.exists() {
                return Err(format!("{} was not accepted, and is gone", path.display()));
            }
            let ended = self.put(house, std::slice::from_ref(path), &Around::Nothing, false)?.good()?;
            if !house.known.get(&name_of(path)).is_some_and(|known| known.is_accepted) {
                return Err(format!("handed in again, and not accepted: {}", ended.told()));
            }
            figures.again += 1;
        }
        Ok(())
    }

    fn run(&self, house: &House, words: &[&str]) -> Result<Ended, String> {
        self.program.run(&house.archive, words, &Around::Nothing)
    }
}

/// What a file that is handed in is called in the vault.
fn name_of(path: &std::path::Path) -> String {
    format!("{JOB}/{}", path.file_name().unwrap_or_default().to_string_lossy())
}

/// A small WARC file.
fn warc(seed: u64, dice: &mut Dice) -> Vec<u8> {
    let mut file = String::new();
    for number in 0..dice.between(1, 5) {
        let body = format!("layer {number} of {seed} ").repeat(dice.size(1, 200));
        let http = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        file.push_str(&format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://www.siltmere.example/{seed}/{number}\r\n\
             WARC-Date: 2026-11-18T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{:06x}{number:06x}>\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            seed & 0xff_ffff,
            http.len(),
        ));
    }
    file.into_bytes()
}

/// Whether every file is accepted, and every replica has it just now: a copy may be on its way again.
fn is_whole(stands: &Value) -> bool {
    let (files, replicas) = (&stands["files"], stands["replicas"].as_array());
    let has_all = |replicas: &Vec<Value>| replicas.iter().all(|replica| replica["verified"] == *files);
    stands["accepted"] == *files && replicas.is_some_and(has_all)
}
