//! What pages say, as WARC records of type `conversion`: the files that Common Crawl calls WET.

use std::io::Write;

use extract::html::Wanted;
use warc::RecordType;

use super::page::document;
use super::written::{Derived, sound_uri};
use crate::reading::Reading;
use crate::records::each;
use crate::task::{Done, Failure, Task};

/// The title, and then all visible text.
const WANTED: Wanted =
    Wanted { links: false, scripts: false, anchors: false, about: true, text: true, main_text: false };

/// The text of pages and of plain text, of all that was answered with success.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wet;

impl Task for Wet {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        let stop = file.stop();
        let sealed = file.file().clone();
        let mut derived = Derived::new(&sealed, "wet", result)?;
        each(file, |mut record| {
            let head = record.head().clone();
            let is_wanted = matches!(head.record_type(), RecordType::Response | RecordType::Resource)
                && head.target_uri().is_some_and(|uri| sound_uri(&uri).is_some())
                && record.http()?.and_then(warc::HttpHead::status).is_none_or(|status| status / 100 == 2);
            if !is_wanted {
                return Ok(());
            }
            let offset = record.offset();
            let document = document(&mut record, WANTED, &stop)?;
            let title = document.title.as_deref().unwrap_or_default().trim();
            let mut text = String::with_capacity(title.len() + document.text.len() + 2);
            for part in [title, document.text.trim()].into_iter().filter(|part| !part.is_empty()) {
                text.push_str(part);
                text.push('\n');
            }
            if text.is_empty() {
                return Ok(());
            }
            derived.write((&RecordType::Conversion, "text/plain"), &head, offset, text.as_bytes())
        })
    }
}
