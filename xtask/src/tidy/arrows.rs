//! Which crate may depend on which: arrows point down, sideways only among leaves and among doors.
//!
//! The table below is the plan of the house (ARCHITECTURE.md), rooms included that are not built yet.

use std::cmp::Ordering;

use super::Fault;
use super::tree::{Crate, Tree};

/// How high a crate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    /// Bytes in, values out.
    Leaf,
    /// Storage and execution helpers that know nothing of archives.
    Ground,
    /// Touches the network.
    Hand,
    /// Owns one kind of state on disk.
    Keeper,
    /// The one way in and out.
    Archive,
    /// Does things over time.
    Worker,
    /// Where people and programs come in.
    Door,
    /// Stands outside the house.
    Chore,
}

use Layer::{Archive, Chore, Door, Ground, Hand, Keeper, Leaf, Worker};

const LAYERS: [(&str, Layer); 42] = [
    ("urlkey", Leaf),
    ("warc", Leaf),
    ("cdx", Leaf),
    ("describe", Leaf),
    ("wacz", Leaf),
    ("package", Leaf),
    ("robots", Leaf),
    ("destination", Leaf),
    ("extract", Leaf),
    ("scope", Leaf),
    ("filter", Leaf),
    ("places", Leaf),
    ("diff", Leaf),
    ("rewrite", Leaf),
    ("watchlist", Leaf),
    ("demo", Leaf),
    ("private", Ground),
    ("fetch", Hand),
    ("browser", Hand),
    ("notify", Hand),
    ("listen", Hand),
    ("catalogue", Keeper),
    ("frontier", Keeper),
    ("job", Keeper),
    ("secrets", Keeper),
    ("store", Keeper),
    ("index", Keeper),
    ("documents", Keeper),
    ("search", Keeper),
    ("archive", Archive),
    ("crawl", Worker),
    ("harvest", Worker),
    ("vault", Worker),
    ("batch", Worker),
    ("watch", Worker),
    ("replay", Worker),
    ("api", Door),
    ("web", Door),
    ("client", Door),
    ("varve", Door),
    ("testkit", Door),
    ("xtask", Chore),
];

/// The most crates of ours in one line of dependencies.
const CHAIN_MAX: usize = 7;

/// What a leaf must not even depend on: it neither waits nor touches the network.
const NOT_IN_LEAVES: [&str; 9] =
    ["anyhow", "async-std", "axum", "hyper", "mio", "reqwest", "rustls", "socket2", "tokio"];

/// Only programs flatten errors; libraries name theirs.
const MAY_USE_ANYHOW: [&str; 2] = ["varve", "xtask"];

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults: Vec<Fault> =
        tree.crates.iter().flat_map(|member| of_crate(member, &tree.crates)).collect();
    for member in &tree.crates {
        let length = chain(member, &tree.crates, CHAIN_MAX + 1);
        if length > CHAIN_MAX {
            let message = format!("stands on a chain of {length} crates; at most {CHAIN_MAX} are allowed");
            faults.push(Fault::new(&manifest(member), 0, message));
        }
    }
    faults
}

/// Whether a crate is one of those that touch nothing.
pub(super) fn is_leaf(name: &str) -> bool {
    layer(name) == Some(Leaf)
}

fn of_crate(member: &Crate, all: &[Crate]) -> Vec<Fault> {
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
        if all.iter().any(|other| other.name == name) && !may_use(layer, name, dependency.is_dev) {
            faults.push(fault(format!("`{}` must not depend on `{name}`: arrows point down", member.name)));
        }
        if layer == Leaf && !dependency.is_dev && NOT_IN_LEAVES.contains(&name) {
            faults.push(fault(format!("a leaf must not depend on `{name}`")));
        } else if name == "anyhow" && !dependency.is_dev && !MAY_USE_ANYHOW.contains(&member.name.as_str()) {
            faults.push(fault("only programs use `anyhow`; a library has an `Error` of its own".to_owned()));
        }
    }
    faults
}

/// Whether a crate of this layer may use that one of ours.
fn may_use(layer: Layer, dependency: &str, is_dev: bool) -> bool {
    if dependency == "testkit" {
        return is_dev || layer == Chore;
    }
    let Some(below) = self::layer(dependency) else { return false };
    match height(below).cmp(&height(layer)) {
        Ordering::Less => true,
        Ordering::Equal => below == layer && matches!(layer, Leaf | Door),
        Ordering::Greater => false,
    }
}

/// The number of our crates in the longest line of dependencies down from here, itself included; counts up to `most`.
fn chain(member: &Crate, all: &[Crate], most: usize) -> usize {
    if most <= 1 {
        return most;
    }
    let used = member.dependencies.iter().filter(|dependency| !dependency.is_dev);
    let below = used.filter_map(|dependency| all.iter().find(|other| other.name == dependency.name));
    below.map(|other| chain(other, all, most - 1)).max().unwrap_or(0) + 1
}

fn layer(name: &str) -> Option<Layer> {
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
        Door => 5,
        Chore => 6,
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
    fn sideways_only_among_leaves_and_doors() {
        check_arrow("wacz", "warc", 0);
        check_arrow("varve", "api", 0);
        check_arrow("index", "store", 1);
        check_arrow("store", "fetch", 1);
        check_arrow("crawl", "watch", 1);
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
    fn chains_are_short() {
        let chain = |names: &[&str]| {
            let tree =
                names.windows(2).fold(Tree::of(&[]), |tree, pair| tree.with_crate(pair[0], &[pair[1]]));
            check(&tree.with_crate(names[names.len() - 1], &[])).len()
        };
        assert_eq!(chain(&["varve", "web", "api", "archive", "store", "warc", "urlkey"]), 0);
        assert_eq!(chain(&["varve", "api", "crawl", "archive", "store", "cdx", "warc", "urlkey"]), 1);
        // The door above it, too.
        assert_eq!(chain(&["varve", "web", "api", "crawl", "archive", "store", "cdx", "warc", "urlkey"]), 2);
    }
}
