//! Which words of a text changed, as people would mark them: whole phrases, with a little of what stands around them.

use crate::text::refine;
use crate::{Kind, Limits};

/// So many characters of what is the same are shown before and behind a change.
const CONTEXT_CHARS: usize = 60;

/// So many characters of what came or went are shown.
const CHANGED_CHARS_MAX: usize = 1200;

/// Texts of more words, blanks and signs than this are told as a whole.
const TOKENS_MAX: usize = 10_000;

/// A stretch of what is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) kind: Kind,
    pub(super) text: String,
}

/// What changed from one text to the other, in order.
pub(super) fn changed(old: &str, new: &str, words_left: &mut usize) -> Vec<Stretch> {
    let places = places(old, new, words_left);
    let (last, mut stretches) = (places.len().saturating_sub(1), Vec::new());
    for (at, place) in places.into_iter().enumerate() {
        push(&mut stretches, Kind::Same, context(place.before, at > 0, at < last || !place.is_end()));
        // A blank keeps what went and what came apart.
        let blank = match (place.old.chars().next_back(), place.new.chars().next()) {
            (Some(end), Some(start)) if !end.is_whitespace() && !start.is_whitespace() => " ",
            _ => "",
        };
        push(&mut stretches, Kind::Removed, beginning(&place.old, CHANGED_CHARS_MAX));
        push(&mut stretches, Kind::Same, blank.to_owned());
        push(&mut stretches, Kind::Added, beginning(&place.new, CHANGED_CHARS_MAX));
    }
    stretches
}

/// The beginning of a text.
pub(super) fn beginning(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// One place where the texts differ, with what is the same before it. The last may be what is the same behind them all.
#[derive(Default)]
struct ChangedPlace<'a> {
    before: &'a str,
    old: String,
    new: String,
}

impl ChangedPlace<'_> {
    fn is_end(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }
}

fn places<'a>(old: &'a str, new: &'a str, words_left: &mut usize) -> Vec<ChangedPlace<'a>> {
    let limits = Limits { tokens_max: TOKENS_MAX, ..Limits::default() };
    let Some(spans) = refine(old, new, words_left, &limits) else {
        return vec![ChangedPlace { before: "", old: old.to_owned(), new: new.to_owned() }];
    };
    let mut places: Vec<ChangedPlace<'a>> = vec![ChangedPlace::default()];
    let mut spans = spans.into_iter().peekable();
    while let Some(span) = spans.next() {
        let Some(place) = places.last_mut() else { break };
        match span.kind {
            Kind::Removed => place.old.push_str(span.text),
            Kind::Added => place.new.push_str(span.text),
            // The blank between two words of a phrase.
            Kind::Same if !place.is_end() && spans.peek().is_some() && is_slight(span.text) => {
                place.old.push_str(span.text);
                place.new.push_str(span.text);
            }
            Kind::Same if place.is_end() && place.before.is_empty() => place.before = span.text,
            Kind::Same => places.push(ChangedPlace { before: span.text, ..ChangedPlace::default() }),
        }
    }
    for place in &mut places {
        for side in [&mut place.old, &mut place.new] {
            if is_slight(side) && side.chars().all(char::is_whitespace) {
                side.clear();
            }
        }
    }
    places
}

fn is_slight(text: &str) -> bool {
    text.len() <= 3 && !text.contains('\n') && !text.chars().any(char::is_alphanumeric)
}

/// What is the same, as far as it stands near a change.
fn context(same: &str, is_behind: bool, is_before: bool) -> String {
    let count = same.chars().count();
    let head = if is_behind { CONTEXT_CHARS } else { 0 };
    let tail = if is_before { CONTEXT_CHARS } else { 0 };
    if count <= head + tail + 3 {
        return same.to_owned();
    }
    let at = |number: usize| same.char_indices().nth(number).map_or(same.len(), |(at, _)| at);
    let (start, end) =
        (same.get(..at(head)).unwrap_or_default(), same.get(at(count - tail)..).unwrap_or_default());
    format!("{start}…{end}")
}

fn push(stretches: &mut Vec<Stretch>, kind: Kind, text: String) {
    if !text.is_empty() {
        stretches.push(Stretch { kind, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expect: &str) {
        let told: String = changed(old, new, &mut 10_000)
            .iter()
            .map(|stretch| match stretch.kind {
                Kind::Same => stretch.text.clone(),
                Kind::Removed => format!("[{}]", stretch.text),
                Kind::Added => format!("{{{}}}", stretch.text),
            })
            .collect();
        assert_eq!(told, expect);
    }

    #[test]
    fn phrases_are_marked_as_a_whole() {
        check("Cod: 12 left", "Cod: sold out", "Cod: [12 left] {sold out}");
        check("the cod swims here", "the eel swims here", "the [cod] {eel} swims here");
        check("one two three four", "one two and three four", "one two {and }three four");
        check("one two and a three", "one two three", "one two [and a ]three");
        check("all of it", "nothing now", "[all of it] {nothing now}");
    }

    #[test]
    fn what_is_the_same_is_shown_near_changes_only() {
        let (before, behind) = ("word ".repeat(50), " word".repeat(50));
        let (near, after) = (&before[190..], &behind[..60]);
        let text = |word: &str| format!("{before}{word}{behind}");
        check(&text("cod"), &text("eel"), &format!("…{near}[cod] {{eel}}{after}…"));
        check("", &"x".repeat(2000), &format!("{{{}…}}", "x".repeat(CHANGED_CHARS_MAX)));
    }
}
