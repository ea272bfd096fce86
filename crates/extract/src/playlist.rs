//! HLS playlists (M3U8): segments, variants and everything else with a `URI`.

use crate::Links;

/// Adds the links of an M3U8 playlist.
pub fn links(m3u8: &str, links: &mut Links) {
    let _ = (m3u8, links);
}
