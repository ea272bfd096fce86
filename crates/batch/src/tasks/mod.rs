//! The tasks that are built in, a file each.

mod cdx;
mod checksum;
mod count;
mod grep;
mod list;
mod mime;
mod page;
mod validate;
mod wat;
mod wet;
mod written;

pub use self::cdx::Cdx;
pub use checksum::Checksum;
pub use count::Count;
pub use grep::Grep;
pub use list::List;
pub use mime::Mime;
pub use validate::Validate;
pub use wat::Wat;
pub use wet::Wet;

/// How results are written that are not in a format of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// Columns with tabs between them. Text from archives is as it is there, but for control characters.
    #[default]
    Text,
    /// A JSON object on each line.
    Json,
}

/// Text that breaks neither lines nor columns: control characters are blanks in it.
fn plain(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

/// The first characters of a name from outside, which may go on for megabytes.
fn short(text: &str) -> String {
    const CHARS_MAX: usize = 200;
    text.chars().take(CHARS_MAX).collect()
}

/// A value on a line of its own.
fn json_line(value: &impl serde::Serialize, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
