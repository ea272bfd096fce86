//! The file that says who may see what: `access.rules` in the archive's folder.
//!
//! Whoever serves keeps the rules in memory and looks now and then whether the file has changed, so that a take-down holds
//! without a restart. A file with a mistake in it changes nothing: the rules before it stay, and the mistake is told.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use anyhow::{Context as _, bail};
use archive::access::{Decision, Policy, Question, Rules};

/// Its name.
pub(crate) const FILE: &str = "access.rules";
/// Bytes of it that are read; a million rules fit.
const BYTES_MAX: u64 = 64 << 20;

/// Rules that follow their file.
#[derive(Debug)]
pub(crate) struct Followed {
    path: PathBuf,
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    rules: Arc<Rules>,
    /// The file that they are from: time and length; `None` where there is no file.
    seen: Option<(SystemTime, u64)>,
    /// How often they have changed.
    changes: u64,
}

impl Followed {
    /// Reads the rules of an archive. Without a file everybody may see everything.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Followed> {
        let path = folder.join(FILE);
        let seen = look(&path)?;
        let rules = Arc::new(read(&path)?);
        Ok(Followed { path, state: RwLock::new(State { rules, seen, changes: 0 }) })
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
        state.rules = Arc::new(rules?);
        state.changes += 1;
        Ok(true)
    }

    fn rules(&self) -> Arc<Rules> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner).rules)
    }
}

impl Policy for Followed {
    fn decide(&self, question: &Question<'_>) -> Decision {
        self.rules().decide(question)
    }

    fn state(&self) -> u64 {
        self.state.read().unwrap_or_else(PoisonError::into_inner).changes
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
pub(crate) fn read(path: &Path) -> anyhow::Result<Rules> {
    match text(path)? {
        Some(text) => Rules::parse(&text).with_context(|| format!("{} is not understood", path.display())),
        None => Ok(Rules::default()),
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
    use super::*;

    fn decide(rules: &Followed) -> Decision {
        let now = "2026-11-16T08:00:00Z".parse().unwrap();
        rules.decide(&Question { key: "org,example)/", captured: None, now, client: None, user: None })
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
        assert_eq!((decide(&rules), rules.state()), (Decision::Excluded, 1));
        std::fs::write(&path, "org,example, hidden by mistake\n").unwrap();
        assert!(format!("{:#}", rules.refresh().unwrap_err()).contains("line 1"));
        assert_eq!(decide(&rules), Decision::Excluded);
        assert!(!rules.refresh().unwrap());
        std::fs::remove_file(&path).unwrap();
        assert!(rules.refresh().unwrap());
        assert_eq!(decide(&rules), Decision::Allow);
    }
}
