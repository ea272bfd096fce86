//! Tables of settings: one row says a setting's name, kind, usual value and what it is for, and everything else follows from it.
//!
//! `table!` makes of the rows the struct that the program works with, the [`Layer`] that one source of settings fills, and
//! the [`Row`]s that the written pages, the command line and the complaints are made from.

use super::kind::{Given, Kind, Wrong};
use super::nearest::did_you_mean;
use super::origin::Origin;

/// One setting, as it is told to people.
pub struct Row {
    /// The part of the table it stands in.
    pub section: &'static str,
    /// Its name in a file.
    pub key: &'static str,
    /// What it is for: a line, and then perhaps more.
    pub help: &'static str,
    /// How the command line calls it, and the value behind that.
    pub flag: Option<(&'static str, &'static str)>,
    /// What is allowed, in words.
    pub allowed: fn() -> String,
    /// What holds if nobody says anything, as a file has it.
    pub usual: fn() -> String,
    /// Whether a value is allowed.
    pub check: fn(&Given<'_>) -> Result<(), Wrong>,
    /// Whether it is switched on by being named.
    pub is_switch: bool,
    /// Whether it may be given several times.
    pub is_list: bool,
}

impl Row {
    /// The help text as one paragraph, without the spaces that comments begin with.
    pub fn text(&self) -> String {
        let lines: Vec<&str> = self.help.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines.join(" ")
    }
}

/// A value that was set, and by whom.
#[derive(Clone)]
pub struct Set<K> {
    /// The value.
    pub value: K,
    /// Who said so; several where a list has grown.
    pub origins: Vec<Origin>,
}

/// A setting as it is in force, for `config show`.
#[derive(Debug, PartialEq)]
pub struct Shown {
    /// Its name.
    pub key: &'static str,
    /// Its value, as a file has it.
    pub value: String,
    /// Who said so; nobody, if it is what is built in.
    pub origins: Vec<Origin>,
}

/// What one source says of the settings of a table.
pub trait Layer: Default + Clone {
    /// What it can say something of.
    const ROWS: &'static [Row];

    /// Takes a value over. `Ok(false)` if there is no such setting.
    fn put(&mut self, key: &str, given: &Given<'_>, origin: Origin) -> Result<bool, Wrong>;
    /// Lays another source over this one.
    fn lay(&mut self, upper: &Self);
    /// Every setting as it is in force.
    fn shown(&self) -> Vec<Shown>;

    /// Takes a value over, or says in full what is wrong with it.
    fn set(&mut self, key: &str, given: &Given<'_>, origin: Origin) -> Result<(), Refused> {
        match self.put(key, given, origin) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Refused::unknown("setting", key, Self::ROWS.iter().map(|row| row.key))),
            Err(wrong) => {
                let allowed = Self::ROWS.iter().find(|row| row.key == key).map(|row| (row.allowed)());
                Err(Refused::wrong(key, given, wrong, &allowed.unwrap_or_default()))
            }
        }
    }
}

/// Why a setting was not taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What is wrong.
    pub message: String,
    /// The way out.
    pub hint: Option<String>,
}

impl Refused {
    /// There is nothing of this name.
    pub fn unknown<'name>(what: &str, name: &str, known: impl IntoIterator<Item = &'name str>) -> Refused {
        Refused { message: format!("there is no {what} `{name}`"), hint: did_you_mean(name, known) }
    }

    /// There is, and this is no value for it.
    pub fn wrong(key: &str, given: &Given<'_>, wrong: Wrong, allowed: &str) -> Refused {
        let shown = given.raw.shown();
        let (message, hint) = match (wrong.item, wrong.reason) {
            (None, None) => (format!("`{key}` is {allowed}, not {shown}"), None),
            (None, Some(reason)) => (format!("`{key}` cannot be {shown}: {reason}"), Some(())),
            (Some(item), None) => (format!("`{key}` cannot have {item} in it"), Some(())),
            (Some(item), Some(reason)) => (format!("`{key}` cannot have {item} in it: {reason}"), Some(())),
        };
        Refused { message, hint: hint.map(|()| format!("it is {allowed}")) }
    }
}

