//! Harvests that the pages or the API ask for, by the settings of the archive.

use std::sync::{Mutex, PoisonError};

use anyhow::anyhow;
use api::jobs::{Harvests, Outcome, Profile, RefusalKind, Refused, Wish};
use archive::Archive;
use crawl::Job;
use plan::{Plan, Planner};
use settings::HarvestLayer;

use super::demo::{Demo, Sample};
use super::runner::{Planned, Runner, WAITING_MAX};
use crate::clock::now;
use crate::hint::hints;
use crate::session::Session;

/// Begins harvests.
pub(super) struct Harvester {
    archive: Archive,
    /// The general options, for whoever reads settings.
    session: Mutex<Session>,
    runner: Runner,
    /// One request at a time counts the harvests that wait and adds to them.
    starting: Mutex<()>,
    /// Where the sample site is, if it is served.
    sample: Option<Sample>,
}

impl Harvester {
    pub(super) fn start(
        archive: Archive,
        demo: Option<&Demo>,
        session: &Session,
    ) -> anyhow::Result<Harvester> {
        // What is wrong with the settings is told now, and not to the first who asks for a harvest.
        session.load_settings()?;
        let own = Mutex::new(session.quiet());
        let sample = demo.map(Demo::sample);
        let runner = Runner::start(&archive.work(), session.talk.clone())?;
        Ok(Harvester { archive, session: own, runner, starting: Mutex::new(()), sample })
    }

    /// The gate that all harvests share, for another user with these settings.
    pub(super) fn politeness(&self, settings: fetch::gate::Settings) -> crawl::Politeness {
        self.runner.politeness(settings)
    }

    /// Tells all to end; from here on nothing is begun.
    pub(super) fn stop(&self) {
        self.runner.stop();
    }

    /// Waits for the end of all that was told to; says which can be gone on with.
    pub(super) fn ended(&self) -> Vec<String> {
        self.runner.ended()
    }

    fn plans(&self, wish: &Wish) -> anyhow::Result<Vec<Plan>> {
        let mut asked = HarvestLayer::default();
        for (key, value) in wish.settings() {
            asked.say(key, &value)?;
        }
        Ok(self.led(self.planner()?.plan(&wish.urls, &asked)?).split()?)
    }

    /// Nothing is begun while the server ends.
    fn check(&self) -> Result<(), Refused> {
        match self.runner.is_ending() {
            true => Err(Refused { kind: RefusalKind::Conflict, ..refused(&anyhow!("the server is ending")) }),
            false => Ok(()),
        }
    }

    /// Refuses harvests beyond those that may wait.
    fn check_places(&self, wanted: usize) -> Result<(), Refused> {
        if wanted <= self.runner.places_left() {
            return Ok(());
        }
        Err(Refused {
            message: format!("at most {WAITING_MAX} harvests may wait for their turn"),
            hint: Some(
                "try again when some have ended, or run `varve harvest --seeds FILE`, which takes any number"
                    .to_owned(),
            ),
            kind: RefusalKind::TooMany,
        })
    }

    /// The plan that a job was begun with.
    fn plan_of(&self, job: &Job) -> anyhow::Result<Plan> {
        Ok(self.led(self.planner()?.plan_of(job, &HarvestLayer::default())?))
    }

    /// By the settings as they are now.
    fn planner(&self) -> anyhow::Result<Planner> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).planner_of(self.archive.clone())
    }

    /// Whoever asks for the sample site finds it.
    fn led(&self, mut plan: Plan) -> Plan {
        if let Some(sample) = &self.sample {
            sample.lead(&mut plan);
        }
        plan
    }
}

impl Harvests for Harvester {
    fn start(&self, wish: &Wish) -> Result<Vec<String>, Refused> {
        self.check()?;
        let plans = self.plans(wish).map_err(|error| refused(&error))?;
        let _one = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_places(plans.len())?;
        let mut names = Vec::new();
        for plan in plans {
            let job = plan.begin(now()).map_err(|error| refused(&error.into()))?;
            let name = job.name().to_owned();
            names.push(name.clone());
            let added = self.runner.add(Planned { plan, name, is_new: true }, job);
            added.map_err(|error| refused(&error.into()))?;
        }
        Ok(names)
    }

    fn go_on(&self, name: &str) -> Result<(), Refused> {
        self.check()?;
        let busy = |error: crawl::Error| Refused { kind: RefusalKind::Conflict, ..refused(&error.into()) };
        let _one = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_places(1)?;
        let job = Job::open(&self.archive, name).map_err(busy)?;
        let plan = self.plan_of(&job).map_err(|error| refused(&error))?;
        let planned = Planned { plan, name: name.to_owned(), is_new: false };
        self.runner.add(planned, job).map_err(|error| refused(&error.into()))
    }

    fn outcomes(&self) -> Vec<Outcome> {
        self.runner.outcomes()
    }

    fn profiles(&self) -> Vec<Profile> {
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        plan::profiles(session.load_settings().ok().as_ref())
            .into_iter()
            .map(|(name, about)| Profile { name, about: about.to_owned() })
            .collect()
    }
}

fn refused(error: &anyhow::Error) -> Refused {
    let words: Vec<String> = error.chain().map(ToString::to_string).collect();
    let hint = hints(error).join("; ");
    Refused {
        message: words.join(": "),
        hint: Some(hint).filter(|hint| !hint.is_empty()),
        kind: RefusalKind::Wrong,
    }
}
