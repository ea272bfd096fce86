//! How rows look in an answer, and what stands around them.

use cdx::query::Columns;
use cdx::{Capture, Field};

use super::link::Links;
use super::mark::Mark;

/// The form of an answer.
#[derive(Debug)]
pub(crate) enum Output {
    /// `key time {…}`: pywb's, and the default.
    Cdxj(Option<Columns>),
    /// An object to a line: pywb's JSON.
    Objects(Option<Columns>),
    /// Columns with blanks between them.
    Lines(Columns),
    /// An array of arrays of texts, names first: JSON of the Wayback Machine.
    Table(Columns),
    /// An array of arrays in which numbers are numbers: JSON of OutbackCDX.
    Values(Columns),
    /// An array of objects in which numbers are numbers: `jsondict` of OutbackCDX.
    Dictionaries(Columns),
    /// Links to captures (RFC 7089).
    Link(Links),
}

/// The 11 columns of a CDX line.
pub(crate) const CDX11: &str =
    "urlkey,timestamp,url,mime,status,digest,redirect,robotflags,length,offset,filename";
/// And 3 more, where revisits are resolved.
pub(crate) const CDX14: &str = "urlkey,timestamp,url,mime,status,digest,redirect,robotflags,length,offset,filename,orig.length,orig.offset,orig.filename";

impl Output {
    pub(crate) fn content_type(&self) -> &'static str {
        match self {
            Output::Cdxj(_) => "text/x-cdxj",
            Output::Objects(_) => "text/x-ndjson",
            Output::Lines(_) => "text/plain; charset=utf-8",
            Output::Table(_) | Output::Values(_) | Output::Dictionaries(_) => "application/json",
            Output::Link(_) => "application/link-format",
        }
    }

    /// Appends a row and nothing around it.
    pub(crate) fn row(&self, row: &Capture<'_>, out: &mut Vec<u8>) {
        match self {
            Output::Cdxj(None) => row.write_cdxj(out),
            Output::Cdxj(Some(columns)) => {
                Columns::write_line(&Columns::parse("urlkey,timestamp"), row, out);
                out.push(b' ');
                columns.write_object(row, out);
            }
            Output::Objects(None) => row.write_json(out),
            Output::Objects(Some(columns)) => columns.write_object(row, out),
            Output::Lines(columns) => columns.write_line(row, out),
            Output::Table(columns) => columns.write_texts(row, out),
            Output::Values(columns) => columns.write_values(row, out),
            Output::Dictionaries(columns) => columns.write_dictionary(row, out),
            Output::Link(links) => links.row(row, out),
        }
    }

    /// A row and nothing around it.
    pub(crate) fn line(&self, row: &Capture<'_>) -> Vec<u8> {
        let mut line = Vec::new();
        self.row(row, &mut line);
        line
    }

    /// Appends what stands before a row.
    pub(crate) fn before(&self, is_first: bool, out: &mut Vec<u8>) {
        match self {
            Output::Cdxj(_) | Output::Objects(_) | Output::Lines(_) => {}
            Output::Table(columns) if is_first => {
                out.push(b'[');
                columns.write_names(out);
                out.extend_from_slice(b",\n");
            }
            Output::Values(_) | Output::Dictionaries(_) if is_first => out.push(b'['),
            Output::Link(links) if is_first => links.head(out),
            Output::Table(_) | Output::Values(_) | Output::Dictionaries(_) | Output::Link(_) => {
                out.extend_from_slice(b",\n");
            }
        }
    }

    /// Appends what stands behind a row.
    pub(crate) fn behind(&self, out: &mut Vec<u8>) {
        if let Output::Cdxj(_) | Output::Objects(_) | Output::Lines(_) = self {
            out.push(b'\n');
        }
    }

    /// Appends what stands behind all rows; where there are more, how to go on.
    pub(crate) fn tail(&self, is_empty: bool, mark: Option<&Mark>, out: &mut Vec<u8>) {
        match self {
            Output::Cdxj(_) | Output::Objects(_) | Output::Lines(_) => {
                if let Some(mark) = mark {
                    out.extend_from_slice(format!("\n{}\n", mark.encoded()).as_bytes());
                }
            }
            Output::Table(_) | Output::Values(_) | Output::Dictionaries(_) => {
                out.extend_from_slice(if is_empty { b"[" } else { b"" });
                if let Some(mark) = mark {
                    out.extend_from_slice(format!(",\n[],\n[\"{}\"]", mark.encoded()).as_bytes());
                }
                out.extend_from_slice(b"]\n");
            }
            Output::Link(_) if is_empty => {}
            Output::Link(_) => out.push(b'\n'),
        }
    }
}

/// The columns of a list, without key and time, which a CDXJ line has before its object.
pub(crate) fn members(columns: Columns) -> Columns {
    columns.without(&[Field::Key, Field::Timestamp])
}
