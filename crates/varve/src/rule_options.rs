//! The options that say what counts as a change of a watched page. An option that is not given changes nothing; `none` clears a list.

use anyhow::anyhow;
use diff::{RuleSet, Trigger};

use crate::hint::with_hint;
use crate::usage::wrong;

/// The word that clears a list.
const NONE: &str = "none";

/// What counts as a change, and what is worth telling.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "What counts")]
pub(crate) struct Rules {
    /// Only these parts count: css:main, xpath://h1, json:$.items, 'regex:/sold \d+/', text:cookies; without a word in front it is CSS. May be
    /// given several times; `none` takes all away
    #[arg(long, value_name = "RULE")]
    only: Vec<String>,

    /// These parts never count; written like those of --only
    #[arg(long, value_name = "RULE")]
    pub(crate) never: Vec<String>,

    /// Only tell if one of these happens: 'appears sold out', 'disappears sold out', 'number down 10 Price:'; may be given several times
    #[arg(long = "trigger", value_name = "TRIGGER")]
    triggers: Vec<String>,

    /// A change of fewer words is not worth telling
    #[arg(long, value_name = "N")]
    words_min: Option<usize>,

    /// A change of a smaller share of the words is not, such as 5% or 0.05
    #[arg(long, value_name = "SHARE", value_parser = share)]
    share_min: Option<f64>,

    /// Navigation, headers, footers and asides count as well
    #[arg(long, overrides_with = "no_margins")]
    margins: bool,

    /// They do not
    #[arg(long, overrides_with = "margins", hide = true)]
    no_margins: bool,

    /// What changes at every visit counts as well: dates, times, counters, tokens, and what was learned
    #[arg(long, overrides_with = "no_noise")]
    pub(crate) noise: bool,

    /// It does not
    #[arg(long, overrides_with = "noise", hide = true)]
    no_noise: bool,
}

impl Rules {
    /// Whether anything is said, but for noise.
    pub(crate) fn is_empty(&self) -> bool {
        let Rules { only, never, triggers, words_min, share_min, margins, no_margins, .. } = self;
        [only, never, triggers].into_iter().all(Vec::is_empty)
            && words_min.is_none()
            && share_min.is_none()
            && !(*margins || *no_margins)
    }

    /// Lays what is given over the rules so far.
    pub(crate) fn lay(self, rules: &mut RuleSet) -> anyhow::Result<()> {
        list(self.only, &mut rules.only);
        list(self.never, &mut rules.never);
        let mut triggers: Vec<String> = rules.triggers.iter().map(ToString::to_string).collect();
        list(self.triggers, &mut triggers);
        rules.triggers = triggers.iter().map(|text| trigger(text)).collect::<anyhow::Result<_>>()?;
        rules.words_min = self.words_min.unwrap_or(rules.words_min);
        rules.share_min = self.share_min.unwrap_or(rules.share_min);
        switch(self.margins, self.no_margins, &mut rules.margins);
        switch(self.noise, self.no_noise, &mut rules.noise);
        Ok(())
    }
}

/// Several that are given take the place of those before; `none` leaves nothing of them.
pub(crate) fn list(given: Vec<String>, place: &mut Vec<String>) {
    if !given.is_empty() {
        *place = given.into_iter().filter(|text| text != NONE).collect();
    }
}

/// Turns a value on or off, as the last of two opposite switches says.
pub(crate) fn switch(is_on: bool, is_off: bool, place: &mut bool) {
    *place = (*place || is_on) && !is_off;
}

fn trigger(text: &str) -> anyhow::Result<Trigger> {
    text.parse().map_err(|error| {
        let hint = "write 'appears TEXT', 'disappears TEXT', or 'number up|down|either LINE TEXT'; /…/ around TEXT makes it a pattern";
        with_hint(wrong(anyhow!("--trigger: {error}")), hint)
    })
}

fn share(text: &str) -> Result<f64, String> {
    let number = match text.trim().strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|percent| percent / 100.0),
        None => text.trim().parse::<f64>(),
    };
    let share = number.ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a share such as 5% or 0.05".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percent_or_parts() {
        assert_eq!((share("5%"), share("0.05"), share("1")), (Ok(0.05), Ok(0.05), Ok(1.0)));
        for text in ["5", "-1%", "many", "nan"] {
            assert!(share(text).is_err(), "{text}");
        }
    }
}
