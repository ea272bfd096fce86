//! What a running crawl knows of hosts: their robots.txt, the answers of name servers, and signs of sites that lead nowhere.

use std::collections::HashMap;
use std::sync::Mutex;

use fetch::dns::Answer;
use jiff::Timestamp;

use super::locks::lock;
use super::robots::Rules;

/// Hosts of which something is remembered beside what gate and frontier know; beyond that it is learnt anew.
pub(super) const NAMES_MAX: usize = 100_000;

/// What the crawl has learnt of hosts.
pub(super) struct HostKnowledge {
    pub(super) rules: Rules,
    pub(super) traps: Traps,
    /// When names were looked up whose answers are in the archive already.
    answers: Mutex<HashMap<String, Timestamp>>,
}

/// What only counting can tell of a site that leads nowhere.
#[derive(Debug, Default)]
pub(super) struct Traps {
    pub(super) shapes: scope::Shapes,
    pub(super) hosts: scope::Hosts,
    pub(super) bodies: scope::SameBody,
}

impl Traps {
    /// What they have to tell.
    pub(super) fn remarks(&self) -> Vec<String> {
        let shapes = self.shapes.report();
        let shapes = shapes.into_iter().map(|shape| {
            format!("{}: about {} URLs alike, such as {}", shape.shape, shape.about, shape.example)
        });
        let hosts = self.hosts.report();
        let hosts = hosts
            .into_iter()
            .map(|report| format!("{}: too many hosts, about {}", report.domain, report.about));
        let bodies = self.bodies.report();
        let bodies = bodies.into_iter().map(|body| {
            format!(
                "{}: the same content under about {} URLs, such as {}",
                body.host, body.about, body.example
            )
        });
        shapes.chain(hosts).chain(bodies).collect()
    }
}

impl HostKnowledge {
    pub(super) fn new(rules: Rules) -> HostKnowledge {
        HostKnowledge { rules, traps: Traps::default(), answers: Mutex::default() }
    }

    /// Whether an answer of the name servers is new to the archive.
    pub(super) fn is_new_answer(&self, answer: &Answer) -> bool {
        // What a setting says was not answered by anybody.
        if answer.server.is_none() {
            return false;
        }
        let mut answers = lock(&self.answers);
        if answers.len() >= NAMES_MAX {
            answers.clear();
        }
        answers.insert(answer.name.clone(), answer.at) != Some(answer.at)
    }
}
