//! Aliases: keys under which another key is meant, in a small file of their own.
//!
//! ```text
//! varve aliases 1
//! org,example,old)/ org,example)/
//! ```
//! Sorted by alias, a space between the two, a line end behind each. The file is never changed: the manifest names the next one, with
//! its length and checksum.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::OnceLock;

use crate::captures::key_column;
use crate::{Error, Snapshot};

const GREETING: &str = "varve aliases 1\n";
/// How many aliases of aliases are followed. A ring of them ends here, too.
const STEPS_MAX: usize = 8;

/// All aliases of an index.
#[derive(Debug, Clone, Default)]
pub(crate) struct AliasTable {
    pub(crate) pairs: BTreeMap<String, String>,
    /// The other way round, made when it is asked for first.
    by_target: OnceLock<HashMap<String, Vec<String>>>,
}

/// Pairs of an alias and what it stands for, if each is a key.
pub(crate) fn checked_pairs<'k>(
    pairs: impl IntoIterator<Item = (&'k str, &'k str)>,
) -> Result<Vec<(String, String)>, Error> {
    pairs.into_iter().map(|(alias, target)| Ok((checked(alias)?, checked(target)?))).collect()
}

/// Adds pairs to those that are known. What stands for itself is no alias.
pub(crate) fn add(known: &mut BTreeMap<String, String>, pairs: Vec<(String, String)>) {
    for (alias, target) in pairs {
        if alias == target {
            known.remove(&alias);
        } else {
            known.insert(alias, target);
        }
    }
}

impl AliasTable {
    pub(crate) fn new(pairs: BTreeMap<String, String>) -> AliasTable {
        AliasTable { pairs, by_target: OnceLock::new() }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut text = GREETING.to_owned();
        for (alias, target) in &self.pairs {
            text.push_str(alias);
            text.push(' ');
            text.push_str(target);
            text.push('\n');
        }
        text.into_bytes()
    }

    /// What the bytes of a file say; the path is for the error.
    pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<AliasTable, Error> {
        let nonsense = || Error::damaged(path, 0, "aliases that make no sense");
        let text = str::from_utf8(bytes).map_err(|_| nonsense())?;
        let lines = text.strip_prefix(GREETING).ok_or_else(nonsense)?;
        let pair =
            |line: &str| line.split_once(' ').map(|(alias, target)| (alias.to_owned(), target.to_owned()));
        let pairs: Option<_> = lines.lines().map(pair).collect();
        Ok(AliasTable::new(pairs.ok_or_else(nonsense)?))
    }

    fn resolve<'a>(&'a self, key: &'a str) -> &'a str {
        let mut here = key;
        for _ in 0..STEPS_MAX {
            match self.pairs.get(here) {
                Some(target) if target != key => here = target,
                _ => break,
            }
        }
        here
    }

    fn leading_to(&self, target: &str) -> &[String] {
        let by_target = self.by_target.get_or_init(|| {
            let mut by_target: HashMap<String, Vec<String>> = HashMap::new();
            for alias in self.pairs.keys() {
                by_target.entry(self.resolve(alias).to_owned()).or_default().push(alias.clone());
            }
            by_target
        });
        by_target.get(target).map(Vec::as_slice).unwrap_or_default()
    }
}

/// A key as the rows have it, which can be written on a line.
pub(crate) fn checked(key: &str) -> Result<String, Error> {
    let mut column = key_column(key);
    column.pop();
    let text = String::from_utf8(column).unwrap_or_default();
    if key.is_empty() { Err(Error::Alias { what: "an alias needs two keys".to_owned() }) } else { Ok(text) }
}

impl Snapshot {
    /// The key that this one is an alias for; the key itself where it is none.
    #[must_use]
    pub fn resolve_alias<'a>(&'a self, key: &'a str) -> &'a str {
        self.alias_table().resolve(key)
    }

    /// Keys that are aliases for this one.
    pub fn aliases_of(&self, target: &str) -> impl Iterator<Item = &str> {
        self.alias_table().leading_to(target).iter().map(String::as_str)
    }

    /// All aliases, each with the key it stands for, sorted.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.alias_table().pairs.iter().map(|(alias, target)| (alias.as_str(), target.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(pairs: &[(&str, &str)]) -> AliasTable {
        AliasTable::new(pairs.iter().map(|(alias, target)| (alias.to_string(), target.to_string())).collect())
    }

    #[test]
    fn tables_come_back_and_nonsense_is_damage() {
        let path = Path::new("x.aliases");
        for table in [table(&[]), table(&[("a)/", "b)/"), ("c)/é", "b)/")])] {
            assert_eq!(AliasTable::parse(&table.to_bytes(), path).unwrap().pairs, table.pairs);
        }
        for bad in ["", "varve aliases 2\n", "varve aliases 1\na\n", "varve aliases 1\na b\n\n"] {
            assert!(AliasTable::parse(bad.as_bytes(), path).is_err_and(|error| error.is_damage()), "{bad}");
        }
    }

    #[test]
    fn chains_are_followed_and_rings_end() {
        let table = table(&[("a", "b"), ("b", "c"), ("x", "y"), ("y", "x")]);
        assert_eq!((table.resolve("a"), table.resolve("b"), table.resolve("c")), ("c", "c", "c"));
        assert_eq!((table.resolve("x"), table.resolve("q")), ("y", "q"));
        assert_eq!(
            (table.leading_to("c"), table.leading_to("q")),
            (["a".to_owned(), "b".to_owned()].as_slice(), [].as_slice())
        );
    }
}
