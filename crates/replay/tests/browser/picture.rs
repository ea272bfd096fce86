//! Pictures of pages, held against each other.

use std::path::PathBuf;

/// A picture, as the browser took it.
pub(crate) struct Picture {
    width: u32,
    height: u32,
    dots: Vec<u8>,
}

impl Picture {
    pub(crate) fn read(bytes: &[u8]) -> Picture {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::ALPHA | png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut dots = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut dots).unwrap();
        dots.truncate(info.buffer_size());
        Picture { width: info.width, height: info.height, dots }
    }

    /// The share of dots that are not the same.
    pub(crate) fn difference(&self, other: &Picture) -> f64 {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let dots = self.dots.chunks_exact(4).zip(other.dots.chunks_exact(4));
        let different = dots.filter(|(one, other)| one != other).count();
        different as f64 / f64::from(self.width * self.height)
    }

    /// The share of dots that are not white: a page that shows nothing proves nothing.
    pub(crate) fn painted(&self) -> f64 {
        let painted =
            self.dots.chunks_exact(4).filter(|dot| dot.iter().take(3).any(|part| *part < 250)).count();
        painted as f64 / f64::from(self.width * self.height)
    }
}

/// Leaves a picture to be looked at.
pub(crate) fn keep(name: &str, bytes: &[u8]) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browser");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.png")), bytes).unwrap();
}
