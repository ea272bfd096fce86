//! Makes the Python environment with other people's programs that tests and benches compare with, and in it ReplayWeb.page,
//! which comes from npm.
//!
//! `xtask/peers.txt` pins every version. The environment is made once and reused until that file changes; tests find it
//! by [`testkit::peers`].

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use crate::places;
use crate::step::Step;

/// Makes the environment, or finds it ready. Returns where it is.
pub(crate) fn make() -> anyhow::Result<PathBuf> {
    let folder = folder();
    if testkit::peers::is_ready(&folder) {
        return Ok(folder);
    }
    // `$VARVE_PEERS` may point anywhere, and making an environment clears the folder.
    let is_ours = folder.join("pyvenv.cfg").is_file();
    let is_empty = fs::read_dir(&folder).map_or(true, |mut entries| entries.next().is_none());
    ensure!(is_ours || is_empty, "`{}` is neither empty nor a Python environment", folder.display());

    let python = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    Step::new("python", python).args(["-m", "venv", "--clear"]).args([&folder]).run()?;
    let requirements = Path::new("xtask").join("peers.txt");
    Step::new("peers", folder.join("bin").join("python"))
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
        .args([&requirements])
        .run()?;
    player(&folder)?;
    let note = testkit::peers::note(&folder);
    fs::write(&note, testkit::peers::REQUIREMENTS)
        .with_context(|| format!("cannot write `{}`", note.display()))?;
    Ok(folder)
}

/// ReplayWeb.page, unpacked as it is published: two scripts that a page needs, and nothing that they depend on.
fn player(folder: &Path) -> anyhow::Result<()> {
    let place = testkit::peers::player_in(folder);
    let above = place.parent().context("the player lies in a folder")?;
    fs::create_dir_all(above).with_context(|| format!("cannot make `{}`", above.display()))?;
    let package = format!("replaywebpage@{}", testkit::peers::PLAYER_VERSION);
    Step::new("player", "npm")
        .args(["pack", "--silent", "--pack-destination"])
        .args([above])
        .args([&package])
        .run()?;
    let packed = above.join(package.replace('@', "-") + ".tgz");
    Step::new("unpack", "tar").args(["-xzf"]).args([&packed]).args(["-C"]).args([above]).run()
}

/// As `make`, but a machine without Python or network only loses the comparisons, unless it is CI.
pub(crate) fn make_if_possible() -> anyhow::Result<()> {
    match make() {
        Err(error) if !places::is_ci() => {
            println!(
                "  the peers cannot be made here ({error:#}); tests that need them will say so and pass"
            );
            Ok(())
        }
        outcome => outcome.map(drop),
    }
}

/// Where the environment is: as the tests will look for it, given our target folder.
pub(crate) fn folder() -> PathBuf {
    match env::var_os("VARVE_PEERS").filter(|value| !value.is_empty()) {
        Some(named) => std::path::absolute(&named).unwrap_or_else(|_| named.into()),
        None => places::target().join("peers"),
    }
}
