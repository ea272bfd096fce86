//! The last checks as a small picture: which found a change, and at which it was there. Colours are the style sheet's.

use std::fmt::Write as _;

/// So many checks are shown.
const CHECKS_MAX: usize = 60;
/// Room for each.
const STEP: usize = 4;
const HEIGHT: usize = 24;

/// The picture of outcomes, the oldest first; `None` if there were none.
pub(super) fn spark(recent: &[String]) -> Option<String> {
    let recent = recent.get(recent.len().saturating_sub(CHECKS_MAX)..).unwrap_or_default();
    if recent.is_empty() {
        return None;
    }
    let mut svg = format!(
        "<svg class=\"spark\" viewBox=\"0 0 {} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
        CHECKS_MAX * STEP,
        told(recent)
    );
    // The newest is always at the same place.
    let indent = (CHECKS_MAX - recent.len()) * STEP;
    let mut reached = String::new();
    for (index, outcome) in recent.iter().enumerate() {
        let x = indent + index * STEP;
        // A change stands out above; what is away hangs below the line of what is there.
        if is_change(outcome) {
            let _ = write!(svg, "<rect class=\"change\" x=\"{x}\" y=\"1\" width=\"3\" height=\"13\"/>");
        }
        let _ = match is_there(outcome) {
            true => write!(reached, "<rect class=\"there\" x=\"{x}\" y=\"15\" width=\"3\" height=\"3\"/>"),
            false => write!(reached, "<rect class=\"away\" x=\"{x}\" y=\"15\" width=\"3\" height=\"9\"/>"),
        };
    }
    svg.push_str(&reached);
    svg.push_str("</svg>");
    Some(svg)
}

/// The same in words.
pub(super) fn told(recent: &[String]) -> String {
    let count = |of: fn(&str) -> bool| recent.iter().filter(|outcome| of(outcome)).count();
    let (changes, away) = (count(is_change), count(|outcome| !is_there(outcome)));
    let checks = match recent.len() {
        1 => "The one check so far".to_owned(),
        checks => format!("Of the last {checks} checks"),
    };
    let found = match (changes, away) {
        (0, 0) => "none found a change, and it was always there".to_owned(),
        (changes, 0) => format!("{changes} found a change, and it was always there"),
        (0, away) => format!("none found a change, and {away} did not find it there"),
        (changes, away) => format!("{changes} found a change, and {away} did not find it there"),
    };
    match recent.len() {
        1 => format!("{checks}: {found}"),
        _ => format!("{checks} {found}"),
    }
}

fn is_change(outcome: &str) -> bool {
    matches!(outcome, "changed" | "too-large-changed")
}

fn is_there(outcome: &str) -> bool {
    !matches!(outcome, "unavailable" | "unreachable")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_says_the_same_in_words() {
        let recent = ["first", "changed", "unreachable", "unchanged"].map(str::to_owned);
        assert_eq!(told(&recent), "Of the last 4 checks 1 found a change, and 1 did not find it there");
        let svg = spark(&recent).unwrap();
        assert_eq!((svg.matches("change\"").count(), svg.matches("away\"").count()), (1, 1));
        assert_eq!(spark(&[]), None);
        let many = vec!["<script>".to_owned(); 100];
        assert!(!spark(&many).unwrap().contains("script"));
    }
}
