//! What can go wrong, and the answer that each fault becomes: a problem document (RFC 9457).

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};

use crate::jobs::RefusalKind;

/// When somebody who came at a bad time should come again.
const RETRY_SECONDS: &str = "30";

/// How a program signs in.
const SIGN_IN_HINT: &str = "send `Authorization: Bearer TOKEN`; TOKEN is in the file `work/up.json` of the archive, which only the user \
    who runs the server can read, and `varve open --header` prints the header field";

/// Why a request was not answered as asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter or body that makes no sense.
    #[error("{0}")]
    Bad(String),
    /// There is no such thing.
    #[error("{0}")]
    NotFound(String),
    /// The sender has not signed in.
    #[error("this request needs the token of this server")]
    SignIn,
    /// It is there, and whoever asks may not.
    #[error("{0}")]
    Forbidden(String),
    /// It cannot be changed this way.
    #[error("{0}")]
    Conflict(String),
    /// Not now: others are at it.
    #[error("{0}")]
    Busy(String),
    /// More than a limit allows.
    #[error("{0}")]
    TooLarge(String),
    /// What was asked for is understood and wrong, and this is the way out.
    #[error("{message}")]
    Wrong {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// There are too many of these already, and this is the way out.
    #[error("{message}")]
    TooMany {
        /// What there is too much of.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// Fields of what was sent that make no sense, each with its place.
    #[error("{}", said(.0))]
    Fields(Vec<FieldFault>),
    /// A server elsewhere was asked, and did not give what was wanted.
    #[error("{0}")]
    NotHad(String),
    /// There is no such job.
    #[error("there is no job `{0}` in this archive")]
    NoSuchJob(String),
    /// The job has no such file.
    #[error("job `{job}` has no file `{file}`")]
    NoSuchFile {
        /// The job.
        job: String,
        /// The file.
        file: String,
    },
    /// A file of a job cannot be read to its end.
    #[error("`{what}` cannot be read")]
    Unreadable {
        /// Which.
        what: String,
        /// Why.
        source: std::io::Error,
    },
    /// Nobody knows how the jobs stand. Why exactly is for the log.
    #[error("the jobs of the archive cannot be read")]
    Jobs(#[source] job::Error),
    /// Nobody knows how the files stand. Why exactly is for the log.
    #[error("the catalogue of files cannot be read or written")]
    Vault(#[source] ::vault::Error),
    /// The archive failed. What exactly is for the log, not for the world.
    #[error("the archive cannot be read or written")]
    Archive(#[source] archive::Error),
}

/// A field that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldFault {
    /// Which: a JSON pointer into the body, such as `/rules/only/1`.
    pub pointer: String,
    /// Which character of it, from 1, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// What is wrong with it.
    pub detail: String,
}

impl FieldFault {
    /// A field that is wrong as a whole.
    pub fn new(pointer: impl Into<String>, detail: impl Into<String>) -> FieldFault {
        FieldFault { pointer: pointer.into(), at: None, detail: detail.into() }
    }
}

fn said(faults: &[FieldFault]) -> String {
    let each = faults.iter().map(|fault| match fault.at {
        Some(at) => format!("{}: {}, at character {at}", fault.pointer, fault.detail),
        None => format!("{}: {}", fault.pointer, fault.detail),
    });
    each.collect::<Vec<_>>().join("; ")
}

impl Error {
    /// A parameter or body that makes no sense.
    pub fn bad(what: impl Into<String>) -> Error {
        Error::Bad(what.into())
    }

    /// The status of the answer.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Error::Bad(_) => StatusCode::BAD_REQUEST,
            Error::NotFound(_) => StatusCode::NOT_FOUND,
            Error::SignIn => StatusCode::UNAUTHORIZED,
            Error::Forbidden(_) => StatusCode::FORBIDDEN,
            Error::Conflict(_) => StatusCode::CONFLICT,
            Error::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            Error::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Error::Wrong { .. } | Error::Fields(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Error::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            Error::NotHad(_) => StatusCode::BAD_GATEWAY,
            Error::NoSuchJob(_) | Error::NoSuchFile { .. } => StatusCode::NOT_FOUND,
            Error::Unreadable { .. } | Error::Jobs(_) | Error::Vault(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Error::Archive(error) if error.is_full() => StatusCode::INSUFFICIENT_STORAGE,
            Error::Archive(archive::Error::IndexLost { .. }) => StatusCode::SERVICE_UNAVAILABLE,
            Error::Archive(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// A word that stays the same whatever the message says.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::Bad(_) => "bad-request",
            Error::NotFound(_) => "not-found",
            Error::SignIn => "sign-in",
            Error::Forbidden(_) => "forbidden",
            Error::Conflict(_) => "conflict",
            Error::Busy(_) => "busy",
            Error::TooLarge(_) => "too-large",
            Error::Wrong { .. } | Error::Fields(_) => "wrong",
            Error::TooMany { .. } => "too-many",
            Error::NotHad(_) => "not-had",
            Error::NoSuchJob(_) => "no-such-job",
            Error::NoSuchFile { .. } => "no-such-file",
            Error::Unreadable { .. } | Error::Jobs(_) => "jobs",
            Error::Vault(_) => "vault",
            Error::Archive(error) if error.is_full() => "disk-full",
            Error::Archive(archive::Error::IndexLost { .. }) => "index-lost",
            Error::Archive(_) => "archive",
        }
    }

    /// The problem document.
    #[must_use]
    pub fn problem(&self) -> Value {
        let status = self.status();
        let mut problem = json!({
            "type": format!("urn:varve:problem:{}", self.code()),
            "title": status.canonical_reason().unwrap_or_default(),
            "status": status.as_u16(),
            "detail": self.to_string(),
        });
        if let (Some(hint), Some(members)) = (self.hint(), problem.as_object_mut()) {
            members.insert("hint".to_owned(), hint.into());
        }
        if let (Error::Fields(faults), Some(members)) = (self, problem.as_object_mut()) {
            members.insert("errors".to_owned(), json!(faults));
        }
        problem
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        match self {
            Error::Wrong { hint, .. } | Error::TooMany { hint, .. } => hint.as_deref(),
            Error::SignIn => Some(SIGN_IN_HINT),
            Error::Archive(archive::Error::IndexLost { .. }) => {
                Some("`varve rebuild` makes the index again from the files in the store")
            }
            _ => None,
        }
    }

    /// Says in an answer when to try again, or how to sign in, where that may help.
    #[must_use]
    pub fn retry(&self, mut answer: Response) -> Response {
        let field = match self {
            Error::Busy(_) | Error::TooMany { .. } => (header::RETRY_AFTER, RETRY_SECONDS),
            Error::SignIn => (header::WWW_AUTHENTICATE, "Bearer realm=\"varve\""),
            _ => return answer,
        };
        answer.headers_mut().insert(field.0, HeaderValue::from_static(field.1));
        answer
    }

    /// Tells the log of what is our trouble and not the caller's.
    pub fn log(&self) {
        let error: &dyn std::error::Error = match self {
            Error::Archive(error) => error,
            Error::Jobs(error) => error,
            Error::Vault(error) => error,
            Error::Unreadable { .. } => self,
            _ => return,
        };
        let cause = error.source().map(|cause| format!(": {cause}"));
        tracing::error!("a request failed: {error}{}", cause.unwrap_or_default());
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        self.log();
        let head = [(header::CONTENT_TYPE, "application/problem+json")];
        self.retry((self.status(), head, self.problem().to_string()).into_response())
    }
}

impl From<archive::Error> for Error {
    fn from(error: archive::Error) -> Error {
        Error::Archive(error)
    }
}

impl From<job::Error> for Error {
    fn from(error: job::Error) -> Error {
        match error {
            job::Error::NotRunning { .. } | job::Error::Refused(_) => Error::Conflict(error.to_string()),
            error => Error::Jobs(error),
        }
    }
}

impl From<::vault::Error> for Error {
    fn from(error: ::vault::Error) -> Error {
        match error {
            ::vault::Error::Catalogue(catalogue::Error::NoReplica(_)) | ::vault::Error::NoReplica(_) => {
                Error::NotFound(error.to_string())
            }
            // Why exactly is for the log.
            ::vault::Error::Catalogue(error) if error.is_unreachable() => {
                Error::Vault(::vault::Error::Catalogue(error)).log();
                Error::Busy("the database server cannot be reached".to_owned())
            }
            error => Error::Vault(error),
        }
    }
}

impl From<catalogue::Error> for Error {
    fn from(error: catalogue::Error) -> Error {
        ::vault::Error::from(error).into()
    }
}

impl From<crate::jobs::Refused> for Error {
    fn from(refused: crate::jobs::Refused) -> Error {
        match refused.kind {
            RefusalKind::Conflict => Error::Conflict(refused.message),
            RefusalKind::Wrong => Error::Wrong { message: refused.message, hint: refused.hint },
            RefusalKind::TooMany => Error::TooMany { message: refused.message, hint: refused.hint },
        }
    }
}

impl From<index::Error> for Error {
    fn from(error: index::Error) -> Error {
        match error {
            index::Error::TooMany { .. } => Error::TooLarge(error.to_string()),
            index::Error::Row { .. } | index::Error::Alias { .. } => Error::Bad(error.to_string()),
            error => Error::Archive(error.into()),
        }
    }
}

impl From<::cdx::Error> for Error {
    fn from(error: ::cdx::Error) -> Error {
        Error::Bad(error.to_string())
    }
}

impl From<urlkey::Error> for Error {
    fn from(error: urlkey::Error) -> Error {
        Error::Bad(error.to_string())
    }
}
