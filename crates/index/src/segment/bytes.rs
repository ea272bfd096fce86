//! Takes numbers and runs of bytes from the front of a page, and puts them there.
//!
//! Numbers are little-endian, or of seven bits a byte, least first, where most of them are small (LEB128).

/// What is left of a page. Everything it gives may be missing: then the page is damaged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(front)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        let (front, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*front))
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        let (front, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*front))
    }

    /// A number of at most ten bytes.
    pub(crate) fn varint(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// A number that must be an index or a length.
    pub(crate) fn size(&mut self) -> Option<usize> {
        self.varint().and_then(|number| usize::try_from(number).ok())
    }

    /// A run of bytes with its length before it.
    pub(crate) fn run(&mut self) -> Option<&'a [u8]> {
        let length = self.size()?;
        self.take(length)
    }
}

pub(crate) fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

pub(crate) fn put_run(out: &mut Vec<u8>, run: &[u8]) {
    put_varint(out, run.len() as u64);
    out.extend_from_slice(run);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut out = Vec::new();
            put_varint(&mut out, number);
            put_run(&mut out, b"run");
            let mut bytes = Bytes(&out);
            assert_eq!(bytes.varint(), Some(number));
            assert_eq!(bytes.run(), Some(b"run".as_slice()));
            assert_eq!(bytes.varint(), None);
        }
    }

    #[test]
    fn numbers_that_do_not_end_or_fit_are_none() {
        assert_eq!(Bytes(&[0x80; 20]).varint(), None);
        assert_eq!(Bytes(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]).varint(), None);
        assert_eq!(Bytes(&[0x05, 1]).run(), None);
        assert_eq!(Bytes(&[1, 2, 3]).u32(), None);
        assert_eq!(Bytes(&[1, 2, 3]).u64(), None);
    }
}
