//! What can go wrong, as a page.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::frame::{Frame, page};

/// Why a page cannot be shown.
#[derive(Debug)]
pub(crate) struct Fault {
    status: StatusCode,
    title: &'static str,
    message: String,
    hint: Option<String>,
}

impl Fault {
    /// There is no such page.
    pub(crate) fn no_page() -> Fault {
        let message = "There is no page at this address.".to_owned();
        Fault { status: StatusCode::NOT_FOUND, title: "Nothing here", message, hint: None }
    }

    /// A form of an earlier run of the server, or of somebody else.
    pub(crate) fn stale() -> Fault {
        Fault {
            status: StatusCode::FORBIDDEN,
            title: "This form is out of date",
            message: "It was made before the server was last started. Nothing was done.".to_owned(),
            hint: Some("Go back, load the page again, and send it once more.".to_owned()),
        }
    }

    /// Our own fault.
    pub(crate) fn broken() -> Fault {
        Fault {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            title: "Something broke",
            message: "The page could not be made, which is a fault of the program.".to_owned(),
            hint: None,
        }
    }
}

impl From<api::Error> for Fault {
    fn from(error: api::Error) -> Fault {
        error.log();
        let status = error.status();
        let title = match status {
            StatusCode::NOT_FOUND => "Nothing by that name",
            StatusCode::CONFLICT => "That cannot be done now",
            StatusCode::FORBIDDEN => "That may not be done",
            StatusCode::BAD_GATEWAY => "The page could not be had",
            status if status.is_server_error() => "The archive cannot be read",
            _ => "That is not understood",
        };
        let hint = error.hint().map(str::to_owned);
        Fault { status, title, message: sentence(&error.to_string()), hint }
    }
}

impl From<askama::Error> for Fault {
    fn from(error: askama::Error) -> Fault {
        tracing::error!("a page could not be made: {error}");
        Fault::broken()
    }
}

/// With a capital in front, unless an address stands there, and a full stop behind.
pub(crate) fn sentence(message: &str) -> String {
    let is_address = message.split(' ').next().is_some_and(|word| word.contains("://"));
    let mut letters = message.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if message.ends_with(['.', '!', '?']) { "" } else { "." };
    if is_address { format!("{message}{end}") } else { format!("{first}{}{end}", letters.as_str()) }
}

#[derive(Template)]
#[template(path = "fault.html")]
struct FaultPage {
    frame: Frame,
    message: String,
    hint: Option<String>,
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let Fault { status, title, message, hint } = self;
        match page(&FaultPage { frame: Frame::bare(title), message, hint }) {
            Ok(page) => (status, page).into_response(),
            Err(_) => (status, title).into_response(),
        }
    }
}
