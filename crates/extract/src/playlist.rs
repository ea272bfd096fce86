//! HLS playlists (M3U8): segments, variants and everything else with a `URI`.
//!
//! <https://www.rfc-editor.org/rfc/rfc8216.html>

use crate::{Hop, Link, Links, Rule, likely};

/// Adds the links of a playlist: every line that is no comment, and every attribute that is an address.
pub fn links(m3u8: &str, links: &mut Links) {
    let mut variant = false;
    for line in m3u8.trim_start_matches('\u{feff}').lines() {
        let line = line.trim();
        if let Some(tag) = line.strip_prefix('#') {
            let (name, attributes) = tag.split_once(':').unwrap_or((tag, ""));
            variant |= name.eq_ignore_ascii_case("EXT-X-STREAM-INF");
            of_tag(name, attributes, links);
        } else if !line.is_empty() {
            let attribute = if std::mem::take(&mut variant) { "variant" } else { "segment" };
            add(line, Rule::new("m3u8", attribute), links);
        }
        if links.is_enough() {
            return;
        }
    }
}

/// Bytes of a tag's name, as far as it is part of a rule.
const TAG_BYTES_MAX: usize = 32;

/// `#EXT-X-KEY:METHOD=AES-128,URI="key.bin"`: the attributes that hold addresses.
fn of_tag(name: &str, attributes: &str, links: &mut Links) {
    let name = name.strip_prefix("EXT-X-").unwrap_or(name);
    let name = name.get(..name.floor_char_boundary(TAG_BYTES_MAX)).unwrap_or_default();
    let mut rest = attributes;
    while let Some((attribute, behind)) = rest.split_once('=') {
        let (value, behind) = match behind.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => behind.split_once(',').unwrap_or((behind, "")),
        };
        rest = behind;
        let attribute = attribute.trim_matches([',', ' ']);
        if ["URI", "X-ASSET-URI", "X-ASSET-LIST", "SERVER-URI"].contains(&attribute) {
            add(value, Rule::named("m3u8", name.to_ascii_lowercase()), links);
        }
        if links.is_enough() {
            return;
        }
    }
}

fn add(reference: &str, rule: Rule, links: &mut Links) {
    if !likely::is_data(reference) {
        links.add(Link::new(reference.trim(), Hop::Manifest, rule));
    }
}
