//! What an index says of which records: the options of `varve cdx make` that decide it.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, anyhow};
use cdx::{Format, Layout};
use cdx_indexer::{Fields, Options, Records, Style};
use clap::ValueEnum;
use warc::RecordType;

use crate::hint::WithHint as _;
use crate::reading::base_name;

/// The lines that archives use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum LineFormat {
    /// Key, time and a JSON object, as pywb and cdxj-indexer write it
    #[default]
    Cdxj,
    /// Eleven columns below the header ` CDX N b a m s k r M S V g`
    Cdx11,
    /// Nine columns, without robots flags and length
    Cdx9,
}

/// What to write.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "What to write")]
pub(super) struct What {
    /// The kind of lines
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t)]
    format: LineFormat,

    /// Follow pywb's cdx-indexer where it differs from cdxj-indexer: digests without `sha1:`, `unk` for unknown media
    /// types, no status for revisits
    #[arg(long)]
    pywb: bool,

    /// Make method and body of POST and PUT requests part of the key of their responses
    #[arg(short, long)]
    post_append: bool,

    /// Index all records, requests and warcinfo too [default: responses, revisits, resources, and metadata that is not
    /// about other records]
    #[arg(short, long)]
    all_records: bool,

    /// Index the records of these types, such as response,resource
    #[arg(long, value_name = "TYPES", value_delimiter = ',', conflicts_with = "all_records")]
    records: Vec<String>,

    /// Add these fields: method, referrer, http:NAME (header of the response), req.http:NAME (of the request), or the name
    /// of a record header such as warc-record-id; not for columns
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    fields: Vec<String>,

    /// Write these fields and no others behind key and time; not for columns
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "fields")]
    replace_fields: Vec<String>,

    /// Add a SHA-256 digest of each record as it lies in its file (recordDigest); not for columns
    #[arg(short, long)]
    pub(super) digest_records: bool,

    /// Do not look at HTTP heads: no media types, no statuses
    #[arg(long, conflicts_with = "post_append")]
    minimal: bool,

    /// Refuse records that should hold an HTTP/1 message and do not
    #[arg(long)]
    verify_http: bool,

    /// Name files by their path from this folder [default: by their name alone]
    #[arg(long, value_name = "DIR")]
    dir_root: Option<PathBuf>,

    /// Call the file this, for standard input or a file that will be renamed
    #[arg(long, value_name = "NAME", conflicts_with = "dir_root")]
    name: Option<String>,
}

impl What {
    /// Refuses what contradicts itself.
    pub(super) fn check(&self, files: &[PathBuf], json: bool) -> anyhow::Result<()> {
        let has_members = json || self.format == LineFormat::Cdxj;
        let asks_members = self.digest_records || !(self.fields.is_empty() && self.replace_fields.is_empty());
        if asks_members && !has_members {
            return Err(anyhow!("columns have no room for more fields")).hint("`--format cdxj` has room");
        }
        if self.digest_records && files.iter().any(|file| file.as_os_str() == "-") {
            return Err(anyhow!("the stored bytes of standard input are gone once they have been read"))
                .hint("save it to a file first, or leave out `--digest-records`");
        }
        if self.name.is_some() && files.len() > 1 {
            return Err(anyhow!("`--name` can name one file, and there are {}", files.len()))
                .hint("`--dir-root` names each by its path");
        }
        Ok(())
    }

    /// How lines are written.
    pub(super) fn line_format(&self, json: bool) -> Format {
        match self.format {
            _ if json => Format::Json,
            LineFormat::Cdxj => Format::Cdxj,
            LineFormat::Cdx11 => Format::Cdx(Layout::cdx11()),
            LineFormat::Cdx9 => Format::Cdx(Layout::cdx9()),
        }
    }

    /// Which records, and what is said of them.
    pub(super) fn options(&self, json: bool) -> Options {
        let is_all = self.all_records || self.records.iter().any(|name| name == "all");
        let records = match self.records.as_slice() {
            _ if is_all => Records::All,
            [] => Records::Usual,
            names => Records::Of(names.iter().map(|name| RecordType::of(name.trim())).collect()),
        };
        let fields = match (self.fields.as_slice(), self.replace_fields.as_slice()) {
            ([], []) => Fields::Usual,
            (names, []) => Fields::Also(names.to_vec()),
            (_, names) => Fields::Only(names.to_vec()),
        };
        Options {
            style: if self.pywb { Style::Pywb } else { Style::CdxjIndexer },
            records,
            post_append: self.post_append,
            fields,
            // A column has no room for a label.
            bare_digests: !json && self.format != LineFormat::Cdxj,
            minimal: self.minimal,
            verify_http: self.verify_http,
        }
    }

    /// What the index calls a file.
    pub(super) fn filename(&self, file: &str) -> anyhow::Result<String> {
        match (&self.name, &self.dir_root) {
            (Some(name), _) => Ok(name.clone()),
            (None, Some(root)) if file != "-" => {
                let context = || format!("cannot tell where `{file}` lies");
                let root = std::path::absolute(root).with_context(context)?;
                let file = std::path::absolute(file).with_context(context)?;
                Ok(relative(&file, &root).to_string_lossy().into_owned())
            }
            _ => Ok(base_name(file)),
        }
    }
}

/// The way from a folder to a file, by their names alone.
fn relative(file: &Path, folder: &Path) -> PathBuf {
    let (file, folder) = (without_dots(file), without_dots(folder));
    let common = file.iter().zip(&folder).take_while(|(one, other)| one == other).count();
    let up = folder.iter().skip(common).map(|_| Component::ParentDir.as_os_str());
    up.chain(file.iter().skip(common).map(|name| name.as_os_str())).collect()
}

fn without_dots(path: &Path) -> Vec<std::ffi::OsString> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(names.pop()),
            other => names.push(other.as_os_str().to_owned()),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &str, folder: &str, expect: &str) {
        assert_eq!(relative(Path::new(file), Path::new(folder)), Path::new(expect), "{file} from {folder}");
    }

    #[test]
    fn paths_are_told_from_the_folder() {
        check("/a/b/c.warc", "/a", "b/c.warc");
        check("/a/b/c.warc", "/a/b/", "c.warc");
        check("/a/b/c.warc", "/a/./x/../b", "c.warc");
        check("/a/b/c.warc", "/a/d/e", "../../b/c.warc");
        check("/c.warc", "/", "c.warc");
    }
}
