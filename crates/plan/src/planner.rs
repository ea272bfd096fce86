//! From settings and a request to a crawl that is ready to run, and from a job's own settings back to the same.

use std::path::Path;
use std::time::Duration;

use archive::Archive;
use crawl::{Ids, Job};
use fetch::Clock;
use job::limits::LimitChange;
use scope::Seeds;
use settings::kind::{Number, Size};
use settings::{File, FilterLayer, HarvestLayer, Layer as _, Loaded, Problems, Voice, failure};

use super::error::Result;
use super::job_file::JobFile;
use super::keychain::Keychain;
use super::plan::{Plan, name};
use super::resolved::Resolved;
use super::{filters, lists, seeds};

/// The shortest time between the beginnings of two turns.
const EVERY_MIN: Duration = Duration::from_secs(1);

/// Makes plans for one archive.
pub struct Planner {
    /// Where crawls go to.
    pub archive: Archive,
    /// The settings that apply.
    pub loaded: Loaded,
    /// User names and passwords of sites.
    pub keychain: Keychain,
    /// The time.
    pub clock: Clock,
    /// Where the ids of records come from.
    pub ids: Ids,
    /// Is told of filter modules that have changed.
    pub voice: Voice,
}

impl Planner {
    /// The crawl of these start URLs and of the lists that the settings name. `asked` holds over the settings. User names and
    /// passwords of URLs are stored.
    ///
    /// # Errors
    /// When the request, a setting or a file that it names is wrong.
    pub fn plan(&self, urls: &[String], asked: &HarvestLayer) -> Result<Plan> {
        let layer = self.loaded.harvest(asked)?;
        let lists = layer.values().seeds.items;
        let mut seeds = seeds::read(urls, lists.iter().map(|list| list.0.as_path()))?;
        seeds::check(&seeds, &layer.values().schemes, urls)?;
        let logins = seeds.take_logins();
        let plan = self.make(&self.loaded, &layer, seeds)?;
        // Last, so that a harvest that is refused stores nothing.
        self.keychain.keep(&logins)?;
        Ok(plan)
    }

    /// The crawl of a job that exists, from the settings and seeds it was begun with. `asked` holds over them; the proxy and the
    /// room on disks are the machine's own.
    ///
    /// # Errors
    /// When the settings of the job cannot be read, or a file that they name is gone.
    pub fn plan_again(&self, job_toml: &str, seeds_text: &str, asked: &HarvestLayer) -> Result<Plan> {
        let here = &self.loaded;
        let mut file = File::parse(job_toml, Path::new("job.toml")).map_err(Problems::into_error)?;
        file.disk.clone_from(&here.file.disk);
        let mut layer = file.harvest.clone();
        layer.proxy.clone_from(&here.file.harvest.proxy);
        layer.no_proxy.clone_from(&here.file.harvest.no_proxy);
        layer.allow_private_proxy.clone_from(&here.file.harvest.allow_private_proxy);
        layer.lay(asked);
        let loaded = Loaded { file, folder: here.folder.clone() };
        let mut plan = self.make(&loaded, &layer, Seeds::parse(seeds_text)?)?;
        plan.settings.limit_changes = limit_changes(asked);
        Ok(plan)
    }

    /// The same for a job that is open.
    ///
    /// # Errors
    /// When the settings of the job cannot be read, or a file that they name is gone.
    pub fn plan_of(&self, job: &Job, asked: &HarvestLayer) -> Result<Plan> {
        self.plan_again(&job.settings_text()?, &self.seeds_of(job)?, asked)
    }

    /// The seeds that a job was begun with. User names and passwords that an earlier version has left in its list are moved to the
    /// archive's secrets.
    fn seeds_of(&self, job: &Job) -> Result<String> {
        let text = job.seeds_text()?;
        let mut seeds = Seeds::parse(&text)?;
        let logins = seeds.take_logins();
        if logins.is_empty() {
            return Ok(text);
        }
        self.keychain.keep(&logins)?;
        let text = seeds::text(seeds.urls(), seeds.prefixes());
        job.rewrite_seeds(&text)?;
        Ok(text)
    }

