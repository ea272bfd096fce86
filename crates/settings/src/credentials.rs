//! Whether a settings file holds credentials, which other users of the machine must not read.

use std::fs::File;
use std::path::Path;

/// Takes the rights of other users from a settings file of ours that holds credentials. A file without any may be shared with a group.
pub(crate) fn protect(path: &Path, text: &str) {
    if holds_credentials(text)
        && let Ok(file) = File::open(path)
    {
        private::tighten(&file, path);
    }
}

/// Whether a URL has a password, or a webhook is named: its address is a secret.
fn holds_credentials(text: &str) -> bool {
    let lines = text.lines().map(str::trim_start).filter(|line| !line.starts_with('#'));
    let is_webhook = |line: &str| {
        let key = line.split_once('=').map(|(key, _)| key.trim()).unwrap_or_default();
        key == "webhook" || key == "notify" && line.contains("://")
    };
    lines.clone().any(is_webhook) || lines.flat_map(|line| line.split("://").skip(1)).any(has_password)
}

/// What follows `://`.
fn has_password(rest: &str) -> bool {
    let end = rest.find(['/', '"', '\'', ' ']).unwrap_or(rest.len());
    let (authority, _) = rest.split_at_checked(end).unwrap_or_default();
    authority.split_once('@').is_some_and(|(login, _)| login.contains(':'))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn only_a_file_with_credentials_is_closed_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("varve.toml");
        for (text, expected) in [
            ("[harvest]\nproxy = 'http://ann:secret@proxy.example:3128'\n", 0o600),
            ("[notify]\nwebhook = 'https://hooks.example/T0/secret'\n", 0o600),
            ("[watch]\nnotify = ['https://hooks.example/T0/secret']\n", 0o600),
            ("[watch]\nnotify = ['mailto:ann@example.org']\n", 0o644),
            (
                "# proxy = 'http://ann:secret@proxy.example:3128'\n[harvest]\nproxy = 'http://proxy.example:3128/a@b'\n",
                0o644,
            ),
        ] {
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
            protect(&path, text);
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, expected, "{text}");
        }
    }
}
