//! What is wanted of a watch, as options. What is not given stays as it is; `none` takes a list or a time away.

use api::watches::WatchWish;

use crate::rule_options::{Rules, list, switch};

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

#[cfg(test)]
mod tests {
    use diff::RuleSet;

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
        let mut rules = Rules::default();
        rules.never = vec![".ad".to_owned()];
        let wanted = Wanted {
            tags: vec!["none".to_owned()],
            notify: vec!["none".to_owned()],
            no_force: true,
            rules,
            ..Wanted::default()
        };
        wanted.lay(&mut wish).unwrap();
        assert_eq!((wish.title.as_str(), wish.tags.len(), wish.force), ("A", 0, false));
        assert_eq!(wish.notify, ["none"]);
        assert_eq!((wish.rules.only.len(), wish.rules.never.len(), wish.rules.words_min), (1, 1, 3));
    }
}
