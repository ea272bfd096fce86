//! What a clock that was ahead has scheduled: everything that is due later than its interval allows is due now.
//!
//! A check that is made while the clock is five years ahead sets the next one five years too late. The schedule keeps no time of
//! setting, but no time in it can be further away than its interval. So the rounds bring forward what is.

use std::time::Duration;

use ::db::{Row, Sql};

use crate::db::get;
use crate::error::Error;
use crate::moment;
use crate::monitor::Monitor;
use crate::posting::REST_MAX;

const POST_AHEAD: Sql = Sql {
    sqlite: include_str!("../sql/sqlite/post_ahead.sql"),
    postgres: include_str!("../sql/postgres/post_ahead.sql"),
};
/// The longest time that quiet hours can last, also where clocks are put back in them.
const QUIET_MAX: Duration = Duration::from_secs(25 * 3600);
/// Messages that are brought forward in one go.
const PAGE: u32 = 500;

impl Monitor {
    /// Makes watches that are due later than now plus their interval due now.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub(crate) async fn bring_watches_forward(&self) -> Result<(), Error> {
        let now = self.now();
        // A page that was asked for just now waits that much longer.
        let latest = moment::to_number(now).saturating_add(millis(self.settings().again_after));
        let asked = ::db::query(include_str!("../sql/watch_ahead.sql")).bind(latest);
        if self.db().one("look for what is due", asked, |_| Ok(())).await?.is_none() {
            return Ok(());
        }
        let asked = ::db::query(include_str!("../sql/watch_bring_forward.sql")).bind(latest);
        let count = self.db().write("bring watches forward", asked.bind(moment::to_number(now))).await?;
        tracing::warn!(
            "{count} watches were due later than their interval allows, and are due now: the clock was ahead"
        );
        Ok(())
    }

    /// Makes messages that wait longer than for a retry, quiet hours or a digest due now.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub(crate) async fn bring_messages_forward(&self) -> Result<(), Error> {
        loop {
            let now = self.now();
            let asked = ::db::query(POST_AHEAD).bind(moment::to_number(now));
            let asked = asked.bind(millis(REST_MAX)).bind(millis(QUIET_MAX)).bind(PAGE);
            let ahead = self.db().list("look for messages", asked, |row: &Row| get::<i64>(row, "id")).await?;
            if ahead.is_empty() {
                return Ok(());
            }
            let failed = || Error::database("bring messages forward");
            let mut bringing = self.db().begin().await?;
            for id in ahead {
                let asked = ::db::query(include_str!("../sql/post_postpone.sql")).bind(id);
                let asked = asked.bind(moment::to_number(now));
                asked.execute(&mut bringing).await.map_err(failed())?;
            }
            bringing.commit().await.map_err(failed())?;
        }
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
