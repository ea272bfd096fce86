//! Moves user names and passwords out of the URLs of a database that was made before version 4.
//!
//! They are handed to the caller first, and removed from the rows when the caller has stored them: a crash at any moment loses none.
//! Then the file is written anew, so that nothing is left of them in its free pages.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use sqlx::{Connection as _, Row as _, SqliteConnection};
use url::Url;
use urlkey::Login;

/// Stores user names and passwords for good, or says why it cannot.
pub type KeepLogins = Arc<dyn Fn(Vec<Login>) -> io::Result<()> + Send + Sync>;

/// Texts in which a URL may stand.
const TEXTS: [(&str, &str); 12] = [
    ("resource", "asked_url"),
    ("resource", "record_url"),
    ("version", "url"),
    ("look", "final_url"),
    ("look", "why"),
    ("watch", "title"),
    ("watch", "notes"),
    ("news", "summary"),
    ("news", "text"),
    ("news", "html"),
    ("post", "why"),
    ("habit", "learned"),
];

/// A resource whose URL has a login.
struct Found {
    id: i64,
    /// As it stands in the database.
    text: String,
    /// Without the login.
    url: Url,
    login: Login,
}

/// Moves all of them out. Says whether none is left.
pub(crate) async fn move_out(
    connection: &mut SqliteConnection,
    keep: Option<&KeepLogins>,
) -> sqlx::Result<bool> {
    sqlx::query(include_str!("../sql/sqlite/secure_delete.sql")).execute(&mut *connection).await?;
    let mut change = connection.begin_with("BEGIN IMMEDIATE").await?;
    // Looked for with the lock: another process may have moved them meanwhile.
    let found = find(&mut change).await?;
    if found.is_empty() {
        change.commit().await?;
        return Ok(true);
    }
    let Some(keep) = keep else { return Ok(false) };
    keep(found.iter().map(|found| found.login.clone()).collect()).map_err(sqlx::Error::Io)?;
    for found in &found {
        rename(&mut change, found).await?;
    }
    for shown in found.iter().filter_map(shown).collect::<BTreeSet<String>>() {
        clean(&mut change, &shown).await?;
    }
    change.commit().await?;
    sqlx::query(include_str!("../sql/sqlite/vacuum.sql")).execute(&mut *connection).await?;
    sqlx::query(include_str!("../sql/sqlite/checkpoint.sql")).execute(&mut *connection).await?;
    Ok(true)
}

async fn find(connection: &mut SqliteConnection) -> sqlx::Result<Vec<Found>> {
    let rows = sqlx::query(include_str!("../sql/sqlite/resource_with_login.sql"));
    let rows = rows.fetch_all(connection).await?;
    let mut found = Vec::new();
    for row in &rows {
        let (id, text): (i64, String) = (row.try_get(0)?, row.try_get(1)?);
        let Ok(mut url) = Url::parse(&text) else { continue };
        if let Some(login) = Login::take(&mut url) {
            found.push(Found { id, text, url, login });
        }
    }
    Ok(found)
}

/// Gives a resource its URL without the login. Where that URL has a resource of its own, the watches go there; the history stays where it
/// is, under a URL with a fragment, which no other resource has.
async fn rename(connection: &mut SqliteConnection, found: &Found) -> sqlx::Result<()> {
    let same = sqlx::query(include_str!("../sql/resource_find.sql")).bind(found.url.to_string());
    let mut url = found.url.clone();
    if let Some(same) = same.fetch_optional(&mut *connection).await? {
        let other: i64 = same.try_get(0)?;
        debug_assert_ne!(other, found.id, "a resource with a login has another URL");
        let moved = sqlx::query(include_str!("../sql/sqlite/watch_move.sql")).bind(found.id).bind(other);
        moved.execute(&mut *connection).await?;
        // Whoever watches both keeps one of the two.
        for statement in [
            include_str!("../sql/sqlite/watch_given_of.sql"),
            include_str!("../sql/sqlite/watch_remove_of.sql"),
        ] {
            sqlx::query(statement).bind(found.id).execute(&mut *connection).await?;
        }
        url.set_fragment(Some(&format!("resource-{}", found.id)));
    }
    let renamed = sqlx::query(include_str!("../sql/sqlite/resource_rename.sql")).bind(found.id);
    let renamed = renamed.bind(url.to_string()).bind(urlkey::key(url.as_str()));
    renamed.execute(connection).await?;
    Ok(())
}

/// User name and password as the URL has them, from `://` to `@`.
fn shown(found: &Found) -> Option<String> {
    let (_, rest) = found.text.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let at = rest.get(..end)?.rfind('@')?;
    Some(format!("://{}", rest.get(..=at)?))
}

/// Removes a login from all texts.
async fn clean(connection: &mut SqliteConnection, shown: &str) -> sqlx::Result<()> {
    // As it stands in text, and as it stands in HTML.
    let escaped = shown.replace('&', "&amp;").replace('\'', "&#39;");
    for (table, column) in TEXTS {
        for shown in [shown, &escaped] {
            let statement = format!(
                "UPDATE {table} SET {column} = replace({column}, ?1, '://') WHERE instr({column}, ?1) > 0"
            );
            // Table and column are of the list above.
            let statement = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(shown.to_owned());
            statement.execute(&mut *connection).await?;
        }
    }
    Ok(())
}
