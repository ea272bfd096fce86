//! Which address is answered by which page.

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use cdxserver::CdxServer;

use crate::error::Fault;
use crate::state::Pages;
use crate::{assets, file, job, jobs, log, search, security, sign_in, start, vault, watches};

/// The pages and the API, for those who call the server by a name of its own, and have signed in where that is needed.
pub fn router(pages: Pages) -> Router {
    let api = pages.api().clone();
    let names = pages.names().to_vec();
    let policy = security::policy(api.replay());
    // Everybody may send this form.
    let submit = post(sign_in::submit).layer(DefaultBodyLimit::max(sign_in::FORM_BYTES_MAX));
    let own = Router::new()
        .route("/", get(start::show))
        .route("/search", get(search::look))
        .route("/harvests", post(start::begin).get(start::elsewhere))
        .route("/jobs", get(jobs::list))
        .route("/jobs/{job}", get(job::show))
        .route("/jobs/{job}/log", get(log::show))
        .route("/jobs/{job}/files/{file}", get(file::show))
        .route("/jobs/{job}/{course}", post(job::steer))
        .route("/preservation", get(vault::overview))
        .route("/preservation/files", get(vault::files))
        .route("/preservation/files/{*name}", get(vault::file))
        .route("/preservation/events", get(vault::events))
        .route("/preservation/repairs", get(vault::repairs))
        .route("/preservation/tasks/{task}", get(vault::confirm).post(vault::ask))
        .route("/watches", get(watches::list))
        .route("/watches/new", get(watches::fresh).post(watches::save_fresh))
        .route("/watches/{id}", get(watches::show))
        .route("/watches/{id}/edit", get(watches::edit).post(watches::save))
        .route("/watches/{id}/difference", get(watches::difference))
        .route("/watches/{id}/patch", get(watches::patch))
        .route("/watches/{id}/remove", get(watches::confirm).post(watches::remove))
        .route("/watches/{id}/{what}", post(watches::act))
        .route("/assets/{name}", get(assets::asset))
        .route("/sign-in", get(sign_in::show).merge(submit))
        .route("/sign-out", post(sign_in::leave))
        .route("/web/{*address}", get(nothing))
        .fallback(nothing)
        .layer(DefaultBodyLimit::max(api.limits().wish_bytes))
        .with_state(pages);
    let own = api::admitted(api::same_origin(own, &api), &api);
    let all = own
        .merge(api::router(api.clone()))
        .merge(cdxserver::router(CdxServer::new(api)))
        .layer(from_fn(sign_in::explain));
    api::guarded(all.layer(from_fn_with_state(policy, security::headers)), &names)
}

/// Whoever asks here for an archived page is led to replay, which has it under an address of its own.
async fn nothing(State(pages): State<Pages>, uri: Uri) -> Result<Response, Fault> {
    let name = uri.path().split('/').nth(1).unwrap_or_default().to_owned();
    let is_collection = name == "web"
        || pages.ask(|api| api.collections()).await?.iter().any(|collection| collection.name == name);
    let place = format!("{}{}", pages.api().replay(), uri.path_and_query().map_or("/", PathAndQuery::as_str));
    match HeaderValue::try_from(place) {
        Ok(place) if is_collection => {
            Ok((StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response())
        }
        _ => Err(Fault::no_page()),
    }
}
