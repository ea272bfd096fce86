//! The lists of pages: a head, and pages with a URL and a time.

use std::io::{Read, Seek};

use super::{Kind, Place, Report};
use crate::error::Error;
use crate::package::Wacz;
use crate::zip::Entry;

/// Bad lines of one list that are told one by one.
const LINES_TOLD: u64 = 20;

pub(super) fn check<R: Read + Seek>(wacz: &mut Wacz<R>, report: &mut Report) -> Result<(), Error> {
    let lists: Vec<Entry> = wacz.page_lists().cloned().collect();
    for entry in &lists {
        let Ok(mut pages) = wacz.pages(entry) else {
            // That it cannot be read was told with the files.
            continue;
        };
        let mut told = 0;
        while let Some(page) = pages.next() {
            let error = match page {
                Ok(_) => {
                    report.pages += 1;
                    continue;
                }
                Err(error @ Error::Content { .. }) => {
                    report.unreadable(entry.name(), error)?;
                    continue;
                }
                Err(error) if !error.is_of_package() => return Err(error),
                Err(error) => error,
            };
            let what = match error {
                Error::Json { what, .. } => what,
                error => error.to_string(),
            };
            told += 1;
            if told <= LINES_TOLD {
                report.add(Place::Line(entry.name().to_owned(), pages.line_number()), Kind::Page, what);
            } else {
                report.bad += 1;
                report.unlisted += 1;
            }
        }
    }
    Ok(())
}
