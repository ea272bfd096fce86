//! How checks and times are said on pages.

use api::watches::{CheckRow, WatchRow};
use diff::RuleSet;
use jiff::Timestamp;

/// How a check ended, for people: a mood, a sign, and words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// How it looks: `good`, `news`, `odd`, `bad` or `none`.
    pub(super) mood: &'static str,
    /// The same for those who see no colours.
    pub(super) sign: &'static str,
    pub(super) words: String,
}

impl Said {
    fn new(mood: &'static str, sign: &'static str, words: impl Into<String>) -> Said {
        Said { mood, sign, words: words.into() }
    }

    /// Nothing is known yet.
    pub(super) fn nothing() -> Said {
        Said::new("none", "○", "not checked yet")
    }
}

/// How the last check of a watch ended, by its rules.
pub(super) fn said_of(watch: &WatchRow) -> Said {
    match &watch.last {
        Some(_) if watch.is_noise() => Said::new("good", "✓", "nothing worth telling"),
        Some(check) => said(check),
        None => Said::nothing(),
    }
}

/// How a check ended.
pub(super) fn said(check: &CheckRow) -> Said {
    match check.outcome {
        "first" => Said::new("good", "✓", "seen for the first time"),
        "changed" => Said::new("news", "●", "changed"),
        "unchanged" => Said::new("good", "✓", "unchanged"),
        "unavailable" => match check.status {
            Some(404 | 410) => Said::new("bad", "✕", "not found"),
            Some(401 | 403) => Said::new("bad", "✕", "forbidden"),
            Some(500..) => Said::new("bad", "✕", "server error"),
            _ => Said::new("bad", "✕", "not available"),
        },
        "unreachable" => Said::new("bad", "✕", "cannot be reached"),
        "too-large" => Said::new("odd", "!", "too large, headers as before"),
        "too-large-changed" => Said::new("odd", "!", "too large, and changed"),
        "incomplete" => Said::new("odd", "!", "broke off"),
        other => Said::new("none", "○", other.to_owned()),
    }
}

/// What a server told wrongly.
pub(super) fn fault(code: &str) -> &str {
    match code {
        "unasked-not-modified" => "says that nothing changed without having been asked",
        "wrong-length" => "announces another length than it sends",
        "wrong-digest" => "sends another digest than that of the document",
        "broken-coding" => "names a content coding that it does not use",
        "wrong-type" => "calls text what is none",
        other => other,
    }
}

/// Why something is left out as noise.
pub(super) fn noise(code: diff::Noise) -> &'static str {
    match code {
        diff::Noise::Date => "only a date or a time",
        diff::Noise::Counter => "a counter",
        diff::Noise::Token => "a number of a session or the like",
        diff::Noise::Form => "only blanks, signs or capitals",
        diff::Noise::Unseen => "no reader sees it",
        diff::Noise::Margin => "in a margin of the page",
        diff::Noise::Habit => "different at every visit",
        _ => "noise",
    }
}

/// Why a change is not worth telling, of one that counts by the rules.
pub(super) fn not_told(rules: &RuleSet, fired: &[String]) -> &'static str {
    if !rules.triggers.is_empty() && fired.is_empty() {
        "none of the triggers is set off"
    } else {
        "it is smaller than the rules want it"
    }
}

/// When something is due.
pub(super) fn until(due: &str, now: Timestamp) -> String {
    let Ok(due) = due.parse::<Timestamp>() else { return due.to_owned() };
    match due.as_second() - now.as_second() {
        ..=0 => "now".to_owned(),
        seconds => format!("in {}", about(seconds)),
    }
}

/// How long ago something was.
pub(super) fn ago(at: &str, now: Timestamp) -> String {
    let Ok(at) = at.parse::<Timestamp>() else { return at.to_owned() };
    match now.as_second() - at.as_second() {
        ..60 => "just now".to_owned(),
        seconds => format!("{} ago", about(seconds)),
    }
}

fn about(seconds: i64) -> String {
    let counted = |count: i64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    match seconds {
        ..90 => "a minute".to_owned(),
        90..5400 => counted((seconds + 30) / 60, "minute"),
        5400..129_600 => counted((seconds + 1800) / 3600, "hour"),
        _ => counted((seconds + 43_200) / 86_400, "day"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_as_people_say_them() {
        let now: Timestamp = "2026-11-18T12:00:00Z".parse().unwrap();
        for (at, told) in [
            ("2026-11-18T12:00:01Z", "just now"),
            ("2026-11-18T11:59:00Z", "a minute ago"),
            ("2026-11-18T11:20:00Z", "40 minutes ago"),
            ("2026-11-18T09:10:00Z", "3 hours ago"),
            ("2026-11-15T12:00:00Z", "3 days ago"),
            ("some day", "some day"),
        ] {
            assert_eq!(ago(at, now), told);
        }
        assert_eq!(until("2026-11-18T11:00:00Z", now), "now");
        assert_eq!(until("2026-11-18T18:00:00Z", now), "in 6 hours");
    }
}
