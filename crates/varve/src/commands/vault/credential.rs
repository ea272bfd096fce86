//! Who may take something out: whoever has the password whose checksum stands in the settings.

use std::env;
use std::path::PathBuf;

use anyhow::anyhow;
use settings::VaultValues;
use warc::{Algorithm, Hasher};

use super::small;
use crate::hint::WithHint as _;

/// The variable of the environment that has the password.
const VARIABLE: &str = "VARVE_CREDENTIAL";

/// No password is longer.
const BYTES_MAX: u64 = 64 << 10;

/// How the password is given.
#[derive(clap::Args)]
pub(crate) struct Credential {
    /// The file that has the password [default: $VARVE_CREDENTIAL has it]
    #[arg(long, value_name = "PATH")]
    credential_file: Option<PathBuf>,
}

impl Credential {
    /// Whether it is the one whose checksum stands in the settings.
    pub(crate) fn check(&self, settings: &VaultValues) -> anyhow::Result<()> {
        let Some(wanted) = &settings.credential else {
            return Err(anyhow!("nothing can be taken out here: the settings name no credential")).hint(
                "write the SHA-256 of a password into varve.toml, below `[vault]`: credential = \"…\"; `printf %s PASSWORD | \
                 sha256sum` tells it",
            );
        };
        let given = match (&self.credential_file, env::var(VARIABLE)) {
            (Some(path), _) => small::read(path, BYTES_MAX)?,
            (None, Ok(given)) => given,
            (None, Err(_)) => {
                return Err(anyhow!("this wants the password of the settings' credential"))
                    .hint(format!("give it in ${VARIABLE}, or in a file that `--credential-file` names"));
            }
        };
        let mut hasher = Hasher::new(Algorithm::Sha256);
        hasher.update(given.trim_end_matches(['\r', '\n']).as_bytes());
        let is_same = hasher.finish().hex() == wanted.to_ascii_lowercase();
        if is_same { Ok(()) } else { Err(anyhow!("the password is not the one of the settings' credential")) }
    }
}
