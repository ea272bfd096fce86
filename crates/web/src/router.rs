//! Which address is answered by which page.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use crate::error::Fault;
use crate::state::Pages;
use crate::{assets, file, job, jobs, log, search, security, start};

/// The pages and the API, for those who call the server by a name of its own.
pub fn router(pages: Pages) -> Router {
    let api = pages.api().clone();
    let names = pages.names().to_vec();
    let policy = security::policy(api.replay());
    let own = Router::new()
        .route("/", get(start::show))
        .route("/search", get(search::look))
        .route("/harvests", post(start::begin).get(start::elsewhere))
        .route("/jobs", get(jobs::list))
        .route("/jobs/{job}", get(job::show))
        .route("/jobs/{job}/log", get(log::show))
        .route("/jobs/{job}/files/{file}", get(file::show))
        .route("/jobs/{job}/{course}", post(job::steer))
        .route("/assets/{name}", get(assets::asset))
        .fallback(nothing)
        .layer(DefaultBodyLimit::max(api.limits().wish_bytes))
        .with_state(pages);
    let all = api::same_origin(own, &api).merge(api::router(api));
    api::guarded(all.layer(from_fn_with_state(policy, security::headers)), &names)
}

async fn nothing() -> Fault {
    Fault::no_page()
}
