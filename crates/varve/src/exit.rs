//! The exit codes of every verb, in one place. `docs/exit-codes.md` and `varve --help` are checked against this table.

use std::fmt::Write as _;
use std::process::ExitCode;

/// How a run ended, as the shell sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// What was asked is done. A reader that closed the pipe early counts as satisfied.
    Done = 0,
    /// It could not be done, or it was done and what was looked at is bad.
    Failed = 1,
    /// The command line was not understood; nothing was done.
    Usage = 2,
    /// A page is another than it was.
    Changed = 3,
    /// A page could not be had.
    Missing = 4,
}

impl Exit {
    /// All of them, in order.
    pub(crate) const ALL: [Self; 5] = [Self::Done, Self::Failed, Self::Usage, Self::Changed, Self::Missing];

    /// What it means, in the words of the documentation.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done; also when the reader of a pipe went away early",
            Self::Failed => "failed, or what was checked is bad",
            Self::Usage => "wrong usage; nothing was done",
            Self::Changed => "a page has changed",
            Self::Missing => "a page could not be had",
        }
    }

    /// The number that the shell gets.
    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    /// The section of the long help text.
    pub(crate) fn help() -> String {
        let mut text = String::from("Exit codes:\n");
        for exit in Self::ALL {
            let _ = writeln!(text, "  {}  {}", exit.code(), exit.meaning());
        }
        text
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_documented_with_its_meaning() {
        let page = include_str!("../../../docs/exit-codes.md");
        for exit in Exit::ALL {
            let row = format!("| {} | {} |", exit.code(), exit.meaning());
            assert!(page.contains(&row), "docs/exit-codes.md lacks the row `{row}`");
        }
    }
}
