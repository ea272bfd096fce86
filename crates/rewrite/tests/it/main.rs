//! The public face: pages, sheets and scripts as they go in and come out.

// Tests fail by panicking, and say how they fared.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout)]

mod bounds;
mod html;
mod insert;
mod others;
mod pieces;
mod vectors;

use rewrite::{Kind, Modifier, Place, Rewriter, Settings};

/// Where most tests stand.
fn place() -> Place {
    Place::new("/web/", "2026", Modifier::Page, "http://e.org/a/b.html").unwrap()
}

/// Rewrites in one piece.
fn rewrite(settings: Settings, bytes: &[u8]) -> Vec<u8> {
    pieces(settings, bytes, bytes.len().max(1))
}

/// Rewrites in pieces of so many bytes.
fn pieces(settings: Settings, bytes: &[u8], length: usize) -> Vec<u8> {
    let mut rewriter = Rewriter::new(settings).unwrap();
    let mut out = Vec::new();
    for piece in bytes.chunks(length) {
        rewriter.feed(piece, &mut out).unwrap();
    }
    rewriter.finish(&mut out).unwrap();
    out
}

/// Rewrites a text of a kind.
fn text(kind: Kind, text: &str) -> String {
    String::from_utf8(rewrite(Settings::new(place(), kind), text.as_bytes())).unwrap()
}
