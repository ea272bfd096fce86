//! Which captures are meant: the options of every verb that looks for some.

use anyhow::{Context as _, anyhow};
use cdx::query::{Filter, Order, Query, TimeRange};
use cdx::{Error, Timestamp};
use clap::ValueEnum;
use urlkey::{KeyRange, Match};

use crate::hint::{WithHint as _, with_hint};
use crate::usage::wrong;

/// How a time is written, for whoever wrote something else.
const TIME: &str = "a time is 1 to 14 digits: year, month, day, hour, minute, second";

/// Which captures are meant.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct Question {
    /// What to look for; http://example.org/a* means --match prefix, *.example.org means --match domain
    #[arg(value_name = "URL")]
    pub(super) url: String,

    /// How much around the URL is meant
    #[arg(short, long = "match", value_enum, value_name = "HOW")]
    matching: Option<How>,

    /// Not before this time: 1 to 14 digits, so 2014 is its first second
    #[arg(long, value_name = "TIME")]
    from: Option<String>,

    /// Not after this time: 1 to 14 digits, so 2014 is its last second
    #[arg(long, value_name = "TIME")]
    to: Option<String>,

    /// Nearest to this time first
    #[arg(long, value_name = "TIME")]
    closest: Option<String>,

    /// Keep captures whose field contains (FIELD:TEXT), is (=FIELD:TEXT) or begins like (~FIELD:REGEX) this; ! before it means
    /// not; may be given several times
    #[arg(long, value_name = "FILTER")]
    filter: Vec<String>,

    /// At most so many
    #[arg(short, long, value_name = "N")]
    limit: Option<usize>,
}

/// How much around a URL is meant.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum How {
    /// This URL (the default)
    Exact,
    /// Every URL that begins like it
    Prefix,
    /// Every URL of its host
    Host,
    /// Every URL of its host and of the hosts below it
    Domain,
}

impl Question {
    /// The URL without its asterisk, and how much around it is meant.
    fn meant(&self) -> (&str, How) {
        match (self.matching, self.url.strip_prefix("*."), self.url.strip_suffix('*')) {
            (None, Some(domain), _) => (domain, How::Domain),
            (None, _, Some(prefix)) => (prefix, How::Prefix),
            (how, ..) => (&self.url, how.unwrap_or(How::Exact)),
        }
    }

    /// The keys that are meant.
    pub(super) fn range(&self) -> anyhow::Result<KeyRange> {
        let (url, how) = self.meant();
        let matching = match how {
            How::Exact => Match::Exact,
            How::Prefix => Match::Prefix,
            How::Host => Match::Host,
            How::Domain => Match::Domain,
        };
        urlkey::key_range(url, matching).map_err(wrong).with_context(|| format!("cannot look for `{url}`"))
    }

    /// What is asked of the captures.
    pub(super) fn query(&self) -> anyhow::Result<Query> {
        let time = TimeRange::parse(self.from.as_deref(), self.to.as_deref()).map_err(wrong).hint(TIME)?;
        let filters =
            self.filter.iter().map(|text| Filter::pywb(text)).collect::<Result<_, Error>>().map_err(wrong)?;
        let order = match &self.closest {
            Some(digits) => Order::Nearest(
                Timestamp::parse(&urlkey::time::pad_earliest(digits)).map_err(wrong).hint(TIME)?,
            ),
            None => Order::Forward,
        };
        // Nearest first holds that many in memory.
        let limit = match order {
            Order::Forward => usize::MAX,
            _ => Query::default().limit,
        };
        Ok(Query { filters, time, order, limit: self.limit.unwrap_or(limit), ..Query::default() })
    }

    /// There is no such capture in this place, and what else could be asked.
    pub(super) fn nothing(&self, place: &str) -> anyhow::Error {
        let (url, how) = self.meant();
        let is_narrow = self.from.is_some() || self.to.is_some() || !self.filter.is_empty();
        let (what, hint) = match how {
            How::Exact => {
                ("", "`--match host` lists everything of its host, `--match prefix` all that begins like it")
            }
            How::Prefix => ("what begins like ", "`--match host` lists everything of its host"),
            How::Host => ("the host of ", "`--match domain` looks at the hosts below it, too"),
            How::Domain => (
                "the domain of ",
                "a shorter domain may have some: `*.example.org` instead of `*.www.example.org`",
            ),
        };
        let (which, hint) = match is_narrow {
            true => ("such capture", "leave out some of `--from`, `--to` and `--filter`"),
            false => ("capture", hint),
        };
        with_hint(anyhow!("{place} has no {which} of {what}`{url}`"), hint)
    }
}
