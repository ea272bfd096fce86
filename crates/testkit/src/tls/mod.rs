//! TLS as tests need it: an authority of their own, certificates with every common fault, and servers that get the
//! handshake wrong.

mod certificates;
mod faulty;

pub use certificates::{Authority, Fault};
pub use faulty::{FaultyHandshake, faulty};
