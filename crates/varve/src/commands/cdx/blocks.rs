//! The packed parts of a ZipNum index on disk.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use cdx::Limits;
use cdx::zipnum::{Entry, Locations, read_block};

/// Whether the first line of a file is one of a ZipNum index and not of captures.
pub(super) fn is_zipnum(line: &[u8]) -> bool {
    let is_wacz = line.starts_with(b"!meta") && line.windows(9).any(|word| word == b"cdxj-gzip");
    is_wacz || line.split(|byte| *byte == b'\t').count() >= 4
}

/// The packed parts of a ZipNum index.
pub(super) struct Blocks {
    folder: PathBuf,
    locations: Locations,
}

impl Blocks {
    /// Those of the index in this file; the location file beside it says where they are, if there is one.
    pub(super) fn beside(index: &Path, limits: &Limits) -> anyhow::Result<Blocks> {
        let path = index.with_extension("loc");
        let locations = match File::open(&path) {
            Ok(file) => Locations::read(BufReader::new(file), limits)
                .with_context(|| format!("cannot read `{}`", path.display()))?,
            Err(_) => Locations::default(),
        };
        Ok(Blocks { folder: index.parent().unwrap_or(Path::new("")).to_owned(), locations })
    }

    /// Reads the packed bytes of a block from the first of the places that is there.
    pub(super) fn read(&self, entry: &Entry, packed: &mut Vec<u8>) -> io::Result<()> {
        let named = self.locations.of(&entry.part).iter().map(|path| self.folder.join(path));
        let usual = [entry.part.clone(), format!("{}.cdx.gz", entry.part), format!("{}.gz", entry.part)];
        let mut opened = named.chain(usual.iter().map(|name| self.folder.join(name))).map(File::open);
        let first_failure = match opened.next() {
            Some(Ok(mut part)) => return read_block(&mut part, entry, packed),
            Some(Err(error)) => error,
            None => io::ErrorKind::NotFound.into(),
        };
        match opened.find_map(Result::ok) {
            Some(mut part) => read_block(&mut part, entry, packed),
            None => Err(first_failure),
        }
    }
}
