//! What pages are dressed in: style, mark and a few lines of script, all part of the program.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};

use crate::error::Fault;

const STYLE: &str = include_str!("../assets/varve.css");
const SCRIPT: &str = include_str!("../assets/live.js");
const PREVIEW: &str = include_str!("../assets/preview.js");
const MARK: &str = include_str!("../assets/mark.svg");

/// A mark of their content (FNV-1a), so that a browser may keep them until they change.
pub(crate) fn mark() -> &'static str {
    static MARKED: LazyLock<String> = LazyLock::new(|| {
        let bytes = [STYLE, SCRIPT, PREVIEW].into_iter().flat_map(str::bytes);
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{hash:016x}")
    });
    &MARKED
}

/// `GET /assets/{name}`
pub(crate) async fn asset(Path(name): Path<String>) -> Result<Response, Fault> {
    let (kind, text) = match name.as_str() {
        "varve.css" => ("text/css; charset=utf-8", STYLE),
        "live.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "preview.js" => ("text/javascript; charset=utf-8", PREVIEW),
        "mark.svg" => ("image/svg+xml", MARK),
        _ => return Err(Fault::no_page()),
    };
    let head = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "public, max-age=86400")];
    Ok((head, text).into_response())
}
