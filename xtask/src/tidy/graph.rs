//! Draws the crates of the workspace and their dependencies in ARCHITECTURE.md, and checks that the picture is current.
//!
//! The picture is a Mermaid flowchart with a box per layer. It leaves out an arrow if a longer way leads to the same crate, and arrows to
//! leaves, because nearly every crate uses several of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use anyhow::Context as _;

use super::Fault;
use super::arrows::{Layer, layer};
use super::tree::Tree;
use crate::places;

const PAGE: &str = "ARCHITECTURE.md";
const START: &str = "<!-- crate graph: made by `cargo xtask graph` -->";
const END: &str = "<!-- end of the crate graph -->";

/// The layers as boxes, highest first.
const BOXES: [(&str, &[Layer]); 7] = [
    ("doors", &[Layer::Door]),
    ("services", &[Layer::Service]),
    ("workers", &[Layer::Worker]),
    ("archive_", &[Layer::Archive]),
    ("keepers and hands", &[Layer::Keeper, Layer::Hand]),
    ("ground", &[Layer::Ground]),
    ("leaves", &[Layer::Leaf]),
];

/// Writes the picture to ARCHITECTURE.md.
pub(crate) fn write() -> anyhow::Result<()> {
    let tree = Tree::read()?;
    let page = tree.files.iter().find(|file| file.path == PAGE).context("there is no ARCHITECTURE.md")?;
    let (before, _, after) = parts(&page.text).with_context(|| format!("{PAGE} has no line `{START}`"))?;
    fs::write(places::root().join(PAGE), format!("{before}{}{after}", block(&tree)))?;
    Ok(())
}

/// Reports a picture that differs from the dependencies.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let Some(page) = tree.files.iter().find(|file| file.path == PAGE) else { return Vec::new() };
    match parts(&page.text) {
        Some((_, picture, _)) if picture == block(tree) => Vec::new(),
        Some((before, _, _)) => {
            let line = before.lines().count() + 1;
            vec![Fault::new(PAGE, line, "the crate graph is out of date: run `cargo xtask graph`")]
        }
        None => vec![Fault::new(PAGE, 0, format!("the crate graph is missing: no line `{START}`"))],
    }
}

/// The page before the picture, the picture with its marks, and the page after it.
fn parts(page: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = page.split_at_checked(page.find(START)?)?;
    let (picture, after) = rest.split_at_checked(rest.find(END)?)?;
    Some((before, picture, after))
}

fn block(tree: &Tree) -> String {
    format!("{START}\n\n```mermaid\n{}```\n\n", picture(tree))
}

fn picture(tree: &Tree) -> String {
    let uses = dependencies(tree);
    let mut picture = "flowchart TB\n".to_owned();
    for (title, layers) in BOXES {
        let is_here = |name: &&&str| layer(name).is_some_and(|layer| layers.contains(&layer));
        let names: Vec<&str> = uses.keys().filter(is_here).copied().collect();
        if names.is_empty() {
            continue;
        }
        let _ =
            writeln!(picture, "  subgraph {}[\"{}\"]", title.replace(' ', "_"), title.trim_end_matches('_'));
        // Leaves have no arrows here, so they stand as one node, with a line for each six of them.
        match layers {
            [Layer::Leaf] => {
                let lines: Vec<String> = names.chunks(6).map(|names| names.join(", ")).collect();
                let _ = writeln!(picture, "    all_leaves[\"{}\"]", lines.join("<br>"));
            }
            _ => names.iter().for_each(|name| {
                let _ = writeln!(picture, "    {name}");
            }),
        }
        picture.push_str("  end\n");
    }
    for (user, used) in &uses {
        for name in used.iter().filter(|name| layer(name) != Some(Layer::Leaf)) {
            let is_reached_otherwise = used.iter().any(|other| other != name && reaches(&uses, other, name));
            if layer(user) != Some(Layer::Leaf) && !is_reached_otherwise {
                let _ = writeln!(picture, "  {user} --> {name}");
            }
        }
    }
    if uses.keys().any(|name| layer(name) == Some(Layer::Leaf)) {
        picture.push_str("  ground ~~~ all_leaves\n");
    }
    picture
}

/// What each shipped crate of ours uses of ours.
fn dependencies(tree: &Tree) -> BTreeMap<&str, BTreeSet<&str>> {
    let is_shipped = |name: &str| !matches!(name, "testkit" | "xtask");
    let shipped: BTreeSet<&str> =
        tree.crates.iter().map(|member| member.name.as_str()).filter(|name| is_shipped(name)).collect();
    let used = |name: &str| {
        let member = tree.crates.iter().find(|member| member.name == name);
        let dependencies = member.into_iter().flat_map(|member| &member.dependencies);
        dependencies
            .filter(|dependency| !dependency.is_dev && shipped.contains(dependency.name.as_str()))
            .map(|dependency| dependency.name.as_str())
            .collect()
    };
    shipped.iter().map(|name| (*name, used(name))).collect()
}

/// Whether one crate uses another, by any number of steps.
fn reaches(uses: &BTreeMap<&str, BTreeSet<&str>>, from: &str, to: &str) -> bool {
    uses.get(from).is_some_and(|used| used.contains(to) || used.iter().any(|next| reaches(uses, next, to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Tree {
        let page = format!("# Architecture\n\n{START}\nold\n{END}\n\nMore.\n");
        Tree::of(&[(PAGE, &page)])
            .with_crate("varve", &["api", "archive"])
            .with_crate("api", &["archive", "urlkey"])
            .with_crate("archive", &["urlkey", "dev:testkit"])
            .with_crate("urlkey", &[])
            .with_crate("testkit", &[])
    }

    #[test]
    fn an_arrow_is_left_out_if_a_longer_way_leads_there() {
        let picture = picture(&small());
        assert!(
            picture.contains("  varve --> api\n") && picture.contains("  api --> archive\n"),
            "{picture}"
        );
        assert!(!picture.contains("varve --> archive"), "{picture}");
        assert!(!picture.contains("--> urlkey") && !picture.contains("testkit"), "{picture}");
    }

    #[test]
    fn a_picture_that_differs_is_reported_at_its_line() {
        let faults = check(&small());
        assert_eq!(faults.first().map(|fault| fault.line), Some(3));
        let tree = small();
        let (before, _, after) = parts(&tree.files[0].text).unwrap();
        let current = format!("{before}{}{after}", block(&tree));
        let tree = Tree { files: vec![super::super::tree::File::new(PAGE, &current)], ..small() };
        assert_eq!(check(&tree), vec![]);
    }
}
