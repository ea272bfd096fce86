//! Who is let in: whoever presents the token of this server, a session that began with it, or, for feeds, the key of feeds. Everybody
//! else reads only what [`open_routes`] lists.

mod guard;
mod keys;
mod open_routes;
mod sessions;

pub use guard::admitted;
pub use keys::Keys;
pub use sessions::SESSION_TIME;

pub(crate) use guard::guard;
pub(crate) use sessions::Sessions;

/// The file in the archive's folder that has the token; `varve up` writes it, with mode 0600.
pub const TOKEN_FILE: &str = "work/up.json";
