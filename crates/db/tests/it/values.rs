//! Values and columns.

use db::{Error, Row};
use jiff::Timestamp;

use crate::world::{World, wait};

/// Both databases want to know the type of a parameter that stands alone.
const SELECT: &str = "SELECT CAST($1 AS BIGINT) AS number, CAST($2 AS TEXT) AS text, CAST($3 AS BIGINT) AS at_us, $4 AS bytes, \
    CAST($5 AS DOUBLE PRECISION) AS share, CAST($6 AS BIGINT) AS is_on";

pub(crate) fn values_come_back_as_they_were() {
    let world = World::new();
    let at = Timestamp::from_microsecond(1_794_960_000_123_456).unwrap();
    let row = wait(async {
        let database = world.open().await;
        let select = db::query(SELECT).bind(i64::MIN).bind("č 'quoted' \u{1f41a}").bind(at);
        select.bind(vec![0_u8, 255]).bind(0.25).bind(true).fetch_one(&database).await.unwrap()
    });
    assert_eq!(row.get::<i64>("number").unwrap(), i64::MIN);
    assert_eq!(row.get::<String>("text").unwrap(), "č 'quoted' \u{1f41a}");
    assert_eq!(row.get::<Timestamp>("at_us").unwrap(), at);
    assert_eq!(row.get::<Vec<u8>>("bytes").unwrap(), [0, 255]);
    assert_eq!(row.get::<f64>("share").unwrap().to_bits(), 0.25_f64.to_bits());
    assert!(row.get::<bool>("is_on").unwrap());
}

pub(crate) fn absent_values_are_absent() {
    let world = World::new();
    let row: Row = wait(async {
        let database = world.open().await;
        let select = db::query(SELECT).bind(None::<i64>).bind(None::<String>).bind(None::<Timestamp>);
        let select = select.bind(None::<Vec<u8>>).bind(None::<f64>).bind(None::<bool>);
        select.fetch_one(&database).await.unwrap()
    });
    assert_eq!(row.get::<Option<i64>>("number").unwrap(), None);
    assert_eq!(row.get::<Option<String>>("text").unwrap(), None);
    assert_eq!(row.get::<Option<Timestamp>>("at_us").unwrap(), None);
    assert_eq!(row.get::<Option<Vec<u8>>>("bytes").unwrap(), None);
    assert_eq!(row.get::<Option<bool>>("is_on").unwrap(), None);
    assert!(row.get::<i64>("number").is_err());
}

pub(crate) fn columns_are_read_by_name_and_checked() {
    let world = World::new();
    let row = wait(async {
        let database = world.open().await;
        db::query("SELECT CAST(-1 AS BIGINT) AS number, 'x' AS text").fetch_one(&database).await.unwrap()
    });
    assert!(row.get::<i64>("no_such_column").is_err());
    assert!(row.get::<i64>("text").is_err());
    assert!(matches!(row.get::<u64>("number"), Err(Error::Column { .. })));
    assert!(matches!(row.get::<bool>("number"), Err(Error::Column { .. })));
}

#[test]
fn a_zero_byte_becomes_a_replacement_character_in_postgres_alone() {
    use testkit::postgres::{Kind, run};

    for (kind, stored) in [(Kind::Sqlite, "a\0b"), (Kind::Postgres, "a\u{fffd}b")] {
        run(kind, || {
            let world = World::new();
            wait(async {
                let database = world.open().await;
                crate::world::add(&database, "a\0b").await.unwrap();
                assert_eq!(crate::world::texts(&database).await, [stored]);
            });
        });
    }
}
