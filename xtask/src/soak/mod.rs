//! `cargo xtask soak`: runs `varve up` under harvests, watches, readers, and clients that keep connections open without using them, all at
//! once. Prints the measurements, and fails if a criterion is not met.

mod clients;
mod http;
mod measures;
mod program;
mod readers;
mod site;
mod verdict;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use tokio::runtime::Runtime;

use self::clients::Idlers;
use self::measures::Measures;
use self::program::Program;
use self::readers::Readers;
use self::site::Site;
use crate::step::Step;

/// Pages of one harvest.
const PAGES: usize = 600;
/// Pages that are watched, and how often.
const WATCHES: usize = 20;
const WATCH_EVERY: Duration = Duration::from_secs(10);

/// The options of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arguments {
    minutes: u64,
    /// All idle and slow connections come from one address and go to one listener.
    is_one_address: bool,
    /// The debug build is used as it is.
    is_debug: bool,
}

/// Runs for `--minutes N`.
pub(crate) fn run(words: &[&str]) -> anyhow::Result<()> {
    let arguments = arguments(words)?;
    if !arguments.is_debug {
        Step::cargo("build", "build --release --package varve").run()?;
    }
    raise_file_limit();
    let runtime = Runtime::new().context("cannot start a runtime")?;
    runtime.block_on(soak(arguments))
}

async fn soak(arguments: Arguments) -> anyhow::Result<()> {
    let folder = tempfile::tempdir().context("cannot make a folder")?;
    let site = Site::start(PAGES, WATCHES).await?;
    let program = Arc::new(Program::start(folder.path(), arguments.is_debug)?);
    let measures = Arc::new(Measures::new());
    // Something must be there to read before readers come.
    program.harvest(&site.harvested("/")).await.context("the first harvest failed")?;
    for number in 0..WATCHES {
        program.watch(&site.watched(number), WATCH_EVERY).await?;
    }
    let urls = program.captures(&site.harvested("/*")).await?;
    ensure!(urls.len() > 100, "only {} captures to replay", urls.len());
    let harvests = tokio::spawn(harvest_again_and_again(
        Arc::clone(&program),
        site.harvested("/"),
        Arc::clone(&measures),
    ));
    let readers = Readers::start(&program, &urls, &measures);
    let idlers = Idlers::start(&program, arguments.is_one_address, &measures);
    println!("soaking for {} min; `varve up` is process {}", arguments.minutes, program.id());
    site.start_counting();
    let began = Instant::now();
    let until = began + Duration::from_secs(60 * arguments.minutes);
    let mut second = tokio::time::interval(Duration::from_secs(1));
    while Instant::now() < until {
        second.tick().await;
        ensure!(program.is_alive(), "`varve up` has ended");
        measures.sample(program.id(), site.pages_served())?;
        if measures.seconds().is_multiple_of(30) {
            println!("{}", measures.line());
        }
    }
    harvests.abort();
    drop((readers, idlers));
    for line in program.logged_errors()? {
        measures.note_error("log", &line);
    }
    let report = verdict::judge(&measures, &site, began.elapsed(), arguments.is_one_address);
    print!("{report}");
    ensure!(report.is_passed(), "the soak has failed");
    Ok(())
}

/// One harvest after another. One that fails is an error and the next one starts all the same.
async fn harvest_again_and_again(program: Arc<Program>, url: String, measures: Arc<Measures>) {
    loop {
        match program.harvest(&url).await {
            Ok(()) => measures.note_harvest(),
            Err(error) => {
                measures.note_error("harvest", &format!("{error:#}"));
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

/// Thousands of connections need as many descriptors here as there.
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
}

fn arguments(words: &[&str]) -> anyhow::Result<Arguments> {
    let mut arguments = Arguments { minutes: 30, is_one_address: false, is_debug: false };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--minutes" => {
                let number = words.next().context("`--minutes` needs a number")?;
                arguments.minutes = number.parse().with_context(|| format!("`{number}` is not a number"))?;
                ensure!(arguments.minutes > 0, "a soak takes at least a minute");
            }
            "--one-address" => arguments.is_one_address = true,
            "--debug-build" => arguments.is_debug = true,
            other => bail!("unknown option `{other}`: use `--minutes N`, `--one-address` or `--debug-build`"),
        }
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read() {
        let usual = Arguments { minutes: 30, is_one_address: false, is_debug: false };
        assert_eq!(arguments(&[]).unwrap(), usual);
        assert_eq!(
            arguments(&["--one-address", "--minutes", "2"]).unwrap(),
            Arguments { minutes: 2, is_one_address: true, ..usual }
        );
        assert!(arguments(&["--minutes"]).is_err() && arguments(&["--minutes", "0"]).is_err());
        assert!(arguments(&["--seconds"]).unwrap_err().to_string().contains("--minutes"));
    }
}
