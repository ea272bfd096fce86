//! Writing records: what goes into a header, and how records become members of a file.

mod draft;
mod encode;
mod press;
mod quick;
mod tail;
mod writer;

pub use draft::{Draft, warcinfo_block};
pub use encode::Encoding;
pub use press::Press;
pub use tail::{SoundPart, sound_part};
pub use writer::{Durable, Writer};
