//! The kinds of values that settings have: how each is read from a file or the command line, and how it is written.
//!
//! A kind says in words what it allows, so that every complaint tells the way out.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use toml::de::DeValue;

use super::{size, time};

/// The word for "there is none": no bound, no proxy, nothing of what was said before.
pub const NONE: &str = "none";

/// What stands in a file or on the command line, before it is understood.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw {
    /// A string, or any word of the command line.
    Text(String),
    /// A number, as it is spelled.
    Number(String),
    /// `true` or `false`.
    Bool(bool),
    /// Several of them.
    List(Vec<Raw>),
    /// Something that no setting is: a table or a date.
    Other(&'static str),
}

impl Raw {
    /// What a TOML value holds.
    pub fn of(value: &DeValue<'_>) -> Raw {
        match value {
            DeValue::String(text) => Raw::Text(text.clone().into_owned()),
            DeValue::Integer(number) if number.radix() == 10 => Raw::Number(number.as_str().to_owned()),
            DeValue::Integer(number) => {
                let number = u64::from_str_radix(number.as_str(), number.radix());
                number.map_or(Raw::Other("a number"), |number| Raw::Number(number.to_string()))
            }
            DeValue::Float(number) => Raw::Number(number.as_str().to_owned()),
            DeValue::Boolean(is_so) => Raw::Bool(*is_so),
            DeValue::Array(items) => Raw::List(items.iter().map(|item| Raw::of(item.get_ref())).collect()),
            DeValue::Datetime(_) => Raw::Other("a date"),
            DeValue::Table(_) => Raw::Other("a table"),
        }
    }

    /// The words of a value that is one, a string or a number.
    fn word(&self) -> Option<&str> {
        match self {
            Raw::Text(text) | Raw::Number(text) => Some(text),
            _ => None,
        }
    }

    /// How a complaint calls it.
    pub fn shown(&self) -> String {
        match self {
            Raw::Text(text) => quoted(text),
            Raw::Number(text) => text.clone(),
            Raw::Bool(is_so) => is_so.to_string(),
            Raw::List(_) => "a list".to_owned(),
            Raw::Other(what) => (*what).to_owned(),
        }
    }
}

/// A value and the folder that paths in it start from.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The value.
    pub raw: &'a Raw,
    /// Where it stands: the folder of its file, or the current one.
    pub folder: &'a Path,
}

/// A value that is not allowed.
#[derive(Debug, Default, PartialEq)]
pub struct Wrong {
    /// Why, where there is more to say than what is allowed; a sentence about "it".
    pub reason: Option<String>,
    /// Which of a list it is.
    pub item: Option<String>,
}

/// A kind of value.
pub trait Kind: Sized + Clone {
    /// Whether it is a switch, which the command line need not give a value.
    const IS_SWITCH: bool = false;
    /// Whether several may be given.
    const IS_LIST: bool = false;

    /// What is allowed, in words.
    fn allowed() -> String;
    /// Understands a value.
    fn read(given: &Given<'_>) -> Result<Self, Wrong>;
    /// As it is written in a file.
    fn show(&self) -> String;
    /// What holds if `lower` was said before and `upper` after it. Says whether something of `lower` is left.
    fn join(_lower: &Self, upper: &Self) -> (Self, bool) {
        (upper.clone(), false)
    }
}

/// A string as TOML writes it.
pub fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

impl Kind for bool {
    const IS_SWITCH: bool = true;

    fn allowed() -> String {
        "true or false".to_owned()
    }

