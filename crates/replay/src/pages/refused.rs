//! What is there and may not be seen: not by anybody, not here, not yet.

use axum::http::StatusCode;
use axum::response::Response;
use policy::Decision;

use super::missing::missing;
use super::notes::note;
use crate::error::Error;
use crate::visit::Visit;

/// Says so, and why, as far as that may be told.
pub(crate) fn refused(visit: &Visit, url: &str, decision: Decision) -> Result<Response, Error> {
    let (status, heading, below) = match decision {
        // Nobody must be able to tell it from what was never captured.
        Decision::Allow | Decision::Excluded => return missing(visit, url),
        Decision::Blocked => (
            StatusCode::UNAVAILABLE_FOR_LEGAL_REASONS,
            "This page may not be shown",
            "<p>It is in the archive, and for legal reasons nobody is shown it.</p>".to_owned(),
        ),
        Decision::OnSite => (
            StatusCode::FORBIDDEN,
            "This page can be seen on site only",
            "<p>It is in the archive, and may be shown in the rooms of the institution that keeps it. Ask there for a place to read.</p>".to_owned(),
        ),
        Decision::Staff => (
            StatusCode::FORBIDDEN,
            "This page can be seen by staff only",
            "<p>It is in the archive. Ask the institution that keeps it whether you may see it.</p>".to_owned(),
        ),
        Decision::Embargo { until } => {
            let day = urlkey::time::to_14(until);
            let day = cdx::Timestamp::parse(&day).map(super::dates::day).unwrap_or_default();
            (
                StatusCode::FORBIDDEN,
                "This page can not be seen yet",
                format!("<p>It is in the archive, and may be shown from <strong>{day}</strong> on.</p>"),
            )
        }
    };
    Ok(note(&visit.replay, status, visit.collection.name(), url, heading, &below))
}
