//! `crawl.log`: a line for each URL that was dealt with, as Heritrix writes it, and back again.
//!
//! The reports of a job are counted from these lines, so what is not in them did not happen.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::time::Duration;

use jiff::Timestamp;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// When it was written.
    pub at: Timestamp,
    /// The HTTP status, or a negative number where there was none.
    pub status: i32,
    /// Bytes of the body as sent.
    pub bytes: u64,
    /// What was asked for.
    pub url: Cow<'a, str>,
    /// How it was come by, a letter a hop.
    pub hops: Cow<'a, str>,
    /// The page that led there.
    pub via: Option<Cow<'a, str>>,
    /// The media type that was found.
    pub mime: Cow<'a, str>,
    /// When it was asked for, to the millisecond, and how long that took.
    pub fetch: Option<(Timestamp, Duration)>,
    /// Digest of the payload.
    pub digest: Option<Cow<'a, str>>,
    /// What else there is to say, in words without blanks and commas.
    pub notes: Vec<Cow<'a, str>>,
    /// File and offset of the record.
    pub place: Option<(Cow<'a, str>, u64)>,
}

/// Statuses of Heritrix for what has no HTTP status.
pub mod status {
    /// Further tries were given up.
    pub const RETRIES: i32 = -8;
    /// It was not asked because a budget was used up.
    pub const QUOTA: i32 = -5003;
    /// A user's filter or trap list has refused it.
    pub const BLOCKED: i32 = -5001;
    /// Nobody knows whether robots.txt forbids it.
    pub const NO_ROBOTS: i32 = -61;
    /// robots.txt forbids it.
    pub const ROBOTS: i32 = -9998;
}

/// Notes that the reports count by.
pub mod note {
    /// The payload was known.
    pub const DUPLICATE: &str = "duplicate:digest";
    /// The server said that it has not changed.
    pub const NOT_MODIFIED: &str = "duplicate:server-not-modified";
    /// It was there before, and is not any more.
    pub const GONE: &str = "gone";
    /// A filter has dropped it; its name follows.
    pub const FILTERED: &str = "filtered:";
    /// It was asked for only because the archive has it.
    pub const RECHECK: &str = "recheck";
}

/// Hops that are written out; of more only the last ones are.
const HOPS_MAX: usize = 50;

impl Line<'_> {
    /// Writes the line, its end included.
    pub fn write(&self, to: &mut String) {
        fn dash(text: Option<&str>) -> &str {
            text.filter(|text| !text.is_empty()).unwrap_or("-")
        }
        // Writing to a string does not fail.
        let _ = write!(to, "{} {:>5} {:>10} {} ", millis(self.at), self.status, self.bytes, self.url);
        let count = self.hops.chars().count();
        if count > HOPS_MAX {
            let last: String = self.hops.chars().skip(count - HOPS_MAX).collect();
            let _ = write!(to, "{}+{last}", count - HOPS_MAX);
        } else {
            to.push_str(dash(Some(&self.hops)));
        }
        let mime = if self.mime.is_empty() { "unknown" } else { &self.mime };
        let _ = write!(to, " {} {mime} #000 ", dash(self.via.as_deref()));
        match self.fetch {
            Some((start, took)) => {
                let _ = write!(to, "{}+{}", urlkey::time::to_17(start), took.as_millis());
            }
            None => to.push('-'),
        }
        let notes = self.notes.join(",");
        let _ = write!(to, " {} - {}", dash(self.digest.as_deref()), dash(Some(&notes)));
        if let Some((file, offset)) = &self.place {
            // A text is always written.
            let file = serde_json::to_string(file).unwrap_or_default();
            let _ = write!(to, " {{\"warcFilename\":{file},\"warcFileOffset\":{offset}}}");
        }
        to.push('\n');
    }

    /// Reads a line. `None` if it is none of ours.
    #[must_use]
    pub fn parse(line: &str) -> Option<Line<'_>> {
        let mut fields = line.split_ascii_whitespace();
        let mut next = || fields.next();
        let at = next()?.parse().ok()?;
        let status = next()?.parse().ok()?;
        let bytes = next()?.parse().ok()?;
        let url = next()?.into();
        let hops = next().filter(|hops| *hops != "-").unwrap_or_default().into();
        let via = next().filter(|via| *via != "-").map(Into::into);
        let mime = next()?.into();
        let _worker = next()?;
        let fetch = next()
            .and_then(|text| text.split_once('+'))
            .and_then(|(start, took)| Some((from_digits(start)?, Duration::from_millis(took.parse().ok()?))));
        let digest = next().filter(|digest| *digest != "-").map(Into::into);
        let _source = next()?;
        let notes = next()?;
        let notes = notes.split(',').filter(|note| *note != "-").map(Into::into).collect();
        let place = next().and_then(place);
        Some(Line { at, status, bytes, url, hops, via, mime, fetch, digest, notes, place })
    }

    /// Whether this note stands in the line.
    #[must_use]
    pub fn has(&self, note: &str) -> bool {
        self.notes.iter().any(|given| given == note)
    }

    /// The filter that has dropped the document.
    #[must_use]
    pub fn filtered_by(&self) -> Option<&str> {
        self.notes.iter().find_map(|note| note.strip_prefix(note::FILTERED))
    }
}

