//! Triggers, ready to be asked whether a change sets them off.

use serde::Serialize;

use super::lines::too_slow;
use super::number;
use super::rule::shown;
use super::selector::pattern;
use super::trigger::{Crossing, Trigger};
use crate::error::RuleFault;
use crate::pattern::{Pattern, Search, TooSlow};
use crate::{Error, Limits};

/// A trigger that was set off, for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fired {
    /// What happened: "`sold out` appeared".
    pub what: String,
}

/// A trigger, ready to be asked.
#[derive(Debug, Clone)]
pub(super) struct Ready {
    trigger: Trigger,
    pattern: Pattern,
}

impl Ready {
    pub(super) fn new(trigger: &Trigger, limits: &Limits) -> Result<Ready, Error> {
        let find = trigger.find();
        let fault = |fault: RuleFault| Error::Rule { rule: shown(find), at: fault.at, why: fault.why };
        if find.trim().is_empty() || find.len() > limits.rule_bytes_max {
            return Err(fault(RuleFault::new(
                1,
                "a trigger must say what to look for, in not too many words",
            )));
        }
        let is_pattern =
            find.len() > 1 && find.starts_with('/') && find.rfind('/').is_some_and(|end| end > 0);
        let written = if is_pattern { find.to_owned() } else { format!("/{}/i", regex::escape(find)) };
        let pattern = pattern(&written, limits).map_err(fault)?;
        Ok(Ready { trigger: trigger.clone(), pattern })
    }

    /// What it says if it is set off by a change from one text to the other.
    pub(super) fn fires(&self, old: &str, new: &str, limits: &Limits) -> Result<Option<Fired>, Error> {
        self.what(old, new, limits)
            .map(|what| what.map(|what| Fired { what }))
            .map_err(too_slow(&self.pattern))
    }

    fn what(&self, old: &str, new: &str, limits: &Limits) -> Result<Option<String>, TooSlow> {
        let mut search = Search::new(&self.pattern, limits.regex_steps_max);
        Ok(match &self.trigger {
            Trigger::Appears(find) => {
                let appears = !search.is_match(old)? && search.is_match(new)?;
                appears.then(|| format!("`{find}` appeared"))
            }
            Trigger::Disappears(find) => {
                let disappears = search.is_match(old)? && !search.is_match(new)?;
                disappears.then(|| format!("`{find}` disappeared"))
            }
            Trigger::Number { find, line, crossing } => {
                let (Some(was), Some(is)) = (number(&mut search, old)?, number(&mut search, new)?) else {
                    return Ok(None);
                };
                let up = was < *line && is >= *line;
                let down = was > *line && is <= *line;
                let crossed = match crossing {
                    Crossing::Up => up,
                    Crossing::Down => down,
                    Crossing::Either => up || down,
                };
                crossed.then(|| format!("the number at `{find}` went from {was} to {is}, across {line}"))
            }
        })
    }
}

/// The number in the first group, or the first behind what is found.
fn number(search: &mut Search<'_>, text: &str) -> Result<Option<f64>, TooSlow> {
    let Some(found) = search.find(text, 0)? else { return Ok(None) };
    let end = found.end;
    let groups = search.groups(text, &found)?;
    Ok(match groups.and_then(|groups| groups.get(1)) {
        Some(group) => number::first(group.as_str()),
        None => text.get(end..).and_then(number::first),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(trigger: Trigger, old: &str, new: &str, expect: Option<&str>) {
        let ready = Ready::new(&trigger, &Limits::default()).unwrap();
        let fired = ready.fires(old, new, &Limits::default()).unwrap();
        assert_eq!(fired.map(|fired| fired.what).as_deref(), expect);
    }

    #[test]
    fn texts_appear_and_disappear() {
        check(Trigger::Appears("Sold out".into()), "12 left", "SOLD OUT", Some("`Sold out` appeared"));
        check(Trigger::Appears("sold out".into()), "sold out", "sold out!", None);
        check(
            Trigger::Disappears("/sold (out|off)/".into()),
            "sold off",
            "12 left",
            Some("`/sold (out|off)/` disappeared"),
        );
    }

    #[test]
    fn numbers_cross_lines() {
        let price = |line, crossing| Trigger::Number { find: "Price:".into(), line, crossing };
        let told = "the number at `Price:` went from 12 to 9.5, across 10";
        check(price(10.0, Crossing::Down), "Price: 12 €", "Price: 9.50 €", Some(told));
        check(price(10.0, Crossing::Either), "Price: 12 €", "Price: 9.50 €", Some(told));
        check(price(10.0, Crossing::Up), "Price: 12 €", "Price: 9.50 €", None);
        check(price(10.0, Crossing::Down), "Price: 9 €", "Price: 8 €", None);
        check(price(10.0, Crossing::Down), "Price: ?", "Price: 8 €", None);
        let grouped = Trigger::Number { find: r"/(\d+) left/".into(), line: 3.0, crossing: Crossing::Down };
        check(grouped, "5 left", "2 left", Some("the number at `/(\\d+) left/` went from 5 to 2, across 3"));
    }

    #[test]
    fn a_trigger_without_words_is_refused() {
        assert!(matches!(
            Ready::new(&Trigger::Appears(" ".into()), &Limits::default()),
            Err(Error::Rule { .. })
        ));
        assert!(matches!(
            Ready::new(&Trigger::Appears("/a(/".into()), &Limits::default()),
            Err(Error::Rule { at: 3, .. })
        ));
    }
}
