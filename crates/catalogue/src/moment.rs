//! Times as the hash of an event has them: RFC 3339 in UTC with milliseconds.

use jiff::Timestamp;

pub(crate) fn to_text(at: Timestamp) -> String {
    format!("{at:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The database has microseconds; a hash that was made of nanoseconds must be found again.
    #[test]
    fn a_time_has_the_same_text_after_it_was_stored() {
        for time in ["2026-11-18T00:00:00Z", "2026-11-18T00:00:00.999999999Z", "2026-11-18T00:00:00.0019995Z"]
        {
            let time: Timestamp = time.parse().unwrap();
            let stored = Timestamp::from_microsecond(time.as_microsecond()).unwrap();
            assert_eq!(to_text(time), to_text(stored), "{time}");
        }
        assert_eq!(to_text("2026-11-18T00:00:00.0019Z".parse().unwrap()), "2026-11-18T00:00:00.001Z");
    }
}
