//! The table of how much room there must be on the disks of an archive.

use std::str::FromStr;

use archive::room::{Amount, Room};

use super::kind::{Parsed, Readable};
use super::size;
use super::table::table;

table! {
    /// How much room there must be.
    Disk, DiskLayer;

    section "Disks";
    /// Tell somebody when there is less room than this on a disk of the archive: an amount, or a part of the disk such as 10%. Of a
    /// small disk an amount is at most an eighth
    warn: Parsed<Least> = Parsed::of(Least(Amount::Bytes(5 << 30))), file();
    /// Write nothing more when there is less room than this; harvests pause, and go on by themselves. Of a small disk an amount is at most a
    /// sixteenth
    stop: Parsed<Least> = Parsed::of(Least(Amount::Bytes(256 << 20))), file();
}

impl Disk {
    /// As those who write want it.
    pub fn room(&self) -> Room {
        Room::new(self.warn.value.0, self.stop.value.0)
    }
}

/// The least room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Least(pub Amount);

impl FromStr for Least {
    type Err = ();

    fn from_str(text: &str) -> Result<Least, ()> {
        let percent = text.trim().strip_suffix('%').map(|number| number.trim().parse::<u8>());
        match percent {
            Some(Ok(percent @ 0..=100)) => Ok(Least(Amount::Percent(percent))),
            Some(_) => Err(()),
            None => size::parse(text).map(|bytes| Least(Amount::Bytes(bytes))).ok_or(()),
        }
    }
}

impl std::fmt::Display for Least {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Amount::Bytes(bytes) => formatter.write_str(&size::show(bytes)),
            Amount::Percent(percent) => write!(formatter, "{percent}%"),
        }
    }
}

impl Readable for Least {
    const ALLOWED: &'static str = "a number of bytes such as 10GB, or a part of the disk such as 5%";
}
