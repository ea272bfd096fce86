//! A place between two rows, in words that a client can bring back: the key and time of the row behind it.
//!
//! Several rows may have the same key and time; then it also says how many of them stand before the place.

use cdx::{Capture, Timestamp};
use urlkey::percent::{decode_form, encode_form};

/// Before a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Key of the row.
    pub(crate) key: String,
    /// Its time.
    pub(crate) time: Timestamp,
    /// Rows of this key and time that stand before it.
    pub(crate) skip: u64,
}

impl Mark {
    /// Reads `key time` or `key time skip`, also where it is percent-encoded still: clients send it back as it came, encoded once
    /// more.
    pub(crate) fn parse(text: &str) -> Option<Mark> {
        if !text.contains(' ') {
            let decoded = String::from_utf8(decode_form(text.as_bytes())).ok()?;
            return Mark::parse_plain(&decoded);
        }
        Mark::parse_plain(text)
    }

    fn parse_plain(text: &str) -> Option<Mark> {
        let mut words = text.split(' ');
        let key = words.next().filter(|key| !key.is_empty())?.to_owned();
        let time = Timestamp::earliest(words.next()?).ok()?;
        let skip = words.next().map_or(Some(0), |skip| skip.parse().ok())?;
        words.next().is_none().then_some(Mark { key, time, skip })
    }

    /// `key time`, as rows are sorted by it.
    pub(crate) fn order(&self) -> String {
        format!("{} {}", self.key, self.time)
    }

    /// In the form that a client is told.
    pub(crate) fn encoded(&self) -> String {
        let mut text = self.order();
        if self.skip > 0 {
            text.push_str(&format!(" {}", self.skip));
        }
        encode_form(text.as_bytes())
    }
}

/// Looks at rows as they come and knows the mark of the last.
#[derive(Debug, Default)]
pub(crate) struct Tracker {
    last: Option<Mark>,
}

impl Tracker {
    /// One that has seen the rows before a mark.
    pub(crate) fn behind(mark: Option<&Mark>) -> Tracker {
        let mark = mark.filter(|mark| mark.skip > 0);
        Tracker { last: mark.map(|mark| Mark { skip: mark.skip - 1, ..mark.clone() }) }
    }

    /// Looks at the next row. One without a time has no place in an index.
    pub(crate) fn see(&mut self, row: &Capture<'_>) {
        let (Some(key), Some(time)) = (row.key.as_deref(), row.timestamp) else { return };
        match &mut self.last {
            Some(last) if last.time == time && last.key == key => last.skip += 1,
            Some(last) => {
                last.key.clear();
                last.key.push_str(key);
                (last.time, last.skip) = (time, 0);
            }
            None => self.last = Some(Mark { key: key.to_owned(), time, skip: 0 }),
        }
    }

    /// The mark of the last row.
    pub(crate) fn mark(&self) -> Option<Mark> {
        self.last.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<(&str, &str, u64)>) {
        let mark = Mark::parse(text);
        let found = mark.map(|mark| (mark.key.clone(), mark.time.to_string(), mark.skip));
        assert_eq!(found, expect.map(|(key, time, skip)| (key.to_owned(), time.to_owned(), skip)), "{text}");
    }

    #[test]
    fn marks_come_back_however_often_they_were_encoded() {
        check("com,dw)/ 20191218145126", Some(("com,dw)/", "20191218145126", 0)));
        check("com%2Cdw%29%2F+20191218145126", Some(("com,dw)/", "20191218145126", 0)));
        check("com,dw)/ 20191218145126 7", Some(("com,dw)/", "20191218145126", 7)));
        for bad in ["", "x", "com,dw)/ x", "com,dw)/ 20191218145126 x", "a 2019 1 2", " 2019"] {
            check(bad, None);
        }
    }

    #[test]
    fn a_mark_knows_how_many_stand_before_it() {
        let mut tracker = Tracker::default();
        let row = |key: &str| Capture {
            key: Some(key.to_owned().into()),
            timestamp: Timestamp::from_number(20_191_218_145_126),
            ..Capture::default()
        };
        for (key, encoded) in [
            ("a)/", "a%29%2F+20191218145126"),
            ("a)/", "a%29%2F+20191218145126+1"),
            ("b)/", "b%29%2F+20191218145126"),
        ] {
            tracker.see(&row(key));
            let mark = tracker.mark().unwrap();
            assert_eq!(mark.encoded(), encoded);
            assert_eq!(Mark::parse(encoded), Some(mark));
        }
    }
}
