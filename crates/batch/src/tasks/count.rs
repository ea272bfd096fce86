//! How many records of which types, captures and bytes: of each file, and of all together.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};
use store::Sealed;

use super::{Form, json_line, plain, short};
use crate::failed::Why;
use crate::reading::Reading;
use crate::records::{each, is_capture, length};
use crate::task::{Done, Failure, Merge, Task};

/// Types that are counted by name; those that somebody made up count as `other` then.
const TYPES_MAX: usize = 64;

/// Counts the records of each file, and at the end those of all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Count {
    /// How it is written.
    pub form: Form,
}

/// What was counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Counts {
    /// Records.
    records: u64,
    /// Answers, revisits, and things fetched without an answer around them.
    captures: u64,
    /// Bytes of the records' blocks, as far as they are there.
    block_bytes: u64,
    /// Bytes of the files.
    bytes: u64,
    /// Records by their type.
    types: BTreeMap<String, u64>,
}

impl Task for Count {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        let mut counts = Counts { bytes: file.file().bytes, ..Counts::default() };
        let done = each(file, |mut record| {
            let head = record.head();
            counts.records += 1;
            counts.captures += u64::from(is_capture(head));
            counts.add_type(&short(head.record_type().name()), 1);
            counts.block_bytes += length(&mut record)?;
            Ok(())
        })?;
        json_line(&counts, result)?;
        Ok(done)
    }

    fn merge(&self) -> Box<dyn Merge> {
        Box::new(Total { form: self.form, files: 0, counts: Counts::default() })
    }
}

impl Counts {
    fn add_type(&mut self, kind: &str, count: u64) {
        let is_room = self.types.len() < TYPES_MAX || self.types.contains_key(kind);
        *self.types.entry(if is_room { kind } else { "other" }.to_owned()).or_default() += count;
    }

    fn add(&mut self, other: &Counts) {
        self.records += other.records;
        self.captures += other.captures;
        self.block_bytes = self.block_bytes.saturating_add(other.block_bytes);
        self.bytes = self.bytes.saturating_add(other.bytes);
        other.types.iter().for_each(|(kind, count)| self.add_type(kind, *count));
    }

    /// The columns of a row, without the first.
    fn columns(&self) -> String {
        let types: Vec<String> =
            self.types.iter().map(|(kind, count)| format!("{}={count}", plain(kind))).collect();
        let Counts { records, captures, block_bytes, bytes, .. } = self;
        format!("{records}\t{captures}\t{block_bytes}\t{bytes}\t{}", types.join(","))
    }
}

/// Prints each, and adds them up.
struct Total {
    form: Form,
    files: u64,
    counts: Counts,
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    /// Of the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<u64>,
    #[serde(flatten)]
    counts: &'a Counts,
    /// What is wrong with the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<&'static str>,
}

impl Merge for Total {
    fn add(
        &mut self,
        file: &Sealed,
        failed: Option<&Why>,
        result: &mut dyn Read,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let counts: Counts = serde_json::from_reader(result)?;
        self.files += 1;
        self.counts.add(&counts);
        let failed = failed.map(Why::name);
        match self.form {
            Form::Text => {
                let mark = failed.map(|failed| format!("\t{failed}")).unwrap_or_default();
                writeln!(out, "{}\t{}{mark}", plain(&file.name), counts.columns())
            }
            Form::Json => {
                json_line(&Row { file: Some(&file.name), files: None, counts: &counts, failed }, out)
            }
        }
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        match self.form {
            Form::Text => writeln!(out, "total of {}\t{}", self.files, self.counts.columns()),
            Form::Json => {
                let row = Row { file: None, files: Some(self.files), counts: &self.counts, failed: None };
                json_line(&row, out)
            }
        }
    }
}