    /// Reads what the settings name, and puts it all together.
    fn make(&self, loaded: &Loaded, layer: &HarvestLayer, seeds: Seeds) -> Result<Plan> {
        let resolved = resolve(loaded, layer, seeds)?;
        let harvest = &resolved.harvest;
        let folder = self.archive.folder().join("filters");
        let filters = filters::load(&harvest.filters, &loaded.file.filters, Some(&folder))?;
        for module in &filters.changed {
            self.voice
                .warning(&format!("the filter module `{module}` is not the one that the job was begun with"));
        }
        let room = loaded.file.disk.values().room();
        let crawl = resolved.crawl(filters.chain, self.clock.clone(), self.ids.clone())?;
        let mut settings = crawl::Settings { room, ..crawl };
        settings.fetch.credentials = self.keychain.credentials();
        let said = |name: &String| loaded.file.filters.get(name).cloned();
        let job_file = JobFile {
            layer,
            years: settings.scope.years,
            traps: &resolved.traps,
            filters: harvest
                .filters
                .iter()
                .map(|name| (name.clone(), said(name).unwrap_or_else(|| FilterLayer::new(name))))
                .collect(),
            modules: &filters.modules,
            sheets: &resolved.sheets,
        };
        if harvest.every.is_some_and(|every| every < EVERY_MIN) {
            let error = failure!("`every` is shorter than a second, and so the harvest would never end");
            return Err(error.as_usage().into());
        }
        let starts = resolved.seeds.starts();
        let label = harvest.label.clone().or_else(|| starts.first().map(seeds::domain));
        let Number(crawls_at_once) = harvest.max_crawls;
        Ok(Plan {
            archive: self.archive.clone(),
            settings,
            label: name(&label.unwrap_or_default()),
            job_toml: job_file.text(),
            seeds_text: seeds::text(resolved.seeds.urls(), resolved.seeds.prefixes()),
            domains: starts.iter().map(seeds::domain).collect(),
            every: harvest.every,
            crawls_at_once: usize::try_from(crawls_at_once).unwrap_or(usize::MAX),
            has_label: harvest.label.is_some(),
        })
    }
}

/// What would belong to a crawl of these start URLs.
///
/// # Errors
/// When a setting or a file that it names is wrong.
pub fn scope_of(
    loaded: &Loaded,
    asked: &HarvestLayer,
    urls: &[String],
    clock: &Clock,
) -> Result<scope::Plan> {
    let layer = loaded.harvest(asked)?;
    let lists = layer.values().seeds.items;
    let seeds = seeds::read(urls, lists.iter().map(|list| list.0.as_path()))?;
    resolve(loaded, &layer, seeds)?.scope(clock.now())
}

/// How servers are asked where nothing is harvested: as a harvest by these settings would ask them.
///
/// # Errors
/// When a setting or a file that it names is wrong.
pub fn asking(loaded: &Loaded, clock: Clock, ids: Ids) -> Result<crawl::Settings> {
    let layer = loaded.harvest(&HarvestLayer::default())?;
    resolve(loaded, &layer, Seeds::default())?.crawl(filter::Chain::default(), clock, ids)
}

/// Tries everything that settings name without beginning anything: with each profile of their own, and without.
#[must_use]
pub fn check(loaded: &Loaded, clock: &Clock) -> Vec<super::Error> {
    let filters_folder = loaded.folder.as_ref().map(|folder| folder.join("filters"));
    let own = loaded.file.profiles.keys().map(|name| Some(name.as_str()));
    let look = |profile: Option<&str>| -> Result<()> {
        let layer = loaded.harvest(&settings::profile_layer(profile))?;
        let harvest = layer.values();
        let lists = harvest.seeds.items.iter().map(|list| list.0.as_path());
        let seeds = seeds::read(&[], lists.filter(|path| path.as_os_str() != "-"))?;
        let plan = resolve(loaded, &layer, seeds)?.scope(clock.now())?;
        scope::Scope::new(&plan)?;
        filters::load(&harvest.filters, &loaded.file.filters, filters_folder.as_deref())?;
        Ok(())
    };
    let mut errors: Vec<super::Error> = Vec::new();
    for profile in std::iter::once(None).chain(own) {
        if let Err(error) = look(profile)
            && errors.iter().all(|known| known.to_string() != error.to_string())
        {
            errors.push(error);
        }
    }
    errors
}

/// The profiles that a harvest can go by, and what those that are built in are for.
#[must_use]
pub fn profiles(loaded: Option<&Loaded>) -> Vec<(String, &'static str)> {
    let built_in = settings::BUILT_IN_PROFILES.iter().map(|profile| (profile.name.to_owned(), profile.about));
    let is_built_in =
        |name: &&String| settings::BUILT_IN_PROFILES.iter().any(|profile| profile.name == **name);
    let own = loaded.into_iter().flat_map(|loaded| loaded.file.profiles.keys());
    let own = own.filter(|name| !is_built_in(name)).map(|name| (name.clone(), ""));
    own.chain(built_in).collect()
}

