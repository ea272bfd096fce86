//! Colours, where they are wanted. Nothing is said by colour alone.

use std::fmt::{self, Display};

use anstyle::{AnsiColor, Style};

use crate::args::Color;

/// Paints text, or leaves it plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint {
    on: bool,
}

impl Paint {
    /// `--color` decides; left to itself, colours are for terminals whose user has not set `NO_COLOR`.
    pub(crate) fn decide(color: Color, is_terminal: bool, no_color: bool) -> Self {
        let on = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && !no_color,
        };
        Self { on }
    }

    /// Whether anything is painted.
    pub(crate) fn is_on(self) -> bool {
        self.on
    }

    /// For what is wrong.
    pub(crate) fn bad<T: Display>(self, text: T) -> Painted<T> {
        self.style(text, AnsiColor::Red.on_default().bold())
    }

    /// For what deserves a second look.
    pub(crate) fn odd<T: Display>(self, text: T) -> Painted<T> {
        self.style(text, AnsiColor::Yellow.on_default().bold())
    }

    /// For what is well.
    pub(crate) fn good<T: Display>(self, text: T) -> Painted<T> {
        self.style(text, AnsiColor::Green.on_default().bold())
    }

    /// For headings.
    pub(crate) fn strong<T: Display>(self, text: T) -> Painted<T> {
        self.style(text, Style::new().bold())
    }

    /// For what matters least.
    pub(crate) fn faint<T: Display>(self, text: T) -> Painted<T> {
        self.style(text, Style::new().dimmed())
    }

    fn style<T: Display>(self, text: T, style: Style) -> Painted<T> {
        Painted { text, style: self.on.then_some(style) }
    }
}

/// Text with or without its colour.
pub(crate) struct Painted<T> {
    text: T,
    style: Option<Style>,
}

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.style {
            Some(style) => write!(f, "{style}{}{style:#}", self.text),
            None => self.text.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_color_is_obeyed_unless_the_option_says_otherwise() {
        let on = |color, is_terminal, no_color| Paint::decide(color, is_terminal, no_color).is_on();
        assert!(on(Color::Auto, true, false));
        assert!(!on(Color::Auto, true, true));
        assert!(!on(Color::Auto, false, false));
        assert!(on(Color::Always, false, true));
        assert!(!on(Color::Never, true, false));
    }

    #[test]
    fn plain_text_stays_plain() {
        let plain = Paint::decide(Color::Never, true, false);
        assert_eq!(plain.bad("x").to_string(), "x");
        let painted = Paint::decide(Color::Always, false, false);
        assert!(painted.bad("x").to_string().starts_with('\x1b'));
    }
}
