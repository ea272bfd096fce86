//! The file that says who may see what: `access.rules` in the archive's folder.
//!
//! A server keeps the rules in memory and checks every few seconds whether the file has changed, so that a take-down applies
//! without a restart. A file with an error changes nothing: the previous rules stay, and the server logs the error.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use anyhow::{Context as _, bail};
use policy::{CurrentRules, RuleSet};

/// Its name.
pub(crate) const FILE: &str = "access.rules";
/// Bytes of it that are read; a million rules fit.
const BYTES_MAX: u64 = 64 << 20;

/// The rules of a file, read again when the file changes.
#[derive(Debug)]
pub(crate) struct Followed {
    path: PathBuf,
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    rules: Arc<RuleSet>,
    /// Time and length of the file that was read; `None` if there is no file.
    seen: Option<(SystemTime, u64)>,
}

impl Followed {
    /// Reads the rules of an archive. Without a file everybody may see everything.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Followed> {
        let path = folder.join(FILE);
        let seen = look(&path)?;
        let rules = Arc::new(read(&path)?);
        Ok(Followed { path, state: RwLock::new(State { rules, seen }) })
    }

    /// Reads the file again if it is another than before; whether it was.
    pub(crate) fn refresh(&self) -> anyhow::Result<bool> {
        let seen = look(&self.path)?;
        if seen == self.state.read().unwrap_or_else(PoisonError::into_inner).seen {
            return Ok(false);
        }
        let rules = read(&self.path);
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        // Also of a file with a mistake, which would otherwise be told again and again.
        state.seen = seen;
        let revision = state.rules.revision() + 1;
        state.rules = Arc::new(rules?.with_revision(revision));
        Ok(true)
    }

    /// The rules that apply now.
    pub(crate) fn rules(&self) -> Arc<RuleSet> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner).rules)
    }

    /// The same for a server, which asks again for every capture.
    pub(crate) fn current(self: &Arc<Followed>) -> CurrentRules {
        let followed = Arc::clone(self);
        CurrentRules::from_fn(move || followed.rules())
    }
}

/// Which file is there now.
fn look(path: &Path) -> anyhow::Result<Option<(SystemTime, u64)>> {
    match path.metadata().and_then(|about| Ok((about.modified()?, about.len()))) {
        Ok(seen) => Ok(Some(seen)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// The rules in a file; none where there is no file.
pub(crate) fn read(path: &Path) -> anyhow::Result<RuleSet> {
    match text(path)? {
        Some(text) => RuleSet::parse(&text).with_context(|| format!("{} is not understood", path.display())),
        None => Ok(RuleSet::default()),
    }
}

/// The text of a file of rules; `None` where there is none.
pub(crate) fn text(path: &Path) -> anyhow::Result<Option<String>> {
    let unreadable = || format!("cannot read {}", path.display());
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(unreadable),
    };
    let mut text = String::new();
    file.take(BYTES_MAX + 1).read_to_string(&mut text).with_context(unreadable)?;
    if text.len() as u64 > BYTES_MAX {
        bail!("{} is longer than {BYTES_MAX} bytes", path.display());
    }
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use policy::{Decision, Request};

    use super::*;

    fn decide(followed: &Followed) -> Decision {
        let now = "2026-11-16T08:00:00Z".parse().unwrap();
        policy::decide(
            &followed.rules(),
            &Request { key: "org,example)/", captured: None, now, client: None, user: None },
        )
    }

    #[test]
    fn a_take_down_holds_without_a_restart_and_a_mistake_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let rules = Followed::open(folder.path()).unwrap();
        assert_eq!(decide(&rules), Decision::Allow);
        std::fs::write(&path, "org,example, exclude\n").unwrap();
        assert!(rules.refresh().unwrap());
        assert!(!rules.refresh().unwrap());
        assert_eq!((decide(&rules), rules.rules().revision()), (Decision::Excluded, 1));
        std::fs::write(&path, "org,example, hidden by mistake\n").unwrap();
        assert!(format!("{:#}", rules.refresh().unwrap_err()).contains("line 1"));
        assert_eq!(decide(&rules), Decision::Excluded);
        assert!(!rules.refresh().unwrap());
        std::fs::remove_file(&path).unwrap();
        assert!(rules.refresh().unwrap());
        assert_eq!(decide(&rules), Decision::Allow);
    }
}
