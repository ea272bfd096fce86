//! Shows the progress of a running crawl: two lines at the bottom of a terminal, or a line now and then where there is none.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use job::Progress;

use crate::talk::Talk;
use crate::terminal::{amount, escape};

/// How often a line is printed where nothing can be redrawn (D7).
pub(crate) const EVERY: Duration = Duration::from_secs(20);

/// What moves at the bottom of the terminal.
pub(crate) struct Live {
    bar: ProgressBar,
    is_drawn: bool,
    told: Option<Duration>,
}

impl Live {
    pub(crate) fn new(talk: &Talk) -> Live {
        let bar = talk.bars().add(ProgressBar::new_spinner());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        let is_drawn = !bar.is_hidden();
        Live { bar, is_drawn, told: None }
    }

    /// Shows the progress; `elapsed` is the time since the crawl was begun.
    pub(crate) fn show(&mut self, progress: &Progress, elapsed: Duration, talk: &Talk) {
        if self.is_drawn {
            self.bar.tick();
            self.bar.set_message(lines(progress).join("\n  "));
        } else if self.told.is_none_or(|told| elapsed.saturating_sub(told) >= EVERY) {
            // The first line comes after a while: a short crawl needs none.
            if self.told.is_some() {
                talk.note(&one_line(progress));
            }
            self.told = Some(elapsed);
        }
    }

    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// The progress in a few lines.
pub(crate) fn lines(progress: &Progress) -> Vec<String> {
    let mut lines = vec![one_line(progress)];
    let mut more = vec![format!("{} active", progress.active), format!("{} wanted", hosts(progress.hosts))];
    if progress.postponed > 0 {
        more.push(format!("{} put off", amount::grouped(progress.postponed)));
    }
    for (count, what) in [
        (progress.duplicates, "unchanged"),
        (progress.gone, "gone"),
        (progress.filtered, "filtered"),
        (progress.failed, "failed"),
        (progress.robots, "forbidden by robots.txt"),
    ] {
        if count > 0 {
            more.push(format!("{} {what}", amount::grouped(count)));
        }
    }
    if let Some((host, seconds)) = progress.slowest.as_ref().filter(|(_, seconds)| *seconds >= 1.0) {
        more.push(format!("slowest {} {seconds:.0} s", escape(host)));
    }
    if let Some(left) = progress.budget_left {
        more.push(format!("budget lasts {}", time(left)));
    }
    lines.push(more.join(", "));
    if let Some(why) = &progress.why {
        lines.push(format!("paused: {}", escape(why)));
    }
    lines
}

fn one_line(progress: &Progress) -> String {
    format!(
        "{} {}: {} documents, {}, {:.1}/s, {} queued, {}",
        escape(&progress.job),
        progress.state,
        amount::grouped(progress.documents),
        amount::bytes(progress.bytes),
        progress.per_second,
        amount::grouped(progress.queued),
        time(progress.seconds),
    )
}

fn hosts(count: u64) -> String {
    amount::counted(count, "host")
}

/// A time as people say it.
pub(crate) fn time(seconds: f64) -> String {
    let seconds = seconds.clamp(0.0, 1e9) as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_in_words() {
        let progress = Progress {
            job: "example.org-20261116040000".to_owned(),
            state: "running".to_owned(),
            seconds: 75.0,
            documents: 12_345,
            bytes: 5 << 20,
            per_second: 164.6,
            queued: 678,
            active: 3,
            hosts: 1,
            gone: 2,
            slowest: Some(("a.example.org".to_owned(), 12.4)),
            budget_left: Some(7200.0),
            ..Progress::default()
        };
        assert_eq!(
            lines(&progress),
            [
                "example.org-20261116040000 running: 12,345 documents, 5.2 MB, 164.6/s, 678 queued, 1 min 15 s",
                "3 active, 1 host wanted, 2 gone, slowest a.example.org 12 s, budget lasts 2 h 00 min",
            ]
        );
    }
}
