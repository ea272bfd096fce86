//! Sheets: settings that hold for a part of the web only, by SURT prefix.
//!
//! Of several sheets for one URL the longest prefix wins, setting by setting: a sheet for a folder that only says `delay`
//! leaves the agent that the sheet for its host says. For one and the same prefix the later sheet wins.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use url::Url;

use crate::error::excerpt;
use crate::prefixes::Prefixes;
use crate::seeds::any_prefix;
use crate::{Error, Limits, Patterns, surt};

/// One sheet as it is written: where it holds, and what it changes there.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sheet {
    /// For people and messages.
    pub name: String,
    /// SURT prefixes, URLs or host names. A URL stands for its folder, a host name for itself and all below it.
    pub prefixes: Vec<String>,
    /// Seconds between two requests to the host.
    pub delay: Option<f64>,
    /// The most documents.
    pub max_objects: Option<u64>,
    /// The most bytes.
    pub max_bytes: Option<u64>,
    /// Whether robots.txt is obeyed.
    pub robots: Option<Robots>,
    /// The name that is told to servers.
    pub agent: Option<String>,
    /// Further headers of each request. A name said here replaces the same name of a shorter prefix.
    pub headers: BTreeMap<String, String>,
    /// Patterns of URLs that are traps here, besides those that hold everywhere.
    pub traps: Vec<String>,
    /// The most links away from a seed.
    pub depth: Option<u32>,
    /// Leave this part out altogether.
    pub skip: Option<bool>,
}

/// What is done with a robots.txt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Robots {
    /// What it says holds.
    Obey,
    /// It is fetched and kept, and nothing else.
    Ignore,
}

/// All that the sheets change for one URL. What no sheet says is `None` or empty.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// Time between two requests to the host.
    pub delay: Option<Duration>,
    /// The most documents.
    pub max_objects: Option<u64>,
    /// The most bytes.
    pub max_bytes: Option<u64>,
    /// Whether robots.txt is obeyed.
    pub robots: Option<Robots>,
    /// The name that is told to servers.
    pub agent: Option<String>,
    /// Further headers of each request, by name.
    pub headers: BTreeMap<String, String>,
    /// Further traps. Those of every fitting prefix hold.
    pub traps: Vec<Arc<Patterns>>,
    /// The most links away from a seed.
    pub depth: Option<u32>,
    /// Whether this part is left out.
    pub skip: Option<bool>,
    /// The prefix that set the budget, under which objects and bytes are counted together.
    pub budget_prefix: Option<String>,
    /// The names of the sheets that had a say, the strongest last.
    pub sheets: Vec<String>,
}

/// All sheets of a crawl, ready to be asked.
#[derive(Debug, Clone, Default)]
pub struct Sheets {
    by_prefix: Prefixes<Overrides>,
    none: Overrides,
}

impl Sheets {
    /// Checks the sheets and lays them over each other.
    ///
    /// # Errors
    /// [`Error::Sheet`] names the sheet at fault.
    pub fn new(sheets: &[Sheet]) -> Result<Sheets, Error> {
        Sheets::new_within(sheets, &Limits::default())
    }

    /// With limits of one's own.
    ///
    /// # Errors
    /// As [`Sheets::new`].
    pub fn new_within(sheets: &[Sheet], limits: &Limits) -> Result<Sheets, Error> {
        let prefixes: usize = sheets.iter().map(|sheet| sheet.prefixes.len()).sum();
        for (what, found, most) in
            [("sheets", sheets.len(), limits.sheets_max), ("prefixes", prefixes, limits.sheet_prefixes_max)]
        {
            if found > most {
                return Err(Error::TooMany {
                    list: "sheets".to_owned(),
                    found: format!("{found} {what}"),
                    most,
                });
            }
        }
        let mut list: Vec<(String, Vec<Ready>)> = Vec::with_capacity(prefixes);
        for (number, sheet) in sheets.iter().enumerate() {
            let ready = Ready::new(sheet, number, limits)?;
            for prefix in &sheet.prefixes {
                let bad = |why| {
                    sheet
                        .fault(number, format!("its prefix `{}` {why}", excerpt(&urlkey::hide_login(prefix))))
                };
                list.push((any_prefix(prefix).map_err(bad)?, vec![ready.clone()]));
            }
        }
        let both = Prefixes::new(list, |one, other| [one, other].concat());
        let by_prefix = both.resolve(|base: Option<&Overrides>, prefix, said| {
            let mut merged = base.cloned().unwrap_or_default();
            said.iter().for_each(|ready| ready.lay_over(prefix, &mut merged));
            merged
        });
        Ok(Sheets { by_prefix, none: Overrides::default() })
    }

