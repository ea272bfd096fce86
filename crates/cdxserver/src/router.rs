//! Which address is answered by which handler.

use axum::Router;
use axum::routing::get;

use crate::{CdxServer, outback, server};

/// The CDX and OutbackCDX servers, for those whom the API admits. Has no answer for other addresses, so that it can be merged with others.
pub fn router(server: CdxServer) -> Router {
    let routes = Router::new()
        .route("/cdx", get(server::ask_web))
        .route("/cdx/{collection}", get(server::ask))
        .nest("/outbackcdx", outback::router());
    api::guarded_by(routes, server.api()).with_state(server)
}
