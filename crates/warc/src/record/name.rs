//! The named fields of WARC records.

macro_rules! names {
    ($($variant:ident = $text:literal,)+) => {
        /// A field's name; case does not matter. Names that no standard lists are [`Name::Other`], and are kept.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Name {
            $(#[doc = concat!("`", $text, "`")] $variant,)+
            /// Any other name.
            Other,
        }

        impl Name {
            /// Every name that a standard or common practice lists.
            pub const ALL: &'static [Name] = &[$(Name::$variant,)+];

            /// The usual spelling; empty for [`Name::Other`].
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $(Name::$variant => $text,)+ Name::Other => "" }
            }
        }
    };
}

names! {
    RecordType = "WARC-Type",
    RecordId = "WARC-Record-ID",
    Date = "WARC-Date",
    ContentLength = "Content-Length",
    ContentType = "Content-Type",
    ConcurrentTo = "WARC-Concurrent-To",
    BlockDigest = "WARC-Block-Digest",
    PayloadDigest = "WARC-Payload-Digest",
    IpAddress = "WARC-IP-Address",
    RefersTo = "WARC-Refers-To",
    RefersToTargetUri = "WARC-Refers-To-Target-URI",
    RefersToDate = "WARC-Refers-To-Date",
    TargetUri = "WARC-Target-URI",
    Truncated = "WARC-Truncated",
    WarcinfoId = "WARC-Warcinfo-ID",
    Filename = "WARC-Filename",
    Profile = "WARC-Profile",
    IdentifiedPayloadType = "WARC-Identified-Payload-Type",
    SegmentOriginId = "WARC-Segment-Origin-ID",
    SegmentNumber = "WARC-Segment-Number",
    SegmentTotalLength = "WARC-Segment-Total-Length",
    Protocol = "WARC-Protocol",
    CipherSuite = "WARC-Cipher-Suite",
    PageId = "WARC-Page-ID",
    ResourceType = "WARC-Resource-Type",
    JsonMetadata = "WARC-JSON-Metadata",
}

impl Name {
    /// The name that these bytes spell.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Name {
        let is = |name: Name| name.text().as_bytes().eq_ignore_ascii_case(bytes);
        // The length picks out at most a few candidates, so a header costs hardly more than its bytes.
        let candidates: &[Name] = match bytes.len() {
            9 => &[Name::RecordType, Name::Date],
            12 => &[Name::ContentType, Name::Profile, Name::PageId],
            13 => &[Name::Filename, Name::Protocol],
            14 => &[Name::RecordId, Name::ContentLength, Name::RefersTo, Name::Truncated],
            15 => &[Name::TargetUri, Name::IpAddress],
            16 => &[Name::WarcinfoId],
            17 => &[Name::BlockDigest, Name::CipherSuite],
            18 => &[Name::ConcurrentTo, Name::ResourceType, Name::JsonMetadata],
            19 => &[Name::PayloadDigest, Name::RefersToDate, Name::SegmentNumber],
            22 => &[Name::SegmentOriginId],
            25 => &[Name::RefersToTargetUri, Name::SegmentTotalLength],
            28 => &[Name::IdentifiedPayloadType],
            _ => &[],
        };
        candidates.iter().copied().find(|&name| is(name)).unwrap_or(Name::Other)
    }

    /// Whether a record may carry this field more than once.
    #[must_use]
    pub fn repeats(self) -> bool {
        matches!(self, Name::ConcurrentTo | Name::Protocol | Name::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_in_any_case() {
        for &name in Name::ALL {
            assert_eq!(Name::of(name.text().as_bytes()), name, "{}", name.text());
            assert_eq!(Name::of(name.text().to_ascii_lowercase().as_bytes()), name);
        }
        assert_eq!(Name::of(b"X-Crawler"), Name::Other);
        assert_eq!(Name::of(b""), Name::Other);
    }
}
