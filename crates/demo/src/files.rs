//! Files that lie on the server as they are: style sheet, scripts, pictures, the video.

use crate::answer::Answer;
use crate::edition::Edition;

/// One file.
pub(crate) struct File {
    pub(crate) path: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
    /// What it became with the second edition, if it was exchanged.
    exchanged: Option<&'static [u8]>,
}

macro_rules! file {
    ($path:literal, $content_type:expr) => {
        File {
            path: $path,
            content_type: $content_type,
            bytes: include_bytes!(concat!("../site", $path)),
            exchanged: None,
        }
    };
    ($path:literal, $content_type:expr, $exchanged:literal) => {
        File {
            path: $path,
            content_type: $content_type,
            bytes: include_bytes!(concat!("../site", $path)),
            exchanged: Some(include_bytes!(concat!("../site", $exchanged))),
        }
    };
}

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const JPEG: &str = "image/jpeg";
const PNG: &str = "image/png";
const WEBP: &str = "image/webp";

/// All of them.
pub(crate) const FILES: &[File] = &[
    file!("/assets/paper.css", CSS),
    file!("/assets/print.css", CSS),
    file!("/assets/paper.js", SCRIPT),
    file!("/assets/weather.js", SCRIPT),
    file!("/assets/comments.js", SCRIPT),
    file!("/assets/map.js", SCRIPT),
    file!("/assets/search.js", SCRIPT),
    file!("/assets/level.js", SCRIPT),
    file!("/assets/blank.svg", SVG),
    file!("/assets/lantern.svg", SVG),
    file!("/assets/reeds.svg", SVG),
    file!("/assets/waves.svg", SVG),
    file!("/assets/map.svg", SVG),
    file!("/favicon.ico", "image/vnd.microsoft.icon"),
    file!("/assets/icon-180.png", PNG),
    file!("/pictures/ferry-480.jpg", JPEG),
    file!("/pictures/ferry-480.webp", WEBP),
    file!("/pictures/ferry-960.webp", WEBP),
    file!("/pictures/flood-480.jpg", JPEG),
    file!("/pictures/flood-480.webp", WEBP),
    file!("/pictures/flood-960.webp", WEBP),
    file!("/pictures/bridge-open-480.jpg", JPEG),
    file!("/pictures/bridge-open-480.webp", WEBP),
    file!("/pictures/bridge-open-960.webp", WEBP),
    file!("/pictures/bridge-works.webp", WEBP),
    file!("/pictures/core.png", PNG),
    file!("/pictures/library.svg", SVG),
    file!("/pictures/clock.svg", SVG),
    file!("/pictures/volumes.svg", SVG),
    file!("/pictures/fell.webp", WEBP),
    // The first one is a cormorant.
    file!("/pictures/heron.jpg", JPEG, "/pictures/heron.2.jpg"),
    file!("/pictures/lido.webp", WEBP),
    file!("/pictures/oven.jpg", JPEG),
    file!("/pictures/regatta.webp", WEBP),
    file!("/media/layers.webm", "video/webm"),
    file!("/media/layers.jpg", JPEG),
    file!("/old/lamp.gif", "image/gif"),
    file!("/old/back.gif", "image/gif"),
];

pub(crate) fn find(edition: Edition, path: &str) -> Option<Answer> {
    let file = FILES.iter().find(|file| file.path == path)?;
    let bytes = file.exchanged.filter(|_| edition.number >= 2).unwrap_or(file.bytes);
    let answer = Answer::ok(file.content_type, bytes).with("Cache-Control", "max-age=3600");
    // What can be sought in says so.
    Some(if path.starts_with("/media/") { answer.with("Accept-Ranges", "bytes") } else { answer })
}