    fn read(given: &Given<'_>) -> Result<bool, Wrong> {
        match given.raw {
            Raw::Bool(is_so) => Ok(*is_so),
            Raw::Text(text) if text == "true" => Ok(true),
            Raw::Text(text) if text == "false" => Ok(false),
            _ => Err(Wrong::default()),
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

/// A whole number within bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number<const MIN: u64, const MAX: u64>(pub u64);

impl<const MIN: u64, const MAX: u64> Kind for Number<MIN, MAX> {
    fn allowed() -> String {
        // A bound that nobody meets is not worth a word.
        match (MIN, MAX >= u64::from(u32::MAX)) {
            (0, true) => "a number".to_owned(),
            (_, true) => format!("a number from {MIN} on"),
            (_, false) => format!("a number from {MIN} to {MAX}"),
        }
    }

    fn read(given: &Given<'_>) -> Result<Self, Wrong> {
        let number = given.raw.word().and_then(|word| word.replace('_', "").parse::<u64>().ok());
        number.filter(|number| (MIN..=MAX).contains(number)).map(Number).ok_or_else(Wrong::default)
    }

    fn show(&self) -> String {
        self.0.to_string()
    }
}

/// A number with a fraction, not below zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factor(pub f32);

impl Kind for Factor {
    fn allowed() -> String {
        "a number such as 2 or 0.5".to_owned()
    }

    fn read(given: &Given<'_>) -> Result<Self, Wrong> {
        let number = given.raw.word().and_then(|word| word.parse::<f32>().ok());
        number.filter(|number| number.is_finite() && *number >= 0.0).map(Factor).ok_or_else(Wrong::default)
    }

    fn show(&self) -> String {
        format!("{:?}", self.0)
    }
}

impl Kind for Duration {
    fn allowed() -> String {
        time::ALLOWED.to_owned()
    }

    fn read(given: &Given<'_>) -> Result<Self, Wrong> {
        given.raw.word().and_then(time::parse).ok_or_else(Wrong::default)
    }

    fn show(&self) -> String {
        quoted(&time::show(*self))
    }
}

/// An amount of bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size(pub u64);

impl Kind for Size {
    fn allowed() -> String {
        size::ALLOWED.to_owned()
    }

    fn read(given: &Given<'_>) -> Result<Self, Wrong> {
        given.raw.word().and_then(size::parse).map(Size).ok_or_else(Wrong::default)
    }

    fn show(&self) -> String {
        let shown = size::show(self.0);
        if shown.bytes().all(|byte| byte.is_ascii_digit()) { shown } else { quoted(&shown) }
    }
}

/// An amount of bytes where nothing would make no sense: a portion, or so much in a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portion(pub u64);

impl Kind for Portion {
    fn allowed() -> String {
        size::ALLOWED_SOME.to_owned()
    }

    fn read(given: &Given<'_>) -> Result<Self, Wrong> {
        Size::read(given)
            .and_then(|size| if size.0 > 0 { Ok(Portion(size.0)) } else { Err(Wrong::default()) })
    }

    fn show(&self) -> String {
        Size(self.0).show()
    }
}

impl Kind for String {
    fn allowed() -> String {
        "a text in one line".to_owned()
    }

    fn read(given: &Given<'_>) -> Result<Self, Wrong> {
        match given.raw {
            Raw::Text(text) if !text.contains(['\r', '\n', '\0']) => Ok(text.clone()),
            _ => Err(Wrong::default()),
        }
    }

    fn show(&self) -> String {
        quoted(self)
    }
}

/// What may be absent is absent by the word for it.
impl<K: Kind> Kind for Option<K> {
    fn allowed() -> String {
        format!("{}, or \"{NONE}\"", K::allowed())
    }

    fn read(given: &Given<'_>) -> Result<Self, Wrong> {
        if *given.raw == Raw::Text(NONE.to_owned()) { Ok(None) } else { K::read(given).map(Some) }
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(|| quoted(NONE), Kind::show)
    }
}

/// The path of a file, seen from where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct FilePath(pub PathBuf);

impl Kind for FilePath {
    fn allowed() -> String {
        "the path of a file".to_owned()
    }

    fn read(given: &Given<'_>) -> Result<Self, Wrong> {
        match given.raw {
            Raw::Text(text) if text == "-" => Ok(FilePath(PathBuf::from(text))),
            Raw::Text(text) if !text.is_empty() => Ok(FilePath(given.folder.join(text))),
            _ => Err(Wrong::default()),
        }
    }

    fn show(&self) -> String {
        quoted(&self.0.to_string_lossy())
    }
}

/// Text that another part of the program understands; kept as it was written, too.
#[derive(Clone, PartialEq)]
pub struct Parsed<T> {
    /// As it was written.
    pub text: String,
    /// What it means.
    pub value: T,
}

/// What [`Parsed`] needs to know of a type.
pub trait Readable: FromStr + Clone {
    /// What is allowed, in words.
    const ALLOWED: &'static str;

    /// What more there is to say about what is not, as a sentence about "it".
    fn reason(_error: Self::Err) -> Option<String> {
        None
    }

    /// What may be told of a text that may hold a secret; `None` if that is all of it.
    fn discreet(_text: &str) -> Option<String> {
        None
    }
}

impl<T: Readable> Kind for Parsed<T> {
    fn allowed() -> String {
        T::ALLOWED.to_owned()
    }

    fn read(given: &Given<'_>) -> Result<Self, Wrong> {
        let text = given.raw.word().ok_or_else(Wrong::default)?;
        let value = text.parse().map_err(|error: T::Err| {
            // Complaints call what is wrong by its item, if there is one, and not by all that was given.
            Wrong { reason: T::reason(error), item: T::discreet(text).as_deref().map(quoted) }
        })?;
        Ok(Parsed { text: text.to_owned(), value })
    }

    fn show(&self) -> String {
        quoted(T::discreet(&self.text).as_deref().unwrap_or(&self.text))
    }
}

/// A list that takes the place of any that was said before.
impl<K: Kind> Kind for Vec<K> {
    const IS_LIST: bool = true;

    fn allowed() -> String {
        format!("a list, each of it {}", K::allowed())
    }

    fn read(given: &Given<'_>) -> Result<Self, Wrong> {
        match given.raw {
            Raw::List(items) => {
                let read = |raw: &Raw| {
                    let item = || Some(raw.shown());
                    K::read(&Given { raw, ..*given })
                        .map_err(|wrong| Wrong { item: wrong.item.or_else(item), ..wrong })
                };
                items.iter().map(read).collect()
            }
            // One needs no brackets.
            _ => K::read(given).map(|item| vec![item]),
        }
    }

    fn show(&self) -> String {
        let items: Vec<String> = self.iter().map(Kind::show).collect();
        format!("[{}]", items.join(", "))
    }
}

/// A list that adds to what was said before, unless `"none"` is its first word.
#[derive(Clone, Debug, PartialEq)]
pub struct Added<K> {
    /// What is in it.
    pub items: Vec<K>,
    /// Whether what was said before does not count.
    is_all: bool,
}

impl<K> Default for Added<K> {
    fn default() -> Self {
        Added { items: Vec::new(), is_all: false }
    }
}

impl<K: Kind> Kind for Added<K> {
    const IS_LIST: bool = true;

    fn allowed() -> String {
        <Vec<K>>::allowed()
    }

    fn read(given: &Given<'_>) -> Result<Self, Wrong> {
        let is_none = |raw: &Raw| *raw == Raw::Text(NONE.to_owned());
        match given.raw {
            raw if is_none(raw) => Ok(Added { items: Vec::new(), is_all: true }),
            Raw::List(items) if items.first().is_some_and(is_none) => {
                let rest = Raw::List(items.iter().skip(1).cloned().collect());
                let items = <Vec<K>>::read(&Given { raw: &rest, ..*given })?;
                Ok(Added { items, is_all: true })
            }
            _ => <Vec<K>>::read(given).map(|items| Added { items, is_all: false }),
        }
    }

    fn show(&self) -> String {
        self.items.show()
    }

    fn join(lower: &Self, upper: &Self) -> (Self, bool) {
        if upper.is_all || lower.items.is_empty() {
            return (upper.clone(), false);
        }
        let items = lower.items.iter().chain(&upper.items).cloned().collect();
        (Added { items, is_all: lower.is_all }, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<K: Kind>(toml: &str, shown: Option<&str>) {
        let document = toml::de::DeTable::parse(toml).unwrap();
        let raw = Raw::of(document.get_ref().get("a").unwrap().get_ref());
        let read = K::read(&Given { raw: &raw, folder: Path::new("/folder") });
        assert_eq!(read.ok().map(|value| value.show()).as_deref(), shown, "{toml}");
    }

    #[test]
    fn numbers_keep_their_bounds() {
        check::<Number<1, 9>>("a = 9", Some("9"));
        check::<Number<0, 99_999>>("a = 25_000", Some("25000"));
        check::<Number<0, 99>>("a = 0x10", Some("16"));
        for toml in ["a = 0", "a = 10", "a = -1", "a = 1.5", "a = true", "a = []", "a = {}", "a = 'x'"] {
            check::<Number<1, 9>>(toml, None);
        }
    }

    #[test]
    fn what_may_be_absent_says_none() {
        check::<Option<Duration>>("a = 'none'", Some("\"none\""));
        check::<Option<Duration>>("a = '90s'", Some("\"90s\""));
        check::<Option<Duration>>("a = 1.5", Some("\"1500ms\""));
        check::<Option<Size>>("a = '10MB'", Some("\"10MB\""));
        check::<Option<Size>>("a = 17", Some("17"));
        check::<Option<Size>>("a = 'much'", None);
        check::<Option<Portion>>("a = '10MB'", Some("\"10MB\""));
        check::<Option<Portion>>("a = 0", None);
        check::<Option<Portion>>("a = '0MB'", None);
    }

    #[test]
    fn one_thing_is_a_list_of_one() {
        check::<Vec<String>>("a = 'x'", Some("[\"x\"]"));
        check::<Vec<String>>("a = ['x', \"y\\\"\"]", Some("[\"x\", 'y\"']"));
        check::<Vec<String>>("a = ['x', 1]", None);
        check::<Vec<String>>("a = \"two\\nlines\"", None);
    }

    #[test]
    fn paths_start_where_they_are_written() {
        check::<FilePath>("a = 'traps.txt'", Some("\"/folder/traps.txt\""));
        check::<FilePath>("a = '/etc/traps'", Some("\"/etc/traps\""));
        check::<FilePath>("a = '-'", Some("\"-\""));
        check::<FilePath>("a = ''", None);
    }

    #[test]
    fn lists_add_up_unless_none_is_said() {
        let read = |words: &[&str]| {
            let raw = Raw::List(words.iter().map(|word| Raw::Text((*word).to_owned())).collect());
            Added::<String>::read(&Given { raw: &raw, folder: Path::new("") }).unwrap()
        };
        let joined = |lower: &[&str], upper: &[&str]| {
            let (joined, is_mixed) = Added::join(&read(lower), &read(upper));
            (joined.show(), is_mixed)
        };
        assert_eq!(joined(&["a"], &["b"]), ("[\"a\", \"b\"]".to_owned(), true));
        assert_eq!(joined(&["a"], &["none", "b"]), ("[\"b\"]".to_owned(), false));
        assert_eq!(joined(&["a"], &["none"]), ("[]".to_owned(), false));
        assert_eq!(joined(&[], &["b"]), ("[\"b\"]".to_owned(), false));
    }
}
