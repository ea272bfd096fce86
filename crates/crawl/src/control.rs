//! Steering a crawl while it runs: from a signal, from the job's socket, from a test.

use std::sync::Arc;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use job::limits::LimitChange;
use job::socket::Command;
use tokio::sync::watch;

use crate::budget::Budget;

/// What the operator wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// Go on.
    Run,
    /// Begin nothing new until told otherwise.
    Pause,
    /// Begin nothing new, and end when what is under way has ended.
    Stop,
}

/// Bounds to be changed while the crawl runs; what is `None`, in a budget too, stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewLimits {
    /// Of the whole job.
    pub job: Option<Budget>,
    /// Of every domain that has none of its own.
    pub domain: Option<Budget>,
    /// Of single domains.
    pub domains: Vec<(String, Budget)>,
}

impl NewLimits {
    /// From what the operator has asked for, or what a job's folder says of it.
    #[must_use]
    pub fn from_change(change: LimitChange) -> NewLimits {
        let LimitChange { domain, objects, bytes, seconds } = change;
        let budget = Budget { objects, bytes, time: seconds.map(Duration::from_secs) };
        match domain {
            Some(every) if every == "*" => NewLimits { domain: Some(budget), ..NewLimits::default() },
            Some(domain) => NewLimits { domains: vec![(domain, budget)], ..NewLimits::default() },
            None => NewLimits { job: Some(budget), ..NewLimits::default() },
        }
    }
}

/// The wheel. Clones turn the same one.
#[derive(Debug, Clone)]
pub struct Control(Arc<Wheel>);

#[derive(Debug)]
struct Wheel {
    course: watch::Sender<Course>,
    limits: Mutex<Vec<NewLimits>>,
}

impl Default for Control {
    fn default() -> Control {
        let (course, limits) = (watch::Sender::new(Course::Run), Mutex::default());
        Control(Arc::new(Wheel { course, limits }))
    }
}

impl Control {
    /// Begins nothing new until [`Control::resume`].
    pub fn pause(&self) {
        self.turn(Course::Pause);
    }

    /// Goes on after a pause.
    pub fn resume(&self) {
        self.turn(Course::Run);
    }

    /// Ends the crawl when what is under way has ended. It can be resumed later.
    pub fn stop(&self) {
        self.turn(Course::Stop);
    }

    /// What the operator wants.
    #[must_use]
    pub fn course(&self) -> Course {
        *self.0.course.borrow()
    }

    /// Changes bounds.
    pub fn set_limits(&self, limits: NewLimits) {
        self.0.limits.lock().unwrap_or_else(PoisonError::into_inner).push(limits);
        self.nudge();
    }

    /// Does what another process has asked for.
    pub(crate) fn obey(&self, command: Command) {
        match command {
            Command::Status => {}
            Command::Pause => self.pause(),
            Command::Resume => self.resume(),
            Command::Stop => self.stop(),
            Command::Limits(change) => self.set_limits(NewLimits::from_change(change)),
        }
    }

    /// Whoever waits for a change looks again.
    pub(crate) fn nudge(&self) {
        self.0.course.send_modify(|_| {});
    }

    pub(crate) fn take_limits(&self) -> Vec<NewLimits> {
        std::mem::take(&mut *self.0.limits.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Course> {
        self.0.course.subscribe()
    }

    /// Who has stopped stays stopped.
    fn turn(&self, course: Course) {
        self.0.course.send_modify(|now| {
            if *now != Course::Stop {
                *now = course;
            }
        });
    }
}
