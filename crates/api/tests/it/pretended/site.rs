//! A few pages with a past, so that there is something to look at.

use std::sync::Arc;

use api::watches::{WatchWish, Watcher as _};
use diff::{RuleSet, Trigger};

use super::Pretended;

/// A page with prices, which changes now and then and was away for a day.
pub(crate) const FISH: &str = "http://fish.test/prices";
/// A document that is no text.
pub(crate) const TIDES: &str = "http://harbour.test/tides.bin";
/// Somewhere that wants to be markup.
pub(crate) const ODD: &str = "http://odd.test/\"><script>alert(1)</script>";
/// What it calls itself.
pub(crate) const ODD_TITLE: &str = "</title><script>alert(2)</script>";

/// The page as it was at a time.
pub(crate) fn fish(cod: &str, extra: &str, visitors: u32) -> String {
    format!(
        "<html><head><title>Fish of the day</title></head><body><nav>Home Prices Contact</nav><main><h1>Fish of the day</h1>\
         <p>Fresh from the boats of Siltmere, every morning but Sunday.</p><ul><li>Herring: 4.20 a pound</li><li>Cod from the north bank: {cod}</li>\
         <li>Eel: 9.00 a pound</li><li>Pike: on request</li></ul>{extra}<p>{visitors} visitors</p><p class=advert>Buy nets!</p></main></body></html>"
    )
}

impl Pretended {
    /// Three months of checks of a few watches.
    pub(crate) fn with_a_past() -> Arc<Pretended> {
        let pretended = Arc::new(Pretended::default());
        let wish = |url: &str, title: &str, owner: &str| WatchWish {
            url: url.to_owned(),
            title: title.to_owned(),
            owner: owner.to_owned(),
            ..WatchWish::default()
        };
        let add = |wish: WatchWish| drop(futures(pretended.add(wish)));
        let rules = RuleSet {
            never: vec![".advert".to_owned()],
            triggers: vec![Trigger::Appears("sold out".to_owned())],
            ..RuleSet::default()
        };
        add(WatchWish {
            tags: vec!["market".to_owned(), "siltmere".to_owned()],
            every: "adaptive 1h..24h".to_owned(),
            notify: vec!["mailto:ann@example.org".to_owned()],
            quiet: "22:00-07:00 Europe/Prague".to_owned(),
            rules,
            ..wish(FISH, "Fish of the day", "ann")
        });
        add(wish(TIDES, "", "me"));
        add(wish(ODD, ODD_TITLE, "<b>eve</b>"));
        add(WatchWish { paused: true, ..wish("http://paused.test/", "Minutes of the parish council", "me") });
        pretended.serve(FISH, "text/html", fish("12.50 a pound", "", 1201).as_bytes());
        pretended.serve(TIDES, "application/octet-stream", &[1, 2, 3, 0].repeat(500));
        pretended.serve(ODD, "text/html", b"<title></title><p>one <script>alert(3)</script></p>");
        for day in 0..90_u32 {
            if day % 13 == 5 {
                let cod = if day % 26 == 5 {
                    "sold out".to_owned()
                } else {
                    format!("{}.00 a pound", 10 + day % 5)
                };
                let extra = if day > 40 { "<p>From Monday on we open at seven.</p>" } else { "" };
                pretended.serve(FISH, "text/html", fish(&cod, extra, 1201 + day).as_bytes());
            }
            match day {
                60 => pretended.down(FISH),
                62 => pretended.serve(FISH, "text/html", fish("13.00 a pound", "", 1290).as_bytes()),
                70 => pretended.serve(TIDES, "application/octet-stream", &[1, 2, 3, 4].repeat(510)),
                80 => pretended.serve(ODD, "text/html", b"<title></title><p>two <b>&lt;script&gt;</b></p>"),
                85 => pretended.down(ODD),
                _ => {}
            }
            for _ in 0..4 {
                for watch in 1..=3 {
                    let check = futures(pretended.check_watch(watch)).unwrap();
                    if check.outcome == "changed" {
                        pretended.tell(watch, "changed", "3 words changed");
                    }
                }
                pretended.later(6);
            }
            match day {
                60 => drop(pretended.tell(1, "gone", "nobody answers")),
                62 => drop(pretended.tell(1, "back", "it can be reached again")),
                _ => {}
            }
        }
        pretended
    }
}

/// What is there at once.
fn futures<T>(answer: api::watches::Answer<T>) -> Result<T, api::Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(answer)
}
