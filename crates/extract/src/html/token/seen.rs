//! Start tags that set off nothing, remembered to pass over those that are the same to the byte: pages are made of templates, and
//! most of their tags are there for the looks alone.

/// How many are remembered, by what they begin with.
const PLACES: usize = 64;

/// Bytes by which a tag finds its place; a shorter one is read as quickly as it would be found.
const LEAST_BYTES: usize = 16;

/// Where in the present piece of input such tags lie.
#[derive(Debug)]
pub(super) struct Seen {
    /// Start and length.
    tags: [(u32, u32); PLACES],
    is_any: bool,
}

impl Seen {
    /// None yet.
    pub(super) fn new() -> Seen {
        Seen { tags: [(0, 0); PLACES], is_any: false }
    }

    /// Forgets all: another piece of input begins.
    pub(super) fn clear(&mut self) {
        if self.is_any {
            *self = Seen::new();
        }
    }

    /// The length of the tag that begins here, if one that is the same was remembered.
    #[inline]
    pub(super) fn find(&self, input: &[u8], at: usize) -> Option<usize> {
        let here = input.get(at..)?;
        let &(start, length) = self.tags.get(place(here)?)?;
        let (start, length) = (start as usize, length as usize);
        let is_same = length > 0 && here.get(..length)? == input.get(start..start + length)?;
        is_same.then_some(length)
    }

    /// Remembers a tag, in the place of another that begins like it.
    #[inline]
    pub(super) fn note(&mut self, input: &[u8], at: usize, length: usize) {
        let place = input.get(at..).filter(|_| length >= LEAST_BYTES).and_then(place);
        let tag = place.and_then(|place| self.tags.get_mut(place));
        if let (Some(tag), Ok(at), Ok(length)) = (tag, u32::try_from(at), u32::try_from(length)) {
            *tag = (at, length);
            self.is_any = true;
        }
    }
}

/// The place of a tag, by its first bytes.
#[inline]
fn place(tag: &[u8]) -> Option<usize> {
    let (first, rest) = tag.split_first_chunk::<8>()?;
    let second = rest.first_chunk::<8>()?;
    let mixed = u64::from_le_bytes(*first).rotate_left(25) ^ u64::from_le_bytes(*second);
    Some((mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_tag_is_found() {
        let input = b"<li class=\"some item\"><li class=\"some item\"><li class=\"some itex\"><li class=\"some item\"";
        let mut seen = Seen::new();
        assert_eq!(seen.find(input, 0), None);
        seen.note(input, 0, 22);
        assert_eq!(seen.find(input, 22), Some(22));
        assert_eq!(seen.find(input, 44), None);
        assert_eq!(seen.find(input, 66), None);
        assert_eq!(seen.find(input, 80), None);
        assert_eq!(seen.find(input, 1_000), None);
        seen.clear();
        assert_eq!(seen.find(input, 22), None);
    }

    #[test]
    fn short_tags_are_not_remembered() {
        let mut seen = Seen::new();
        seen.note(b"<li><li><li><li><li>", 0, 4);
        assert!(!seen.is_any);
    }
}
