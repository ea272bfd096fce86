//! A small bar chart for the terminal.

use unicode_width::UnicodeWidthStr as _;

use super::{Align, Columns, escape};

/// How long the longest bar is, in characters.
const BAR_WIDTH: u64 = 30;

/// Labels with an amount each, drawn as bars against the largest of them.
///
/// ```text
/// text/html   ██████████████████████████████  55.0 %  1.2 GB
/// image/jpeg  ████████████████▍               30.1 %  660.0 MB
/// ```
#[derive(Clone, Debug, Default)]
pub(crate) struct Chart {
    bars: Vec<(String, u64, String)>,
}

impl Chart {
    /// Adds a bar: what it is, how much, and the amount in words.
    pub(crate) fn bar(&mut self, label: impl Into<String>, amount: u64, words: impl Into<String>) {
        self.bars.push((label.into(), amount, words.into()));
    }

    /// The lines, in the order in which the bars were added. Shares are of the sum of all bars.
    pub(crate) fn lines(&self) -> Vec<String> {
        let label_width = self.bars.iter().map(|(label, ..)| escape(label).width()).max().unwrap_or(0);
        let words_width = self.bars.iter().map(|(.., words)| words.width()).max().unwrap_or(0);
        let largest = self.bars.iter().map(|(_, amount, _)| *amount).max().unwrap_or(0);
        let sum: u128 = self.bars.iter().map(|(_, amount, _)| u128::from(*amount)).sum();
        let bar_width = usize::try_from(BAR_WIDTH).unwrap_or(0);
        let columns = Columns::new([
            (Align::Left, label_width),
            (Align::Left, bar_width),
            (Align::Right, "100.0 %".len()),
            (Align::Right, words_width),
        ]);
        let line = |(label, amount, words): &(String, u64, String)| {
            columns.row([label, &draw(*amount, largest), &share(*amount, sum), words].map(String::as_str))
        };
        self.bars.iter().map(line).collect()
    }
}

/// A bar in eighths of a character; what is not nothing shows as at least an eighth.
fn draw(amount: u64, largest: u64) -> String {
    let full = u128::from(BAR_WIDTH) * 8;
    let eighths = (u128::from(amount) * full).checked_div(u128::from(largest)).unwrap_or(0);
    let eighths = if amount > 0 { eighths.max(1) } else { 0 };
    let whole = usize::try_from(eighths / 8).unwrap_or(0);
    let rest = match eighths % 8 {
        0 => "",
        1 => "▏",
        2 => "▎",
        3 => "▍",
        4 => "▌",
        5 => "▋",
        6 => "▊",
        _ => "▉",
    };
    format!("{}{rest}", "█".repeat(whole))
}

/// The share of the sum in percent with one decimal.
fn share(amount: u64, sum: u128) -> String {
    let permille = (u128::from(amount) * 1000).checked_div(sum).unwrap_or(0);
    format!("{}.{} %", permille / 10, permille % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_drawn_against_the_largest() {
        let mut chart = Chart::default();
        chart.bar("text/html", 60, "60 B");
        chart.bar("dns", 15, "15 B");
        chart.bar("none", 0, "0 B");
        let full = "█".repeat(30);
        let quarter = format!("{}▌{}", "█".repeat(7), " ".repeat(22));
        let none = " ".repeat(30);
        assert_eq!(
            chart.lines(),
            [
                format!("text/html  {full}   80.0 %  60 B"),
                format!("dns        {quarter}   20.0 %  15 B"),
                format!("none       {none}    0.0 %   0 B"),
            ]
        );
    }

    #[test]
    fn a_little_is_more_than_nothing() {
        assert_eq!(draw(1, u64::MAX), "▏");
        assert_eq!(draw(0, 0), "");
    }

    #[test]
    fn an_empty_chart_has_no_lines() {
        assert!(Chart::default().lines().is_empty());
    }
}
