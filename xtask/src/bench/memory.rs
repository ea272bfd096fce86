//! The most memory that a program held at once.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

/// Python can ask the kernel for a child's peak without unsafe code of ours; it is there for the peers anyway.
const SCRIPT: &str = "\
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
";

/// Runs a command to its end and returns its peak of resident memory in bytes.
pub(crate) fn peak_bytes(python: &Path, command: &Command) -> anyhow::Result<u64> {
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(command.get_program())
        .args(command.get_args())
        .output()
        .with_context(|| format!("cannot run `{}`", python.display()))?;
    ensure!(
        output.status.success(),
        "{command:?} failed: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let kilobytes: u64 = text.trim().parse().with_context(|| format!("`{}` is no number", text.trim()))?;
    Ok(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_program_needs_some_memory() {
        let Some(python) = testkit::peers::python() else { return };
        let bytes = peak_bytes(&python, &Command::new("true")).unwrap();
        assert!((100_000..100_000_000).contains(&bytes), "{bytes}");
        assert!(peak_bytes(&python, &Command::new("false")).is_err());
    }
}
