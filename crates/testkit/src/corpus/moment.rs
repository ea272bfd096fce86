//! Times of the made-up crawl, which began on a Monday morning and knows no clock.

/// Seconds since the first day began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    seconds: u64,
}

/// The first day: Monday, 2 March 2026.
const FIRST_YEAR: u64 = 2026;
const FIRST_DAY_OF_YEAR: u64 = 31 + 28 + 1;

const MONTHS: [(&str, u64); 12] = [
    ("Jan", 31),
    ("Feb", 28),
    ("Mar", 31),
    ("Apr", 30),
    ("May", 31),
    ("Jun", 30),
    ("Jul", 31),
    ("Aug", 31),
    ("Sep", 30),
    ("Oct", 31),
    ("Nov", 30),
    ("Dec", 31),
];

const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

impl Moment {
    /// When a capture was made: four of them every three seconds from six o'clock on.
    pub(super) fn of_capture(number: u64) -> Self {
        Self { seconds: 6 * 3600 + number / 4 * 3 + number % 4 }
    }

    /// As WARC has it.
    pub(super) fn iso(self) -> String {
        let (year, month, _, day) = self.day();
        let (hour, minute, second) = self.clock();
        format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    /// As 14 digits.
    pub(super) fn digits(self) -> String {
        self.iso().chars().filter(char::is_ascii_digit).collect()
    }

    /// As HTTP has it.
    pub(super) fn http(self) -> String {
        let (year, _, month, day) = self.day();
        let (hour, minute, second) = self.clock();
        let weekday = usize::try_from(self.seconds / 86_400 % 7).unwrap_or(0);
        let weekday = WEEKDAYS.get(weekday).copied().unwrap_or_default();
        format!("{weekday}, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} GMT")
    }

    /// Year, number of the month, its name, day of the month.
    fn day(self) -> (u64, u64, &'static str, u64) {
        let mut rest = FIRST_DAY_OF_YEAR + self.seconds / 86_400;
        let mut year = FIRST_YEAR;
        loop {
            for (number, (name, days)) in (1..).zip(MONTHS) {
                let days = days + u64::from(number == 2 && year.is_multiple_of(4));
                if rest < days {
                    return (year, number, name, rest + 1);
                }
                rest -= days;
            }
            year += 1;
        }
    }

    fn clock(self) -> (u64, u64, u64) {
        (self.seconds / 3600 % 24, self.seconds / 60 % 60, self.seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_go_on_over_months_and_leap_years() {
        let after_days = |days: u64| Moment { seconds: days * 86_400 + 3661 };
        assert_eq!(after_days(0).iso(), "2026-03-02T01:01:01Z");
        assert_eq!(after_days(0).http(), "Mon, 02 Mar 2026 01:01:01 GMT");
        assert_eq!(after_days(30).iso(), "2026-04-01T01:01:01Z");
        assert_eq!(after_days(305).digits(), "20270101010101");
        assert_eq!(after_days(305 + 365 + 59).http(), "Tue, 29 Feb 2028 01:01:01 GMT");
    }

    #[test]
    fn later_captures_are_not_earlier() {
        let times: Vec<String> = (0..100).map(|number| Moment::of_capture(number).iso()).collect();
        assert!(times.is_sorted());
    }
}