/// The limits that a request gives to a job that is resumed: they hold over those that `varve jobs limits` has set.
fn limit_changes(asked: &HarvestLayer) -> Vec<LimitChange> {
    let said = asked.values();
    let seconds = |time: Option<Duration>| time.map(|time| time.as_secs());
    vec![
        LimitChange {
            domain: None,
            objects: said.max_objects.map(|Number(objects)| objects),
            bytes: said.max_bytes.map(|Size(bytes)| bytes),
            seconds: seconds(said.max_time),
        },
        LimitChange {
            domain: Some("*".to_owned()),
            objects: said.domain_max_objects.map(|Number(objects)| objects),
            bytes: said.domain_max_bytes.map(|Size(bytes)| bytes),
            seconds: seconds(said.domain_max_time),
        },
    ]
}

/// The settings with everything read that they name, but for the filters.
fn resolve(loaded: &Loaded, layer: &HarvestLayer, seeds: Seeds) -> Result<Resolved> {
    let harvest = layer.values();
    let shown = layer.shown();
    let is_flag = |key: &str| {
        let mut said = shown.iter().filter(|shown| shown.key == key).flat_map(|shown| &shown.origins);
        said.any(settings::Origin::is_flag)
    };
    let traps = lists::traps(&harvest)?;
    let sheets = lists::sheets(&loaded.file, &harvest, is_flag)?;
    Ok(Resolved { harvest, seeds, traps, sheets })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use jiff::Timestamp;

    use super::*;
    use crate::Keychains;

    fn clock() -> Clock {
        Clock::new(|| "2026-11-18T12:00:00Z".parse::<Timestamp>().unwrap())
    }

    /// What a command line or a request asks for: URLs, and settings by their names.
    struct Asked(Vec<String>, HarvestLayer);

    fn asked(urls: &[&str], settings: &[(&str, &str)]) -> Asked {
        let mut layer = HarvestLayer::default();
        for (key, value) in settings {
            layer.say(key, value).unwrap();
        }
        Asked(urls.iter().map(|&url| url.to_owned()).collect(), layer)
    }

    /// A planner of a new archive with these settings.
    fn planner(folder: &Path, settings: &str) -> Planner {
        Archive::create(folder).unwrap();
        again(folder, settings)
    }

    /// The same archive with other settings.
    fn again(folder: &Path, settings: &str) -> Planner {
        let file = File::parse(settings, &folder.join(settings::NAME)).unwrap();
        let voice = Voice::silent();
        Planner {
            archive: Archive::open(folder).unwrap(),
            loaded: Loaded { folder: Some(folder.to_owned()), file },
            keychain: Keychains::new(None, voice.clone(), clock()).of(folder),
            clock: clock(),
            ids: Arc::new(String::new),
            voice,
        }
    }

    fn plan(Asked(urls, layer): &Asked, planner: &Planner) -> Plan {
        planner.plan(urls, layer).unwrap()
    }

    /// What a job file sets, without who said so.
    fn sets(job_toml: &str) -> Vec<String> {
        let lines = job_toml.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.split("  #").next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn a_job_comes_back_from_its_own_settings() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("traps.txt"), "# traps\n.*/calendar/.*\n").unwrap();
        let planner = planner(
            folder.path(),
            "[harvest]\ntraps = ['traps.txt']\nfilters = ['mime']\nproxy = 'http://me:secret@proxy:1'\n\
             [profiles.slow]\nprofile = 'selective'\ndelay = '3s'\n\
             [filters.mime]\nexclude = ['video/*']\n\
             [[sheets]]\nname = 'forum'\nprefixes = ['http://(org,example,)/forum/']\nskip = true\n",
        );
        let said =
            [("profile", "slow"), ("width", "7"), ("exclude_urls", ".*[?]print"), ("label", "My crawl")];
        let first = plan(&asked(&["example.org"], &said), &planner);
        assert_eq!(first.label, "my-crawl");
        assert_eq!(first.seeds_text, "http://example.org/\n");
        assert!(!first.job_toml.contains("secret"), "{}", first.job_toml);
        // What the files held is in it, so they may change.
        std::fs::remove_file(folder.path().join("traps.txt")).unwrap();
        let planner = again(
            folder.path(),
            "[harvest]
depth = 1
",
        );
        let again = planner.plan_again(&first.job_toml, &first.seeds_text, &HarvestLayer::default()).unwrap();
        assert_eq!(sets(&again.job_toml), sets(&first.job_toml));
        assert_eq!((again.seeds_text, again.label), (first.seeds_text, first.label));
        assert_eq!((again.settings.width, again.settings.scope.depth), (Some(7), None));
        assert_eq!(again.settings.budgets.domain.objects, Some(25_000));
        assert_eq!(again.settings.gate.delay_min, Duration::from_secs(3));
        assert_eq!(again.settings.scope.years, first.settings.scope.years);
        assert_eq!(again.settings.filters.names().collect::<Vec<_>>(), ["mime"]);
    }

    #[test]
    fn what_is_asked_overrides_the_settings_of_a_job() {
        let folder = tempfile::tempdir().unwrap();
        let planner = planner(folder.path(), "");
        let first = plan(&asked(&["example.org"], &[("max_objects", "10")]), &planner);
        let raised = asked(&[], &[("max_objects", "20")]).1;
        let again = planner.plan_again(&first.job_toml, &first.seeds_text, &raised).unwrap();
        assert_eq!(again.settings.budgets.job.objects, Some(20));
    }

    #[test]
    fn a4_each_domain_is_a_crawl_of_its_own_where_several_run() {
        let folder = tempfile::tempdir().unwrap();
        let planner = planner(folder.path(), "");
        let urls = ["www.example.org", "example.com", "http://docs.example.org/a"];
        let whole = plan(&asked(&urls, &[]), &planner);
        assert_eq!(whole.split().unwrap().len(), 1);
        std::fs::write(folder.path().join("no.txt"), "-http://(org,example,)/private/\n").unwrap();
        let no = folder.path().join("no.txt").display().to_string();
        let parts = plan(&asked(&urls, &[("max_crawls", "3"), ("seeds", &no)]), &planner).split().unwrap();
        let told: Vec<(&str, &str)> =
            parts.iter().map(|part| (part.label.as_str(), part.seeds_text.as_str())).collect();
        let org = "http://www.example.org/\nhttp://docs.example.org/a\n-http://(org,example,)/private/\n";
        let com = "http://example.com/\n-http://(org,example,)/private/\n";
        assert_eq!(told, [("example.org", org), ("example.com", com)]);
    }

    /// The table's usual values are those of the engine.
    #[test]
    fn what_is_usual_is_usual_everywhere() {
        let folder = tempfile::tempdir().unwrap();
        let planner = planner(folder.path(), "");
        let planned = plan(&asked(&["example.org"], &[]), &planner).settings;
        let usual = crawl::Settings::new(
            scope::Plan::default(),
            fetch::Settings::new(clock()),
            Arc::new(String::new),
        );
        assert_eq!(planned.gate, usual.gate);
        assert_eq!(planned.fetch.timeouts, usual.fetch.timeouts);
        assert_eq!(planned.fetch.limits, usual.fetch.limits);
        assert_eq!(planned.fetch.accept_language, usual.fetch.accept_language);
        assert_eq!(planned.fetch.user_agent, usual.fetch.user_agent);
        assert_eq!((planned.robots, &planned.robots_names), (usual.robots, &usual.robots_names));
        assert_eq!((planned.concurrency, planned.retries), (usual.concurrency, usual.retries));
        assert_eq!((planned.retry_delay, planned.quiet_max), (usual.retry_delay, usual.quiet_max));
        assert_eq!((planned.budgets, planned.on_budget), (usual.budgets, usual.on_budget));
        assert_eq!((planned.width, planned.conditional), (usual.width, usual.conditional));
        assert_eq!((planned.dedup, planned.dedup_types), (usual.dedup, usual.dedup_types));
        assert_eq!((planned.recheck, planned.outlinks), (usual.recheck, usual.outlinks));
        assert_eq!((planned.sitemaps, planned.gzip_level), (usual.sitemaps, usual.gzip_level));
        assert_eq!(planned.document_bytes_max, usual.document_bytes_max);
        assert_eq!(planned.file_bytes_max, usual.file_bytes_max);
        let (scope, usual) = (planned.scope, usual.scope);
        assert_eq!((scope.preset, scope.depth), (usual.preset, usual.depth));
        assert_eq!(scope.transclusion_hops, usual.transclusion_hops);
        assert_eq!((scope.speculative_hops, scope.path_depth), (usual.speculative_hops, usual.path_depth));
        assert_eq!((scope.repeats, scope.query_fields), (usual.repeats, usual.query_fields));
        assert_eq!((scope.redirects, scope.url_bytes_max), (usual.redirects, usual.url_bytes_max));
        assert_eq!(scope.schemes, usual.schemes);
    }
}
