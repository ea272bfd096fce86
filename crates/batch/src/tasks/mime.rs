//! Which types of documents there are: what servers say they are, and what they are found to be.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use extract::identify::{Claims, identify};
use serde::{Deserialize, Serialize};
use store::Sealed;
use warc::Record;

use super::{Form, json_line, plain, short};
use crate::failed::Why;
use crate::reading::Reading;
use crate::records::{each, payload};
use crate::task::{Done, Failure, Merge, Task};

/// Bytes at the start by which a document is known.
const START_BYTES: u64 = 4 << 10;
/// Different pairs of types that are counted by name; what comes after counts as `(other)`.
const PAIRS_MAX: usize = 10_000;
/// Where nobody says anything.
const NONE: &str = "-";

/// Counts documents by declared and detected type, over all files.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mime {
    /// How it is written.
    pub form: Form,
}

/// How many, and how much, of a pair of types.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    detected: String,
    declared: String,
    records: u64,
    /// Of the payloads as they are stored.
    bytes: u64,
}

/// By detected and declared type.
#[derive(Debug, Default)]
struct Pairs(BTreeMap<(String, String), (u64, u64)>);

impl Task for Mime {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        let mut pairs = Pairs::default();
        let done = each(file, |mut record| look(&mut record, &mut pairs))?;
        for row in pairs.rows() {
            json_line(&row, result)?;
        }
        Ok(done)
    }

    fn merge(&self) -> Box<dyn Merge> {
        Box::new(Total { form: self.form, pairs: Pairs::default() })
    }
}

fn look(record: &mut Record<'_, &mut Reading>, pairs: &mut Pairs) -> Result<(), Failure> {
    use warc::RecordType::{Resource, Response};
    if !matches!(record.head().record_type(), Response | Resource) {
        return Ok(());
    }
    let url = record.head().target_uri().unwrap_or_default().into_owned();
    let declared = match record.http()? {
        Some(http) => http.text("content-type").map(std::borrow::Cow::into_owned),
        None => record.head().content_type().map(std::borrow::Cow::into_owned),
    };
    let bytes = record.left();
    let mut start = Vec::new();
    if let Some(mut payload) = payload(record) {
        // What cannot be unfolded is looked at as far as it goes.
        let _cut = payload.by_ref().take(START_BYTES).read_to_end(&mut start);
    }
    let claims: Vec<&str> = declared.as_deref().into_iter().collect();
    let identity = identify(&start, &Claims { content_types: &claims, url: &url, ..Claims::default() });
    let claimed = identity.claimed.as_ref().map_or(NONE, |mime| mime.essence());
    let detected = if start.is_empty() { NONE } else { identity.mime.essence() };
    pairs.add(&short(detected), &short(claimed), (1, bytes));
    Ok(())
}

impl Pairs {
    fn add(&mut self, detected: &str, declared: &str, (records, bytes): (u64, u64)) {
        let mut pair = (detected.to_owned(), declared.to_owned());
        if self.0.len() >= PAIRS_MAX && !self.0.contains_key(&pair) {
            pair = ("(other)".to_owned(), "(other)".to_owned());
        }
        let sum = self.0.entry(pair).or_default();
        *sum = (sum.0 + records, sum.1.saturating_add(bytes));
    }

    /// The most frequent first.
    fn rows(&self) -> Vec<Row> {
        let row = |((detected, declared), (records, bytes)): (&(String, String), &(u64, u64))| {
            let (detected, declared) = (detected.clone(), declared.clone());
            Row { detected, declared, records: *records, bytes: *bytes }
        };
        let mut rows: Vec<Row> = self.0.iter().map(row).collect();
        // Those of the same number stay in the order of their names.
        rows.sort_by_key(|row| std::cmp::Reverse(row.records));
        rows
    }
}

/// Adds them up, and prints the sums alone.
struct Total {
    form: Form,
    pairs: Pairs,
}

impl Merge for Total {
    fn add(
        &mut self,
        _: &Sealed,
        _: Option<&Why>,
        result: &mut dyn Read,
        _: &mut dyn Write,
    ) -> io::Result<()> {
        for row in serde_json::Deserializer::from_reader(result).into_iter::<Row>() {
            let Row { detected, declared, records, bytes } = row?;
            self.pairs.add(&detected, &declared, (records, bytes));
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for row in self.pairs.rows() {
            match self.form {
                Form::Json => json_line(&row, out)?,
                Form::Text => {
                    let Row { detected, declared, records, bytes } = &row;
                    writeln!(out, "{records}\t{bytes}\t{}\t{}", plain(detected), plain(declared))?;
                }
            }
        }
        Ok(())
    }
}
