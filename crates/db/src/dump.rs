//! A dump of a schema on a server: the rows of all tables, in the text format of `COPY`.
//!
//! ```text
//! varve-postgres-dump 1
//! schema catalogue 1            the version of the tables
//! table "file" "id","name",…    then its rows, a line each, and a line `\.`
//! …
//! end 5b1f…                     SHA-256 of all lines before, in hex
//! ```

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;

use data_encoding::HEXLOWER;
use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};
use sqlx::postgres::{PgConnection, PgPool};
use sqlx::{AssertSqlSafe, Row as _};

use crate::database::{Database, Pools};
use crate::error::Error;
use crate::location::Dialect;
use crate::schema::Schema;
use crate::transaction::TransactionKind;

const MAGIC: &str = "varve-postgres-dump 1";
/// The end of a table's rows. No row is so: `COPY` writes a backslash twice.
const END_OF_ROWS: &[u8] = b"\\.\n";
/// Maximum length of a row. PostgreSQL's own limit is a gigabyte.
const LINE_BYTES_MAX: u64 = 1 << 30;
/// Rows are sent in pieces of about this size.
const PIECE_BYTES: usize = 64 << 10;

/// A table with its columns.
pub(crate) struct Table {
    name: String,
    columns: Vec<String>,
    /// The column that is counted up, if there is one.
    identity: Option<String>,
}

impl Table {
    pub(crate) fn quoted(&self) -> String {
        quote(&self.name)
    }

    fn quoted_columns(&self) -> String {
        self.columns.iter().map(|column| quote(column)).collect::<Vec<_>>().join(",")
    }
}

fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The tables of a schema in the order in which they were made: each after those that it refers to.
pub(crate) async fn tables(connection: &mut PgConnection, schema: &str) -> Result<Vec<Table>, Error> {
    let list = sqlx::query(include_str!("../sql/postgres/tables.sql")).bind(schema.to_owned());
    let mut tables: Vec<Table> = Vec::new();
    for row in list.fetch_all(connection).await? {
        let (name, column): (String, String) = (row.try_get("table_name")?, row.try_get("column_name")?);
        if tables.last().is_none_or(|last| last.name != name) {
            tables.push(Table { name, columns: Vec::new(), identity: None });
        }
        if let Some(table) = tables.last_mut() {
            if row.try_get("is_identity")? {
                table.identity = Some(column.clone());
            }
            table.columns.push(column);
        }
    }
    Ok(tables)
}

/// Writes all rows, as of one moment.
pub(crate) async fn write(pool: &PgPool, schema: &Schema, to: &Path) -> Result<(), Error> {
    let mut reading = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let file = File::options().write(true).open(to).map_err(Error::file(to))?;
    let mut file = Hashed { file: BufWriter::new(file), hasher: Sha256::new() };
    let head = format!("{MAGIC}\nschema {} {}\n", schema.name, schema.version(Dialect::Postgres));
    file.write(head.as_bytes()).map_err(Error::file(to))?;
    for table in tables(&mut reading, schema.name).await? {
        let (name, columns) = (table.quoted(), table.quoted_columns());
        file.write(format!("table {name} {columns}\n").as_bytes()).map_err(Error::file(to))?;
        let statement = format!("COPY {name} ({columns}) TO STDOUT");
        let mut rows = reading.copy_out_raw(&statement).await?;
        while let Some(piece) = rows.try_next().await? {
            file.write(&piece).map_err(Error::file(to))?;
        }
        drop(rows);
        file.write(END_OF_ROWS).map_err(Error::file(to))?;
    }
    reading.rollback().await?;
    file.finish().map_err(Error::file(to))
}

struct Hashed {
    file: BufWriter<File>,
    hasher: Sha256,
}

impl Hashed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.hasher.update(bytes);
        self.file.write_all(bytes)
    }

    fn finish(mut self) -> std::io::Result<()> {
        let digest = HEXLOWER.encode(&self.hasher.finalize());
        writeln!(self.file, "end {digest}")?;
        self.file.flush()
    }
}

/// Puts the rows of a dump into an empty database, all or none.
pub(crate) async fn read(database: &Database, from: &Path) -> Result<(), Error> {
    let Pools::Postgres { .. } = &database.pools else { return Ok(()) };
    let schema = &database.schema;
    check(from, schema)?;
    let mut change = database.begin().await?;
    let TransactionKind::Postgres { transaction, .. } = &mut change.0 else { return Ok(()) };
    let known = tables(transaction, schema.name).await?;
    for table in &known {
        empty(transaction, table, database).await?;
    }
    let mut lines = Lines::open(from)?;
    while let Some(line) = lines.next()? {
        let Some(table) = known.iter().find(|table| line == table_line(table)) else { continue };
        fill(transaction, table, &mut lines).await?;
    }
    for table in &known {
        count_on(transaction, table).await?;
    }
    change.commit().await
}

