//! The profiles that come with the program, one per kind of harvest (B9). A file may add to them, and has its own beside them.

use std::path::Path;

use super::harvest::HarvestLayer;
use super::kind::{Given, Raw};
use super::origin::Origin;
use super::table::Layer as _;

/// A profile that is built in.
pub struct BuiltIn {
    /// By which it is chosen.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// What it sets.
    pub sets: &'static [(&'static str, &'static str)],
}

/// All of them. The budgets of the first two are those of the Czech web archive (B11).
pub const BUILT_IN: [BuiltIn; 4] = [
    BuiltIn {
        name: "selective",
        about: "sites that were chosen one by one: whole domains, and the operator is asked before one is cut short",
        sets: &[("scope", "domain"), ("domain_max_objects", "25000"), ("on_budget", "ask")],
    },
    BuiltIn {
        name: "broad",
        about: "very many domains, a little of each",
        sets: &[
            ("scope", "domain"),
            ("domain_max_objects", "5000"),
            ("on_budget", "ask"),
            ("recheck", "false"),
        ],
    },
    BuiltIn {
        name: "page",
        about: "single pages with everything they show",
        sets: &[("scope", "page"), ("recheck", "false")],
    },
    BuiltIn {
        name: "polite",
        about: "servers that are small or easily annoyed: one request at a time, a quarter of a minute apart",
        sets: &[("delay", "15s"), ("per_host", "1"), ("per_address", "1"), ("backoff_first", "1m")],
    },
];

/// What a built-in profile says.
pub fn built_in(name: &str) -> Option<HarvestLayer> {
    let profile = BUILT_IN.iter().find(|profile| profile.name == name)?;
    let mut layer = HarvestLayer::default();
    for (key, value) in profile.sets {
        let raw = Raw::Text((*value).to_owned());
        // A test sees to it that every value is allowed.
        let _ = layer.put(
            key,
            &Given { raw: &raw, folder: Path::new("") },
            Origin::Profile { name: profile.name },
        );
    }
    Some(layer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B9, B11.
    #[test]
    fn every_profile_sets_what_it_says() {
        for profile in &BUILT_IN {
            let shown = built_in(profile.name).unwrap().shown();
            for (key, value) in profile.sets {
                let row = shown.iter().find(|shown| shown.key == *key).unwrap();
                assert_eq!(row.value.trim_matches('"'), *value, "{}: {key}", profile.name);
                assert_eq!(row.origins, [Origin::Profile { name: profile.name }]);
            }
        }
        assert!(built_in("unknown").is_none());
    }
}
