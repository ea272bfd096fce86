//! Letters by templates: the built-in ones, or those that people write themselves.
//!
//! Templates are those of Jinja as far as a letter needs them: `{{ … }}`, `{% for %}`, `{% if %}`, and filters of our own. Nothing in them can make a
//! text grow without end, and every step is counted, so that no template holds anybody up.

mod context;
mod filters;
mod language;
mod sample;

use std::fmt;
use std::io;
use std::ops::Range;

use jiff::Timestamp;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::ValueKind;
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, Value};
use serde::Serialize;

use crate::bounded::{cut, one_line};
use crate::error::Error;
use crate::limits::{FUEL_MAX, HTML_MAX, LETTER_SUBJECT_MAX, TEMPLATE_BYTES_MAX, TEXT_MAX};
use crate::mail::Letter;

/// The templates for a letter.
///
/// ```
/// use notify::{Bulletin, News, Templates};
///
/// let templates = Templates::new("{{ news|pages }} new", "{% for item in news %}{{ item.url }}\n{% endfor %}", "")?;
/// let news = News { url: "https://harbour.example.org/".to_owned(), ..News::default() };
/// let parts = templates.render(&Bulletin { news: vec![news], ..Bulletin::default() })?;
/// assert_eq!((parts.subject.as_str(), parts.text.as_str()), ("1 new", "https://harbour.example.org/\n"));
///
/// let error = Templates::new("{{ nwes|length }}", Templates::TEXT, Templates::HTML).unwrap_err();
/// assert_eq!(error.to_string(), "the template for the subject, line 1: there is no `nwes`");
/// # Ok::<(), notify::Error>(())
/// ```
///
/// They get what a [`Bulletin`](crate::Bulletin) holds. In HTML every text is escaped, but for `html` of a piece of news, which is trusted. There are
/// the filters `default`, `first`, `last`, `length`, `lines`, `lower`, `trim`, `truncate` and `upper`; `date`, which writes a time for people; `kind`,
/// which leaves news of one kind; `pages`, which counts the pages of news; `marked`, which colours `<del>` and `<ins>`; and the tests `defined` and
/// `startingwith`.
pub struct Templates {
    environment: Environment<'static>,
    has_html: bool,
}

/// A letter but for its id and its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// What it is about, in a line.
    pub subject: String,
    /// What it says.
    pub text: String,
    /// The same in HTML.
    pub html: Option<String>,
}

impl Parts {
    /// The letter.
    #[must_use]
    pub fn letter(self, id: impl Into<String>, at: Timestamp) -> Letter {
        let Parts { subject, text, html } = self;
        Letter { id: id.into(), subject, text, html, at }
    }
}

/// What a part is called in complaints, what its template is called, and how long it may become.
const SUBJECT: (&str, &str, usize) = ("subject", "subject.txt", 16 << 10);
const TEXT: (&str, &str, usize) = ("text", "letter.txt", TEXT_MAX + 4);
const HTML: (&str, &str, usize) = ("HTML", "letter.html", HTML_MAX);

impl Templates {
    /// The built-in template for the subject.
    pub const SUBJECT: &str = include_str!("built_in/subject.txt");
    /// The built-in template for the text.
    pub const TEXT: &str = include_str!("built_in/letter.txt");
    /// The built-in template for the HTML.
    pub const HTML: &str = include_str!("built_in/letter.html");

    /// Takes templates; where the last is empty, letters are text alone. They are tried with made-up news at once.
    ///
    /// # Errors
    /// [`Error::Template`] with the line, and what is wrong there.
    pub fn new(subject: &str, text: &str, html: &str) -> Result<Templates, Error> {
        let mut environment = environment();
        for (part, source) in [(SUBJECT, subject), (TEXT, text), (HTML, html)] {
            let wrong = |line: usize, why: String| Error::Template { part: part.0, line, why };
            if source.len() > TEMPLATE_BYTES_MAX {
                return Err(wrong(1, format!("it is longer than {TEMPLATE_BYTES_MAX} bytes")));
            }
            language::check(source, syntax()).map_err(|(line, why)| wrong(line, why))?;
            let added = environment.add_template_owned(part.1, source.to_owned());
            added.map_err(|error| complaint(part.0, source, &error))?;
        }
        let mut templates = Templates { environment, has_html: !html.trim().is_empty() };
        templates.environment.set_undefined_behavior(UndefinedBehavior::Strict);
        sample::bulletins().iter().try_for_each(|sample| templates.render(sample).map(drop))?;
        // What was tried does not fail for a name; that news has not all of them must not keep a letter back.
        templates.environment.set_undefined_behavior(UndefinedBehavior::Chainable);
        Ok(templates)
    }

