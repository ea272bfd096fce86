//! Watches as people name them: by number, or by URL.

use anyhow::anyhow;
use watch::Watch;

use crate::hint::with_hint;
use crate::terminal::escape;
use crate::watching::{Desk, address};

/// The watch of a number, or of a URL. One that several people watch is theirs by name only.
pub(super) async fn find(desk: &Desk, named: &str, person: Option<&str>) -> anyhow::Result<Watch> {
    if let Ok(id) = named.parse::<i64>() {
        return Ok(desk.monitor.watch(id).await.map_err(crate::watching::Fault::from)?);
    }
    let url = address(named)?;
    let watches = desk.watches_of(&url, person).await?;
    let shown = escape(&url).into_owned();
    match watches.as_slice() {
        [watch] => Ok(watch.clone()),
        [] => Err(with_hint(
            match person {
                Some(name) => anyhow!("{name} does not watch {shown}"),
                None => anyhow!("nobody watches {shown}"),
            },
            format!("`varve watch add {shown}` begins to, `varve watch ls` lists what is watched"),
        )),
        several => {
            let owners: Vec<String> =
                several.iter().map(|watch| format!("{} ({})", watch.id, watch.owner)).collect();
            let error = anyhow!("several people watch {shown}: {}", owners.join(", "));
            Err(with_hint(error, "name the watch by its number, or say whose it is by `--person`"))
        }
    }
}
