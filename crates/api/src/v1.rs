//! The addresses below `/api/v1`: the archive as a whole, its jobs, its files, and the pages that are watched.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use crate::jobs::{events, routes};
use crate::vault::routes as vault;
use crate::watches::{events as news, feeds, monitor, routes as watches};
use crate::{Api, collections, holdings};

/// Everything below `/api/v1`.
pub(crate) fn router(api: &Api) -> Router<Api> {
    Router::new()
        .route("/archive", get(holdings::show))
        .route("/collections", get(collections::list))
        .route("/hosts", get(holdings::find))
        .route("/profiles", get(routes::profiles))
        .route("/events", get(events::all))
        .route("/jobs", get(routes::list).post(routes::start))
        .route("/jobs/{job}", get(routes::show))
        .route("/jobs/{job}/log", get(routes::log))
        .route("/jobs/{job}/reports/{report}", get(routes::report))
        .route("/jobs/{job}/files", get(routes::names))
        .route("/jobs/{job}/files/{file}", get(routes::file))
        .route("/jobs/{job}/events", get(events::one))
        .route("/jobs/{job}/{course}", post(routes::steer))
        .route("/vault", get(vault::status))
        .route("/vault/events", get(vault::events))
        .route("/vault/files", get(vault::files))
        .route("/vault/files/{*name}", get(vault::file))
        .route("/vault/remedies", get(vault::remedies))
        .route("/vault/tasks", post(vault::ask))
        .route("/watches", get(watches::list).post(watches::add))
        .route("/watches/preview", post(watches::preview))
        .route("/watches/news", get(watches::news))
        .route("/watches/events", get(news::follow))
        .route("/watches/{id}", get(watches::show).patch(watches::change).delete(watches::remove))
        .route("/watches/{id}/check", post(watches::check))
        .route("/watches/{id}/news", get(watches::news_of))
        .route("/watches/{id}/feed.rss", get(feeds::watch_rss))
        .route("/watches/{id}/feed.atom", get(feeds::watch_atom))
        .route("/people/{name}", get(watches::person))
        .route("/people/{name}/feed.rss", get(feeds::person_rss))
        .route("/people/{name}/feed.atom", get(feeds::person_atom))
        .route("/monitor/check", post(monitor::check))
        .route("/monitor/available", post(monitor::available))
        .route("/monitor/version", post(monitor::version))
        .route("/monitor/changed", post(monitor::changed))
        .route("/monitor/changes", post(monitor::changes))
        .route("/monitor/difference", post(monitor::difference))
        .route("/monitor/patch", post(monitor::patch))
        .route("/monitor/versions", get(monitor::versions))
        .route("/monitor/document", get(monitor::document))
        .route("/monitor/availability", get(monitor::availability))
        .route("/monitor/days", get(monitor::days))
        .layer(DefaultBodyLimit::max(api.limits().wish_bytes))
}
