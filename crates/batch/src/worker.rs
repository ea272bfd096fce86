//! One file: worked on within its bounds, and judged.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use store::Sealed;
use tempfile::SpooledTempFile;

use crate::failed::Why;
use crate::origin::Origin;
use crate::reading::Reading;
use crate::result::Sink;
use crate::settings::Settings;
use crate::source::{Source, Tally};
use crate::task::{Done, Failure, Task};
use crate::watch::{Over, Watch};

/// What a worker has.
pub(crate) struct Worker<'a> {
    pub(crate) origin: &'a Origin,
    pub(crate) task: &'a dyn Task,
    pub(crate) settings: &'a Settings,
    pub(crate) stop: &'a Arc<AtomicBool>,
    pub(crate) tally: &'a Arc<Tally>,
}

/// What came of a file.
pub(crate) enum Outcome {
    /// There is a result of so many bytes, and perhaps something wrong all the same.
    Result(SpooledTempFile, u64, Option<Why>),
    /// There is none.
    Failed(Why),
    /// There is none, for the task is about other kinds of files.
    Other,
    /// The run was cancelled meanwhile.
    Stopped,
}

impl Outcome {
    /// What lies around of it until it is merged.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Outcome::Result(_, bytes, _) => *bytes,
            Outcome::Failed(_) | Outcome::Other | Outcome::Stopped => 0,
        }
    }
}

impl Worker<'_> {
    /// Works on a file. Whatever happens in there, it ends here.
    pub(crate) fn work(&self, file: Sealed) -> Outcome {
        match catch_unwind(AssertUnwindSafe(|| self.attempt(file))) {
            Ok(outcome) => outcome,
            Err(panic) => Outcome::Failed(Why::Panic(told(panic.as_ref()))),
        }
    }

    fn attempt(&self, file: Sealed) -> Outcome {
        let watch = Arc::new(Watch::new(&self.settings.stopwatch, self.settings.timeout, self.stop));
        let threads = self.settings.threads.get();
        let source = self.task.reads().then(|| Source::open(&file, self.origin, &watch, self.tally, threads));
        let mut reading = Reading::new(file, source, watch.clone());
        let mut sink = Sink::new(self.settings);
        let done = self.task.work(&mut reading, &mut sink);
        // Whatever it made of the file, it may be that the file is not what it was.
        let is_read = self.task.reads() && reading.trouble().is_none();
        let found = if is_read { reading.finish().ok().map(str::to_owned) } else { None };
        match watch.was_over() {
            Some(Over::Stopped) => return Outcome::Stopped,
            Some(Over::Time) => return Outcome::Failed(Why::Time),
            None => {}
        }
        let is_other = matches!(done, Ok(Done::Other));
        match (self.judge(&reading, &sink, done, found), sink.into_result()) {
            (Err(why), _) => Outcome::Failed(why),
            (Ok(None), _) if is_other => Outcome::Other,
            (Ok(why), Ok((result, bytes))) => Outcome::Result(result, bytes, why),
            (Ok(_), Err(error)) => Outcome::Failed(Why::NotKept(error.to_string())),
        }
    }

    /// What is wrong: with the result, or so that there is none.
    fn judge(
        &self,
        reading: &Reading,
        sink: &Sink,
        done: Result<Done, Failure>,
        found: Option<String>,
    ) -> Result<Option<Why>, Why> {
        if let Some(why) = reading.trouble() {
            return Err(Why::Unreadable(why));
        }
        if let Some(why) = sink.trouble() {
            return Err(Why::NotKept(why.to_owned()));
        }
        if sink.is_over() {
            return Err(Why::TooMuch);
        }
        let expected = &reading.file().sha256;
        let changed = match found {
            Some(found) if found != *expected && !expected.is_empty() => {
                Some(Why::Changed { expected: expected.clone(), found })
            }
            Some(_) => None,
            None if self.task.reads() => {
                return Err(Why::Unreadable("it was not read to its end".to_owned()));
            }
            None => None,
        };
        match (done, changed) {
            (Ok(_), Some(changed)) => Ok(Some(changed)),
            (Ok(Done::Sound | Done::Other), None) => Ok(None),
            (Ok(Done::Damaged(why)), None) => Ok(Some(Why::Damaged(why))),
            (Err(_), Some(changed)) => Err(changed),
            (Err(Failure(why)), None) => Err(Why::Task(why)),
        }
    }
}

/// What somebody said who panicked.
fn told(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it does not say why".to_owned())
}
