//! Ids for records: random UUIDs (RFC 9562, 5.4).

use uuid::Uuid;

/// A new id, as `urn:uuid:…`.
pub(crate) fn new() -> String {
    Uuid::new_v4().urn().to_string()
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
