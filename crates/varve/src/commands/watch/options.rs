//! What is wanted of a watch, as options. What is not given stays as it is; `none` takes a list or a time away.

use anyhow::anyhow;
use api::watches::WatchWish;
use diff::{RuleSet, Trigger};

use crate::hint::with_hint;
use crate::usage::wrong;

/// The word that takes something away.
const NONE: &str = "none";

/// What is wanted of a watch.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct Wanted {
    /// How often: 6h, daily, or within bounds such as 'adaptive 1h..24h', sooner where it changes [default: as `[watch]` says]
    #[arg(long, value_name = "TIME")]
    every: Option<String>,

    /// What people call it
    #[arg(long)]
    title: Option<String>,

    /// A word by which it is found; may be given several times
    #[arg(long = "tag", value_name = "WORD")]
    tags: Vec<String>,

    /// What somebody wants to remember of it
    #[arg(long, value_name = "TEXT")]
    notes: Option<String>,

    #[command(flatten)]
    rules: Rules,

    /// Tell this address, such as ann@example.org or https://hooks.example.org/varve; may be given several times, `none` tells nobody
    /// [default: as `[watch]` says]
    #[arg(long, value_name = "ADDRESS", help_heading = "Who is told")]
    notify: Vec<String>,

    /// Tell nobody in these hours, but afterwards: '22:00-07:00 Europe/Prague', or `none`
    #[arg(long, value_name = "HOURS", help_heading = "Who is told")]
    quiet_hours: Option<String>,

    /// Put what goes by mail together for so long, such as 24h; `none` tells it at once
    #[arg(long, value_name = "TIME", help_heading = "Who is told")]
    digest: Option<String>,

    /// Tell when the page was not there at so many checks in a row; 0 is never
    #[arg(long, value_name = "N", help_heading = "Who is told")]
    gone_after: Option<u32>,

    /// Ask for the head first, and for no more if length and digest are as before; only for servers that send a digest
    #[arg(long, overrides_with = "no_head", help_heading = "How servers are asked")]
    head: bool,

    /// Ask for the document at once
    #[arg(long, overrides_with = "head", hide = true, help_heading = "How servers are asked")]
    no_head: bool,

    /// Take the document also if it is larger than usual
    #[arg(long, overrides_with = "no_force", help_heading = "How servers are asked")]
    force: bool,

    /// Take it only if it is not
    #[arg(long, overrides_with = "force", hide = true, help_heading = "How servers are asked")]
    no_force: bool,
}

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
    never: Vec<String>,

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

impl Wanted {
    /// Lays what is given over what is wanted so far.
    pub(super) fn lay(self, wish: &mut WatchWish) -> anyhow::Result<()> {
        let given = [
            (self.every, &mut wish.every),
            (self.title, &mut wish.title),
            (self.notes, &mut wish.notes),
            (self.quiet_hours, &mut wish.quiet),
            (self.digest, &mut wish.digest),
        ];
        for (given, place) in given {
            if let Some(text) = given {
                *place = text;
            }
        }
        list(self.tags, &mut wish.tags);
        // Nobody is somebody's wish.
        if !self.notify.is_empty() {
            wish.notify = self.notify;
        }
        wish.gone_after = self.gone_after.or(wish.gone_after);
        switch(self.head, self.no_head, &mut wish.head_first);
        switch(self.force, self.no_force, &mut wish.force);
        self.rules.lay(&mut wish.rules)
    }
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
fn list(given: Vec<String>, place: &mut Vec<String>) {
    if !given.is_empty() {
        *place = given.into_iter().filter(|text| text != NONE).collect();
    }
}

fn switch(is_on: bool, is_off: bool, place: &mut bool) {
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
    fn only_what_is_given_changes_and_none_takes_away() {
        let mut wish = WatchWish {
            title: "A".to_owned(),
            tags: vec!["x".to_owned()],
            rules: RuleSet { only: vec!["main".to_owned()], words_min: 3, ..RuleSet::default() },
            force: true,
            ..WatchWish::default()
        };
        let wanted = Wanted {
            tags: vec!["none".to_owned()],
            notify: vec!["none".to_owned()],
            no_force: true,
            rules: Rules { never: vec![".ad".to_owned()], ..Rules::default() },
            ..Wanted::default()
        };
        wanted.lay(&mut wish).unwrap();
        assert_eq!((wish.title.as_str(), wish.tags.len(), wish.force), ("A", 0, false));
        assert_eq!(wish.notify, ["none"]);
        assert_eq!((wish.rules.only.len(), wish.rules.never.len(), wish.rules.words_min), (1, 1, 3));
    }

    #[test]
    fn shares_are_percent_or_parts() {
        assert_eq!((share("5%"), share("0.05"), share("1")), (Ok(0.05), Ok(0.05), Ok(1.0)));
        for text in ["5", "-1%", "many", "nan"] {
            assert!(share(text).is_err(), "{text}");
        }
    }
}
