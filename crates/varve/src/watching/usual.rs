//! What holds for a watch that does not say otherwise.

use std::time::Duration;

use watch::Pace;
use watchlist::Quiet;

use settings::WatchValues;

/// What the settings say of all watches.
#[derive(Clone, Debug)]
pub(crate) struct Usual {
    /// How often.
    pub(crate) pace: Pace,
    /// Who is told: addresses in full.
    pub(crate) to: Vec<String>,
    /// When nobody is.
    pub(crate) quiet: Option<Quiet>,
    /// How long mails are put together.
    pub(crate) digest: Duration,
    /// After so many checks without the page somebody is told.
    pub(crate) gone_after: u32,
    /// Whose a watch is, and who asks.
    pub(crate) person: String,
}

impl Usual {
    pub(crate) fn of(values: &WatchValues) -> Usual {
        Usual {
            pace: values.every.value.0,
            to: values.notify.iter().map(|to| to.value.full()).collect(),
            quiet: values.quiet.as_ref().map(|hours| hours.value.0.clone()),
            digest: values.digest.unwrap_or_default(),
            gone_after: u32::try_from(values.gone_after.0).unwrap_or(u32::MAX),
            person: values.person.clone(),
        }
    }
}
