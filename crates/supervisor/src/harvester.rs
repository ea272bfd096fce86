//! Harvests that pages, the API and schedules ask for, by the settings of the archive.

use std::sync::{Arc, Mutex, PoisonError};

use archive::Archive;
use crawl::{Ids, Job};
use fetch::Clock;
use plan::{Keychain, Plan, Planner};
use settings::{HarvestLayer, Search, Voice, failure};

use super::error::{Error, Result};
use super::runner::{Outcome, Planned, RefusalKind, Refused, Runner, Tell, WAITING_MAX};

/// What a harvester needs from the program.
pub struct Setup {
    /// The archive.
    pub archive: Archive,
    /// Where the settings are. Each request reads them again.
    pub search: Search,
    /// User names and passwords of sites.
    pub keychain: Keychain,
    /// The time.
    pub clock: Clock,
    /// Where the ids of records come from.
    pub ids: Ids,
    /// Tells people what happens.
    pub voice: Voice,
    /// Tells people what became of a crawl.
    pub tell: Arc<Tell>,
    /// Changes a plan before it is used, such as that of the sample site.
    pub lead: Option<Arc<Lead>>,
}

/// Changes a plan before it is used.
pub type Lead = dyn Fn(&mut Plan) + Send + Sync;

/// Starts and resumes harvests. Calls may take a while: settings and lists are read.
pub struct Harvester {
    setup: Setup,
    runner: Runner,
    /// One request at a time counts the harvests that wait and adds to them.
    starting: Mutex<()>,
}

impl Harvester {
    /// Starts the thread that runs harvests.
    ///
    /// # Errors
    /// When the settings are wrong, or the work folder cannot be used.
    pub fn start_up(setup: Setup) -> Result<Harvester> {
        // What is wrong with the settings is told now, and not to the first who asks for a harvest.
        settings::load(&setup.search, &setup.voice)?;
        let (voice, clock, tell) = (setup.voice.clone(), setup.clock.clone(), Arc::clone(&setup.tell));
        let runner = Runner::start(&setup.archive.work(), voice, clock, tell)?;
        Ok(Harvester { setup, runner, starting: Mutex::new(()) })
    }

    /// The gate that all harvests share, for another user with these settings.
    #[must_use]
    pub fn politeness(&self, settings: fetch::gate::Settings) -> crawl::Politeness {
        self.runner.politeness(settings)
    }

    /// Tells all to end; from here on nothing is begun.
    pub fn stop(&self) {
        self.runner.stop();
    }

    /// Waits for the end of all that was told to; says which can be gone on with.
    #[must_use]
    pub fn ended(&self) -> Vec<String> {
        self.runner.ended()
    }

    fn plans(&self, urls: &[String], said: &[(&str, String)]) -> Result<Vec<Plan>> {
        let mut asked = HarvestLayer::default();
        for (key, value) in said {
            asked.say(key, value)?;
        }
        Ok(self.led(self.planner()?.plan(urls, &asked)?).split()?)
    }

    /// Nothing is begun while the server ends.
    fn check(&self) -> std::result::Result<(), Refused> {
        match self.runner.is_ending() {
            true => Err(Refused {
                kind: RefusalKind::Conflict,
                ..refused(&failure!("the server is ending").into())
            }),
            false => Ok(()),
        }
    }

    /// Refuses harvests beyond those that may wait.
    fn check_places(&self, wanted: usize) -> std::result::Result<(), Refused> {
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
    fn plan_of(&self, job: &Job) -> Result<Plan> {
        Ok(self.led(self.planner()?.plan_of(job, &HarvestLayer::default())?))
    }

    /// By the settings as they are now.
    fn planner(&self) -> Result<Planner> {
        let Setup { archive, search, keychain, clock, ids, .. } = &self.setup;
        // What there is to say of the settings was said at the start.
        let voice = Voice::silent();
        let loaded = settings::load(search, &voice)?;
        let (archive, keychain) = (archive.clone(), keychain.clone());
        Ok(Planner { archive, loaded, keychain, clock: clock.clone(), ids: ids.clone(), voice })
    }

    /// The plan as the program wants it.
    fn led(&self, mut plan: Plan) -> Plan {
        if let Some(lead) = &self.setup.lead {
            lead(&mut plan);
        }
        plan
    }
}

impl Harvester {
    /// Starts a harvest of these start URLs by settings that are named as in varve.toml, or puts it behind those on the same
    /// domain; returns the names of its jobs.
    ///
    /// # Errors
    /// When something is wrong with it.
    pub fn start(
        &self,
        urls: &[String],
        said: &[(&str, String)],
    ) -> std::result::Result<Vec<String>, Refused> {
        self.check()?;
        let plans = self.plans(urls, said).map_err(|error| refused(&error))?;
        let _one = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_places(plans.len())?;
        let mut names = Vec::new();
        for plan in plans {
            let job = plan.begin(self.setup.clock.now()).map_err(|error| refused(&error.into()))?;
            let name = job.name().to_owned();
            names.push(name.clone());
            let added = self.runner.add(Planned { plan, name, is_new: true }, job);
            added.map_err(|error| refused(&error.into()))?;
        }
        Ok(names)
    }

    /// Resumes a job that no process runs.
    ///
    /// # Errors
    /// When there is none, or it cannot be resumed.
    pub fn resume(&self, name: &str) -> std::result::Result<(), Refused> {
        self.check()?;
        let busy = |error: crawl::Error| Refused { kind: RefusalKind::Conflict, ..refused(&error.into()) };
        let _one = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_places(1)?;
        let job = Job::open(&self.setup.archive, name).map_err(busy)?;
        let plan = self.plan_of(&job).map_err(|error| refused(&error))?;
        let planned = Planned { plan, name: name.to_owned(), is_new: false };
        self.runner.add(planned, job).map_err(|error| refused(&error.into()))
    }

    /// The latest harvests that have left nothing, the newest first.
    #[must_use]
    pub fn outcomes(&self) -> Vec<Outcome> {
        self.runner.outcomes()
    }

    /// The names of the profiles that there are, and what each is for.
    #[must_use]
    pub fn profiles(&self) -> Vec<(String, &'static str)> {
        plan::profiles(settings::load(&self.setup.search, &Voice::silent()).ok().as_ref())
    }
}

fn refused(error: &Error) -> Refused {
    let hint = error.explained().map(|error| error.hints().join("; ")).unwrap_or_default();
    Refused {
        message: settings::in_full(error),
        hint: Some(hint).filter(|hint| !hint.is_empty()),
        kind: RefusalKind::Wrong,
    }
}
