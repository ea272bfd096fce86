//! Which address is answered by whom.

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;

use crate::{Api, admission, cdx, origin, v1};

/// Everything that programs may ask. Has no answer for other addresses, so that it can be merged with the pages.
pub fn router(api: Api) -> Router {
    Router::new()
        .route("/cdx", get(cdx::server::ask_web))
        .route("/cdx/{collection}", get(cdx::server::ask))
        .nest("/outbackcdx", cdx::outback::router())
        .nest("/api/v1", v1::router(&api))
        .layer(from_fn_with_state(api.clone(), origin::guard))
        .layer(from_fn_with_state(api.clone(), admission::guard))
        .with_state(api)
}
