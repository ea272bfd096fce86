//! The crate's public face: presets walked over graphs of links, lists and sheets, traps and counters, and other people's cases.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods
)]

mod chain;
mod graph;
mod heritrix;
mod logins;
mod modes;
mod properties;
mod redirects;
mod seed_lists;
mod sheets;
mod traps;
mod zeno;

use scope::{Plan, Preset, Scope, Seeds};
use url::Url;

/// A scope of this preset and these seeds, with nothing else said.
#[track_caller]
fn scope(preset: &str, seeds: &str) -> Scope {
    Scope::new(&plan(preset, seeds)).unwrap()
}

#[track_caller]
fn plan(preset: &str, seeds: &str) -> Plan {
    Plan { preset: preset.parse::<Preset>().unwrap(), seeds: Seeds::parse(seeds).unwrap(), ..Plan::default() }
}

#[track_caller]
fn url(text: &str) -> Url {
    Url::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Whether a URL found with these hops is in.
#[track_caller]
fn is_in(scope: &Scope, text: &str, hops: &str) -> bool {
    let (url, via) = (url(text), url("http://via.example/"));
    scope.decide(&scope::Candidate::link(&url, &via, hops)).is_in
}
