//! What the environment says, for everything but the terminal: secrets, which stay out of files, and who runs the program.

use std::env;
use std::path::PathBuf;

/// The password at the mail server.
pub const SMTP_PASSWORD: &str = "VARVE_SMTP_PASSWORD";
/// What webhooks are signed with.
pub const WEBHOOK_SECRET: &str = "VARVE_WEBHOOK_SECRET";
/// Names another file for the key of stored passwords.
pub const KEY_FILE: &str = "VARVE_SECRETS_KEY_FILE";

/// What a bucket's service needs that no settings file should hold, under the names that its vendors' programs use.
#[derive(Clone, Debug, Default)]
pub struct BucketVariables {
    /// The address of the service.
    pub endpoint: Option<String>,
    /// Where the bucket is.
    pub region: Option<String>,
    /// The name of the key.
    pub access_key: Option<String>,
    /// The key.
    pub secret_key: Option<String>,
    /// The token of a session.
    pub session_token: Option<String>,
}

impl BucketVariables {
    /// Reads them.
    #[must_use]
    pub fn read() -> BucketVariables {
        BucketVariables {
            endpoint: variable("AWS_ENDPOINT_URL"),
            region: variable("AWS_REGION").or_else(|| variable("AWS_DEFAULT_REGION")),
            access_key: variable("AWS_ACCESS_KEY_ID"),
            secret_key: variable("AWS_SECRET_ACCESS_KEY"),
            session_token: variable("AWS_SESSION_TOKEN"),
        }
    }
}

/// The text of a variable; an empty one is none.
#[must_use]
pub fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The key file that the environment names.
#[must_use]
pub fn key_file() -> Option<PathBuf> {
    env::var_os(KEY_FILE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Who runs the program.
#[must_use]
pub fn user() -> String {
    ["USER", "LOGNAME"].into_iter().find_map(variable).unwrap_or_else(|| "somebody".to_owned())
}
