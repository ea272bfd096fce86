//! Changes that become visible, and last, all together.

use sqlx::{Postgres, Sqlite};
use tokio::sync::OwnedMutexGuard;

use crate::error::Error;

/// A change that is under way. It is the only one: SQLite has one writer, and on a server whoever writes to a schema holds its lock.
/// Dropped before [`commit`](Transaction::commit), nothing of it remains.
#[derive(Debug)]
pub struct Transaction(pub(crate) TransactionKind);

#[derive(Debug)]
pub(crate) enum TransactionKind {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres {
        transaction: sqlx::Transaction<'static, Postgres>,
        /// Held until the end: who waits in this process needs no connection for it.
        _turn: OwnedMutexGuard<()>,
    },
}

impl Transaction {
    /// Makes the change visible, and safe from a power loss.
    ///
    /// # Errors
    /// When the database cannot write. Where the server was lost on the way, the change may have been made.
    pub async fn commit(self) -> Result<(), Error> {
        match self.0 {
            TransactionKind::Sqlite(transaction) => transaction.commit().await?,
            TransactionKind::Postgres { transaction, .. } => transaction.commit().await?,
        }
        Ok(())
    }

    /// Takes everything back.
    ///
    /// # Errors
    /// When the database cannot be reached; then the server rolls the transaction back.
    pub async fn roll_back(self) -> Result<(), Error> {
        match self.0 {
            TransactionKind::Sqlite(transaction) => transaction.rollback().await?,
            TransactionKind::Postgres { transaction, .. } => transaction.rollback().await?,
        }
        Ok(())
    }
}
