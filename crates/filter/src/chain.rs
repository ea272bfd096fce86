//! The chain of filters: a document is kept if each of them keeps it.

use std::cell::OnceCell;

use crate::language::Language;
use crate::lists::{MimeLists, UrlLists};
use crate::status::Statuses;
use crate::{Error, Facts, Languages, Lists, Module, Range};

/// Filters in their order. Shared by all threads.
#[derive(Debug, Default)]
pub struct Chain {
    filters: Vec<Filter>,
}

/// What becomes of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// It is kept.
    Keep,
    /// It never enters the archive.
    Drop {
        /// The filter that dropped it.
        by: String,
        /// Why.
        why: String,
    },
}

/// One filter, built in or brought along.
#[derive(Debug)]
pub struct Filter(Kind);

#[derive(Debug)]
enum Kind {
    Mime(MimeLists),
    Size(Range),
    Status(Statuses),
    Url(UrlLists),
    Language(Language),
    Module(Box<Module>),
}

impl Chain {
    /// A chain of these filters.
    #[must_use]
    pub fn new(filters: Vec<Filter>) -> Chain {
        Chain { filters }
    }

    /// Whether a document is wanted. The first filter that drops it ends the matter.
    ///
    /// # Errors
    /// [`Error::Failed`] names the module that failed, and the document.
    pub fn judge(&self, facts: &Facts<'_>) -> Result<Judgement, Error> {
        // Made once, and only for a module.
        let json = OnceCell::new();
        for filter in &self.filters {
            if let Some(why) = filter.objection(facts, &json)? {
                return Ok(Judgement::Drop { by: filter.name().to_owned(), why });
            }
        }
        Ok(Judgement::Keep)
    }

    /// The names of the filters, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.filters.iter().map(Filter::name)
    }

    /// Whether everything is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.filters.is_empty()
    }
}

impl Filter {
    /// By the type that was found, not the one that was claimed: `image/*`, `application/pdf`, `*+xml`. With no includes all
    /// are in; an exclude beats an include.
    ///
    /// # Errors
    /// [`Error::Pattern`] for what is no type.
    pub fn mime(include: &[String], exclude: &[String]) -> Result<Filter, Error> {
        MimeLists::new(include, exclude).map(|lists| Filter(Kind::Mime(lists)))
    }

    /// By bytes: at least, at most.
    #[must_use]
    pub fn size(min: Option<u64>, max: Option<u64>) -> Filter {
        Filter(Kind::Size(Range { min, max }))
    }

    /// By the status of the answer: `200`, `4xx`, `500-599`.
    ///
    /// # Errors
    /// [`Error::Pattern`] for what is no status.
    pub fn status(include: &[String], exclude: &[String]) -> Result<Filter, Error> {
        Statuses::new(include, exclude).map(|statuses| Filter(Kind::Status(statuses)))
    }

    /// By regular expressions that match the whole URL.
    ///
    /// # Errors
    /// [`Error::Pattern`] for what is no regular expression.
    pub fn url(include: &[String], exclude: &[String]) -> Result<Filter, Error> {
        UrlLists::new(include, exclude).map(|lists| Filter(Kind::Url(lists)))
    }

    /// By language: `en` is also `en-GB`.
    ///
    /// # Errors
    /// [`Error::Pattern`] for what is no language.
    pub fn language(languages: &Languages) -> Result<Filter, Error> {
        Language::new(languages).map(|language| Filter(Kind::Language(language)))
    }

    /// What `by` says of a document that this filter drops.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.0 {
            Kind::Mime(_) => "mime",
            Kind::Size(_) => "size",
            Kind::Status(_) => "status",
            Kind::Url(_) => "url",
            Kind::Language(_) => "language",
            Kind::Module(module) => module.name(),
        }
    }

    fn objection(&self, facts: &Facts<'_>, json: &OnceCell<String>) -> Result<Option<String>, Error> {
        Ok(match &self.0 {
            Kind::Mime(lists) => lists.objection(facts.mime),
            Kind::Size(range) => range.objection(facts.bytes),
            Kind::Status(statuses) => statuses.objection(facts.status),
            Kind::Url(lists) => lists.objection(facts.url),
            Kind::Language(language) => language.objection(facts.language),
            Kind::Module(module) => {
                let json = json.get_or_init(|| facts.json_within(module.limits().facts_bytes_max));
                module.objection(facts.url, json)?
            }
        })
    }
}

impl From<Module> for Filter {
    fn from(module: Module) -> Filter {
        Filter(Kind::Module(Box::new(module)))
    }
}

impl TryFrom<&Lists> for MimeLists {
    type Error = Error;

    fn try_from(lists: &Lists) -> Result<MimeLists, Error> {
        MimeLists::new(&lists.include, &lists.exclude)
    }
}
