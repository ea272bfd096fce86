//! What time it is: the one place where the program asks.

use jiff::Timestamp;

#[allow(clippy::disallowed_methods)] // Everywhere else the time is handed in.
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}
