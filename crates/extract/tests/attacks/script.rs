//! Any bytes as a script, as JSON, as text, and as the other texts that are read line by line.

use extract::{Hop, Link, headers, json, likely, plain, playlist, robots_txt, script};

use super::bounds;

pub(crate) fn attack(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for link in bounds::read(|links, _| script::links(&text, links)) {
        assert_eq!(link.hop, Hop::Speculative);
        // What was found is likely, and stays so.
        assert!(likely::is(&link.reference).is_some(), "{}", link.reference);
    }
    for link in bounds::read(|links, _| plain::links(&text, links)) {
        assert!(text.contains(&link.reference) && link.reference.contains("://"));
    }
    bounds::read(|links, _| json::links(&text, links));
    bounds::read(|links, _| playlist::links(&text, links));
    bounds::read(|links, _| robots_txt::links(&text, links));
    bounds::read(|links, _| {
        headers::links([("link", &*text), ("refresh", &*text), ("location", &*text)], links)
    });
    in_a_string(text.get(..text.floor_char_boundary(4096)).unwrap());
}

/// A likely address is found in a script and in JSON, if it is all that a string holds.
fn in_a_string(text: &str) {
    let found = likely::is(text);
    let Some(found) = found.filter(|_| !text.contains(['"', '\'', '\\', '\n']) && text.trim() == text) else {
        return;
    };
    let is = |links: Vec<Link>| links.iter().any(|link| link.reference == found.reference());
    assert!(is(bounds::read(|links, _| script::links(&format!("a(\"{text}\")"), links))), "{text}");
    assert!(
        is(bounds::read(|links, _| script::links(&format!("a=`{text}`"), links))) || text.contains('`'),
        "{text}"
    );
    assert!(is(bounds::read(|links, _| json::links(&format!("{{\"a\":\"{text}\"}}"), links))), "{text}");
}
