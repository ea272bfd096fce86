//! What holds of every list of links.

use extract::{Limits, Link, Links};

/// Limits so small that most documents pass them.
pub(crate) fn narrow() -> Limits {
    let mut limits = Limits::default();
    (limits.links_max, limits.reference_bytes_max, limits.attributes_max) = (5, 20, 3);
    (limits.depth_max, limits.phrase_bytes_max, limits.script_bytes_max) = (4, 10, 30);
    limits.unfolded_bytes_max = 100;
    limits
}

/// Reads with ample limits and with narrow ones; gives what the ample ones let through.
pub(crate) fn read(reader: impl Fn(&mut Links, &Limits)) -> Vec<Link> {
    let [ample, _] = [Limits::default(), narrow()].map(|limits| {
        let mut links = Links::new(&limits);
        reader(&mut links, &limits);
        assert!(links.as_slice().len() <= limits.links_max);
        for link in links.as_slice() {
            assert!(!link.reference.is_empty() && link.reference.len() <= limits.reference_bytes_max);
            assert!(link.rule.element().len() <= 64 && link.rule.attribute().len() <= 64, "{}", link.rule);
        }
        links.into_vec()
    });
    ample
}