/// Sets one field of a layer.
pub(crate) fn put<K: Kind>(
    field: &mut Option<Set<K>>,
    given: &Given<'_>,
    origin: Origin,
) -> Result<bool, Wrong> {
    let value = K::read(given)?;
    *field = Some(Set { value, origins: vec![origin] });
    Ok(true)
}

/// Lays one field over another.
pub(crate) fn lay<K: Kind>(lower: &mut Option<Set<K>>, upper: &Option<Set<K>>) {
    let Some(upper) = upper else { return };
    let joined = match &*lower {
        None => upper.clone(),
        Some(lower) => {
            let (value, has_both) = K::join(&lower.value, &upper.value);
            let before = lower.origins.iter().filter(|_| has_both);
            Set { value, origins: before.chain(&upper.origins).cloned().collect() }
        }
    };
    *lower = Some(joined);
}

/// What is in force of one field.
pub(crate) fn shown<K: Kind>(key: &'static str, field: &Option<Set<K>>, usual: impl Fn() -> K) -> Shown {
    match field {
        Some(set) => Shown { key, value: set.value.show(), origins: set.origins.clone() },
        None => Shown { key, value: usual().show(), origins: Vec::new() },
    }
}

/// How the command line calls a setting: `flag("name", "VALUE")`, or `file()` if it does not.
macro_rules! flag {
    (file) => {
        None
    };
    (flag $name:literal $value:literal) => {
        Some(($name, $value))
    };
}

/// Makes a table of its rows: see the head of this file.
macro_rules! table {
    (
        $(#[$about:meta])* $values:ident, $layer:ident;
        $( section $section:literal; $(
            $(#[doc = $doc:literal])+
            $key:ident: $kind:ty = $usual:expr, $way:ident($($word:literal),*);
        )+ )+
    ) => {
        $(#[$about])*
        #[derive(Clone)]
        pub struct $values {
            $($( $(#[doc = $doc])+ pub $key: $kind, )+)+
        }

        /// What one source says of them.
        #[derive(Clone, Default)]
        pub struct $layer {
            $($( $(#[doc = $doc])+ pub $key: Option<$crate::table::Set<$kind>>, )+)+
        }

        impl $layer {
            /// What is in force: what was said, and what is usual where nothing was.
            pub fn values(&self) -> $values {
                $values {
                    $($( $key: self.$key.as_ref().map_or_else(|| $usual, |set| set.value.clone()), )+)+
                }
            }
        }

        impl $crate::table::Layer for $layer {
            const ROWS: &'static [$crate::table::Row] = &[
                $($( $crate::table::Row {
                    section: $section,
                    key: stringify!($key),
                    help: concat!($($doc, "\n"),+),
                    flag: $crate::table::flag!($way $($word)*),
                    allowed: <$kind as $crate::kind::Kind>::allowed,
                    usual: || <$kind as $crate::kind::Kind>::show(&$usual),
                    check: |given| <$kind as $crate::kind::Kind>::read(given).map(drop),
                    is_switch: <$kind as $crate::kind::Kind>::IS_SWITCH,
                    is_list: <$kind as $crate::kind::Kind>::IS_LIST,
                }, )+)+
            ];

            fn put(
                &mut self,
                key: &str,
                given: &$crate::kind::Given<'_>,
                origin: $crate::origin::Origin,
            ) -> Result<bool, $crate::kind::Wrong> {
                match key {
                    $($( stringify!($key) => $crate::table::put(&mut self.$key, given, origin), )+)+
                    _ => Ok(false),
                }
            }

            fn lay(&mut self, upper: &Self) {
                $($( $crate::table::lay(&mut self.$key, &upper.$key); )+)+
            }

            fn shown(&self) -> Vec<$crate::table::Shown> {
                vec![
                    $($( $crate::table::shown(stringify!($key), &self.$key, || $usual), )+)+
                ]
            }
        }
    };
}
pub(crate) use {flag, table};