    /// What the sheets change for this URL.
    #[must_use]
    pub fn for_url(&self, url: &Url) -> &Overrides {
        if self.is_empty() { &self.none } else { self.for_surt(&surt::surt(url)) }
    }

    pub(crate) fn for_surt(&self, surt: &str) -> &Overrides {
        self.by_prefix.longest(surt).map_or(&self.none, |(_, overrides)| overrides)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_prefix.is_empty()
    }
}

/// The longest time between two requests that a sheet may ask for: a day.
const DELAY_MAX: f64 = 86_400.0;

impl Sheet {
    fn fault(&self, number: usize, why: String) -> Error {
        let sheet = if self.name.is_empty() { format!("number {}", number + 1) } else { excerpt(&self.name) };
        Error::Sheet { sheet, why }
    }

    fn check(&self, number: usize) -> Result<(), Error> {
        if self.prefixes.is_empty() {
            return Err(self.fault(number, "it has no prefixes, so it holds nowhere".to_owned()));
        }
        if let Some(delay) = self.delay.filter(|delay| !(0.0..=DELAY_MAX).contains(delay)) {
            return Err(
                self.fault(number, format!("a delay of {delay} seconds is none; 0 to {DELAY_MAX} are"))
            );
        }
        let is_token = |name: &str| {
            !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
        };
        let is_value = |value: &str| value.bytes().all(|byte| byte == b'\t' || !byte.is_ascii_control());
        for (name, value) in &self.headers {
            if !is_token(name) || !is_value(value) {
                return Err(self.fault(number, format!("the header `{}` cannot be sent", excerpt(name))));
            }
        }
        match &self.agent {
            Some(agent) if !is_value(agent) => {
                Err(self.fault(number, "its agent has a control character".to_owned()))
            }
            _ => Ok(()),
        }
    }
}

/// A sheet that was checked, its patterns compiled once for all its prefixes.
#[derive(Debug, Clone)]
struct Ready<'a> {
    sheet: &'a Sheet,
    name: String,
    traps: Option<Arc<Patterns>>,
}

impl<'a> Ready<'a> {
    fn new(sheet: &'a Sheet, number: usize, limits: &Limits) -> Result<Ready<'a>, Error> {
        sheet.check(number)?;
        let name = if sheet.name.is_empty() { format!("number {}", number + 1) } else { sheet.name.clone() };
        let list = format!("traps of sheet `{}`", excerpt(&name));
        let traps = Patterns::new_within(&list, sheet.traps.iter().map(String::as_str), limits)?;
        Ok(Ready { sheet, name, traps: (!traps.is_empty()).then(|| Arc::new(traps)) })
    }

    fn lay_over(&self, prefix: &str, merged: &mut Overrides) {
        let sheet = self.sheet;
        merged.delay = sheet.delay.map(Duration::from_secs_f64).or(merged.delay);
        if sheet.max_objects.is_some() || sheet.max_bytes.is_some() {
            merged.budget_prefix = Some(prefix.to_owned());
        }
        merged.max_objects = sheet.max_objects.or(merged.max_objects);
        merged.max_bytes = sheet.max_bytes.or(merged.max_bytes);
        merged.robots = sheet.robots.or(merged.robots);
        merged.agent = sheet.agent.clone().or_else(|| merged.agent.take());
        merged.depth = sheet.depth.or(merged.depth);
        merged.skip = sheet.skip.or(merged.skip);
        for (name, value) in &sheet.headers {
            merged.headers.retain(|known, _| !known.eq_ignore_ascii_case(name));
            merged.headers.insert(name.clone(), value.clone());
        }
        merged.traps.extend(self.traps.clone());
        merged.sheets.push(self.name.clone());
    }
}
