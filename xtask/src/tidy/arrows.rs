//! Checks which crate depends on which: dependencies point down by one layer or more.
//!
//! Sideways dependencies are allowed among leaves, among doors, and for the pairs of [`SIDEWAYS`]. [`LAYERS`] is the plan in
//! ARCHITECTURE.md, crates included that do not exist yet. The length of a chain is not limited.

use std::cmp::Ordering;

use super::Fault;
use super::tree::{Crate, Tree};

/// How high a crate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// Turns bytes into values; touches no clock, disk or network.
    Leaf,
    /// Helps to store or execute; knows nothing of archives.
    Ground,
    /// Talks to the network.
    Hand,
    /// Owns one kind of state on disk.
    Keeper,
    /// The one way in and out.
    Archive,
    /// Does one kind of long-running work.
    Worker,
    /// Runs for days or serves several doors; drives workers.
    Service,
    /// Where people and programs come in.
    Door,
    /// Stands outside the program.
    Chore,
}

use Layer::{Archive, Chore, Door, Ground, Hand, Keeper, Leaf, Service, Worker};

/// Every crate and its layer, highest layer last.
const LAYERS: &[(&str, Layer)] = &[
    ("urlkey", Leaf),
    ("warc", Leaf),
    ("cdx", Leaf),
    ("cdx_indexer", Leaf),
    ("wacz", Leaf),
    ("bagit_ocfl", Leaf),
    ("robots", Leaf),
    ("destination", Leaf),
    ("extract", Leaf),
    ("scope", Leaf),
    ("filter", Leaf),
    ("places", Leaf),
    ("metadata", Leaf),
    ("diff", Leaf),
    ("rewrite", Leaf),
    ("watchlist", Leaf),
    ("demo", Leaf),
    ("capture", Leaf),
    ("protocol", Leaf),
    ("policy", Leaf),
    ("private", Ground),
    ("db", Ground),
    ("gazetteer", Ground),
    ("fetch", Hand),
    ("browser", Hand),
    ("notify", Hand),
    ("listen", Hand),
    ("catalogue", Keeper),
    ("accounts", Keeper),
    ("frontier", Keeper),
    ("job", Keeper),
    ("secrets", Keeper),
    ("store", Keeper),
    ("index", Keeper),
    ("documents", Keeper),
    ("portals", Keeper),
    ("search", Keeper),
    ("archive", Archive),
    ("crawl", Worker),
    ("crawl_queue", Worker),
    ("vault", Worker),
    ("batch", Worker),
    ("watch", Worker),
    ("transfer", Worker),
    ("rebuild", Worker),
    ("settings", Service),
    ("plan", Service),
    ("supervisor", Service),
    ("policies", Service),
    ("auth", Service),
    ("api", Door),
    ("cdxserver", Door),
    ("web", Door),
    ("replay", Door),
    ("client", Door),
    ("varve", Door),
    ("testkit", Door),
    ("xtask", Chore),
];

/// Dependencies within a layer other than leaves and doors: user, used, and why.
const SIDEWAYS: &[(&str, &str, &str)] = &[
    ("db", "private", "a database file has mode 0600 from its first byte"),
    ("plan", "settings", "a plan is made of settings"),
    ("supervisor", "settings", "the supervisor starts what the settings name"),
    ("supervisor", "plan", "the supervisor runs plans"),
    ("rebuild", "transfer", "the tests of rebuild make archives by importing files"),
];

/// What a leaf must not even depend on: it neither waits nor touches the network.
const NOT_IN_LEAVES: [&str; 9] =
    ["anyhow", "async-std", "axum", "hyper", "mio", "reqwest", "rustls", "socket2", "tokio"];

/// Only programs flatten errors; libraries name theirs.
const MAY_USE_ANYHOW: [&str; 2] = ["varve", "xtask"];

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    tree.crates.iter().flat_map(|member| check_crate(member, &tree.crates)).collect()
}

/// Whether a crate is one of those that touch nothing.
pub(super) fn is_leaf(name: &str) -> bool {
    layer(name) == Some(Leaf)
}

