//! Is every bit of each file as the standards and its own digests have it? The verdict is that of `varve warc check`.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;
use warc::{Fault, FaultKind, Severity, rules};

use super::{Form, json_line, plain};
use crate::reading::Reading;
use crate::records::{Nature, walk};
use crate::task::{Done, Failure, Task};

/// Faults of one file that are listed; further ones are counted.
const FAULTS_LISTED: usize = 1_000;
/// Of these, those that people are shown.
const FAULTS_SHOWN: usize = 10;

/// Checks each file by the standards. A bad one is among those that failed, and has its verdict all the same.
#[derive(Debug, Clone, Copy, Default)]
pub struct Validate {
    /// How it is written.
    pub form: Form,
}

/// The verdict on a file.
#[derive(Default, Serialize)]
struct Verdict<'a> {
    file: &'a str,
    ok: bool,
    records: u64,
    /// How many there are; more than are listed if there are very many.
    fault_count: u64,
    faults: Vec<Row>,
    #[serde(skip)]
    bad: u64,
    #[serde(skip)]
    kinds: BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct Row {
    offset: u64,
    kind: &'static str,
    severity: &'static str,
    message: String,
}

impl Task for Validate {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        let name = file.file().name.clone();
        let mut verdict = Verdict { file: &name, ..Verdict::default() };
        // Two of them fill the verdict, one after the other.
        let found = std::cell::RefCell::new(&mut verdict);
        let nature = walk(
            file,
            true,
            &mut |record| {
                let mut verdict = found.borrow_mut();
                verdict.records += 1;
                rules::faults(record.head(), record.offset()).iter().for_each(|fault| verdict.add(fault));
                Ok(())
            },
            &mut |fault| found.borrow_mut().add(fault),
        )?;
        if nature == Nature::Other {
            return Ok(Done::Other);
        }
        if verdict.records == 0 && verdict.fault_count == 0 {
            // A crawler that died at once leaves such files; nobody should take them for archives.
            let message = "the file is empty; an archive file holds at least one record";
            verdict.add(&Fault::new(0, FaultKind::UnknownFormat, message));
        }
        verdict.ok = verdict.bad == 0;
        verdict.faults.sort_by_key(|fault| fault.offset);
        match self.form {
            Form::Json => json_line(&verdict, result)?,
            Form::Text => verdict.write(result)?,
        }
        Ok(if verdict.ok { Done::Sound } else { Done::Damaged(verdict.told()) })
    }
}

impl Verdict<'_> {
    fn add(&mut self, fault: &Fault) {
        let severity = fault.kind.severity();
        self.fault_count += 1;
        self.bad += u64::from(severity != Severity::Advice);
        *self.kinds.entry(fault.kind.name()).or_default() += 1;
        if self.faults.len() < FAULTS_LISTED {
            let severity = match severity {
                Severity::Advice => "advice",
                Severity::Violation => "violation",
                Severity::Damage => "damage",
            };
            let (offset, kind, message) = (fault.offset, fault.kind.name(), fault.message.clone());
            self.faults.push(Row { offset, kind, severity, message });
        }
    }

    /// How many faults, and of which kinds.
    fn told(&self) -> String {
        let kinds: Vec<String> = self.kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let word = if self.fault_count == 1 { "fault" } else { "faults" };
        format!("{} {word} ({})", self.fault_count, kinds.join(", "))
    }

    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let word = if self.ok { "ok" } else { "bad" };
        let told = if self.fault_count > 0 { self.told() } else { String::new() };
        writeln!(out, "{word}\t{}\t{}\t{told}", self.file, self.records)?;
        for fault in self.faults.iter().take(FAULTS_SHOWN) {
            writeln!(out, "\tat byte {}: {}", fault.offset, plain(&fault.message))?;
        }
        Ok(())
    }
}