    /// Puts a letter together. Texts that are too long are cut, and what is in a list beyond the first few hundred is left out. A text that becomes too
    /// long all the same is cut as well, and of such HTML nothing is left: it would not end as it should.
    ///
    /// # Errors
    /// [`Error::Template`] if that takes too many steps; the built-in ones never do.
    pub fn render(&self, bulletin: &impl Serialize) -> Result<Parts, Error> {
        let context = context::read(bulletin).map_err(|why| Error::Letter { why })?;
        let subject = self.render_part(SUBJECT, &context)?.text;
        let subject = subject.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = self.render_part(TEXT, &context)?.text;
        let html = self.has_html.then(|| self.render_part(HTML, &context)).transpose()?;
        let html = html.filter(|page| !page.is_full).map(|page| page.text);
        Ok(Parts { subject: one_line(&subject, LETTER_SUBJECT_MAX), text: cut(text, TEXT_MAX), html })
    }

    fn render_part(&self, part: (&'static str, &str, usize), context: &Value) -> Result<Page, Error> {
        let (part, name, bytes_max) = part;
        let template = self.environment.get_template(name).map_err(|error| complaint(part, "", &error))?;
        let mut page = Page { text: String::new(), bytes_max, is_full: false };
        match template.render_captured_to(context.clone(), &mut page) {
            Err(error) if !page.is_full => Err(complaint(part, template.source(), &error)),
            _ => Ok(page),
        }
    }
}

/// The built-in ones.
impl Default for Templates {
    fn default() -> Templates {
        // A test sees to it that they are right.
        Templates::new(Templates::SUBJECT, Templates::TEXT, Templates::HTML)
            .unwrap_or_else(|_| Templates { environment: environment(), has_html: false })
    }
}

impl fmt::Debug for Templates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Templates")
    }
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    filters::add(&mut environment);
    // Complaints tell the place without it, too, and what news says is nobody's business.
    environment.set_debug(false);
    environment.set_fuel(Some(FUEL_MAX));
    environment.set_auto_escape_callback(|name| match name == HTML.1 {
        true => AutoEscape::Html,
        false => AutoEscape::None,
    });
    environment.set_formatter(|output, state, value| {
        let is_html = matches!(state.auto_escape(), AutoEscape::Html) && !value.is_safe();
        match (value.kind(), value.as_str()) {
            (ValueKind::Undefined | ValueKind::None, _) => Ok(()),
            (ValueKind::Number | ValueKind::Bool, _) => Ok(write!(output, "{value}")?),
            (_, Some(text)) if is_html => Ok(output.write_str(&escaped(text))?),
            (_, Some(text)) => Ok(output.write_str(text)?),
            _ => Err(minijinja::Error::new(ErrorKind::InvalidOperation, "a list or a table is no text")),
        }
    });
    environment.set_syntax(syntax());
    environment
}

fn syntax() -> SyntaxConfig {
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    // The usual signs are never wrong.
    syntax.build().unwrap_or_default()
}

/// Text as it stands in HTML, also in an attribute. The engine's own escapes every slash, and links that look like that are held for spam.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}

/// What is wrong, in our words where its own say too little.
fn complaint(part: &'static str, source: &str, error: &minijinja::Error) -> Error {
    let named = error.range().and_then(|range| named(source, range)).unwrap_or_default();
    let named = one_line(named, 60);
    let why = match error.kind() {
        ErrorKind::UndefinedError if !named.is_empty() => format!("there is no `{named}`"),
        ErrorKind::OutOfFuel => "it takes too many steps".to_owned(),
        kind => error.detail().map_or_else(|| kind.to_string(), str::to_owned),
    };
    Error::Template { part, line: error.line().unwrap_or(1), why }
}

/// What is meant by a place in a template; if that is a filter, what it was given.
fn named(source: &str, place: Range<usize>) -> Option<&str> {
    let before = source.get(..place.start)?.trim_end();
    let Some(before) = before.strip_suffix('|') else { return source.get(place).map(str::trim) };
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    before.trim_end().rsplit(|c| !is_name(c)).next()
}

/// What is written on, and where it ends.
struct Page {
    text: String,
    bytes_max: usize,
    /// Whether more was to be written.
    is_full: bool,
}

impl io::Write for Page {
    /// The engine writes whole texts.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData)?;
        let room = self.bytes_max.saturating_sub(self.text.len());
        self.text.push_str(text.get(..text.floor_char_boundary(room)).unwrap_or_default());
        self.is_full = text.len() > room;
        if self.is_full { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