fn check_crate(member: &Crate, all: &[Crate]) -> Vec<Fault> {
    let path = manifest(member);
    let fault = |message: String| Fault::new(&path, 0, message);
    let Some(layer) = layer(&member.name) else {
        return vec![fault(format!(
            "`{}` has no place in the table of layers (xtask/src/tidy/arrows.rs)",
            member.name
        ))];
    };
    let mut faults = Vec::new();
    for dependency in &member.dependencies {
        let name = dependency.name.as_str();
        if all.iter().any(|other| other.name == name)
            && !may_use(&member.name, layer, name, dependency.is_dev)
        {
            faults.push(fault(format!("`{}` must not depend on `{name}`: dependencies point down, and sideways only where SIDEWAYS lists them", member.name)));
        }
        if layer == Leaf && !dependency.is_dev && NOT_IN_LEAVES.contains(&name) {
            faults.push(fault(format!("a leaf must not depend on `{name}`")));
        } else if name == "anyhow" && !dependency.is_dev && !MAY_USE_ANYHOW.contains(&member.name.as_str()) {
            faults.push(fault("only programs use `anyhow`; a library has an `Error` of its own".to_owned()));
        }
    }
    faults
}

/// Whether a crate may use another one of ours.
fn may_use(user: &str, layer: Layer, used: &str, is_dev: bool) -> bool {
    if used == "testkit" {
        return is_dev || layer == Chore;
    }
    let Some(below) = self::layer(used) else { return false };
    match height(below).cmp(&height(layer)) {
        Ordering::Less => true,
        Ordering::Equal if below == layer && matches!(layer, Leaf | Door) => true,
        Ordering::Equal => SIDEWAYS.iter().any(|(from, to, _)| (*from, *to) == (user, used)),
        Ordering::Greater => false,
    }
}

/// The layer of one of our crates.
pub(crate) fn layer(name: &str) -> Option<Layer> {
    LAYERS.iter().find(|(known, _)| *known == name).map(|(_, layer)| *layer)
}

/// Hands stand beside keepers.
fn height(layer: Layer) -> u8 {
    match layer {
        Leaf => 0,
        Ground => 1,
        Hand | Keeper => 2,
        Archive => 3,
        Worker => 4,
        Service => 5,
        Door => 6,
        Chore => 7,
    }
}

fn manifest(member: &Crate) -> String {
    format!("{}/Cargo.toml", member.folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_arrow(from: &str, to: &str, faults: usize) {
        let mut tree = Tree::of(&[]).with_crate(from, &[to]);
        for (name, _) in LAYERS.iter().filter(|(name, _)| *name != from) {
            tree = tree.with_crate(name, &[]);
        }
        assert_eq!(check(&tree).len(), faults, "{from} -> {to}");
    }

    #[test]
    fn arrows_point_down() {
        check_arrow("crawl", "archive", 0);
        check_arrow("store", "warc", 0);
        check_arrow("warc", "store", 1);
        check_arrow("archive", "api", 1);
        check_arrow("job", "private", 0);
        check_arrow("private", "job", 1);
    }

    #[test]
    fn services_stand_between_workers_and_doors() {
        check_arrow("supervisor", "vault", 0);
        check_arrow("api", "supervisor", 0);
        check_arrow("watch", "supervisor", 1);
        check_arrow("replay", "supervisor", 0);
    }

    #[test]
    fn sideways_only_among_leaves_and_doors_and_for_listed_pairs() {
        check_arrow("wacz", "warc", 0);
        check_arrow("varve", "api", 0);
        check_arrow("supervisor", "settings", 0);
        check_arrow("settings", "supervisor", 1);
        check_arrow("index", "store", 1);
        check_arrow("store", "fetch", 1);
        check_arrow("crawl", "watch", 1);
    }

    #[test]
    fn listed_pairs_are_neighbours() {
        for (from, to, why) in SIDEWAYS {
            assert_eq!(layer(from).map(height), layer(to).map(height), "{from} -> {to}: {why}");
        }
    }

    #[test]
    fn testkit_is_for_tests() {
        check_arrow("warc", "dev:testkit", 0);
        check_arrow("xtask", "testkit", 0);
        check_arrow("varve", "testkit", 1);
    }

    #[test]
    fn leaves_do_not_wait_and_libraries_name_their_errors() {
        check_arrow("warc", "tokio", 1);
        check_arrow("warc", "dev:tokio", 0);
        check_arrow("fetch", "tokio", 0);
        check_arrow("fetch", "anyhow", 1);
        check_arrow("varve", "anyhow", 0);
    }

    #[test]
    fn a_new_crate_needs_a_place() {
        assert_eq!(check(&Tree::of(&[]).with_crate("attic", &[])).len(), 1);
    }

    #[test]
    fn long_chains_are_allowed() {
        let names = ["varve", "web", "api", "supervisor", "crawl", "archive", "index", "cdx", "urlkey"];
        let tree = names.windows(2).fold(Tree::of(&[]), |tree, pair| tree.with_crate(pair[0], &[pair[1]]));
        assert_eq!(check(&tree.with_crate("urlkey", &[])), vec![]);
    }
}
