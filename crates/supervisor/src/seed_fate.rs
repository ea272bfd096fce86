//! Why start URLs of a crawl were not captured, in words.

use crawl::Ended;

/// Why nothing came of a crawl that the pages or the API have begun: what became of its start URLs.
pub(crate) fn why_nothing(ended: &Ended) -> String {
    let named = ended.seeds.iter().take(SEEDS_TOLD);
    let fates: Vec<String> = named
        .map(|(seed, status)| {
            format!("{seed}: {}", seed_fate(*status, "`allow_private = true` in `varve.toml`"))
        })
        .collect();
    format!("nothing came, so nothing is kept. {}", fates.join("; "))
}

/// The most start URLs that a message names.
pub const SEEDS_TOLD: usize = 10;

/// Why a start URL did not come, and what would allow it to whoever reads this.
#[must_use]
pub fn seed_fate(status: i32, allowing: &str) -> String {
    let words = match status {
        0 => "it was not asked for",
        -9998 => "robots.txt forbids it",
        -1 | -6 => "its host was not found",
        -2 => "nobody answers there",
        -61 => "whether robots.txt forbids it could not be found out",
        -5001 => {
            return format!(
                "its address is local or private, and was not asked: {allowing} lets it be; or a sheet leaves it out"
            );
        }
        status => return format!("it was not answered ({status})"),
    };
    words.to_owned()
}
