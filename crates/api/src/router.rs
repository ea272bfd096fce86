//! Which address is answered by whom.

use axum::Router;
use axum::middleware::from_fn_with_state;

use crate::{Api, admission, origin, v1};

/// Everything that programs may ask. Has no answer for other addresses, so that it can be merged with the pages.
pub fn router(api: Api) -> Router {
    guarded_by(Router::new().nest("/api/v1", v1::router(&api)), &api).with_state(api)
}

/// These routes, for those who have signed in, and to be changed only by origins that may. The routes of other doors can be guarded like this.
pub fn guarded_by<S: Clone + Send + Sync + 'static>(routes: Router<S>, api: &Api) -> Router<S> {
    routes
        .layer(from_fn_with_state(api.clone(), origin::guard))
        .layer(from_fn_with_state(api.clone(), admission::guard))
}