/// To the millisecond, as Heritrix does.
fn millis(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// Seventeen digits.
fn from_digits(text: &str) -> Option<Timestamp> {
    let (seconds, millis) = text.split_at_checked(14)?;
    let time = urlkey::time::parse_14(seconds).ok()?;
    let millis: u64 = millis.parse().ok()?;
    time.checked_add(Duration::from_millis(millis)).ok()
}

fn place<'a>(extra: &'a str) -> Option<(Cow<'a, str>, u64)> {
    #[derive(serde::Deserialize)]
    struct Extra<'a> {
        #[serde(rename = "warcFilename", borrow)]
        file: Cow<'a, str>,
        #[serde(rename = "warcFileOffset")]
        offset: u64,
    }
    let extra: Extra<'a> = serde_json::from_str(extra).ok()?;
    Some((extra.file, extra.offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line<'static> {
        let at: Timestamp = "2026-11-16T04:00:00.123Z".parse().unwrap();
        Line {
            at,
            status: 200,
            bytes: 1234,
            url: "https://example.org/a?b=c".into(),
            hops: "LLE".into(),
            via: Some("https://example.org/".into()),
            mime: "text/html".into(),
            fetch: Some((at, Duration::from_millis(56))),
            digest: Some("sha256:ABC".into()),
            notes: vec![note::DUPLICATE.into(), "3t".into()],
            place: Some(("job-00000.warc.gz".into(), 789)),
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let mut text = String::new();
        line().write(&mut text);
        assert_eq!(
            text,
            "2026-11-16T04:00:00.123Z   200       1234 https://example.org/a?b=c LLE https://example.org/ text/html #000 \
             20261116040000123+56 sha256:ABC - duplicate:digest,3t \
             {\"warcFilename\":\"job-00000.warc.gz\",\"warcFileOffset\":789}\n"
        );
        assert_eq!(Line::parse(text.trim_end()), Some(line()));
    }

    #[test]
    fn what_is_not_known_is_a_dash() {
        let bare = Line {
            status: -2,
            bytes: 0,
            hops: "".into(),
            via: None,
            mime: "".into(),
            fetch: None,
            digest: None,
            notes: Vec::new(),
            place: None,
            ..line()
        };
        let mut text = String::new();
        bare.write(&mut text);
        assert!(text.ends_with(" - - unknown #000 - - - -\n"), "{text}");
        assert_eq!(Line::parse(&text).unwrap(), Line { mime: "unknown".into(), ..bare });
    }

    #[test]
    fn of_long_ways_the_end_is_written() {
        let mut text = String::new();
        Line { hops: "L".repeat(60).into(), ..line() }.write(&mut text);
        assert!(text.contains(&format!(" 10+{} ", "L".repeat(50))), "{text}");
    }

    #[test]
    fn what_is_no_line_is_none() {
        for text in ["", "x", "2026-11-16T04:00:00Z", "2026-11-16T04:00:00Z 200 x u - - m #000 - - - -"] {
            assert_eq!(Line::parse(text), None, "{text}");
        }
    }
}