fn table_line(table: &Table) -> Vec<u8> {
    format!("table {} {}\n", table.quoted(), table.quoted_columns()).into_bytes()
}

/// Makes sure that a table has no rows but those that the migration put there, and removes these.
async fn empty(transaction: &mut PgConnection, table: &Table, database: &Database) -> Result<(), Error> {
    let name = table.quoted();
    if !database.schema.seeded.contains(&table.name.as_str()) {
        let look = format!("SELECT 1 FROM {name} LIMIT 1");
        if sqlx::query(AssertSqlSafe(look)).fetch_optional(&mut *transaction).await?.is_some() {
            return Err(Error::NotEmpty { place: database.location.to_string() });
        }
    }
    // Without triggers: counts are restored like other rows, and some tables refuse to lose any.
    let remove = format!("ALTER TABLE {name} DISABLE TRIGGER USER; DELETE FROM {name}");
    sqlx::raw_sql(AssertSqlSafe(remove)).execute(transaction).await?;
    Ok(())
}

async fn fill(transaction: &mut PgConnection, table: &Table, lines: &mut Lines<'_>) -> Result<(), Error> {
    let statement = format!("COPY {} ({}) FROM STDIN", table.quoted(), table.quoted_columns());
    let mut copy = transaction.copy_in_raw(&statement).await?;
    let mut piece = Vec::with_capacity(2 * PIECE_BYTES);
    while let Some(line) = lines.next()? {
        if line == END_OF_ROWS {
            break;
        }
        piece.extend_from_slice(&line);
        if piece.len() >= PIECE_BYTES {
            copy.send(piece.as_slice()).await?;
            piece.clear();
        }
    }
    copy.send(piece.as_slice()).await?;
    copy.finish().await?;
    Ok(())
}

/// Turns triggers on again, and counts on from the highest number.
async fn count_on(transaction: &mut PgConnection, table: &Table) -> Result<(), Error> {
    let name = table.quoted();
    let enable = format!("ALTER TABLE {name} ENABLE TRIGGER USER");
    sqlx::raw_sql(AssertSqlSafe(enable)).execute(&mut *transaction).await?;
    if let Some(column) = &table.identity {
        let count_on = format!(
            "SELECT setval(pg_get_serial_sequence($1, $2), max({0})) FROM {name} HAVING max({0}) IS NOT NULL",
            quote(column)
        );
        let count_on = sqlx::query(AssertSqlSafe(count_on)).bind(name).bind(column.clone());
        count_on.execute(transaction).await?;
    }
    Ok(())
}

/// Refuses a dump that is damaged, cut short, or of another schema or version.
fn check(from: &Path, schema: &Schema) -> Result<(), Error> {
    let refused = |why: String| Error::Dump { path: from.to_owned(), why };
    let mut lines = Lines::open(from)?;
    let mut hasher = Sha256::new();
    let mut last = Vec::new();
    let mut number = 0;
    while let Some(line) = lines.next()? {
        let expected = match number {
            0 => format!("{MAGIC}\n"),
            1 => format!("schema {} {}\n", schema.name, schema.version(Dialect::Postgres)),
            _ => String::new(),
        };
        if number < 2 && line != expected.as_bytes() {
            let found = String::from_utf8_lossy(&line).chars().take(80).collect::<String>();
            return Err(refused(format!(
                "expected `{}`, found `{}`",
                expected.trim_end(),
                found.escape_debug()
            )));
        }
        hasher.update(&last);
        last = line;
        number += 1;
    }
    let end = format!("end {}\n", HEXLOWER.encode(&hasher.finalize()));
    if last == end.as_bytes() { Ok(()) } else { Err(refused("it is damaged or cut short".to_owned())) }
}

struct Lines<'a> {
    path: &'a Path,
    file: BufReader<File>,
}

impl Lines<'_> {
    fn open(path: &Path) -> Result<Lines<'_>, Error> {
        let file = File::open(path).map_err(Error::file(path))?;
        Ok(Lines { path, file: BufReader::new(file) })
    }

    /// The next line with its end; `None` behind the last.
    fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let mut line = Vec::new();
        let read = (&mut self.file).take(LINE_BYTES_MAX).read_until(b'\n', &mut line);
        read.map_err(Error::file(self.path))?;
        Ok(if line.is_empty() { None } else { Some(line) })
    }
}
