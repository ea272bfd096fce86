//! Ids for records: random UUIDs (RFC 9562, 5.4).

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use data_encoding::HEXLOWER;

/// A new id, as `urn:uuid:…`.
pub(crate) fn new() -> String {
    // Each state has keys of its own that follow from the system's randomness; that is all an id needs.
    let half = || u128::from(RandomState::new().build_hasher().finish());
    let number = (half() << 64 | half()) & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
    let digits = HEXLOWER.encode(&number.to_be_bytes());
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| digits.get(part).unwrap_or_default());
    let mut id = String::with_capacity(45);
    for (part, before) in parts.into_iter().zip(["urn:uuid:", "-", "-", "-", "-"]) {
        id.push_str(before);
        id.push_str(part);
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_uuids_and_differ() {
        let ids: std::collections::HashSet<String> = (0..1000).map(|_| new()).collect();
        assert_eq!(ids.len(), 1000);
        for id in &ids {
            let (version, variant) = (&id[23..24], &id[28..29]);
            assert!(version == "4" && "89ab".contains(variant) && id.len() == 45, "{id}");
        }
    }
}
