//! Which address is answered by whom.

use axum::Router;
use axum::middleware::from_fn_with_state;

use crate::{Api, origin, v1};

/// Everything that programs may ask. Has no answer for other addresses, so that it can be merged with the pages.
pub fn router(api: Api) -> Router {
    Router::new()
        .nest("/api/v1", v1::router(&api))
        .layer(from_fn_with_state(api.clone(), origin::guard))
        .with_state(api)
}
