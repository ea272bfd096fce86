//! Where a database is: a file, or a schema of a PostgreSQL server.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use sqlx::postgres::PgConnectOptions;

use crate::error::Error;

/// Which kind of database it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite in a file.
    Sqlite,
    /// A PostgreSQL server.
    Postgres,
}

/// Where a database is. A password in it is never printed.
#[derive(Clone)]
pub enum Location {
    /// A file.
    Sqlite(PathBuf),
    /// A server. The tables are in the schema that is named like [`crate::Schema::name`].
    Postgres(PostgresAddress),
}

/// The address of a PostgreSQL server.
#[derive(Clone)]
pub struct PostgresAddress {
    pub(crate) options: Box<PgConnectOptions>,
    /// Without the password.
    shown: String,
}

impl Location {
    /// Reads the address of a database: `postgres://user@host/name`, `sqlite:path`, or a path.
    ///
    /// What an address of PostgreSQL leaves out comes from the variables and the password file that libpq has, too (`PGPASSWORD`, `~/.pgpass`).
    ///
    /// # Errors
    /// When it is neither. The message does not contain the address.
    pub fn parse(address: &str) -> Result<Location, Error> {
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            // The driver's message could contain the password.
            let options = PgConnectOptions::from_str(address).map_err(|_| Error::Address {
                why: "it is no PostgreSQL URL such as postgres://user@host/name".to_owned(),
            })?;
            let shown = show(&options);
            return Ok(Location::Postgres(PostgresAddress { options: Box::new(options), shown }));
        }
        let path = address.strip_prefix("sqlite://").or_else(|| address.strip_prefix("sqlite:"));
        match path.unwrap_or(address) {
            "" => Err(Error::Address { why: "it is empty".to_owned() }),
            path if path.contains("://") => {
                Err(Error::Address { why: "only sqlite: and postgres: are known".to_owned() })
            }
            path => Ok(Location::Sqlite(PathBuf::from(path))),
        }
    }

    /// Which kind of database it is.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        match self {
            Location::Sqlite(_) => Dialect::Sqlite,
            Location::Postgres(_) => Dialect::Postgres,
        }
    }

    /// The file, if it is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Location::Sqlite(path) => Some(path),
            Location::Postgres(_) => None,
        }
    }
}

fn show(options: &PgConnectOptions) -> String {
    let host = match options.get_socket() {
        Some(folder) => folder.display().to_string(),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    };
    let database = options.get_database().unwrap_or(options.get_username());
    format!("postgres://{}@{host}/{database}", options.get_username())
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Sqlite(path) => path.display().fmt(f),
            Location::Postgres(address) => f.write_str(&address.shown),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Location({self})")
    }
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresAddress({})", self.shown)
    }
}

impl From<&Path> for Location {
    fn from(path: &Path) -> Location {
        Location::Sqlite(path.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_paths_or_urls() {
        let path = |address: &str| Location::parse(address).unwrap().path().map(Path::to_owned);
        assert_eq!(path("a/catalogue.db"), Some(PathBuf::from("a/catalogue.db")));
        assert_eq!(path("sqlite:a.db"), Some(PathBuf::from("a.db")));
        assert_eq!(path("sqlite:///tmp/a.db"), Some(PathBuf::from("/tmp/a.db")));
        assert_eq!(path("postgres://me@host/varve"), None);
        for bad in ["", "sqlite:", "mysql://host/x", "postgres://host:notaport/x"] {
            assert!(matches!(Location::parse(bad), Err(Error::Address { .. })), "{bad}");
        }
    }

    #[test]
    fn a_password_is_never_printed() {
        let address = "postgres://me:hunter2@db.example.org:6432/varve?sslmode=require&password=hunter2";
        let location = Location::parse(address).unwrap();
        assert_eq!(location.to_string(), "postgres://me@db.example.org:6432/varve");
        assert_eq!(format!("{location:?}"), "Location(postgres://me@db.example.org:6432/varve)");
        let Location::Postgres(address) = &location else { panic!("{location}") };
        assert!(!format!("{address:?}").contains("hunter2"));
        let error = Location::parse("postgres://me:hunter2@host:notaport/x").unwrap_err();
        assert!(!format!("{error:?} {error}").contains("hunter2"), "{error:?}");
    }
}
