//! Files of our own, under `/-/`.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::memento::insert;

/// The one service worker there is.
pub(crate) const WORKER: &str = "/-/worker.js";

/// A file that is part of the program.
struct Asset {
    name: &'static str,
    content_type: &'static str,
    text: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The shim, in the order of its parts: each uses what those before it declare.
const SHIM: &str = concat!(
    include_str!("../assets/shim/start.js"),
    "\n",
    include_str!("../assets/shim/addresses.js"),
    "\n",
    include_str!("../assets/shim/patching.js"),
    "\n",
    include_str!("../assets/shim/location.js"),
    "\n",
    include_str!("../assets/shim/texts.js"),
    "\n",
    include_str!("../assets/shim/markup.js"),
    "\n",
    include_str!("../assets/shim/asking.js"),
    "\n",
    include_str!("../assets/shim/workers.js"),
    "\n",
    include_str!("../assets/shim/keeping.js"),
    "\n",
    include_str!("../assets/shim/time.js"),
    "\n",
    include_str!("../assets/shim/state.js"),
    "\n",
    include_str!("../assets/shim/document.js"),
    "\n",
    include_str!("../assets/shim/cookies.js"),
    "\n",
    include_str!("../assets/shim/history.js"),
    "\n",
    include_str!("../assets/shim/messages.js"),
    "\n",
    include_str!("../assets/shim/elements.js"),
    "\n",
    include_str!("../assets/shim/sandbox.js"),
    "\n",
    include_str!("../assets/shim/made.js"),
    "\n",
    include_str!("../assets/shim/frames.js"),
    "\n",
    include_str!("../assets/shim/watch.js"),
    "\n",
    include_str!("../assets/shim/navigation.js"),
);

const ASSETS: [Asset; 4] = [
    Asset { name: "shim.js", content_type: SCRIPT, text: SHIM },
    Asset { name: "worker.js", content_type: SCRIPT, text: include_str!("../assets/worker.js") },
    Asset {
        name: "pages.css",
        content_type: "text/css; charset=utf-8",
        text: include_str!("../assets/pages.css"),
    },
    Asset { name: "mark.svg", content_type: "image/svg+xml", text: include_str!("../assets/mark.svg") },
];

/// Answers with one of them.
pub(crate) async fn asset(Path(name): Path<String>, request: HeaderMap) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        return (StatusCode::NOT_FOUND, "there is no such file\n").into_response();
    };
    let tag = tag(asset.text);
    let is_known = request.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = if is_known { Response::default() } else { Response::new(asset.text.into()) };
    *response.status_mut() = if is_known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
    let headers = response.headers_mut();
    insert(headers, header::CONTENT_TYPE, asset.content_type);
    insert(headers, header::ETAG, &tag);
    insert(headers, header::CACHE_CONTROL, "public, max-age=300, stale-while-revalidate=86400");
    insert(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    if asset.name == "worker.js" {
        insert(headers, HeaderName::from_static("service-worker-allowed"), "/");
        // A worker that is mended must not wait.
        insert(headers, header::CACHE_CONTROL, "no-cache");
    }
    response
}

/// Other people's robots have nothing to look for here.
pub(crate) async fn robots() -> &'static str {
    "User-agent: *\nDisallow: /\n"
}

/// A short name for a text, which is another for any other text. FNV-1a will do: nobody gains from two that are the same.
fn tag(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("\"{hash:016x}\"")
}
