//! Reads a file and parses every HTTP head: `iterate FILE [--verify] [--jobs N]`. What the bench measures.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods)]

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::PathBuf;

use warc::parallel::{Emit, Section, Source, read_files};
use warc::{Error, Options, Reader};

struct OnDisk(PathBuf);

impl Source for OnDisk {
    type Reader = File;

    fn length(&self) -> u64 {
        self.0.metadata().map_or(0, |found| found.len())
    }

    fn open_at(&self, offset: u64) -> io::Result<File> {
        let mut file = File::open(&self.0)?;
        file.seek(SeekFrom::Start(offset))?;
        Ok(file)
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = PathBuf::from(arguments.first().unwrap());
    let options = Options { verify: arguments.iter().any(|word| word == "--verify"), ..Options::default() };
    let jobs =
        arguments.iter().skip_while(|word| *word != "--jobs").nth(1).map_or(1, |jobs| jobs.parse().unwrap());
    let (mut records, mut fields) = (0u64, 0u64);
    if jobs == 1 {
        let mut reader = Reader::new(File::open(&path).unwrap(), options).unwrap();
        while let Some(mut record) = reader.next_record().unwrap() {
            records += 1;
            fields += record.http().unwrap().map_or(0, |http| http.fields().count() as u64);
        }
        assert!(reader.take_faults().is_empty());
    } else {
        let work =
            |_: usize, section: &mut Section<File>, emit: &mut Emit<'_, (u64, u64)>| -> Result<(), Error> {
                let mut counts = (0, 0);
                while let Some(mut record) = section.next_record()? {
                    counts.0 += 1;
                    counts.1 += record.http()?.map_or(0, |http| http.fields().count() as u64);
                }
                emit.send(counts)
            };
        read_files(&[OnDisk(path)], options, jobs, work, |_, counts| {
            let (more_records, more_fields) = counts.unwrap();
            records += more_records;
            fields += more_fields;
            true
        });
    }
    println!("{records} {fields}");
}
