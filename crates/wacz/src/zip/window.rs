//! A part of a source as a source of its own.

use std::io::{self, Read, Seek, SeekFrom};

/// Where bytes lie in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first.
    pub start: u64,
    /// How many there are.
    pub bytes: u64,
}

/// Part of a source, read and sought as if it were all there is.
#[derive(Debug)]
pub struct Window<R> {
    source: R,
    span: Span,
    /// Where the next byte is read, counted from the start of the part.
    position: u64,
}

impl<R: Read + Seek> Window<R> {
    /// This part of a source, from its start.
    ///
    /// # Errors
    /// When the source cannot be sought.
    pub fn new(mut source: R, span: Span) -> io::Result<Window<R>> {
        source.seek(SeekFrom::Start(span.start))?;
        Ok(Window { source, span, position: 0 })
    }
}

impl<R: Read> Read for Window<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.span.bytes.saturating_sub(self.position);
        let room = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.source.read(buffer.get_mut(..room).unwrap_or_default())?;
        self.position += count as u64;
        Ok(count)
    }
}

impl<R: Seek> Seek for Window<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let wanted = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(offset) => self.span.bytes.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        let wanted = wanted.ok_or(io::ErrorKind::InvalidInput)?;
        let there = self.span.start.checked_add(wanted).ok_or(io::ErrorKind::InvalidInput)?;
        self.source.seek(SeekFrom::Start(there))?;
        self.position = wanted;
        Ok(wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_ends_where_its_part_does() {
        let mut window = Window::new(io::Cursor::new(b"0123456789"), Span { start: 3, bytes: 4 }).unwrap();
        let mut text = String::new();
        window.read_to_string(&mut text).unwrap();
        assert_eq!(text, "3456");
        assert_eq!(window.seek(SeekFrom::End(-1)).unwrap(), 3);
        text.clear();
        window.read_to_string(&mut text).unwrap();
        assert_eq!(text, "6");
        assert!(window.seek(SeekFrom::Current(-9)).is_err());
        assert_eq!(window.seek(SeekFrom::Start(9)).unwrap(), 9);
        assert_eq!(window.read(&mut [0; 4]).unwrap(), 0);
    }
}
